import { compareActions, isReading } from "./actions.ts";
import type { ToolProfile } from "./tool-profile.ts";

/** Words of each name that occur nowhere in the other tool. */
export function leftOvers(
  a: ToolProfile,
  b: ToolProfile,
): { readonly left: readonly string[]; readonly right: readonly string[] } {
  return { left: namedOnlyBy(a, b), right: namedOnlyBy(b, a) };
}

function namedOnlyBy(profile: ToolProfile, other: ToolProfile): readonly string[] {
  return [...profile.nameObjects].filter((word) => {
    if (!word.startsWith("to ")) return !isMentioned(word, other);
    const action = word.slice(3);
    return ![...other.actions].some((known) => compareActions(action, known) !== "different") && !isReading(action);
  });
}

export function isMentioned(word: string, other: ToolProfile): boolean {
  if (other.mentioned.has(word)) return true;
  // `currencyconversion` and the like, and abbreviations.
  if (word.length < 4) return false;
  for (const known of other.mentioned) {
    if (known.length >= 4 && (known.startsWith(word) || word.startsWith(known))) return true;
  }
  return false;
}
