import { describe, kernelBenchmarks, machine, type Measurement, runKernelBenchmarks } from "@setwise/bench";
import { SetwiseError } from "setwise";
import { type Output, printJson, printLines } from "../output.ts";

/** `setwise bench`: the kernels on this machine, at every level it has, as ratios taken in one run. */
export async function benchCommand(
  kernels: readonly string[],
  options: { readonly json?: boolean },
  output: Output,
): Promise<void> {
  const known = Object.keys(kernelBenchmarks);
  const unknown = kernels.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new SetwiseError("invalid-argument", `Kernel: expected one of ${known.join(", ")}, got "${unknown}".`);
  }
  if (options.json !== true) printLines(output, [machine()]);
  const measurements: Measurement[] = [];
  for await (const measurement of runKernelBenchmarks(kernels)) {
    measurements.push(measurement);
    if (options.json !== true) printLines(output, describe(measurement));
  }
  if (options.json === true) printJson(output, { machine: machine(), measurements });
}
