import { parseArgs } from "node:util";
import { SetwiseError } from "@setwise/core";
import { coldStart } from "./cold-start.ts";
import { dataFormat } from "./data-sets.ts";
import { encoderSpeed } from "./encoder-speed.ts";
import { fitPortLinks } from "./fit-port-links.ts";
import { fitRefusal } from "./fit-refusal.ts";
import { fitRefusalGate } from "./fit-refusal-gate.ts";
import { fitSetPrior } from "./fit-set-prior.ts";
import { kernelBenchmarks, runKernelBenchmarks } from "./kernel-benchmarks.ts";
import { lexicalSpeed } from "./lexical-speed.ts";
import { machine } from "./machine.ts";
import { memory } from "./memory.ts";
import { merge } from "./merge.ts";
import { describe } from "./measurement.ts";
import { planner } from "./planner.ts";
import { quality } from "./quality.ts";
import { setModel } from "./set-model.ts";
import { setModelSpeed } from "./set-model-speed.ts";
import { setQuality } from "./set-quality-report.ts";
import { setAblation } from "./set-rivals/set-ablation.ts";
import { setRivals } from "./set-rivals/set-rivals.ts";
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
      options: {
        readonly cache?: string;
        readonly out?: string;
        readonly reranker?: string;
        readonly pairs?: string;
        readonly half?: string;
        readonly only?: string;
      },
    ) => void | Promise<void>
  >
> = {
  "cold-start": coldStart,
  "encoder-speed": encoderSpeed,
  "fit-port-links": fitPortLinks,
  "fit-refusal": fitRefusal,
  "fit-refusal-gate": fitRefusalGate,
  "fit-set-prior": fitSetPrior,
  "lexical-speed": lexicalSpeed,
  "lexical-train": lexicalTrain,
  merge,
  planner,
  quality,
  "set-ablation": setAblation,
  "set-model": setModel,
  "set-model-speed": setModelSpeed,
  "set-quality": setQuality,
  "set-rivals": setRivals,
  "tune-hybrid": tuneHybrid,
  "tune-lexical": tuneLexical,
};

// A closed pipe (`… | head`) is no error of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

const usage =
  `usage: node dist/main.mjs kernels|memory|${Object.keys(kernelBenchmarks).join("|")}\n` +
  `       node dist/main.mjs ${Object.keys(benchmarks).join("|")} --data DIR [--cache DIR] [--out FILE] [--seeds N] [--only NAME] [--reranker DIR] [--pairs FILE] [--half dev|test|fit]\n` +
  `       ${dataFormat}\n`;

/** A mistake of the caller's in a line of its own; anything else is ours and keeps its stack. */
function fail(error: unknown): never {
  const isOption = error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  if (!isOption && !SetwiseError.isInstance(error)) throw error;
  const line = isOption ? `invalid-argument: ${error.message}\n${usage}` : `${error.code}: ${error.message}\n`;
  process.stderr.write(line);
  process.exit(1);
}

function readParameters() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: "boolean" },
        data: { type: "string" },
        cache: { type: "string" },
        out: { type: "string" },
        seeds: { type: "string" },
        only: { type: "string" },
        reranker: { type: "string" },
        pairs: { type: "string" },
        half: { type: "string" },
      },
    });
  } catch (error) {
    return fail(error);
  }
}

const { positionals, values } = readParameters();
const name = positionals[0] ?? "";
const print: Print = (line) => void process.stdout.write(`${line}\n`);
const header = (): void => print(`# ${name}, ${new Date().toISOString().slice(0, 10)}, ${machine()}`);
const benchmark = benchmarks[name];

if (values.help === true) {
  process.stdout.write(usage);
} else if (name === "kernels" || Object.hasOwn(kernelBenchmarks, name)) {
  header();
  const names = name === "kernels" ? [] : [name];
  for await (const measurement of runKernelBenchmarks(names)) describe(measurement).forEach(print);
} else if (name === "memory") {
  header();
  memory(print);
} else if (benchmark !== undefined && values.data !== undefined) {
  header();
  try {
    await benchmark(values.data, print, values);
  } catch (error) {
    fail(error);
  }
} else {
  const reason = benchmark === undefined ? "name what is to be measured" : `${name} needs --data DIR`;
  process.stderr.write(`invalid-argument: ${reason}.\n${usage}`);
  process.exit(1);
}
