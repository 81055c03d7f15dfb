import { type EvidenceTable, type PortNode, portName } from "@setwise/planner";
import { type Dependency, type Half, halfOf, type PlannedQuery, readLines } from "./link-gold.ts";

/** Which links of a data set are known to be right. */
export interface KnownLinks {
  /** Whether a link is one of them, by the ids of its tools and its nodes. */
  readonly isKnown: (link: {
    readonly from: string;
    readonly output: PortNode;
    readonly to: string;
    readonly input: PortNode;
  }) => boolean;
  /** Pairs of tools, `from > to`, with a known link: what a ranking of pairs is measured by. */
  readonly pairs: ReadonlySet<string>;
  /** Whether all links are known, so that any other one is wrong. */
  readonly isWhole: boolean;
}

const bare = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");
export const pairOf = (from: string, to: string): string => `${from} > ${to}`;

/** ToolLinkOS: its parameter dependencies name the tool and the argument, and are all there are. */
export async function linksOfToolLinkOs(folder: string): Promise<KnownLinks> {
  const dependencies = await readLines<Dependency>(folder, "toollinkos", "dependencies.jsonl");
  const known = new Set<string>();
  const pairs = new Set<string>();
  for (const { from, to, kind } of dependencies) {
    if (!kind.startsWith("parameter")) continue;
    pairs.add(pairOf(from.tool, to.tool));
    for (const input of (to.input ?? "").split(",")) known.add(`${pairOf(from.tool, to.tool)} ${input}`);
  }
  return {
    isKnown: ({ from, to, input }) => known.has(`${pairOf(from, to)} ${portName(input)}`),
    pairs,
    isWhole: true,
  };
}

/** NESTFUL: outputs that fed inputs in reference calls; an output is named by the last steps of its path. */
export async function linksOfNestful(folder: string): Promise<KnownLinks> {
  const dependencies = await readLines<Dependency>(folder, "nestful", "dependencies.jsonl");
  const known = new Set<string>();
  const pairs = new Set<string>();
  for (const { from, to } of dependencies) {
    pairs.add(pairOf(from.tool, to.tool));
    known.add(`${pairOf(from.tool, to.tool)} ${bare((from.output ?? "").replaceAll("[0]", ""))} ${to.input ?? ""}`);
  }
  return {
    isKnown: ({ from, output, to, input }) => {
      const names =
        output.path.length === 0 ? [""] : output.path.map((_, step) => bare(output.path.slice(step).join("")));
      return names.some((name) => known.has(`${pairOf(from, to)} ${name} ${portName(input)}`));
    },
    pairs,
    isWhole: false,
  };
}

/** API-Bank: the token of the login call, for what is called after it in dev plans. */
export async function linksOfApiBank(folder: string): Promise<KnownLinks> {
  const queries = await readLines<PlannedQuery>(folder, "api-bank", "queries.test.jsonl");
  const pairs = new Set<string>();
  for (const { id, plan } of queries) {
    const at = plan?.calls.indexOf("GetUserToken") ?? -1;
    if (at < 0 || halfOf(id) !== "dev") continue;
    for (const tool of plan?.calls.slice(at + 1) ?? []) pairs.add(pairOf("GetUserToken", tool));
  }
  return {
    isKnown: ({ from, output, to, input }) =>
      pairs.has(pairOf(from, to)) && portName(output) === "token" && portName(input) === "token",
    pairs,
    isWhole: false,
  };
}

/** By row of a table, whether its link is known, and whether it counts: in that half, and not one of which nothing is known. */
export function labelRows(
  { inputs, outputs }: EvidenceTable,
  ids: readonly string[],
  links: KnownLinks,
): { readonly labels: Uint8Array; readonly half: readonly Half[]; readonly isLabelled: readonly boolean[] } {
  const labels = Uint8Array.from(inputs, (input, row) => {
    const output = outputs[row]!;
    return links.isKnown({ from: ids[output.tool] ?? "", output, to: ids[input.tool] ?? "", input }) ? 1 : 0;
  });
  const fed = new Set(inputs.filter((_, row) => labels[row] === 1).map(({ id }) => id));
  return {
    labels,
    half: inputs.map(({ tool }) => halfOf(ids[tool] ?? "")),
    isLabelled: inputs.map(({ id }) => links.isWhole || fed.has(id)),
  };
}
