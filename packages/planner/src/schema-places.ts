import { isSchema, type JsonSchema, resolveReference } from "@setwise/core";
import { ANY_ITEM } from "./ports.ts";

/** One place in a value, such as `/order/items/*\/sku`, with what all schemas about it say. */
export interface SchemaPlace {
  readonly path: readonly string[];
  /** Place of what it lies in; −1 for the value as a whole. */
  readonly parent: number;
  description: string;
  /** First type that is not null; integers are numbers. */
  type: string | undefined;
  /** Whether it must be there: listed as required in all that it lies in, by a schema that always holds. */
  isRequired: boolean;
  hasDefault: boolean;
  /** Whether an enumeration or a constant lists its values. */
  hasChoices: boolean;
  format: string | undefined;
  /** Whether places lie in it. */
  isContainer: boolean;
}

export interface SchemaPlaces {
  /** The whole first, then breadth first; of an object what is required before what is not. */
  readonly places: readonly SchemaPlace[];
  readonly problems: readonly { readonly code: "schema-cut" | "unresolved-ref"; readonly message: string }[];
}

export interface SchemaBounds {
  /** Deepest level of nested places. */
  readonly maxDepth: number;
  readonly maxPlaces: number;
}

/** Schemas looked at for each place allowed: branches and references must come to an end too. */
const NODES_PER_PLACE = 16;
/** Of a description so many characters are kept. */
const LONGEST_DESCRIPTION = 1_000;

interface Visit {
  readonly schema: JsonSchema;
  readonly place: number;
  /** Whether the schema holds in every case, and not only in one branch of several. */
  readonly isCertain: boolean;
}

interface Walk {
  readonly root: JsonSchema;
  readonly bounds: SchemaBounds;
  readonly places: SchemaPlace[];
  /** By place, its children by name. */
  readonly children: Map<string, number>[];
  /** By place, schemas that were seen at it: a ring of references ends there. */
  readonly seen: Set<JsonSchema>[];
  /** By depth of the place: references and branches say more of a place before any that lies in it is read. */
  readonly queues: Visit[][];
  readonly problems: Map<string, "schema-cut" | "unresolved-ref">;
}

/**
 * The places in a value, through `$ref`, `allOf`, `anyOf`, `oneOf`, items and properties. Breadth first and without recursion,
 * within bounds; a schema may be met at many places, but once at each. Never throws.
 */
export function schemaPlaces(schema: JsonSchema, bounds: SchemaBounds): SchemaPlaces {
  const walk: Walk = {
    root: schema,
    bounds,
    places: [],
    children: [],
    seen: [],
    queues: Array.from({ length: bounds.maxDepth + 1 }, () => []),
    problems: new Map(),
  };
  addPlace(walk, [], -1, true);
  visit(walk, schema, 0, true);
  const most = bounds.maxPlaces * NODES_PER_PLACE;
  let read = 0;
  for (const queue of walk.queues) {
    for (let position = 0; position < queue.length; position++) {
      if (++read > most) {
        walk.problems.set(`Only the first ${most} parts of the schema are read.`, "schema-cut");
        break;
      }
      try {
        readSchema(walk, queue[position]!);
      } catch {
        walk.problems.set("A part of the schema could not be read (it threw) and has no nodes.", "schema-cut");
      }
    }
  }
  return { places: walk.places, problems: Array.from(walk.problems, ([message, code]) => ({ code, message })) };
}

function addPlace(walk: Walk, path: readonly string[], parent: number, isRequired: boolean): number {
  walk.places.push({
    path,
    parent,
    description: "",
    type: undefined,
    isRequired,
    hasDefault: false,
    hasChoices: false,
    format: undefined,
    isContainer: false,
  });
  walk.children.push(new Map());
  walk.seen.push(new Set());
  return walk.places.length - 1;
}

