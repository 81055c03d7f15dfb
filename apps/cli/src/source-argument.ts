import { createSelector, existingIndexFile, loadSelector, loadTools, type Problem, type Selector } from "setwise";

/** A selector over the given sources: an index made by `setwise index`, or tool lists read now. */
export async function openSelector(
  sources: readonly string[],
  options: { readonly timeoutMs: number },
): Promise<Selector> {
  const [only, ...others] = sources;
  if (only !== undefined && others.length === 0 && (await existingIndexFile(only)) !== undefined)
    return loadSelector(only);
  return createSelector({ tools: await loadTools(sources, options) });
}

/** Tells a person on standard error what was wrong with the tools, a line for each kind of trouble. */
export function warn(problems: readonly Problem[], limit = 5): void {
  const serious = problems.filter((problem) => ["left-out", "server-failed", "empty-list"].includes(problem.code));
  for (const problem of serious.slice(0, limit)) process.stderr.write(`${problem.code}: ${problem.message}\n`);
  if (serious.length > limit) process.stderr.write(`… and ${serious.length - limit} more; see \`setwise tools\`\n`);
}

/** Prints one JSON document. */
export function printJson(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}
