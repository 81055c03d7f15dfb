import { nodesOf, producersOf, type ToolHypergraph } from "./hypergraph.ts";

/** A_prod (Definition 5) in the form of `DeficitSearch`: required inputs are numbered tool by tool. */
export interface DeficitMatrix {
  /** Tools + 1 offsets into the required inputs. */
  readonly inputs: Uint32Array;
  readonly producers: { readonly offsets: Uint32Array; readonly tools: Uint32Array; readonly weights: Float32Array };
  /** By required input, its node. */
  readonly nodeOfInput: Uint32Array;
  /** By node, its required input. */
  readonly inputOfNode: ReadonlyMap<number, number>;
}

export interface DeficitMatrixOptions {
  /** Weaker links are left out. */
  readonly leastWeight: number;
  readonly alsoRequired?: Uint32Array | undefined;
  /** The only tools that count. */
  readonly among?: Uint32Array | undefined;
  /** What each of `among` supports every input with, at least. */
  readonly floor?: number | undefined;
}

/** Links of order, weaker ones than `leastWeight`, and those from a tool to itself are left out. */
export function deficitMatrix(graph: ToolHypergraph, options: DeficitMatrixOptions): DeficitMatrix {
  const { leastWeight, among, floor = 0 } = options;
  const further = new Set(options.alsoRequired);
  const counted = among === undefined ? undefined : [...new Set(among)].sort((a, b) => a - b);
  const present = counted === undefined ? undefined : new Set(counted);
  const inputs = new Uint32Array(graph.nodeOffsets.length);
  const inputOfNode = new Map<number, number>();
  const offsets: number[] = [0];
  const tools: number[] = [];
  const weights: number[] = [];
  for (const tool of counted ?? graph.catalog.tools.keys()) {
    for (const node of nodesOf(graph, tool, "takes")) {
      if (graph.nodes[node]?.required !== true && !further.has(node)) continue;
      inputOfNode.set(node, inputOfNode.size);
      inputs[tool + 1] = (inputs[tool + 1] ?? 0) + 1;
      const rest = new Set(floor > 0 ? counted : []);
      rest.delete(tool);
      for (const producer of producersOf(graph, node)) {
        if (producer.tool === tool || producer.kind === "order" || present?.has(producer.tool) === false) continue;
        const weight = rest.delete(producer.tool) ? Math.max(floor, producer.weight) : producer.weight;
        if (weight < leastWeight) continue;
        tools.push(producer.tool);
        weights.push(weight);
      }
      for (const producer of floor >= leastWeight ? rest : []) {
        tools.push(producer);
        weights.push(floor);
      }
      offsets.push(tools.length);
    }
  }
  for (let tool = 1; tool < inputs.length; tool++) inputs[tool] = (inputs[tool] ?? 0) + (inputs[tool - 1] ?? 0);
  return {
    inputs,
    producers: {
      offsets: Uint32Array.from(offsets),
      tools: Uint32Array.from(tools),
      weights: Float32Array.from(weights),
    },
    nodeOfInput: Uint32Array.from(inputOfNode.keys()),
    inputOfNode,
  };
}
