import { SetwiseError } from "@setwise/core";
import type { DeficitExpansion } from "./expand-deficit.ts";
import type { PlanRequest } from "./plan-calls.ts";
import { PlanRun } from "./run-plan.ts";
import type { RunOptions } from "./run-state.ts";
import type { TraceEvent } from "./run-trace.ts";

/**
 * The same run again, from what came from outside. The graph, the request and the options must be those of the first run.
 *
 * @throws SetwiseError `corrupt-file` where the trace is not one of such a run: an entry has another form, or it reports, answers or calls
 *   what the plan does not, or calls it with other arguments.
 */
export function replayTrace(
  expansion: DeficitExpansion,
  request: PlanRequest,
  trace: readonly TraceEvent[],
  options: RunOptions = {},
): PlanRun {
  if (!Array.isArray(trace)) throw corrupt("The trace is no list of entries.");
  const run = new PlanRun(expansion, request, options);
  for (const [position, event] of (trace as readonly TraceEvent[]).entries()) {
    try {
      replayEvent(run, event, position);
    } catch (cause) {
      if (!SetwiseError.isInstance(cause) || cause.code !== "invalid-argument") throw cause;
      throw corrupt(`Entry ${position} of the trace fits no run of this plan: ${cause.message}`, position, cause);
    }
  }
  return run;
}

function replayEvent(run: PlanRun, event: TraceEvent, position: number): void {
  switch (event?.kind) {
    case "called": {
      const [call] = run.take(1);
      if (call?.call !== event.call || call.tool !== event.tool) {
        const planned = call?.tool ?? "nothing";
        throw corrupt(
          `Entry ${position} of the trace calls ${String(event.tool)}, but the plan calls ${planned}.`,
          position,
        );
      }
      if (!isSameJson(call.arguments, event.arguments)) {
        throw corrupt(`Entry ${position} of the trace calls ${call.tool} with other arguments.`, position);
      }
      return;
    }
    case "result":
      run.report(event.call, { result: event.value });
      return;
    case "error":
      if (typeof event.message !== "string") break;
      run.report(event.call, { error: event.message });
      return;
    case "answered":
      run.answer(event.input, event.value, event.call);
      return;
    case "aborted":
      run.abort(event.reason);
      return;
    case "rejected":
    case "replanned":
    case "gave-up":
      return;
  }
  throw corrupt(`Entry ${position} of the trace is no entry of a run.`, position);
}

/** Equal as a file has them; what cannot be written as JSON is taken on trust. */
function isSameJson(a: unknown, b: unknown): boolean {
  try {
    return JSON.stringify(a) === JSON.stringify(b);
  } catch {
    return true;
  }
}

function corrupt(what: string, position?: number, cause?: unknown): SetwiseError {
  return new SetwiseError(
    "corrupt-file",
    `${what} Replay a trace with the graph, request and options it was made with.`,
    { ...(position === undefined ? {} : { position }), ...(cause === undefined ? {} : { cause }) },
  );
}
