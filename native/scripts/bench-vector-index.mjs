// Measures the vector index: the levels of this processor against TypeScript, interleaved, medians, one query a call.
// `node scripts/bench-vector-index.mjs [rows] [dimensions] [k]`, after `npm run build`.
import { cpus } from "node:os";
import { openKernels, VectorIndex } from "../dist/index.mjs";

const [rows = 13_860, dimensions = 768, k = 15] = process.argv.slice(2).map(Number);
const rounds = 41;
const warmUp = 5;

let state = 1;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32 - 0.5;
};
const vectors = Float32Array.from({ length: rows * dimensions }, random);
const queries = Array.from({ length: rounds }, () => Float32Array.from({ length: dimensions }, random));

const sides = ["native:avx512", "native:avx2", "native:neon", "native:scalar", "typescript"].flatMap((name) => {
  try {
    const index = new VectorIndex({ dimensions, vectors, similarity: "cosine", kernels: openKernels(name) });
    return [{ name, index, times: [] }];
  } catch {
    return [];
  }
});

for (let round = 0; round < rounds; round += 1) {
  let answer;
  for (const { name, index, times } of sides) {
    const start = performance.now();
    const { ids, scores } = index.search(queries[round], k);
    if (round >= warmUp) times.push(performance.now() - start);
    const text = `${ids} ${scores}`;
    if (text !== (answer ??= text)) throw new Error(`${name} answers otherwise`);
  }
}

const median = (times) => times.sort((left, right) => left - right)[times.length >> 1];
const slowest = median(sides.at(-1).times);
console.log(`${cpus()[0].model}, node ${process.versions.node}; top ${k} of ${rows} × ${dimensions}, ${rounds} rounds`);
for (const { name, times } of sides) {
  const time = median(times);
  const bandwidth = (rows * dimensions * 4) / time / 1e6;
  console.log(
    `${name.padEnd(14)} ${time.toFixed(3).padStart(8)} ms  ${bandwidth.toFixed(1).padStart(6)} GB/s  ${(slowest / time).toFixed(1).padStart(5)} ×`,
  );
}
