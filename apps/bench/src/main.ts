import { arch, cpus, platform } from "node:os";
import { parseArgs } from "node:util";
import { kernelInfo } from "setwise";
import { coldStart } from "./cold-start.ts";
import { fitRefusal } from "./fit-refusal.ts";
import { fitSetPrior } from "./fit-set-prior.ts";
import { lexicalSpeed } from "./lexical-speed.ts";
import { quality } from "./quality.ts";
import { lexicalTrain, tuneLexical } from "./tune-lexical.ts";
import { vectorScan } from "./vector-scan.ts";
import { hypergraphModel } from "./hypergraph-model.ts";
import { marginalGain } from "./marginal-gain.ts";
import { describe } from "./measurement.ts";

const benchmarks: Readonly<Record<string, (folder: string, print: (line: string) => void) => void | Promise<void>>> = {
  "cold-start": coldStart,
  "fit-refusal": fitRefusal,
  "fit-set-prior": fitSetPrior,
  "lexical-speed": lexicalSpeed,
  "lexical-train": lexicalTrain,
  quality,
  "tune-lexical": tuneLexical,
  "vector-scan": async (_folder, print) => (await vectorScan()).forEach((one) => describe(one).forEach(print)),
  "marginal-gain": (_folder, print) => marginalGain().forEach((one) => describe(one).forEach(print)),
  "hypergraph-model": (_folder, print) => hypergraphModel().forEach((one) => describe(one).forEach(print)),
};

const { positionals, values } = parseArgs({ allowPositionals: true, options: { data: { type: "string" } } });
const name = positionals[0] ?? "";
const benchmark = benchmarks[name];
if (
  benchmark === undefined ||
  (values.data === undefined && !["vector-scan", "marginal-gain", "hypergraph-model"].includes(name))
) {
  process.stderr.write(`usage: node dist/main.mjs ${Object.keys(benchmarks).join("|")} --data DIR\n`);
  process.exit(1);
}
const { implementation, simd } = kernelInfo();
const print = (line: string): void => void process.stdout.write(`${line}\n`);
print(
  `# ${name}, ${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model.trim()} (${cpus().length} threads), ${platform()} ${arch()}, Node ${process.version}, kernels ${implementation} ${simd}`,
);
await benchmark(values.data ?? "", print);
