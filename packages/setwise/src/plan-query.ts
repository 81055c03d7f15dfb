import type { Calibration } from "@setwise/adaptive-k";
import { createCatalog, type Decomposer, type Encoder, refuseAborted, SetwiseError, untilAborted } from "@setwise/core";
import {
  buildHypergraph,
  decompose,
  DeficitExpansion,
  type DriveOptions,
  drivePlan,
  planMermaid,
  type PlanRequest,
  type PlanRun,
  planTools,
  readSubTasks,
  replayTrace,
  type RunOptions,
  startPlan,
  type ToolPlan,
  type TraceEvent,
} from "@setwise/planner";
import { chooseTools } from "./choose-tools.ts";
import { findCandidates } from "./find-candidates.ts";
import type { GraphKeeper } from "./graph-keeper.ts";
import { conversationTurns, type Message, queryText } from "./query-text.ts";
import { type Constraints, readConstraints } from "./select-options.ts";
import type { SelectorState } from "./selector-state.ts";
import { findForParts, type RequestPart } from "./sub-task-candidates.ts";
import { toolGraph } from "./tool-graph.ts";
import { userWords } from "./user-words.ts";

export interface PlanOptions {
  /** Splits the request; by its clauses if it is not given. See `createLanguageModelDecomposer` of `@setwise/planner`. */
  readonly decomposer?: Decomposer;
  /** Ids (or names, where unique) of the only tools to plan with. */
  readonly allow?: readonly string[];
  /** Ids (or names, where unique) of tools not to plan with. */
  readonly exclude?: readonly string[];
  /** Whether a tool that creates or changes something may be added only because it gives back what another needs. Default: no. */
  readonly allowMutating?: boolean;
  readonly signal?: AbortSignal;
}

/** How a plan is carried out by calls of your own. */
export type CarryOutOptions = RunOptions & DriveOptions;

/** What is to be known of a plan. */
export interface PlanProblem {
  /** `nothing-fits`: no tool fits the request; `decomposer`: it gave more than is planned; `graph`: what the links rest on. */
  readonly code: "nothing-fits" | "decomposer" | "graph";
  readonly message: string;
}

/** A plan for a query; what follows from it is made on demand. */
export interface QueryPlan {
  readonly plan: ToolPlan;
  /** What is to be known of the plan: that nothing fits the request, or that no tool says what it gives back. */
  readonly problems: readonly PlanProblem[];
  /** The plan as a Mermaid flow chart. */
  mermaid(): string;
  /** Begins to carry it out, with you in charge: nothing is called, and you report what came of the calls that the run hands out. */
  start(options?: RunOptions): PlanRun;
  /** Carries it out to its end by `execute`, and gives back the run with its state and its trace. */
  carryOut(options: CarryOutOptions): Promise<PlanRun>;
  /**
   * A run again from its trace, to the same state.
   *
   * @throws SetwiseError `corrupt-file` for the trace of another plan.
   */
  replay(trace: readonly TraceEvent[], options?: RunOptions): PlanRun;
}

const optionNames = new Set(["decomposer", "allow", "exclude", "allowMutating", "signal"]);

/** What is planned with. */
export interface PlanSource {
  readonly state: Pick<SelectorState, "index" | "folded" | "links" | "model">;
  readonly encoder: Encoder | undefined;
  /** What a log says of refusals, if there is one. */
  readonly calibration: Calibration | undefined;
  readonly graphs: GraphKeeper;
}

