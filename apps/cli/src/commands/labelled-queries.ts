import { readLogs } from "@setwise/evaluation";
import { type Catalog, type Problem, SetwiseError } from "setwise";
import { type Output, plain } from "../output.ts";
import type { FormerName } from "./former-names.ts";

type Query = ReturnType<typeof readLogs> extends AsyncIterable<infer T> ? T : never;

/** Problems kept for the JSON document, and names of tools that no source has. */
const MOST_PROBLEMS = 1000;
const SHOWN_PROBLEMS = 5;
const SHOWN_TOOLS = 5;

/** Labelled queries from a file or folder of them, or of logs. */
export interface LabelledQueries {
  /** The queries as a stream, as often as it is asked for. */
  stream(signal: AbortSignal): AsyncIterable<Query>;
  /** What of the files could not be read so far. */
  leftOut(): readonly Problem[];
  /** That, and which tools are in no source. */
  problems(): readonly Problem[];
}

/** Opens `path` for a catalog, whose ids and names, or former names, the queries are about. */
export function labelledQueries(path: string, catalog: Catalog, former: readonly FormerName[]): LabelledQueries {
  const tools = [...catalog.tools, ...former];
  const told: Problem[] = [];
  const unknown = new Set<string>();
  let passes = 0;
  const tell = (source: string, line: number, sentence: string): void => {
    const message = `${source}${line === 0 ? "" : `, line ${line}`}: ${sentence}`;
    if (told.length < MOST_PROBLEMS) told.push({ code: "left-out", message, source });
  };
  return {
    async *stream(signal) {
      const isFirst = passes++ === 0;
      let count = 0;
      const onProblem = isFirst
        ? { onProblem: (problem: Told) => tell(problem.source, problem.line, problem.sentence) }
        : {};
      for await (const query of readLogs(path, { tools, signal, ...onProblem })) {
        count += 1;
        for (const id of query.tools)
          if (catalog.ordinalOf(id) === undefined && unknown.size < MOST_PROBLEMS) unknown.add(id);
        yield query;
      }
      if (count === 0) throw nothingToMeasure(path, told);
    },
    leftOut: () => told,
    problems: () => [...told, ...unknownTools(unknown)],
  };
}

interface Told {
  readonly source: string;
  readonly line: number;
  readonly sentence: string;
}

function nothingToMeasure(path: string, [first]: readonly Problem[]): SetwiseError {
  const why = first === undefined ? "It holds no request that called a tool." : first.message;
  return new SetwiseError(
    "invalid-argument",
    `There is no labelled query in ${path}. ${why} Expected {"id", "query", "tools": [ids]} a line, or logs of conversations with their calls.`,
    { source: path },
  );
}

function unknownTools(unknown: ReadonlySet<string>): Problem[] {
  if (unknown.size === 0) return [];
  const names = [...unknown];
  const more = names.length > SHOWN_TOOLS ? ", …" : "";
  const count = names.length === MOST_PROBLEMS ? `At least ${names.length}` : String(names.length);
  return [
    {
      code: "left-out",
      message: `${count} of the tools that were called are in none of the sources, or have a name that several have: ${names.slice(0, SHOWN_TOOLS).join(", ")}${more}.`,
    },
  ];
}

/** Tells a person on standard error what was wrong with the queries. */
export function warnOfQueries(output: Output, problems: readonly Problem[]): void {
  for (const { code, message } of problems.slice(0, SHOWN_PROBLEMS)) output.writeError(`${code}: ${plain(message)}\n`);
  if (problems.length > SHOWN_PROBLEMS)
    output.writeError(`… and ${problems.length - SHOWN_PROBLEMS} more; --json tells of all\n`);
}
