/** A probability that was said, and what came true. */
export interface Said {
  readonly probability: number;
  readonly isRight: boolean;
}

const BINS = 10;
/** Tools of less are not worth a word: they would make any distribution look honest. */
const LEAST = 0.05;

/** Expected calibration error over ten bins of equal width: mean of |said − true| by the share of tools in a bin. */
export function expectedCalibrationError(all: readonly Said[]): number {
  const said = all.filter(({ probability }) => probability > LEAST);
  const bins = Array.from({ length: BINS }, () => ({ said: 0, right: 0 }));
  for (const { probability, isRight } of said) {
    const bin = bins[Math.min(BINS - 1, Math.floor(probability * BINS))];
    if (bin === undefined) continue;
    bin.said += probability;
    bin.right += Number(isRight);
  }
  return (
    bins.reduce((sum, { said: expected, right }) => sum + Math.abs(expected - right), 0) / Math.max(1, said.length)
  );
}
