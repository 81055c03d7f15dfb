/** How much of the learning rate step `step` of `steps` has: linear warm-up, then half a cosine down to 0 (see `schedule.rs`). */
export function learningRateFactor(step: number, steps: number, warmup: number): number {
  const warm = Math.floor(steps * warmup);
  if (step < warm) return (step + 1) / warm;
  const progress = (step - warm) / Math.max(1, steps - warm);
  return 0.5 * (1 + cosineOfHalfTurns(Math.min(1, progress)));
}

/** cos(π x) for x from 0 to 1, as −sin(π (x − ½)) by its Taylor series: engines differ in the last bit of theirs. */
function cosineOfHalfTurns(x: number): number {
  const y = Math.PI * (x - 0.5);
  const square = y * y;
  let series = 1;
  for (let k = 11; k >= 1; k -= 1) series = 1 - (series * square) / (2 * k * (2 * k + 1));
  return -(y * series);
}
