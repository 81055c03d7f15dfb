import { createCatalog, type LabelledQuery, type Tool } from "@setwise/core";
import { buildIndex, type ToolIndex } from "@setwise/retriever";
import { readQueries, readToolsOf, trainSplits } from "./data-sets.ts";
import { mulberry32 } from "./random.ts";

const MOST_QUERIES = 1000;
const SMALL_CATALOGS = 40;
const QUERIES_PER_SMALL_CATALOG = 8;
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

/** The data sets to fit on, at most a thousand queries a split. */
export async function readTrainSets(folder: string): Promise<TrainSet[]> {
  const sets: TrainSet[] = [];
  for (const name of new Set(trainSplits.map((split) => split.dataSet))) {
    const { tools } = await readToolsOf(folder, name);
    const queries: LabelledQuery[] = [];
    for (const split of trainSplits) {
      if (split.dataSet === name) queries.push(...(await readQueries(folder, split, MOST_QUERIES)));
    }
    sets.push({ name, tools, index: buildIndex(createCatalog(tools)), queries });
  }
  return sets;
}

/** Catalogs of 5 to 300 tools, sizes spread evenly on a logarithmic scale: constants must hold for small ones too. */
export function smallCatalogs(set: TrainSet, others: readonly TrainSet[]): SmallCatalog[] {
  const random = mulberry32(SEED);
  const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  return Array.from({ length: SMALL_CATALOGS }, () => {
    const size = 5 * Math.exp(random() * Math.log(Math.min(set.tools.length, 300) / 5));
    const own = Array.from({ length: QUERIES_PER_SMALL_CATALOG }, () => any(set.queries));
    const ids = new Set(own.flatMap((query) => query.tools));
    while (ids.size < size) ids.add(any(set.tools).id);
    const index = buildIndex(createCatalog(set.tools.filter((tool) => ids.has(tool.id))));
    return { index, own, foreign: own.map(() => any(any(others).queries)) };
  });
}
