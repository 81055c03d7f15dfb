import { join } from "node:path";
import { type Output, printJson, printLines } from "../output.ts";
import { openSelector, warn } from "../source-argument.ts";

/** Beside the index: what is encoded already, so that a run that was stopped goes on, and a changed catalog encodes what changed. */
const CACHE_FOLDER = "encoded";

/** `setwise index`: an index that other commands open instead of a source. */
export async function indexCommand(
  sources: readonly string[],
  options: {
    readonly out: string;
    readonly encoder?: string;
    readonly timeout?: number;
    readonly json?: boolean;
  },
  output: Output,
): Promise<void> {
  const started = performance.now();
  const { out, encoder, timeout } = options;
  const cache = join(out, CACHE_FOLDER);
  const { selector, problems } = await openSelector(sources, { timeoutMs: timeout, encoder, cache }, output);
  await selector.save(options.out);
  const { tools, revision } = selector.catalog;
  if (options.json === true) {
    printJson(output, {
      out: options.out,
      tools: tools.length,
      revision,
      problems: problems(),
      timingsMs: { total: Math.round(performance.now() - started) },
    });
    return;
  }
  warn(output, selector.problems);
  printLines(output, [
    `${options.out}: ${tools.length} tools indexed. Use it as a source: setwise select ${options.out} --query "…"`,
  ]);
}
