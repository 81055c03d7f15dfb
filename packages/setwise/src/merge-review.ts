import type { MergedCatalog, MergePin } from "@setwise/merger";
import { readTextFile } from "./read-text-file.ts";

/**
 * What a person decided in a review file about pairs of tools: `pins` for `merge`.
 *
 * @throws SetwiseError `unreadable-source`, `too-large`, `corrupt-file` or `unsupported-version`.
 */
export async function readMergeReview(path: string): Promise<readonly MergePin[]> {
  const { readReview } = await import("@setwise/merger");
  return readReview(await readTextFile(path), path);
}

/** The text of a review file: every decision of a merge in a line, those of `pins` marked as reviewed. */
export async function mergeReview(merged: MergedCatalog, pins: readonly MergePin[] = []): Promise<string> {
  const { writeReview } = await import("@setwise/merger");
  return writeReview(merged, pins);
}
