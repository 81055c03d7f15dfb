import type { GivenEdge } from "@setwise/planner";
import { readTextFile } from "./read-text-file.ts";

/**
 * The edges of a JSON file, for the `edges` of `createSelector`.
 *
 * @throws SetwiseError `unreadable-source`, `too-large`, and what `readEdges` of `@setwise/planner` refuses a text with.
 */
export async function readEdgesFile(path: string): Promise<readonly GivenEdge[]> {
  const text = await readTextFile(path);
  const { readEdges } = await import("@setwise/planner");
  return readEdges(text, path);
}
