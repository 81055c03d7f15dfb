import { isSchema, type JsonSchema, resolveReference } from "@setwise/core";
import { distinctNames } from "../distinct-names.ts";
import { mergeObject } from "../merge-object.ts";
import { setOwn } from "../schema-keywords.ts";
import type { Entry, Note } from "../tool-draft.ts";
import type { Definitions } from "./openapi-definitions.ts";
import { type Operation, resolved } from "./openapi-operation.ts";

/** Body forms in the order of preference; any other JSON form comes after them, then whatever is there. */
const bodyForms = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"];
/** Headers that OpenAPI says are described elsewhere and must be ignored as parameters. */
const ignoredHeaders = new Set(["accept", "content-type", "authorization"]);
/** Fields of a Swagger 2 parameter that are no part of its schema. */
const parameterFields = new Set([
  "name",
  "in",
  "required",
  "schema",
  "collectionFormat",
  "allowEmptyValue",
  "style",
  "explode",
  "content",
  "allowReserved",
  "deprecated",
]);
/** Without a schema a parameter still says whether it is optional and what it means. */
const anyText: JsonSchema = { type: "string" };

export interface OperationSchema {
  readonly schema: JsonSchema;
  /** The argument that each parameter became, by `name` and by `place.name`; of two with one name the first. */
  readonly argumentOf: ReadonlyMap<string, string>;
  readonly notes: readonly Note[];
}

interface Arguments {
  readonly properties: Record<string, unknown>;
  readonly required: string[];
  readonly argumentOf: Map<string, string>;
  readonly freeName: (wish: string) => string;
  readonly notes: Note[];
}

/** One object of path, query, header and cookie parameters and the body's own properties. */
export function inputSchemaOf(operation: Operation, document: Entry, definitions: Definitions): OperationSchema {
  const inputs: Arguments = {
    properties: {},
    required: [],
    argumentOf: new Map(),
    freeName: distinctNames(),
    notes: [],
  };
  for (const parameter of parametersOf(operation, document, inputs)) addParameter(parameter, inputs, document);
  const body = requestBody(operation, document);
  if (body !== undefined) addBody(body.schema, body.isRequired, body.description, inputs, document);
  const { properties, required, argumentOf, notes } = inputs;
  const schema = { type: "object", properties, ...(required.length > 0 ? { required: [...new Set(required)] } : {}) };
  const carried = definitions.carry(schema);
  return { schema: carried.schema, argumentOf, notes: [...notes, ...carried.notes] };
}

/** The schema of the first successful answer that is JSON and an object; anything else says nothing of fields. */
export function outputSchemaOf(
  operation: Operation,
  document: Entry,
  definitions: Definitions,
): JsonSchema | undefined {
  const { responses } = operation.fields;
  if (!isSchema(responses)) return undefined;
  const code = Object.keys(responses).find((key) => key.startsWith("2"));
  const response = code === undefined ? undefined : resolved(document, responses[code]);
  const schema = response === undefined ? undefined : (response["schema"] ?? contentSchema(response["content"]));
  const target = resolved(document, schema);
  if (target === undefined || !isSchema(schema) || !(target["type"] === "object" || isSchema(target["properties"])))
    return undefined;
  return definitions.carry(schema === target ? schema : target).schema;
}

/** The path's parameters, replaced by the operation's own of the same name and place. */
function parametersOf(operation: Operation, document: Entry, inputs: Arguments): JsonSchema[] {
  const own: unknown = operation.fields["parameters"];
  const byPlace = new Map<string, JsonSchema>();
  for (const given of [...operation.sharedParameters, ...(Array.isArray(own) ? own : [])]) {
    const parameter = resolved(document, given);
    if (parameter === undefined || typeof parameter["name"] !== "string") {
      const reference = isSchema(given) && typeof given["$ref"] === "string" ? given["$ref"].slice(0, 100) : undefined;
      inputs.notes.push(
        reference === undefined
          ? { code: "filled-in", message: "a parameter without a name was left out" }
          : { code: "unresolved-ref", message: `its parameter "${reference}" is not in the document and was left out` },
      );
    } else byPlace.set(`${String(parameter["in"])}\u0000${parameter["name"]}`, parameter);
  }
  return [...byPlace.values()];
}

