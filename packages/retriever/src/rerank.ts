import {
  isFloat32Array,
  type PairScorer,
  SEARCHED_QUERY_CHARACTERS,
  SetwiseError,
  shownName,
  untilAborted,
} from "@setwise/core";
import { embeddedText } from "./embedded-text.ts";
import { ownCopy } from "./own-copy.ts";
import { DEFAULT_CANDIDATES, type Retrieval } from "./retrieve.ts";
import type { ToolIndex } from "./tool-index.ts";

export interface RerankOptions {
  /** Reads the query and one tool's text at a time. */
  readonly scorer: PairScorer;
  /** So many of the first candidates are put to it (50); those behind stay where they are. */
  readonly count?: number;
  /** The parts of the query, if each is to be asked for by itself: a tool then counts by the part it fits best. */
  readonly subQueries?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface Reranking extends Retrieval {
  /** The scorer's name. */
  readonly scorer: string;
  /** By new place, for the candidates that were put to the scorer: what it gave, 0 for the worst of them to 1 for the best. */
  readonly relevance: Float32Array;
  /** By new place, of equal length: the place, from 0, that the first stage gave it. */
  readonly firstPlaces: Uint32Array;
}

/**
 * The candidates of {@link retrieve} in the order of a re-ranker: the first 50 are put to it, and its scores are min–max
 * normalised over them; with several sub-queries for each of these, and a tool keeps its largest, so that the best one of each comes
 * first (MagicSelector, stage 2; ToolScope). Equal ones, and so all of them where the re-ranker has no opinion, stay as they were.
 * None is dropped, a tool named in the query least of all.
 *
 * The order is the re-ranker's, the scores are still the first stage's: the i-th tool gets the i-th best of them. What sizes a set and says
 * that nothing fits was measured on that scale, and no re-ranker knows it.
 *
 * @throws SetwiseError `aborted`, what the scorer throws, and `invalid-argument` for what is no query, scorer, `count` or list of
 * sub-queries, for a scorer that does not give one finite number for each text, and for candidates with ordinals that the index does not have.
 */
export async function rerank(
  index: ToolIndex,
  query: string,
  retrieval: Retrieval,
  options: RerankOptions,
): Promise<Reranking> {
  const fault = argumentFault(query, options);
  if (fault !== undefined) throw new SetwiseError("invalid-argument", `To re-rank, ${fault}.`);
  const { scorer, count = DEFAULT_CANDIDATES, subQueries = [], signal } = options;
  const first = retrieval.ids.subarray(0, count);
  const texts = textsOf(index, first);
  const relevance = new Float64Array(first.length);
  const asked = subQueries.length === 0 ? [query] : subQueries;
  let order: Float32Array | Float64Array = relevance;
  for (const text of texts.length === 0 ? [] : asked) {
    const scores = await scoresOf(scorer, text.slice(0, SEARCHED_QUERY_CHARACTERS), texts, signal);
    keepLargest(relevance, scores);
    // Where one score is far below all others, as of a text that is ruled out, normalising would make those equal.
    if (asked.length === 1) order = scores;
  }
  const places = Uint32Array.from(first.keys()).sort((a, b) => order[b]! - order[a]! || a - b);
  const ids = retrieval.ids.slice();
  for (const [place, before] of places.entries()) ids[place] = first[before]!;
  return {
    ...retrieval,
    ids,
    scores: retrieval.scores.slice(),
    scorer: scorer.name,
    relevance: Float32Array.from(places, (before) => relevance[before]!),
    firstPlaces: places,
  };
}

/** What is wrong with what the caller gave, if anything, as the rest of a sentence. */
function argumentFault(query: unknown, options: Partial<RerankOptions> | null | undefined): string | undefined {
  const { scorer, count = 0, subQueries = [] } = options ?? {};
  if (typeof query !== "string") return `query must be a text, but is ${typeof query}`;
  if (typeof scorer?.score !== "function" || typeof scorer.name !== "string")
    return "the options must hold a scorer with a name and a score function";
  if (!Number.isSafeInteger(count) || count < 0)
    return `count must be a whole number of 0 or more, but is ${String(count)}`;
  return Array.isArray(subQueries) && subQueries.every((text) => typeof text === "string")
    ? undefined
    : 'subQueries must be a list of texts, such as ["refund the order", "send a mail"]';
}

function textsOf({ catalog }: ToolIndex, ids: Uint32Array): readonly string[] {
  return Array.from(ids, (ordinal) => {
    const tool = catalog.tools[ordinal];
    if (tool !== undefined) return embeddedText(tool);
    throw new SetwiseError(
      "invalid-argument",
      `The candidates have the tool ${ordinal}, but the catalog only ${catalog.tools.length}; re-rank what \`retrieve\` gave for the same index.`,
    );
  });
}

/** Raises each relevance to what these scores, min–max normalised, make of it; scores that are all the same raise none. */
function keepLargest(relevance: Float64Array, scores: Float32Array): void {
  const least = scores.reduce((low, score) => Math.min(low, score), Infinity);
  const range = scores.reduce((high, score) => Math.max(high, score), -Infinity) - least;
  if (range === 0) return;
  for (const [place, score] of scores.entries()) {
    relevance[place] = Math.max(relevance[place]!, (score - least) / range);
  }
}

/** Asks the scorer, and does not trust it. */
async function scoresOf(
  scorer: PairScorer,
  query: string,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  const scores = await untilAborted(signal, async () =>
    ownCopy(await scorer.score(query, texts, signal === undefined ? {} : { signal })),
  );
  const isColumn = isFloat32Array(scores);
  const fits = isColumn && scores.length === texts.length;
  const wrong = fits ? scores.findIndex((score) => !Number.isFinite(score)) : -1;
  if (fits && wrong < 0) return scores;
  const length = isColumn ? `${scores.length} numbers` : `no Float32Array but ${typeof scores}`;
  const got = fits ? `${String(scores[wrong])} for text ${wrong}` : length;
  throw new SetwiseError(
    "invalid-argument",
    `The re-ranker ${shownName(scorer.name)} must give one finite number for each of ${texts.length} texts, but gave ${got}.`,
  );
}
