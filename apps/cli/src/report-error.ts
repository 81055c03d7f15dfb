import { errorCodes, SetwiseError } from "setwise";

/** Writes `code: message` to standard error and gives the exit code: 1 for the caller's mistake, 2 for ours. */
export function reportError(error: unknown): 1 | 2 {
  const known = SetwiseError.isInstance(error);
  const message = error instanceof Error ? error.message : String(error);
  if (known) {
    process.stderr.write(`${error.code}: ${message}\n`);
    return errorCodes[error.code] === "caller" ? 1 : 2;
  }
  if (error instanceof Error && "code" in error && String(error.code).startsWith("commander.")) {
    if (error.code === "commander.help") return 1;
    process.stderr.write(`invalid-argument: ${message.replace(/^error: /, "")}\n`);
    return 1;
  }
  process.stderr.write(
    `internal: ${message}\nThis is a fault of setwise; please report it with the command you ran.\n`,
  );
  if (error instanceof Error && error.stack !== undefined && process.env["DEBUG"] !== undefined)
    process.stderr.write(`${error.stack}\n`);
  return 2;
}
