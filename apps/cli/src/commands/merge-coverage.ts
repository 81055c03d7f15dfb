import { createCatalog, type MergedCatalog } from "setwise";
import { untilInterrupted } from "../until-interrupted.ts";
import type { FormerName } from "./former-names.ts";
import { type LabelledQueries, labelledQueries } from "./labelled-queries.ts";

/** How much of what a log called can still be called after a merge. */
export type LogCoverage = ReturnType<MergedCatalog["coverageOf"]>;

/** The coverage of the tools that were called in the log at `path`, and what of it could not be read. Tools of no source are left out. */
export async function logCoverage(
  path: string,
  merged: MergedCatalog,
  former: readonly FormerName[],
): Promise<{ readonly coverage: LogCoverage; readonly queries: LabelledQueries }> {
  const folded = new Set(merged.foldings.map(({ tool }) => tool.id));
  const before = createCatalog([
    ...merged.catalog.tools.filter(({ id }) => !folded.has(id)),
    ...merged.foldings.flatMap(({ members }) => members),
  ]);
  const queries = labelledQueries(path, before, former);
  const called: string[] = [];
  await untilInterrupted(async (signal) => {
    for await (const { tools } of queries.stream(signal))
      for (const id of tools) if (before.ordinalOf(id) !== undefined) called.push(id);
  });
  return { coverage: merged.coverageOf(called), queries };
}

/** Both coverage rates in a line each, for a person. */
export function coverageLines(coverage: LogCoverage): string[] {
  const { calls, callCoverage, capabilities, capabilityCoverage, rareCapabilities, rareCoverage } = coverage;
  return [
    `tool-call coverage ${percent(callCoverage)} of ${count(calls, "logged call")}`,
    `unique-capability coverage ${percent(capabilityCoverage)} of ${count(capabilities, "tool")} that were called; of ${count(rareCapabilities, "tool")} called three times or fewer ${percent(rareCoverage)}`,
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function count(number: number, what: string): string {
  return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
}
