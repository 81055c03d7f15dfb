#!/usr/bin/env node
import { runCommandLine } from "./command-line.ts";

// A closed pipe (`setwise … | head`) is no error of ours; a full disk is the caller's.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  process.stderr.write(`unwritable-target: The answer could not be written: ${error.message}. Free some room.\n`);
  process.exit(1);
});
process.stderr.on("error", () => undefined);

process.exitCode = await runCommandLine(process.argv.slice(2), {
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
});
