import type { EvidenceKind } from "@setwise/adaptive-k";
import { encoderLevels } from "./levels.ts";
import { mean } from "./ranking-row.ts";
import { inPercent, refusalEvidence, type RefusalEvidence } from "./refusal-evidence.ts";
import { foreignQueries, ownQueries, type Weighed, weighedRows } from "./train-rows.ts";
import { readTrainSets } from "./train-sets.ts";

/*
 * Measures P(kind of evidence | something fits) and P(kind | nothing fits) on train and dev queries. Something fits when a
 * gold tool is among the first five candidates; nothing does for queries of another data set, and for queries whose own tools
 * were not found (refusing those costs nothing). Over whole catalogs and small ones. The means over data sets go into
 * packages/adaptive-k/src/nothing-fits.ts by hand. What the rule does on the test splits is for `set-quality` to print.
 */

const FOREIGN_QUERIES = 300;

const kinds: readonly EvidenceKind[] = ["none", "weak", "some"];

export async function fitRefusal(
  folder: string,
  print: (line: string) => void,
  { cache }: { readonly cache?: string | undefined } = {},
): Promise<void> {
  const sets = await readTrainSets(folder);
  for (const { name: level, encoder } of await encoderLevels(cache)) {
    print(`\n${level}: by words${encoder === undefined ? "" : ` and meaning (${encoder.name})`}`);
    const rowsOf: Weighed<RefusalEvidence>[][] = [];
    for (const set of sets) {
      const groups = [...ownQueries(set, sets), ...foreignQueries(set, sets, FOREIGN_QUERIES)];
      rowsOf.push(await weighedRows(groups, (asked) => refusalEvidence(asked, encoder)));
    }
    for (const fits of [true, false]) {
      print(`given that ${fits ? "something" : "nothing"} fits`);
      for (const kind of kinds) {
        const shares = rowsOf.map((rows) =>
          shareOf(
            kind,
            rows.filter((row) => row.fits === fits),
          ),
        );
        const each = sets.map((set, i) => `${set.name} ${inPercent(shares[i] ?? 0)}`).join(", ");
        print(`  ${kind.padEnd(5)} mean ${inPercent(mean(shares))}: ${each}`);
      }
    }
  }
}

/** Share of the rows' weight that has this kind of evidence. */
function shareOf(kind: EvidenceKind, rows: readonly Weighed<RefusalEvidence>[]): number {
  const weight = (some: readonly Weighed<RefusalEvidence>[]): number => some.reduce((sum, row) => sum + row.weight, 0);
  return weight(rows.filter((row) => row.kind === kind)) / weight(rows);
}
