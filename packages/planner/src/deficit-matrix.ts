import type { ToolHypergraph } from "./hypergraph.ts";

/** A_prod (Definition 5) in the form of `DeficitSearch`: required inputs are numbered tool by tool. */
export interface DeficitMatrix {
  /** Tools + 1 offsets into the required inputs. */
  readonly inputs: Uint32Array;
  readonly producers: { readonly offsets: Uint32Array; readonly tools: Uint32Array; readonly weights: Float32Array };
  /** By required input, its node. */
  readonly nodeOfInput: Uint32Array;
  /** By node, its required input, or −1. */
  readonly inputOfNode: Int32Array;
}

/** Links weaker than `leastWeight`, and those from a tool to itself, are left out. */
export function deficitMatrix(
  { nodes, nodeOffsets, links }: ToolHypergraph,
  leastWeight: number,
  alsoRequired: Uint32Array = new Uint32Array(0),
): DeficitMatrix {
  const further = new Set(alsoRequired);
  const inputs = new Uint32Array(nodeOffsets.length);
  const inputOfNode = new Int32Array(nodes.length).fill(-1);
  const nodeOfInput: number[] = [];
  const offsets: number[] = [0];
  const tools = new Uint32Array(links.from.length);
  const weights = new Float32Array(links.from.length);
  let length = 0;
  for (const [node, { tool, kind, required }] of nodes.entries()) {
    if ((kind !== "in" && kind !== "pre") || (!required && !further.has(node))) continue;
    inputOfNode[node] = nodeOfInput.length;
    nodeOfInput.push(node);
    inputs[tool + 1] = (inputs[tool + 1] ?? 0) + 1;
    for (let link = links.offsets[node] ?? 0; link < (links.offsets[node + 1] ?? 0); link++) {
      const weight = links.weights[link] ?? 0;
      const producer = nodes[links.from[link] ?? 0]?.tool ?? tool;
      if (weight < leastWeight || producer === tool) continue;
      tools[length] = producer;
      weights[length++] = weight;
    }
    offsets.push(length);
  }
  for (let tool = 1; tool < inputs.length; tool++) inputs[tool] = (inputs[tool] ?? 0) + (inputs[tool - 1] ?? 0);
  return {
    inputs,
    producers: {
      offsets: Uint32Array.from(offsets),
      tools: tools.slice(0, length),
      weights: weights.slice(0, length),
    },
    nodeOfInput: Uint32Array.from(nodeOfInput),
    inputOfNode,
  };
}
