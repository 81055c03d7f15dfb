import { SetwiseError, type ErrorCode } from "@setwise/core";
import { type AnswerRows, readAnswer } from "./http-encoder-answer.ts";
import { redactor } from "./http-encoder-secrets.ts";
import type { HttpEncoderSettings } from "./http-encoder-options.ts";
import { beginningOfBody, boundedBody } from "./http-response.ts";
import { type Attempt, retryAfterMs } from "./retry.ts";

export interface EmbeddingRequest {
  /** With their prompts. */
  readonly texts: readonly string[];
  readonly as: "query" | "document";
  /** `undefined`: to be learned. */
  readonly dimensions: number | undefined;
  /** For this attempt. */
  readonly timeoutMs: number;
  /** The caller's signal joined with the one that stops a call's other requests. */
  readonly signal: AbortSignal;
}

export type EmbeddingAnswer =
  | { readonly rows: Float32Array; readonly dimensions: number }
  /** The server takes fewer texts or shorter ones; the error is for when nothing smaller is left to send. */
  | { readonly tooMuch: SetwiseError };

const RETRIED_STATUS: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 524, 529]);
/** Faults of the connection that will be the same next time: no such name, a certificate that is not accepted. */
const FINAL_FAULT = /^(ENOTFOUND|ERR_TLS.*|ERR_SSL.*|.*CERT.*|.*SELF_SIGNED.*|UNABLE_TO.*)$/;
/** How servers say that a batch or a text is too long: with 413, or with 400 or 422 and words like these. */
const TOO_MUCH = /too (long|large|many|big)|maximum|at most|exceed|limit|context|longer than|larger than|batch size/i;
/** Read from an answer that is an error; so much of it is shown. */
const ERROR_BODY_BYTES = 16_384;
const SHOWN_CHARACTERS = 300;

/** One attempt to embed one batch; faults that another attempt may mend come back, others are thrown. */
export type EmbeddingRequester = (request: EmbeddingRequest) => Promise<Attempt<EmbeddingAnswer>>;

export function embeddingRequester(settings: HttpEncoderSettings): EmbeddingRequester {
  const redact = redactor(settings.secrets);
  const { address, maxAnswerBytes } = settings;
  const send = settings.options.fetch ?? globalThis.fetch;

  function failure(code: ErrorCode, reason: string, cause?: unknown): SetwiseError {
    const message = redact(`The embeddings of ${address.shown} cannot be used: ${reason}`);
    // Causes are made anew from their redacted text: those of a foreign `fetch` may carry the request with its headers.
    const kept = cause instanceof Error ? new Error(redact(faultText(cause))) : undefined;
    return new SetwiseError(code, message, { source: redact(address.shown), cause: kept });
  }

  function quoted(text: string): string {
    // oxlint-disable-next-line no-control-regex
    const line = redact(text)
      .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
      .trim();
    return line === ""
      ? ""
      : ` It says: "${line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line}".`;
  }

  async function attempt(request: EmbeddingRequest, signal: AbortSignal): Promise<Attempt<EmbeddingAnswer>> {
    const body = JSON.stringify(requestBody(settings, request));
    const response = await send(address.url, {
      method: "POST",
      headers: settings.headers,
      body,
      signal,
      redirect: "manual",
    });
    if (response.ok) return { value: await readRows(response, request) };
    return refusal(response);
  }

  async function readRows(response: Response, request: EmbeddingRequest): Promise<EmbeddingAnswer> {
    const text = await boundedBody(response, maxAnswerBytes);
    if (text === undefined)
      throw failure(
        "too-large",
        `the answer for ${request.texts.length} texts is longer than ${maxAnswerBytes} bytes. Ask for less at a time (\`maxBatchTexts\` of createHttpEncoder), or raise \`maxAnswerBytes\` there if the model's embeddings are that large.`,
      );
    const numbers = request.dimensions === undefined ? "" : ` of ${request.dimensions} numbers`;
    const expected = `expected ${request.texts.length} embeddings${numbers} as JSON`;
    const json = parseJson(text);
    if (json === undefined)
      throw failure(
        "server-failed",
        `${expected}, but got ${notJson(text, response)} Check the address.${quoted(text)}`,
      );
    const answer: AnswerRows = readAnswer(json, { texts: request.texts.length, dimensions: request.dimensions });
    if (!("fault" in answer)) return answer;
    const advice =
      "Check the address and the name of the model (`dimensions` too, if you gave it), or ask who runs the server.";
    const shown = Array.isArray(json) || (json as { data?: unknown } | null)?.data !== undefined ? "" : quoted(text);
    throw failure("server-failed", `${expected}, but got ${answer.fault}. ${advice}${shown}`);
  }

  async function refusal(response: Response): Promise<Attempt<EmbeddingAnswer>> {
    const { status } = response;
    const text = await beginningOfBody(response, ERROR_BODY_BYTES);
    if (status === 0 || (status >= 300 && status < 400)) throw failure("server-failed", redirectReason(response));
    const error = failure("server-failed", `the server answered ${status}. ${adviceFor(status)}${quoted(text)}`);
    if (RETRIED_STATUS.has(status)) return { error, retryAfterMs: retryAfterMs(response.headers) };
    const isTooMuch = status === 413 || ((status === 400 || status === 422) && TOO_MUCH.test(text));
    if (isTooMuch) return { value: { tooMuch: error } };
    throw error;
  }

  return async (request) => {
    const { timeoutMs } = request;
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await attempt(request, AbortSignal.any([timeout, request.signal]));
    } catch (cause) {
      if (SetwiseError.isInstance(cause)) throw cause;
      if (request.signal.aborted) throw failure("aborted", "the request was stopped.", cause);
      if (timeout.aborted) {
        const reason = `no whole answer came within ${timeoutMs} ms. Raise the timeout (\`timeoutMs\`, or --timeout on the command line), or ask for less at a time (\`maxBatchTexts\` of createHttpEncoder).`;
        return { error: failure("timeout", reason, cause) };
      }
      const reason = `${faultText(cause)}. Check that the server runs and can be reached.`;
      const error = failure("unreadable-source", reason, cause);
      if (FINAL_FAULT.test(faultCode(cause))) throw error;
      return { error };
    }
  };
}

