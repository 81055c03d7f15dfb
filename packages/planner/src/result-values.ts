import { ANY_ITEM, portName, type PortNode } from "./ports.ts";
import { isContainer, isNamed, isRecord, MOST_ITEMS, namedFirst, namedValues } from "./named-values.ts";
import { wordsOf } from "./port-words.ts";
import { toldValue } from "./told-value.ts";

/**
 * The value of an output in a result, for an input: at the output's place, of a list the first item that has one, those first that hold what
 * the request names (the playlist called "Favourites"). Where the tool does not say
 * what it gives back, the first value, from the outside in, whose name is the input's, or `id` for an id, or the result as a whole if it is
 * a plain value; what a name or a description tells of as `toldValue` finds it. Converted where a number is wanted and digits came, or the other way round. `undefined` if there is none, if reading it throws,
 * or where an id is wanted and an empty text came.
 */
export function outputFor(
  result: unknown,
  output: PortNode,
  input: PortNode,
  named: ReadonlySet<string> = nothing,
): unknown {
  try {
    const found =
      output.told === undefined ? saidValue(result, output, input, named) : toldValue(result, output, named);
    return found === "" && input.opaque ? undefined : converted(found, input.type);
  } catch {
    return undefined;
  }
}

const nothing: ReadonlySet<string> = new Set();

function saidValue(result: unknown, { path }: PortNode, input: PortNode, named: ReadonlySet<string>): unknown {
  return path.length === 0 ? valueNamed(result, portName(input)) : valueAt(result, path, named);
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

function valueNamed(result: unknown, name: string): unknown {
  if (!isContainer(result)) return result ?? undefined;
  const words = wordsOf(name);
  const wanted = words.join(" ");
  let byLast: unknown;
  for (const [key, value] of namedValues(result)) {
    if (isContainer(value) || value === null || value === undefined) continue;
    if (isNamed(key, wanted)) return value;
    if (words.at(-1) === "id" && key.length === 2 && key.toLowerCase() === "id") byLast ??= value;
  }
  return byLast;
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
