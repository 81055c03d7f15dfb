import { MAX_SOURCE_BYTES } from "./size-limit.ts";

/** `fetch`, whose answers end with an error beyond 64 MB: a server that never ends one must not fill the memory. */
export async function boundedFetch(address: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(address, init);
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MAX_SOURCE_BYTES) controller.error(new Error(`it sends more than ${MAX_SOURCE_BYTES} bytes`));
      else controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(counter), { status, statusText, headers });
}
