import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createCatalog, type Encoder } from "@setwise/core";
import { minilmModelFolder } from "@setwise/model-minilm";
import { buildIndex, embedTools, encodeQuery, retrieve, type ToolIndex } from "@setwise/retriever";
import { readQueries, readToolsOf } from "./data-sets.ts";
import { median } from "./interleave.ts";
import { encoderLevels } from "./levels.ts";

/** Tools that are encoded for a rate: a transformer needs minutes for all. */
const ENCODED_TOOLS = 256;
const QUERIES = 64;
const ROUNDS = 5;
/** As many texts as plain use of a runtime puts in one padded batch. */
const PLAIN_BATCH = 32;

/**
 * How long encoding takes at every level, over toolbench's 5,242 tools and its dev queries: queries and tools, the index with its
 * vectors, and a query to candidates; and the transformer against plain use of onnxruntime-node, in turn. No cache stands between:
 * a query that comes again is encoded again.
 */
export async function encoderSpeed(folder: string, print: (line: string) => void): Promise<void> {
  const { tools } = await readToolsOf(folder, "toolbench");
  const queries = (await readQueries(folder, { dataSet: "toolbench", split: "dev" }))
    .slice(0, QUERIES)
    .map((query) => query.query);
  const words = buildIndex(createCatalog(tools));
  const texts = tools.map((tool) => `${tool.name}. ${tool.description}`.slice(0, 2000));
  for (const { name, encoder } of await encoderLevels(undefined)) {
    const index = encoder === undefined ? words : await buildTimed(name, words, encoder, print);
    if (encoder !== undefined) {
      const encoding = await timesOf(queries, (query) => encoder.encode([query], { as: "query" }));
      print(`${name}: encoding a query ${(median(encoding) * 1000).toFixed(0)} µs`);
    }
    const answering = await timesOf(queries, async (query) => {
      const vectors = encoder === undefined ? undefined : await encodeQuery(index, encoder, query);
      return retrieve(index, query, vectors === undefined ? {} : { vectors });
    });
    print(
      `${name}: a query to 50 candidates of ${tools.length} tools, clauses and encoding included, ${median(answering).toFixed(2)} ms`,
    );
  }
  await againstPlainUse(texts.slice(0, ENCODED_TOOLS), print);
}

async function buildTimed(
  name: string,
  words: ToolIndex,
  encoder: Encoder,
  print: (line: string) => void,
): Promise<ToolIndex> {
  const { tools } = words.catalog;
  await encoder.encode(["warm"]);
  const start = performance.now();
  const index = await embedTools(words, encoder);
  const seconds = (performance.now() - start) / 1000;
  print(
    `${name}: encoding ${tools.length} tools ${seconds.toFixed(2)} s, ${(tools.length / seconds).toFixed(0)} tools/s`,
  );
  return index;
}

/** Milliseconds of each query, the median of some rounds. */
async function timesOf(queries: readonly string[], run: (query: string) => unknown): Promise<number[]> {
  const rounds: number[][] = queries.map(() => []);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [i, query] of queries.entries()) {
      const start = performance.now();
      await run(query);
      if (round > 0) rounds[i]?.push(performance.now() - start);
    }
  }
  return rounds.map(median);
}

/** Tools a second of the transformer as Setwise runs it and as one writes it first, in turn. */
async function againstPlainUse(texts: readonly string[], print: (line: string) => void): Promise<void> {
  const { createOnnxEncoder } = await import("@setwise/encoders");
  const encoder = await createOnnxEncoder(minilmModelFolder);
  const plain = await plainEncoder();
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < 3; round++) {
    for (const [side, run] of [() => encoder.encode(texts), () => plain(texts)].entries()) {
      const start = performance.now();
      await run();
      times[side]?.push(performance.now() - start);
    }
  }
  const [ours, theirs] = times.map(median) as [number, number];
  print(
    `transformer alone, ${texts.length} tool texts: ${(texts.length / ours / 0.001).toFixed(0)} tools/s, ` +
      `plain onnxruntime-node in batches of ${PLAIN_BATCH} padded to the longest ${(texts.length / theirs / 0.001).toFixed(0)} tools/s, ratio ${(theirs / ours).toFixed(2)}`,
  );
  await encoder.dispose();
}

/** The same model as the runtime's documentation shows it: texts in order, in batches padded to their longest. */
async function plainEncoder(): Promise<(texts: readonly string[]) => Promise<void>> {
  const { InferenceSession, Tensor } = await import("onnxruntime-node");
  const { Tokenizer } = await import("@huggingface/tokenizers");
  const description = JSON.parse(readFileSync(join(minilmModelFolder, "tokenizer.json"), "utf8"));
  const tokenizer = new Tokenizer({ ...description, padding: null, truncation: null }, {});
  const session = await InferenceSession.create(join(minilmModelFolder, "model.int8.onnx"), { intraOpNumThreads: 1 });
  return async (texts) => {
    for (let start = 0; start < texts.length; start += PLAIN_BATCH) {
      const rows = texts.slice(start, start + PLAIN_BATCH).map((text) => tokenizer.encode(text).ids.slice(0, 256));
      const longest = Math.max(...rows.map((row) => row.length));
      const ids = new BigInt64Array(rows.length * longest);
      const mask = new BigInt64Array(rows.length * longest);
      for (const [row, tokens] of rows.entries()) {
        for (const [place, id] of tokens.entries()) {
          ids[row * longest + place] = BigInt(id);
          mask[row * longest + place] = 1n;
        }
      }
      const tensor = (data: BigInt64Array): InstanceType<typeof Tensor> =>
        new Tensor("int64", data, [rows.length, longest]);
      await session.run({
        input_ids: tensor(ids),
        attention_mask: tensor(mask),
        token_type_ids: tensor(new BigInt64Array(ids.length)),
      });
    }
  };
}
