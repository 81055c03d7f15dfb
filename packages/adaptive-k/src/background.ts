import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { SetwiseError } from "@setwise/core";
import { VectorIndex } from "@setwise/native";
import type { RefusalGate } from "./nothing-fits.ts";

/*
 * Foreign tools: what tools that are surely not the caller's have in common with a query. A cosine says little by itself, as some texts are near to
 * everything; a query that is nearer to strangers than to the tools at hand asks for something else. The vectors are of ToolLinkOS and TaskBench,
 * both MIT (background/NOTICE), as bytes; `fit-refusal-gate` of `apps/bench` writes them and the gate's constants, with what they were fitted on.
 */

/** Foreign tools, encoded by one encoder, and the gate fitted with them. */
export interface Background {
  readonly gate: RefusalGate;
  /** Mean of the five largest cosines of a foreign tool with the query, whose vector comes first in `vectors`: one alone may be near by chance. */
  foreignCosine(vectors: Float32Array): number;
}

/** One entry of background/backgrounds.json. */
interface Description {
  readonly encoder: string;
  readonly file: string;
  readonly dimensions: number;
  readonly gate: RefusalGate;
}

const NEAREST = 5;
const folder = fileURLToPath(new URL("../background/", import.meta.url));

/**
 * The foreign tools for the encoder of this name; `undefined` where there are none, as for every encoder that is not one of ours.
 *
 * @throws SetwiseError `corrupt-file` for a file that is not whole.
 */
export async function openBackground(encoder: string): Promise<Background | undefined> {
  const descriptions = JSON.parse(await readFile(`${folder}backgrounds.json`, "utf8")) as readonly Description[];
  const description = descriptions.find((known) => known.encoder === encoder);
  if (description === undefined) return undefined;
  const { dimensions, file, gate } = description;
  const bytes = await readFile(folder + file);
  if (bytes.length === 0 || bytes.length % dimensions !== 0) {
    throw new SetwiseError(
      "corrupt-file",
      `${file} must hold rows of ${dimensions} bytes; install the package again.`,
      {
        source: folder + file,
      },
    );
  }
  const index = new VectorIndex({ dimensions, vectors: unitRows(bytes, dimensions), precision: "int8" });
  return {
    gate,
    foreignCosine(vectors) {
      const { scores } = index.search(vectors.subarray(0, dimensions), NEAREST);
      return scores.reduce((sum, score) => sum + Math.max(0, score), 0) / NEAREST;
    },
  };
}

/** Rows of signed bytes as vectors of length 1. */
function unitRows(bytes: Uint8Array, dimensions: number): Float32Array {
  const rows = Float32Array.from(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length));
  for (let at = 0; at < rows.length; at += dimensions) {
    const row = rows.subarray(at, at + dimensions);
    const length = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0)) || 1;
    for (let i = 0; i < dimensions; i++) row[i] = (row[i] ?? 0) / length;
  }
  return rows;
}
