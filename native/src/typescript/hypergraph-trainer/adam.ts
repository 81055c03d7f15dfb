import type { Reals } from "./reals.ts";

/** One step of one group of numbers; `powers` are β₁ᵗ and β₂ᵗ. */
export interface Rate {
  readonly learningRate: number;
  readonly weightDecay: number;
  readonly moments: readonly [number, number, number];
  readonly powers: readonly number[];
}

/** AdamW (Loshchilov and Hutter 2019), as `adam.rs`; whether all numbers are still finite. */
export function update(rate: Rate, values: Reals, gradients: Reals, first: Reals, second: Reals): boolean {
  const { learningRate, weightDecay, moments, powers } = rate;
  const [beta1, beta2, epsilon] = moments;
  const kept = 1 - learningRate * weightDecay;
  const step = learningRate / (1 - powers[0]!);
  const root = Math.sqrt(1 - powers[1]!);
  let spoiled = 0;
  for (let i = 0; i < values.length; i += 1) {
    const gradient = gradients[i]!;
    first[i] = beta1 * first[i]! + (1 - beta1) * gradient;
    second[i] = beta2 * second[i]! + (1 - beta2) * (gradient * gradient);
    values[i] = values[i]! * kept - step * (first[i]! / (Math.sqrt(second[i]!) / root + epsilon));
    // 0 for what is finite, NaN for the rest.
    spoiled += values[i]! - values[i]! + (second[i]! - second[i]!);
  }
  return spoiled === 0;
}
