import {
  isSchema,
  type JsonSchema,
  type ProblemCode,
  SEARCHED_DESCRIPTION_CHARACTERS,
  type Tool,
  type ToolAnnotations,
} from "@setwise/core";
import { plainSchema } from "./plain-schema.ts";
import { quote } from "./show.ts";
import { assignIds } from "./tool-ids.ts";
import { isEntry, type Reading, report, type ToolDraft } from "./tool-draft.ts";
import type { ToolFormat, ToolLink, ToolList } from "./tool-list.ts";
import { vendorSchema } from "./vendor-schema.ts";

/** One object for every tool without a schema would be shared; a fresh one each keeps results independent. */
const emptySchema = (): JsonSchema => ({ type: "object" });
const annotationHints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

type Note = (code: ProblemCode, message: string) => void;

/** A note on a tool, kept until the tool has its id. */
interface ToolNote {
  readonly code: ProblemCode;
  readonly message: string;
  readonly tool: number;
  readonly position: number | undefined;
}

/** Turns the drafts into tools with ids: checks every field, fills in what is missing, leaves out what has no name. */
export function completeTools(reading: Reading): Pick<ToolList, "tools" | "links" | "formats"> {
  const formats: Partial<Record<ToolFormat, number>> = {};
  const tools: Omit<Tool, "id">[] = [];
  const notes: ToolNote[] = [];
  const found: (number | undefined)[] = [];
  for (const { draft, server, position } of reading.found) {
    const tool = completeTool(draft, server, reading, position, (code, message) =>
      notes.push({ code, message, tool: tools.length, position }),
    );
    found.push(tool === undefined ? undefined : tools.length);
    if (tool === undefined) continue;
    tools.push(tool);
    formats[draft.format] = (formats[draft.format] ?? 0) + 1;
  }
  const { tools: withIds, problems } = assignIds(tools);
  for (const { code, message, tool, position } of notes) report(reading, code, message, position, withIds[tool]?.id);
  for (const { code, message } of problems) report(reading, code, message);
  const idOf = (place: number): string | undefined => withIds[found[place] ?? -1]?.id;
  const links = reading.links.flatMap(({ from, output, to, input }): ToolLink[] => {
    const [giver, taker] = [idOf(from), idOf(to)];
    if (giver === undefined || taker === undefined) return [];
    return [{ from: { tool: giver, output }, to: { tool: taker, input } }];
  });
  return { tools: withIds, links, formats };
}

function completeTool(
  draft: ToolDraft,
  server: string | undefined,
  reading: Reading,
  position: number | undefined,
  addNote: Note,
): Omit<Tool, "id"> | undefined {
  const { name } = draft;
  if (typeof name !== "string" || name.trim() === "") {
    const which = position === undefined ? "A tool" : `Entry ${position}`;
    report(reading, "left-out", `${which} was left out: it has no name.`, position);
    return undefined;
  }
  const note: Note = (code, message) => addNote(code, `The tool ${quote(name)}: ${message}.`);
  const outputSchema = completeOutputSchema(draft.outputSchema, reading, note);
  const annotations = completeAnnotations(draft.annotations, draft.title);
  const home = typeof draft.server === "string" && draft.server !== "" ? draft.server : server;
  const tags = Array.isArray(draft.tags)
    ? draft.tags.filter((tag): tag is string => typeof tag === "string" && tag !== "")
    : [];
  return {
    name,
    description: completeDescription(draft.description, note),
    inputSchema: completeInputSchema(draft, reading, note),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(home === undefined ? {} : { server: home }),
    ...(tags.length === 0 ? {} : { tags }),
    original: draft.original,
  };
}

function completeDescription(given: unknown, note: Note): string {
  const text = typeof given === "function" ? calledDescription(given as () => unknown, note) : given;
  if (text === undefined) return "";
  if (typeof text !== "string") {
    note("filled-in", "its description is no text; it is read as empty");
    return "";
  }
  if (text.length > SEARCHED_DESCRIPTION_CHARACTERS) {
    note(
      "text-cut",
      `its description has ${text.length} characters; only the first ${SEARCHED_DESCRIPTION_CHARACTERS} are searched`,
    );
  }
  return text;
}

/** The AI SDK allows a function; without a conversation at hand only one that needs no arguments can be asked. */
function calledDescription(describe: (...values: unknown[]) => unknown, note: Note): unknown {
  if (describe.length > 0) {
    note("filled-in", "its description is a function that needs arguments; it is read as empty");
    return undefined;
  }
  try {
    return describe();
  } catch (error) {
    note("filled-in", `its description is a function that threw (${quote(String(error))}); it is read as empty`);
    return undefined;
  }
}

function completeInputSchema(draft: ToolDraft, reading: Reading, note: Note): JsonSchema {
  const { inputSchema } = draft;
  if (inputSchema === undefined && draft.needsSchema !== true) return emptySchema();
  if (inputSchema === undefined || inputSchema === null) {
    note("filled-in", `its schema is ${inputSchema === null ? "null" : "missing"}; it is read as taking no arguments`);
    return emptySchema();
  }
  return readSchema(inputSchema, reading, note) ?? emptySchema();
}

function completeOutputSchema(given: unknown, reading: Reading, note: Note): JsonSchema | undefined {
  return given === undefined || given === null
    ? undefined
    : readSchema(given, reading, (code, message) => note(code, `of its output: ${message}`));
}

function readSchema(given: unknown, reading: Reading, note: Note): JsonSchema | undefined {
  try {
    const converted = vendorSchema(given, reading.toJsonSchema);
    if ("reason" in converted) {
      note("filled-in", `${converted.reason}; it is read as taking no known arguments`);
      return undefined;
    }
    const { schema, notes } = plainSchema(converted.schema);
    for (const { code, message } of notes) note(code, message);
    return schema;
  } catch (error) {
    note(
      "filled-in",
      `its schema could not be read (${quote(String(error))}); it is read as taking no known arguments`,
    );
    return undefined;
  }
}

function completeAnnotations(given: unknown, title: unknown): ToolAnnotations | undefined {
  const annotations: Record<string, unknown> = {};
  const shown = isEntry(given) && typeof given["title"] === "string" ? given["title"] : title;
  if (typeof shown === "string" && shown !== "") annotations["title"] = shown;
  if (isSchema(given)) {
    for (const hint of annotationHints) if (typeof given[hint] === "boolean") annotations[hint] = given[hint];
  }
  return Object.keys(annotations).length === 0 ? undefined : annotations;
}
