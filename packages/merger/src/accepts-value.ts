import { isSchema, type JsonSchema } from "@setwise/core";
import { TEXTS } from "./bare-schema.ts";

/** Deeper values are not looked into. */
const DEEPEST = 24;

/** `maybe` where a keyword is one that is not checked here, such as `pattern`, `format` or `$ref`. */
export type Acceptance = "yes" | "maybe" | "no";

type Check = (expected: unknown, value: unknown, depth: number, schema: JsonSchema) => Acceptance;

const checks: Readonly<Record<string, Check>> = {
  type: (expected, value) => {
    const types: unknown[] = Array.isArray(expected) ? expected : [expected];
    return decided(types.some((type) => isOfType(type, value)));
  },
  enum: (expected, value) =>
    Array.isArray(expected) ? decided(expected.some((entry) => isEqual(entry, value))) : "maybe",
  const: (expected, value) => decided(isEqual(expected, value)),
  minimum: (expected, value) => decided(typeof value !== "number" || value >= Number(expected)),
  maximum: (expected, value) => decided(typeof value !== "number" || value <= Number(expected)),
  exclusiveMinimum: (expected, value) =>
    typeof expected === "number" ? decided(typeof value !== "number" || value > expected) : "maybe",
  exclusiveMaximum: (expected, value) =>
    typeof expected === "number" ? decided(typeof value !== "number" || value < expected) : "maybe",
  minLength: (expected, value) => decided(typeof value !== "string" || [...value].length >= Number(expected)),
  maxLength: (expected, value) => decided(typeof value !== "string" || [...value].length <= Number(expected)),
  minItems: (expected, value) => decided(!Array.isArray(value) || value.length >= Number(expected)),
  maxItems: (expected, value) => decided(!Array.isArray(value) || value.length <= Number(expected)),
  items: (expected, value, depth) =>
    !Array.isArray(value) ? "yes" : all(value.map((entry) => acceptsValue(expected, entry, depth + 1))),
  properties: (expected, value, depth, schema) => acceptsProperties(expected, value, depth, schema),
  additionalProperties: (expected, value, depth, schema) => acceptsOthers(expected, value, depth, schema),
  anyOf: (expected, value, depth) => some(branches(expected, value, depth)),
  oneOf: (expected, value, depth) => {
    const found = branches(expected, value, depth);
    const sure = found.filter((answer) => answer === "yes").length;
    if (found.includes("maybe")) return sure > 1 ? "no" : "maybe";
    return decided(sure === 1);
  },
  allOf: (expected, value, depth) => all(branches(expected, value, depth)),
};

/** Whether a schema takes a value, as far as that can be told without running what the schema brings (patterns, references). */
export function acceptsValue(schema: unknown, value: unknown, depth: number = 0): Acceptance {
  if (schema === true || schema === undefined) return "yes";
  if (schema === false) return "no";
  if (!isSchema(schema) || depth > DEEPEST) return "maybe";
  const answers: Acceptance[] = [];
  for (const keyword of Object.keys(schema)) {
    if (TEXTS.has(keyword)) continue;
    if (keyword === "required") {
      answers.push(hasRequired(schema[keyword], value));
      continue;
    }
    const check = Object.hasOwn(checks, keyword) ? checks[keyword] : undefined;
    answers.push(check === undefined ? "maybe" : check(schema[keyword], value, depth, schema));
    if (answers.at(-1) === "no") return "no";
  }
  return all(answers);
}

/** All answers together: one `no` decides, then one `maybe`. */
export function all(answers: readonly Acceptance[]): Acceptance {
  if (answers.includes("no")) return "no";
  return answers.includes("maybe") ? "maybe" : "yes";
}

function some(answers: readonly Acceptance[]): Acceptance {
  if (answers.includes("yes")) return "yes";
  return answers.includes("maybe") ? "maybe" : "no";
}

function decided(holds: boolean): Acceptance {
  return holds ? "yes" : "no";
}

function branches(expected: unknown, value: unknown, depth: number): readonly Acceptance[] {
  return Array.isArray(expected) ? expected.map((branch) => acceptsValue(branch, value, depth + 1)) : ["maybe"];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasRequired(required: unknown, value: unknown): Acceptance {
  if (!Array.isArray(required) || !isRecord(value)) return "yes";
  return decided(required.every((name) => typeof name !== "string" || Object.hasOwn(value, name)));
}

function acceptsProperties(expected: unknown, value: unknown, depth: number, _schema: JsonSchema): Acceptance {
  if (!isRecord(value) || !isRecord(expected)) return "yes";
  return all(
    Object.keys(expected)
      .filter((name) => Object.hasOwn(value, name))
      .map((name) => acceptsValue(expected[name], value[name], depth + 1)),
  );
}

function acceptsOthers(expected: unknown, value: unknown, depth: number, schema: JsonSchema): Acceptance {
  if (!isRecord(value) || expected === true) return "yes";
  const known = isRecord(schema["properties"]) ? schema["properties"] : {};
  return all(
    Object.keys(value)
      .filter((name) => !Object.hasOwn(known, name))
      .map((name) => acceptsValue(expected, value[name], depth + 1)),
  );
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isRecord(value);
  if (type === "integer") return typeof value === "number" && Number.isInteger(value);
  return typeof value === type;
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && typeof b === "object" && JSON.stringify(a) === JSON.stringify(b));
}
