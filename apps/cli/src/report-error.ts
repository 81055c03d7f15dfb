import { errorCodes, SetwiseError } from "setwise";
import { type Output, plain } from "./output.ts";

/** Writes `code: message` to standard error and gives the exit code: 1 for the caller's mistake, 2 for ours. */
export function reportError(error: unknown, output: Output): 1 | 2 {
  const known = SetwiseError.isInstance(error);
  const message = plain(error instanceof Error ? error.message : String(error));
  if (known) {
    output.writeError(`${error.code}: ${message}\n`);
    return errorCodes[error.code] === "caller" ? 1 : 2;
  }
  if (error instanceof Error && "code" in error && String(error.code).startsWith("commander.")) {
    if (error.code === "commander.help") return 1;
    output.writeError(`invalid-argument: ${message.replace(/^error: /, "")} (--help lists commands and options)\n`);
    return 1;
  }
  output.writeError(`internal: ${message}\nThis is a fault of setwise; please report it with the command you ran.\n`);
  if (error instanceof Error && error.stack !== undefined && process.env["DEBUG"] !== undefined)
    output.writeError(`${error.stack}\n`);
  return 2;
}
