/*
 * What a request holds that can be handed to a tool as it stands. Found by form alone, the more certain forms first: what one has taken no
 * other looks at again.
 */

/** `id` is a word of letters and digits, a long number, or a UUID; `path` a file or folder; `name` a run of capitalised words. */
export type ValueKind = "email" | "url" | "path" | "quoted" | "date" | "time" | "id" | "number" | "name";

/** A value that stands in a request. */
export interface QueryValue {
  readonly kind: ValueKind;
  /** As a tool would take it: without quotes, numbers as numbers. */
  readonly value: string | number;
  /** Where it stands: characters from the beginning. */
  readonly start: number;
  readonly end: number;
}

/** So much of a request is read. */
const MOST_CHARACTERS = 20_000;
/** No tool call needs more; a pasted table would give thousands. */
const MOST_VALUES = 64;

const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]{0,6}";

/** "Radiohead", "J.K.", "AT&T": a full stop belongs to an initial or stands between letters. */
const CAPITAL = String.raw`\p{Lu}(?:[\p{L}\p{M}'’&-]|(?<=(?<!\p{L})\p{Lu})\.|\.(?=\p{L})){0,40}`;
/** At the start of a sentence a capital says nothing, so a name there has two words at least. */
const NAME = new RegExp(
  String.raw`(?<=[\p{Ll}\p{N},;:()'’] ?)(?<!\p{L})${CAPITAL}(?: (?:of |de |van |von |the |and )?${CAPITAL}){0,5}|(?<!\p{L})${CAPITAL}(?: ${CAPITAL}){1,5}`,
  "gu",
);

const forms: readonly (readonly [ValueKind, RegExp])[] = [
  ["url", /\bhttps?:\/\/[^\s<>"'`]{1,2000}[^\s<>"'`.,;:!?)\]]/giu],
  ["email", /\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}\b/gu],
  [
    "quoted",
    /"([^"\n]{1,400})"|“([^”\n]{1,400})”|«([^»\n]{1,400})»|`([^`\n]{1,400})`|(?<![\p{L}\p{N}])['‘]((?:[^'’\n]|(?<=\p{L})['’](?=\p{L})){1,400})['’](?![\p{L}\p{N}])/gu,
  ],
  ["path", /(?<![\w/:.<])(?:~|\.{1,2})?\/(?:[\w.@+-]{1,255}\/){0,40}[\w.@+-]{0,254}\w\/?/gu],
  ["id", /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/giu],
  [
    "date",
    new RegExp(
      String.raw`\b\d{4}-\d{2}-\d{2}(?:T[\d:.]{4,12}(?:Z|[+-]\d\d:?\d\d)?)?\b|\b\d{1,2}[/.]\d{1,2}[/.]\d{2,4}\b|\b${MONTH} \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?\b|\b\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}(?:,? \d{4})?\b|\b(?:today|tomorrow|yesterday|tonight)\b|\b(?:next|this|last) (?:week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b`,
      "giu",
    ),
  ],
  ["time", /\b\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\b\.?)?|\b\d{1,2} ?[ap]m\b/giu],
  // A word with digits in it ("W123" too), or "#" and digits, or a number that is too long to count anything.
  [
    "id",
    /#\w{1,40}\b|(?<![\w.,/-])\p{Lu}{1,4}-?\d{1,10}(?![\w-])|(?<![\w.,/-])(?=[\w-]{0,40}\d)(?=[\w-]{0,40}\p{L})[\w][\w-]{3,62}\w\b|(?<![\w.,-])\d{9,40}(?![\w.,]\d)/gu,
  ],
  [
    "number",
    /(?<![\p{L}\p{N}_.])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\p{L}\d])|(?<![\p{L}\p{N}_.])-?\d+(?:\.\d+)?(?![\p{L}\d])/gu,
  ],
  ["name", NAME],
];

/** A capital word that is none: it begins what the user wants. */
const NO_NAME = new Set(
  "i i'm i'd i'll i've please can could would what how which who where when find get show list the a an and my".split(
    " ",
  ),
);

/** The typed values of a request, in the order in which they stand in it; no two overlap. */
export function queryValues(text: string): readonly QueryValue[] {
  let rest = text.slice(0, MOST_CHARACTERS);
  const values: QueryValue[] = [];
  for (const [kind, form] of forms) {
    if (values.length >= MOST_VALUES) break;
    rest = rest.replace(form, (...found) => {
      const whole = String(found[0]);
      const start = found.find((part, place) => place > 0 && typeof part === "number") as number;
      const inner = kind === "quoted" ? found.slice(1, 6).find((part) => typeof part === "string") : whole;
      const value = valueOf(kind, String(inner));
      if (value === undefined || values.length >= MOST_VALUES) return whole;
      values.push({ kind, value, start, end: start + whole.length });
      // Other forms must not find a piece of it, and positions must stay.
      return "\u0000".repeat(whole.length);
    });
  }
  return values.sort((a, b) => a.start - b.start);
}

function valueOf(kind: ValueKind, text: string): string | number | undefined {
  if (kind === "number") return Number(text.replaceAll(",", ""));
  if (kind === "id") return text.replace(/^#/, "");
  if (kind !== "name") return text;
  const trimmed = text.replace(/[.'’&-]+$/u, "").replace(/['’]s$/u, "");
  const words = trimmed.split(" ");
  while (words.length > 0 && NO_NAME.has((words[0] ?? "").toLowerCase())) words.shift();
  const name = words.join(" ");
  return name.length > 1 ? name : undefined;
}
