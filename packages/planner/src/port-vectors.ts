import type { Catalog, Encoder } from "@setwise/core";

/** Embeddings of the texts of nodes; see {@link embedPorts}. */
export interface PortVectors {
  /** Distinct, in the order of the rows. */
  readonly texts: readonly string[];
  /** Texts × dimensions, rows of unit length. */
  readonly values: Float32Array;
  readonly dimensions: number;
}

/** The distinct texts of a catalog's nodes, encoded. Handed to `buildHypergraph` and `updateHypergraph`. */
export async function embedPorts(
  catalog: Catalog,
  encoder: Encoder,
  options: { readonly signal?: AbortSignal } = {},
): Promise<PortVectors> {
  const texts: readonly string[] = portTexts(catalog);
  const values = await encoder.encode(texts, options);
  return { texts, values, dimensions: encoder.dimensions };
}

/** The distinct texts by which nodes are compared. */
export function portTexts(_catalog: Catalog): readonly string[] {
  return [];
}
