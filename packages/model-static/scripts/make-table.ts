import { join } from "node:path";
import { parseArgs } from "node:util";
import { createCachedEncoder, createOnnxEncoder, writeStaticModel } from "@setwise/encoders";
import { minilmModelFolder } from "@setwise/model-minilm";
import { mulberry32 } from "@setwise/testkit/random";
import { fitByRidge } from "./fit-by-ridge.ts";
import { encodeLoneTokens } from "./lone-tokens.ts";
import { alongAxes, principalAxes } from "./principal-axes.ts";
import { sharpen } from "./sharpen.ts";
import { startTable } from "./start-table.ts";
import { countTokens, quantise, type Table } from "./table.ts";
import { readTokens, type Tokens } from "./tokens.ts";
import { readToolTexts } from "./tool-texts.ts";
import { readDefinitions } from "./word-net.ts";

/*
 * Makes the table of @setwise/model-static:
 *
 *   npm run make -w @setwise/model-static -- --data DIR [--teacher FILE] [--out FOLDER] [--leave-out SET,SET] [--ridge-only]
 *
 * 1. the teacher (MiniLM) embeds all texts, once: what it said is kept in FILE, and a run that was stopped goes on;
 * 2. principal axes of its vectors, from 384 to 256 dimensions, and each token alone as start;
 * 3. ridge regression of the table to the teacher's vectors of tool texts, requests and definitions;
 * 4. sharpening: texts about one tool closer to each other than to others, similarities between texts as the teacher's.
 *
 * The same data give the same table, to the byte on one machine. About ten minutes for the teacher on one core, then four.
 */
const dimensions = 256;
const definitionsOfRidge = 25_000;
const definitionsOfAll = 60_000;
const ridge = { ridge: 0.02, steps: 10 };
const sharpening = { epochs: 2, rate: 0.01 };
const seed = 1;
/** Texts between two lines of progress. */
const texts = 4_096;

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    wordnet: { type: "string" },
    teacher: { type: "string", default: "teacher-vectors.bin" },
    out: { type: "string", default: join(import.meta.dirname, "../../files") },
    "leave-out": { type: "string", default: "" },
    "ridge-only": { type: "boolean", default: false },
  },
});
if (values.data === undefined) {
  process.stderr.write("make-table needs --data DIR, a folder with the data sets that README.md names.\n");
  process.exit(1);
}
const began = performance.now();
const progress = (line: string) =>
  void process.stderr.write(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${line}\n`);

const tools = await readToolTexts(values.data, new Set(values["leave-out"].split(",")));
const definitions = await readDefinitions(values.wordnet);
const unique = (lists: readonly (readonly string[])[]) => [...new Set(lists.flat())].filter((text) => text !== "");
const fitted = unique([
  tools.descriptions,
  tools.requests.get("ultratool") ?? [],
  definitions.slice(0, definitionsOfRidge),
]);
const all = unique([fitted, definitions.slice(definitionsOfRidge, definitionsOfAll), ...tools.requests.values()]);
progress(`${fitted.length} texts to fit, ${all.length} in all, ${tools.pairs.length} pairs`);

const tokens = await readTokens(minilmModelFolder);
const alone = await encodeLoneTokens(minilmModelFolder, tokens.ids, { ...tokens.marks, onProgress: progress });
const teacher = await teach(all);
const table = await make(tokens);
await writeStaticModel(values.out, {
  name: `minilm-${dimensions}`,
  tokens: tokens.pieces,
  dimensions,
  lowercase: true,
  stripAccents: true,
  ...quantise(table),
});
progress(`written to ${values.out}`);

async function make({ tokenize }: Tokens): Promise<Table> {
  const tokenized = tokenize(fitted);
  const own = teacher.subarray(0, (teacher.length / all.length) * fitted.length);
  const { mean, axes, kept } = principalAxes(own, teacher.length / all.length, dimensions);
  progress(`${dimensions} axes keep ${(100 * kept).toFixed(1)} % of the variance; ${tokenized.ids.length} tokens`);
  const start = startTable(alone, countTokens(tokenized, tokens.pieces.length), axes);
  const targets = alongAxes(own, mean, axes);
  const table = fitByRidge(tokenized, targets, start, { ...ridge, onProgress: progress });
  if (values["ridge-only"]) return table;
  const pairs = {
    left: tokenize(tools.pairs.map(([left]) => left)),
    right: tokenize(tools.pairs.map(([, right]) => right)),
    texts: tools.pairs,
  };
  const random = mulberry32(seed);
  sharpen(table, pairs, { texts: tokenize(all), teacher }, { ...sharpening, random, onProgress: progress });
  return table;
}

/** The teacher's vectors, texts × 384. */
async function teach(wanted: readonly string[]): Promise<Float32Array> {
  const model = await createOnnxEncoder(minilmModelFolder, { threads: 1 });
  const onProblem = ({ message }: { readonly message: string }) => progress(message);
  const encoder = createCachedEncoder(model, { file: values.teacher, maxBytes: 2 ** 30, maxMemoryBytes: 0, onProblem });
  const vectors = new Float32Array(wanted.length * encoder.dimensions);
  for (let from = 0; from < wanted.length; from += texts) {
    vectors.set(await encoder.encode(wanted.slice(from, from + texts)), from * encoder.dimensions);
    progress(`teacher: ${Math.min(from + texts, wanted.length)} of ${wanted.length} texts`);
  }
  await model.dispose();
  return vectors;
}
