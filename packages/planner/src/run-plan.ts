import { SetwiseError, thrownMessage, type Tool } from "@setwise/core";
import { mayChange } from "./call-stage.ts";
import { readyCalls } from "./check-calls.ts";
import { describePlan, questionFor, type ToolPlan } from "./describe-plan.ts";
import type { DeficitExpansion } from "./expand-deficit.ts";
import { plainResult } from "./plain-result.ts";
import { planCalls, type PlanRequest } from "./plan-calls.ts";
import { queryValues } from "./query-values.ts";
import { RunAnswers } from "./run-answers.ts";
import {
  argumentsOf,
  expectedOf,
  hasValues,
  isBlocked,
  type KnownValues,
  movedCalls,
  type RunCall,
  valueOf,
} from "./run-calls.ts";
import type { ReadyCall, RunOptions, RunQuestion, RunState, RunStatus, TaskStatus } from "./run-state.ts";
import type { TraceEvent } from "./run-trace.ts";
import { resultProblem } from "./verify-result.ts";

/** A call of a sub-task that fails this often is given back to the caller. */
const DEFAULT_FAILURES = 2;
const DEFAULT_CALLS = 32;

const none = new Uint32Array(0);

/**
 * A plan that is being carried out. It calls nothing: `take` hands out the calls that can be made now, `report` is told what came of
 * them. A result is verified before anything rests on it; after a failure what remains is planned anew without the tool that failed, until a
 * sub-task has failed twice, or at once where it was to change something: no other tool stands in for that. See `startPlan`.
 */
export class PlanRun {
  readonly #expansion: DeficitExpansion;
  readonly #request: PlanRequest;
  readonly #maxCalls: number;
  readonly #maxFailures: number;
  readonly #trace: TraceEvent[] = [];
  readonly #answers = new RunAnswers();
  readonly #named = new Set<string>();
  readonly #failedTools = new Set<number>();
  readonly #failures: number[];
  readonly #givenUp = new Set<number>();
  #calls: RunCall[] = [];
  #nextId = 0;
  #taken = 0;
  #aborted = false;

  constructor(expansion: DeficitExpansion, request: PlanRequest, options: RunOptions = {}) {
    this.#expansion = expansion;
    this.#request = request;
    this.#maxCalls = wholeNumber("maxCalls", options.maxCalls ?? DEFAULT_CALLS);
    this.#maxFailures = wholeNumber("maxFailures", options.maxFailures ?? DEFAULT_FAILURES);
    this.#failures = request.subTasks.map(() => 0);
    for (const { value } of queryValues(request.said ?? request.query)) this.#named.add(String(value).toLowerCase());
    this.#plan();
  }

