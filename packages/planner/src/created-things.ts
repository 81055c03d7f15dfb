import { nodesOf, producersOf, type ToolHypergraph } from "./hypergraph.ts";
import { wordsOf } from "./port-words.ts";
import { portName } from "./ports.ts";
import { toolDeed } from "./tool-deeds.ts";

/** A goal that speaks of what was spoken of before: "add the song to it". */
const LEANS = /\b(?:it|its|this|that|these|those|them|there|new|created|same)\b/iu;
/** A link this strong was given by a person, or is as good. */
const GIVEN = 0.9;

/** An output of a tool that brings an input, as a node ordinal. */
export interface Brought {
  readonly output: number;
  readonly weight: number;
}

/**
 * What an earlier step of the same request that makes or changes something brings to an input by itself, without looking anything up: the id of what it creates, where the later
 * goal leans on that ("create a playlist and add the song to it"), or what an edge says. `undefined` for none.
 */
export function broughtBy(graph: ToolHypergraph, earlier: number, input: number, goal: string): Brought | undefined {
  const tool = graph.catalog.tools[earlier];
  const node = graph.nodes[input];
  const deed = tool === undefined ? "unknown" : toolDeed(tool);
  if (node === undefined || !node.opaque || (deed !== "creates" && deed !== "changes")) return undefined;
  const given = producersOf(graph, input).find(
    (from) => from.tool === earlier && from.kind === "data" && from.weight >= GIVEN,
  );
  if (given !== undefined) return { output: given.node, weight: given.weight };
  if (deed !== "creates" || !LEANS.test(goal)) return undefined;
  const wanted = wordsOf(portName(node));
  const named = new Set(wordsOf(tool?.name ?? ""));
  // `id`, of what the tool is named after, is a `playlist_id` too.
  const isOfTool = wanted.at(-1) === "id" && wanted.slice(0, -1).every((word) => named.has(word));
  const output = nodesOf(graph, earlier, "gives").find((place) => {
    const { path = [] } = graph.nodes[place] ?? {};
    const words = wordsOf(path.at(-1) ?? "").join(" ");
    return words === wanted.join(" ") || (isOfTool && path.length === 1 && words === "id");
  });
  return output === undefined ? undefined : { output, weight: GIVEN };
}
