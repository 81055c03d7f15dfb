import { hybridPrior } from "@setwise/adaptive-k";
import { expect, test } from "vitest";
import type { SetModel } from "@setwise/set-scorer";
import { calibrationOf } from "./model-calibration.ts";

const calibration = { prior: hybridPrior, gate: { margin: 12, bias: -1 }, used: 30, changes: ["sizes"] };
const modelWith = (kept: unknown): SetModel => ({ pipeline: { calibration: kept } }) as unknown as SetModel;

test("what a model keeps of sizes and refusals is read again", () => {
  expect(calibrationOf(modelWith(calibration))).toEqual(calibration);
  expect(calibrationOf({} as SetModel)).toBeUndefined();
});

test("of a gate of two cosines, as models had it before, the sizes are kept", () => {
  const former = { ...calibration, gate: { bestCosine: 10, foreignCosine: -9, bias: 1 } };
  expect(calibrationOf(modelWith(former))).toEqual({ ...calibration, gate: undefined });
});

test.each([
  [{ ...calibration, gate: { margin: "12", bias: -1 } }],
  [{ ...calibration, gate: {} }],
  [{ ...calibration, prior: { ...hybridPrior, sizeOffsets: [1] } }],
  [{ ...calibration, used: null }],
])("numbers that no calibration has are a damaged file: %j", (wrong) => {
  expect(() => calibrationOf(modelWith(wrong))).toThrow(expect.objectContaining({ code: "corrupt-file" }));
});
