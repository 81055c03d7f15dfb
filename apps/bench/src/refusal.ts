import { createCatalog, type Encoder } from "@setwise/core";
import { buildIndex } from "@setwise/retriever";
import { openEncoder } from "setwise";
import { readQueries, readToolsOf, testSplits } from "./data-sets.ts";
import { mean } from "./ranking-row.ts";
import { inPercent, refusalEvidence, type RefusalEvidence } from "./refusal-evidence.ts";

/**
 * How many queries of the test splits are refused, and how many of those with a right tool in sight; and of BFCL's irrelevance
 * queries, which none of their own candidates serves. A look at test splits: nothing is chosen by it, and each stands in
 * docs/decisions.
 */
export async function refusal(folder: string, print: (line: string) => void): Promise<void> {
  for (const level of ["none", "static"]) {
    const encoder = await openEncoder(level);
    print(`\nby words${encoder === undefined ? "" : ` and meaning (${encoder.name})`}`);
    await onTestSplits(folder, encoder, print);
    await onIrrelevantQueries(folder, encoder, print);
  }
}

const isRefused = ({ kind }: RefusalEvidence): boolean => kind !== "some";

async function onTestSplits(
  folder: string,
  encoder: Encoder | undefined,
  print: (line: string) => void,
): Promise<void> {
  const shares: number[] = [];
  for (const split of testSplits) {
    const { tools } = await readToolsOf(folder, split.dataSet);
    const asked = { index: buildIndex(createCatalog(tools)), queries: await readQueries(folder, split) };
    const rows = await refusalEvidence(asked, encoder);
    const refused = rows.filter(isRefused);
    const share = refused.length / rows.length;
    shares.push(share);
    const inSight = refused.filter(({ fits }) => fits).length / rows.length;
    print(
      `${split.dataSet} ${split.split}: refused ${inPercent(share)}, with a right tool in sight ${inPercent(inSight)}`,
    );
  }
  print(`refused, mean over splits ${inPercent(mean(shares))}`);
}

async function onIrrelevantQueries(
  folder: string,
  encoder: Encoder | undefined,
  print: (line: string) => void,
): Promise<void> {
  const catalog = createCatalog((await readToolsOf(folder, "bfcl")).tools);
  const queries = await readQueries(folder, { dataSet: "bfcl", split: "irrelevance" });
  let refused = 0;
  for (const query of queries) {
    const offered = (query.candidates ?? []).flatMap((id) => catalog.tools[catalog.ordinalOf(id) ?? -1] ?? []);
    const asked = { index: buildIndex(createCatalog(offered)), queries: [query] };
    refused += (await refusalEvidence(asked, encoder)).filter(isRefused).length;
  }
  print(`bfcl irrelevance, own candidates, refused ${inPercent(refused / queries.length)}`);
}
