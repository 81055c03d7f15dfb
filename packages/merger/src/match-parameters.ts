import { isFormal, type Parameter } from "./tool-parameters.ts";

/** Two arguments that are taken for one, by position, and how sure that is in 0..1. */
export interface ParameterMatch {
  readonly left: number;
  readonly right: number;
  readonly certainty: number;
}

/** How the arguments of two tools lie over each other. */
export interface ParameterMatches {
  readonly matches: readonly ParameterMatch[];
  /** Required ones that the other tool does not have at all. */
  readonly missingRight: readonly Parameter[];
  readonly missingLeft: readonly Parameter[];
  /** How many required ones of one are required ones of the other. */
  readonly sharedRequired: number;
}

/** Below this a likeness is chance. */
const LEAST_CERTAINTY = 0.5;
/** Arguments that stand alone on both sides may be one under two names, but only may. */
const LEFT_OVER_CERTAINTY = 0.4;

/** What is the same by what descriptions say of it, under names that share nothing. */
const DESCRIBED_CERTAINTY = 0.6;
const LEAST_SHARE_DESCRIBED = 0.67;

/** Names of how long something lasts; a `year` is a date, `years` are not. */
const DURATION = /(?:^|_)(?:years|months|weeks|days|term|period|duration|length)(?:_|$)/;

/** Ends of an interval and directions: what has one of these is not what has the other. */
const POLES: readonly (readonly [string, string])[] = [
  ["start", "end"],
  ["max", "min"],
  ["maximum", "minimum"],
  ["latitude", "longitude"],
  ["initial", "final"],
  ["first", "last"],
  ["lower", "upper"],
  ["input", "output"],
  ["base", "quote"],
  ["width", "height"],
  ["check", "out"],
];

/** Words that may be left out of a name without changing what it names. */
const FILLERS: ReadonlySet<string> = new Set([
  "name",
  "input",
  "valu",
  "value",
  "given",
  "user",
  "current",
  "new",
  "list",
  "data",
  "info",
  "path",
  "is",
  "in",
  "the",
  "of",
  "full",
]);

/** The best one-to-one assignment, greedily by certainty; ties by position. */
export function matchParameters(left: readonly Parameter[], right: readonly Parameter[]): ParameterMatches {
  const possible: ParameterMatch[] = [];
  for (const [l, a] of left.entries()) {
    for (const [r, b] of right.entries()) {
      const certainty = likeness(a, b);
      if (certainty >= LEAST_CERTAINTY) possible.push({ left: l, right: r, certainty });
    }
  }
  possible.sort((a, b) => b.certainty - a.certainty || a.left - b.left || a.right - b.right);
  const matches: ParameterMatch[] = [];
  const takenLeft = new Set<number>();
  const takenRight = new Set<number>();
  const take = (match: ParameterMatch): void => {
    if (takenLeft.has(match.left) || takenRight.has(match.right)) return;
    takenLeft.add(match.left);
    takenRight.add(match.right);
    matches.push(match);
  };
  possible.forEach(take);
  inOrder(left, right, takenLeft, takenRight).forEach(take);
  const alone = loneRequired(left, right, takenLeft, takenRight);
  if (alone !== undefined) take(alone);
  const missingRight = left.filter((parameter, place) => parameter.required && !takenLeft.has(place));
  const missingLeft = right.filter((parameter, place) => parameter.required && !takenRight.has(place));
  const sharedRequired = matches.filter((match) => left[match.left]?.required && right[match.right]?.required).length;
  return { matches, missingRight, missingLeft, sharedRequired };
}

/** Required arguments whose names say nothing (`a` and `b`, `num1` and `num2`) are one by their order, if no others are left. */
function inOrder(
  left: readonly Parameter[],
  right: readonly Parameter[],
  takenLeft: ReadonlySet<number>,
  takenRight: ReadonlySet<number>,
): readonly ParameterMatch[] {
  const l = left.flatMap((parameter, place) => (parameter.required && !takenLeft.has(place) ? [place] : []));
  const r = right.flatMap((parameter, place) => (parameter.required && !takenRight.has(place) ? [place] : []));
  const isNameless = (parameter: Parameter | undefined): boolean => NAMELESS.test(parameter?.name ?? "");
  if (
    l.length !== r.length ||
    !l.every((place) => isNameless(left[place])) ||
    !r.every((place) => isNameless(right[place]))
  )
    return [];
  const matches = l.map((place, i) => ({ left: place, right: r[i] ?? 0, certainty: DESCRIBED_CERTAINTY }));
  return matches.every((match) => isPossible(left[match.left], right[match.right])) ? matches : [];
}

function isPossible(a: Parameter | undefined, b: Parameter | undefined): boolean {
  return a !== undefined && b !== undefined && compatible(a, b);
}

/** Names of operands. */
const NAMELESS =
  /^(?:[a-z]|(?:num|number|n|val|value|int|integer|x|operand|arg)_?[0-9]?|(?:first|second)_?(?:number|num|value)?)$/i;

