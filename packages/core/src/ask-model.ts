import { SetwiseError } from "./errors.ts";
import type { LanguageModel } from "./ports.ts";
import { thrownMessage } from "./thrown-message.ts";
import { tokenEstimate } from "./token-estimate.ts";
import { untilAborted } from "./until-aborted.ts";

/** Times a model is asked again after an answer that cannot be used. */
const DEFAULT_RETRIES = 2;
/** A chat model answers a short prompt in seconds; a minute says that it hangs. */
export const MODEL_TIMEOUT_MS = 60_000;
/** A longer answer is cut: what is asked for is a line. */
const LONGEST_ANSWER = 100_000;
/** Of an answer or an error, where it is told or asked with again. */
const LONGEST_SHOWN = 200;
/** What a timer can hold. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

export interface AskOptions {
  readonly model: LanguageModel;
  /** A whole number of at least 0; 2 by default. */
  readonly retries?: number;
  /** For one attempt, in milliseconds, above 0 and at most 2³¹ − 1; 60,000 by default. */
  readonly timeoutMs?: number;
}

/** What questions to a model have cost so far; tokens are estimated. */
export interface ModelUse {
  calls: number;
  promptTokens: number;
  answerTokens: number;
  /** Answers taken from memory. */
  remembered: number;
  /** Questions that got no usable answer, with the reason. */
  readonly failures: string[];
}

/** A schema as zod makes them: only what is needed of it. */
export interface AnswerSchema<T> {
  safeParse(
    value: unknown,
  ): { readonly success: true; readonly data: T } | { readonly success: false; readonly error: unknown };
}

/** An answer of a model, checked; or why there is none. */
export type ModelAnswer<T> = { readonly answer: T } | { readonly failure: string };

/**
 * Asks until the answer holds one JSON object that the schema takes, a few times at most. Tool texts in the prompt are material: whatever
 * they say, only this shape comes out.
 *
 * @throws SetwiseError `aborted` when the caller's signal fires, `invalid-argument` for retries or a time that are none; everything else is a failure, not an error.
 */
export async function askModel<T>(
  prompt: string,
  schema: AnswerSchema<T>,
  { model, retries = DEFAULT_RETRIES, timeoutMs = MODEL_TIMEOUT_MS }: AskOptions,
  use: ModelUse,
  signal: AbortSignal | undefined,
): Promise<ModelAnswer<T>> {
  if (!(Number.isInteger(retries) && retries >= 0)) {
    throw new SetwiseError("invalid-argument", `retries must be a whole number of at least 0, but it is ${retries}.`);
  }
  checkTimeout(timeoutMs);
  let failure = "it was not asked";
  for (let attempt = 0; attempt <= retries; attempt++) {
    const text =
      attempt === 0
        ? prompt
        : `${prompt}\n\nYour last answer could not be used: ${failure}. Answer with the JSON object only.`;
    use.calls++;
    use.promptTokens += tokenEstimate.count(text);
    try {
      const answer = String(await answerInTime(model, text, timeoutMs, signal)).slice(0, LONGEST_ANSWER);
      use.answerTokens += tokenEstimate.count(answer);
      const checked = schema.safeParse(jsonIn(answer));
      if (checked.success) return { answer: checked.data };
      failure = `it is not of the wanted shape (${shown(answer)})`;
    } catch (cause) {
      if (SetwiseError.isInstance(cause) && cause.code === "aborted" && signal?.aborted === true) throw cause;
      failure = shown(thrownMessage(cause, "it threw what is no error"));
    }
  }
  use.failures.push(failure);
  return { failure };
}

/**
 * The model's answer to one prompt as it is, whether or not it listens to a signal.
 *
 * @throws SetwiseError `timeout` when it does not answer in time, `aborted` when the caller's signal fires, `invalid-argument` for a time that is none, and
 *   whatever the model throws.
 */
export async function answerInTime(
  model: LanguageModel,
  prompt: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<string> {
  checkTimeout(timeoutMs);
  const timer = new AbortController();
  // Not AbortSignal.timeout: its timer would let the process end before a model that holds nothing open.
  const running = setTimeout(() => timer.abort(), timeoutMs);
  const own = timer.signal;
  const both = signal === undefined ? own : AbortSignal.any([own, signal]);
  try {
    return await untilAborted(both, () => model.generate(prompt, { signal: both }));
  } catch (cause) {
    if (own.aborted && signal?.aborted !== true) {
      throw new SetwiseError("timeout", `The language model ${model.name} did not answer within ${timeoutMs} ms.`, {
        source: model.name,
        cause,
      });
    }
    throw cause;
  } finally {
    clearTimeout(running);
  }
}

function checkTimeout(timeoutMs: number): void {
  if (timeoutMs > 0 && timeoutMs <= LONGEST_TIMEOUT_MS) return;
  throw new SetwiseError(
    "invalid-argument",
    `timeoutMs must be a number of milliseconds above 0 and at most ${LONGEST_TIMEOUT_MS}, but it is ${timeoutMs}.`,
  );
}

/** What a model said or threw, short and in one line. */
function shown(text: string): string {
  return text.slice(0, LONGEST_SHOWN).replace(/\s+/g, " ");
}

/** The first JSON object in a text, also within a fence or a sentence. */
function jsonIn(text: string): unknown {
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start < 0 || end < start) return undefined;
  try {
    return JSON.parse(text.slice(start, end + 1));
  } catch {
    return undefined;
  }
}