  /** The plan as it stands now, what was called first. */
  get plan(): ToolPlan {
    return describePlan(this.#expansion.graph, this.#request, this.#calls);
  }

  /** What happened so far; with `replayTrace` the same run again. */
  get trace(): readonly TraceEvent[] {
    return [...this.#trace];
  }

  get status(): RunStatus {
    if (this.#aborted) return "aborted";
    if (this.#calls.some((call) => call.status === "running")) return "running";
    if (this.#ready().length > 0) return this.#taken < this.#maxCalls ? "ready" : "out-of-budget";
    if (this.questions.length > 0) return "needs-user";
    return this.#tasks().every((task) => task === "done") ? "done" : "stuck";
  }

  get state(): RunState {
    const { nodes } = this.#expansion.graph;
    const bindings = this.#calls.flatMap(({ id: call, inputs }) =>
      inputs.flatMap(({ input, source }) => {
        const value = valueOf(this.#known, call, source, input);
        return value === undefined ? [] : [{ call, input: nodes[input]?.id ?? "", value }];
      }),
    );
    return {
      status: this.status,
      calls: this.#calls.map(({ id, tool, status }) => ({ call: id, tool: this.#idOf(tool), status })),
      subTasks: this.#tasks(),
      bindings,
      questions: this.questions,
    };
  }

  /** What the user has to say, of calls that were not made yet. */
  get questions(): readonly RunQuestion[] {
    const { nodes, catalog } = this.#expansion.graph;
    return this.#calls.flatMap((call) => {
      if (call.status !== "waiting" || isBlocked(this.#calls, call)) return [];
      return this.#openInputs(call).map((input) => ({
        call: call.id,
        input: nodes[input]?.id ?? "",
        tool: this.#idOf(call.tool),
        question: questionFor(catalog.tools[call.tool]?.name ?? "", nodes[input]),
      }));
    });
  }

  /** The calls that can be made now, at most `most` of them, with their arguments; each is handed out once. */
  take(most: number = Infinity): readonly ReadyCall[] {
    if (this.#aborted) return [];
    const calls = this.#ready().slice(0, Math.min(most, this.#maxCalls - this.#taken));
    return calls.map((call) => {
      call.status = "running";
      this.#taken++;
      const tool = this.#idOf(call.tool);
      const values = argumentsOf(this.#known, call);
      this.#trace.push({ kind: "called", call: call.id, tool, arguments: values });
      const unfilled = requiredNames(this.#expansion.graph.catalog.tools[call.tool]).filter(
        (name) => !Object.hasOwn(values, name),
      );
      const goal = this.#request.subTasks[call.subTask]?.goal ?? "";
      return { call: call.id, tool, arguments: values, unfilled, goal };
    });
  }

  /**
   * What came of a call that `take` handed out.
   *
   * @throws SetwiseError `invalid-argument` for a call that is not under way.
   */
  report(id: number, outcome: { readonly result: unknown } | { readonly error: string }): void {
    const call = this.#calls.find((known) => known.id === id);
    if (call?.status !== "running") {
      throw new SetwiseError(
        "invalid-argument",
        `Call ${id} is not under way; report each call that take() gave once.`,
      );
    }
    if (typeof outcome !== "object" || outcome === null) {
      throw new SetwiseError(
        "invalid-argument",
        `Expected { result } or { error } of call ${id}, got ${typeof outcome}.`,
      );
    }
    if ("error" in outcome) {
      this.#trace.push({ kind: "error", call: id, message: outcome.error });
      this.#fail(call, outcome.error);
      return;
    }
    this.#trace.push({ kind: "result", call: id, value: outcome.result });
    const plain = this.#plain(call, outcome.result);
    const problem = "error" in plain ? plain.error : this.#problemOf(call, plain.value);
    if (problem === undefined) {
      call.status = "done";
      call.result = "value" in plain ? plain.value : undefined;
      return;
    }
    this.#trace.push({ kind: "rejected", call: id, reason: problem });
    this.#fail(call, problem);
  }

  /**
   * The user says a value, or of a precondition whether it holds: only `true` does. Of a question give its `call` too; without one the
   * first call that asks is meant, and if none asks every call. What remains is planned anew where this was not asked, or where the tool had
   * failed for want of it.
   *
   * @throws SetwiseError `invalid-argument` where there is no such input, or no such call that waits for it.
   */
  answer(input: string, value: unknown, call?: number): void {
    const { graph } = this.#expansion;
    const node = graph.nodeOf(input);
    const port = node === undefined ? undefined : graph.nodes[node];
    if (node === undefined || port === undefined || (port.kind !== "in" && port.kind !== "pre")) {
      throw new SetwiseError(
        "invalid-argument",
        `There is no input "${input}"; give one that \`questions\` names, such as "get_user#in/id".`,
      );
    }
    const asked = this.#calls.find(({ id, tool, status, ...known }) => {
      if (status !== "waiting" || tool !== port.tool) return false;
      return call === undefined ? this.#openInputs({ id, ...known }).includes(node) : id === call;
    });
    if (call !== undefined && asked === undefined) {
      throw new SetwiseError(
        "invalid-argument",
        `Call ${call} does not wait for "${input}"; give a call that \`questions\` names, or none.`,
      );
    }
    if (typeof value === "string") this.#named.add(value.trim().toLowerCase());
    this.#trace.push({ kind: "answered", input, value, ...(call === undefined ? {} : { call }) });
    const wasAsked = asked?.inputs.some((known) => known.input === node && known.source.kind === "user") === true;
    if (asked === undefined) this.#answers.sayFact(node, value);
    else this.#answers.sayOf(asked.id, node, value);
    if (wasAsked) return;
    this.#tryAgain(port.tool);
    this.#replan(`The user said what ${input} is.`);
  }

  /** {@link plainResult}; a result that throws when it is read stays as it is. */
  #plain({ tool }: RunCall, result: unknown): ReturnType<typeof plainResult> {
    const schema = this.#expansion.graph.catalog.tools[tool]?.outputSchema;
    try {
      return plainResult(result, schema?.["type"] === "string");
    } catch {
      return { value: result };
    }
  }

  /** {@link resultProblem}; a result that throws when it is read is one too. */
  #problemOf(call: RunCall, result: unknown): string | undefined {
    try {
      return resultProblem(this.#expansion.graph, expectedOf(this.#calls, call), result);
    } catch (cause) {
      return `The result cannot be read: ${thrownMessage(cause)}.`;
    }
  }

  /** Inputs of a call that only the user knows and has not said. */
  #openInputs({ id, inputs }: Pick<RunCall, "id" | "inputs">): readonly number[] {
    return inputs.flatMap(({ input, source }) =>
      source.kind === "user" && this.#answers.of(id, input) === undefined ? [input] : [],
    );
  }

