import { KernelError, type KernelErrorCode } from "../errors.ts";

/** What the addon itself refuses with. */
const codes: readonly KernelErrorCode[] = ["invalid-argument", "too-large", "unreadable-source"];

/** Calls the addon and makes its errors, which carry a code, into ours. */
export function calling<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (cause) {
    const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown };
    throw new KernelError(codes.find((known) => known === code) ?? "internal", String(message), { cause });
  }
}
