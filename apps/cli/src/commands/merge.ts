import { stat } from "node:fs/promises";
import { type MergedCatalog, mergeReview, readMergeReview, type Tool } from "setwise";
import { type Output, printJson, printLines } from "../output.ts";
import { refuseLostFiles, sourceFiles } from "../refuse-lost-files.ts";
import { openSelector, warn, worthTelling } from "../source-argument.ts";
import { formerNames } from "./former-names.ts";
import { warnOfQueries } from "./labelled-queries.ts";
import { coverageLines, type LogCoverage, logCoverage } from "./merge-coverage.ts";
import { writableFile, writeTextFile } from "../write-text-file.ts";

export interface MergeCommandOptions {
  readonly out: string;
  readonly review?: string;
  readonly log?: string;
  readonly encoder?: string;
  readonly timeout?: number;
  readonly json?: boolean;
}

/** Problems, clusters, pairs that stay two, and members of a cluster that are told to a person. */
const SHOWN_PROBLEMS = 5;
const SHOWN_CLUSTERS = 20;
const SHOWN_REJECTED = 10;
const SHOWN_MEMBERS = 8;

/** `setwise merge`: a catalog in which tools that do the same job are one. */
export async function mergeCommand(
  sources: readonly string[],
  options: MergeCommandOptions,
  output: Output,
): Promise<void> {
  const { out, review, log, encoder, timeout: timeoutMs } = options;
  await refuseLostFiles(
    [
      { as: "--out", path: out },
      { as: "--review", path: review, isReadFirst: true },
    ],
    [...sourceFiles(sources), { as: "--log", path: log }],
  );
  for (const file of [out, review]) if (file !== undefined) await writableFile(file);
  const pins = review === undefined || !(await exists(review)) ? [] : await readMergeReview(review);
  const { selector, problems } = await openSelector(sources, { timeoutMs, encoder, merge: { pins } }, output);
  await selector.close();
  const merged = selector.merged as MergedCatalog;
  const logged = log === undefined ? undefined : await logCoverage(log, merged, await formerNames(sources));
  await writeTextFile(out, [mergedText(merged)]);
  if (review !== undefined) await writeTextFile(review, [await mergeReview(merged, pins)]);
  if (options.json === true) {
    const told = [...worthTelling(problems()), ...(logged?.queries.problems() ?? []), ...merged.report.problems];
    const coverage = logged === undefined ? {} : { coverage: logged.coverage };
    printJson(output, { ...reportOf(merged), ...coverage, rejected: merged.rejected, problems: told });
    return;
  }
  warn(output, selector.problems);
  if (logged !== undefined) warnOfQueries(output, logged.queries.problems());
  printLines(output, [...summary(merged, pins.length, logged?.coverage), "", ...files(out, review)]);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** What was folded. */
function reportOf({ report: { before, after }, clusters }: MergedCatalog): object {
  return { before: before.tools, after: after.tools, tokens: { before: before.tokens, after: after.tokens }, clusters };
}

/**
 * The merged catalog as a file: a list of tools as every command reads it, and beside it the way from each old tool to its new one. Pairs that
 * stay two are many times as long, and stand in the review file.
 */
function mergedText(merged: MergedCatalog): string {
  const tools = merged.catalog.tools.map(withoutOriginal);
  const aliases = merged.foldings.flatMap(({ tool, members, mappings }) =>
    members.map((member, place) => ({
      id: member.id,
      name: member.name,
      ...(member.server === undefined ? {} : { server: member.server }),
      tool: tool.id,
      // Names in the merged tool → names in the old one.
      arguments: Object.fromEntries(mappings[place]?.names ?? []),
    })),
  );
  return `${JSON.stringify({ tools, aliases, report: reportOf(merged) }, null, 1)}\n`;
}

function withoutOriginal({ original: _original, ...definition }: Tool): object {
  return definition;
}

function summary(merged: MergedCatalog, pins: number, coverage: LogCoverage | undefined): string[] {
  const { before, after, problems, obeyed } = merged.report;
  const { clusters, rejected } = merged;
  const number = (value: number): string => value.toLocaleString("en");
  const saved = before.tokens === 0 ? 0 : 100 * (1 - after.tokens / before.tokens);
  return [
    `${number(before.tools)} tools became ${number(after.tools)}; tokens of definitions ${number(before.tokens)} before, ${number(after.tokens)} after (${saved.toFixed(1)} % less)`,
    ...(coverage === undefined ? [] : coverageLines(coverage)),
    ...(pins === 0 ? [] : [`of ${number(pins)} decisions in the review file ${number(obeyed)} were obeyed`]),
    ...problems.slice(0, SHOWN_PROBLEMS).map(({ code, message }) => `${code}: ${message}`),
    ...more(problems.length - SHOWN_PROBLEMS),
    "",
    clusters.length === 0 ? "no tools were folded" : `folded (${clusters.length})`,
    ...clusters
      .slice(0, SHOWN_CLUSTERS)
      .flatMap(({ representative, members, reason }) => [
        `  ${representative} = ${listed(members.filter((id) => id !== representative))}`,
        `    ${reason}`,
      ]),
    ...more(clusters.length - SHOWN_CLUSTERS),
    "",
    rejected.length === 0 ? "no other tools look alike" : `look alike and stay two (${rejected.length})`,
    ...rejected.slice(0, SHOWN_REJECTED).map(({ members, reason }) => `  ${members.join(" | ")}: ${reason}`),
    ...more(rejected.length - SHOWN_REJECTED),
  ];
}

function listed(ids: readonly string[]): string {
  const rest = ids.length - SHOWN_MEMBERS;
  return ids.slice(0, SHOWN_MEMBERS).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function more(count: number): string[] {
  return count > 0 ? [`  … and ${count.toLocaleString("en")} more; all of them with --json`] : [];
}

function files(out: string, review: string | undefined): string[] {
  return [
    `${out}: written. Use it as a source: setwise select ${out} --query "…"`,
    ...(review === undefined
      ? []
      : [`${review}: every decision. Change one there, or set "reviewed", and merge again.`]),
  ];
}
