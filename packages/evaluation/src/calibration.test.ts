import { describe, expect, it } from "vitest";
import { calibrationOf } from "./calibration.ts";

describe("calibrationOf", () => {
  it("gives the error and the bars worked out by hand", () => {
    // Two bins. Low: .2 (false) and .4 (true): mean .3, share .5. High: .6, .8, 1 (true, false, true): mean .8, share 2/3.
    // ECE = 2/5 · |.3 − .5| + 3/5 · |.8 − 2/3| = .08 + .08 = .16.
    // Brier = (.04 + .36 + .16 + .64 + 0) / 5 = .24.
    const calibration = calibrationOf(
      [
        { probability: 0.2, holds: false },
        { probability: 0.4, holds: true },
        { probability: 0.6, holds: true },
        { probability: 0.8, holds: false },
        { probability: 1, holds: true },
      ],
      { bins: 2 },
    );
    expect(calibration.ece).toBeCloseTo(0.16, 12);
    expect(calibration.brier).toBeCloseTo(0.24, 12);
    expect(calibration.bins[0]).toMatchObject({ low: 0, high: 0.5, count: 2, share: 0.5 });
    expect(calibration.bins[0]?.probability).toBeCloseTo(0.3, 12);
    expect(calibration.bins[1]?.probability).toBeCloseTo(0.8, 12);
    expect(calibration.bins[1]?.share).toBeCloseTo(2 / 3, 12);
  });

  it("leaves out what is hardly believed, and is NaN when that is all", () => {
    expect(calibrationOf([{ probability: 0.05, holds: true }])).toMatchObject({ count: 0, ece: Number.NaN });
    expect(calibrationOf([{ probability: 0.06, holds: true }]).ece).toBeCloseTo(0.94, 12);
  });

  it("is zero for beliefs that come true as often as they say", () => {
    const beliefs = Array.from({ length: 10 }, (_, i) => ({ probability: 0.3, holds: i < 3 }));
    expect(calibrationOf(beliefs).ece).toBeCloseTo(0, 12);
  });
});
