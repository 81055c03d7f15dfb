import { describe, expect, it } from "vitest";
import { SetwiseError } from "./errors.ts";

describe("SetwiseError", () => {
  it("carries its code, its facts and its cause", () => {
    const cause = new Error("below");
    const error = new SetwiseError("invalid-syntax", "Expected JSON.", { source: "a.json", line: 3, column: 7, cause });
    expect(error).toMatchObject({
      name: "SetwiseError",
      code: "invalid-syntax",
      source: "a.json",
      line: 3,
      column: 7,
      cause,
    });
    expect(error).toBeInstanceOf(Error);
  });

  it("is recognised across copies of the package, and nothing else is", () => {
    const foreign = Object.defineProperty(new Error("copy"), Symbol.for("setwise.error"), { value: true });
    expect(SetwiseError.isInstance(foreign)).toBe(true);
    for (const other of [new Error("x"), null, undefined, "internal", {}])
      expect(SetwiseError.isInstance(other)).toBe(false);
  });
});
