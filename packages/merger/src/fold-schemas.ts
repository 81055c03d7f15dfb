import { isSchema, type JsonSchema, type ToolDefinition } from "@setwise/core";
import { type Acceptance, all, acceptsValue } from "./accepts-value.ts";
import { bareSchema } from "./bare-schema.ts";
import { matchParameters } from "./match-parameters.ts";
import { toolProfile } from "./tool-profile.ts";

/** Root keywords that can be joined; a schema with others is folded only with one that is the same but for its texts. */
const JOINABLE: ReadonlySet<string> = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "title",
  "description",
  "$schema",
  "examples",
]);

/** How the arguments of the unified tool become those of one member. */
export interface MemberMapping {
  readonly id: string;
  /** Name in the unified schema → name in the member's own. */
  readonly names: ReadonlyMap<string, string>;
}

/** One schema for several tools. */
export interface FoldedSchema {
  readonly inputSchema: JsonSchema;
  readonly mappings: readonly MemberMapping[];
}

/**
 * Whether two tools can be called through one schema without losing a call: their schemas are the same but for texts, or plain lists of
 * arguments of which those that are joined can be told apart by value, or are the same.
 */
export function canFold(a: ToolDefinition, b: ToolDefinition): boolean {
  const [x, y] = [bareSchema(a.inputSchema), bareSchema(b.inputSchema)];
  if (x === undefined || y === undefined) return false;
  return x === y || (isJoinable(a.inputSchema) && isJoinable(b.inputSchema) && joinsWell(a, b));
}

function joinsWell(a: ToolDefinition, b: ToolDefinition): boolean {
  const [left, right] = [toolProfile(a).parameters, toolProfile(b).parameters];
  if (left === undefined || right === undefined) return false;
  const { matches } = matchParameters(left, right);
  return matches.every((match) => {
    const [x, y] = [left[match.left]?.schema, right[match.right]?.schema];
    return bareSchema(x) === bareSchema(y) || (isCheckable(x) && isCheckable(y));
  });
}

/** Whether it is a plain list of arguments. */
function isJoinable(schema: JsonSchema): boolean {
  if (Object.keys(schema).some((keyword) => !JOINABLE.has(keyword))) return false;
  const others = schema["additionalProperties"];
  return others === undefined || typeof others === "boolean";
}

/** Keywords that acceptsValue does not check. */
const UNCHECKED =
  /"(?:\$ref|\$dynamicRef|pattern|format|patternProperties|propertyNames|contains|not|if|then|else|dependentSchemas|dependentRequired|dependencies|multipleOf|uniqueItems|minProperties|maxProperties|prefixItems|unevaluatedProperties|unevaluatedItems|contentEncoding|contentMediaType|additionalItems|nullable)":/;

function isCheckable(schema: unknown): boolean {
  const bare = bareSchema(schema);
  return bare !== undefined && !UNCHECKED.test(bare);
}

interface UnifiedParameter {
  readonly name: string;
  readonly variants: Map<string, JsonSchema>;
  requiredBy: number;
}

/**
 * One schema that every call of every member can be written in: the first member's names, further arguments behind them. Required is
 * what all members require.
 */
export function foldSchemas(members: readonly ToolDefinition[]): FoldedSchema {
  const [first] = members;
  if (first === undefined) return { inputSchema: { type: "object" }, mappings: [] };
  const bare = bareSchema(first.inputSchema);
  const isOne = bare !== undefined && members.every((member) => bareSchema(member.inputSchema) === bare);
  if (isOne) return { inputSchema: first.inputSchema, mappings: members.map(sameNames) };
  const unified = new Map<string, UnifiedParameter>();
  const mappings = members.map((member) => addMember(unified, first, member));
  return { inputSchema: unifiedSchema(unified, members), mappings };
}

function sameNames(member: ToolDefinition): MemberMapping {
  const { properties } = member.inputSchema;
  const names = isSchema(properties) ? Object.keys(properties) : [];
  return { id: member.id, names: new Map(names.map((name) => [name, name])) };
}

