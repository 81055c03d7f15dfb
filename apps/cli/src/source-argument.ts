import {
  createSelector,
  type Encoder,
  existingIndexFile,
  loadSelector,
  loadTools,
  openEncoder,
  type Problem,
  type Selector,
} from "setwise";
import { type Output, plain } from "./output.ts";
import { untilInterrupted } from "./until-interrupted.ts";

const SHOWN_PROBLEMS = 5;

export interface OpenOptions {
  /** For each source, and for each request to an embedding server with its retries; where it is not given they have their own. */
  readonly timeoutMs: number | undefined;
  /** As given on the command line; as the index has it, or the table, if it is not given. */
  readonly encoder: string | undefined;
  /** A folder for what is encoded, where encoding takes long. */
  readonly cache?: string;
}

/**
 * A selector over the given sources: an index made by `setwise index`, or tool lists read now. An interrupt stops reading and
 * encoding with `aborted`.
 */
export function openSelector(sources: readonly string[], options: OpenOptions, output: Output): Promise<Selector> {
  return untilInterrupted(async (signal) => {
    const { timeoutMs } = options;
    const limits = timeoutMs === undefined ? { signal } : { timeoutMs, signal };
    const encoder = await encoderOption(options, signal, output);
    const encoding = {
      signal,
      ...(encoder === undefined ? {} : { encoder }),
      ...(output.isTerminal ? { onProgress: (done: number, total: number) => showEncoded(output, done, total) } : {}),
    };
    const [only, ...others] = sources;
    if (only !== undefined && others.length === 0 && (await existingIndexFile(only)) !== undefined)
      return loadSelector(only, encoding);
    return createSelector({ tools: await loadTools(sources, limits), ...encoding });
  });
}

/** The key of an embedding server is no parameter, since other users of a machine can read those. */
const KEY_VARIABLE = "SETWISE_ENCODER_KEY";

async function encoderOption(
  { encoder, cache, timeoutMs }: OpenOptions,
  signal: AbortSignal,
  output: Output,
): Promise<Encoder | "none" | undefined> {
  if (encoder === undefined) return undefined;
  const told = new Set<string>();
  const opened = await openEncoder(encoder.trim(), {
    // Empty is how a shell says that a variable is not set.
    apiKey: process.env[KEY_VARIABLE]?.trim() || undefined,
    timeoutMs,
    signal,
    ...(cache === undefined ? {} : { cache }),
    onProblem: (problem) => {
      // One line for each kind of trouble.
      if (told.has(problem.code)) return;
      told.add(problem.code);
      output.writeError(`${problem.code}: ${plain(problem.message)}\n`);
    },
  });
  return opened ?? "none";
}

function showEncoded(output: Output, done: number, total: number): void {
  output.writeError(`\r${done} of ${total} tools encoded${done === total ? "\n" : ""}`);
}

/** Tells a person on standard error what was wrong with the tools, a line for each kind of trouble. */
export function warn(output: Output, problems: readonly Problem[]): void {
  const serious = problems.filter((problem) => ["left-out", "server-failed", "empty-list"].includes(problem.code));
  for (const problem of serious.slice(0, SHOWN_PROBLEMS))
    output.writeError(`${problem.code}: ${plain(problem.message)}\n`);
  if (serious.length > SHOWN_PROBLEMS)
    output.writeError(`… and ${serious.length - SHOWN_PROBLEMS} more; see \`setwise tools\`\n`);
}
