import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { minilmModelFolder } from "@setwise/model-minilm";

/**
 * Writes a real cross-encoder of BERT's shape: MiniLM, with a head behind it whose logit is the cosine of the mean token vectors of query
 * and text, read as one pair. The head was written by the tests of `@setwise/encoders` (test/segment-head.ts), and bytes behind an ONNX
 * file belong to its graph.
 */
export async function writeCrossEncoder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const [model, head] = await Promise.all([
    readFile(join(minilmModelFolder, "model.int8.onnx")),
    readFile(new URL("segment-head.onnx", import.meta.url)),
  ]);
  await writeFile(join(folder, "model.onnx"), Buffer.concat([model, head]));
  await copyFile(join(minilmModelFolder, "tokenizer.json"), join(folder, "tokenizer.json"));
  return folder;
}
