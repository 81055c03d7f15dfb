import fc from "fast-check";
import { expect, test } from "vitest";
import { redactor } from "./http-encoder-secrets.ts";

test("a secret is taken out whole, in part, in any letter case, and what stands around stays", () => {
  const redact = redactor(["sk-0123456789", "short"]);
  expect(redact("key sk-0123456789 is wrong")).toBe("key [redacted] is wrong");
  expect(redact("key SK-01234… is wrong")).toBe("key [redacted]… is wrong");
  expect(redact("Short, sk-0123, shor")).toBe("[redacted], sk-0123, shor");
});

test("what is shorter than a secret can be is left alone", () => {
  expect(redactor(["", "abc"])("abc")).toBe("abc");
});

test("no eight characters of a secret are left, wherever and however often it stands", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "B", "1", "-", "İ"), maxLength: 30 });
  const secret = fc.string({ unit: fc.constantFrom("a", "B", "1", "-"), minLength: 8, maxLength: 20 });
  fc.assert(
    fc.property(letters, secret, fc.nat(12), letters, (before, key, from, after) => {
      const left = redactor([key])(`${before}${key.slice(from)}${after}${key}`).toLowerCase();
      for (let start = 0; start + 8 <= key.length; start++)
        expect(left).not.toContain(key.slice(start, start + 8).toLowerCase());
    }),
    { numRuns: 1000 },
  );
});
