import { type LanguageModel, SetwiseError } from "@setwise/core";

/** A chat model answers a short prompt in seconds; a minute says that it hangs. */
export const MODEL_TIMEOUT_MS = 60_000;

/**
 * The model's answer to one prompt, whether or not it listens to a signal.
 *
 * @throws SetwiseError `timeout` when it does not answer in time, and whatever the model throws.
 */
export async function askModel(model: LanguageModel, prompt: string, timeoutMs: number): Promise<string> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(
        new SetwiseError("timeout", `The language model ${model.name} did not answer within ${timeoutMs} ms.`, {
          source: model.name,
        }),
      );
    }, timeoutMs);
  });
  try {
    return await Promise.race([model.generate(prompt, { signal: controller.signal }), late]);
  } finally {
    clearTimeout(timer);
  }
}
