import type { ParameterMatches } from "./match-parameters.ts";
import type { Objection } from "./objection.ts";
import type { Parameter } from "./tool-parameters.ts";
import type { ToolProfile } from "./tool-profile.ts";

/** Words of names of which a tool has both, such as `from` and `to`. */
const ENDS: readonly (readonly [string, string])[] = [
  ["start", "end"],
  ["base", "end"],
  ["1", "2"],
  ["first", "second"],
];

/** One goes from here to there, the other is about one place only: a plain `location` is no `start_location` that comes with an `end_location`. */
export function oneOfTwoEnds(
  a: ToolProfile,
  b: ToolProfile,
  { matches, missingLeft, missingRight }: ParameterMatches,
): Objection | undefined {
  for (const { left, right } of matches) {
    const [x, y] = [a.parameters?.[left], b.parameters?.[right]];
    if (x === undefined || y === undefined) continue;
    const other = otherEnd(x, y, missingRight) ?? otherEnd(y, x, missingLeft);
    if (other === undefined) continue;
    return {
      reason: `One is about ${x.name} and ${y.name} alone, the other about ${other.name} too.`,
      wouldChange: "Both ends, or one, in both tools, or a pin.",
    };
  }
  return undefined;
}

function otherEnd(end: Parameter, plain: Parameter, missing: readonly Parameter[]): Parameter | undefined {
  const words = wordsOf(end);
  const plainWords = wordsOf(plain);
  for (const [x, y] of ENDS) {
    for (const [here, there] of [
      [x, y],
      [y, x],
    ] as const) {
      if (!words.includes(here) || plainWords.includes(here)) continue;
      const found = missing.find((parameter) => wordsOf(parameter).includes(there));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The meanings of a name's words, a number at its end apart: `country1` is `country` and `1`. */
function wordsOf({ name, words }: Parameter): readonly string[] {
  const number = /[0-9]$/.exec(name)?.[0];
  return number === undefined ? words : [...words, number];
}

const LANGUAGES: readonly RegExp[] = [/\bregex|regular expression/i, /\bglob/i, /\bxpath/i, /\bjsonpath|json path/i];

/** A pattern that is written in another language finds other things, or is none. */
export function otherLanguage(a: ToolProfile, b: ToolProfile, { matches }: ParameterMatches): Objection | undefined {
  for (const { left, right } of matches) {
    const [x, y] = [a.parameters?.[left], b.parameters?.[right]];
    if (x === undefined || y === undefined) continue;
    const unlike = LANGUAGES.some((language) => language.test(x.description) !== language.test(y.description));
    if (!unlike || !(x.words.includes("pattern") || y.words.includes("pattern"))) continue;
    return {
      reason: `What ${x.name} and ${y.name} are written in is not the same.`,
      wouldChange: "The same language of patterns in both, or a pin.",
    };
  }
  return undefined;
}
