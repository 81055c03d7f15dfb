import { type Encoder, SetwiseError } from "@setwise/core";
import { hearCut } from "./text-cuts.ts";

let kept: Promise<Encoder> | undefined;

/**
 * The table that comes along, read once in a process, unless that failed.
 *
 * @throws SetwiseError `missing-dependency` where its package is not there, and what a damaged one is refused with.
 */
export function openStaticEncoder(): Promise<Encoder> {
  kept ??= readStaticEncoder().catch((cause: unknown) => {
    kept = undefined;
    throw cause;
  });
  return kept;
}

async function readStaticEncoder(): Promise<Encoder> {
  const [{ createStaticEncoder, readStaticModel }, { staticModelFolder }] = await Promise.all([
    import("@setwise/encoders/static"),
    importModel(),
  ]);
  return createStaticEncoder(readStaticModel(staticModelFolder), { onCut: hearCut });
}

async function importModel(): Promise<typeof import("@setwise/model-static")> {
  try {
    return await import("@setwise/model-static");
  } catch (cause) {
    throw new SetwiseError(
      "missing-dependency",
      "The encoder static needs the package that comes with Setwise: npm install @setwise/model-static",
      { cause },
    );
  }
}
