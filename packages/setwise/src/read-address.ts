import { SetwiseError } from "@setwise/core";
import { decodeText } from "./decode-text.ts";
import type { LoadToolsOptions } from "./load-tools.ts";
import { MAX_SOURCE_BYTES } from "./size-limit.ts";
import { timeoutOf } from "./timeout.ts";

/**
 * The text at an http(s) address, within a time and a size.
 *
 * @throws SetwiseError `invalid-argument`, `timeout`, `unreadable-source`, `too-large` or `aborted`.
 */
export async function readAddress(address: string, options: LoadToolsOptions): Promise<string> {
  const timeoutMs = timeoutOf(options);
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal]);
  try {
    const response = await fetch(address, { signal, headers: { accept: "application/json, application/yaml, */*" } });
    if (!response.ok) throw new Error(`the server answered ${response.status} ${response.statusText}`);
    return await boundedText(response, address);
  } catch (cause) {
    if (SetwiseError.isInstance(cause)) throw cause;
    const details = { source: address, cause };
    if (options.signal?.aborted) throw new SetwiseError("aborted", `Reading ${address} was stopped.`, details);
    if (timeout.aborted)
      throw new SetwiseError("timeout", `${address} did not answer within ${timeoutMs} ms.`, details);
    const reason =
      cause instanceof Error ? ((cause.cause as Error | undefined)?.message ?? cause.message) : String(cause);
    throw new SetwiseError("unreadable-source", `Cannot read ${address}: ${reason}.`, details);
  }
}

async function boundedText(response: Response, address: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_SOURCE_BYTES)
      throw new SetwiseError(
        "too-large",
        `${address} sends more than ${MAX_SOURCE_BYTES} bytes; a tool list is smaller.`,
        {
          source: address,
        },
      );
    chunks.push(chunk);
  }
  return decodeText(Buffer.concat(chunks));
}
