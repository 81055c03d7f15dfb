import { createHash } from "node:crypto";
import { SetwiseError } from "@setwise/core";
import { checkCount } from "./encoder-arguments.ts";
import { type EmbeddingAddress, embeddingAddress, type HttpEncoderKind } from "./http-encoder-address.ts";
import type { TextCut } from "./text-cut.ts";

/** Says that the end of a text was left out: a notice, never an error. The tokens are the server's; here are characters. */
export interface HttpTextCut extends Omit<TextCut, "tokens"> {
  /** How many characters were kept, a prompt before the text included. */
  readonly characters: number;
}

export interface HttpEncoderOptions {
  /**
   * A server (`http://localhost:8080`), an API's base (`https://api.openai.com/v1`) or the whole address. A path that
   * ends in `/embed` speaks text-embeddings-inference, anything else the OpenAI protocol.
   */
  readonly url: string | URL;
  /** What the address speaks, where its path does not tell. */
  readonly kind?: HttpEncoderKind;
  readonly model?: string;
  /** Sent as `Authorization: Bearer …`; never logged and never part of an error. */
  readonly apiKey?: string | undefined;
  /** More headers, such as `{ "api-key": … }`; their values are kept as secret as `apiKey`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Numbers in an embedding. Every answer is checked against it; without it one short text is encoded first to learn it. */
  readonly dimensions?: number;
  /** Also asks the server for embeddings of `dimensions` numbers, for models that can shorten theirs. */
  readonly shorten?: boolean;
  /** Asks for embeddings in this form; either form is understood whatever is asked for. */
  readonly encodingFormat?: "float" | "base64";
  /** Put before each text, for models that were trained with it: `{ query: "query: ", document: "passage: " }`. */
  readonly prompts?: Partial<Readonly<Record<"query" | "document", string>>>;
  /** More fields of the request: `{ query: { input_type: "query" }, document: { input_type: "document" } }`. */
  readonly parameters?: Partial<Readonly<Record<"query" | "document", Readonly<Record<string, unknown>>>>>;
  /** Stands in the encoder's name for address and model, so that caches stay valid when the same model moves elsewhere. */
  readonly name?: string;
  readonly maxBatchTexts?: number;
  readonly maxBatchCharacters?: number;
  /** Only the beginning of longer texts is encoded, and `onCut` is told. */
  readonly maxTextCharacters?: number;
  /** Requests at a time, over all calls of this encoder. */
  readonly maxInFlight?: number;
  /** For each attempt, from the first byte sent to the last one received. After the second attempt that takes longer there is no other. */
  readonly timeoutMs?: number;
  /** For a request with all its attempts and the waits between them; by default as long as those take. */
  readonly maxRequestMs?: number;
  readonly maxRetries?: number;
  readonly retryDelayMs?: number;
  readonly maxRetryDelayMs?: number;
  readonly maxAnswerBytes?: number;
  /** Told of each text that was cut. */
  readonly onCut?: (cut: HttpTextCut) => void;
  /** Stops the first request, which learns the dimensions. */
  readonly signal?: AbortSignal;
  /** Takes the place of the global `fetch`, for a proxy or a test. */
  readonly fetch?: typeof globalThis.fetch;
}

type LimitName =
  | "maxBatchTexts"
  | "maxBatchCharacters"
  | "maxTextCharacters"
  | "maxInFlight"
  | "timeoutMs"
  | "maxRequestMs"
  | "maxRetries"
  | "retryDelayMs"
  | "maxRetryDelayMs"
  | "maxAnswerBytes";

