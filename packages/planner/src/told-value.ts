import { isContainer, isNamed, MOST_ITEMS, namedFirst, namedValues } from "./named-values.ts";
import { wordsOf } from "./port-words.ts";
import { type PortNode, portName } from "./ports.ts";

/**
 * The value of an id that a tool tells of: what has its name, else of what is named like its owner ("team" for a `team_id`, "orders" for an `order_id`) the first item that is an id
 * or has one, those first that hold what the request names. Where the tool's name tells of it, also a plain result that is one word, and the own id of the
 * result, of its first item or of the one thing in it. Nothing rather than a wrong one.
 */
export function toldValue(result: unknown, output: PortNode, named: ReadonlySet<string>): unknown {
  const id = wordsOf(portName(output)).join(" ");
  const byName = output.told === "name";
  if (!isContainer(result)) return byName ? plainId(result) : undefined;
  const owner = id.slice(0, id.lastIndexOf(" "));
  let ofOwner: unknown;
  for (const [key, value] of namedValues(result)) {
    if (isNamed(key, id) && plainId(value) !== undefined) return value;
    if (isNamed(key, owner)) ofOwner ??= firstId(value, id, named);
  }
  return ofOwner ?? (byName ? idOfWhole(result, id, named) : undefined);
}

function firstId(value: unknown, id: string, named: ReadonlySet<string>): unknown {
  const items = Array.isArray(value) ? namedFirst(value.slice(0, MOST_ITEMS), named) : [value];
  return items
    .map((item) => (isContainer(item) ? ownId(item, id) : plainId(item)))
    .find((found) => found !== undefined);
}

function idOfWhole(result: object, id: string, named: ReadonlySet<string>): unknown {
  if (Array.isArray(result)) return firstId(result, id, named);
  const own = ownId(result, id);
  if (own !== undefined) return own;
  const inner = Object.entries(result).filter(([, value]) => isContainer(value) && !Array.isArray(value));
  const [[key, thing] = ["", undefined]] = inner;
  return inner.length === 1 && !isNamed(key, "error") && isContainer(thing) ? ownId(thing, id) : undefined;
}

/** Of a thing its own id, not that of another thing in it. */
function ownId(thing: object, id: string): unknown {
  const values = Object.entries(thing).slice(0, MOST_ITEMS);
  const own = values.find(([key]) => isNamed(key, id)) ?? values.find(([key]) => isNamed(key, "id"));
  return plainId(own?.[1]);
}

/** What is said in place of a value. */
const NO_ID = /^(?:error|none|null|undefined|nan|unknown|n\/a|false|true|failed|failure|ok|success|not[_-]?found)$/iu;

/** A number, or a text that is one word: neither a sentence nor JSON is an id. */
function plainId(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return typeof value === "string" && /^[^\s[{<]\S{0,255}$/u.test(value) && !NO_ID.test(value) ? value : undefined;
}
