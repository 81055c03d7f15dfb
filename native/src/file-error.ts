import { KernelError, type KernelErrorCode } from "./errors.ts";

/** An error about a file; the message names it. */
export function fileError(code: KernelErrorCode, path: string, reason: string, cause?: unknown): KernelError {
  const why = cause instanceof Error ? ` (${cause.message})` : "";
  return new KernelError(code, `${path} ${reason}${why}.`, cause === undefined ? {} : { cause });
}
