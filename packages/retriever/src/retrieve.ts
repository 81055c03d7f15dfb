import {
  type Candidates,
  type Clause,
  clausesOf,
  countRequests,
  givenClause,
  type LexicalEvidence,
  SEARCHED_QUERY_CHARACTERS,
  SetwiseError,
} from "@setwise/core";
import { bestFirst } from "./best-first.ts";
import { gatherEvidence } from "./evidence.ts";
import { partsOf, scoreQuery } from "./score-query.ts";
import type { ToolIndex } from "./tool-index.ts";

/**
 * So many candidates are looked for and put to a re-ranker: enough to choose from, and the right tools are rarely further down. A re-ranker
 * reads each together with the query, which takes milliseconds.
 */
export const DEFAULT_CANDIDATES: number = 50;

export interface RetrieveOptions {
  /** At most so many candidates (50). */
  readonly k?: number;
  /** The parts of the query, if the caller knows them better than {@link splitClauses}. */
  readonly clauses?: readonly string[];
  /** The vectors of the query that `encodeQuery` gave: then tools are found by meaning as well as by words. */
  readonly vectors?: Float32Array;
  /** Ordinals of the only tools that may be candidates; all, if not given. */
  readonly allow?: Uint32Array;
}

export interface Retrieval extends Candidates {
  /** The parts of the query that were scored. */
  readonly clauses: readonly string[];
  /** How many of the parts ask for something, at least 1. */
  readonly requests: number;
  readonly evidence: LexicalEvidence;
  /** Largest cosine of a tool with the whole query; `undefined` without vectors. */
  readonly bestCosine: number | undefined;
  /**
   * What the words say: BM25F of the best tool for the whole query, in weights of a word that one tool alone has; infinite where a tool's
   * whole name of several words stands in the query. `fullEvidence` is compared with it.
   */
  readonly wordEvidence: number;
}

/**
 * The tools that have words of `query`, or are near in meaning where its vectors are given, best first; a tool whose exact name stands in the query is always among them, unless
 * there are more than `k` of those. Finding none is an ordinary outcome.
 *
 * @throws SetwiseError `invalid-argument` for a `k` that is no whole number of 0 or more, or an ordinal out of range.
 */
export function retrieve(index: ToolIndex, query: string, options: RetrieveOptions = {}): Retrieval {
  const k = options.k ?? DEFAULT_CANDIDATES;
  checkArguments(index, k, options.allow);
  const text = query.slice(0, SEARCHED_QUERY_CHARACTERS);
  const clauses = queryClauses(text, options.clauses);
  const { allow, vectors } = options;
  checkVectors(index, partsOf({ text, clauses }).length, vectors);
  const scored = scoreQuery(index, { text, clauses, allow, vectors });
  const { scores, tools, count, bestCosine, wordEvidence } = scored;
  const evidence = gatherEvidence(index, scored.queryWords, scored.scratch);
  const named = scored.named.filter((ordinal) => scores[ordinal]! > 0);
  const best = bestFirst(tools, count, scores, k).filter((ordinal) => scores[ordinal]! > 0);
  const ids = keepNamed(best, named, scores, k);
  return {
    ids,
    scores: Float32Array.from(ids, (ordinal) => scores[ordinal]!),
    clauses: clauses.map((clause) => clause.text),
    requests: countRequests(clauses),
    evidence: { ...evidence, namesTool: named.length > 0 },
    bestCosine,
    wordEvidence,
  };
}

/** The caller's clauses, or else those of the text. */
export function queryClauses(text: string, given: readonly string[] | undefined): readonly Clause[] {
  return given === undefined || given.length === 0 ? clausesOf(text) : given.map(givenClause);
}

function checkArguments(index: ToolIndex, k: number, allow: Uint32Array | undefined): void {
  if (!Number.isSafeInteger(k) || k < 0) {
    throw new SetwiseError("invalid-argument", `k must be a whole number of 0 or more, but is ${String(k)}.`);
  }
  const tools = index.catalog.tools.length;
  const wrong = allow?.find((ordinal) => ordinal >= tools);
  if (wrong !== undefined) {
    throw new SetwiseError(
      "invalid-argument",
      `allow must hold ordinals of the index's catalog, 0 to ${tools - 1}, but holds ${wrong}.`,
    );
  }
}

function checkVectors({ embeddings }: ToolIndex, parts: number, vectors: Float32Array | undefined): void {
  if (vectors === undefined) return;
  const expected = parts * (embeddings?.dimensions ?? 0);
  if (embeddings !== undefined && vectors instanceof Float32Array && vectors.length === expected) return;
  throw new SetwiseError(
    "invalid-argument",
    embeddings === undefined
      ? "There are vectors of the query, but the tools of this index are not encoded; encode them with `embedTools`."
      : `vectors must be the ${parts} rows of ${embeddings.dimensions} numbers that \`encodeQuery\` gives for this query and these clauses.`,
  );
}

/** Puts named tools that did not make the cut in the place of the last ones that are not named. */
function keepNamed(ids: Uint32Array, named: readonly number[], scores: Float32Array, k: number): Uint32Array {
  const missing = named.filter((ordinal) => !ids.includes(ordinal));
  if (missing.length === 0 || k === 0) return ids;
  const isNamed = new Set(named);
  const kept = [...ids];
  for (let place = kept.length - 1; place >= 0 && missing.length > 0; place--) {
    if (!isNamed.has(kept[place]!)) kept[place] = missing.shift()!;
  }
  return Uint32Array.from(kept.sort((a, b) => scores[b]! - scores[a]! || a - b));
}