function addParameter(parameter: JsonSchema, inputs: Arguments, document: Entry): void {
  const name = parameter["name"] as string;
  const place = parameter["in"];
  if (place === "header" && ignoredHeaders.has(name.toLowerCase())) return;
  if (place === "body") {
    addBody(parameter["schema"], parameter["required"] === true, parameter["description"], inputs, document);
    return;
  }
  const key = nameFor(name, typeof place === "string" ? place : "parameter", inputs);
  setOwn(inputs.properties, key, parameterSchema(parameter));
  for (const known of [name, `${String(place)}.${name}`]) {
    if (!inputs.argumentOf.has(known)) inputs.argumentOf.set(known, key);
  }
  if (parameter["required"] === true || place === "path") inputs.required.push(key);
}

/** The parameter's schema with its description; Swagger 2 writes the schema into the parameter itself. */
function parameterSchema(parameter: JsonSchema): JsonSchema {
  const { description } = parameter;
  const given = parameter["schema"] ?? contentSchema(parameter["content"]) ?? swaggerSchema(parameter);
  const schema = isSchema(given) ? given : anyText;
  return typeof description === "string" && description !== "" && schema["description"] === undefined
    ? { ...schema, description }
    : schema;
}

function swaggerSchema(parameter: JsonSchema): JsonSchema | undefined {
  if (parameter["type"] === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(parameter).filter(([key]) => !parameterFields.has(key) && !key.startsWith("x-")),
  );
}

/** `name`, or with its place in front where another argument has that name already. */
function nameFor(name: string, place: string, { properties, freeName }: Arguments): string {
  return freeName(Object.hasOwn(properties, name) ? `${place}_${name}` : name);
}

function requestBody(
  operation: Operation,
  document: Entry,
): { schema: unknown; isRequired: boolean; description: unknown } | undefined {
  const body = resolved(document, operation.fields["requestBody"]);
  if (body === undefined) return undefined;
  return {
    schema: contentSchema(body["content"]),
    isRequired: body["required"] === true,
    description: body["description"],
  };
}

function contentSchema(content: unknown): unknown {
  if (!isSchema(content)) return undefined;
  const forms = Object.keys(content);
  const isForm =
    (wanted: string) =>
    (form: string): boolean =>
      form.split(";", 1)[0]?.trim().toLowerCase() === wanted;
  const preferred = bodyForms.map((wanted) => forms.find(isForm(wanted))).find((form) => form !== undefined);
  const chosen = content[preferred ?? forms.find((form) => /json/i.test(form)) ?? forms[0] ?? ""];
  return isSchema(chosen) ? (chosen["schema"] ?? {}) : undefined;
}

/** An object's properties stand beside the parameters; a body of any other kind is the argument `body`. */
function addBody(given: unknown, isRequired: boolean, description: unknown, inputs: Arguments, document: Entry): void {
  if (!isSchema(given)) return;
  const target = resolved(document, given) ?? given;
  const isObject = isSchema(target["properties"]) || Array.isArray(target["allOf"]);
  const isChoice = Array.isArray(target["anyOf"]) || Array.isArray(target["oneOf"]);
  const merged =
    isObject && !isChoice ? mergeObject(target, (reference) => resolveReference(document, reference)) : undefined;
  if (merged === undefined || Object.keys(merged.properties).length === 0) {
    if (target["type"] === "object" && Object.keys(target).length === 1) return;
    const key = nameFor("body", "request", inputs);
    const isDescribed = typeof description === "string" && description !== "" && given["description"] === undefined;
    setOwn(inputs.properties, key, isDescribed ? { ...given, description } : given);
    if (isRequired) inputs.required.push(key);
    return;
  }
  for (const name of Object.keys(merged.properties)) {
    const schema = merged.properties[name];
    // What the server alone sets is no argument.
    if (isSchema(schema) && schema["readOnly"] === true) continue;
    const key = nameFor(name, "body", inputs);
    setOwn(inputs.properties, key, schema);
    if (isRequired && merged.required.includes(name)) inputs.required.push(key);
  }
}
