import type { JsonSchema } from "./json-schema.ts";
import { isSchema, resolveReference } from "./schema-reference.ts";

/** Arguments nested deeper than this are not searched: nobody asks for them by name, and a hostile schema has no end. */
const DEFAULT_MAX_DEPTH = 16;
/** More arguments than this are not searched; the largest real tool seen has about 300. */
const DEFAULT_MAX_FIELDS = 512;
/** Schemas looked at for each field allowed: branches without properties must come to an end too. */
const NODES_PER_FIELD = 16;
/** An argument gathers the descriptions of its branches up to this many characters. */
const MAX_GATHERED_DESCRIPTION = 2_000;

/** Keywords whose value is one schema about the same value, or about its items. */
const SINGLE_KEYWORDS = ["items", "additionalProperties", "then", "else"] as const;
/** Keywords whose value is a list of schemas. */
const LIST_KEYWORDS = ["allOf", "anyOf", "oneOf", "prefixItems"] as const;
/** Keywords whose value maps names, which are no argument names, to schemas. */
const MAP_KEYWORDS = ["patternProperties", "dependentSchemas"] as const;

/** One argument of a tool. */
export interface SchemaField {
  readonly name: string;
  /** Its own description, else those of what it refers to; may be empty. */
  readonly description: string;
  /** 0 for an argument of the tool itself, 1 for a property of such an argument, and so on. */
  readonly depth: number;
}

export interface SchemaFields {
  /** Shallow ones first; within a depth in order of appearance, those behind a reference or branch after the plain ones. */
  readonly fields: readonly SchemaField[];
  readonly problems: readonly { readonly code: "schema-cut" | "unresolved-ref"; readonly message: string }[];
}

export interface SchemaFieldsOptions {
  /** Deepest level of nested properties that is read (16). */
  readonly maxDepth?: number;
  /** Most fields that are given back (512). */
  readonly maxFields?: number;
}

interface MutableField {
  name: string;
  description: string;
  depth: number;
}

/** A place in the arguments (`order.items`): all schemas that describe it share it, so a name is reported once a place. */
interface Place {
  readonly depth: number;
  readonly field: MutableField | undefined;
  children: Map<string, Place> | undefined;
}

interface Walk {
  readonly root: JsonSchema;
  readonly maxFields: number;
  readonly fields: MutableField[];
  readonly problems: Map<string, "schema-cut" | "unresolved-ref">;
  readonly seen: Set<JsonSchema>;
  /** Schemas still to be read at this depth and at the next, each with its place beside it. */
  nodes: JsonSchema[];
  places: Place[];
  nextNodes: JsonSchema[];
  nextPlaces: Place[];
}

/**
 * The argument names and descriptions in a schema, through `$ref`, `anyOf`, `oneOf`, `allOf`, `items` and nested
 * properties. Breadth first and without recursion; each schema is read once however often a ring of `$ref` (or a really
 * cyclic object) comes back to it, so a name appears once at each place. Never throws: what could not be read is a problem.
 */
export function schemaFields(schema: JsonSchema, options: SchemaFieldsOptions = {}): SchemaFields {
  const maxDepth = options.maxDepth ?? DEFAULT_MAX_DEPTH;
  const maxFields = options.maxFields ?? DEFAULT_MAX_FIELDS;
  const walk: Walk = {
    root: schema,
    maxFields,
    fields: [],
    problems: new Map(),
    seen: new Set(),
    nodes: [schema],
    places: [{ depth: 0, field: undefined, children: undefined }],
    nextNodes: [],
    nextPlaces: [],
  };
  for (let depth = 0; walk.nodes.length > 0; depth++) {
    if (depth > maxDepth) {
      walk.problems.set(`Properties nested deeper than ${maxDepth} levels are not searched.`, "schema-cut");
      break;
    }
    if (!readDepth(walk, maxFields * NODES_PER_FIELD)) break;
    walk.nodes = walk.nextNodes;
    walk.places = walk.nextPlaces;
    walk.nextNodes = [];
    walk.nextPlaces = [];
  }
  return { fields: walk.fields, problems: Array.from(walk.problems, ([message, code]) => ({ code, message })) };
}

