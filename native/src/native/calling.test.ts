import { expect, test } from "vitest";
import { calling } from "./calling.ts";

test("an error of the addon keeps its code, and one without a code is ours", () => {
  for (const [thrown, code] of [
    [Object.assign(new Error("no room"), { code: "too-large" }), "too-large"],
    [Object.assign(new Error("k"), { code: "invalid-argument" }), "invalid-argument"],
    [new Error("panicked"), "internal"],
  ] as const) {
    const call = (): never => {
      throw thrown;
    };
    expect(() => calling(call)).toThrow(
      expect.objectContaining({ name: "KernelError", code, message: thrown.message, cause: thrown }),
    );
  }
});
