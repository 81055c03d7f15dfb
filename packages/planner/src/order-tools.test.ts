import type { Tool } from "@setwise/core";
import { expect, test } from "vitest";
import { callStage } from "./call-stage.ts";
import { mentionPositions, orderTools } from "./order-tools.ts";

const none = (): number => 0;

test("what is meant first is called first", () => {
  const order = orderTools({ positions: Float64Array.of(2, 0, 1), stages: [0, 0, 0], support: none });
  expect([...order]).toEqual([1, 2, 0]);
});

test("without a mention a producer comes before what needs it, and reading before writing", () => {
  const positions = Float64Array.of(0, 0);
  expect([...orderTools({ positions, stages: [0, 0], support: (x, y) => (x === 1 && y === 0 ? 1 : 0) })]).toEqual([
    1, 0,
  ]);
  expect([...orderTools({ positions, stages: [2, 0], support: none })]).toEqual([1, 0]);
});

test("a link outweighs half a sub-task of mention, a whole sub-task outweighs a link", () => {
  // .7 · tanh(4) = .6995 against tanh(.5) = .4621 and tanh(1) = .7616
  const support = (x: number, y: number): number => (x === 1 && y === 0 ? 1 : 0);
  expect([...orderTools({ positions: Float64Array.of(0, 0.5), stages: [0, 0], support })]).toEqual([1, 0]);
  expect([...orderTools({ positions: Float64Array.of(0, 1), stages: [0, 0], support })]).toEqual([0, 1]);
});

test("equal tools keep their order, and there may be none", () => {
  expect([...orderTools({ positions: new Float64Array(3), stages: [1, 1, 1], support: none })]).toEqual([0, 1, 2]);
  expect([...orderTools({ positions: new Float64Array(0), stages: [], support: none })]).toEqual([]);
});

const asked = { asks: "yes" } as const;
const told = { asks: "no" } as const;

test("a tool is meant where its likeness is greatest", () => {
  // Two parts, two tools: e^12 against e^0 is 162754.8 : 1, so that the places are 1 / 162755.8 and its complement.
  const [first, second] = mentionPositions(Float32Array.of(1, 0, 0, 1), [asked, asked], [0, 0]);
  expect(first).toBeCloseTo(1 / 162755.79, 9);
  expect(second).toBeCloseTo(1 - 1 / 162755.79, 9);
  expect([...mentionPositions(new Float32Array(0), [], [])]).toEqual([]);
  expect([...mentionPositions(new Float32Array(0), [], [0, 2])]).toEqual([0, 0]);
});

test("what is only told counts for a tool that looks for something, and a tenth for one that changes something", () => {
  // All parts are equally like both tools: the places are (0 + 1) / 2, and (0 · .1 + 1 · 1) / 1.1.
  const [looks, changes] = mentionPositions(new Float32Array(4), [told, asked], [0, 2]);
  expect(looks).toBeCloseTo(0.5, 12);
  expect(changes).toBeCloseTo(1 / 1.1, 12);
});

test("signing in and searching come before working, changing, and telling", () => {
  const stage = (name: string, annotations = {}): number =>
    callStage({
      id: name,
      name,
      description: "",
      inputSchema: { type: "object" },
      annotations,
      original: null,
    } as Tool);
  expect(
    ["login", "search_flights", "calculate_total", "cancel_order", "send_email"].map((name) => stage(name)),
  ).toEqual([0, 0, 1, 2, 3]);
  expect(stage("transfer_to_human_agents")).toBe(3);
  expect(stage("transfer_money")).toBe(2);
});

test("what is no number says nothing", () => {
  const nan = (): number => Number.NaN;
  expect([...orderTools({ positions: Float64Array.of(Number.NaN, 0), stages: [0, 0], support: none })]).toEqual([0, 1]);
  expect([...orderTools({ positions: Float64Array.of(0, 1), stages: [0, 0], support: nan })]).toEqual([0, 1]);
  expect([...mentionPositions(Float32Array.of(600, 0.5, 0, 0.5), [asked, asked], [0, 0])]).toEqual([0, 0.5]);
});
