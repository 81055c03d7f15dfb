import { type Catalog, createCatalog, type Encoder, type LabelledQuery } from "@setwise/core";
import { buildIndex, embedTools, encodeQuery, retrieve, type ToolIndex } from "@setwise/retriever";
import { type CleanQuery, type SetQuery, type TrainingData, type TrainingFeature } from "@setwise/set-scorer";

/** Tools that a feature names. */
const NAMED = 100;

/** A catalog that queries can be looked up in. */
export interface Library {
  readonly catalog: Catalog;
  readonly index: ToolIndex;
  readonly encoder: Encoder;
}

/** A query with all that a set scorer is told of it. */
export interface PreparedQuery extends SetQuery {
  readonly text: string;
  /** Ordinals, ascending. */
  readonly gold: Uint32Array;
}

/** Encodes tools. */
export async function openLibrary(tools: Catalog["tools"], encoder: Encoder): Promise<Library> {
  const catalog = createCatalog(tools);
  return { catalog, encoder, index: await embedTools(buildIndex(catalog), encoder) };
}

/** Encodes and looks up queries; those without a known tool are left out. */
export async function prepareQueries(
  { catalog, index, encoder }: Library,
  queries: readonly LabelledQuery[],
): Promise<PreparedQuery[]> {
  const prepared: PreparedQuery[] = [];
  for (const { query, tools } of queries) {
    const known = tools.map((id) => catalog.ordinalOf(id)).filter((ordinal) => ordinal !== undefined);
    if (known.length === 0) continue;
    const vectors = await encodeQuery(index, encoder, query);
    const hybrid = retrieve(index, query, { k: NAMED, vectors });
    const words = retrieve(index, query, { k: NAMED });
    const best = words.scores[0] ?? 1;
    prepared.push({
      text: query,
      gold: Uint32Array.from(new Set(known)).sort(),
      vector: vectors.slice(0, encoder.dimensions),
      features: {
        hybrid: { ids: hybrid.ids, values: hybrid.scores },
        words: { ids: words.ids, values: words.scores.map((score) => score / best) },
      },
      requests: hybrid.requests,
    });
  }
  return prepared;
}

/** Prepared queries as a log to train from. */
export function trainingData({ catalog, index, encoder }: Library, queries: readonly PreparedQuery[]): TrainingData {
  const queryVectors = new Float32Array(queries.length * encoder.dimensions);
  for (const [row, { vector }] of queries.entries()) queryVectors.set(vector, row * encoder.dimensions);
  return {
    catalog,
    encoder: encoder.name,
    toolVectors: index.embeddings?.vectors ?? new Float32Array(0),
    queries: queries.map(({ text, gold }): CleanQuery => ({ text, tools: gold, weight: 1 })),
    queryVectors,
    features: ["hybrid", "words"].map((name) => featureOf(name, queries)),
    requests: Uint32Array.from(queries, ({ requests = 1 }) => requests),
  };
}

function featureOf(name: string, queries: readonly PreparedQuery[]): TrainingFeature {
  const offsets = new Uint32Array(queries.length + 1);
  for (const [row, { features }] of queries.entries())
    offsets[row + 1] = offsets[row]! + (features[name]?.ids.length ?? 0);
  const tools = new Uint32Array(offsets[queries.length]!);
  const values = new Float32Array(tools.length);
  for (const [row, { features }] of queries.entries()) {
    tools.set(features[name]?.ids ?? [], offsets[row]);
    values.set(features[name]?.values ?? [], offsets[row]);
  }
  return { name, offsets, tools, values };
}
