import { expect, test } from "vitest";
import { shownName } from "./shown-name.ts";

test("a name of up to 200 characters is shown whole, of a longer one the beginning", () => {
  expect(shownName("a".repeat(200))).toBe("a".repeat(200));
  expect(shownName("a".repeat(201))).toBe(`${"a".repeat(200)}…`);
});
