import { nodesOf, producersOf, type Producer, type ToolHypergraph } from "./hypergraph.ts";
import { toolDeed } from "./tool-deeds.ts";

/** A set of tools that someone chose, and what may be added to it. Tools are catalog ordinals, inputs node ordinals. */
export interface SupportRequest {
  readonly chosen: Uint32Array;
  /** Nodes that are available. Default: none. */
  readonly grounded?: Uint32Array;
  /** The only tools that may be added. Default: all. */
  readonly allow?: Uint32Array;
  /** Tools that may not be added. Default: none. */
  readonly exclude?: Uint32Array;
  /** One number a tool, 0 or more: how well it fits the request. Default: 1 for all. */
  readonly relevance?: Float32Array;
  /** Weaker links add nothing. Default .7. */
  readonly leastWeight?: number;
  /** Tools that may be added. Default 3. */
  readonly most?: number;
  /** Whether a tool that changes something may be added only because it gives back an id. Default: no. */
  readonly allowMutating?: boolean;
}

/** A tool that was added, and why. */
export interface AddedSupport {
  /** Catalog ordinal. */
  readonly tool: number;
  /** The input it was added for, of a tool that was there before, as a node ordinal. */
  readonly input: number;
  /** The output that brings it, as a node ordinal. */
  readonly output: number;
  readonly weight: number;
}

export interface Support {
  /** In the order in which they were added. */
  readonly added: readonly AddedSupport[];
  /** Opaque required inputs and preconditions, of all tools, that nothing brings: node ordinals, ascending. */
  readonly missing: Uint32Array;
}

/** Adding is optional here. On UltraTool's train queries .4 to .6 cost half a point with one encoder; from .7 on it never did. */
const DEFAULT_LEAST_WEIGHT = 0.7;
const DEFAULT_MOST = 3;

/**
 * The producers that a chosen set needs: for every opaque required input and every precondition that no chosen tool brings, the best
 * tool that does, then what that tool needs in turn. Only opaque inputs (ids, tokens, keys): a person can say the others.
 */
export function supportFor(graph: ToolHypergraph, request: SupportRequest): Support {
  const { chosen, most = DEFAULT_MOST, leastWeight = DEFAULT_LEAST_WEIGHT } = request;
  const isAllowed = permission(graph, request);
  const grounded = new Set(request.grounded);
  const present = new Set(chosen);
  const added: AddedSupport[] = [];
  const missing: number[] = [];
  const tools = [...present];
  for (let place = 0; place < tools.length; place++) {
    for (const input of nodesOf(graph, tools[place] ?? 0, "takes")) {
      if (grounded.has(input) || !needsProducer(graph, input)) continue;
      const producers = producersOf(graph, input).filter(({ weight }) => weight >= leastWeight);
      if (producers.some(({ tool }) => present.has(tool))) continue;
      const best = added.length < most ? bestOf(producers.filter(isAllowed), request.relevance) : undefined;
      if (best === undefined) {
        missing.push(input);
        continue;
      }
      present.add(best.tool);
      tools.push(best.tool);
      added.push({ tool: best.tool, input, output: best.node, weight: best.weight });
    }
  }
  return { added, missing: Uint32Array.from(missing).sort() };
}

function needsProducer({ nodes }: ToolHypergraph, node: number): boolean {
  const { kind, required, opaque } = nodes[node] ?? {};
  return required === true && (kind === "pre" || opaque === true);
}

function permission({ catalog }: ToolHypergraph, request: SupportRequest): (producer: Producer) => boolean {
  const allow = request.allow === undefined ? undefined : new Set(request.allow);
  const exclude = new Set(request.exclude);
  return ({ tool: ordinal, kind }) => {
    if (exclude.has(ordinal) || allow?.has(ordinal) === false) return false;
    const tool = catalog.tools[ordinal];
    // What an edge asks for by name is meant.
    if (request.allowMutating === true || kind !== "data" || tool === undefined) return true;
    const deed = toolDeed(tool);
    return deed !== "changes" && deed !== "creates";
  };
}

/** The producer with the largest weight times relevance; the lower ordinal on a tie. One without any relevance is none. */
function bestOf(producers: readonly Producer[], relevance: Float32Array | undefined): Producer | undefined {
  let best: Producer | undefined;
  let most = 0;
  for (const producer of producers) {
    const score = producer.weight * (relevance?.[producer.tool] ?? 1);
    if (score > most) [best, most] = [producer, score];
  }
  return best;
}
