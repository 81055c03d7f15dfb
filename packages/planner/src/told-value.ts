import { isContainer, isNamed, MOST_ITEMS, namedFirst, namedValues } from "./named-values.ts";
import { wordsOf } from "./port-words.ts";
import { type PortNode, portName } from "./ports.ts";

/**
 * The value of an id that a tool tells of. By the tool's name: the value of that name, else `id`, or a plain result that is one word. As a part of what is included ("their
 * orders"): in what is named like that, the first item that is an id or has one, those first that hold what the request names. Nothing rather than a wrong one.
 */
export function toldValue(result: unknown, output: PortNode, named: ReadonlySet<string>): unknown {
  const id = wordsOf(portName(output)).join(" ");
  if (output.told === "name") return isContainer(result) ? idIn(result, id) : plainId(result);
  if (!isContainer(result)) return undefined;
  const owner = id.slice(0, id.lastIndexOf(" "));
  for (const [key, value] of namedValues(result)) {
    if (isNamed(key, id)) return plainId(value);
    if (!isNamed(key, owner)) continue;
    const items = Array.isArray(value) ? namedFirst(value.slice(0, MOST_ITEMS), named) : [value];
    const found = items.map((item) => (isContainer(item) ? ownId(item, id) : plainId(item)));
    return found.find((item) => item !== undefined);
  }
  return undefined;
}

function idIn(result: object, id: string): unknown {
  let bare: unknown;
  for (const [key, value] of namedValues(result)) {
    if (isNamed(key, id) && plainId(value) !== undefined) return value;
    if (isNamed(key, "id")) bare ??= plainId(value);
  }
  return bare;
}

/** Of a thing its own id, not that of another thing in it. */
function ownId(thing: object, id: string): unknown {
  const values = Object.entries(thing).slice(0, MOST_ITEMS);
  const own = values.find(([key]) => isNamed(key, id)) ?? values.find(([key]) => isNamed(key, "id"));
  return plainId(own?.[1]);
}

/** A number, or a text that is one word: neither a sentence nor JSON is an id. */
function plainId(value: unknown): unknown {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^[^\s[{<]\S{0,255}$/u.test(value) ? value : undefined;
}
