import { openBackground, POOL_SIZE, priorFor, type RefusalGate, type SetPrior } from "@setwise/adaptive-k";
import { createCatalog, type Encoder, type LexicalEvidence } from "@setwise/core";
import { buildIndex, retrieve, type ToolIndex, toolNearness, words } from "@setwise/retriever";
import { readQueries, readToolsOf, type Split } from "./data-sets.ts";
import heldOutGates from "./held-out-gates.json" with { type: "json" };
import heldOutPriors from "./held-out-priors.json" with { type: "json" };
import type { LevelName } from "./levels.ts";
import { lookUp } from "./train-rows.ts";

/** A query of a test split with its first candidates and what says whether anything fits. */
export interface SetRow {
  readonly scores: Float32Array;
  readonly requests: number;
  readonly wordEvidence: number;
  /** Places of the right tools among the candidates. */
  readonly right: readonly number[];
  /** How many tools are right, found or not. */
  readonly rightTools: number;
  readonly evidence: LexicalEvidence;
  readonly bestCosine: number | undefined;
  readonly margin: number | undefined;
  /** Share of the query's words, by idf, that one of the first k candidates has, for k = 0 … n. */
  readonly wordsCovered: Float64Array;
  /** Place of the best tool by words alone among the candidates; −1 where it is not among them. */
  readonly bestByWords: number;
}

/** The constants that a data set is measured with: those fitted without it. */
export interface HeldOut {
  readonly prior: SetPrior;
  readonly gate: RefusalGate | undefined;
}

/** Looks the queries up in the tools of a data set, or each in its own candidates. */
export async function setRows(
  folder: string,
  split: Split,
  encoder: Encoder | undefined,
  {
    catalogOf = split.dataSet,
    ownCandidates = false,
  }: { readonly catalogOf?: string; readonly ownCandidates?: boolean } = {},
): Promise<SetRow[]> {
  const catalog = createCatalog((await readToolsOf(folder, catalogOf)).tools);
  const queries = await readQueries(folder, split);
  const background = encoder === undefined ? undefined : await openBackground(encoder.name);
  const whole = ownCandidates ? undefined : buildIndex(catalog);
  const rows: SetRow[] = [];
  const add = async (index: ToolIndex, some: typeof queries): Promise<void> => {
    for (const [place, { found, vectors, embeddings, right }] of (
      await lookUp({ index, queries: some }, encoder, POOL_SIZE)
    ).entries()) {
      const known = new Set(some[place]?.tools.filter((id) => index.catalog.ordinalOf(id) !== undefined));
      rows.push({
        scores: found.scores,
        requests: found.requests,
        wordEvidence: found.wordEvidence,
        right,
        rightTools: known.size,
        evidence: found.evidence,
        bestCosine: found.bestCosine,
        wordsCovered: wordsCovered(index, some[place]?.query ?? "", found.ids),
        bestByWords: found.ids.indexOf(retrieve(index, some[place]?.query ?? "", { k: 1 }).ids[0] ?? -1),
        margin:
          vectors === undefined || embeddings === undefined
            ? undefined
            : background?.margin(vectors, found.bestCosine ?? 0, toolNearness(embeddings)),
      });
    }
  };
  if (whole !== undefined) await add(whole, queries);
  else {
    for (const query of queries) {
      const offered = (query.candidates ?? []).flatMap((id) => catalog.tools[catalog.ordinalOf(id) ?? -1] ?? []);
      if (offered.length > 0) await add(buildIndex(createCatalog(offered)), [query]);
    }
  }
  return rows;
}

function wordsCovered({ vocabulary, idf, text }: ToolIndex, query: string, ids: Uint32Array): Float64Array {
  const gains = new Float64Array(ids.length + 1);
  let whole = 0;
  for (const word of new Set(words(query))) {
    const term = vocabulary.get(word);
    if (term === undefined) continue;
    whole += idf[term]!;
    const having = new Set(text.ordinals.subarray(text.offsets[term], text.offsets[term + 1]!));
    const first = ids.findIndex((id) => having.has(id));
    if (first >= 0) gains[first + 1]! += idf[term]!;
  }
  let sum = 0;
  return gains.map((gain) => (sum += gain) / (whole || 1));
}

/** The constants for a data set: fitted without it where it was fitted on, else those that are shipped. */
export async function heldOutFor(level: LevelName, encoder: Encoder | undefined, dataSet: string): Promise<HeldOut> {
  const priors: Readonly<Record<string, SetPrior>> = heldOutPriors[level];
  const gates: Readonly<Record<string, RefusalGate>> = level === "none" ? {} : heldOutGates[level];
  const background = encoder === undefined ? undefined : await openBackground(encoder.name);
  return { prior: priors[dataSet] ?? priorFor(encoder?.name), gate: gates[dataSet] ?? background?.gate };
}
