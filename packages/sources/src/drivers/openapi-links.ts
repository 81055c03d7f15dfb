import { isSchema, type JsonSchema, type ProblemCode } from "@setwise/core";
import { kindOf, quote } from "../show.ts";
import { type Entry, type Reading, report } from "../tool-draft.ts";
import { type Operation, resolved } from "./openapi-operation.ts";

/** Links, by parameter, that are read of one document; the largest published ones have a few hundred. */
const MAX_LINKS = 2_000;
/** Names and pointers of real documents are far shorter. */
const MAX_EXPRESSION_CHARACTERS = 500;

/** An operation that became a tool. */
export interface AddedOperation {
  readonly operation: Operation;
  /** Its place in `reading.found`. */
  readonly found: number;
  /** The argument that each parameter became, by `name` and by `place.name`. */
  readonly argumentOf: ReadonlyMap<string, string>;
}

type Tell = (code: ProblemCode, message: string) => void;

interface Linked {
  readonly byId: ReadonlyMap<string, readonly AddedOperation[]>;
  readonly byRoute: ReadonlyMap<string, AddedOperation>;
}

/**
 * Reads which value of an answer is which parameter of another operation (`links`, OpenAPI 3.0 and 3.1, section "Link Object"). Links of
 * answers that are no success are passed over, and parameters that are constants or come from the request or from headers: they are no
 * part of the result. What is broken is left out with a problem.
 */
export function readLinks(added: readonly AddedOperation[], document: Entry, reading: Reading): void {
  const linked: Linked = { byId: operationsById(added), byRoute: new Map(added.map((each) => [routeOf(each), each])) };
  let left = MAX_LINKS;
  for (const from of added) {
    for (const [name, given] of linksOf(from.operation, document)) {
      const tell: Tell = (code, message) =>
        report(reading, code, `The link ${quote(name)} of ${shown(from)}: ${message}.`, from.operation.position);
      const link = resolved(document, given);
      const parameters = entriesOf(link?.["parameters"]);
      const target = left > 0 ? targetOf(link, given, linked, tell) : undefined;
      for (const [parameter, value] of target === undefined ? [] : parameters.slice(0, left)) {
        const input = target?.argumentOf.get(parameter);
        const output = outputOf(value, tell);
        if (target === undefined || output === undefined) continue;
        if (input === undefined) tell("left-out", `${shown(target)} has no parameter ${quote(parameter)}`);
        else reading.links.push({ from: from.found, output, to: target.found, input: asInput(input) });
      }
      // A link without parameters costs something too: an answer with many may be shared by all operations.
      left -= Math.max(1, parameters.length);
      if (left >= 0) continue;
      report(reading, "left-out", `The document has more than ${MAX_LINKS} links; the others were left out.`);
      return;
    }
  }
}

/** Links of the answers that are a success, by name. */
function* linksOf({ fields }: Operation, document: Entry): Generator<readonly [string, unknown]> {
  for (const [code, response] of entriesOf(fields["responses"])) {
    if (code.startsWith("2")) yield* entriesOf(resolved(document, response)?.["links"]);
  }
}

/** The operation that a link leads to; if there is none it is told why. `given` is the link before its reference was followed. */
function targetOf(
  link: JsonSchema | undefined,
  given: unknown,
  { byId, byRoute }: Linked,
  tell: Tell,
): AddedOperation | undefined {
  if (link === undefined) {
    if (isSchema(given)) tell("unresolved-ref", "its reference is not in the document, and it was left out");
    else tell("left-out", `it was left out: expected an object, found ${kindOf(given)}`);
    return undefined;
  }
  const { operationId: id, operationRef: reference } = link;
  if (typeof id === "string") {
    const [target, ...others] = byId.get(id) ?? [];
    if (others.length === 0 && target !== undefined) return target;
    const what = target === undefined ? "is not in the document" : `is used ${others.length + 1} times`;
    tell("unresolved-ref", `its operationId ${quote(id)} ${what}, and it was left out`);
    return undefined;
  }
  if (typeof reference !== "string") {
    tell("left-out", "it names no operation, and was left out");
    return undefined;
  }
  const target = byRoute.get(routeAt(reference) ?? "");
  if (target === undefined)
    tell("unresolved-ref", `the operation ${quote(reference)} is not in the document, and it was left out`);
  return target;
}

/**
 * The place in a result that a runtime expression names, as a JSON Pointer: `/user/id` for `$response.body#/user/id`. `undefined` for a value
 * that is no part of a result, and for a broken expression, which is told.
 */
function outputOf(value: unknown, tell: Tell): string | undefined {
  if (typeof value !== "string") return undefined;
  const expression = value.startsWith("{$") && value.endsWith("}") ? value.slice(1, -1) : value;
  if (!expression.startsWith("$") || outsideOfBody.test(expression)) return undefined;
  const [found, pointer = ""] = /^\$response\.body(?:#(\/.*)?)?$/s.exec(expression) ?? [];
  if (found !== undefined && expression.length <= MAX_EXPRESSION_CHARACTERS) return pointer;
  tell("left-out", `expected an expression such as "$response.body#/id", found ${quote(value)}, which was left out`);
  return undefined;
}

/** Sound expressions that name no part of the body of an answer. */
const outsideOfBody = /^\$(?:url$|method$|statusCode$|request\.|response\.(?:header|query|path)\.)/;

/** An argument's name, as a JSON Pointer where it would be taken for one. */
function asInput(name: string): string {
  return name.startsWith("/") ? `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}` : name;
}

function operationsById(added: readonly AddedOperation[]): ReadonlyMap<string, readonly AddedOperation[]> {
  const byId = new Map<string, AddedOperation[]>();
  for (const each of added) {
    const id = each.operation.fields["operationId"];
    if (typeof id !== "string") continue;
    const known = byId.get(id);
    if (known === undefined) byId.set(id, [each]);
    else known.push(each);
  }
  return byId;
}

const routeOf = ({ operation: { method, path } }: AddedOperation): string => `${method} ${path}`;

/** `get /users/{id}` for `#/paths/~1users~1{id}/get`; `undefined` for what is no operation of this document. */
function routeAt(reference: string): string | undefined {
  const [, path, method] = /^#\/paths\/([^/]*)\/([a-z]+)$/.exec(reference.slice(0, MAX_EXPRESSION_CHARACTERS)) ?? [];
  if (path === undefined || method === undefined) return undefined;
  return `${method} ${decoded(path).replaceAll("~1", "/").replaceAll("~0", "~")}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isSchema(value) ? Object.entries(value) : [];
}

const shown = ({ operation: { method, path } }: AddedOperation): string => quote(`${method.toUpperCase()} ${path}`);