/** Reads all schemas of one depth; `false` when a bound ends the walk. */
function readDepth(walk: Walk, maxNodes: number): boolean {
  for (let position = 0; position < walk.nodes.length; position++) {
    const node = walk.nodes[position];
    const place = walk.places[position];
    if (node === undefined || place === undefined || walk.seen.has(node)) continue;
    if (walk.seen.size >= maxNodes) {
      walk.problems.set(`Only the first ${maxNodes} parts of the schema are searched.`, "schema-cut");
      return false;
    }
    walk.seen.add(node);
    try {
      if (!readNode(walk, node, place)) return false;
    } catch {
      walk.problems.set("A part of the schema could not be read (it threw) and is not searched.", "schema-cut");
    }
  }
  return true;
}

function readNode(walk: Walk, node: JsonSchema, place: Place): boolean {
  const { $ref: reference, properties } = node;
  if (isSchema(properties) && !readProperties(walk, properties, place)) return false;
  if (typeof reference === "string") readReference(walk, reference, place);
  for (const keyword of LIST_KEYWORDS) {
    const list = node[keyword];
    if (Array.isArray(list)) for (const branch of list) readBranch(walk, branch, place);
  }
  for (const keyword of SINGLE_KEYWORDS) {
    const value = node[keyword];
    // Before 2020-12, `items` may be a list.
    if (Array.isArray(value)) for (const item of value) readBranch(walk, item, place);
    else readBranch(walk, value, place);
  }
  for (const keyword of MAP_KEYWORDS) {
    const map = node[keyword];
    if (isSchema(map)) for (const name of Object.keys(map)) readBranch(walk, map[name], place);
  }
  return true;
}

function readProperties(walk: Walk, properties: JsonSchema, place: Place): boolean {
  place.children ??= new Map();
  for (const name of Object.keys(properties)) {
    let child = place.children.get(name);
    if (child === undefined) {
      if (walk.fields.length >= walk.maxFields) {
        walk.problems.set(`Only the first ${walk.maxFields} arguments are searched.`, "schema-cut");
        return false;
      }
      const field: MutableField = { name, description: "", depth: place.depth };
      walk.fields.push(field);
      child = { depth: place.depth + 1, field, children: undefined };
      place.children.set(name, child);
    }
    const value = properties[name];
    if (!isSchema(value)) continue;
    gatherDescription(child, value);
    if (!isLeaf(value)) {
      walk.nextNodes.push(value);
      walk.nextPlaces.push(child);
    }
  }
  return true;
}

/** Most arguments are `{ type, description }`: those need no second look. */
function isLeaf(schema: JsonSchema): boolean {
  for (const keyword in schema) if (!PLAIN_KEYWORDS.has(keyword)) return false;
  return true;
}
const PLAIN_KEYWORDS = new Set(
  "type description title default enum format minimum maximum minLength maxLength pattern example examples nullable".split(
    " ",
  ),
);

function readReference(walk: Walk, reference: string, place: Place): void {
  const target = resolveReference(walk.root, reference);
  if (target !== undefined) return readBranch(walk, target, place);
  const shown = reference.length > 100 ? `${reference.slice(0, 100)}…` : reference;
  walk.problems.set(
    `The reference "${shown}" names nothing in the schema; that argument is searched by name only.`,
    "unresolved-ref",
  );
}

/** Another schema about the same place. */
function readBranch(walk: Walk, branch: unknown, place: Place): void {
  if (!isSchema(branch)) return;
  gatherDescription(place, branch);
  if (walk.seen.has(branch)) return;
  walk.nodes.push(branch);
  walk.places.push(place);
}

function gatherDescription(place: Place, schema: JsonSchema): void {
  const { field } = place;
  const text = schema["description"];
  if (field === undefined || typeof text !== "string" || text === "") return;
  if (field.description === "") field.description = text;
  else if (field.description.length < MAX_GATHERED_DESCRIPTION && !field.description.includes(text)) {
    field.description += `\n${text}`;
  }
}
