import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";

/** Tokens between two lines of progress. */
const report = 4_096;

/**
 * What a BERT-shaped sentence encoder makes of single tokens: each id of `ids` alone between the marks `first` and `last`,
 * ids × dimensions. As text, a piece such as `##ing` would be cut anew and mean something else; by its id it stays what it is.
 */
export async function encodeLoneTokens(
  folder: string,
  ids: readonly number[],
  { first, last, onProgress }: { readonly first: number; readonly last: number; onProgress(line: string): void },
): Promise<Float32Array> {
  const session = await InferenceSession.create(join(folder, "model.int8.onnx"), { intraOpNumThreads: 1 });
  const rows: Float32Array[] = [];
  const tensor = (values: readonly number[]) =>
    new Tensor("int64", BigInt64Array.from(values, BigInt), [1, values.length]);
  const constant = { attention_mask: tensor([1, 1, 1]), token_type_ids: tensor([0, 0, 0]) };
  for (const id of ids) {
    const inputs = Object.entries({ input_ids: tensor([first, id, last]), ...constant });
    const wanted = Object.fromEntries(inputs.filter(([name]) => session.inputNames.includes(name)));
    const { sentence_embedding: answer } = await session.run(wanted, ["sentence_embedding"]);
    rows.push(Float32Array.from(answer?.data as Float32Array));
    if (rows.length % report === 0 || rows.length === ids.length)
      onProgress(`teacher: ${rows.length} of ${ids.length} tokens alone`);
  }
  await session.release();
  const size = rows[0]?.length ?? 0;
  const all = new Float32Array(ids.length * size);
  for (const [place, row] of rows.entries()) all.set(row, place * size);
  return all;
}
