import type { Encoder } from "@setwise/core";
import type { SubTaskCandidates } from "@setwise/planner";
import { encodeQuery, retrieve, type ToolIndex } from "@setwise/retriever";
import { hasWords } from "./query-text.ts";

/** What a sub-task leans on says little of which tool it wants, and without it "close it again" says nothing. */
const CONTEXT_SHARE = 0.2;
/** What the whole request says of a tool, so that a part that says little does not go astray. */
const WHOLE_SHARE = 0.1;
/** Tools that may serve one sub-task; further ones are never tried. */
const MOST_CANDIDATES = 50;
/** A tool that has nothing to do with the request may still bring what another needs: a login. */
const LEAST_RELEVANCE = 0.05;

/** What scores texts against the tools. */
export interface TextScoring {
  readonly index: ToolIndex;
  readonly encoder: Encoder | undefined;
  /** Ordinals of the only tools that may be found. */
  readonly allow: Uint32Array | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A part of the request, in what it asks and what it leans on. */
export interface RequestPart {
  readonly goal: string;
  readonly clause: string;
  readonly context: string;
}

/** For each part the tools that may serve it, best first: by what it asks, and by shares for what it leans on and for the whole. */
export async function candidatesOfParts(
  scoring: TextScoring,
  parts: readonly RequestPart[],
  query: string,
): Promise<readonly SubTaskCandidates[]> {
  const whole = await scoresOf(scoring, query);
  const found: SubTaskCandidates[] = [];
  for (const { goal, clause, context } of parts) {
    const scores = new Map(await scoresOf(scoring, clause));
    const shares = [
      [CONTEXT_SHARE, await scoresOf(scoring, context)],
      [WHOLE_SHARE, whole],
    ] as const;
    for (const [share, further] of shares) {
      for (const [tool, score] of further) scores.set(tool, (scores.get(tool) ?? 0) + share * score);
    }
    const best = [...scores].sort(([a, x], [b, y]) => y - x || a - b).slice(0, MOST_CANDIDATES);
    const ids = Uint32Array.from(best, ([tool]) => tool);
    found.push({ goal, ids, scores: Float32Array.from(best, ([, score]) => score) });
  }
  return found;
}

/** How well each tool fits the whole request, by ordinal: its share of the best score, never nothing. */
export async function relevanceOf(scoring: TextScoring, query: string): Promise<Float32Array> {
  const { tools } = scoring.index.catalog;
  const relevance = new Float32Array(tools.length).fill(LEAST_RELEVANCE);
  const scores = await scoresOf({ ...scoring, allow: undefined }, query);
  const best = Math.max(0, ...scores.values());
  for (const [tool, score] of scores) relevance[tool] = Math.max(LEAST_RELEVANCE, best === 0 ? 0 : score / best);
  return relevance;
}

async function scoresOf(
  { index, encoder, allow, signal }: TextScoring,
  text: string,
): Promise<ReadonlyMap<number, number>> {
  if (!hasWords(text)) return new Map();
  const stop = signal === undefined ? {} : { signal };
  const vectors = encoder === undefined ? undefined : await encodeQuery(index, encoder, text, stop);
  const { ids, scores } = retrieve(index, text, {
    k: index.catalog.tools.length,
    ...(vectors === undefined ? {} : { vectors }),
    ...(allow === undefined ? {} : { allow }),
  });
  return new Map(Array.from(ids, (tool, place) => [tool, scores[place] ?? 0]));
}
