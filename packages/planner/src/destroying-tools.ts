import type { Catalog } from "@setwise/core";
import { wordsOf } from "./port-words.ts";
import type { SubTaskCandidates } from "./plan-calls.ts";
import { deedOf } from "./tool-deeds.ts";

/** What cannot be taken back, or takes something from somebody. */
const DESTROYING: ReadonlySet<string> = new Set(
  `delete remove destroy drop purge wipe erase clear empty discard cancel close kick ban revoke terminate archive uninstall deactivate disable unassign
  unsubscribe unfollow restrict block suspend reject decline reset kill stop end rid leave quit undo revert void withdraw expire unlink detach disconnect`.split(
    /\s+/,
  ),
);
/** Of the score of a tool that destroys, where the goal says that something else is to be done. */
const KEPT = 0.5;

/**
 * The candidates of a sub-task, those that destroy something counting half where the goal names deeds of which none destroys: "post hello to
 * #general" is like a tool that deletes a channel, but no person means that. A goal in words that are not known here changes nothing.
 */
export function withoutHarm<Task extends SubTaskCandidates>(task: Task, catalog: Catalog): Task {
  const said = wordsOf(task.goal);
  if (!said.some((word) => deedOf(word) !== undefined) || said.some((word) => DESTROYING.has(word))) return task;
  const harm = destroying(catalog);
  const scores = task.scores.map((score, place) =>
    score > 0 && harm[task.ids[place] ?? -1] === 1 ? KEPT * score : score,
  );
  return { ...task, scores };
}

const known = new WeakMap<Catalog, Uint8Array>();

/** By tool, 1 for one that destroys; made once for a catalog. */
function destroying(catalog: Catalog): Uint8Array {
  let found = known.get(catalog);
  if (found === undefined) {
    found = Uint8Array.from(catalog.tools, (tool) => Number(destroys(tool)));
    known.set(catalog, found);
  }
  return found;
}

/** By a word of its name: servers hint of anything that writes that it may destroy. */
function destroys({ name, annotations }: Catalog["tools"][number]): boolean {
  return annotations?.readOnlyHint !== true && wordsOf(name).some((word) => DESTROYING.has(word));
}
