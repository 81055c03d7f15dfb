import type { Catalog } from "@setwise/core";
import type { AtomicTask, CompositionMode, ContextDecision, Scenario } from "./dialogue.ts";
import { needsTool } from "./states.ts";
import { sceneOf } from "./tool-scenes.ts";

/** So many different states in one turn are a hybrid. */
const HYBRID_STATES = 3;

/**
 * The kinds that a turn is of, from its tasks: by its tools (one; several of one category, or of more), by how it stands to the turn before
 * (adds a task, switches the domain, goes on with something unfinished), by clarification, correction and failure, and by how mixed its states are.
 */
export function scenariosOf(
  context: ContextDecision,
  tasks: readonly AtomicTask[],
  catalog: Catalog,
): readonly Scenario[] {
  const tools = new Set(tasks.filter(({ intent }) => needsTool(intent)).map(({ tool }) => tool));
  const scenes = new Set([...tools].map((id) => sceneOfId(id, catalog)));
  const does = (...intents: readonly AtomicTask["intent"][]): boolean =>
    tasks.some(({ intent }) => intents.includes(intent));
  const ends = (...outcomes: readonly AtomicTask["state"][]): boolean =>
    tasks.some(({ state }) => outcomes.includes(state));
  const goesOn = does("answer", "choose", "accept", "retry", "check", "resume", "repeat");
  const found: readonly (readonly [Scenario, boolean])[] = [
    ["single-tool", tools.size === 1],
    ["same-category multi-tool", tools.size > 1 && scenes.size === 1],
    ["cross-category multi-tool", tools.size > 1 && scenes.size > 1],
    ["adds-task", context === "inherit" && does("request")],
    ["domain-switch", context === "switch"],
    ["unfinished-continuation", goesOn],
    ["clarification", does("answer", "choose", "accept")],
    ["correction", does("modify", "cancel")],
    ["abnormal", does("retry", "repeat") || ends("failure", "silent")],
    ["state-hybrid", new Set(tasks.map(({ state }) => state)).size >= HYBRID_STATES],
  ];
  return found.flatMap(([scenario, holds]) => (holds ? [scenario] : []));
}

/** The mode of the new requests of a turn; `undefined` where there is none. */
export function modeOf(tasks: readonly AtomicTask[], catalog: Catalog): CompositionMode | undefined {
  const fresh = tasks.filter(({ intent }) => intent === "request");
  if (fresh.length === 0) return undefined;
  if (fresh.length === 1) return "single-tool";
  return new Set(fresh.map(({ tool }) => sceneOfId(tool, catalog))).size === 1 ? "multi-tool" : "multi-intent";
}

function sceneOfId(id: string, catalog: Catalog): string {
  const tool = catalog.tools[catalog.ordinalOf(id) ?? -1];
  return tool === undefined ? "" : sceneOf(tool);
}