  /** Ends the run: nothing is handed out any more. */
  abort(reason: string = "the caller ended it"): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#trace.push({ kind: "aborted", reason });
  }

  #fail(call: RunCall, reason: string): void {
    call.status = "failed";
    if (this.#aborted) return;
    this.#failedTools.add(call.tool);
    const failures = (this.#failures[call.subTask] ?? 0) + 1;
    this.#failures[call.subTask] = failures;
    if (failures >= this.#maxFailures || this.#isChange(call)) this.#giveUp(call.subTask, reason);
    this.#replan(reason);
  }

  /** Whether it was to change what its sub-task asked for: another tool would read instead, or change something else. */
  #isChange({ tool, isTerminal }: RunCall): boolean {
    const known = this.#expansion.graph.catalog.tools[tool];
    return isTerminal && known !== undefined && mayChange(known);
  }

  /** A change that failed may be tried again with what the user says now. */
  #tryAgain(tool: number): void {
    this.#failedTools.delete(tool);
    for (const { tool: failed, subTask, status } of this.#calls) {
      if (failed === tool && status === "failed" && (this.#failures[subTask] ?? 0) < this.#maxFailures)
        this.#givenUp.delete(subTask);
    }
  }

  #giveUp(subTask: number, reason: string): void {
    this.#givenUp.add(subTask);
    this.#trace.push({ kind: "gave-up", subTask, reason });
  }

  #replan(reason: string): void {
    this.#plan();
    const tools = this.#calls.filter((call) => call.status === "waiting").map((call) => this.#idOf(call.tool));
    this.#trace.push({ kind: "replanned", reason, tools });
  }

  /** Plans all that was not called yet; calls that were made stay, with their ids. */
  #plan(): void {
    const made = movedCalls(this.#calls, (call) => call.status !== "waiting");
    const tasks = this.#tasks();
    const planned = planCalls(this.#expansion, this.#request, {
      made,
      serves: made.map((call) => call.status !== "failed"),
      open: this.#request.subTasks.map(({ ids }, task) =>
        tasks[task] === "waiting" && !this.#isUnderWay(task)
          ? ids.filter((tool) => !this.#failedTools.has(tool))
          : none,
      ),
      given: this.#answers.knownNodes(this.#expansion.graph),
      failed: Uint32Array.from(this.#failedTools),
    });
    const before = this.#calls.filter((call) => call.status === "waiting");
    this.#calls = planned.map((call, place) => {
      if (made[place] !== undefined) return made[place];
      // A call that is still planned keeps its id, and with it what the user said for it.
      const same = before.findIndex(({ tool, subTask }) => tool === call.tool && subTask === call.subTask);
      const id = same < 0 ? this.#nextId++ : (before.splice(same, 1)[0]?.id ?? this.#nextId++);
      const inputs = call.inputs.map((known) =>
        this.#answers.isSaid(id, known.input) ? { ...known, source: { kind: "user" } as const } : known,
      );
      return { ...call, inputs, id, status: "waiting", result: undefined };
    });
  }

  /** Whether the last call of a sub-task is being made right now. */
  #isUnderWay(task: number): boolean {
    return this.#calls.some((call) => call.subTask === task && call.status === "running" && call.isTerminal);
  }

  #tasks(): readonly TaskStatus[] {
    return this.#request.subTasks.map(({ ids }, task) => {
      if (this.#calls.some((call) => call.subTask === task && call.status === "done" && call.isTerminal)) return "done";
      if (ids.length === 0) return "no-tool";
      const isHopeless = this.#givenUp.has(task) || ids.every((tool) => this.#failedTools.has(tool));
      return isHopeless ? "failed" : "waiting";
    });
  }

  /** The calls that wait for nothing, in order. */
  #ready(): readonly RunCall[] {
    const done = new Set([...this.#calls.keys()].filter((place) => this.#calls[place]?.status === "done"));
    return readyCalls(this.#calls, done).flatMap((place) => {
      const call = this.#calls[place];
      return call?.status === "waiting" && hasValues(this.#known, call) ? [call] : [];
    });
  }

  get #known(): KnownValues {
    return { graph: this.#expansion.graph, calls: this.#calls, answers: this.#answers, named: this.#named };
  }

  #idOf(tool: number): string {
    return this.#expansion.graph.catalog.tools[tool]?.id ?? "";
  }
}

function wholeNumber(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new SetwiseError("invalid-argument", `${name} must be a whole number of at least 1, but is ${String(value)}.`);
}

function requiredNames(tool: Tool | undefined): readonly string[] {
  const required = tool?.inputSchema["required"];
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}
