import type { ToolDefinition } from "@setwise/core";
import { compareActions, isReading } from "./actions.ts";
import { differenceInEffects } from "./effects.ts";
import { matchParameters, type ParameterMatches } from "./match-parameters.ts";
import { excludingWords, isNarrowing } from "./qualifiers.ts";
import { differenceInServices } from "./services.ts";
import { meaningOf } from "./word-meaning.ts";
import type { Parameter } from "./tool-parameters.ts";
import { type ToolProfile, toolProfile } from "./tool-profile.ts";

/** How likely two tools do the same job; the weights add up to 1, without an encoder the first three are scaled up to it. */
const WEIGHT_OF_NAME = 0.35;
const WEIGHT_OF_DESCRIPTION = 0.2;
const WEIGHT_OF_ARGUMENTS = 0.25;
const WEIGHT_OF_COSINE = 0.2;
/** For each word that only one of two names has. */
const LOSS_PER_LEFT_OVER = 0.25;
/** Actions that are alike but not the same. */
const LOSS_OF_ALIKE_ACTIONS = 0.04;
const LOSS_OF_MISSING_ARGUMENT = 0.03;
/** Descriptions that share less are of two things, whatever the names are. */
const LEAST_DESCRIPTION = 0.3;
/** Neither says what arguments it takes. */
const LOSS_OF_SILENT_ARGUMENTS = 0.1;

/** From this on two tools are taken for the same. */
const ACCEPT_FROM = 0.68;

/** What the judge made of a pair. */
export interface Verdict {
  readonly same: boolean;
  /** Why, in a sentence. */
  readonly reason: string;
  /** What would change the decision, in a sentence. */
  readonly wouldChange: string;
  /** Evidence in 0..1; 0 where something speaks against it outright. */
  readonly score: number;
}

/** What else is known of a pair. */
export interface PairEvidence {
  /** Cosine of the vectors of the two tools, where there are vectors. */
  readonly cosine?: number;
  readonly acceptFrom?: number;
}

/** Whether two tools do the same job: first all that speaks against it, then how much speaks for it. Symmetric. */
export function judgePair(a: ToolDefinition, b: ToolDefinition, evidence: PairEvidence = {}): Verdict {
  const [left, right] = ordered(toolProfile(a), toolProfile(b));
  const against = objection(left, right);
  if (against !== undefined) return { same: false, score: 0, ...against };
  const matches = matchParameters(left.parameters ?? [], right.parameters ?? []);
  const wrongArguments = objectionByArguments(left, right, matches);
  if (wrongArguments !== undefined) return { same: false, score: 0, ...wrongArguments };
  return weigh(left, right, matches, evidence);
}

type Objection = Pick<Verdict, "reason" | "wouldChange">;

function ordered(a: ToolProfile, b: ToolProfile): readonly [ToolProfile, ToolProfile] {
  return a.tool.name < b.tool.name || (a.tool.name === b.tool.name && a.tool.id <= b.tool.id) ? [a, b] : [b, a];
}

function objection(a: ToolProfile, b: ToolProfile): Objection | undefined {
  return (
    objectionByAction(a, b) ??
    differenceInEffects(a, b) ??
    objectionByContent(a, b) ??
    objectionByForecast(a, b) ??
    objectionByDirection(a, b) ??
    objectionByNumbers(a, b) ??
    objectionByQualifier(a, b) ??
    differenceInServices(a, b) ??
    objectionByNamespace(a, b) ??
    objectionByObjects(a, b)
  );
}

/** What a tool does, in one word: by its name, else by its description. */
export function mainAction(profile: ToolProfile): string {
  const { nameAction, descriptionAction } = profile;
  if (nameAction !== undefined && nameAction !== "read") return nameAction;
  return descriptionAction ?? nameAction ?? "read";
}

function objectionByAction(a: ToolProfile, b: ToolProfile): Objection | undefined {
  const pairs: (readonly [string | undefined, string | undefined])[] = [
    [a.descriptionAction, b.descriptionAction],
    [mainAction(a), mainAction(b)],
  ];
  for (const [x, y] of pairs) {
    if (x === undefined || y === undefined || compareActions(x, y) !== "different") continue;
    // One of the two names it in other words elsewhere: "make a reservation" and "reserve".
    if (
      x === pairs[1]?.[0] &&
      a.descriptionAction === b.descriptionAction &&
      a.descriptionAction !== undefined &&
      a.descriptionAction !== "read"
    )
      continue;
    return {
      reason: `One is to ${x}, the other to ${y}.`,
      wouldChange: "The same verb in both, or a pin.",
    };
  }
  return undefined;
}

/** What will be against what is: a forecast of the weather and the weather. */
function objectionByForecast(a: ToolProfile, b: ToolProfile): Objection | undefined {
  if (isForecast(a) === isForecast(b)) return objectionByPast(a, b);
  return { reason: "One tells what will be, the other what is.", wouldChange: "A forecast in both, or a pin." };
}

