import {
  createSelector,
  type Encoder,
  existingIndexFile,
  loadSelector,
  loadTools,
  type MergeChoice,
  openEncoder,
  readEdgesFile,
  type Problem,
  type Selector,
  type TextCut,
} from "setwise";
import { type Output, plain } from "./output.ts";
import { untilInterrupted } from "./until-interrupted.ts";

const SHOWN_PROBLEMS = 5;

export interface OpenOptions {
  /** For each source, and for each request to an embedding server with its retries; where it is not given they have their own. */
  readonly timeoutMs: number | undefined;
  /** As given on the command line; as the index has it, or the table, if it is not given. */
  readonly encoder: string | undefined;
  /** The folder of a cross-encoder that puts the candidates in its order. */
  readonly reranker?: string | undefined;
  /** The file of a set model. */
  readonly model?: string | undefined;
  /** Whether tools that do the same job are folded, and how. */
  readonly merge?: MergeChoice;
  /** A file of edges that are given. */
  readonly edges?: string | undefined;
  /** A folder for what is encoded, where encoding takes long. */
  readonly cache?: string;
}

/** A selector, and what is not as it should be. */
export interface OpenedSelector {
  readonly selector: Selector;
  /** With the tools, and what the encoder has told so far of the query and the cache. */
  problems(): readonly Problem[];
}

/**
 * A selector over the given sources: an index made by `setwise index`, or tool lists read now. An interrupt stops reading and
 * encoding with `aborted`.
 */
export function openSelector(
  sources: readonly string[],
  options: OpenOptions,
  output: Output,
): Promise<OpenedSelector> {
  return untilInterrupted(async (signal) => {
    const { timeoutMs, reranker, model, merge } = options;
    const limits = timeoutMs === undefined ? { signal } : { timeoutMs, signal };
    const told: Problem[] = [];
    const onProblem = (problem: Problem): void => {
      // Once for each kind of trouble.
      if (told.some(({ code }) => code === problem.code)) return;
      told.push(problem);
      output.writeError(line(problem));
    };
    const encoder = await encoderOption(options, signal, onProblem);
    const encoding = {
      signal,
      onCut: ({ by, as }: TextCut) => {
        // Of a tool's text the selector tells.
        if (as === "query") onProblem({ code: "text-cut", message: `Of the query ${by} has read only the beginning.` });
      },
      ...(encoder === undefined ? {} : { encoder }),
      ...(reranker === undefined ? {} : { reranker }),
      ...(model === undefined ? {} : { model }),
      ...(merge === undefined ? {} : { merge }),
      ...(options.edges === undefined ? {} : { edges: await readEdgesFile(options.edges) }),
      ...(output.isTerminal ? { onProgress: (done: number, total: number) => showEncoded(output, done, total) } : {}),
    };
    const [only, ...others] = sources;
    const isIndex = only !== undefined && others.length === 0 && (await existingIndexFile(only)) !== undefined;
    const selector = isIndex
      ? await loadSelector(only, encoding)
      : await createSelector({ tools: await loadTools(sources, limits), ...encoding });
    return { selector, problems: () => [...selector.problems, ...told] };
  });
}

/** The key of an embedding server is no parameter, since other users of a machine can read those. */
const KEY_VARIABLE = "SETWISE_ENCODER_KEY";

async function encoderOption(
  { encoder, cache, timeoutMs }: OpenOptions,
  signal: AbortSignal,
  onProblem: (problem: Problem) => void,
): Promise<Encoder | "none" | undefined> {
  if (encoder === undefined) return undefined;
  const opened = await openEncoder(encoder, {
    // Empty is how a shell says that a variable is not set.
    apiKey: process.env[KEY_VARIABLE]?.trim() || undefined,
    timeoutMs,
    signal,
    ...(cache === undefined ? {} : { cache }),
    onProblem,
    // The selector hears of those.
    onCut: () => undefined,
  });
  return opened ?? "none";
}

function showEncoded(output: Output, done: number, total: number): void {
  output.writeError(`\r${done} of ${total} tools encoded${done === total ? "\n" : ""}`);
}

/** Of what was not as it should be the kinds that may change an answer; of the others `setwise tools` tells. */
const telling: ReadonlySet<string> = new Set([
  "left-out",
  "server-failed",
  "empty-list",
  "text-cut",
  "cache-unusable",
  "little-known",
]);

/** The problems that go with an answer. */
export function worthTelling(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ code }) => telling.has(code));
}

/** Tells a person on standard error what was wrong with the tools, a line for each; of all tools whose texts were cut their number. */
export function warn(output: Output, problems: readonly Problem[]): void {
  const isCutTool = ({ code, toolId }: Problem): boolean => code === "text-cut" && toolId !== undefined;
  const serious = worthTelling(problems).filter((problem) => !isCutTool(problem));
  for (const problem of serious.slice(0, SHOWN_PROBLEMS)) output.writeError(line(problem));
  if (serious.length > SHOWN_PROBLEMS)
    output.writeError(`… and ${serious.length - SHOWN_PROBLEMS} more; see \`setwise tools\`\n`);
  const cut = problems.filter(isCutTool).length;
  if (cut === 0) return;
  const [tools, texts, them] = cut === 1 ? ["1 tool", "its text", "it"] : [`${cut} tools`, "their texts", "them"];
  const message = `Of ${tools} only the beginning of ${texts} is compared by meaning; --json names ${them}.`;
  output.writeError(line({ code: "text-cut", message }));
}

function line({ code, message }: Problem): string {
  return `${code}: ${plain(message)}\n`;
}
