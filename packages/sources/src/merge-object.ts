import { isSchema, type JsonSchema } from "@setwise/core";
import { setOwn } from "./schema-keywords.ts";

/** Levels of branches and references that are followed; the recursion below is bounded by it. */
const MAX_LEVELS = 32;
/** Branches looked at in one schema: references can multiply them without end. */
const MAX_BRANCHES = 2_000;
/** Different schemas kept for one argument: each is compared with each; an argument with more may be anything. */
const MAX_ALTERNATIVES = 64;

/** All arguments a schema can take, whichever branch applies. */
export interface MergedObject {
  readonly properties: JsonSchema;
  /** What every way of meeting the schema requires. */
  readonly required: readonly string[];
}

/** Gives the schema a `$ref` names. */
export type Resolver = (reference: string) => JsonSchema | undefined;

interface Gathered {
  readonly properties: Map<string, unknown>;
  readonly required: Set<string>;
}

interface Merging {
  readonly resolve: Resolver;
  /** Schemas we are inside of: a ring adds nothing new. */
  readonly open: Set<JsonSchema>;
  branches: number;
}

/**
 * One flat object out of a schema with `$ref`, `allOf`, `anyOf`, `oneOf`, `if` at its root: properties united; required is
 * what `allOf` requires together and what every branch of an `anyOf` or `oneOf` requires. Accepts all that the schema
 * accepts, and more.
 */
export function mergeObject(schema: JsonSchema, resolve: Resolver): MergedObject {
  const { properties, required } = gather(schema, { resolve, open: new Set(), branches: 0 }, 0);
  const united: Record<string, unknown> = {};
  for (const [name, value] of properties) setOwn(united, name, value);
  return { properties: united, required: [...required].filter((name) => properties.has(name)) };
}

function gather(node: unknown, merging: Merging, level: number): Gathered {
  const gathered: Gathered = { properties: new Map(), required: new Set() };
  if (!isSchema(node) || level > MAX_LEVELS || merging.open.has(node) || ++merging.branches > MAX_BRANCHES)
    return gathered;
  merging.open.add(node);
  const { properties, required, $ref: reference } = node;
  if (isSchema(properties)) for (const name of Object.keys(properties)) gathered.properties.set(name, properties[name]);
  if (Array.isArray(required)) for (const name of required) if (typeof name === "string") gathered.required.add(name);
  if (typeof reference === "string") addAll(gathered, gather(merging.resolve(reference), merging, level + 1));
  for (const part of branchesOf(node, "allOf")) addAll(gathered, gather(part, merging, level + 1));
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = branchesOf(node, keyword).map((branch) => gather(branch, merging, level + 1));
    if (branches.length > 0) addRefinement(gathered, uniteAlternatives(branches));
  }
  for (const keyword of ["if", "then", "else"]) {
    addRefinement(gathered, { properties: gather(node[keyword], merging, level + 1).properties, required: new Set() });
  }
  merging.open.delete(node);
  return gathered;
}

function branchesOf(node: JsonSchema, keyword: string): readonly unknown[] {
  const branches = node[keyword];
  return Array.isArray(branches) ? branches : [];
}

/** Both hold: what either says of an argument is said. */
function addAll(target: Gathered, part: Gathered): void {
  for (const [name, schema] of part.properties) {
    const before = target.properties.get(name);
    target.properties.set(name, before === undefined ? schema : both(before, schema));
  }
  for (const name of part.required) target.required.add(name);
}

/** Branches beside properties of the node itself: the node's own word on an argument is the wider one and stays. */
function addRefinement(target: Gathered, part: Gathered): void {
  for (const [name, schema] of part.properties) {
    if (!target.properties.has(name)) target.properties.set(name, schema);
  }
  for (const name of part.required) target.required.add(name);
}

function uniteAlternatives(branches: readonly Gathered[]): Gathered {
  const properties = new Map<string, unknown>();
  for (const branch of branches) {
    for (const [name, schema] of branch.properties) {
      const before = properties.get(name);
      properties.set(name, before === undefined ? schema : either(before, schema));
    }
  }
  const [first, ...others] = branches;
  const required = [...(first?.required ?? [])].filter((name) => others.every((branch) => branch.required.has(name)));
  return { properties, required: new Set(required) };
}

function both(left: unknown, right: unknown): unknown {
  return isSame(left, right) ? left : { allOf: [left, right] };
}

/** Two constants of a discriminator become one enum; anything else becomes an `anyOf`, which is allowed below the root. */
function either(left: unknown, right: unknown): unknown {
  if (isSame(left, right)) return left;
  const values = [...constantsOf(left), ...constantsOf(right)];
  if (constantsOf(left).length > 0 && constantsOf(right).length > 0) {
    const { const: _constant, ...rest } = left as JsonSchema;
    return { ...rest, enum: [...new Set(values)] };
  }
  if (isSchema(left) && Object.keys(left).length === 0) return left;
  const earlier =
    isSchema(left) && Array.isArray(left["anyOf"]) && Object.keys(left).length === 1 ? left["anyOf"] : [left];
  if (earlier.some((schema) => isSame(schema, right))) return left;
  return earlier.length >= MAX_ALTERNATIVES ? {} : { anyOf: [...earlier, right] };
}

/** The strings a schema allows, if it allows nothing else. */
function constantsOf(schema: unknown): readonly string[] {
  if (!isSchema(schema)) return [];
  const values = Array.isArray(schema["enum"]) ? schema["enum"] : [schema["const"]];
  return values.every((value) => typeof value === "string") ? values : [];
}

function isSame(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}
