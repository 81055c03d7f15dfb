import { embedPorts, type EvidenceTable, evidenceTable } from "@setwise/planner";
import { fitLinkWeights } from "./fit-link-weights.ts";
import { type KnownLinks, labelRows, linksOfApiBank, linksOfNestful, linksOfToolLinkOs } from "./known-links.ts";
import { encoderLevels } from "./levels.ts";
import { catalogOf } from "./link-gold.ts";

/** Weak: it only keeps coefficients small that no row speaks of. */
const RIDGE = 0.3;
/** What the right links of a data set count in all: each set the same. */
const SET_WEIGHT = 200;

/** Prints the coefficients of `link-weight.ts`, fitted to the dev halves. */
export async function fitPortLinks(
  folder: string,
  print: (line: string) => void,
  { cache }: { readonly cache?: string | undefined } = {},
): Promise<void> {
  const sets: readonly (readonly [string, KnownLinks])[] = [
    ["toollinkos", await linksOfToolLinkOs(folder)],
    ["nestful", await linksOfNestful(folder)],
    ["api-bank", await linksOfApiBank(folder)],
  ];
  const levels = await encoderLevels(cache);
  for (const name of ["words", "meaning"]) {
    const parts: Part[] = [];
    for (const [dataSet, links] of sets) {
      const { tools } = await catalogOf(folder, dataSet);
      const ids = tools.map(({ id }) => id);
      for (const { encoder } of levels) {
        if ((encoder === undefined) !== (name === "words")) continue;
        const table = evidenceTable(tools, encoder === undefined ? undefined : await embedPorts(tools, encoder));
        parts.push(devRows(table, ids, links));
      }
    }
    print(`  ${name}: {`);
    const { columns, ...rows } = joined(parts);
    const coefficients = fitLinkWeights({ columns: columns.length, ...rows }, RIDGE);
    for (const [place, column] of columns.entries()) print(`    ${column}: ${(coefficients[place] ?? 0).toFixed(2)},`);
    print("  },");
  }
}

interface Part {
  readonly table: EvidenceTable;
  readonly rows: readonly number[];
  readonly labels: Uint8Array;
  readonly weight: number;
}

function devRows(table: EvidenceTable, ids: readonly string[], links: KnownLinks): Part {
  const { labels, half, isLabelled } = labelRows(table, ids, links);
  const rows = [...labels.keys()].filter((row) => half[row] === "dev" && isLabelled[row] === true);
  const right = rows.filter((row) => labels[row] === 1).length;
  return { table, rows, labels, weight: SET_WEIGHT / right };
}

function joined(parts: readonly Part[]) {
  const columns = parts[0]!.table.columns;
  const count = parts.reduce((sum, { rows }) => sum + rows.length, 0);
  const values = new Float32Array(count * columns.length);
  const labels = new Uint8Array(count);
  const weights = new Float32Array(count);
  let place = 0;
  for (const part of parts) {
    for (const row of part.rows) {
      values.set(part.table.values.subarray(row * columns.length, (row + 1) * columns.length), place * columns.length);
      labels[place] = part.labels[row] ?? 0;
      weights[place++] = part.weight;
    }
  }
  return { columns, values, labels, weights };
}
