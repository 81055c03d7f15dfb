/** Against what all others are compared. */
export const FLOOR = "BM25";
/** The best of today, against which our levels are compared. */
export const RIVAL = "dense MiniLM";
/** The level whose encoder a cache may stand in for. */
export const CACHED_LEVEL = "minilm";
/** Our levels, each compared with the one before as well. */
const LEVELS: readonly string[] = ["none", "static", "minilm"];

const SUFFIX = " + rerank";

/** What a level is called with a re-ranker behind it. */
export function reranked(level: string): string {
  return level + SUFFIX;
}

/** Our level that a contender is, with or without a re-ranker; `undefined` for a rival. */
export function levelOf(contender: string): string | undefined {
  const level = contender.endsWith(SUFFIX) ? contender.slice(0, -SUFFIX.length) : contender;
  return LEVELS.includes(level) ? level : undefined;
}

/** The contender that one of ours adds something to: the level below, or the level alone where there is a re-ranker behind it. */
export function stepBefore(contender: string): string | undefined {
  const level = levelOf(contender);
  if (level === undefined) return undefined;
  return level === contender ? LEVELS[LEVELS.indexOf(level) - 1] : level;
}
