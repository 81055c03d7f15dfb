import { SetwiseError } from "@setwise/core";
import type { PortVectors } from "./port-vectors.ts";
import type { PortWorld } from "./port-world.ts";

/** Vectors of the nodes of a world. Grows with it. */
export interface PortMeaning {
  readonly dimensions: number;
  /** Rows of unit length, one for each distinct text. */
  readonly vectors: Float32Array[];
  readonly rowOf: Map<string, number>;
  /** By node, the row of its text. */
  readonly rows: number[];
}

/** @throws SetwiseError `invalid-argument` as {@link checkVectors}. */
export function portMeaning(world: PortWorld, vectors: PortVectors): PortMeaning {
  const meaning = { dimensions: vectors.dimensions, vectors: [], rowOf: new Map(), rows: [] };
  addMeaning(world, meaning, vectors);
  return meaning;
}

/** Adds the vectors of the nodes that have none yet; those of texts that are known stay as they are. */
export function addMeaning(world: Pick<PortWorld, "ports">, meaning: PortMeaning, added: PortVectors): void {
  checkVectors({ ports: world.ports.slice(meaning.rows.length) }, meaning, added);
  const { texts, values, dimensions } = added;
  const placeOf = new Map(texts.map((text, place) => [text, place]));
  for (let node = meaning.rows.length; node < world.ports.length; node++) {
    const text = world.ports[node]?.text ?? "";
    let row = meaning.rowOf.get(text);
    if (row === undefined) {
      const place = placeOf.get(text) ?? 0;
      row = meaning.vectors.push(values.subarray(place * dimensions, (place + 1) * dimensions)) - 1;
      meaning.rowOf.set(text, row);
    }
    meaning.rows.push(row);
  }
}

/** @throws SetwiseError `invalid-argument` when the sizes do not fit, or a text of a node has no vector. */
export function checkVectors(
  { ports }: Pick<PortWorld, "ports">,
  meaning: Pick<PortMeaning, "dimensions" | "rowOf">,
  { texts, values, dimensions }: PortVectors,
): void {
  if (dimensions !== meaning.dimensions || values.length !== texts.length * dimensions) {
    throw new SetwiseError(
      "invalid-argument",
      `vectors: expected ${texts.length} texts × ${meaning.dimensions} dimensions, got ${values.length} numbers of ${dimensions} dimensions. Make them with embedPorts and one encoder.`,
    );
  }
  if (!values.every(Number.isFinite)) {
    throw new SetwiseError(
      "invalid-argument",
      "vectors: all numbers must be finite. Make them with embedPorts and one encoder.",
    );
  }
  const known = new Set(texts);
  const missing = ports.find(({ text }) => !known.has(text) && !meaning.rowOf.has(text));
  if (missing === undefined) return;
  throw new SetwiseError(
    "invalid-argument",
    `vectors: the text "${missing.text.slice(0, 100)}" has no vector. Make them with embedPorts from the same tools.`,
  );
}

/** Cosine of two rows, 0 where it is negative. */
export function rowCosine({ vectors }: PortMeaning, a: number, b: number): number {
  const left = vectors[a]!;
  const right = vectors[b]!;
  // Two sums, so that the processor need not wait for one.
  let even = 0;
  let odd = 0;
  const pairs = left.length & ~1;
  for (let place = 0; place < pairs; place += 2) {
    even += left[place]! * right[place]!;
    odd += left[place + 1]! * right[place + 1]!;
  }
  if (pairs < left.length) even += left[pairs]! * right[pairs]!;
  return even + odd > 0 ? even + odd : 0;
}
