import { isSchema, type JsonSchema, resolveReference } from "@setwise/core";

/** Where a value is not what its schema says. */
export interface ValueProblem {
  /** JSON Pointer; empty for the value as a whole. */
  readonly pointer: string;
  readonly message: string;
}

/** Values and schemas looked at together; a result of a million rows is taken on trust after its beginning. */
const MOST_VISITS = 20_000;
/** Names, choices, branches and parts of schemas looked at in all; beyond that the value is taken on trust. */
const MOST_WORK = 500_000;
const MOST_PROBLEMS = 10;
const LONGEST_SHOWN = 60;

interface Visit {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly pointer: string;
}

/**
 * Where a value breaks its schema: types, required properties, enumerations and constants, through `$ref`, `allOf`, properties and items;
 * of `anyOf` and `oneOf` one branch must fit in type. Patterns and formats are not looked at: they are the server's, and may be made to run for
 * ever. Without recursion and within bounds; throws only what reading the value throws. A `null` is no problem where the schema names another type: many servers write it for
 * "none"; whether a wanted output is there is another question.
 */
export function checkValue(root: JsonSchema, value: unknown): readonly ValueProblem[] {
  const problems: ValueProblem[] = [];
  const queue: Visit[] = [{ schema: root, value, pointer: "" }];
  const budget = new Budget();
  for (let at = 0; at < queue.length && problems.length < MOST_PROBLEMS && budget.left > 0; at++) {
    const visit = queue[at] as Visit;
    const problem = problemOf(visit, budget);
    if (problem !== undefined) problems.push({ pointer: visit.pointer, message: problem });
    else addInside(queue, visit, root, budget);
  }
  return problems;
}

/** The work that one check may still do. */
class Budget {
  left = MOST_WORK;
  readonly #names = new Map<object, readonly string[]>();

  /** Whether a list of this length may be gone through. */
  affords(length: number): boolean {
    this.left -= length;
    return this.left >= 0;
  }

  /** The keys of a part of a schema, listed once for all values that it describes. */
  namesOf(record: object): readonly string[] {
    let names = this.#names.get(record);
    if (names === undefined) this.#names.set(record, (names = Object.keys(record)));
    return names;
  }
}

function problemOf({ schema, value }: Visit, budget: Budget): string | undefined {
  if (value === null) return undefined;
  const { type, enum: choices, const: constant, required } = schema as Record<string, unknown>;
  if (type !== undefined && !fitsWithin(type, value, budget)) {
    return `expected ${shown(type)}, but it is ${shown(value)}`;
  }
  if (Array.isArray(choices) && budget.affords(choices.length) && !choices.some((choice) => same(choice, value))) {
    return `expected one of ${shown(choices)}, but it is ${shown(value)}`;
  }
  if (constant !== undefined && !same(constant, value)) return `expected ${shown(constant)}, but it is ${shown(value)}`;
  if (Array.isArray(required) && isRecord(value) && budget.affords(required.length)) {
    const missing = required.find((name) => typeof name === "string" && !Object.hasOwn(value, name));
    if (missing !== undefined) return `the property ${shown(missing)} is missing`;
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = (schema as Record<string, unknown>)[keyword];
    if (!Array.isArray(branches) || branches.length === 0 || !budget.affords(branches.length)) continue;
    const fits = branches.some(
      (branch) => !isSchema(branch) || branch["type"] === undefined || fitsWithin(branch["type"], value, budget),
    );
    if (!fits) return `expected one of ${branches.length} forms, but ${shown(value)} has the type of none`;
  }
  return undefined;
}

/** {@link fitsType}; what the budget does not allow to be looked at fits. */
function fitsWithin(type: unknown, value: unknown, budget: Budget): boolean {
  return !budget.affords(Array.isArray(type) ? type.length : 1) || fitsType(type, value);
}

/** Adds what lies in the value, with the schemas about it, while there is room. */
function addInside(queue: Visit[], { schema, value, pointer }: Visit, root: JsonSchema, budget: Budget): void {
  const { $ref, allOf, properties, items } = schema as Record<string, unknown>;
  const hasRoom = (): boolean => queue.length < MOST_VISITS && budget.affords(1);
  if (typeof $ref === "string" && hasRoom()) {
    const target = resolveReference(root, $ref);
    if (target !== undefined && target !== schema) queue.push({ schema: target, value, pointer });
  }
  if (Array.isArray(allOf)) {
    for (const part of allOf) {
      if (!hasRoom()) return;
      if (isSchema(part)) queue.push({ schema: part, value, pointer });
    }
  }
  if (isRecord(value) && isRecord(properties)) {
    for (const name of budget.namesOf(properties)) {
      if (!hasRoom()) return;
      const part = properties[name];
      if (isSchema(part) && Object.hasOwn(value, name)) {
        queue.push({ schema: part, value: value[name], pointer: `${pointer}/${escaped(name)}` });
      }
    }
  }
  if (Array.isArray(value) && isSchema(items)) {
    for (let place = 0; place < value.length && hasRoom(); place++) {
      queue.push({ schema: items, value: value[place], pointer: `${pointer}/${place}` });
    }
  }
}

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** Whether a value has one of the types; a name that JSON Schema does not know is no reason to refuse. */
export function fitsType(type: unknown, value: unknown): boolean {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.some((name) => {
    if (name === "integer") return Number.isInteger(value);
    if (name === "array") return Array.isArray(value);
    if (name === "object") return isRecord(value);
    if (name === "null") return value === null;
    return name === "string" || name === "number" || name === "boolean" ? typeof value === name : true;
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Equal as JSON, for the short values that enumerations hold. */
function same(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object") return a === b;
  return shown(a) === shown(b);
}

function shown(value: unknown): string {
  if (typeof value === "object" && value !== null) {
    if (Array.isArray(value)) return `[${value.slice(0, 5).map(plain).join(", ")}${value.length > 5 ? ", …" : ""}]`;
    return "an object";
  }
  return plain(value);
}

function plain(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value.slice(0, LONGEST_SHOWN)) : typeof value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : text;
}
