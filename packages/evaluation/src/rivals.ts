import { type Catalog, type Encoder, type LabelledQuery, schemaFields, type Tool } from "@setwise/core";
import type { PipelineAnswer } from "./measure.ts";

/*
 * What people choose tools with today, as plain functions: each gives all tools of a list, best first, for a query. Of Setwise
 * they have how a list and a schema are read (`Tool`, `schemaFields`) and, for `dense`, the encoder that runs the transformer;
 * how they split words, score and rank is their own.
 */

/** Ids of tools, best first. */
export type Ranker = (query: string) => Promise<readonly string[]>;

/** Words in lower case; camel case and snake case are split. */
function wordsOf(text: string): string[] {
  const split = text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2");
  return split.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

function textOf(tool: Tool): string {
  const parameters = schemaFields(tool.inputSchema).fields.map(({ name, description }) => `${name} ${description}`);
  return [tool.name, tool.description, ...parameters].join(" ");
}

function byScore(tools: readonly Tool[], scores: ArrayLike<number>): readonly string[] {
  const order = [...tools.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return order.map((ordinal) => tools[ordinal]?.id ?? "");
}

/**
 * Points for a query word in the name, in the description and in the names of the arguments. A guess of ours at what keyword
 * matchers do, from no framework's source; not tuned on any query.
 */
const POINTS = { name: 10, description: 5, parameters: 2 } as const;

/** BM25's usual constants (Robertson and Zaragoza 2009: k1 of 1.2 to 2, b of 0.5 to 0.8; 1.2 and 0.75 are Lucene's defaults). */
const K1 = 1.2;
const B = 0.75;

/**
 * A keyword matcher of the kind that agent frameworks have for searching tools: so many points for a query word in the name, fewer
 * for one in the description, fewer still for one in the arguments; no statistics.
 */
export function keywordMatcher(tools: readonly Tool[]): Ranker {
  const entries = tools.map((tool) => ({
    name: new Set(wordsOf(tool.name)),
    description: new Set(wordsOf(tool.description)),
    parameters: new Set(schemaFields(tool.inputSchema).fields.flatMap((field) => wordsOf(field.name))),
  }));
  return async (query) => {
    const words = new Set(wordsOf(query));
    const scores = entries.map(({ name, description, parameters }) => {
      let score = 0;
      for (const word of words)
        score +=
          POINTS.name * Number(name.has(word)) +
          POINTS.description * Number(description.has(word)) +
          POINTS.parameters * Number(parameters.has(word));
      return score;
    });
    return byScore(tools, scores);
  };
}

/** BM25 over name, description and arguments with their descriptions; no stop words, no stemming. */
export function plainBm25(tools: readonly Tool[]): Ranker {
  const scoresOf = bm25Scores(tools);
  return async (query) => byScore(tools, scoresOf(query));
}

/** The BM25 score of every tool, by its place in the list. */
export function bm25Scores(tools: readonly Tool[]): (query: string) => readonly number[] {
  const documents = tools.map((tool) => {
    const counts = new Map<string, number>();
    const words = wordsOf(textOf(tool));
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { counts, length: words.length };
  });
  const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length || 1;
  const frequency = new Map<string, number>();
  for (const { counts } of documents)
    for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  return (query) => {
    const words = new Set(wordsOf(query));
    return documents.map(({ counts, length }) => {
      let score = 0;
      for (const word of words) {
        const count = counts.get(word);
        if (count === undefined) continue;
        const having = frequency.get(word) ?? 0;
        const idf = Math.log(1 + (tools.length - having + 0.5) / (having + 0.5));
        score += (idf * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average));
      }
      return score;
    });
  };
}

/** Cosines of the query with name and description, by some encoder; the signal stops the encoding of the tools. */
export async function dense(
  tools: readonly Tool[],
  encoder: Encoder,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Ranker> {
  const texts = tools.map((tool) => `${tool.name}: ${tool.description}`);
  const rows = await encoder.encode(texts, options);
  const { dimensions } = encoder;
  return async (query) => {
    const vector = await encoder.encode([query], { as: "query" });
    const scores = tools.map((_, tool) => {
      let sum = 0;
      for (let i = 0; i < dimensions; i++) sum += (rows[tool * dimensions + i] ?? 0) * (vector[i] ?? 0);
      return sum;
    });
    return byScore(tools, scores);
  };
}

export interface RankerPipelineOptions {
  /** How many tools are handed over; 5 by default. */
  readonly k?: number;
  /** Offer each query only its own `candidates`, where it names some. */
  readonly ownCandidates?: boolean;
}

/** What products hand over, whatever the request. */
const FIXED_K = 5;

/** A ranker as a pipeline: its first `k` tools are selected, for every query. */
export function rankerPipeline(
  ranker: Ranker,
  catalog: Catalog,
  options: RankerPipelineOptions = {},
): (query: LabelledQuery) => Promise<PipelineAnswer> {
  const { k = FIXED_K, ownCandidates = false } = options;
  const tokensOf = (ids: Iterable<string>): number => {
    let sum = 0;
    for (const id of ids) sum += catalog.tokens[catalog.ordinalOf(id) ?? -1] ?? 0;
    return sum;
  };
  const everything = catalog.tokens.reduce((sum, tokens) => sum + tokens, 0);
  return async ({ query, candidates }) => {
    const all = await ranker(query);
    const own = ownCandidates && candidates !== undefined ? new Set(candidates) : undefined;
    const ranking = own === undefined ? all : all.filter((id) => own.has(id));
    const selected = ranking.slice(0, k);
    return {
      ranking,
      selected,
      tokens: { before: own === undefined ? everything : tokensOf(own), after: tokensOf(selected) },
    };
  };
}
