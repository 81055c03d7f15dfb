import { SetwiseError } from "@setwise/core";
import { configuredServers, readServerConfiguration } from "./drivers/mcp-servers.ts";
import { isOpenApi, readOpenApi } from "./drivers/openapi.ts";
import { driverOf, driverOfValue, isContainer, isHosted, isToolRecord, looksBroken } from "./recognise.ts";
import { kindOf, quote } from "./show.ts";
import { type Entry, isEntry, type Reading, report } from "./tool-draft.ts";

/** Lists inside lists (pages, servers, namespaces) that are followed; the recursion below is bounded by it. */
const MAX_NESTING = 10;

/** Where in the input we are. */
interface At {
  readonly server: string | undefined;
  readonly nesting: number;
  /** Lists and records already read: one that contains itself, or is given twice, is read once. */
  readonly seen: Set<object>;
  /** Whether the list is the caller's own, so that a number in it is the caller's mistake and not a server's. */
  readonly isCallers: boolean;
}

/** Reads whatever `input` holds into `reading`; `false` when nothing in it is known. */
export function readContainer(input: unknown, server: string | undefined, reading: Reading): boolean {
  return readValue(input, { server, nesting: 0, seen: new Set(), isCallers: true }, reading, undefined);
}

/** Reads a tool, a hosted entry, or a container of them. */
function readValue(value: unknown, at: At, reading: Reading, position: number | undefined): boolean {
  try {
    if (Array.isArray(value)) return openOnce(value, at, reading, position) && readList(value, at, reading);
    if (!isEntry(value)) return false;
    return readSingle(value, at, reading, position) || readObject(value, at, reading, position);
  } catch (error) {
    if (SetwiseError.isInstance(error)) throw error;
    report(reading, "left-out", `An entry was left out: reading it threw (${quote(String(error))}).`, position);
    return true;
  }
}

function readSingle(entry: Entry, at: At, reading: Reading, position: number | undefined): boolean {
  if (isContainer(entry)) return false;
  // Outside a list a type alone makes no tool: a package.json has one too.
  if (position !== undefined && isHosted(entry)) {
    reading.hosted.push(entry);
    const kind = typeof entry["type"] === "string" ? entry["type"] : Object.keys(entry).join(", ");
    report(
      reading,
      "hosted-tool",
      `The hosted tool ${quote(kind)} is passed through unchanged and never ranked.`,
      position,
    );
    return true;
  }
  const driver = driverOf(entry);
  // Outside a list only a schema tells a tool from any other object with a name.
  if (driver === undefined || (position === undefined && !looksWhole(entry))) return false;
  reading.found.push({ draft: driver.read(entry), server: at.server, position });
  return true;
}

function looksWhole(entry: Entry): boolean {
  return looksBroken(entry) && Object.keys(entry).some((key) => /schema|parameters|function/i.test(key));
}

function readObject(entry: Entry, at: At, reading: Reading, position: number | undefined): boolean {
  const servers = configuredServers(entry);
  if (servers !== undefined) {
    readServerConfiguration(servers, reading);
    return true;
  }
  if (isOpenApi(entry)) {
    readOpenApi(entry, at.server, reading);
    return true;
  }
  if (isEntry(entry["result"]) && "tools" in entry["result"]) return readValue(entry["result"], at, reading, position);
  if (isEntry(entry["error"]) && "jsonrpc" in entry) {
    report(
      reading,
      "server-failed",
      `The server answered with an error: ${quote(String(entry["error"]["message"]))}.`,
      position,
    );
    return true;
  }
  const declarations = entry["functionDeclarations"] ?? entry["function_declarations"] ?? entry["functions"];
  if (Array.isArray(declarations)) return readInner(declarations, entry, at, reading, position);
  if (isContainer(entry)) return readPage(entry, at, reading, position);
  if (position !== undefined && Object.keys(entry).length === 0) return false;
  return isToolRecord(entry) && openOnce(entry, at, reading, position) && readRecord(entry, at, reading);
}

/** A `tools/list` page, a request body with `tools`, a namespace, or a server's description with its tools. */
function readPage(entry: Entry, at: At, reading: Reading, position: number | undefined): boolean {
  const { tools } = entry;
  if (tools !== null && typeof tools !== "object") return false;
  // Names of tools, as in a line of labelled queries, are no tools.
  if (Array.isArray(tools) && tools.length > 0 && !tools.some((tool) => typeof tool === "object")) return false;
  if (tools === null) {
    report(reading, "empty-list", "A page of tools holds null instead of a list.", position);
    return true;
  }
  const server = nameOfServer(entry) ?? at.server;
  if (Array.isArray(tools) && tools.length === 0 && at.nesting > 0) {
    report(reading, "empty-list", `The list ${server === undefined ? "" : `of ${quote(server)} `}is empty.`, position);
  }
  if (typeof entry["nextCursor"] === "string" && entry["nextCursor"] !== "" && at.nesting === 0)
    reportNextPage(reading);
  return readInner(tools as object, entry, { ...at, server }, reading, position);
}

