import type { Explanation } from "./explanation.ts";

/** Why a tool is in the answer: in the balanced set, a spare, asked for by the caller, or needed by another tool. */
export type ToolRole = "core" | "spare" | "required" | "support";

/** One chosen tool. */
export interface SelectedTool {
  readonly id: string;
  readonly name: string;
  readonly score: number;
  readonly role: ToolRole;
}

/** One chosen tool with the words that speak for it. */
export interface ExplainedTool extends SelectedTool {
  /** One sentence for a person. */
  readonly reason: string;
}

/** Tokens that the tools' definitions cost a prompt, before (all tools) and after (the chosen ones). */
export interface TokenUse {
  readonly before: number;
  readonly after: number;
}

export type SelectionStatus = "selected" | "nothing-fits";

/** The answer to one query. `tools` are the caller's own objects, in the order to present them. */
export interface Selection<T = unknown> {
  readonly query: string;
  readonly status: SelectionStatus;
  readonly tools: readonly T[];
  /** One entry for each of the first `k` of `tools`, in the same order; hosted entries follow in `tools` without one. */
  readonly chosen: readonly SelectedTool[];
  readonly candidates: readonly { readonly id: string; readonly score: number }[];
  readonly tokens: TokenUse;
  readonly k: number;
  /** Where nothing fits: the words of the query that no tool has, so that an agent can ask back; `candidates` are then the nearest tools. */
  readonly missing: readonly string[];
  /**
   * P(tool ∈ right set), in 0..1, by id, of the candidates that the size was chosen from, best first; what the caller requires is not
   * among them. Worked out when it is read.
   */
  readonly probabilities: ReadonlyMap<string, number>;
  /**
   * Why: its value is `k`, its first `k` children stand for `chosen` (value: the score; sentence: the reason; children: what a
   * re-ranker gave, where there is one, and the words), and one more for the best candidate that was left out. Worked out when it is read, which takes longer than choosing.
   */
  readonly explanation: Explanation;
}

/** The document that `setwise select --json` prints. */
export interface SelectionDocument {
  readonly query: string;
  readonly status: SelectionStatus;
  readonly tools: readonly ExplainedTool[];
  readonly candidates: readonly { readonly id: string; readonly score: number }[];
  readonly tokens: TokenUse;
  readonly k: number;
  /** As in {@link Selection}. */
  readonly missing: readonly string[];
  readonly timingsMs: Readonly<Record<string, number>>;
  readonly kernels: { readonly implementation: "native" | "typescript"; readonly simd: string };
}
