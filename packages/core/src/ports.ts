import type { SubTask } from "./plan.ts";
import type { ToolDefinition } from "./tool.ts";

/** Counts the tokens of a text: `tokenCounter.count("get_weather")` might be 2. Same text, same count. */
export interface TokenCounter {
  readonly name: string;
  count(text: string): number;
}

/** Texts to vectors: `encode(["a", "b"])` gives 2 × `dimensions` numbers, row by row, in the order of the texts. */
export interface Encoder {
  /**
   * What the vectors mean: kind, model and a short hash, such as `static:minilm-256:1f0c9a2e`. It changes whenever the
   * same text would get another vector, because caches and saved indexes carry it.
   */
  readonly name: string;
  readonly dimensions: number;
  /**
   * Rows of unit length; a text without any known token gives a row of zeros. Calls may overlap. The answer is the caller's own:
   * memory that no later call writes to, nor one at the same time. `as` says which side of the search the texts are on (`"document"` by
   * default), for models that want a prompt before each; others ignore it.
   */
  encode(
    texts: readonly string[],
    options?: { readonly as?: "query" | "document"; readonly signal?: AbortSignal },
  ): Promise<Float32Array>;
}

/** A cross-encoder: `score("refund it", ["a", "b"])` gives 2 numbers, in the order of the texts. */
export interface PairScorer {
  readonly name: string;
  /**
   * One finite number for each text, on any scale; higher is better. Calls may overlap. The answer is the caller's own: memory that
   * no later call writes to, nor one at the same time.
   */
  score(query: string, texts: readonly string[], options?: { readonly signal?: AbortSignal }): Promise<Float32Array>;
}

/** Scores, best first, to how many of them to keep: `cut(Float32Array.of(3, 2.9, 0.1))` might give `{ k: 2, reason: "…" }`. */
export interface CutPolicy {
  readonly name: string;
  /** Scores are finite and in order; 0 says that nothing fits. */
  cut(scores: Float32Array): PolicyCut;
}

/** What a {@link CutPolicy} says. */
export interface PolicyCut {
  /** How many of the first to keep, at most as many as there are scores. */
  readonly k: number;
  /** How many of them are the set itself; those behind are spare. All of them, if it is not given. */
  readonly coreSize?: number;
  /** Why so many, in a sentence. */
  readonly reason: string;
}

/** Decides whether two tools do the same job, so that one can stand for both. Its answer does not hang on which of the two comes first. */
export interface MergeJudge {
  readonly name: string;
  /** `cosine` is that of the two tools' vectors, where there are vectors. */
  judge(
    pair: readonly [ToolDefinition, ToolDefinition],
    options?: { readonly cosine?: number; readonly signal?: AbortSignal },
  ): Promise<{
    readonly same: boolean;
    /** Why, in a sentence. */
    readonly reason: string;
    /** What would change the decision, in a sentence. */
    readonly wouldChange?: string;
  }>;
}

/** A conversation, oldest turn first, to sub-tasks. */
export interface Decomposer {
  readonly name: string;
  decompose(
    turns: readonly { readonly role: "user" | "assistant"; readonly text: string }[],
  ): Promise<readonly SubTask[]>;
}

/** A language model that answers one prompt with one text. */
export interface LanguageModel {
  readonly name: string;
  generate(prompt: string, options?: { readonly signal?: AbortSignal }): Promise<string>;
}
