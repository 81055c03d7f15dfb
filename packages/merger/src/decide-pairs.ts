import { type MergeJudge, SetwiseError, type ToolDefinition, untilAborted } from "@setwise/core";
import type { CandidatePair } from "./candidate-pairs.ts";
import { pairKey } from "./content-key.ts";
import { judgePair } from "./judge-pair.ts";

/** Questions a judge is asked at once. */
const DEFAULT_CONCURRENCY = 8;

/** What was decided about two tools. */
export interface PairDecision {
  readonly same: boolean;
  readonly reason: string;
  readonly wouldChange: string;
  /** Whether the judge had no answer and the words decided. */
  readonly fellBack?: boolean;
}

/** Remembers decisions by the content of the pair and the judge: a `Map` will do. */
export interface DecisionStore {
  get(key: string): PairDecision | undefined;
  set(key: string, decision: PairDecision): unknown;
}

/** The judge that goes by words and schemas. */
export const deterministicJudge: MergeJudge = {
  name: "words-3",
  judge: async ([a, b]) => judgePair(a, b),
};

export interface DecideOptions {
  readonly judge: MergeJudge;
  readonly store: DecisionStore | undefined;
  readonly signal: AbortSignal | undefined;
  readonly concurrency?: number;
  readonly onDecided: (decided: number) => void;
}

/** A decision for each pair, in their order; those the store knows are not asked for again. */
export async function decidePairs(
  tools: readonly ToolDefinition[],
  pairs: readonly CandidatePair[],
  options: DecideOptions,
): Promise<{ readonly decisions: readonly PairDecision[]; readonly remembered: number }> {
  const { store, onDecided, concurrency = DEFAULT_CONCURRENCY } = options;
  const decisions: PairDecision[] = Array.from({ length: pairs.length });
  let remembered = 0;
  let next = 0;
  let decided = 0;
  const work = async (): Promise<void> => {
    while (next < pairs.length) {
      const place = next++;
      const pair = pairs[place];
      const [a, b] = [tools[pair?.left ?? 0], tools[pair?.right ?? 0]];
      if (pair === undefined || a === undefined || b === undefined) continue;
      const key = keyOf(options.judge, a, b, pair);
      const known = store?.get(key);
      if (known !== undefined) remembered++;
      const decision = known ?? (await ask(a, b, pair, options));
      if (known === undefined) store?.set(key, decision);
      decisions[place] = decision;
      onDecided(++decided);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, work));
  return { decisions, remembered };
}

/** The cosine is part of what was decided on. */
function keyOf(judge: MergeJudge, a: ToolDefinition, b: ToolDefinition, { cosine }: CandidatePair): string {
  return `${judge.name}:${pairKey(a, b)}:${cosine === undefined ? "" : cosine.toFixed(3)}`;
}

async function ask(
  a: ToolDefinition,
  b: ToolDefinition,
  { cosine }: CandidatePair,
  { judge, signal }: DecideOptions,
): Promise<PairDecision> {
  const options = { ...(cosine === undefined ? {} : { cosine }), ...(signal === undefined ? {} : { signal }) };
  try {
    const answer = await untilAborted(signal, () => judge.judge([a, b], options));
    return {
      same: answer.same === true,
      reason: String(answer.reason),
      wouldChange: answer.wouldChange ?? "A pin.",
      ...((answer as { fellBack?: unknown }).fellBack === true ? { fellBack: true } : {}),
    };
  } catch (cause) {
    if (SetwiseError.isInstance(cause) && cause.code === "aborted") throw cause;
    const { same, reason, wouldChange } = judgePair(a, b);
    return {
      same,
      wouldChange,
      reason: `The judge ${judge.name} failed, so the words decided: ${reason}`,
      fellBack: true,
    };
  }
}
