import { expect, test } from "vitest";
import { resolveLexicalOptions } from "./lexical-options.ts";

test("what is not given is filled in, field by field", () => {
  const { fieldWeights, nameBonus, ...rest } = resolveLexicalOptions({ fieldWeights: { server: 1 }, nameBonus: 0 });
  const defaults = resolveLexicalOptions({});
  expect(fieldWeights).toEqual({ ...defaults.fieldWeights, server: 1 });
  expect(nameBonus).toBe(0);
  expect(rest).toMatchObject({ saturation: defaults.saturation, clauseShare: defaults.clauseShare });
});

test("the message says which number is wrong, what it is and what it may be", () => {
  expect(() => resolveLexicalOptions({ statementWeight: 2 })).toThrow(
    expect.objectContaining({
      code: "invalid-argument",
      message: "statementWeight must be a number from 0 to 1, but is 2.",
    }),
  );
});

test("resolved options cannot be changed", () => {
  expect(Object.isFrozen(resolveLexicalOptions({}))).toBe(true);
});
