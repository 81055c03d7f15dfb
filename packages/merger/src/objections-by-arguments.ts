import { oneOfTwoEnds, otherLanguage } from "./objections-by-matches.ts";
import { isMentioned } from "./left-overs.ts";
import type { ParameterMatches } from "./match-parameters.ts";
import type { Objection } from "./objection.ts";
import type { Parameter } from "./tool-parameters.ts";
import type { ToolProfile } from "./tool-profile.ts";

export function objectionByArguments(a: ToolProfile, b: ToolProfile, matches: ParameterMatches): Objection | undefined {
  const { missingLeft, missingRight, sharedRequired } = matches;
  const unlike = oneAgainstMany(a, missingRight, b) ?? oneAgainstMany(b, missingLeft, a) ?? unsaidArguments(a, b);
  if (unlike !== undefined) return unlike;
  if (missingLeft.length > 0 && missingRight.length > 0) {
    return {
      reason: `One needs ${missingRight.map((entry) => entry.name).join(", ")}, the other ${missingLeft.map((entry) => entry.name).join(", ")}.`,
      wouldChange: "Arguments of which one tool's contain the other's, or a pin.",
    };
  }
  const end = oneOfTwoEnds(a, b, matches);
  if (end !== undefined) return end;
  const [needsLeft, needsRight] = [a, b].map(
    (p) => p.parameters?.filter((parameter) => parameter.required).length ?? 0,
  );
  if (needsLeft && needsRight && sharedRequired === 0) {
    return {
      reason: "What one needs is not what the other needs.",
      wouldChange: "A required argument that both share, or a pin.",
    };
  }
  const values = otherValues(a, b, matches);
  if (values !== undefined) return { reason: values, wouldChange: "A value that both take, or a pin." };
  const language = otherLanguage(a, b, matches);
  if (language !== undefined) return language;
  const identified = otherIdentity(a, b, matches) ?? otherThing(a, b, matches);
  if (identified !== undefined) {
    return { reason: identified, wouldChange: "The same kind of key in both, or a pin." };
  }
  return undefined;
}

/** One acts on the thing of an id, the other on all of them or on what it belongs to. */
function oneAgainstMany(one: ToolProfile, missing: readonly Parameter[], other: ToolProfile): Objection | undefined {
  const [anyKey] = missing;
  const key = missing.find((parameter) => parameter.kind === "id") ?? anyKey;
  if (key === undefined) return undefined;
  const isNamed =
    key.kind === "id" &&
    (key.words.length === 1 || key.words.some((word) => word !== "id" && one.nameObjects.has(word)));
  const isMany = LISTING.has(other.nameWords[0] ?? "") && GETTING.has(one.nameWords[0] ?? "");
  if (!isNamed && !isMany) return undefined;
  return {
    reason: `Only ${one.tool.name} goes by ${key.name}.`,
    wouldChange: `A ${key.name} in the other as well, or a pin.`,
  };
}

const LISTING: ReadonlySet<string> = new Set(["list", "search", "find", "browse"]);

const GETTING: ReadonlySet<string> = new Set(["get", "fetch", "retrieve", "read", "show"]);

/** One does not say what arguments it takes, and the other takes some. */
function unsaidArguments(a: ToolProfile, b: ToolProfile): Objection | undefined {
  const [x, y] = [a.parameters?.length ?? 0, b.parameters?.length ?? 0];
  const needy = (x > 0 ? a : b).parameters?.find((parameter) => parameter.required);
  if (x > 0 !== y > 0 && needy !== undefined) {
    return {
      reason: `One needs ${needy.name}, the other takes no argument.`,
      wouldChange: "An argument that both take, or a pin.",
    };
  }
  if (x > 0 === y > 0 || !isSilent(x > 0 ? b : a)) return undefined;
  return {
    reason: `${(x > 0 ? b : a).tool.name} does not say what arguments it takes.`,
    wouldChange: "A schema of its arguments, or a pin.",
  };
}

/** One takes values none of which the other takes. */
function otherValues(a: ToolProfile, b: ToolProfile, { matches }: ParameterMatches): string | undefined {
  for (const { left, right } of matches) {
    const [x, y] = [a.parameters?.[left], b.parameters?.[right]];
    // Where both may be left out, they are two arguments rather than one of other values.
    if (x?.required !== true && y?.required !== true) continue;
    const [first, second] = [x?.schema["enum"], y?.schema["enum"]];
    if (!Array.isArray(first) || !Array.isArray(second) || first.length === 0 || second.length === 0) continue;
    const known = new Set(first.map((value) => String(value).toLowerCase()));
    if (!second.some((value) => known.has(String(value).toLowerCase())))
      return `No value of ${x?.name} is one of ${y?.name}.`;
  }
  return undefined;
}

/** One takes an id where the other takes a name: to go from one to the other needs a look-up. */
function otherIdentity(a: ToolProfile, b: ToolProfile, { matches }: ParameterMatches): string | undefined {
  const left = a.parameters ?? [];
  const right = b.parameters ?? [];
  const idLeft = left.find(
    (p, place) => p.kind === "id" && p.required && !matches.some((match) => match.left === place),
  );
  const idRight = right.find(
    (p, place) => p.kind === "id" && p.required && !matches.some((match) => match.right === place),
  );
  const id = idLeft ?? idRight;
  if (id === undefined) return undefined;
  const others = (idLeft === undefined ? left : right).filter((p) => p.kind === "name" || p.kind === "text");
  const twin = others.find((p) => p.words.some((word) => word !== "id" && id.words.includes(word)));
  return twin === undefined ? undefined : `One goes by ${id.name}, the other by ${twin.name}.`;
}

/** A plain `id` is that of what its tool is about: of a medium, say, where the other wants a `user_id`. */
function otherThing(a: ToolProfile, b: ToolProfile, { matches }: ParameterMatches): string | undefined {
  for (const { left, right } of matches) {
    for (const [one, id, key] of [
      [a, a.parameters?.[left], b.parameters?.[right]],
      [b, b.parameters?.[right], a.parameters?.[left]],
    ] as const) {
      if (id?.kind !== "id" || key?.kind !== "id" || id.words.length > 1 || key.words.length !== 2) continue;
      if (key.words.some((word) => word !== "id" && isMentioned(word, one))) continue;
      const thing = [...one.nameObjects].find((word) => !word.startsWith("to "));
      if (thing !== undefined) return `One goes by the id of a ${thing}, the other by ${key.name}.`;
    }
  }
  return undefined;
}

export function isSilent(profile: ToolProfile): boolean {
  return profile.tool.inputSchema["properties"] === undefined;
}
