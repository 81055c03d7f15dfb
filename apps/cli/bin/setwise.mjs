#!/usr/bin/env node
// Stands in the repository, so that installing links it before anything is built.
await import("../dist/setwise.mjs");
