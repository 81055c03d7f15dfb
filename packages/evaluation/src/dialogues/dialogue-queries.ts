import type { LabelledQuery } from "@setwise/core";
import type { Measurement } from "../measure.ts";
import type { QueryResult } from "../query-result.ts";
import { type Dialogue, type Scenario, scenarios } from "./dialogue.ts";

/** A turn as a query: a pipeline that looks at `messages` knows the conversation, one that looks at `query` alone the last words only. */
export interface DialogueQuery extends LabelledQuery {
  /** The conversation up to and with the user's words of this turn. */
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
}

export interface DialogueQueriesOptions {
  /**
   * What `query` is: the user's words alone (`"turn"`, the default), those with all that was said before (`"history"`), or the annotated
   * tasks (`"tasks"`), which shows what a perfect decomposition would be worth.
   */
  readonly text?: "turn" | "history" | "tasks";
}

/** The turns of dialogues as labelled queries, each with the conversation before it. */
export function dialogueQueries(
  dialogues: readonly Dialogue[],
  options: DialogueQueriesOptions = {},
): readonly DialogueQuery[] {
  const { text = "turn" } = options;
  return dialogues.flatMap(({ id, turns }) =>
    turns.map((turn, index) => {
      const messages: DialogueQuery["messages"] = [
        ...turns.slice(0, index).flatMap(({ user, assistant }) => [
          { role: "user" as const, content: user },
          { role: "assistant" as const, content: assistant },
        ]),
        { role: "user", content: turn.user },
      ];
      const query = {
        turn: turn.user,
        history: messages.map(({ content }) => content).join("\n"),
        tasks: turn.tasks.map((task) => task.text).join("\n"),
      }[text];
      return {
        id: turnId(id, turn.round),
        query,
        tools: turn.tools,
        subset: turns.length === 1 ? "single-turn" : "multi-turn",
        candidates: turn.candidates,
        messages,
      };
    }),
  );
}

/** The measures of MagicSelector's table 6 for one kind of turn; NaN where no turn of the kind needs a tool. */
export interface ScenarioReport {
  readonly scenario: Scenario | "all";
  readonly turns: number;
  readonly ndcg10: number;
  readonly completeness10: number;
  /** Share of turns for which exactly the right tools were selected. */
  readonly exactMatch: number;
  /** Share of turns for which no right tool was missing among the selected. */
  readonly complete: number;
}

/** NDCG@10 and C@10 by scenario, from a measurement of `dialogueQueries`, and how right the selected sets are. */
export function scenarioReport(dialogues: readonly Dialogue[], measurement: Measurement): readonly ScenarioReport[] {
  const kinds = new Map<string, readonly Scenario[]>(
    dialogues.flatMap(({ id, turns }) => turns.map((turn) => [turnId(id, turn.round), turn.scenarios] as const)),
  );
  const of = (scenario: Scenario): readonly QueryResult[] =>
    measurement.results.filter((result) => kinds.get(result.id)?.includes(scenario) === true);
  return [
    groupOf("all", measurement.results),
    ...scenarios.map((scenario) => groupOf(scenario, of(scenario))).filter(({ turns }) => turns > 0),
  ];
}

function groupOf(scenario: ScenarioReport["scenario"], results: readonly QueryResult[]): ScenarioReport {
  const served = results.filter(({ goldSize }) => goldSize > 0);
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    scenario,
    turns: results.length,
    ndcg10: mean(served.map(({ ranking }) => ranking["ndcg@10"])),
    completeness10: mean(served.map(({ ranking }) => ranking["completeness@10"])),
    exactMatch: mean(results.map(({ set }) => set.exactMatch)),
    complete: mean(results.map(({ set }) => set.complete)),
  };
}

function turnId(dialogue: string, round: number): string {
  return `${dialogue}#${round}`;
}
