import fc from "fast-check";
import { expect, test } from "vitest";
import { graphOf, testTool } from "../test/graph-of.ts";
import { checkCalls } from "./check-calls.ts";
import { startPlan } from "./drive-plan.ts";
import { replayTrace } from "./replay-trace.ts";
import { DeficitExpansion } from "./expand-deficit.ts";
import { planTools } from "./plan-tools.ts";

const NAMES = ["a", "b", "c", "d", "e", "f"] as const;
const DEEDS = ["get", "create", "find", "send"] as const;
const subset = fc.subarray([...NAMES], { maxLength: 3 });
/** Tools that take and give ids of a few kinds, so that rings and rivals are frequent. */
const toolsGiven = fc.array(fc.record({ deed: fc.constantFrom(...DEEDS), takes: subset, gives: subset }), {
  maxLength: 8,
});

type Given = readonly { readonly deed: string; readonly takes: readonly string[]; readonly gives: readonly string[] }[];

function graphFrom(given: Given): ReturnType<typeof graphOf> {
  const ids = (names: readonly string[]): string[] => names.map((name) => `${name}_id`);
  const tools = given.map(({ deed, takes, gives }, place) => testTool(`${deed}_${place}`, ids(takes), ids(gives)));
  const links = tools.flatMap((from, x) =>
    tools.flatMap((to, y) =>
      x === y
        ? []
        : (given[x]?.gives ?? [])
            .filter((name) => given[y]?.takes.includes(name) === true)
            .map(
              (name) =>
                [`${from.id}#out/${name}_id`, `${to.id}#in/${name}_id`, ((x * 7 + y * 3) % 10) / 10 + 0.1] as const,
            ),
    ),
  );
  return graphOf(tools, links);
}

const requestFor = (tools: number, picked: readonly number[]): Parameters<typeof planTools>[1] => ({
  query: "do it",
  subTasks: picked
    .filter((tool) => tool < tools)
    .map((tool) => ({ goal: `do ${tool}`, ids: Uint32Array.of(tool), scores: Float32Array.of(1) })),
});

test("whatever the graph, calls are in order, each required input has a source, and values come over links", () => {
  fc.assert(
    fc.property(toolsGiven, fc.array(fc.nat(7), { maxLength: 3 }), fc.boolean(), (given, picked, allowMutating) => {
      const graph = graphFrom(given);
      using expansion = new DeficitExpansion(graph);
      const plan = planTools(expansion, { ...requestFor(given.length, picked), allowMutating });
      expect(checkCalls(graph, plan.calls)).toEqual([]);
      expect(new Set(plan.tools).size).toBe(plan.tools.length);
    }),
    { numRuns: 300 },
  );
});

test("whatever tools answer, a run ends, and its trace gives the same state again", () => {
  const outcomes = fc.array(fc.constantFrom("good", "error", "empty", "wrong", "null"), {
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(toolsGiven, fc.array(fc.nat(7), { maxLength: 3 }), outcomes, (given, picked, answers) => {
      const graph = graphFrom(given);
      using expansion = new DeficitExpansion(graph);
      const request = requestFor(given.length, picked);
      const run = startPlan(expansion, request);
      let turn = 0;
      for (let step = 0; step < 100; step++) {
        const calls = run.take(1 + (turn % 3));
        const [question] = run.questions;
        if (calls.length === 0 && question === undefined) break;
        if (calls.length === 0 && question !== undefined) run.answer(question.input, "said");
        // What was handed out first need not be done first.
        for (const call of calls.toReversed()) {
          const answer = answers[turn++ % answers.length];
          const gives = given[Number(call.tool.split("_")[1])]?.gives ?? [];
          const good = Object.fromEntries(gives.map((name) => [`${name}_id`, `${name}${turn}`]));
          if (answer === "error") run.report(call.call, { error: "down" });
          else run.report(call.call, { result: { good, empty: {}, wrong: 7, null: null }[answer as "good"] });
        }
      }
      expect(["done", "stuck", "out-of-budget"]).toContain(run.status);
      const trace = JSON.parse(JSON.stringify(run.trace)) as typeof run.trace;
      expect(replayTrace(expansion, request, trace).state).toEqual(run.state);
    }),
    { numRuns: 300 },
  );
});