/** OpenAI takes 2,048 texts, others 96 to 128. */
const MAX_BATCH_TEXTS = { openai: 96, tei: 32 } as const;
/** Timers count in 31 bits and fire at once beyond. */
const MAX_NUMBER = 2 ** 31 - 1;
const LIMITS: Readonly<Record<Exclude<LimitName, "maxBatchTexts">, number>> = {
  /** About 30,000 tokens: a tenth of what OpenAI takes, and an answer in seconds from slower servers. */
  maxBatchCharacters: 120_000,
  /** About 4,000 tokens: half of what today's models read. A server that reads less is asked again with less. */
  maxTextCharacters: 16_000,
  maxInFlight: 4,
  timeoutMs: 30_000,
  /** The number of attempts bounds it already. */
  maxRequestMs: MAX_NUMBER,
  /** With the delays below: waits of up to 0.5, 1, 2 and 4 seconds. */
  maxRetries: 4,
  retryDelayMs: 500,
  /** A minute is the window of most rate limits. */
  maxRetryDelayMs: 60_000,
  /** 96 embeddings of 8,192 numbers written out are 17 MB. */
  maxAnswerBytes: 64 * 1024 * 1024,
};
const MAY_BE_ZERO: ReadonlySet<string> = new Set(["maxRetries", "retryDelayMs", "maxRetryDelayMs"]);

export interface HttpEncoderSettings extends Readonly<Record<LimitName, number>> {
  readonly address: EmbeddingAddress;
  readonly headers: Headers;
  /** Everything that must never be shown. */
  readonly secrets: readonly string[];
  readonly options: HttpEncoderOptions;
}

/**
 * Checks the options and fills in the defaults.
 *
 * @throws SetwiseError `invalid-argument`, without any secret in it.
 */
export function httpEncoderSettings(options: HttpEncoderOptions): HttpEncoderSettings {
  const address = embeddingAddress(options.url, options.kind);
  const defaults = { ...LIMITS, maxBatchTexts: MAX_BATCH_TEXTS[address.kind] };
  const limits = Object.fromEntries(
    (Object.keys(defaults) as LimitName[]).map((name) => [name, limit(name, options[name] ?? defaults[name])]),
  ) as Record<LimitName, number>;
  if (options.dimensions !== undefined) limit("dimensions", options.dimensions);
  if (options.shorten && options.dimensions === undefined)
    throw invalid("`shorten` asks the server for `dimensions` numbers a text; say how many.");
  const headers = requestHeaders(options);
  const inQuery = [...address.url.searchParams.values()].filter((value) => value.length >= 8);
  const inHeaders = Object.values(options.headers ?? {}).flatMap((value) => [value, ...value.split(/\s+/)]);
  const secrets = [options.apiKey?.trim() ?? "", ...inHeaders, ...inQuery];
  return { ...limits, address, headers, secrets, options };
}

function limit(name: string, value: number): number {
  checkCount(name, value, MAY_BE_ZERO.has(name) ? 0 : 1, MAX_NUMBER);
  return value;
}

/** Checks each value itself: the error that `Headers` throws for a bad one holds the value. */
function requestHeaders({ apiKey, headers = {} }: HttpEncoderOptions): Headers {
  const result = new Headers({ accept: "application/json" });
  if (apiKey !== undefined)
    result.set("authorization", `Bearer ${headerValue("`apiKey` (SETWISE_ENCODER_KEY on the command line)", apiKey)}`);
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw invalid("A name in `headers` is not the name of a header.");
    result.set(name, headerValue(`\`headers["${name}"]\``, value));
  }
  result.set("content-type", "application/json");
  return result;
}

function headerValue(name: string, value: string): string {
  const trimmed = typeof value === "string" ? value.trim() : "";
  if (/^[\x20-\x7e]+$/.test(trimmed)) return trimmed;
  throw invalid(
    `${name} must be text of printable ASCII characters; it is empty or holds others. Check how it is read.`,
  );
}

/** `http:<model or host>-<dimensions>:<hash of all that decides what a vector means>`. */
export function httpEncoderName(
  { address, maxTextCharacters, options }: HttpEncoderSettings,
  dimensions: number,
): string {
  const { model, name, prompts, parameters, shorten = false } = options;
  const identity = name ?? [address.kind, address.url.href, model];
  const meaning = JSON.stringify([identity, dimensions, shorten, prompts, parameters, maxTextCharacters]);
  const hash = createHash("sha256").update(meaning).digest("hex").slice(0, 8);
  return `http:${(name ?? model ?? address.url.host).replace(/\s+/g, "_")}-${dimensions}:${hash}`;
}

function invalid(message: string): SetwiseError {
  return new SetwiseError("invalid-argument", message);
}
