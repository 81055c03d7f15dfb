import type { ToolHypergraph } from "./hypergraph.ts";

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
  /** Weaker links add nothing. Default .4. */
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
  /** Opaque required inputs, of all tools, that nothing brings: node ordinals, ascending. */
  readonly missing: Uint32Array;
}

/**
 * The producers that a chosen set needs: for every opaque required input that no chosen tool brings, the best tool that does, then
 * what that tool needs. Only opaque inputs (ids, tokens, keys): a person can say the others.
 */
export function supportFor(graph: ToolHypergraph, request: SupportRequest): Support {
  throw new Error(`not yet: ${graph.nodes.length} ${request.chosen.length}`);
}
