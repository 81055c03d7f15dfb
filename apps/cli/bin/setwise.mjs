#!/usr/bin/env node
// Stands in the repository, so that installing links it before anything is built.
import "../dist/setwise.mjs";
