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
  /** Vectors of texts that were encoded already. */
  readonly encoded: ReadonlyMap<string, Float32Array>;
}

/** A part of the request, in what it asks and what it leans on. */
export interface RequestPart {
  readonly goal: string;
  readonly clause: string;
  readonly context: string;
}

/** What is found for a request. */
export interface FoundForParts {
  /** For each part the tools that may serve it, best first. */
  readonly subTasks: readonly SubTaskCandidates[];
  /** By ordinal, how well each tool fits the whole request: its share of the best score, never nothing. */
  readonly relevance: Float32Array;
}

/** For each part the tools that may serve it: by what it asks, and by shares for what it leans on and for the whole request. */
export async function findForParts(
  scoring: TextScoring,
  parts: readonly RequestPart[],
  query: string,
): Promise<FoundForParts> {
  const { tools } = scoring.index.catalog;
  const whole = await scoresOf(scoring, query, tools.length);
  const subTasks: SubTaskCandidates[] = [];
  for (const { goal, clause, context } of parts) {
    const scores = new Map(clause === query ? whole : await scoresOf(scoring, clause, MOST_CANDIDATES));
    const leanedOn = context === "" ? none : await scoresOf(scoring, context, MOST_CANDIDATES);
    for (const [share, further] of [
      [CONTEXT_SHARE, leanedOn],
      [WHOLE_SHARE, whole],
    ] as const) {
      for (const [tool, score] of further) scores.set(tool, (scores.get(tool) ?? 0) + share * score);
    }
    const best = [...scores].sort(([a, x], [b, y]) => y - x || a - b).slice(0, MOST_CANDIDATES);
    const ids = Uint32Array.from(best, ([tool]) => tool);
    subTasks.push({ goal, ids, scores: Float32Array.from(best, ([, score]) => score) });
  }
  return { subTasks, relevance: sharesOf(whole, tools.length) };
}

const none: ReadonlyMap<number, number> = new Map();

function sharesOf(scores: ReadonlyMap<number, number>, tools: number): Float32Array {
  const shares = new Float32Array(tools).fill(LEAST_RELEVANCE);
  const best = Math.max(0, ...scores.values());
  for (const [tool, score] of scores) shares[tool] = Math.max(LEAST_RELEVANCE, best === 0 ? 0 : score / best);
  return shares;
}

async function scoresOf(
  { index, encoder, allow, signal, encoded }: TextScoring,
  text: string,
  k: number,
): Promise<ReadonlyMap<number, number>> {
  if (!hasWords(text)) return new Map();
  const stop = signal === undefined ? {} : { signal };
  const vectors =
    encoder === undefined ? undefined : (encoded.get(text) ?? (await encodeQuery(index, encoder, text, stop)));
  const { ids, scores } = retrieve(index, text, {
    k,
    ...(vectors === undefined ? {} : { vectors }),
    ...(allow === undefined ? {} : { allow }),
  });
  return new Map(Array.from(ids, (tool, place) => [tool, scores[place] ?? 0]));
}
