import { wordsOf } from "./port-words.ts";

/** Values of a result that are looked at when nothing says where in it an output stands. */
const MOST_VISITS = 2_000;
/** Keys that are read in all for that: a result may have a million of them. */
const MOST_ENTRIES = 20_000;
/** A word in a key may be so much longer, by its plural and what stands between words. */
const LONGEST_EXTRA = 3;
/** Items of a list in which an output is looked for. */
export const MOST_ITEMS = 200;

/** The values of a result that have a name, with it, from the outside in; of a huge result the first ones. */
export function* namedValues(result: object): Generator<readonly [key: string, value: unknown]> {
  let left = MOST_ENTRIES;
  const queue: object[] = [result];
  for (let at = 0; at < queue.length && at < MOST_VISITS; at++) {
    const outer = queue[at]!;
    const isList = Array.isArray(outer);
    // A million keys are listed twice as fast this way as by for…in.
    const keys = isList ? Object.keys(outer.slice(0, MOST_ITEMS)) : Object.keys(outer);
    for (const key of keys) {
      if (left-- <= 0) return;
      const value: unknown = Reflect.get(outer, key);
      if (isContainer(value)) queue.push(value);
      if (!isList) yield [key, value];
    }
  }
}

/** Whether a key has the words, joined by blanks. By its length alone most have not: words only lose letters on the way, and blanks are added between them. */
export function isNamed(key: string, words: string): boolean {
  if (2 * key.length < words.length || key.length > words.length + LONGEST_EXTRA * words.split(" ").length)
    return false;
  return wordsOf(key).join(" ") === words;
}

export function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The items that have one of the texts as a value, or are it, then the others; each group in order. */
export function namedFirst(items: readonly unknown[], named: ReadonlySet<string>): readonly unknown[] {
  if (named.size === 0 || items.length < 2) return items;
  const isNamed = (value: unknown): boolean => typeof value === "string" && named.has(value.trim().toLowerCase());
  const holds = (item: unknown): boolean => isNamed(item) || (isRecord(item) && someValue(item, isNamed));
  return [...items.filter(holds), ...items.filter((item) => !holds(item))];
}

/** Whether one of the first values passes. */
function someValue(record: object, passes: (value: unknown) => boolean): boolean {
  return Object.keys(record)
    .slice(0, MOST_ITEMS)
    .some((key) => passes(Reflect.get(record, key)));
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isContainer(value) && !Array.isArray(value);
}