/** What was against what is: historical prices and the current price. */
function objectionByPast(a: ToolProfile, b: ToolProfile): Objection | undefined {
  const [x, y] = [a, b].map((profile) => PAST.some((word) => profile.written.has(word)));
  const [p, q] = [a, b].map((profile) => PRESENT.some((word) => profile.written.has(word)));
  if (!((x && q && !y && !p) || (y && p && !x && !q))) return undefined;
  return { reason: "One tells what was, the other what is.", wouldChange: "The same time in both, or a pin." };
}

const PAST = ["historical", "history", "historic", "past"];
const PRESENT = ["current", "currently", "live", "latest", "now"];

function isForecast(profile: ToolProfile): boolean {
  return FORECASTS.some((word) => profile.written.has(word));
}

const FORECASTS = ["forecast", "forecasts", "predict", "predicts", "prediction", "predictions", "predicted", "future"];

/** A thing itself against what is known of it: `read_file` and `get_file_info`. */
function objectionByContent(a: ToolProfile, b: ToolProfile): Objection | undefined {
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const isWhole = one.nameWords[0] === "read" && other.nameWords.some((word) => ABOUT.has(word));
    const isOne = one.nameWords.at(-1) === "list" && KNOWN.has(other.nameWords.at(-1) ?? "");
    if (!isWhole && !isOne) continue;
    return {
      reason: "One gives the thing itself, the other what is known of it.",
      wouldChange: "The same in both, or a pin.",
    };
  }
  return undefined;
}

const KNOWN: ReadonlySet<string> = new Set(["info", "information", "details", "detail"]);
const ABOUT: ReadonlySet<string> = new Set([
  "info",
  "information",
  "details",
  "metadata",
  "list",
  "search",
  "status",
  "properties",
]);

