import type { Encoder, Tool } from "@setwise/core";
import { readWorld } from "./port-world.ts";

/** Embeddings of the texts of nodes; see {@link embedPorts}. */
export interface PortVectors {
  /** Distinct, in the order of the rows. */
  readonly texts: readonly string[];
  /** Texts × dimensions, rows of unit length. */
  readonly values: Float32Array;
  readonly dimensions: number;
}

/**
 * The distinct texts of the tools' nodes, encoded: all tools for `buildHypergraph`, those that changed for `updateHypergraph`. An
 * encoder with a cache encodes only what is new.
 */
export async function embedPorts(
  tools: readonly Tool[],
  encoder: Encoder,
  options: { readonly signal?: AbortSignal } = {},
): Promise<PortVectors> {
  const texts = [...new Set(readWorld(tools).ports.map(({ text }) => text))];
  const values = await encoder.encode(texts, options);
  return { texts, values, dimensions: encoder.dimensions };
}
