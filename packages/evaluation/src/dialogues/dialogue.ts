import type { InteractionState, UserIntent } from "./states.ts";

/** How the tools of new requests belong together. */
export type CompositionMode = "single-tool" | "multi-tool" | "multi-intent";

/** Whether a turn goes on with what is pending, or drops it all for something else. */
export type ContextDecision = "start" | "inherit" | "switch";

/** The ten kinds of turn; a turn may be of several. The paper has ten and names seven; the others are ours (see `scenariosOf`). */
export const scenarios = [
  "single-tool",
  "same-category multi-tool",
  "cross-category multi-tool",
  "adds-task",
  "domain-switch",
  "unfinished-continuation",
  "clarification",
  "correction",
  "abnormal",
  "state-hybrid",
] as const;
export type Scenario = (typeof scenarios)[number];

export interface Slot {
  readonly name: string;
  readonly value: string;
  readonly said: boolean;
}

/** One atomic task of a turn: the middle level of the annotation. */
export interface AtomicTask {
  /** The request by itself, with nothing left to the context. */
  readonly text: string;
  /** Id of the one tool that serves it. */
  readonly tool: string;
  readonly intent: UserIntent;
  /** What comes of it. */
  readonly state: InteractionState;
  /** An argument that the tool takes, and its value. Not `said` where the assistant has to ask for it; then the `answer` of a later turn says it. */
  readonly slot?: Slot;
}

/** One turn with its three levels: context (what was said), tasks, tools. */
export interface DialogueTurn {
  readonly round: number;
  readonly context: ContextDecision;
  /** Of the requests that are new in this turn; missing where none is. */
  readonly mode?: CompositionMode;
  readonly user: string;
  readonly assistant: string;
  readonly tasks: readonly AtomicTask[];
  /** Ids of the tools that the turn needs, in the order of its tasks: the gold set. */
  readonly tools: readonly string[];
  /** Ids of the gold tools and of others that may be confused with them, gold first. */
  readonly candidates: readonly string[];
  readonly scenarios: readonly Scenario[];
  /** Who wrote the texts of the turn. */
  readonly writer: string;
}

export interface Dialogue {
  readonly id: string;
  readonly seed: number;
  /** Content hash of the catalog it was made over. */
  readonly catalog: string;
  readonly turns: readonly DialogueTurn[];
}
