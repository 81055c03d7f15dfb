import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Encoder, SetwiseError, refuseAborted } from "@setwise/core";
export type { HttpEncoderOptions, HttpTextCut } from "./http-encoder-options.ts";
import { checkTexts } from "./encoder-arguments.ts";
import { cutText, textBatches } from "./http-encoder-batches.ts";
import { createLimiter } from "./http-encoder-limiter.ts";
import {
  httpEncoderName,
  type HttpEncoderOptions,
  type HttpEncoderSettings,
  httpEncoderSettings,
} from "./http-encoder-options.ts";
import { type EmbeddingAnswer, type EmbeddingRequest, embeddingRequester } from "./http-encoder-request.ts";
import { withRetries } from "./retry.ts";

/** No text is cut shorter because a server finds it too long; below, something else is wrong. */
const SHORTEST_CUT = 256;
/** Encoded where `dimensions` is not given. */
const PROBE = "tool";

/**
 * An encoder behind an HTTP address: any OpenAI-compatible one or text-embeddings-inference. Blank texts give a row of
 * zeros and are not sent.
 *
 * @throws SetwiseError `invalid-argument` for options that do not fit; here (when `dimensions` must be learned) and from
 * `encode`: `timeout`, `unreadable-source` (the address cannot be reached), `server-failed` (it refuses, or its answer is
 * not what was asked for), `too-large`, `aborted`.
 */
export async function createHttpEncoder(options: HttpEncoderOptions): Promise<Encoder> {
  const settings = httpEncoderSettings(options);
  const send = sender(settings);
  const dimensions = options.dimensions ?? (await learnDimensions(send, options.signal));
  const name = httpEncoderName(settings, dimensions);

  function told(position: number, text: string): string {
    options.onCut?.({ by: name, position, characters: text.length });
    return text;
  }

  /** Rows of the batch; where the server finds it too much, of its halves, down to single texts, cut in half in turn. */
  async function rowsOf(batch: Batch): Promise<Float32Array> {
    const answer = await send({ ...batch, dimensions });
    if (!("tooMuch" in answer)) return answer.rows;
    const { texts, positions } = batch;
    if (texts.length > 1) {
      const middle = Math.ceil(texts.length / 2);
      const half = (from: number, to?: number): Promise<Float32Array> =>
        rowsOf({ ...batch, texts: texts.slice(from, to), positions: positions.slice(from, to) });
      return joined(await Promise.all([half(0, middle), half(middle)]));
    }
    const text = texts[0] ?? "";
    const shorter = cutText(text, Math.floor(text.length / 2));
    if (shorter.length < SHORTEST_CUT) throw answer.tooMuch;
    return rowsOf({ ...batch, texts: [told(positions[0] ?? 0, shorter)] });
  }

  /** What is sent for a text; nothing for a blank one, which some servers refuse. */
  function inputFor(text: string, position: number, as: "query" | "document"): string {
    if (text.trim() === "") return "";
    // Half of a surrogate pair is no text; servers fail on it in many ways.
    const whole = `${options.prompts?.[as] ?? ""}${text}`.replace(/\p{Surrogate}/gu, "\ufffd");
    const cut = cutText(whole, settings.maxTextCharacters);
    return cut.length < whole.length ? told(position, cut) : whole;
  }

  return {
    name,
    dimensions,
    async encode(texts, { as = "document", signal } = {}) {
      checkTexts(texts);
      refuseAborted(signal);
      const inputs = texts.map((text, position) => inputFor(text, position, as));
      const result = new Float32Array(texts.length * dimensions);
      // After an error, the call's other requests are of no use any more.
      const stop = new AbortController();
      const joint = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
      // Every batch that waits listens to it: more than ten of them are no leak, of which the process would warn.
      setMaxListeners(0, joint);
      const encodeBatch = async (positions: readonly number[]): Promise<void> => {
        const rows = await rowsOf({ texts: positions.map((at) => inputs[at] ?? ""), positions, as, signal: joint });
        for (const [row, position] of positions.entries())
          result.set(rows.subarray(row * dimensions, (row + 1) * dimensions), position * dimensions);
      };
      try {
        await orAborted(Promise.all(textBatches(inputs, settings).map(encodeBatch)), signal);
      } finally {
        stop.abort();
      }
      return result;
    },
  };
}

interface Batch extends Omit<EmbeddingRequest, "dimensions" | "timeoutMs"> {
  /** Of its texts, in the list that the caller gave. */
  readonly positions: readonly number[];
}

type Send = (request: Omit<EmbeddingRequest, "timeoutMs">) => Promise<EmbeddingAnswer>;

/** Requests with their retries, few enough at a time. */
function sender(settings: HttpEncoderSettings): Send {
  const request = embeddingRequester(settings);
  const limiter = createLimiter(settings.maxInFlight);
  return (batch) => {
    const { signal } = batch;
    const sleepFor = (milliseconds: number): Promise<void> => sleep(milliseconds, undefined, { signal });
    return limiter(() => {
      const end = performance.now() + settings.maxRequestMs;
      const remainingMs = (): number => end - performance.now();
      const policy = { ...settings, sleep: sleepFor, random: Math.random, remainingMs };
      const timeoutMs = (): number => Math.max(1, Math.min(settings.timeoutMs, Math.ceil(remainingMs())));
      return withRetries(() => request({ ...batch, timeoutMs: timeoutMs() }), policy);
    }, signal);
  };
}

async function learnDimensions(send: Send, signal?: AbortSignal): Promise<number> {
  refuseAborted(signal);
  const heard = signal ?? new AbortController().signal;
  const probe = { texts: [PROBE], as: "document", dimensions: undefined, signal: heard } as const;
  const answer = await orAborted(send(probe), signal);
  if ("tooMuch" in answer) throw answer.tooMuch;
  return answer.dimensions;
}

/** Work that listens to the signal, with the one error for it wherever it was stopped. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (signal?.aborted) throw new SetwiseError("aborted", "Encoding over HTTP was stopped.", { cause: signal.reason });
    throw cause;
  }
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const result = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    result.set(part, offset);
    offset += part.length;
  }
  return result;
}
