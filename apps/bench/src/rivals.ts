import type { Encoder, Tool } from "@setwise/core";
import { schemaFields } from "@setwise/core";

/*
 * What people choose tools with today, as plain functions: each gives all tools of a list, best first, for a query. Nothing of
 * Setwise is in them.
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
 * A keyword matcher as agent frameworks have it for searching tools: so many points for a query word in the name, fewer for one in
 * the description, fewer still for one in the arguments; no statistics.
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
        score += 10 * Number(name.has(word)) + 5 * Number(description.has(word)) + 2 * Number(parameters.has(word));
      return score;
    });
    return byScore(tools, scores);
  };
}

/** BM25 (k1 1.2, b 0.75) over name, description and arguments with their descriptions; no stop words, no stemming. */
export function plainBm25(tools: readonly Tool[]): Ranker {
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
  return async (query) => {
    const words = new Set(wordsOf(query));
    const scores = documents.map(({ counts, length }) => {
      let score = 0;
      for (const word of words) {
        const count = counts.get(word);
        if (count === undefined) continue;
        const having = frequency.get(word) ?? 0;
        const idf = Math.log(1 + (tools.length - having + 0.5) / (having + 0.5));
        score += (idf * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / average));
      }
      return score;
    });
    return byScore(tools, scores);
  };
}

/** Cosines of the query with name and description, by some encoder. */
export async function dense(tools: readonly Tool[], encoder: Encoder): Promise<Ranker> {
  const rows = await encoder.encode(tools.map((tool) => `${tool.name}: ${tool.description}`));
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