function readInner(tools: object, entry: Entry, at: At, reading: Reading, position: number | undefined): boolean {
  const inside = { ...at, isCallers: false };
  if (!openOnce(tools, inside, reading, position)) return true;
  if (Array.isArray(tools)) readListOf(tools, inside, reading);
  else readRecord(tools as Entry, inside, reading);
  return true;
}

function nameOfServer(entry: Entry): string | undefined {
  const info = entry["serverInfo"];
  const candidates = [isEntry(info) ? info["name"] : undefined, entry["server_label"], entry["server"], entry["name"]];
  return candidates.find((name): name is string => typeof name === "string" && name !== "");
}

function reportNextPage(reading: Reading): void {
  report(
    reading,
    "server-failed",
    "The list says that there is another page (nextCursor), which was not given; its tools are missing.",
  );
}

/** An array at the door or inside one: something in it must be known, else it is no tool list. */
function readList(list: readonly unknown[], at: At, reading: Reading): boolean {
  const last: unknown = list.at(-1);
  if (
    isEntry(last) &&
    Array.isArray(last["tools"]) &&
    typeof last["nextCursor"] === "string" &&
    last["nextCursor"] !== ""
  ) {
    reportNextPage(reading);
  }
  return readListOf(list, at, reading) || list.length === 0;
}

/** Reads each item; whether any of them was known. */
function readListOf(list: readonly unknown[], at: At, reading: Reading): boolean {
  const inside = { ...at, nesting: at.nesting + 1 };
  let known = false;
  const unknown: number[] = [];
  for (const [position, item] of list.entries()) {
    if (typeof item !== "object" || item === null) {
      if (at.isCallers) throw notATool(item, position, reading.source);
      report(reading, "left-out", `Entry ${position} was left out: expected a tool, found ${kindOf(item)}.`, position);
    } else if (readValue(item, inside, reading, position)) known = true;
    else unknown.push(position);
  }
  for (const position of unknown) {
    const item: unknown = list[position];
    if (isEntry(item) && looksBroken(item)) known = true;
    report(reading, "left-out", `Entry ${position} was left out: ${whyUnknown(item)}.`, position);
  }
  return known;
}

function whyUnknown(item: unknown): string {
  if (isEntry(item) && looksBroken(item) && !("name" in item))
    return "it has no name (a tool of the AI SDK gets its name from the record it stands in)";
  return `expected a tool, found ${kindOf(item)}`;
}

function notATool(item: unknown, position: number, source: string | undefined): SetwiseError {
  return new SetwiseError(
    "not-a-tool",
    `Entry ${position} of the list is not a tool: expected an object, found ${kindOf(item)}. Take it out of the list.`,
    { position, ...(source === undefined ? {} : { source }) },
  );
}

/** A record: tools keyed by name, or lists keyed by server. */
function readRecord(record: Entry, at: At, reading: Reading): boolean {
  const inside = { ...at, nesting: at.nesting + 1, isCallers: false };
  for (const [position, key] of Object.keys(record).entries()) {
    try {
      readRecordValue(key, record[key], inside, reading, position);
    } catch (error) {
      report(
        reading,
        "left-out",
        `The tool ${quote(key)} was left out: reading it threw (${quote(String(error))}).`,
        position,
      );
    }
  }
  return true;
}

function readRecordValue(key: string, value: unknown, at: At, reading: Reading, position: number): void {
  const isList = Array.isArray(value) || (isEntry(value) && (Array.isArray(value["tools"]) || isEntry(value["tools"])));
  if (isList) {
    const server = isEntry(value) ? (nameOfServer(value) ?? key) : key;
    if (readValue(value, { ...at, server }, reading, position)) return;
  } else if (isEntry(value)) {
    if (isHosted(value)) {
      readSingle(value, at, reading, position);
      return;
    }
    const driver = driverOfValue(value);
    if (driver !== undefined) {
      const draft = driver.read(value);
      reading.found.push({ draft: { ...draft, name: nameInRecord(draft.name, key) }, server: at.server, position });
      return;
    }
  }
  report(
    reading,
    "left-out",
    `The entry ${quote(key)} was left out: expected a tool, found ${kindOf(value)}.`,
    position,
  );
}

function nameInRecord(own: unknown, key: string): unknown {
  return typeof own === "string" && own !== "" ? own : key;
}

/** Whether a list or record may be entered: not twice, and not at any depth. */
function openOnce(container: object, at: At, reading: Reading, position: number | undefined): boolean {
  if (at.nesting > MAX_NESTING) {
    report(reading, "left-out", `A list inside ${MAX_NESTING} others was left out.`, position);
    return false;
  }
  if (at.seen.has(container)) {
    report(reading, "left-out", "A list that was given twice is read once.", position);
    return false;
  }
  at.seen.add(container);
  return true;
}
