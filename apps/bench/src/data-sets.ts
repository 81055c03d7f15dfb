import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type LabelledQuery, SetwiseError } from "@setwise/core";
import { parseQueries } from "@setwise/evaluation";
import { loadTools, type ToolList } from "setwise";

/** What a folder of data holds, as messages and the report say it. */
export const dataFormat: string =
  "--data DIR: one folder for each data set, with tools.jsonl (a tool a line: id, name, description, parameters) and queries.<split>.jsonl (a query a line: id, query, tools, a list of ids)";

/** One split of one data set, as `<folder>/queries.<split>.jsonl`. */
export interface Split {
  readonly dataSet: string;
  readonly split: string;
}

const split = (dataSet: string, name: string): Split => ({ dataSet, split: name });

/** What figures are reported on, once. */
export const testSplits: readonly Split[] = [
  split("seal-tools", "test_in_domain"),
  split("seal-tools", "test_out_domain"),
  split("ultratool", "test"),
  split("metatool", "test_single"),
  split("metatool", "test_multi"),
  split("bfcl", "test"),
  split("livemcpbench", "test"),
  split("restbench", "test"),
  split("nestful", "test"),
  split("api-bank", "test"),
  split("tau-bench", "test"),
  split("toollens", "test"),
  split("toolbench", "test600"),
];

/** What constants may be fitted and chosen on. */
export const trainSplits: readonly Split[] = [
  split("seal-tools", "dev"),
  split("ultratool", "train"),
  split("metatool", "train"),
  split("tau-bench", "train"),
  split("tau-bench", "dev"),
];

/** Train queries that are only measured where constants are chosen: their licences do not allow more, so no default may rest on them. */
export const watchedSplits: readonly Split[] = [split("toollens", "train"), split("toolbench", "train")];

/** What the constants that join words and meaning are chosen on. */
export const hybridSplits: readonly Split[] = [...trainSplits, split("toollinkos", "train")];

/** The labelled queries of a split; `most` takes evenly spaced ones where there are more. */
export async function readQueries(
  folder: string,
  { dataSet, split: name }: Split,
  most: number = Infinity,
): Promise<LabelledQuery[]> {
  const file = join(folder, dataSet, `queries.${name}.jsonl`);
  const queries = parseQueries(await readFile(file, "utf8").catch(refuse(file)), { source: file });
  const step = Math.max(1, queries.length / most);
  return step === 1 ? queries : Array.from({ length: most }, (_, i) => queries[Math.floor(i * step)] as LabelledQuery);
}

/** The tools of a data set. */
export function readToolsOf(folder: string, dataSet: string): Promise<ToolList> {
  const file = join(folder, dataSet, "tools.jsonl");
  return loadTools([file]).catch(refuse(file));
}

function refuse(file: string): (cause: unknown) => never {
  return (cause) => {
    // What was read and is no list of tools tells for itself.
    if (SetwiseError.isInstance(cause) && cause.code !== "unreadable-source") throw cause;
    throw new SetwiseError("unreadable-source", `${file} cannot be read. Expected ${dataFormat}.`, {
      source: file,
      cause,
    });
  };
}
