import { leftOvers, isMentioned } from "./left-overs.ts";
import type { Objection } from "./objection.ts";
import { excludingWords, isNarrowing, saysAlike } from "./qualifiers.ts";
import type { ToolProfile } from "./tool-profile.ts";
import { meaningOf } from "./word-meaning.ts";

/** `celsius_to_fahrenheit` against `fahrenheit_to_celsius`. */
export function objectionByDirection(a: ToolProfile, b: ToolProfile): Objection | undefined {
  const [x, y] = [direction(a.nameWords), direction(b.nameWords)];
  if (x === undefined || y === undefined || (x.from === y.from && x.to === y.to)) return undefined;
  if (x.from !== y.to && x.to !== y.from && x.to === y.to) return undefined;
  return {
    reason: `One goes from ${x.from} to ${x.to}, the other from ${y.from} to ${y.to}.`,
    wouldChange: "The same direction in both names, or a pin.",
  };
}

function direction(words: readonly string[]): { readonly from: string; readonly to: string } | undefined {
  const place = words.findIndex((word) => word === "to" || word === "2");
  const [from, to] = [words[place - 1], words[place + 1]];
  if (place < 1 || from === undefined || to === undefined) return undefined;
  return { from: meaningOf(from), to: meaningOf(to) };
}

/** Versions and amounts in names: `v1` against `v2`, "over 1.5" against "over 2.5". */
export function objectionByNumbers(a: ToolProfile, b: ToolProfile): Objection | undefined {
  const [x, y] = [a, b].map((profile) => profile.nameWords.filter((word) => /^[0-9]/.test(word)).join(" "));
  if (x === undefined || y === undefined || x === y) return undefined;
  if ((x === "" || y === "") && !/(?:^|[a-z_ ])v ?[0-9]/i.test(`${a.tool.name} ${b.tool.name}`)) return undefined;
  return {
    reason: `Their names carry other numbers: ${x === "" ? "none" : x} and ${y === "" ? "none" : y}.`,
    wouldChange: "The same version or number in both names, or a pin.",
  };
}

export function objectionByQualifier(a: ToolProfile, b: ToolProfile): Objection | undefined {
  const inNames = excludingWords(new Set(a.nameWords), new Set(b.nameWords), "names");
  const found = inNames ?? excludingWords(a.written, b.written, "sentences");
  if (found === undefined) return undefined;
  if (inNames === undefined && sameNames(a, b)) return undefined;
  return {
    reason: `One says "${found[0]}" where the other says "${found[1]}".`,
    wouldChange: `A description that covers both, or a pin.`,
  };
}

/** The names are made of the same things and deeds. */
export function sameNames(a: ToolProfile, b: ToolProfile): boolean {
  const { left, right } = leftOvers(a, b);
  return (
    left.length === 0 &&
    right.length === 0 &&
    [...a.nameObjects].every((word) => b.nameObjects.has(word)) &&
    a.nameObjects.size === b.nameObjects.size &&
    a.nameObjects.size > 0
  );
}

/** Namespaces of which each has a word that the other tool does not know: `soccer.get_scores` and `basketball.get_scores`. */
export function objectionByNamespace(a: ToolProfile, b: ToolProfile): Objection | undefined {
  const left = a.namespace.filter((word) => !isMentioned(meaningOf(word), b));
  const right = b.namespace.filter((word) => !isMentioned(meaningOf(word), a));
  if (left.length === 0 || right.length === 0) return undefined;
  return {
    reason: `One belongs to ${left.join(" ")}, the other to ${right.join(" ")}.`,
    wouldChange: "The same namespace, or a pin.",
  };
}

export function objectionByObjects(a: ToolProfile, b: ToolProfile): Objection | undefined {
  const { left, right } = leftOvers(a, b);
  if (left.length > 0 && right.length > 0) {
    return {
      reason: `One is about ${left.map(said).join(" ")}, the other about ${right.map(said).join(" ")}.`,
      wouldChange: "Descriptions that speak of the same thing, or a pin.",
    };
  }
  const narrowing =
    left.find((word) => isNarrowing(word) && !saysAlike(b.written, word)) ??
    right.find((word) => isNarrowing(word) && !saysAlike(a.written, word)) ??
    narrowingWord(a, b);
  if (narrowing === undefined) return undefined;
  return {
    reason: `Only one of them says "${narrowing}".`,
    wouldChange: "A description of the other that says it too, or a pin.",
  };
}

function said(word: string): string {
  return word.startsWith("to ") ? word.slice(3) : word;
}

/** A narrowing word in one name of which the other tool knows nothing. */
function narrowingWord(a: ToolProfile, b: ToolProfile): string | undefined {
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const found = one.nameWords.find(
      (word) =>
        isNarrowing(word) &&
        !saysAlike(other.written, word) &&
        !hasMeaning(other.written, word) &&
        word !== "list" &&
        word !== "time",
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

function hasMeaning(written: ReadonlySet<string>, word: string): boolean {
  const meaning = meaningOf(word);
  for (const other of written) if (meaningOf(other) === meaning) return true;
  return false;
}
