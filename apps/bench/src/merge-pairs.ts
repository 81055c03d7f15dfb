import { readFile } from "node:fs/promises";
import type { Encoder, JsonSchema, Tool } from "@setwise/core";
import { judgePair } from "@setwise/merger";
import { embeddedText } from "@setwise/retriever";
import { columns, percent } from "./merge-table.ts";

/** A labelled pair, as a line of `merge-pairs.jsonl`. */
interface LabelledPair {
  readonly a: PairTool;
  readonly b: PairTool;
  readonly label: "same" | "different" | "unsure";
  readonly kind: string;
  readonly split: "dev" | "test";
}

interface PairTool {
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

/** Precision and recall of the deterministic judge on labelled pairs, in all and by kind; `unsure` pairs are left out of both. */
export async function pairQuality(
  file: string,
  split: string,
  levels: readonly { readonly name: string; readonly encoder: Encoder | undefined }[],
  print: (line: string) => void,
): Promise<void> {
  const text = await readFile(file, "utf8");
  const pairs = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as LabelledPair)
    .filter((pair) => pair.split === split);
  print(`\n## Pairs, ${split} half (${pairs.length}), deterministic judge\n`);
  print(columns(["encoder", "kind", "precision", "recall", "right", "wrong", "missed", "unsure folded"]));
  print(columns(Array.from({ length: 8 }, () => "---")));
  for (const { name, encoder } of levels) {
    const byKind = new Map<string, Counts>([["all", { right: 0, wrong: 0, missed: 0, unsure: 0 }]]);
    for (const pair of pairs) {
      const isSame = await judged(pair, encoder);
      const kind = byKind.get(pair.kind) ?? { right: 0, wrong: 0, missed: 0, unsure: 0 };
      byKind.set(pair.kind, kind);
      for (const counts of [byKind.get("all"), kind]) if (counts !== undefined) count(counts, pair.label, isSame);
    }
    for (const [kind, { right, wrong, missed, unsure }] of [...byKind].sort(([x], [y]) => (x < y ? -1 : 1))) {
      const shares = [percent(right, right + wrong), percent(right, right + missed)];
      print(columns([name, kind, ...shares, ...[right, wrong, missed, unsure].map(String)]));
    }
  }
}

function count(counts: Counts, label: LabelledPair["label"], isSame: boolean): void {
  if (label === "unsure") counts.unsure += isSame ? 1 : 0;
  else if (label === "same" && isSame) counts.right++;
  else if (label === "same") counts.missed++;
  else if (isSame) counts.wrong++;
}

async function judged({ a, b }: LabelledPair, encoder: Encoder | undefined): Promise<boolean> {
  const [x, y] = [toolOf(a, "a"), toolOf(b, "b")];
  if (encoder === undefined) return judgePair(x, y).same;
  const rows = await encoder.encode([embeddedText(x), embeddedText(y)]);
  let cosine = 0;
  for (let place = 0; place < encoder.dimensions; place++) {
    cosine += (rows[place] ?? 0) * (rows[encoder.dimensions + place] ?? 0);
  }
  return judgePair(x, y, { cosine }).same;
}

function toolOf({ id, source, name, description, parameters }: PairTool, side: string): Tool {
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
