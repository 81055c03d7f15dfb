import { createCatalog } from "@setwise/core";
import { expect, test } from "vitest";
import { testTool } from "../test/graph-of.ts";
import { withoutHarm } from "./destroying-tools.ts";

const catalog = createCatalog([
  testTool("delete_channel", []),
  testTool("post_message", []),
  testTool("write_file", []),
]);
const scoresFor = (goal: string): readonly number[] => {
  const task = { goal, ids: Uint32Array.of(0, 1, 2), scores: Float32Array.of(0.5, 0.375, 0.25) };
  return [...withoutHarm(task, catalog).scores];
};

test("a tool that destroys counts half where something else is asked for", () => {
  expect(scoresFor("post hello to the channel general")).toEqual([0.25, 0.375, 0.25]);
});

test.each(["delete the channel general", "get rid of the channel", "post a farewell and close the channel"])(
  "where the goal destroys nothing changes: %s",
  (goal) => {
    expect(scoresFor(goal)).toEqual([0.5, 0.375, 0.25]);
  },
);

test("a goal without a deed that is known changes nothing", () => {
  expect(scoresFor("elimina el canal general")).toEqual([0.5, 0.375, 0.25]);
});

test("a tool that only reads destroys nothing, whatever its name", () => {
  const reading = createCatalog([{ ...testTool("list_deleted_or_closed", []), annotations: { readOnlyHint: true } }]);
  const task = { goal: "list the channels", ids: Uint32Array.of(0), scores: Float32Array.of(0.5) };
  expect(withoutHarm(task, reading)).toEqual(task);
});
