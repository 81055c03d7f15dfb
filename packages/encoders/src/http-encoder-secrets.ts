/** Shared runs of so many characters give a secret away; shorter ones are found in any text. */
const RUN = 8;
/** Anything shorter is no secret, and taking it out would leave holes in every word. */
const MIN_SECRET = 4;
const MASK = "[redacted]";

/**
 * A function that takes secrets out of a text, before it goes into an error: whole ones, and any part of eight
 * characters or more, since servers echo keys shortened, in other letter cases or inside other text.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const kept = [...new Set(secrets.map((secret) => secret.toLowerCase()))].filter((one) => one.length >= MIN_SECRET);
  const runs = new Set(kept.flatMap(runsOf));
  const lengths = [...new Set([...runs].map((run) => run.length))];
  return (text) => {
    const lower = text.toLowerCase();
    // A letter whose lower case is longer (İ) would move every position behind it.
    if (lower.length !== text.length) return redactPlain(lower, runs, lengths);
    return redactPlain(text, runs, lengths, lower);
  };
}

function runsOf(secret: string): string[] {
  if (secret.length <= RUN) return [secret];
  return Array.from({ length: secret.length - RUN + 1 }, (_, start) => secret.slice(start, start + RUN));
}

function redactPlain(text: string, runs: ReadonlySet<string>, lengths: readonly number[], lower = text): string {
  let result = "";
  let hidden = 0;
  for (let position = 0; position < text.length; position++) {
    for (const length of lengths) {
      if (position + length <= hidden || !runs.has(lower.slice(position, position + length))) continue;
      if (hidden <= position) result += MASK;
      hidden = position + length;
    }
    if (position >= hidden) result += text[position];
  }
  return result;
}