/** Decomposes the query, finds tools for each part, and plans their calls. */
export async function planQuery(
  { state, encoder, calibration, graphs }: PlanSource,
  query: string | readonly Message[],
  options: PlanOptions = {},
): Promise<QueryPlan> {
  checkOptions(options);
  const { index } = state;
  const { decomposer, allow, exclude, allowMutating = false, signal } = options;
  const text = queryText(query);
  const constraints = readConstraints(index.catalog, {
    ...(allow === undefined ? {} : { allow }),
    ...(exclude === undefined ? {} : { exclude }),
  });
  refuseAborted(signal);
  const { parts: given, problem } = await subTasksOf(query, decomposer, signal);
  const { isFit, encoded } = await fitsSomething({ state, encoder, calibration, constraints, signal }, text, given);
  // Links are of no use where there is nothing to link, and a large catalog takes seconds to read.
  const expansion = isFit ? await toolGraph(graphs, state, encoder, signal) : withoutTools();
  const scoring = { index, encoder, allow: constraints.allowed, signal, encoded };
  const request: PlanRequest = {
    query: text,
    said: userWords(query),
    ...(isFit
      ? await findForParts(scoring, given, text)
      : { subTasks: given.map(({ goal }) => ({ goal, ...noCandidates })) }),
    allowMutating,
    ...(isFit && constraints.allowed !== undefined ? { allow: constraints.allowed } : {}),
  };
  const plan = planTools(expansion, request);
  return Object.freeze({
    plan,
    problems: [
      ...(isFit ? [] : problemsOf("nothing-fits", ["No tool fits the request, so there is nothing to plan."])),
      ...problemsOf("decomposer", problem === undefined ? [] : [problem]),
      ...problemsOf(
        "graph",
        expansion.graph.problems.map(({ message }) => message),
      ),
    ],
    mermaid: () => planMermaid(expansion.graph, plan),
    start: (runOptions) => startPlan(expansion, request, runOptions),
    carryOut: async (carrying) => {
      checkCarrying(carrying);
      const { maxCalls, maxFailures, ...driving } = carrying;
      const limits = {
        ...(maxCalls === undefined ? {} : { maxCalls }),
        ...(maxFailures === undefined ? {} : { maxFailures }),
      };
      const run = startPlan(expansion, request, limits);
      await drivePlan(run, driving);
      return run;
    },
    replay: (trace, runOptions) => replayTrace(expansion, request, trace, runOptions),
  } satisfies QueryPlan);
}

async function subTasksOf(
  query: string | readonly Message[],
  decomposer: Decomposer | undefined,
  signal: AbortSignal | undefined,
): Promise<{ readonly parts: readonly RequestPart[]; readonly problem?: string }> {
  const turns = conversationTurns(query);
  if (decomposer === undefined) return { parts: decompose(turns) };
  const { subTasks, ...told } = readSubTasks(
    await untilAborted(signal, () => decomposer.decompose(turns)),
    decomposer.name,
  );
  return { parts: subTasks.map(({ goal }) => ({ goal, clause: goal, context: "" })), ...told };
}

function problemsOf(code: PlanProblem["code"], messages: readonly string[]): readonly PlanProblem[] {
  return [...new Set(messages)].map((message) => ({ code, message }));
}

const withoutTools = (): DeficitExpansion => new DeficitExpansion(buildHypergraph(createCatalog([])));

const noCandidates = { ids: new Uint32Array(0), scores: new Float32Array(0) };

interface Gate extends Omit<PlanSource, "graphs"> {
  readonly constraints: Constraints;
  readonly signal: AbortSignal | undefined;
}

/**
 * Whether `select` would hand over a tool for the request, or, where that says too little by itself, for one of its parts; and the vectors of the texts it
 * had to ask with.
 */
async function fitsSomething(
  { state: { index, model }, constraints, ...setting }: Gate,
  text: string,
  parts: readonly RequestPart[],
): Promise<{ readonly isFit: boolean; readonly encoded: ReadonlyMap<string, Float32Array> }> {
  const encoded = new Map<string, Float32Array>();
  if (parts.length === 0 || index.catalog.tools.length === 0) return { isFit: true, encoded };
  for (const asked of new Set([text, ...parts.map(({ goal }) => goal)])) {
    const found = await findCandidates(index, asked, constraints, { ...setting, reranker: undefined, model });
    if (found.vectors !== undefined) encoded.set(asked, found.vectors);
    if (chooseTools(index, asked, constraints, found).rule !== "nothing-fits") return { isFit: true, encoded };
  }
  return { isFit: false, encoded };
}

function checkCarrying(options: Partial<CarryOutOptions> | null | undefined): void {
  const { execute, ask } = options ?? {};
  if (typeof execute === "function" && (ask === undefined || typeof ask === "function")) return;
  throw new SetwiseError(
    "invalid-argument",
    "carryOut needs { execute }, a function that makes a call, and may have `ask`, a function too.",
  );
}

function checkOptions(options: PlanOptions): void {
  if (typeof options !== "object" || options === null) {
    throw new SetwiseError("invalid-argument", `Expected an object of options, but got ${String(options)}.`);
  }
  const { decomposer } = options;
  if (decomposer !== undefined && typeof (decomposer as Partial<Decomposer> | null)?.decompose !== "function") {
    throw new SetwiseError(
      "invalid-argument",
      "decomposer must have a function `decompose`; leave it out for clauses.",
    );
  }
  const unknown = Object.keys(options).find((name) => !optionNames.has(name));
  if (unknown === undefined) return;
  throw new SetwiseError(
    "invalid-argument",
    `There is no option "${unknown}"; expected ${[...optionNames].join(", ")}.`,
  );
}
