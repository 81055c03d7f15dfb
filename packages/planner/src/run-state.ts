import type { CallStatus } from "./run-calls.ts";

export interface RunOptions {
  /** Calls that may be made in all. Default 32. */
  readonly maxCalls?: number;
  /** Failures after which a sub-task is given up. Default 2. */
  readonly maxFailures?: number;
}

/** A call to be made now. */
export interface ReadyCall {
  /** What `report` is told. */
  readonly call: number;
  /** Tool id. */
  readonly tool: string;
  /** What the plan knows; the caller may add to them. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Names of required arguments that are left to the caller: choices, yes or no, and what has a default. */
  readonly unfilled: readonly string[];
  /** Of the sub-task it serves. */
  readonly goal: string;
}

/** What the user has to say before a call can be made. */
export interface RunQuestion {
  /** The call it is asked for: two calls of one tool may need two values. */
  readonly call: number;
  /** Id of the node. */
  readonly input: string;
  readonly tool: string;
  readonly question: string;
}

/** A value for an input of a call; `input` is the id of the node. */
export interface RunBinding {
  readonly call: number;
  readonly input: string;
  readonly value: unknown;
}

/** `stuck`: what is not done cannot be done without the caller. */
export type RunStatus = "ready" | "running" | "needs-user" | "done" | "stuck" | "out-of-budget" | "aborted";
/** φ of a sub-task. */
export type TaskStatus = "waiting" | "done" | "failed" | "no-tool";

/** S = (C, R, I) of HyperAgent, Definition 4, as plain data: what was called, how the sub-tasks stand, what is known. */
export interface RunState {
  readonly status: RunStatus;
  readonly calls: readonly { readonly call: number; readonly tool: string; readonly status: CallStatus }[];
  readonly subTasks: readonly TaskStatus[];
  /** The values that calls have for their inputs: of the request, of results that were accepted, and what the user said. */
  readonly bindings: readonly RunBinding[];
  readonly questions: readonly RunQuestion[];
}
