import { type EvidenceKind, evidenceKind } from "@setwise/adaptive-k";
import { createCatalog, type Encoder, type LabelledQuery, type LexicalEvidence } from "@setwise/core";
import { buildIndex, embedTools, encodeQuery, retrieve, type ToolIndex } from "@setwise/retriever";
import { readQueries, readToolsOf, testSplits } from "./data-sets.ts";
import { staticEncoder } from "./static-encoder.ts";
import { readTrainSets, smallCatalogs, type TrainSet } from "./train-sets.ts";

/*
 * Measures P(kind of evidence | something fits) and P(kind | nothing fits) on train and dev queries. Something fits when a
 * gold tool is among the first five candidates; nothing does for queries of another data set, and for queries whose own tools
 * were not found (refusing those costs nothing). Over whole catalogs and small ones. The means over data sets go into
 * packages/adaptive-k/src/nothing-fits.ts by hand.
 */

const FOREIGN_QUERIES = 300;
const LOOKED_AT = 5;

const kinds: readonly EvidenceKind[] = ["none", "weak", "some"];

interface Evidenced {
  readonly evidence: LexicalEvidence;
  readonly bestCosine: number | undefined;
}

interface Row extends Evidenced {
  readonly fits: boolean;
  readonly weight: number;
}

const kindOf = ({ evidence, bestCosine }: Evidenced): EvidenceKind => evidenceKind(evidence, bestCosine);

export async function fitRefusal(folder: string, print: (line: string) => void): Promise<void> {
  const sets = await readTrainSets(folder);
  for (const encoder of [undefined, staticEncoder]) {
    print(`\nby words${encoder === undefined ? "" : ` and meaning (${encoder.name})`}`);
    const rowsOf: Row[][] = [];
    for (const set of sets) rowsOf.push(await rowsFor(set, sets, encoder));
    for (const fits of [true, false]) {
      print(`given that ${fits ? "something" : "nothing"} fits`);
      for (const kind of kinds) {
        const shares = rowsOf.map((rows) =>
          shareOf(
            kind,
            rows.filter((row) => row.fits === fits),
          ),
        );
        const each = sets.map((set, i) => `${set.name} ${percent(shares[i] ?? 0)}`).join(", ");
        print(
          `  ${kind.padEnd(5)} mean ${percent(shares.reduce((sum, share) => sum + share, 0) / shares.length)}: ${each}`,
        );
      }
    }
    await report(folder, encoder, print);
  }
}

/** Share of the rows' weight that has this kind of evidence. */
function shareOf(kind: EvidenceKind, rows: readonly Row[]): number {
  const weight = (some: readonly Row[]): number => some.reduce((sum, row) => sum + row.weight, 0);
  return weight(rows.filter((row) => kindOf(row) === kind)) / weight(rows);
}

/** What the rule does on the test splits; nothing is chosen by it. */
async function report(folder: string, encoder: Encoder | undefined, print: (line: string) => void): Promise<void> {
  const refuses = (row: Evidenced): boolean => kindOf(row) !== "some";
  const rates: number[] = [];
  for (const split of testSplits) {
    const { tools } = await readToolsOf(folder, split.dataSet);
    const rows = await lookUp(buildIndex(createCatalog(tools)), await readQueries(folder, split), encoder);
    const refused = rows.filter(refuses);
    rates.push(refused.length / rows.length);
    print(
      `test: ${split.dataSet} ${split.split}: refused ${percent(refused.length / rows.length)}, with a right tool in sight ${percent(refused.filter((row) => row.fits).length / rows.length)}`,
    );
  }
  print(`test: refused, mean over splits ${percent(rates.reduce((sum, rate) => sum + rate, 0) / rates.length)}`);

  const bfcl = createCatalog((await readToolsOf(folder, "bfcl")).tools);
  const irrelevant = await readQueries(folder, { dataSet: "bfcl", split: "irrelevance" });
  let refused = 0;
  for (const query of irrelevant) {
    const offered = (query.candidates ?? []).flatMap((id) => bfcl.tools[bfcl.ordinalOf(id) ?? -1] ?? []);
    const [row] = await lookUp(buildIndex(createCatalog(offered)), [query], encoder);
    if (row !== undefined && refuses(row)) refused++;
  }
  print(`test: bfcl irrelevance, own candidates, refused ${percent(refused / irrelevant.length)}`);
}

/** Every group of rows counts the same, however many there are. */
async function rowsFor(set: TrainSet, sets: readonly TrainSet[], encoder: Encoder | undefined): Promise<Row[]> {
  const others = sets.filter((other) => other !== set);
  const foreign = others.flatMap((other) => other.queries.slice(0, FOREIGN_QUERIES));
  const small = smallCatalogs(set, others);
  const own: Omit<Row, "weight">[] = [];
  const strange: Omit<Row, "weight">[] = [];
  for (const catalog of small) {
    own.push(...(await lookUp(catalog.index, catalog.own, encoder)));
    strange.push(...(await lookUp(catalog.index, catalog.foreign, encoder)));
  }
  return [
    ...weigh(await lookUp(set.index, set.queries, encoder)),
    ...weigh(await lookUp(set.index, foreign, encoder)),
    ...weigh(own),
    ...weigh(strange),
  ];
}

function weigh(rows: readonly Omit<Row, "weight">[]): Row[] {
  return rows.map((row) => ({ ...row, weight: 1000 / rows.length }));
}

/** What words and meaning say of each query, and whether a right tool is in sight. */
async function lookUp(
  words: ToolIndex,
  queries: readonly LabelledQuery[],
  encoder: Encoder | undefined,
): Promise<Omit<Row, "weight">[]> {
  const index = encoder === undefined ? words : await embedTools(words, encoder);
  const rows: Omit<Row, "weight">[] = [];
  for (const { query, tools } of queries) {
    const meaning = encoder === undefined ? {} : { vectors: await encodeQuery(index, encoder, query) };
    const { ids, evidence, bestCosine } = retrieve(index, query, { k: LOOKED_AT, ...meaning });
    const fits = ids.some((ordinal) => tools.includes(index.catalog.tools[ordinal]?.id ?? ""));
    rows.push({ evidence, bestCosine, fits });
  }
  return rows;
}

const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
