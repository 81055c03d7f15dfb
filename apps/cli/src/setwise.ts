#!/usr/bin/env node
import { runCommandLine } from "./command-line.ts";

// A closed pipe (`setwise … | head`) is no error of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
});

process.exitCode = await runCommandLine(process.argv.slice(2), {
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
});