function addMember(
  unified: Map<string, UnifiedParameter>,
  first: ToolDefinition,
  member: ToolDefinition,
): MemberMapping {
  const own = toolProfile(member).parameters ?? [];
  const firstOnes = toolProfile(first).parameters ?? [];
  const nameOf = new Map<number, string>();
  if (member === first) own.forEach((parameter, place) => nameOf.set(place, parameter.name));
  else {
    for (const match of matchParameters(firstOnes, own).matches) {
      nameOf.set(match.right, firstOnes[match.left]?.name ?? "");
    }
  }
  const taken = new Set(nameOf.values());
  const names = new Map<string, string>();
  for (const [place, parameter] of own.entries()) {
    const name =
      nameOf.get(place) ??
      freeName(
        parameter.name,
        taken,
        firstOnes.map((entry) => entry.name),
      );
    taken.add(name);
    names.set(name, parameter.name);
    const known = unified.get(name) ?? { name, variants: new Map<string, JsonSchema>(), requiredBy: 0 };
    const bare = bareSchema(parameter.schema) ?? parameter.name;
    if (!known.variants.has(bare)) known.variants.set(bare, parameter.schema);
    if (parameter.required) known.requiredBy++;
    unified.set(name, known);
  }
  return { id: member.id, names };
}

/** An argument that no one of the first member's is keeps its name, unless that would make it one of them. */
function freeName(name: string, taken: ReadonlySet<string>, others: readonly string[]): string {
  let free = name;
  for (let number = 2; taken.has(free) || others.includes(free); number++) free = `${name}_${number}`;
  return free;
}

function unifiedSchema(unified: ReadonlyMap<string, UnifiedParameter>, members: readonly ToolDefinition[]): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const { name, variants, requiredBy } of unified.values()) {
    // An own property, also where a tool calls its argument `__proto__`.
    Object.defineProperty(properties, name, { value: joinVariants([...variants.values()]), enumerable: true });
    if (requiredBy === members.length) required.push(name);
  }
  const isClosed = members.every((member) => member.inputSchema["additionalProperties"] === false);
  return {
    type: "object",
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(isClosed ? { additionalProperties: false } : {}),
  };
}

/** One schema that takes what any of these takes. */
function joinVariants(variants: readonly JsonSchema[]): JsonSchema {
  const [first = {}, ...others] = variants;
  if (others.length === 0) return first;
  const description = variants.map((variant) => variant["description"]).find((text) => typeof text === "string");
  const said = description === undefined ? {} : { description };
  const types = variants.map((variant) => variant["type"]);
  const isBare = variants.every((variant) =>
    Object.keys(variant).every((keyword) =>
      ["type", "description", "title", "default", "examples", "example"].includes(keyword),
    ),
  );
  if (isBare && types.every((type) => typeof type === "string")) {
    const distinct = [...new Set(types)].filter((type) => type !== "integer" || !types.includes("number"));
    return { type: distinct.length === 1 ? distinct[0] : distinct, ...said };
  }
  return { ...said, anyOf: variants.map(({ description: _description, default: _default, ...rest }) => rest) };
}

/** Whether a member takes these arguments of the unified tool, and its own arguments for them. */
export function memberArguments(
  member: ToolDefinition,
  mapping: MemberMapping,
  unifiedNames: ReadonlySet<string>,
  given: Readonly<Record<string, unknown>>,
): { readonly acceptance: Acceptance; readonly arguments: Record<string, unknown> } {
  const own: Record<string, unknown> = {};
  const answers: Acceptance[] = [];
  for (const name of Object.keys(given)) {
    const target = mapping.names.get(name) ?? (unifiedNames.has(name) ? undefined : name);
    if (target === undefined || Object.hasOwn(own, target)) answers.push("no");
    else
      Object.defineProperty(own, target, { value: given[name], enumerable: true, writable: true, configurable: true });
  }
  answers.push(acceptsValue(member.inputSchema, own));
  return { acceptance: all(answers), arguments: own };
}
