import { deedOfMeaning, isReading } from "./actions.ts";
import type { ParameterMatches } from "./match-parameters.ts";
import type { ToolProfile } from "./tool-profile.ts";

/** A deed that changes nothing, where a name opens with it, counts half: `calculate_sum` may well be `sum`. */
const WEIGHT_OF_LEADING_DEED = 0.5;
/** Of a description that is not there so much is taken to be of something else. */
const UNSAID = 0.3;
/** From this length on the beginning of a word stands for it: `dimension` and `dimensionality`. */
const SHORTEST_BEGINNING = 5;

/** From this certainty on two arguments are surely one; more such than this say nothing more. */
const SURE = 0.85;
const ENOUGH_SURE = 3;

/** What speaks for and against two tools doing the same job, where nothing rules it out. Symmetric. */
export interface Evidence {
  /** Words of one name that the other tool does not have anywhere, of the name that has more of them. */
  readonly strangeInName: number;
  /** Share of the words of one first sentence that the other tool does not have, the smaller of both. */
  readonly strangeInSentence: number;
  /** The same, the larger of both. */
  readonly strangeInLonger: number;
  /** Words that both names have, among all of them, in 0..1. */
  readonly sharedNames: number;
  /** Required arguments that the other tool does not have, of the tool that has more of them. */
  readonly missingArguments: number;
  /** How well the arguments lie over each other, in 0..1. */
  readonly likeArguments: number;
  /** Arguments that are surely one in both, in 0..1, which three of them are: so many do not fall together by chance. */
  readonly alignedArguments: number;
  /** 1 where one of them changes something: a wrong merge costs more there. */
  readonly changes: number;
  /** 1 where neither takes arguments: these say nothing then. */
  readonly noArguments: number;
}

/** Weighs nothing, only counts. */
export function pairEvidence(a: ToolProfile, b: ToolProfile, matches: ParameterMatches): Evidence {
  const leading = new Set([a, b].flatMap(({ leadingDeed }) => leadingDeed ?? []));
  const [left, right] = [a.parameters?.length ?? 0, b.parameters?.length ?? 0];
  const inSentences = [
    strangeShare(a.sentenceObjects, b.known, leading),
    strangeShare(b.sentenceObjects, a.known, leading),
  ];
  return {
    strangeInName: Math.max(
      strangeWeight(a.nameObjects, b.known, leading),
      strangeWeight(b.nameObjects, a.known, leading),
    ),
    strangeInSentence: Math.min(...inSentences),
    strangeInLonger: Math.max(...inSentences),
    sharedNames: sharedShare(a.fullObjects, b.fullObjects),
    missingArguments: Math.max(matches.missingLeft.length, matches.missingRight.length),
    likeArguments: likenessOfArguments(left, right, matches),
    alignedArguments: alignedArguments(matches),
    changes: [a, b].some(changesSomething) ? 1 : 0,
    noArguments: left + right === 0 ? 1 : 0,
  };
}

function strangeWeight(words: ReadonlySet<string>, others: ReadonlySet<string>, leading: ReadonlySet<string>): number {
  let sum = 0;
  for (const word of words) {
    if (isAmong(word, others)) continue;
    sum += leading.has(word) && isReading(word.slice(3)) ? WEIGHT_OF_LEADING_DEED : 1;
  }
  return sum;
}

function strangeShare(
  sentence: ReadonlySet<string>,
  others: ReadonlySet<string>,
  leading: ReadonlySet<string>,
): number {
  return sentence.size === 0 ? UNSAID : strangeWeight(sentence, others, leading) / sentence.size;
}

function isAmong(word: string, others: ReadonlySet<string>): boolean {
  if (others.has(word)) return true;
  const deed = deedOfMeaning(word);
  if (deed !== undefined && others.has(deed)) return true;
  const isDeed = word.startsWith("to ");
  const isLong = word.length >= SHORTEST_BEGINNING;
  if (!isDeed && !isLong) return false;
  for (const other of others) {
    if (isDeed && deedOfMeaning(other) === word) return true;
    if (isLong && other.length >= SHORTEST_BEGINNING && (other.startsWith(word) || word.startsWith(other))) return true;
  }
  return false;
}

function sharedShare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return a.size === b.size ? 0.5 : 0;
  const shared = [...a].filter((word) => isAmong(word, b)).length;
  return shared / (a.size + b.size - shared);
}

function alignedArguments({ matches }: ParameterMatches): number {
  const sure = matches.filter((match) => match.certainty >= SURE).length;
  return Math.min(sure, ENOUGH_SURE) / ENOUGH_SURE;
}

function changesSomething({ nameAction, descriptionAction }: ToolProfile): boolean {
  return [nameAction, descriptionAction].some((action) => action !== undefined && !isReading(action));
}

function likenessOfArguments(left: number, right: number, { matches }: ParameterMatches): number {
  const smaller = Math.min(left, right);
  if (smaller === 0) return left === right ? 0.5 : 0.2;
  const certainty = matches.reduce((sum, match) => sum + match.certainty, 0);
  return (certainty / smaller + certainty / Math.max(left, right)) / 2;
}
