import { type Encoder, type LabelledQuery } from "@setwise/core";
import { embedTools, encodeQuery, retrieve, type ToolIndex } from "@setwise/retriever";
import { encoderLevels } from "./levels.ts";
import { mean, meansOf, type RankingRow, rankingRow } from "./ranking-row.ts";
import { readTrainSets } from "./train-sets.ts";

/*
 * What words count beside meaning, clauses beside the whole query, and their votes, measured on train and dev queries for both encoders. The
 * values go into packages/retriever/src/lexical-options.ts by hand. Then the best setting of the three is chosen once without
 * each data set and measured on it: what the choice is worth on queries of a kind that it has not seen.
 */

const wordWeights = [0.3, 0.4, 0.5, 0.6, 0.7, 1];
const clauseShares = [0.3, 0.4, 0.5];
const clauseVotes = [0, 0.2, 0.4, 0.6];
const K = 10;

interface Encoded {
  readonly query: LabelledQuery;
  readonly vectors: Float32Array;
}

interface EncodedSet {
  readonly name: string;
  readonly index: ToolIndex;
  readonly queries: readonly Encoded[];
}

interface Setting {
  readonly wordWeight: number;
  readonly clauseShare: number;
  readonly clauseVote: number;
}

export async function tuneHybrid(
  folder: string,
  print: (line: string) => void,
  { cache }: { readonly cache?: string | undefined } = {},
): Promise<void> {
  const sets = await readTrainSets(folder);
  for (const { name, encoder } of await encoderLevels(cache)) {
    if (encoder === undefined) continue;
    print(`\n${name} (${encoder.name})`);
    const encoded: EncodedSet[] = [];
    for (const set of sets) encoded.push(await encodeSet(set.name, set.index, set.queries, encoder));
    const settings = wordWeights.flatMap((wordWeight) =>
      clauseShares.flatMap((clauseShare) =>
        clauseVotes.map((clauseVote): Setting => ({ wordWeight, clauseShare, clauseVote })),
      ),
    );
    const measured = settings.map((setting) => ({ setting, means: encoded.map((set) => measure(set, setting)) }));
    for (const { setting, means } of measured) {
      const each = means.map((row, i) => `${encoded[i]?.name} ${mean(row).toFixed(1)}`).join("  ");
      const columns = [0, 1, 2, 3].map((column) => mean(means.map((row) => row[column] ?? 0)).toFixed(1)).join(" ");
      print(
        `words ${setting.wordWeight}, clauses ${setting.clauseShare}, votes ${setting.clauseVote}: ${mean(means.map(mean)).toFixed(2)}  ${columns}  ${each}`,
      );
    }
    for (const [left, set] of encoded.entries()) {
      const without = (means: readonly (readonly number[])[]): number =>
        mean(means.filter((_, i) => i !== left).map(mean));
      const best = measured.reduce((a, b) => (without(b.means) > without(a.means) ? b : a));
      print(
        `chosen without ${set.name}, on it: ${JSON.stringify(best.setting)} ${mean(best.means[left] ?? []).toFixed(2)}`,
      );
    }
  }
}

async function encodeSet(
  name: string,
  words: ToolIndex,
  queries: readonly LabelledQuery[],
  encoder: Encoder,
): Promise<EncodedSet> {
  const index = await embedTools(words, encoder);
  const encoded: Encoded[] = [];
  for (const query of queries) encoded.push({ query, vectors: await encodeQuery(index, encoder, query.query) });
  return { name, index, queries: encoded };
}

function measure({ index: built, queries }: EncodedSet, setting: Setting): readonly number[] {
  const index: ToolIndex = { ...built, options: { ...built.options, ...setting } };
  const { tools, ordinalOf } = index.catalog;
  const rows = queries.flatMap(({ query, vectors }): RankingRow[] => {
    const { ids } = retrieve(index, query.query, { k: K, vectors });
    const ranking = Array.from(ids, (ordinal) => tools[ordinal]?.id ?? "");
    const row = rankingRow(ranking, query, (id) => ordinalOf(id) !== undefined);
    return row === undefined ? [] : [row];
  });
  return meansOf(rows);
}
