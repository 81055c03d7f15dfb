import { access } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type LabelledQuery, refuseAborted, type Tool } from "@setwise/core";
import { type BfclAnswers, bfclAnswer, bfclRequests } from "./bfcl.ts";
import { conversationRequests } from "./conversation.ts";
import { gatewayRequests } from "./gateway-log.ts";
import { recordJoiner } from "./join-records.ts";
import { labelledRequests } from "./labelled-record.ts";
import { listLogFiles } from "./list-log-files.ts";
import { looseMessages } from "./loose-messages.ts";
import { readRecords, type ReadingProblem, type ReadRecordsOptions } from "./read-records.ts";
import type { LoggedRequest } from "./request.ts";
import { nameResolver } from "./resolve-names.ts";
import { toolBenchRequests } from "./toolbench.ts";

export interface ReadLogsOptions extends ReadRecordsOptions {
  /** The tools of the catalog: names of a log become their ids. Without them names stay as they are. */
  readonly tools?: readonly Pick<Tool, "id" | "name">[];
  /**
   * What a logged request without a call means: nothing to learn from (`"skip"`, the default, since people also thank and ask back), or
   * that no tool fits. Labelled data always means the latter.
   */
  readonly withoutCalls?: "skip" | "nothing-fits";
  readonly signal?: AbortSignal;
}

/** Of one file so many problems are told one by one; the rest are counted. */
const MOST_PROBLEMS = 20;
/** BFCL's right calls lie in a folder of this name beside the questions. */
const ANSWERS = "possible_answer";
const NO_REQUEST = "This is no logged request in any known form.";
const NO_QUESTION = "These are messages with no question of a user among them.";

/**
 * Labelled queries from files or folders of logs, as a stream: what was asked, what was on offer (`candidates`) and, as gold set, what was
 * called. Formats may be mixed even within one file: our own JSONL, conversations of OpenAI, Anthropic and AI SDK, the gateway's log,
 * BFCL's and ToolBench's files. What cannot be used is told to `onProblem` and left out.
 *
 * A call is not proof that the tool was right: a log labels with what its agent did.
 *
 * @throws SetwiseError `unreadable-source` when a file cannot be read, `aborted` when the signal fires.
 */
export async function* readLogs(
  paths: string | readonly string[],
  options: ReadLogsOptions = {},
): AsyncGenerator<LabelledQuery> {
  const lists = await Promise.all([paths].flat().map((path) => listLogFiles(path as string)));
  const files = lists.flat();
  const isAnswers = (file: string): boolean => basename(dirname(file)) === ANSWERS;
  const joiner = recordJoiner();
  const toQuery = labeller(options);
  for (const file of files) {
    if (isAnswers(file) && files.length > 1) continue;
    const problems = limitedProblems(file, options.onProblem);
    const answers = await answersBeside(file);
    const loose = looseMessages();
    const queriesOf = function* (value: unknown, line: number): Generator<LabelledQuery> {
      const requests = requestsOf(value, answers);
      if (requests === undefined && loose.add(value, line)) return;
      if (requests === undefined) problems.tell({ source: file, line, sentence: NO_REQUEST });
      for (const [index, request] of (requests ?? []).entries()) {
        const id = request.id ?? `${basename(file)}:${line}${index === 0 ? "" : `#${index + 1}`}`;
        if (request.labelled === true && !request.answered)
          problems.tell({ source: file, line, sentence: `There is no answer to "${id}"; it was left out.` });
        yield* joiner.add({ ...request, id }).flatMap(toQuery);
      }
    };
    for await (const { value, line } of readRecords(file, { ...options, onProblem: problems.tell })) {
      refuseAborted(options.signal);
      yield* queriesOf(value, line);
    }
    const conversation = loose.end();
    if (conversation !== undefined) {
      if ((requestsOf(conversation.value, answers) ?? []).length > 0)
        yield* queriesOf(conversation.value, conversation.line);
      else problems.tell({ source: file, line: conversation.line, sentence: NO_QUESTION });
    }
    problems.end();
  }
  yield* joiner.end().flatMap(toQuery);
}

function requestsOf(record: unknown, answers: BfclAnswers): readonly LoggedRequest[] | undefined {
  return (
    labelledRequests(record) ??
    gatewayRequests(record) ??
    bfclRequests(record, answers) ??
    toolBenchRequests(record) ??
    conversationRequests(record)
  );
}

/** The right calls that lie beside a file of BFCL's questions; none for other files. */
async function answersBeside(file: string): Promise<BfclAnswers> {
  const answers: BfclAnswers = new Map();
  const path = join(dirname(file), ANSWERS, basename(file));
  const there = await access(path).then(
    () => true,
    () => false,
  );
  if (!there) return answers;
  for await (const { value } of readRecords(path)) {
    const answer = bfclAnswer(value);
    if (answer !== undefined) answers.set(answer.id, answer.called);
  }
  return answers;
}

/** A request as a labelled query, or nothing where it does not say what is right. */
function labeller({
  tools = [],
  withoutCalls = "skip",
}: ReadLogsOptions): (r: LoggedRequest) => readonly LabelledQuery[] {
  const resolve = nameResolver(tools);
  return ({ id = "", query, called, offered, subset, answered, labelled = false }) => {
    if (query.trim() === "" || !answered) return [];
    if (called.length === 0 && !labelled && withoutCalls === "skip") return [];
    return [
      {
        id,
        query,
        tools: [...new Set(called.map(resolve))],
        ...(subset === undefined ? {} : { subset }),
        ...(offered === undefined ? {} : { candidates: [...new Set(offered.map(resolve))] }),
      },
    ];
  };
}

function limitedProblems(
  source: string,
  onProblem: (problem: ReadingProblem) => void = () => {},
): { readonly tell: (problem: ReadingProblem) => void; readonly end: () => void } {
  let count = 0;
  return {
    tell: (problem) => {
      count += 1;
      if (count <= MOST_PROBLEMS) onProblem(problem);
    },
    end: () => {
      const more = count - MOST_PROBLEMS;
      if (more > 0) onProblem({ source, line: 0, sentence: `${more} more records of this file were left out.` });
    },
  };
}
