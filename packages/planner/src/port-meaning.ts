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

/** @throws SetwiseError `invalid-argument` when the sizes do not fit, or a text of the world has no vector. */
export function portMeaning(world: PortWorld, vectors: PortVectors): PortMeaning {
  const meaning = { dimensions: vectors.dimensions, vectors: [], rowOf: new Map(), rows: [] };
  addMeaning(world, meaning, vectors);
  return meaning;
}

/** Adds the vectors of the nodes that have none yet; those of texts that are known stay as they are. */
export function addMeaning({ ports }: Pick<PortWorld, "ports">, meaning: PortMeaning, added: PortVectors): void {
  const { texts, values, dimensions } = added;
  if (dimensions !== meaning.dimensions || values.length !== texts.length * dimensions) {
    throw new SetwiseError(
      "invalid-argument",
      `vectors: expected ${texts.length} texts × ${meaning.dimensions} dimensions, got ${values.length} numbers of ${dimensions} dimensions. Make them with embedPorts and one encoder.`,
    );
  }
  const placeOf = new Map(texts.map((text, place) => [text, place]));
  for (let node = meaning.rows.length; node < ports.length; node++) {
    const text = ports[node]?.text ?? "";
    let row = meaning.rowOf.get(text);
    if (row === undefined) {
      const place = placeOf.get(text);
      if (place === undefined) {
        throw new SetwiseError(
          "invalid-argument",
          `vectors: the text "${text.slice(0, 100)}" has no vector. Make them with embedPorts from the same catalog.`,
        );
      }
      row = meaning.vectors.push(values.subarray(place * dimensions, (place + 1) * dimensions)) - 1;
      meaning.rowOf.set(text, row);
    }
    meaning.rows.push(row);
  }
}

/** Cosine of two rows, 0 where it is negative. */
export function rowCosine({ vectors }: PortMeaning, a: number, b: number): number {
  const left = vectors[a]!;
  const right = vectors[b]!;
  let sum = 0;
  for (let place = 0; place < left.length; place++) sum += left[place]! * right[place]!;
  return sum > 0 ? sum : 0;
}
