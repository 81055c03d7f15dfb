export { kernelBenchmarks, runKernelBenchmarks } from "./kernel-benchmarks.ts";
export { machine } from "./machine.ts";
export { describe, type Measurement } from "./measurement.ts";
