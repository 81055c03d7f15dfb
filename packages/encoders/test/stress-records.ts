import { createHash } from "node:crypto";
import type { EmbeddingFileOptions } from "../src/embedding-file.ts";

export const stressOptions: EmbeddingFileOptions = {
  encoderName: "stress",
  dimensions: 16,
  maxBytes: 64 * 1024 * 1024,
  minDeadBytes: 1,
};

export function stressKey(name: string, number: number): string {
  return createHash("sha256").update(`${name} ${number}`).digest().toString("latin1", 0, 16);
}

export function stressVector(key: string): Float32Array {
  return Float32Array.from({ length: 16 }, (_, slot) => key.charCodeAt(slot) / 256);
}
