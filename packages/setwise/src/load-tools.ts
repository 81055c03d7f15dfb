import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type Problem, SetwiseError } from "@setwise/core";
import { loadIndex } from "@setwise/retriever";
import { joinToolLists, parseToolText, readTools, type ToolList } from "@setwise/sources";
import { existingIndexFile } from "./index-file.ts";
import { readAddress } from "./read-address.ts";
import { reading, readTextFile } from "./read-text-file.ts";

export interface LoadToolsOptions {
  /** How long one server or address may take, in milliseconds; 15,000 by default. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const MAX_FOLDER_DEPTH = 8;
const MAX_FILES = 2000;
const TOOL_FILE = /\.(json|jsonl|ya?ml)$/i;

/**
 * Reads tools from files, folders (all tool lists in them), indexes, http(s) addresses and client configurations with
 * `mcpServers`, whose servers are started, asked and stopped again. Reaches the network only for addresses and servers that
 * are named.
 *
 * A named source that cannot be read is an error; a file of a folder or a server of a configuration that fails is a problem
 * beside the others' tools.
 *
 * @throws SetwiseError `invalid-argument`, `unreadable-source`, `invalid-syntax`, `not-a-tool-list`, `too-large`, `timeout`, `server-failed`, `aborted`.
 */
export async function loadTools(sources: readonly string[], options: LoadToolsOptions = {}): Promise<ToolList> {
  if (!Array.isArray(sources)) {
    throw new SetwiseError("invalid-argument", 'Expected a list of sources, such as ["tools.json"].');
  }
  const lists: ToolList[] = [];
  for (const source of sources) {
    if (options.signal?.aborted) throw new SetwiseError("aborted", "Reading the tool lists was stopped.");
    const indexFile = await existingIndexFile(source);
    if (indexFile !== undefined) lists.push(await listOfIndex(indexFile));
    else if (/^https?:\/\//i.test(source))
      lists.push(await listFrom(await readAddress(source, options), source, options));
    else if ((await reading(source, stat(source))).isDirectory()) lists.push(await loadFolder(source, options));
    else lists.push(await listFrom(await readTextFile(source), source, options));
  }
  return joinToolLists(lists);
}

/** The tools that an index holds. */
async function listOfIndex(file: string): Promise<ToolList> {
  const { catalog } = await loadIndex(file);
  return { tools: catalog.tools, links: [], hosted: [], mcpServers: [], formats: {}, problems: [] };
}

/** All tool lists of a folder and its subfolders, in the order of their paths; what is none is reported and left out. */
async function loadFolder(folder: string, options: LoadToolsOptions): Promise<ToolList> {
  const lists: ToolList[] = [];
  const problems: Problem[] = [];
  const paths = await toolFiles(folder, problems);
  for (const path of paths) {
    try {
      lists.push(await listFrom(await readTextFile(path), path, options));
    } catch (error) {
      if (!SetwiseError.isInstance(error) || error.code === "aborted") throw error;
      problems.push(leftOut(path, error));
    }
  }
  if (lists.length === 0) {
    const seen =
      paths.length === 0
        ? ["it has no .json, .jsonl, .yaml or .yml file.", ...problems.map((problem) => problem.message)].join(" ")
        : problems.map((problem) => problem.message).join(" ");
    throw new SetwiseError("not-a-tool-list", `${folder} holds no tool list: ${seen}`, { source: folder });
  }
  const joined = joinToolLists(lists);
  return { ...joined, problems: [...joined.problems, ...problems] };
}

function leftOut(path: string, error: SetwiseError): Problem {
  return { code: "left-out", source: path, message: `Left out: ${error.message}` };
}

/** Paths of the files that may hold tools; hidden folders and installed packages are passed over. */
async function toolFiles(folder: string, problems: Problem[], depth = 0): Promise<string[]> {
  const found = await reading(folder, readdir(folder, { withFileTypes: true }));
  const entries = found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const files: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (depth < MAX_FOLDER_DEPTH && !entry.name.startsWith(".") && entry.name !== "node_modules") {
        files.push(...(await toolFilesInside(path, problems, depth + 1)));
      }
    } else if (TOOL_FILE.test(entry.name)) files.push(path);
    if (files.length > MAX_FILES) {
      throw new SetwiseError(
        "too-large",
        `${folder} has more than ${MAX_FILES} files that may hold tools. Name a smaller folder.`,
        { source: folder },
      );
    }
  }
  return files;
}

/** A subfolder that may not be read is reported; the others are used. */
async function toolFilesInside(folder: string, problems: Problem[], depth: number): Promise<string[]> {
  try {
    return await toolFiles(folder, problems, depth);
  } catch (error) {
    if (!SetwiseError.isInstance(error) || error.code !== "unreadable-source") throw error;
    problems.push(leftOut(folder, error));
    return [];
  }
}

async function listFrom(text: string, source: string, options: LoadToolsOptions): Promise<ToolList> {
  const list = readTools(await parseToolText(text, { source }), { source, ...serverOption(source) });
  if (list.mcpServers.length === 0) return list;
  const { readMcpServers } = await import("./read-mcp-servers.ts");
  return joinToolLists([list, await readMcpServers(list.mcpServers, options)]);
}

/**
 * A file that holds one server's list is usually named after it: `git.tools-list.json` belongs to `git`. JSON Lines and
 * addresses hold tools of many servers, or say it themselves.
 */
function serverOption(source: string): { readonly server?: string } {
  if (/^https?:/i.test(source) || /\.jsonl$/i.test(source)) return {};
  const name = basename(source).replace(/(\.tools(-list)?)?\.(json|ya?ml)$/i, "");
  return { server: /^(tools|tools-list|list)$/i.test(name) ? basename(dirname(resolve(source))) : name };
}
