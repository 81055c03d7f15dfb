import { createSelector, loadTools } from "setwise";
import { type Output, printJson, printLines } from "../output.ts";
import { warn } from "../source-argument.ts";

/** `setwise index`: an index that other commands open instead of a source. */
export async function indexCommand(
  sources: readonly string[],
  options: { readonly out: string; readonly timeout: number; readonly json?: boolean },
  output: Output,
): Promise<void> {
  const started = performance.now();
  const selector = await createSelector({ tools: await loadTools(sources, { timeoutMs: options.timeout }) });
  await selector.save(options.out);
  const { tools, revision } = selector.catalog;
  if (options.json === true) {
    printJson(output, {
      out: options.out,
      tools: tools.length,
      revision,
      problems: selector.problems,
      timingsMs: { total: Math.round(performance.now() - started) },
    });
    return;
  }
  warn(output, selector.problems);
  printLines(output, [
    `${options.out}: ${tools.length} tools indexed. Use it as a source: setwise select ${options.out} --query "…"`,
  ]);
}
