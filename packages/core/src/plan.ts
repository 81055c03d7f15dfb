/** A part of the request that can be worked on by itself. */
export interface SubTask {
  readonly goal: string;
  /** Tool ids. */
  readonly tools: readonly string[];
}

/** Data that flows from one tool's output to another's input. */
export interface PlanEdge {
  readonly from: string;
  readonly output: string;
  readonly to: string;
  readonly input: string;
}

/** The document that `setwise plan --json` prints. */
export interface Plan {
  readonly query: string;
  readonly subTasks: readonly SubTask[];
  /** Tool ids in call order. */
  readonly tools: readonly string[];
  readonly edges: readonly PlanEdge[];
  /** Inputs that nothing provides. */
  readonly missing: readonly { readonly tool: string; readonly input: string }[];
}