function readSchema(walk: Walk, { schema, place, isCertain }: Visit): void {
  const seen = walk.seen[place];
  const facts = walk.places[place];
  if (seen === undefined || facts === undefined || seen.has(schema)) return;
  seen.add(schema);
  gatherFacts(facts, schema);
  const { $ref: reference, properties, items } = schema;
  if (typeof reference === "string") readReference(walk, reference, { schema, place, isCertain });
  if (Array.isArray(schema["allOf"])) for (const branch of schema["allOf"]) visit(walk, branch, place, isCertain);
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = schema[keyword];
    if (!Array.isArray(branches)) continue;
    // `T | null` is T.
    const isOne = branches.filter((branch) => !isSchema(branch) || branch["type"] !== "null").length === 1;
    for (const branch of branches) visit(walk, branch, place, isCertain && isOne);
  }
  if (isSchema(properties)) readProperties(walk, properties, { schema, place, isCertain });
  const item = Array.isArray(items) ? (items as unknown[])[0] : items;
  if (isSchema(item)) {
    facts.type ??= "array";
    const child = childOf(walk, place, ANY_ITEM, facts.isRequired);
    if (child >= 0) visit(walk, item, child, isCertain);
  }
}

function visit(walk: Walk, schema: unknown, place: number, isCertain: boolean): void {
  if (isSchema(schema)) walk.queues[walk.places[place]?.path.length ?? 0]?.push({ schema, place, isCertain });
}

function gatherFacts(facts: SchemaPlace, schema: JsonSchema): void {
  const { description, title, type, enum: choices, format } = schema;
  const text = typeof description === "string" ? description : typeof title === "string" ? title : "";
  if (facts.description === "") facts.description = text.slice(0, LONGEST_DESCRIPTION);
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const first = types.find((entry): entry is string => typeof entry === "string" && entry !== "null");
  facts.type ??= first === "integer" ? "number" : first;
  if ("default" in schema) facts.hasDefault = true;
  if ((Array.isArray(choices) && choices.length > 0) || "const" in schema) facts.hasChoices = true;
  if (typeof format === "string") facts.format ??= format;
}

function readReference(walk: Walk, reference: string, { place, isCertain }: Visit): void {
  const target = resolveReference(walk.root, reference);
  if (target !== undefined) return visit(walk, target, place, isCertain);
  const shown = reference.length > 100 ? `${reference.slice(0, 100)}…` : reference;
  walk.problems.set(
    `The reference "${shown}" names nothing in the schema; what it stands for has no nodes.`,
    "unresolved-ref",
  );
}

function readProperties(walk: Walk, properties: JsonSchema, { schema, place, isCertain }: Visit): void {
  const facts = walk.places[place];
  if (facts === undefined) return;
  facts.type ??= "object";
  const listed: unknown = schema["required"];
  const required = new Set<unknown>(Array.isArray(listed) ? listed : []);
  const names = Object.keys(properties);
  for (const isFirst of [true, false]) {
    for (const name of names) {
      if (required.has(name) !== isFirst) continue;
      const child = childOf(walk, place, name, facts.isRequired && isCertain && isFirst);
      if (child < 0) return;
      visit(walk, properties[name], child, isCertain);
    }
  }
}

/** The place of that name inside `place`, made if need be; −1 where a bound forbids it. */
function childOf(walk: Walk, place: number, name: string, isRequired: boolean): number {
  const { bounds, places, children } = walk;
  const parent = places[place];
  const siblings = children[place];
  if (parent === undefined || siblings === undefined) return -1;
  const known = siblings.get(name);
  if (known !== undefined) {
    const facts = places[known];
    if (facts !== undefined && isRequired) facts.isRequired = true;
    return known;
  }
  if (parent.path.length >= bounds.maxDepth) {
    walk.problems.set(`What is nested deeper than ${bounds.maxDepth} levels has no nodes.`, "schema-cut");
    return -1;
  }
  if (places.length >= bounds.maxPlaces) {
    walk.problems.set(`Only the first ${bounds.maxPlaces} places of a schema have nodes.`, "schema-cut");
    return -1;
  }
  const child = addPlace(walk, [...parent.path, name], place, isRequired);
  siblings.set(name, child);
  parent.isContainer = true;
  return child;
}
