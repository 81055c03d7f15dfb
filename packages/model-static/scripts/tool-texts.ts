import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { withoutNearCopies } from "./near-copies.ts";

/** Catalogs whose texts are used: Apache-2.0, ToolLinkOS MIT. */
const catalogs = ["seal-tools", "ultratool", "bfcl", "livemcpbench", "toollinkos"];
/** Requests without their labels: UltraTool Apache-2.0 and MIT, TaskBench and MetaTool MIT. */
const requests = [
  ["ultratool", "queries.train.jsonl"],
  ["taskbench", "queries.unlabelled.jsonl.gz"],
  ["metatool", "queries.train.jsonl"],
] as const;
/** Of each file of labelled requests so many, evenly spaced, are what constants are chosen on elsewhere: not fitted on. */
const keptForChoosing = 1_000;

interface ToolLine {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: { readonly properties?: Readonly<Record<string, { readonly description?: string }>> };
}

export interface ToolTexts {
  /** Of each tool what the retriever encodes, and its description alone. */
  readonly descriptions: readonly string[];
  /** By data set. */
  readonly requests: ReadonlyMap<string, readonly string[]>;
  readonly pairs: readonly (readonly [string, string])[];
}

/**
 * The texts of a folder of data sets, without the data sets of `leaveOut`, and without requests that are near-copies of requests
 * which are held out: those of other splits are read for nothing else.
 */
export async function readToolTexts(folder: string, leaveOut: ReadonlySet<string>): Promise<ToolTexts> {
  const tools: ToolLine[] = [];
  for (const name of catalogs)
    if (!leaveOut.has(name)) tools.push(...(await readLines<ToolLine>(join(folder, name, "tools.jsonl"))));
  const read = new Map<string, readonly string[]>();
  for (const [name, file] of requests) {
    if (leaveOut.has(name)) continue;
    const queries = await readQueries(join(folder, name, file));
    const fitted = file.includes("unlabelled") ? queries : withoutEvenlySpaced(queries, keptForChoosing);
    const isFitted = new Set(fitted);
    const heldOut = queries.filter((query) => !isFitted.has(query));
    for (const other of await readdir(join(folder, name)))
      if (other !== file && /^queries\..*\.jsonl(\.gz)?$/.test(other))
        heldOut.push(...(await readQueries(join(folder, name, other))));
    read.set(name, withoutNearCopies(fitted, heldOut));
  }
  return {
    descriptions: tools.flatMap((tool) => [fullText(tool), tool.description ?? ""]),
    requests: read,
    pairs: tools.flatMap(pairsOf),
  };
}

/** As `@setwise/retriever` gives a tool to an encoder: name as words, description, names of arguments as words. */
function fullText(tool: ToolLine): string {
  return `${asWords(tool.name)}. ${tool.description ?? ""} ${argumentNames(tool)}`.trim();
}

/** Texts about one tool that share few words by themselves but mean the same thing. */
function pairsOf(tool: ToolLine): (readonly [string, string])[] {
  const name = asWords(tool.name);
  const { description: ownDescription = "" } = tool;
  const fields = Object.entries(tool.parameters?.properties ?? {});
  const explained = fields
    .map(([, field]) => field.description ?? "")
    .join(" ")
    .trim();
  const pairs: (readonly [string, string])[] = [
    [`${name} ${argumentNames(tool)}`, ownDescription],
    [name, ownDescription],
  ];
  if (explained.length > leastExplanation) pairs.push([explained, `${name}. ${ownDescription}`]);
  for (const [field, { description = "" }] of fields)
    if (description.length > leastDescription) pairs.push([asWords(field), description]);
  return pairs.filter(([left, right]) => left.trim() !== "" && right.trim() !== "");
}

/** Characters below which an explanation says no more than the name does. */
const leastExplanation = 20;
const leastDescription = 12;

function argumentNames(tool: ToolLine): string {
  return Object.keys(tool.parameters?.properties ?? {})
    .map(asWords)
    .join(" ");
}

/** `getHTTPHeaders_v2` is "get HTTP Headers v2". */
export function asWords(identifier: string): string {
  return identifier
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, "$1 ")
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$1 ")
    .replace(/[_\-./:]+/g, " ")
    .trim();
}

/** All but `count` evenly spaced ones (and their repetitions). */
export function withoutEvenlySpaced(texts: readonly string[], count: number): string[] {
  const step = Math.max(1, texts.length / count);
  const kept = new Set(Array.from({ length: Math.min(count, texts.length) }, (_, i) => texts[Math.floor(i * step)]));
  return texts.filter((text) => !kept.has(text));
}

async function readQueries(file: string): Promise<string[]> {
  return (await readLines<{ readonly query: string }>(file)).map(({ query }) => query);
}

async function readLines<Line>(file: string): Promise<Line[]> {
  const bytes = await readFile(file);
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}
