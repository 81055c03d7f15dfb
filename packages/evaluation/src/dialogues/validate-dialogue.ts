import type { Catalog, Tool } from "@setwise/core";
import { type AtomicTask, type Dialogue, type DialogueTurn, scenarios } from "./dialogue.ts";
import type { Pending } from "./plan-turn.ts";
import { modeOf, scenariosOf } from "./scenarios.ts";
import { speechProblems } from "./speech-problems.ts";
import { type InteractionState, needsTool, stateGiven, userIntentGiven } from "./states.ts";
import { canBe } from "./tool-scenes.ts";

/** A label of a dialogue that does not hold. */
export interface DialogueProblem {
  readonly dialogue: string;
  readonly round: number;
  readonly label: "context" | "mode" | "tasks" | "states" | "slots" | "tools" | "candidates" | "scenarios" | "speech";
  readonly sentence: string;
}

/**
 * Everything that is wrong with a dialogue, label by label: whether each transition of the state machine is possible, whether the labels
 * say what the tasks say, and whether the words keep to the rules. Empty for a sound one. Works on dialogues from a file as well.
 */
export function validateDialogue(dialogue: Dialogue, catalog: Catalog): readonly DialogueProblem[] {
  return dialogue.turns.flatMap((turn, index) => {
    const before = dialogue.turns[index - 1];
    const found: readonly (readonly [DialogueProblem["label"], readonly string[]])[] = [
      ["context", contextProblems(turn, index, before)],
      ["mode", same(turn.mode ?? "none", modeOf(turn.tasks, catalog) ?? "none")],
      ["tasks", taskProblems(turn)],
      ["states", turn.tasks.flatMap((task) => stateProblems(task, turn, { before, catalog }))],
      ["slots", turn.tasks.flatMap((task) => slotProblems(task, before))],
      ["tools", toolProblems(turn, catalog)],
      ["candidates", candidateProblems(turn, catalog)],
      ["scenarios", scenarioProblems(turn, catalog)],
      ["speech", speechProblems({ ...turn, tasks: pendingOf(turn, catalog) }, turn)],
    ];
    return found.flatMap(([label, sentences]) =>
      sentences.map((sentence) => ({ dialogue: dialogue.id, round: turn.round, label, sentence })),
    );
  });
}

function contextProblems(turn: DialogueTurn, index: number, before: DialogueTurn | undefined): readonly string[] {
  const problems: string[] = [];
  if (turn.round !== index) problems.push(`Round ${turn.round} is number ${index} of the dialogue.`);
  if ((index === 0) !== (turn.context === "start")) problems.push(`Round ${index} is said to be "${turn.context}".`);
  const tools = new Set(before?.tasks.map(({ tool }) => tool));
  const kept = turn.context === "switch" ? turn.tasks.find(({ tool }) => tools.has(tool)) : undefined;
  if (kept !== undefined) problems.push(`The topic is switched, but "${kept.tool}" goes on.`);
  return problems;
}

function taskProblems({ tasks }: DialogueTurn): readonly string[] {
  const problems = tasks.flatMap(({ text, tool }) =>
    text.trim() === "" ? [`The task for "${tool}" says nothing.`] : [],
  );
  if (tasks.length === 0) problems.push("There is no task.");
  if (new Set(tasks.map(({ tool }) => tool)).size < tasks.length) problems.push("Two tasks have one tool.");
  return problems;
}

function stateProblems(
  { tool: id, intent, state }: AtomicTask,
  { context }: DialogueTurn,
  { before, catalog }: { readonly before: DialogueTurn | undefined; readonly catalog: Catalog },
): readonly string[] {
  const problems: string[] = [];
  if ((stateGiven[intent]?.[state] ?? 0) === 0) problems.push(`"${state}" cannot come of "${intent}" ("${id}").`);
  const tool = toolOf(id, catalog);
  if (tool !== undefined && !canBe(tool, state)) problems.push(`"${id}" cannot be "${state}".`);
  if (intent === "request") return problems;
  const past = context === "inherit" ? before?.tasks.find((task) => task.tool === id)?.state : undefined;
  if (past === undefined) problems.push(`"${intent}" of "${id}" has nothing to go on from.`);
  else if ((userIntentGiven[past as InteractionState]?.[intent] ?? 0) === 0)
    problems.push(`"${intent}" cannot follow "${past}" ("${id}").`);
  return problems;
}

function slotProblems({ tool, intent, state, slot }: AtomicTask, before: DialogueTurn | undefined): readonly string[] {
  if (state === "ask-detail" && slot?.said !== false) return [`"${tool}" asks for a detail that was not left out.`];
  if (state !== "ask-detail" && slot?.said === false)
    return [`A detail of "${tool}" was left out, but it does not ask.`];
  const asked = before?.tasks.find((task) => task.tool === tool)?.slot;
  const answers =
    intent !== "answer" || (slot !== undefined && slot.name === asked?.name && slot.value === asked.value);
  return answers ? [] : [`The answer for "${tool}" is not what was asked for.`];
}

function toolProblems({ tasks, tools }: DialogueTurn, catalog: Catalog): readonly string[] {
  const needed = tasks.filter(({ intent }) => needsTool(intent)).map(({ tool }) => tool);
  const unknown = tasks.filter(({ tool }) => catalog.ordinalOf(tool) === undefined);
  return [
    ...same(tools.join(", "), needed.join(", ")),
    ...unknown.map(({ tool }) => `The catalog has no tool "${tool}".`),
  ];
}

function candidateProblems({ tools, candidates }: DialogueTurn, catalog: Catalog): readonly string[] {
  const offered = new Set(candidates);
  return [
    ...tools.filter((tool) => !offered.has(tool)).map((tool) => `"${tool}" is needed, but no candidate.`),
    ...candidates.filter((id) => catalog.ordinalOf(id) === undefined).map((id) => `The catalog has no tool "${id}".`),
    ...(offered.size < candidates.length ? ["A candidate is named twice."] : []),
  ];
}

function scenarioProblems(turn: DialogueTurn, catalog: Catalog): readonly string[] {
  const unknown = turn.scenarios.filter((scenario) => !scenarios.includes(scenario));
  if (unknown.length > 0) return [`"${unknown.join(", ")}" is no scenario.`];
  return same(turn.scenarios.join(", "), scenariosOf(turn.context, turn.tasks, catalog).join(", "));
}

function pendingOf({ tasks }: DialogueTurn, catalog: Catalog): readonly Pending[] {
  return tasks.flatMap((task) => {
    const tool = toolOf(task.tool, catalog);
    return tool === undefined ? [] : [{ ...task, tool }];
  });
}

function toolOf(id: string, catalog: Catalog): Tool | undefined {
  return catalog.tools[catalog.ordinalOf(id) ?? -1];
}

function same(said: string, holds: string): readonly string[] {
  return said === holds ? [] : [`It says "${said}", but "${holds}" holds.`];
}
