import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { SetwiseError } from "@setwise/core";
import { foreignMargin, type ForeignMargin } from "./foreign-margin.ts";
import type { RefusalGate } from "./nothing-fits.ts";

/*
 * Foreign tools: what tools that are surely not the caller's have in common with a query. The vectors are of ToolLinkOS and TaskBench, both MIT (background/NOTICE), as bytes;
 * `fit-refusal-gate` of `apps/bench` writes them and the gate's constants, with what they were fitted on.
 */

/** Foreign tools, encoded by one encoder, and the gate fitted with them. */
export interface Background {
  readonly gate: RefusalGate;
  readonly margin: ForeignMargin;
}

/** One entry of background/backgrounds.json. */
interface Description {
  readonly encoder: string;
  readonly file: string;
  readonly dimensions: number;
  readonly gate: RefusalGate;
}

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
  return { gate, margin: foreignMargin(bytes, dimensions) };
}
