import { distinctNames } from "../distinct-names.ts";
import { quote } from "../show.ts";
import { type Entry, isEntry, type Reading, report } from "../tool-draft.ts";
import { type Definitions, documentDefinitions } from "./openapi-definitions.ts";
import { type AddedOperation, readLinks } from "./openapi-links.ts";
import { type Operation, operationsOf } from "./openapi-operation.ts";
import { inputSchemaOf, outputSchemaOf } from "./openapi-schema.ts";

/** What HTTP itself promises of a method (RFC 9110, section 9.2). */
const hints: Readonly<Record<string, Readonly<Record<string, boolean>>>> = {
  get: { readOnlyHint: true },
  head: { readOnlyHint: true },
  put: { idempotentHint: true },
  delete: { destructiveHint: true, idempotentHint: true },
};

/** Whether `entry` is an OpenAPI 3.x or Swagger 2 document. */
export function isOpenApi(entry: Entry): boolean {
  return isVersion(entry["openapi"]) || isVersion(entry["swagger"]);
}

/** YAML gives `swagger: 2.0` as a number. */
function isVersion(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}

/** Adds one tool an operation. `original` is the operation's object in the document. */
export function readOpenApi(document: Entry, givenServer: string | undefined, reading: Reading): void {
  const operations = operationsOf(document, reading);
  const names = namesOf(operations, reading);
  const definitions = documentDefinitions(document);
  const server = givenServer ?? titleOf(document);
  if (operations.length === 0)
    report(
      reading,
      "empty-list",
      `The document ${server === undefined ? "" : `${quote(server)} `}describes no operation.`,
    );
  const added: AddedOperation[] = [];
  for (const operation of operations) {
    const name = names[operation.position] ?? "";
    try {
      added.push(addOperation(operation, name, document, definitions, server, reading));
    } catch (error) {
      report(
        reading,
        "left-out",
        `The operation ${shown(operation)} was left out: reading it threw (${quote(String(error))}).`,
        operation.position,
      );
    }
  }
  try {
    readLinks(added, document, reading);
  } catch (error) {
    report(reading, "left-out", `Links of the document were left out: reading them threw (${quote(String(error))}).`);
  }
}

function addOperation(
  operation: Operation,
  name: string,
  document: Entry,
  definitions: Definitions,
  server: string | undefined,
  reading: Reading,
): AddedOperation {
  const { fields, method, position } = operation;
  const input = inputSchemaOf(operation, document, definitions);
  for (const { code, message } of input.notes)
    report(reading, code, `The operation ${shown(operation)}: ${message}.`, position);
  const draft = {
    format: "openapi" as const,
    original: fields,
    name,
    description: describe(fields),
    inputSchema: input.schema,
    outputSchema: outputSchemaOf(operation, document, definitions),
    annotations: hints[method],
    tags: fields["tags"],
  };
  const found = reading.found.push({ draft, server, position }) - 1;
  return { operation, found, argumentOf: input.argumentOf };
}

/** Operation ids, made from method and path where one is missing, with both added where one is used twice. */
function namesOf(operations: readonly Operation[], reading: Reading): string[] {
  const counts = new Map<string, number>();
  for (const { fields } of operations) {
    const id = fields["operationId"];
    if (isName(id)) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  for (const [id, count] of counts) {
    if (count > 1)
      report(
        reading,
        "name-collision",
        `The operationId ${quote(id)} is used ${count} times; method and path are added to each.`,
      );
  }
  const freeName = distinctNames(new Set([...counts].filter(([, count]) => count === 1).map(([id]) => id)));
  return operations.map((operation) => {
    const id = operation.fields["operationId"];
    if (isName(id) && counts.get(id) === 1) return id;
    const made = isName(id) ? `${id}_${madeName(operation)}` : madeName(operation);
    return freeName(made);
  });
}

function isName(id: unknown): id is string {
  return typeof id === "string" && id.trim() !== "";
}

/** `get_users_by_id` for `GET /users/{id}`. */
function madeName({ method, path }: Operation): string {
  const words = path
    .replaceAll(/\{([^{}]*)\}/g, "by_$1")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return [method, ...words].join("_");
}

/** Summary and description; the summary once if the description begins with it. */
function describe(fields: Entry): string {
  const texts = [fields["summary"], fields["description"]].filter(
    (text): text is string => typeof text === "string" && text.trim() !== "",
  );
  const [summary = "", description = ""] = texts.map((text) => text.trim());
  return description === "" || description.startsWith(summary)
    ? description || summary
    : `${summary}\n\n${description}`;
}

function titleOf(document: Entry): string | undefined {
  const { info } = document;
  const title = isEntry(info) ? info["title"] : undefined;
  return typeof title === "string" && title.trim() !== "" ? title.trim() : undefined;
}

function shown({ method, path }: Operation): string {
  return quote(`${method.toUpperCase()} ${path}`);
}
