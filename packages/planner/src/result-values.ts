import { ANY_ITEM, portName, type PortNode } from "./ports.ts";
import { wordsOf } from "./port-words.ts";

/** Values of a result that are looked at when nothing says where in it an output stands. */
const MOST_VISITS = 2_000;
/** Keys that are read in all for that: a result may have a million of them. */
const MOST_ENTRIES = 20_000;
/** A word in a key may be so much longer, by its plural and what stands between words. */
const LONGEST_EXTRA = 3;
/** Items of a list in which an output is looked for. */
const MOST_ITEMS = 200;

/**
 * The value of an output in a result, for an input: at the output's place, of a list the first item that has one, those first that hold what
 * the request names (the playlist called "Favourites"). Where the tool does not say
 * what it gives back or where in it an output stands, the first value, from the outside in, whose name is the input's, or `id` for an id, or the result as a whole if it is
 * a plain value. Converted where a number is wanted and digits came, or the other way round. `undefined` if there is none, if reading it throws,
 * or where an id is wanted and an empty text came.
 */
export function outputFor(
  result: unknown,
  output: PortNode,
  input: PortNode,
  named: ReadonlySet<string> = nothing,
): unknown {
  try {
    const placed = output.path.length === 0 ? undefined : valueAt(result, output.path, named);
    const found = placed ?? (isUnplaced(output) ? valueNamed(result, portName(input)) : undefined);
    return found === "" && input.opaque ? undefined : converted(found, input.type);
  } catch {
    return undefined;
  }
}

const nothing: ReadonlySet<string> = new Set();

/** Whether no schema says where in the result it stands: the whole of it, and what a name or a description tells of. */
function isUnplaced({ path, isWildcard, type }: PortNode): boolean {
  return path.length === 0 || (path.length === 1 && isWildcard && type === undefined);
}

/**
 * The value at a place; of lists the first item that has one, items with a named value before others. `undefined` for none and for `null`.
 *
 * @param named Texts in lower case.
 */
export function valueAt(result: unknown, path: readonly string[], named: ReadonlySet<string> = nothing): unknown {
  let layer: readonly unknown[] = [result];
  for (const step of path) {
    layer =
      step === ANY_ITEM
        ? namedFirst(
            layer.flatMap((value) => (Array.isArray(value) ? value.slice(0, MOST_ITEMS) : [])).slice(0, MOST_ITEMS),
            named,
          )
        : layer.flatMap((value) => (isRecord(value) && Object.hasOwn(value, step) ? [value[step]] : []));
  }
  return layer.find((value) => value !== null && value !== undefined);
}

/** The items that have one of the texts as a value, or are it, then the others; each group in order. */
function namedFirst(items: readonly unknown[], named: ReadonlySet<string>): readonly unknown[] {
  if (named.size === 0 || items.length < 2) return items;
  const isNamed = (value: unknown): boolean => typeof value === "string" && named.has(value.trim().toLowerCase());
  const holds = (item: unknown): boolean => isNamed(item) || (isRecord(item) && someValue(item, isNamed));
  return [...items.filter(holds), ...items.filter((item) => !holds(item))];
}

function valueNamed(result: unknown, name: string): unknown {
  if (!isContainer(result)) return result ?? undefined;
  const words = wordsOf(name);
  const wanted = words.join(" ");
  const last = words.at(-1);
  let byLast: unknown;
  let left = MOST_ENTRIES;
  const queue: unknown[] = [result];
  for (let at = 0; at < queue.length && at < MOST_VISITS; at++) {
    const value = queue[at] as object;
    const isList = Array.isArray(value);
    // A million keys are listed twice as fast this way as by for…in.
    const keys = isList ? Object.keys(value.slice(0, MOST_ITEMS)) : Object.keys(value);
    for (const key of keys) {
      if (left-- <= 0) return byLast;
      const inner: unknown = Reflect.get(value, key);
      if (isContainer(inner)) queue.push(inner);
      else if (isList || inner === null || inner === undefined) continue;
      else if (mayName(key, wanted) && wordsOf(key).join(" ") === wanted) return inner;
      else if (last === "id" && key.length === 2 && key.toLowerCase() === "id") byLast ??= inner;
    }
  }
  return byLast;
}

/** By its length alone, whether a key may have these words: words only lose letters on the way, and blanks are added between them. */
function mayName(key: string, wanted: string): boolean {
  return 2 * key.length >= wanted.length && key.length <= wanted.length + LONGEST_EXTRA * wanted.split(" ").length;
}

/** Whether one of the first values passes. */
function someValue(record: object, passes: (value: unknown) => boolean): boolean {
  return Object.keys(record)
    .slice(0, MOST_ITEMS)
    .some((key) => passes(Reflect.get(record, key)));
}

function converted(value: unknown, type: string | undefined): unknown {
  if (type === "string" && typeof value === "number") return String(value);
  if (type === "number" && typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value)) return Number(value);
  return value;
}

/** Puts a value at its place in the arguments of a call. */
export function setArgument(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let inner: Record<string, unknown> | unknown[] = target;
  for (const [depth, step] of path.entries()) {
    const isLast = depth === path.length - 1;
    const key = Array.isArray(inner) ? "0" : step;
    const known: unknown = Object.hasOwn(inner, key) ? Reflect.get(inner, key) : undefined;
    const next: unknown = isLast ? value : isContainer(known) ? known : path[depth + 1] === ANY_ITEM ? [] : {};
    // A name such as `__proto__` must not reach what all objects share.
    Object.defineProperty(inner, key, { value: next, writable: true, enumerable: true, configurable: true });
    if (!isLast) inner = next as Record<string, unknown> | unknown[];
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isContainer(value) && !Array.isArray(value);
}
