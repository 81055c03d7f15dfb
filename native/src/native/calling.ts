import { KernelError } from "../errors.ts";

/** Calls the addon and makes its errors, which carry a code, into ours. */
export function calling<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (cause) {
    const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown };
    const known = code === "invalid-argument" || code === "too-large" ? code : "internal";
    throw new KernelError(known, String(message), { cause });
  }
}
