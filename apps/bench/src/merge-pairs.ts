import { readFile } from "node:fs/promises";
import type { JsonSchema, Tool } from "@setwise/core";
import { judgePair } from "@setwise/merger";
import { columns, percent } from "./merge-table.ts";

/** A labelled pair, as a line of `merge-pairs.jsonl`. */
interface LabelledPair {
  readonly a: PairTool;
  readonly b: PairTool;
  readonly label: "same" | "different" | "unsure";
  readonly kind: string;
  readonly split: "dev" | "test";
}

/** A tool as it stands in a file of labelled pairs. */
export interface PairTool {
  readonly id: string;
  readonly source: string;
  readonly name: string;
  readonly description: string | null;
  readonly parameters: JsonSchema | readonly ListedParameter[] | null;
}

interface ListedParameter {
  readonly name: string;
  readonly type?: string;
  readonly description?: string;
  readonly required?: boolean;
}

interface Counts {
  right: number;
  wrong: number;
  missed: number;
  unsure: number;
}

/** Precision and recall of the deterministic judge on labelled pairs, in all and by kind; `unsure` pairs are left out of both. It uses no encoder. */
export async function pairQuality(file: string, split: string, print: (line: string) => void): Promise<void> {
  const pairs = await readPairs(file, split);
  print(`\n## Pairs, ${split} half (${pairs.length}), deterministic judge, with and without an encoder\n`);
  print(columns(["kind", "precision", "recall", "right", "wrong", "missed", "unsure folded"]));
  print(columns(Array.from({ length: 7 }, () => "---")));
  const byKind = new Map<string, Counts>([["all", { right: 0, wrong: 0, missed: 0, unsure: 0 }]]);
  for (const { tools, label, kind } of pairs) {
    const isSame = judgePair(...tools).same;
    const counts = byKind.get(kind) ?? { right: 0, wrong: 0, missed: 0, unsure: 0 };
    byKind.set(kind, counts);
    for (const each of [byKind.get("all"), counts]) if (each !== undefined) count(each, label, isSame);
  }
  for (const [kind, { right, wrong, missed, unsure }] of [...byKind].sort(([x], [y]) => (x < y ? -1 : 1))) {
    const shares = [percent(right, right + wrong), percent(right, right + missed)];
    print(columns([kind, ...shares, ...[right, wrong, missed, unsure].map(String)]));
  }
}

/** A pair of tools with what a reader made of it. */
export interface ReadPair {
  readonly tools: readonly [Tool, Tool];
  readonly label: "same" | "different" | "unsure";
  readonly kind: string;
}

/** The labelled pairs of a half. */
export async function readPairs(file: string, split: string): Promise<readonly ReadPair[]> {
  const text = await readFile(file, "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as LabelledPair)
    .filter((pair) => pair.split === split)
    .map(({ a, b, label, kind }) => ({ tools: [toolOf(a, "a"), toolOf(b, "b")], label, kind }));
}

function count(counts: Counts, label: LabelledPair["label"], isSame: boolean): void {
  if (label === "unsure") counts.unsure += isSame ? 1 : 0;
  else if (label === "same" && isSame) counts.right++;
  else if (label === "same") counts.missed++;
  else if (isSame) counts.wrong++;
}

/** A tool as the judge sees it. */
export function toolOf({ id, source, name, description, parameters }: PairTool, side: string): Tool {
  return {
    id: `${side}:${id}`,
    name,
    description: description ?? "",
    inputSchema: schemaOf(parameters),
    // Of these the id begins with the server.
    ...(source === "livemcpbench" ? { server: id.split("/", 1)[0] ?? "" } : {}),
    original: null,
  };
}

function schemaOf(parameters: PairTool["parameters"]): JsonSchema {
  if (parameters === null) return { type: "object" };
  if (!Array.isArray(parameters)) return parameters as JsonSchema;
  const list = parameters as readonly ListedParameter[];
  return {
    type: "object",
    properties: Object.fromEntries(
      list.map(({ name, type, description }) => [
        name,
        { ...(type === undefined ? {} : { type }), ...(description === undefined ? {} : { description }) },
      ]),
    ),
    required: list.filter((entry) => entry.required === true).map((entry) => entry.name),
  };
}
