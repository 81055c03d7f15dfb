import type { Catalog } from "@setwise/core";
import { type AssembledGraph, type GraphSource, NO_OUTPUT_SCHEMAS } from "./assemble-graph.ts";
import { copyLinks } from "./copy-links.ts";
import { frozenGraph, type GraphProblem } from "./hypergraph.ts";
import { nodeWithTool, type PortNode } from "./ports.ts";
import { copyShifted, type Stretch, stretchesOf } from "./stretches.ts";

/**
 * What {@link assembleGraph} makes, from a graph of the same world: tools that are still there are copied by stretches, so that one
 * changed tool of thousands costs little. Neither graph may have given edges.
 */
export function reassembleGraph(catalog: Catalog, source: GraphSource, before: AssembledGraph): AssembledGraph {
  const { toolNumbers, predicted } = source;
  const { world } = source.finder;
  const { nodes: oldNodes, nodeOffsets: oldOffsets, links } = before.graph;
  const tools = stretchesOf(before.source.toolNumbers, toolNumbers, world.tools.length);
  const nodeOffsets = new Uint32Array(toolNumbers.length + 1);
  const parts: (readonly PortNode[])[] = [];
  const worldParts: Int32Array[] = [];
  const stretches: Stretch[] = [];
  const added: number[] = [];
  for (const { old, now, count } of tools) {
    const start = nodeOffsets[now]!;
    if (old < 0) {
      for (let ordinal = now; ordinal < now + count; ordinal++) {
        const { first, end } = world.tools[toolNumbers[ordinal]!]!;
        nodeOffsets[ordinal + 1] = nodeOffsets[ordinal]! + end - first;
        parts.push(world.nodes.slice(first, end).map((node) => nodeWithTool(node, ordinal)));
        worldParts.push(Int32Array.from({ length: end - first }, (_, place) => first + place));
        added.push(ordinal);
      }
    } else {
      const [first, end] = [oldOffsets[old]!, oldOffsets[old + count]!];
      copyShifted(oldOffsets.subarray(old + 1, old + count + 1), start - first, nodeOffsets, now + 1);
      const part = oldNodes.slice(first, end);
      parts.push(old === now ? part : part.map((node) => nodeWithTool(node, node.tool + now - old)));
      worldParts.push(before.worldNodes.subarray(first, end));
    }
    stretches.push({ old: old < 0 ? -1 : oldOffsets[old]!, now: start, count: nodeOffsets[now + count]! - start });
  }
  const nodes = ([] as readonly PortNode[]).concat(...parts);
  const worldNodes = new Int32Array(nodes.length);
  let end = 0;
  for (const part of worldParts) {
    worldNodes.set(part, end);
    end += part.length;
  }
  const columns = copyLinks({
    links,
    predictedBefore: before.source.predicted,
    predicted,
    nodes: stretches,
    worldNodes,
    worldSize: world.nodes.length,
  });
  const problems = problemsOf(catalog, source, before, added);
  return { graph: frozenGraph({ catalog, nodes, nodeOffsets, links: columns, problems }), source, worldNodes };
}

/** Problems of tools that stay and of those that were added, in the order of the catalog. */
function problemsOf(
  catalog: Catalog,
  { finder, toolNumbers }: GraphSource,
  { graph, source }: AssembledGraph,
  added: readonly number[],
): readonly GraphProblem[] {
  const ordinalOf = ({ toolId = "" }: GraphProblem): number => catalog.ordinalOf(toolId) ?? -1;
  const isKept = (problem: GraphProblem): boolean =>
    problem !== NO_OUTPUT_SCHEMAS &&
    source.toolNumbers[graph.catalog.ordinalOf(problem.toolId ?? "") ?? -1] === toolNumbers[ordinalOf(problem)];
  const own = [
    ...graph.problems.filter(isKept),
    ...added.flatMap((ordinal) => finder.world.tools[toolNumbers[ordinal]!]!.problems),
  ].sort((a, b) => ordinalOf(a) - ordinalOf(b));
  // Where no tool had a schema, only those that were added may have one.
  const asked =
    graph.problems[0] === NO_OUTPUT_SCHEMAS ? added.map((ordinal) => catalog.tools[ordinal]!) : catalog.tools;
  const saysOutputs = catalog.tools.length === 0 || asked.some((tool) => tool.outputSchema !== undefined);
  return saysOutputs ? own : [NO_OUTPUT_SCHEMAS, ...own];
}
