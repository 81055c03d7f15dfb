import { isSchema, type JsonSchema, resolveReference } from "@setwise/core";
import { kindOf, quote } from "../show.ts";
import { type Entry, isEntry, type Reading, report } from "../tool-draft.ts";

const methods: ReadonlySet<string> = new Set([
  "get",
  "put",
  "post",
  "delete",
  "options",
  "head",
  "patch",
  "trace",
  "query",
]);

/** A reference that leads to a reference, and so on, further than this is a ring. */
const MAX_REFERENCE_STEPS = 16;

/** One operation of a document. */
export interface Operation {
  readonly path: string;
  /** In lower case, as the document writes it. */
  readonly method: string;
  readonly fields: Entry;
  /** Parameters shared by all operations of the path. */
  readonly sharedParameters: readonly unknown[];
  /** 0-based, in document order. */
  readonly position: number;
}

/** All operations of a document, paths and methods in order. What is no operation is reported and left out. */
export function operationsOf(document: Entry, reading: Reading): Operation[] {
  const { paths } = document;
  if (!isEntry(paths)) return [];
  const operations: Operation[] = [];
  for (const path of Object.keys(paths)) {
    const item = resolved(document, paths[path]);
    if (path.startsWith("x-")) continue;
    if (item === undefined) {
      report(
        reading,
        "left-out",
        `The path ${quote(path)} was left out: expected an object, found ${kindOf(paths[path])}.`,
      );
      continue;
    }
    const shared: unknown = item["parameters"];
    for (const method of Object.keys(item)) {
      const fields = item[method];
      if (!methods.has(method) || fields === undefined) continue;
      if (!isEntry(fields)) {
        report(
          reading,
          "left-out",
          `The operation ${method.toUpperCase()} ${quote(path)} was left out: expected an object, found ${kindOf(fields)}.`,
        );
        continue;
      }
      operations.push({
        path,
        method,
        fields,
        sharedParameters: Array.isArray(shared) ? shared : [],
        position: operations.length,
      });
    }
  }
  return operations;
}

/** `value` itself, or what its local `$ref` names. */
export function resolved(document: Entry, value: unknown): JsonSchema | undefined {
  let target = isSchema(value) ? value : undefined;
  for (let step = 0; step < MAX_REFERENCE_STEPS; step++) {
    const reference = target?.["$ref"];
    if (typeof reference !== "string") return target;
    target = reference.startsWith("#") ? resolveReference(document, reference) : undefined;
  }
  return undefined;
}