/** `celsius_to_fahrenheit` against `fahrenheit_to_celsius`. */
function objectionByDirection(a: ToolProfile, b: ToolProfile): Objection | undefined {
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
function objectionByNumbers(a: ToolProfile, b: ToolProfile): Objection | undefined {
  const [x, y] = [a, b].map((profile) => profile.nameWords.filter((word) => /^[0-9]/.test(word)).join(" "));
  if (x === undefined || y === undefined || x === y) return undefined;
  if ((x === "" || y === "") && !/(?:^|[a-z_ ])v ?[0-9]/i.test(`${a.tool.name} ${b.tool.name}`)) return undefined;
  return {
    reason: `Their names carry other numbers: ${x === "" ? "none" : x} and ${y === "" ? "none" : y}.`,
    wouldChange: "The same version or number in both names, or a pin.",
  };
}

function objectionByQualifier(a: ToolProfile, b: ToolProfile): Objection | undefined {
  const inNames = excludingWords(new Set(a.nameWords), new Set(b.nameWords));
  const found = inNames ?? excludingWords(a.written, b.written);
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

function isMentioned(word: string, other: ToolProfile): boolean {
  if (other.mentioned.has(word)) return true;
  // `currencyconversion` and the like, and abbreviations.
  if (word.length < 4) return false;
  for (const known of other.mentioned) {
    if (known.length >= 4 && (known.startsWith(word) || word.startsWith(known))) return true;
  }
  return false;
}

function objectionByObjects(a: ToolProfile, b: ToolProfile): Objection | undefined {
  const { left, right } = leftOvers(a, b);
  if (left.length > 0 && right.length > 0) {
    return {
      reason: `One is about ${left.map(said).join(" ")}, the other about ${right.map(said).join(" ")}.`,
      wouldChange: "Descriptions that speak of the same thing, or a pin.",
    };
  }
  const narrowing = [...left, ...right].find(isNarrowing) ?? narrowingWord(a, b);
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
        !other.written.has(word) &&
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

function objectionByArguments(a: ToolProfile, b: ToolProfile, matches: ParameterMatches): Objection | undefined {
  const { missingLeft, missingRight, sharedRequired } = matches;
  const unlike = oneAgainstMany(a, missingRight, b) ?? oneAgainstMany(b, missingLeft, a) ?? unsaidArguments(a, b);
  if (unlike !== undefined) return unlike;
  if (missingLeft.length > 0 && missingRight.length > 0) {
    return {
      reason: `One needs ${missingRight.map((entry) => entry.name).join(", ")}, the other ${missingLeft.map((entry) => entry.name).join(", ")}.`,
      wouldChange: "Arguments of which one tool's contain the other's, or a pin.",
    };
  }
  const [needsLeft, needsRight] = [a, b].map(
    (p) => p.parameters?.filter((parameter) => parameter.required).length ?? 0,
  );
  if (needsLeft && needsRight && sharedRequired === 0) {
    return {
      reason: "What one needs is not what the other needs.",
      wouldChange: "A required argument that both share, or a pin.",
    };
  }
  if (a.parameters?.length && b.parameters?.length && matches.matches.length === 0) {
    return { reason: "They have no argument in common.", wouldChange: "An argument that both take, or a pin." };
  }
  const values = otherValues(a, b, matches);
  if (values !== undefined) return { reason: values, wouldChange: "A value that both take, or a pin." };
  const identified = otherIdentity(a, b, matches);
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

function weigh(a: ToolProfile, b: ToolProfile, matches: ParameterMatches, evidence: PairEvidence): Verdict {
  const { left, right } = leftOvers(a, b);
  const actions = compareActions(mainAction(a), mainAction(b));
  const name = Math.max(likenessOfNames(a.nameObjects, b.nameObjects), likenessOfNames(a.fullObjects, b.fullObjects));
  const description = overlap(a.descriptionObjects, b.descriptionObjects);
  const parameters = likenessOfArguments(a, b, matches);
  const words =
    (WEIGHT_OF_NAME * name + WEIGHT_OF_DESCRIPTION * description + WEIGHT_OF_ARGUMENTS * parameters) /
    (1 - WEIGHT_OF_COSINE);
  const { cosine, acceptFrom = ACCEPT_FROM } = evidence;
  const likeness = cosine === undefined ? words : words * (1 - WEIGHT_OF_COSINE) + cosine * WEIGHT_OF_COSINE;
  const score =
    likeness -
    LOSS_PER_LEFT_OVER * (left.length + right.length) -
    (a.namespace.length > 0 && b.namespace.length > 0 ? LOSS_PER_LEFT_OVER * strangeNamespace(a, b) : 0) -
    (isSilent(a) && isSilent(b) ? LOSS_OF_SILENT_ARGUMENTS : 0) -
    LOSS_OF_MISSING_ARGUMENT * (matches.missingLeft.length + matches.missingRight.length) -
    (actions === "same" ? 0 : LOSS_OF_ALIKE_ACTIONS);
  const isStrange =
    description < LEAST_DESCRIPTION && Math.min(a.descriptionObjects.size, b.descriptionObjects.size) > 1;
  const same = score >= acceptFrom && !isStrange;
  const shares = `names ${percent(name)}, descriptions ${percent(description)}, arguments ${percent(parameters)}${cosine === undefined ? "" : `, cosine ${cosine.toFixed(2)}`}`;
  return {
    same,
    score,
    reason: same
      ? `Both are to ${mainAction(a)} the same thing with arguments that fit (${shares}).`
      : `Nothing sets them apart, but too little says that they do the same job (${shares}).`,
    wouldChange: same
      ? "Another object, verb, qualifier or required key in one of them, or a pin."
      : "Descriptions that say more alike what they do, or a pin.",
  };
}

function isSilent(profile: ToolProfile): boolean {
  return profile.tool.inputSchema["properties"] === undefined;
}

/** Words of one namespace that the other tool does not know. */
function strangeNamespace(a: ToolProfile, b: ToolProfile): number {
  return [
    ...a.namespace.filter((word) => !isMentioned(meaningOf(word), b)),
    ...b.namespace.filter((word) => !isMentioned(meaningOf(word), a)),
  ].length;
}

/** Namespaces of which each has a word that the other tool does not know: `soccer.get_scores` and `basketball.get_scores`. */
function objectionByNamespace(a: ToolProfile, b: ToolProfile): Objection | undefined {
  const left = a.namespace.filter((word) => !isMentioned(meaningOf(word), b));
  const right = b.namespace.filter((word) => !isMentioned(meaningOf(word), a));
  if (left.length === 0 || right.length === 0) return undefined;
  return {
    reason: `One belongs to ${left.join(" ")}, the other to ${right.join(" ")}.`,
    wouldChange: "The same namespace, or a pin.",
  };
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** By the things they name; by their verbs too where one names nothing. */
function likenessOfNames(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [x, y] = [a, b].map((words) => new Set([...words].filter((word) => !word.startsWith("to "))));
  return x === undefined || y === undefined || x.size === 0 || y.size === 0 ? overlap(a, b) : overlap(x, y);
}

/** Shared words among those of the smaller and the larger set, half each. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 && b.size === 0) return 0.7;
  if (a.size === 0 || b.size === 0) return 0.4;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return (shared / Math.min(a.size, b.size) + shared / Math.max(a.size, b.size)) / 2;
}

function likenessOfArguments(a: ToolProfile, b: ToolProfile, { matches }: ParameterMatches): number {
  const [left, right] = [a.parameters ?? [], b.parameters ?? []];
  if (left.length === 0 && right.length === 0) return 0.5;
  const smaller = Math.min(left.length, right.length);
  if (smaller === 0) return 0.3;
  const certainty = matches.reduce((sum, match) => sum + match.certainty, 0);
  return (certainty / smaller + certainty / Math.max(left.length, right.length)) / 2;
}
