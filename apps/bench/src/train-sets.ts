import { createCatalog, type LabelledQuery, SetwiseError, type Tool } from "@setwise/core";
import { buildIndex, type ToolIndex } from "@setwise/retriever";
import { mulberry32 } from "@setwise/testkit/random";
import { readQueries, readToolsOf, type Split, trainSplits } from "./data-sets.ts";

const MOST_QUERIES = 1000;
const SMALL_CATALOGS = 40;
const QUERIES_PER_SMALL_CATALOG = 8;
/** Tools of the smallest and the largest of the small catalogs. */
const SMALLEST = 5;
const LARGEST = 300;
const SEED = 11;

/** A data set whose train or dev queries constants may be fitted on. */
export interface TrainSet {
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly index: ToolIndex;
  readonly queries: readonly LabelledQuery[];
}

/** Some of a data set's tools with queries that they serve and queries of other data sets. */
export interface SmallCatalog {
  readonly index: ToolIndex;
  readonly own: readonly LabelledQuery[];
  readonly foreign: readonly LabelledQuery[];
}

/** The data sets of some splits, at most a thousand queries a split. */
export async function readTrainSets(folder: string, splits: readonly Split[] = trainSplits): Promise<TrainSet[]> {
  const sets: TrainSet[] = [];
  for (const name of new Set(splits.map((split) => split.dataSet))) {
    const { tools } = await readToolsOf(folder, name);
    const queries: LabelledQuery[] = [];
    for (const split of splits) {
      if (split.dataSet === name) queries.push(...(await readQueries(folder, split, MOST_QUERIES)));
    }
    sets.push({ name, tools, index: buildIndex(createCatalog(tools)), queries });
  }
  return sets;
}

/**
 * Catalogs of 5 to 300 tools, sizes spread evenly on a logarithmic scale: constants must hold for small ones too.
 *
 * @throws SetwiseError `invalid-argument` where they cannot be drawn: from fewer than five tools, or from no queries.
 */
export function smallCatalogs(set: TrainSet, others: readonly TrainSet[]): SmallCatalog[] {
  const available = new Set(set.tools.map((tool) => tool.id)).size;
  const foreign = others.filter((other) => other.queries.length > 0);
  if (available < SMALLEST || set.queries.length === 0 || foreign.length === 0 || foreign.length < others.length) {
    throw new SetwiseError(
      "invalid-argument",
      `Small catalogs need a data set of at least ${SMALLEST} tools with queries, and others with queries; ${set.name} has ${available} tools and ${set.queries.length} queries, and ${foreign.length} of ${others.length} others have queries.`,
    );
  }
  const random = mulberry32(SEED);
  const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  return Array.from({ length: SMALL_CATALOGS }, () => {
    // At most as many as there are, or the drawing would not end.
    const size = SMALLEST * Math.exp(random() * Math.log(Math.min(available, LARGEST) / SMALLEST));
    const own = Array.from({ length: QUERIES_PER_SMALL_CATALOG }, () => any(set.queries));
    const ids = new Set(own.flatMap((query) => query.tools));
    while (ids.size < Math.min(size, available)) ids.add(any(set.tools).id);
    const index = buildIndex(createCatalog(set.tools.filter((tool) => ids.has(tool.id))));
    return { index, own, foreign: own.map(() => any(any(others).queries)) };
  });
}
