import type { Encoder, LabelledQuery } from "@setwise/core";
import { completenessAtK } from "@setwise/evaluation";
import { decompose } from "@setwise/planner";
import { encodeQuery, retrieve, type ToolIndex } from "@setwise/retriever";

/** C@10 of one way to read a request: as one text, by the retriever's own clauses, or by the sub-tasks of `decompose`. */
export interface ScoredDecomposition {
  readonly whole: number;
  readonly clauses: number;
  readonly subTasks: number;
}

const ASKED = 10;

/** The way to read requests that finds most on train or dev queries; of equal ones the first, as one text before parts. */
export function bestReading(onTrain: ScoredDecomposition): keyof ScoredDecomposition {
  const ways = ["whole", "clauses", "subTasks"] as const;
  return ways.reduce((best, way) => (onTrain[way] > onTrain[best] ? way : best));
}

/** What sub-tasks are worth in the score, which is a share of the whole and one of the best part. */
export async function decompositionQuality(
  index: ToolIndex,
  encoder: Encoder | undefined,
  queries: readonly LabelledQuery[],
): Promise<ScoredDecomposition> {
  const sums = { whole: 0, clauses: 0, subTasks: 0 };
  const complete = async ({ query, tools }: LabelledQuery, clauses: readonly string[] | undefined): Promise<number> => {
    const given = clauses === undefined ? {} : { clauses };
    const vectors = encoder === undefined ? undefined : await encodeQuery(index, encoder, query, given);
    const { ids } = retrieve(index, query, { k: ASKED, ...given, ...(vectors === undefined ? {} : { vectors }) });
    const ranking = Array.from(ids, (ordinal) => index.catalog.tools[ordinal]?.id ?? "");
    return completenessAtK(ranking, tools, ASKED);
  };
  for (const query of queries) {
    const parts = decompose([{ role: "user", text: query.query }]).map((task) => task.clause);
    sums.whole += await complete(query, [query.query]);
    sums.clauses += await complete(query, undefined);
    sums.subTasks += await complete(query, parts);
  }
  const { length } = queries;
  return { whole: sums.whole / length, clauses: sums.clauses / length, subTasks: sums.subTasks / length };
}