/** The one required argument that each side has left, where nothing speaks against their being one. */
function loneRequired(
  left: readonly Parameter[],
  right: readonly Parameter[],
  takenLeft: ReadonlySet<number>,
  takenRight: ReadonlySet<number>,
): ParameterMatch | undefined {
  const l = left.flatMap((parameter, place) => (parameter.required && !takenLeft.has(place) ? [place] : []));
  const r = right.flatMap((parameter, place) => (parameter.required && !takenRight.has(place) ? [place] : []));
  if (l.length !== 1 || r.length !== 1) return undefined;
  const [a, b] = [left[l[0] ?? 0], right[r[0] ?? 0]];
  if (a === undefined || b === undefined || !compatible(a, b)) return undefined;
  if (a.kind !== "text" || b.kind !== "text" || polar(a.words, b.words)) {
    if (
      !(
        a.kind !== b.kind &&
        (generic(a) || generic(b)) &&
        !["id", "base64"].includes(a.kind) &&
        !["id", "base64"].includes(b.kind)
      )
    )
      return undefined;
  }
  if (isMedium(a) !== isMedium(b)) return undefined;
  return (generic(a) && generic(b)) || mentions(a, b) || mentions(b, a)
    ? { left: l[0] ?? 0, right: r[0] ?? 0, certainty: LEFT_OVER_CERTAINTY }
    : undefined;
}

const GENERIC: ReadonlySet<string> = new Set(["query", "text", "src", "url", "data", "input", "function"]);

/** Files and recordings are no texts. */
function isMedium(parameter: Parameter): boolean {
  return parameter.words.some((word) => MEDIA.has(word));
}

const MEDIA: ReadonlySet<string> = new Set(["audio", "file", "image", "video", "path", "doc", "picture"]);

function generic(parameter: Parameter): boolean {
  return parameter.words.every((word) => GENERIC.has(word));
}

function mentions(a: Parameter, b: Parameter): boolean {
  const description = a.description.toLowerCase();
  return b.words.every((word) => word.length > 3 && description.includes(word));
}

/** How alike two arguments are by name, kind and type; 0 where one cannot stand for the other. */
function likeness(a: Parameter, b: Parameter): number {
  if (!compatible(a, b)) return 0;
  if (a.name === b.name || plain(a.name) === plain(b.name)) return 1;
  if (polar(a.words, b.words)) return 0;
  const sameKind = a.kind === b.kind || isNameOf(a, b) || isNameOf(b, a);
  if (!sameKind) return 0;
  const onlyA = a.words.filter((word) => !b.words.some((other) => near(word, other)));
  const onlyB = b.words.filter((word) => !a.words.some((other) => near(word, other)));
  if (onlyA.length === 0 && onlyB.length === 0) return 0.95;
  const shared = a.words.length - onlyA.length;
  const heavyA = onlyA.filter((word) => !FILLERS.has(word));
  const heavyB = onlyB.filter((word) => !FILLERS.has(word));
  if (shared > 0 && heavyA.length === 0 && heavyB.length === 0) return 0.85;
  // Of ids, "id" is a word they all share.
  const telling = a.words.includes("id") && b.words.includes("id") ? shared - 1 : shared;
  if (telling > 0 && (heavyA.length === 0 || heavyB.length === 0)) return 0.7;
  if (a.kind === "id" && (a.words.length === 1 || b.words.length === 1)) return 0.6;
  if (telling > 0) {
    const certainty = (0.9 * telling) / (telling + Math.min(heavyA.length, heavyB.length) + 0.2);
    if (certainty >= LEAST_CERTAINTY) return certainty;
  }
  return describedAlike(a, b) ? DESCRIBED_CERTAINTY : 0;
}

/** Whether what they are, by name and by what their descriptions open with, is the same for the greater part. */
function describedAlike(a: Parameter, b: Parameter): boolean {
  if (a.kind === "id" || polar([...a.about], [...b.about])) return false;
  const [x, y] = [a, b].map(({ about }) => [...about].filter((word) => !isFormal(word)));
  if (x === undefined || y === undefined || x.length === 0 || y.length === 0) return false;
  // How long something lasts is told in years, days or terms.
  if (DURATION.test(a.name) && DURATION.test(b.name)) return true;
  // Each has a word in its name that the other does not know: a type of voyage is not its distance.
  if (isUnknown(a, b) && isUnknown(b, a)) return false;
  const shared = x.filter((word) => y.includes(word)).length;
  return shared >= LEAST_SHARE_DESCRIBED * Math.min(x.length, y.length);
}

function isUnknown(a: Parameter, b: Parameter): boolean {
  return a.words.some((word) => !b.about.has(word) && !FILLERS.has(word));
}

/** `data` and `dataset`. */
function near(a: string, b: string): boolean {
  return a === b || (a.length >= 4 && b.startsWith(a)) || (b.length >= 4 && a.startsWith(b));
}

/** `hash_tag` is `hashTag` is `hashtag`. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** `company` may be `company_name`. */
function isNameOf(a: Parameter, b: Parameter): boolean {
  return a.kind === "name" && b.kind === "text";
}

function polar(a: readonly string[], b: readonly string[]): boolean {
  return POLES.some(([x, y]) => (has(a, x) && has(b, y) && !has(b, x)) || (has(a, y) && has(b, x) && !has(b, y)));
}

function has(words: readonly string[], word: string): boolean {
  return words.includes(word);
}

/** Whether a value for one could be a value for the other: same JSON type, numbers also as text. */
function compatible(a: Parameter, b: Parameter): boolean {
  if (a.types.length === 0 || b.types.length === 0) return true;
  return a.types.some((type) => b.types.some((other) => type === other || (isPlain(type) && isPlain(other))));
}

function isPlain(type: string): boolean {
  return type === "string" || type === "number" || type === "integer";
}
