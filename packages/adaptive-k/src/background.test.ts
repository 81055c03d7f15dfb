import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openBackground } from "./background.ts";

interface Described {
  readonly encoder: string;
  readonly dimensions: number;
  readonly file: string;
}
const folder = new URL("../background/", import.meta.url);
const descriptions = JSON.parse(readFileSync(new URL("backgrounds.json", folder), "utf8")) as readonly Described[];

describe("openBackground", () => {
  it("has the foreign tools of both encoders that come with Setwise, 676 of each", async () => {
    expect(descriptions.map(({ encoder }) => encoder.split(":")[0])).toEqual(["static", "joint"]);
    for (const { file, dimensions } of descriptions) {
      expect(readFileSync(new URL(file, folder))).toHaveLength(676 * dimensions);
    }
  });

  it("finds a foreign tool near to itself and to the others like it, and nothing near to no text", async () => {
    const { encoder, dimensions, file } = descriptions[0] as Described;
    const margin = (await openBackground(encoder))?.margin ?? (() => Number.NaN);
    const none = {
      tools: 0,
      meanCosine: () => 0,
      largestCosines: (some: Float32Array) => new Float32Array(some.length),
    };
    const first = Float32Array.from(new Int8Array(readFileSync(new URL(file, folder)).subarray(0, dimensions)));
    const length = Math.hypot(...first);
    // One of the five nearest is the tool itself, with a cosine of 1; the others are at most as near, and the mean of all counts nothing without tools.
    const itself = margin(
      first.map((value) => value / length),
      0,
      none,
    );
    expect(itself).toBeLessThan(-0.2);
    expect(itself).toBeGreaterThan(-1.001);
    expect(margin(new Float32Array(dimensions), 0, none)).toBeCloseTo(0, 12);
  });

  it("refuses a query rather where foreign tools are nearer, by its constants", async () => {
    const background = await openBackground(descriptions[0]?.encoder ?? "");
    expect(background?.gate.margin).toBeGreaterThan(0);
  });

  it("has none for other encoders", async () => {
    expect(await openBackground("onnx:some-model")).toBeUndefined();
  });
});
