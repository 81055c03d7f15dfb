import { expect, test } from "vitest";
import { refuseAborted } from "./aborted.ts";

test("a signal that has not fired, and none at all, let work begin; one that has fired does not", () => {
  refuseAborted(undefined);
  refuseAborted(new AbortController().signal);
  expect(() => refuseAborted(AbortSignal.abort("why"))).toThrow(
    expect.objectContaining({ code: "aborted", cause: "why" }),
  );
});

test.each([5, "x", {}, null, { aborted: true }])("%j is refused as a signal", (signal) => {
  expect(() => refuseAborted(signal as never)).toThrow(
    expect.objectContaining({ code: "invalid-argument", message: expect.stringContaining("must be an AbortSignal") }),
  );
});
