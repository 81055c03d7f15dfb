import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonError } from "./json-error.ts";

test("Whatever JSON.parse takes has no mistake, with and without spaces.", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(jsonError(JSON.stringify(value))).toBeUndefined();
      expect(jsonError(JSON.stringify(value, undefined, 2))).toBeUndefined();
    }),
  );
});

test("Whatever JSON.parse refuses has a mistake inside the text or at its end, and the other way round.", () => {
  const damaged = fc
    .tuple(fc.jsonValue(), fc.nat(), fc.constantFrom("", ",", "}", "]", '"', "x", ":", "\\", "\n", "0"))
    .map(([value, at, piece]) => {
      const text = JSON.stringify(value);
      const place = at % (text.length + 1);
      return text.slice(0, place) + piece + text.slice(place + 1);
    });
  fc.assert(
    fc.property(damaged, (text) => {
      let isRefused = false;
      try {
        JSON.parse(text);
      } catch {
        isRefused = true;
      }
      const error = jsonError(text);
      expect(error !== undefined).toBe(isRefused);
      if (error !== undefined) expect(error.offset).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: 500 },
  );
});
