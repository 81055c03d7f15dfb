import { isSchema, type JsonSchema, type ToolDefinition } from "@setwise/core";
import { splitWords } from "./split-words.ts";
import { isEmptyWord, meaningOf } from "./word-meaning.ts";

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
  /** Meanings of its name and of what its description opens with: what it is, before what it is for. */
  readonly about: ReadonlySet<string>;
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
  const words = [...new Set(split.map(meaningOf))];
  return {
    name,
    words,
    about: new Set([...words, ...opening(description)]),
    kind: kindOf(isIdentifier(description) ? [...split, "id"] : split, types),
    types,
    required,
    schema,
    description: description.slice(0, LONGEST_DESCRIPTION),
  };
}

/** "The unique identifier of the order" is an id, whatever its name. */
function isIdentifier(description: string): boolean {
  return /^(?:the |an? )?(?:unique )?(?:id|identifier)\b/i.test(description);
}

/** Behind these a description says what the argument is for, in what form it comes, or examples. */
const END_OF_OPENING =
  /[.,;:([{]|\b(?:for|to|where|when|whose|which|that|you|used|should|must|will|with|such|by|from|e\.g|default|optional|in)\b/i;

function opening(description: string): string[] {
  const text = description.split(END_OF_OPENING, 1)[0] ?? "";
  const [head = [], ...rest] = text.split(/\bof\b/).map(meanings);
  // "The name of the hotel" is about the hotel, "the resistance of the circuit" is not about the circuit.
  return head.every((word) => FORMAL.has(word)) ? [...head, ...(rest[0] ?? [])] : head;
}

function meanings(text: string): string[] {
  return splitWords(text)
    .filter((word) => !isEmptyWord(word))
    .map(meaningOf);
}

/** Words that tell in what form something comes rather than what it is. */
const FORMAL: ReadonlySet<string> = new Set(
  "name id type list number text value desired target code unique input title".split(" ").map(meaningOf),
);

/** Whether the meaning tells only in what form something comes. */
export function isFormal(meaning: string): boolean {
  return FORMAL.has(meaning);
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