function requestBody({ address, options }: HttpEncoderSettings, { texts, as }: EmbeddingRequest): object {
  const { model, encodingFormat, shorten, dimensions, parameters } = options;
  return {
    ...(address.kind === "openai" ? { input: texts } : { inputs: texts, truncate: true }),
    ...(model === undefined || address.kind === "tei" ? {} : { model }),
    ...(encodingFormat === undefined ? {} : { encoding_format: encodingFormat }),
    ...(shorten ? { dimensions } : {}),
    ...parameters?.[as],
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function notJson(text: string, response: Response): string {
  if (text.trim() === "") return "an empty answer.";
  if (/^\s*</.test(text)) return "a page of HTML or XML.";
  if (/[[,:]\s*-?(NaN|Infinity)\b/.test(text)) return "NaN or Infinity in place of a number: the model runs wrongly.";
  return `something else (${response.headers.get("content-type") ?? "of no type"}).`;
}

/** Redirects are never followed: the key and the texts would go where the caller did not send them. */
function redirectReason(response: Response): string {
  const location = response.headers.get("location") ?? "";
  const base = response.url === "" ? undefined : response.url;
  const target = URL.canParse(location, base) ? new URL(location, base) : undefined;
  const where = target === undefined ? "another address" : `${target.origin}${target.pathname}`;
  return `the server sends on to ${where}, and keys are not sent there unasked. Give that address if you trust it.`;
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403) return "Check the key (`apiKey`, or SETWISE_ENCODER_KEY on the command line).";
  if (status === 404 || status === 405) return "Check the path of the address, and the name of the model.";
  if (status === 429)
    return "It is asked too often: try later, or ask for less at a time (`maxInFlight` of createHttpEncoder).";
  if (status >= 500) return "The fault is the server's: try later.";
  return "Check the address and the name of the model.";
}

function faultCode(cause: unknown): string {
  const inner = (cause as { cause?: { code?: unknown } }).cause?.code ?? (cause as { code?: unknown }).code;
  return typeof inner === "string" ? inner : "";
}

/** `fetch failed` says nothing; the error inside it does. */
function faultText(cause: unknown): string {
  if (!(cause instanceof Error)) return "the connection failed";
  const inner = cause.cause instanceof Error ? cause.cause : cause;
  return inner.message === "" ? faultCode(cause) || "the connection failed" : inner.message;
}
