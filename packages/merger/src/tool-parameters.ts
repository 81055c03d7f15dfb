import { isSchema, type JsonSchema, type ToolDefinition } from "@setwise/core";
import { splitWords } from "./split-words.ts";
import { meaningOf } from "./word-meaning.ts";

/** More arguments than this are not matched: such a tool is folded only with one of the same schema. */
const MOST_PARAMETERS = 64;
const LONGEST_DESCRIPTION = 300;

/** How an argument names its thing: an id of it is not its name, an address no picture. */
export type ParameterKind = "id" | "name" | "email" | "url" | "base64" | "code" | "coordinate" | "text" | "flag";

/** One argument of a tool, as it is compared. */
export interface Parameter {
  readonly name: string;
  /** Meanings of the words of its name, distinct. */
  readonly words: readonly string[];
  readonly kind: ParameterKind;
  readonly types: readonly string[];
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly description: string;
}

const KIND_WORDS: readonly (readonly [ParameterKind, readonly string[]])[] = [
  ["base64", ["base64"]],
  ["url", ["url", "link", "uri"]],
  ["id", ["id", "ids", "uuid", "guid", "identifier", "sid", "key"]],
  ["email", ["email", "mail"]],
  ["coordinate", ["lat", "latitude", "lon", "lng", "long", "longitude", "coordinates", "coordinate"]],
  ["code", ["code", "iban", "isbn"]],
];

/** The arguments at the root of a tool's schema, in order; `undefined` where there are too many or the schema is not plain. */
export function toolParameters(tool: ToolDefinition): readonly Parameter[] | undefined {
  const { properties, required } = tool.inputSchema;
  if (properties === undefined || properties === null) return [];
  if (!isSchema(properties)) return undefined;
  const names = Object.keys(properties);
  if (names.length > MOST_PARAMETERS) return undefined;
  const needed: ReadonlySet<unknown> = new Set(Array.isArray(required) ? required : []);
  return names.map((name) => parameterOf(name, properties[name], needed.has(name)));
}

function parameterOf(name: string, given: unknown, required: boolean): Parameter {
  const schema = isSchema(given) ? given : {};
  const split = splitIdentifier(name);
  const description = typeof schema["description"] === "string" ? schema["description"] : "";
  const types = typesOf(schema);
  return {
    name,
    words: [...new Set(split.map(meaningOf))],
    kind: kindOf(split, types),
    types,
    required,
    schema,
    description: description.slice(0, LONGEST_DESCRIPTION),
  };
}

/** `companyname` and `domainName` alike: a known ending that is written small is a word of its own. */
function splitIdentifier(name: string): string[] {
  return splitWords(name.slice(0, LONGEST_DESCRIPTION)).flatMap((word) => {
    const found = /^([a-z]{3,})(id|name|url|date|time|code)$/.exec(word);
    return found?.[1] === undefined || found[2] === undefined ? [word] : [found[1], found[2]];
  });
}

function kindOf(words: readonly string[], types: readonly string[]): ParameterKind {
  for (const [kind, signs] of KIND_WORDS) if (words.some((word) => signs.includes(word))) return kind;
  if (words.includes("name") || words.includes("title")) return "name";
  return types.length === 1 && types[0] === "boolean" ? "flag" : "text";
}

function typesOf(schema: JsonSchema): readonly string[] {
  const { type } = schema;
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.filter((entry): entry is string => typeof entry === "string") : [];
}
