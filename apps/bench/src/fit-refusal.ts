import { type EvidenceKind, evidenceKind } from "@setwise/adaptive-k";
import { createCatalog, type LabelledQuery, type LexicalEvidence } from "@setwise/core";
import { buildIndex, retrieve, type ToolIndex } from "@setwise/retriever";
import { readQueries, readToolsOf, testSplits } from "./data-sets.ts";
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

interface Row {
  readonly evidence: LexicalEvidence;
  readonly fits: boolean;
  readonly weight: number;
}

export async function fitRefusal(folder: string, print: (line: string) => void): Promise<void> {
  const sets = await readTrainSets(folder);
  const rowsOf = sets.map((set) => rowsFor(set, sets));
  for (const fits of [true, false]) {
    print(`\ngiven that ${fits ? "something" : "nothing"} fits`);
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
  await report(folder, (evidence) => evidenceKind(evidence) !== "some", print);
}

/** Share of the rows' weight that has this kind of evidence. */
function shareOf(kind: EvidenceKind, rows: readonly Row[]): number {
  const weight = (some: readonly Row[]): number => some.reduce((sum, row) => sum + row.weight, 0);
  return weight(rows.filter((row) => evidenceKind(row.evidence) === kind)) / weight(rows);
}

/** What the rule does on the test splits; nothing is chosen by it. */
async function report(
  folder: string,
  refuses: (evidence: LexicalEvidence) => boolean,
  print: (line: string) => void,
): Promise<void> {
  const rates: number[] = [];
  for (const split of testSplits) {
    const { tools } = await readToolsOf(folder, split.dataSet);
    const catalog = createCatalog(tools);
    const rows = lookUp(buildIndex(catalog), await readQueries(folder, split));
    const refused = rows.filter((row) => refuses(row.evidence));
    rates.push(refused.length / rows.length);
    print(
      `test: ${split.dataSet} ${split.split}: refused ${percent(refused.length / rows.length)}, with a right tool in sight ${percent(refused.filter((row) => row.fits).length / rows.length)}`,
    );
  }
  print(`test: refused, mean over splits ${percent(rates.reduce((sum, rate) => sum + rate, 0) / rates.length)}`);

  const bfcl = createCatalog((await readToolsOf(folder, "bfcl")).tools);
  const irrelevant = await readQueries(folder, { dataSet: "bfcl", split: "irrelevance" });
  const own = irrelevant.filter((query) => {
    const offered = (query.candidates ?? []).flatMap((id) => bfcl.tools[bfcl.ordinalOf(id) ?? -1] ?? []);
    return refuses(retrieve(buildIndex(createCatalog(offered)), query.query, { k: 1 }).evidence);
  });
  print(`test: bfcl irrelevance, own candidates, refused ${percent(own.length / irrelevant.length)}`);
}

/** Every group of rows counts the same, however many there are. */
function rowsFor(set: TrainSet, sets: readonly TrainSet[]): Row[] {
  const others = sets.filter((other) => other !== set);
  const foreign = others.flatMap((other) => other.queries.slice(0, FOREIGN_QUERIES));
  const small = smallCatalogs(set, others);
  return [
    ...weigh(lookUp(set.index, set.queries)),
    ...weigh(lookUp(set.index, foreign)),
    ...weigh(small.flatMap((catalog) => lookUp(catalog.index, catalog.own))),
    ...weigh(small.flatMap((catalog) => lookUp(catalog.index, catalog.foreign))),
  ];
}

function weigh(rows: readonly Omit<Row, "weight">[]): Row[] {
  return rows.map((row) => ({ ...row, weight: 1000 / rows.length }));
}

/** What the words say of each query, and whether a right tool is in sight. */
function lookUp(index: ToolIndex, queries: readonly LabelledQuery[]): Omit<Row, "weight">[] {
  return queries.map(({ query, tools }) => {
    const { ids, evidence } = retrieve(index, query, { k: LOOKED_AT });
    return { evidence, fits: ids.some((ordinal) => tools.includes(index.catalog.tools[ordinal]?.id ?? "")) };
  });
}

const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
