import { createHash } from "node:crypto";
import type { Encoder } from "@setwise/core";

export interface CountingEncoder extends Encoder {
  /** Every batch it was given, in order. */
  readonly batches: (readonly string[])[];
}

export interface CountingOptions {
  readonly name?: string;
  readonly dimensions?: number;
  /** Called with each batch before it is encoded. */
  readonly before?: (texts: readonly string[]) => void | Promise<void>;
}

/** An encoder whose vectors follow from the text and the side alone, and which remembers what it was asked. */
export function countingEncoder({ name = "counting", dimensions = 8, before }: CountingOptions = {}): CountingEncoder {
  const batches: (readonly string[])[] = [];
  return {
    name,
    dimensions,
    batches,
    async encode(texts, { as = "document" } = {}) {
      batches.push(texts);
      await before?.(texts);
      return Float32Array.from(texts.flatMap((text) => [...expectedVector(text, dimensions, as)]));
    },
  };
}

/** Unit vectors in the direction of a slot that hashing the words gives, so that texts with a word in common are alike. */
export function expectedVector(text: string, dimensions = 8, as = "document"): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}\p{S}]+/gu) ?? []) {
    const digest = createHash("sha256").update(word).digest();
    for (let slot = 0; slot < dimensions; slot++) vector[slot] = (vector[slot] ?? 0) + (digest[slot % 32] ?? 0) - 127.5;
  }
  if (as === "query" && dimensions > 1) vector[0] = (vector[0] ?? 0) * 0.9;
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
