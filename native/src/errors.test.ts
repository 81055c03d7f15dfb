import { expect, test } from "vitest";
import { KernelError } from "./errors.ts";

test("an error carries its code and its cause, and is known across copies by the mark that Setwise's errors share", () => {
  const cause = new Error("because");
  const error = new KernelError("internal", "text", { cause });
  expect(error).toMatchObject({ name: "KernelError", code: "internal", message: "text", cause });
  expect(Object.keys(error)).not.toContain("cause");
  const other = { [Symbol.for("setwise.error")]: true };
  expect([error, other, cause, null, "text"].map((value) => KernelError.isInstance(value))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
