import { expect, test } from "vitest";
import { interleave, median } from "./interleave.ts";

test("the sides run in turn, one round more than counts, and each has a median", () => {
  const ran: string[] = [];
  const { medians, rounds } = interleave([() => void ran.push("a"), () => void ran.push("b")], 2);
  expect(ran.join("")).toBe("ababab");
  expect(rounds).toBe(2);
  expect(medians).toHaveLength(2);
});

test("the median is the middle value, or the mean of the two in the middle", () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 9, 2])).toBe(3);
  expect(median([])).toBe(0);
});
