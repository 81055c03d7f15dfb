import { SetwiseError } from "@setwise/core";
import { type LinkKind, linkKinds } from "./hypergraph.ts";

/** Something that a person, a document or a log says of two tools, above what is predicted. */
export interface GivenEdge {
  /** Who brings it. `output` is a name or a JSON Pointer in its result; without it the result as a whole. */
  readonly from: { readonly tool: string; readonly output?: string | null | undefined };
  /** Who needs it. `input` is a name or a JSON Pointer in its arguments; without it the call as such: a precondition. */
  readonly to: { readonly tool: string; readonly input?: string | null | undefined };
  /** 0 to 1; 0 says that there is no such link, whatever is predicted. Default 1. */
  readonly weight?: number | undefined;
  /**
   * Default: `data` where an input is named, else `effect`. An `order` edge says that `from` comes first if both are called, and
   * asks for nothing; nor does it take back what another edge asks for.
   */
  readonly kind?: LinkKind | undefined;
}

/**
 * Reads edges from a file's text: a JSON list of {@link GivenEdge}.
 *
 * @throws SetwiseError `invalid-syntax` when it is no JSON, `invalid-argument` when an edge has another form; the message says which.
 */
export async function readEdges(text: string, source: string): Promise<readonly GivenEdge[]> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new SetwiseError("invalid-syntax", `${source}: expected a JSON list of edges; ${String(cause)}.`, {
      source,
      cause,
    });
  }
  return checkEdges(value, source);
}

/**
 * The value, if it is a list of edges.
 *
 * @throws SetwiseError `invalid-argument`; the message says which edge has another form.
 */
export async function checkEdges(value: unknown, source: string): Promise<readonly GivenEdge[]> {
  const { edgesSchema } = await import("./edges-schema.ts");
  const read = edgesSchema.safeParse(value);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const [position, ...path] = issue?.path ?? [];
  throw new SetwiseError(
    "invalid-argument",
    `${source}: edge ${String(position ?? "list")}, ${path.join(".") || "as a whole"}: ${issue?.message ?? "wrong form"}. Expected { "from": { "tool", "output"? }, "to": { "tool", "input"? }, "weight"?: 0 to 1, "kind"?: ${linkKinds.join(" | ")} }.`,
    { source, cause: read.error, ...(typeof position === "number" ? { position } : {}) },
  );
}

/**
 * Refuses a list that {@link checkEdges} would refuse; without loading what reads files, for graphs are built synchronously.
 *
 * @throws SetwiseError `invalid-argument`; the message says which edge has another form.
 */
export function refuseWrongEdges(edges: readonly GivenEdge[]): void {
  const wrong = Array.isArray(edges) ? edges.findIndex((edge) => !isEdge(edge)) : -1;
  if (Array.isArray(edges) && wrong < 0) return;
  throw new SetwiseError(
    "invalid-argument",
    `edges: ${wrong < 0 ? "expected a list" : `edge ${wrong} has another form`}. Expected { from: { tool, output? }, to: { tool, input? }, weight?: 0 to 1, kind?: ${linkKinds.join(" | ")} }.`,
    wrong < 0 ? {} : { position: wrong },
  );
}

function isEdge(edge: unknown): boolean {
  const { from, to, weight = 0, kind = linkKinds[0] } = (edge ?? {}) as Record<string, unknown>;
  return (
    isEnd(from, "output") &&
    isEnd(to, "input") &&
    typeof weight === "number" &&
    weight >= 0 &&
    weight <= 1 &&
    linkKinds.some((known) => known === kind)
  );
}

function isEnd(end: unknown, port: string): boolean {
  const { tool, [port]: name } = (end ?? {}) as Record<string, unknown>;
  return typeof tool === "string" && tool !== "" && (name === undefined || name === null || typeof name === "string");
}

/** Steps of a name or a JSON Pointer; list positions are any item. */
export function stepsOf(text: string): readonly string[] {
  if (!text.startsWith("/")) return text === "" ? [] : [text];
  return text
    .slice(1)
    .split("/")
    .map((step) => (/^[0-9]+$/.test(step) ? "*" : step.replaceAll("~1", "/").replaceAll("~0", "~")));
}
