import { createSelector, existingIndexFile, loadSelector, loadTools, type Problem, type Selector } from "setwise";
import { type Output, plain } from "./output.ts";

const SHOWN_PROBLEMS = 5;

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
export function warn(output: Output, problems: readonly Problem[]): void {
  const serious = problems.filter((problem) => ["left-out", "server-failed", "empty-list"].includes(problem.code));
  for (const problem of serious.slice(0, SHOWN_PROBLEMS))
    output.writeError(`${problem.code}: ${plain(problem.message)}\n`);
  if (serious.length > SHOWN_PROBLEMS)
    output.writeError(`… and ${serious.length - SHOWN_PROBLEMS} more; see \`setwise tools\`\n`);
}
