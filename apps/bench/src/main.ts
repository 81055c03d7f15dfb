import { parseArgs } from "node:util";
import { coldStart } from "./cold-start.ts";
import { encoderSpeed } from "./encoder-speed.ts";
import { fitRefusal } from "./fit-refusal.ts";
import { fitSetPrior } from "./fit-set-prior.ts";
import { kernelBenchmarks, runKernelBenchmarks } from "./kernel-benchmarks.ts";
import { lexicalSpeed } from "./lexical-speed.ts";
import { machine } from "./machine.ts";
import { memory } from "./memory.ts";
import { describe } from "./measurement.ts";
import { quality } from "./quality.ts";
import { refusal } from "./refusal.ts";
import { tuneHybrid } from "./tune-hybrid.ts";
import { lexicalTrain, tuneLexical } from "./tune-lexical.ts";

type Print = (line: string) => void;

/** What needs a folder of data. */
const benchmarks: Readonly<
  Record<
    string,
    (
      folder: string,
      print: Print,
      options: { readonly cache?: string; readonly out?: string; readonly reranker?: string },
    ) => void | Promise<void>
  >
> = {
  "cold-start": coldStart,
  "encoder-speed": encoderSpeed,
  "fit-refusal": fitRefusal,
  "fit-set-prior": fitSetPrior,
  "lexical-speed": lexicalSpeed,
  "lexical-train": lexicalTrain,
  quality,
  refusal,
  "tune-hybrid": tuneHybrid,
  "tune-lexical": tuneLexical,
};

// A closed pipe (`… | head`) is no error of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: "string" },
    cache: { type: "string" },
    out: { type: "string" },
    reranker: { type: "string" },
  },
});
const name = positionals[0] ?? "";
const print: Print = (line) => void process.stdout.write(`${line}\n`);
const header = (): void => print(`# ${name}, ${new Date().toISOString().slice(0, 10)}, ${machine()}`);
const benchmark = benchmarks[name];

if (name === "kernels" || Object.hasOwn(kernelBenchmarks, name)) {
  header();
  const names = name === "kernels" ? [] : [name];
  for await (const measurement of runKernelBenchmarks(names)) describe(measurement).forEach(print);
} else if (name === "memory") {
  header();
  memory(print);
} else if (benchmark !== undefined && values.data !== undefined) {
  header();
  await benchmark(values.data, print, values);
} else {
  process.stderr.write(
    `usage: node dist/main.mjs kernels|memory|${Object.keys(kernelBenchmarks).join("|")}\n` +
      `       node dist/main.mjs ${Object.keys(benchmarks).join("|")} --data DIR [--cache DIR] [--out FILE] [--reranker DIR]\n`,
  );
  process.exit(1);
}
