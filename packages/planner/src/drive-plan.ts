import { refuseAborted, SetwiseError, thrownMessage, untilAborted } from "@setwise/core";
import type { DeficitExpansion } from "./expand-deficit.ts";
import type { PlanRequest } from "./plan-calls.ts";
import { PlanRun } from "./run-plan.ts";
import type { ReadyCall, RunOptions, RunQuestion, RunState } from "./run-state.ts";

export interface DriveOptions {
  /** Makes a call and gives what the tool gave back; what it throws is a failure of the call. */
  readonly execute: (call: ReadyCall, options: { readonly signal?: AbortSignal }) => Promise<unknown>;
  /** Asks the user; `undefined` where they do not know. Without it the run ends where only the user can help. */
  readonly ask?: (question: RunQuestion) => Promise<unknown>;
  readonly signal?: AbortSignal;
}

/** Begins to carry out the plan of a request. Nothing is called: see {@link PlanRun} and {@link drivePlan}. */
export function startPlan(expansion: DeficitExpansion, request: PlanRequest, options: RunOptions = {}): PlanRun {
  return new PlanRun(expansion, request, options);
}

/**
 * Drives a run to its end: makes all calls that are ready at the same time, reports what came of them, asks what only the user knows.
 * When the signal fires the run is aborted, and what was learned so far is in its state; that is no error.
 */
export async function drivePlan(run: PlanRun, { execute, ask, signal }: DriveOptions): Promise<RunState> {
  refuseSignal(signal);
  const stop = (): void => run.abort("the caller's signal fired");
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted === true) stop();
  try {
    for (let isMoving = true; isMoving;) {
      const calls = run.take();
      await Promise.all(calls.map((call) => makeCall(run, call, execute, signal)));
      isMoving = calls.length > 0 || (await askUser(run, ask, signal));
    }
  } finally {
    signal?.removeEventListener("abort", stop);
  }
  return run.state;
}

/** A signal that has fired already is an ordinary end of a run; what is no signal is a mistake. */
function refuseSignal(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) refuseAborted(signal);
}

async function makeCall(
  run: PlanRun,
  call: ReadyCall,
  execute: DriveOptions["execute"],
  signal: AbortSignal | undefined,
): Promise<void> {
  let outcome: { readonly result: unknown } | { readonly error: string };
  try {
    const result = await untilAborted(signal, () => execute(call, signal === undefined ? {} : { signal }));
    outcome = { result };
  } catch (cause) {
    outcome = { error: thrownMessage(cause) };
  }
  run.report(call.call, outcome);
}

/** Asks what is still open, one after the other; whether anything was answered. */
async function askUser(run: PlanRun, ask: DriveOptions["ask"], signal: AbortSignal | undefined): Promise<boolean> {
  if (ask === undefined || run.status !== "needs-user") return false;
  let isAnswered = false;
  for (const question of run.questions) {
    const value = await untilAborted(signal, () => ask(question)).catch((cause: unknown) => {
      if (SetwiseError.isInstance(cause) && cause.code === "aborted") return undefined;
      throw cause;
    });
    if (signal?.aborted === true) return false;
    if (value === undefined) continue;
    run.answer(question.input, value, question.call);
    isAnswered = true;
  }
  return isAnswered;
}
