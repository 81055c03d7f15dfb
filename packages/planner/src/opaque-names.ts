import type { SchemaPlace } from "./schema-places.ts";
import { ANY_ITEM, portName } from "./ports.ts";
import { wordsOf } from "./port-words.ts";

/** Last words of names whose values nobody knows by heart. */
const OPAQUE: ReadonlySet<string> = new Set("id uuid guid token key hash urn credential cookie".split(" "));
/** Codes that people know: `currency_code`. */
const KNOWN_CODES: ReadonlySet<string> = new Set(
  "country currency language lang locale zip postal area airport iata icao state city region source airline promo discount coupon color".split(
    " ",
  ),
);

/** Whether a value of that name means nothing to a person, so that it must come from a call. */
export function isOpaque({ path, format, type }: Pick<SchemaPlace, "path" | "format" | "type">): boolean {
  if (type === "boolean" || type === "object") return false;
  if (format === "uuid") return true;
  const words = wordsOf(portName({ path: path.filter((step) => step !== ANY_ITEM) }));
  const last = words.at(-1) ?? "";
  if (last === "code") return words.length > 1 && !KNOWN_CODES.has(words.at(-2) ?? "");
  return OPAQUE.has(last);
}
