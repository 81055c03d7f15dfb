import { expect, test } from "vitest";
import { tableOf } from "./compare-trials.ts";

test("a way has one line, with all constants that seeds chose and a dash where there is no error", () => {
  const seed = (share: number, constants: string) => [
    { name: "one", constants, figures: Array.from({ length: 7 }, () => share) },
    { name: "two", figures: Array.from({ length: 7 }, () => 1), ece: 0.04 },
  ];
  // Mean 50, standard deviation √(100 + 100) = 14.1.
  const figures = Array.from({ length: 7 }, () => "50.0 ± 14.1").join(" | ");
  const certain = Array.from({ length: 7 }, () => "100.0 ± 0.0").join(" | ");
  expect(tableOf([seed(0.4, "k 2"), seed(0.6, "k 3")])).toEqual([
    "|  | chosen | R@3 | N@3 | C@3 | R@5 | C@5 | exact | F1 | ECE |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    `| one | k 2; k 3 | ${figures} | – |`,
    `| two |  | ${certain} | 4.0 ± 0.0 |`,
  ]);
});
