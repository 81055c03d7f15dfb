import type { Tool } from "@setwise/core";
import { evidenceFor, evidenceNames, marksFor } from "./link-evidence.ts";
import { candidatesFor, createLinkFinder } from "./link-finder.ts";
import type { PortNode } from "./ports.ts";
import type { PortVectors } from "./port-vectors.ts";

/** The evidence for every link that is considered between tools, one row a link. */
export interface EvidenceTable {
  readonly columns: typeof evidenceNames;
  /** By row, its ends. Their `tool` is the place in the list of tools. */
  readonly inputs: readonly PortNode[];
  readonly outputs: readonly PortNode[];
  /** Rows × columns, 0 to 1. */
  readonly values: Float32Array;
}

/** What the weights of links are predicted from, for whoever fits their coefficients to links that are known. */
export function evidenceTable(tools: readonly Tool[], vectors?: PortVectors): EvidenceTable {
  const finder = createLinkFinder(tools, vectors);
  const { world, meaning } = finder;
  const asked = world.nodes.flatMap(({ kind }, node) => (kind === "in" ? [node] : []));
  const candidates = candidatesFor(finder, asked, "out", () => true);
  const rows = candidates.reduce((sum, found) => sum + found.length, 0);
  const values = new Float32Array(rows * evidenceNames.length);
  const inputs: PortNode[] = [];
  const outputs: PortNode[] = [];
  const evidence = new Float64Array(evidenceNames.length);
  const marks = marksFor(world);
  for (const [place, input] of asked.entries()) {
    const read = evidenceFor(world, meaning, input, marks);
    for (const output of candidates[place] ?? []) {
      read(output, evidence);
      values.set(evidence, inputs.length * evidenceNames.length);
      inputs.push(world.nodes[input]!);
      outputs.push(world.nodes[output]!);
    }
  }
  return { columns: evidenceNames, inputs, outputs, values };
}
