import type { Explanation } from "@setwise/core";
import { scoreHyperedge } from "@setwise/native";
import { checkObject } from "./check-object.ts";
import type { SetScores } from "./score-sets.ts";
import { setKey } from "./set-score.ts";

/** Runners-up that are told of. */
const SHOWN_RUNNERS_UP = 3;

/** How a tool is called in a sentence. */
export interface ExplainSetsOptions {
  readonly nameOf: (tool: number) => string;
}

/**
 * Why the best set is the best: its value is F, its children what each tool, each pair and the size add, and the runner-up sets with
 * their own score and what they lack. Empty sets are told of as such.
 */
export function explainSets(scored: SetScores, options: ExplainSetsOptions): Explanation {
  checkObject("scored", "what scoreSets or a scorer gives", scored);
  checkObject("options", "an object with nameOf", options);
  const { nameOf } = options;
  const [best, ...others] = scored.best;
  if (best === undefined) return { value: 0, sentence: "No set keeps the constraints.", children: [] };
  const runnersUp = others.slice(0, SHOWN_RUNNERS_UP).map(({ ids, score, probability }): Explanation => {
    const lead = `${told(ids, nameOf)} is the next best with a probability of ${percent(probability)}`;
    const sentence = `${lead}; it scores ${number(best.score - score)} less: ${difference(best.ids, ids, nameOf)}.`;
    return { value: score, sentence, children: [] };
  });
  return {
    value: best.score,
    sentence: `${told(best.ids, nameOf)} has a probability of ${percent(best.probability)}.`,
    children: [...partsOf(scored, best.ids, nameOf), ...runnersUp],
  };
}

/** What each tool, each pair and the size add to F: they sum up to it. */
function partsOf({ problem, gains }: SetScores, ids: Uint32Array, nameOf: (tool: number) => string): Explanation[] {
  const { maxSize, alignment, sizeOffsets, emptyScore } = problem.request;
  const size = ids.length;
  if (size === 0) {
    return [{ value: emptyScore ?? 0, sentence: "The empty set has a score of its own.", children: [] }];
  }
  const members = Uint32Array.from(ids, (id) => problem.ids.indexOf(id));
  const score = scoreHyperedge(problem.logits, problem.pairScores, members, {
    maxSize,
    ...(alignment === undefined ? {} : { alignment }),
    ...(sizeOffsets === undefined ? {} : { sizeOffsets }),
  });
  const tools = Array.from(ids, (id, at): Explanation => {
    const value = score.alignment[at] ?? 0;
    return { value, sentence: `${nameOf(id)} by itself: ${number(value)}.`, children: [] };
  });
  const pairs: Explanation[] = [];
  let place = 0;
  for (let a = 0; a < size; a++) {
    for (let b = a + 1; b < size; b++) {
      const value = score.pairs[place++] ?? 0;
      const names = `${nameOf(ids[a] ?? 0)} with ${nameOf(ids[b] ?? 0)}`;
      if (value !== 0) pairs.push({ value, sentence: `${names}: ${number(value)}.`, children: [] });
    }
  }
  const offset = sizeOffsets?.[size - 1] ?? 0;
  const gain = gains?.get(setKey(members)) ?? 0;
  const asKnown =
    gain === 0 ? [] : [{ value: gain, sentence: `Logged as a set before: ${number(gain)}.`, children: [] }];
  const ofSize = { value: offset, sentence: `A set of ${size}: ${number(offset)}.`, children: [] };
  return [...tools, ...pairs, ofSize, ...asKnown];
}

function difference(best: Uint32Array, other: Uint32Array, nameOf: (tool: number) => string): string {
  const lacks = best.filter((id) => !other.includes(id));
  const adds = other.filter((id) => !best.includes(id));
  const parts = [
    ...(lacks.length === 0 ? [] : [`it lacks ${names(lacks, nameOf)}`]),
    ...(adds.length === 0 ? [] : [`it has ${names(adds, nameOf)}`]),
  ];
  return parts.join(" and ");
}

function told(ids: Uint32Array, nameOf: (tool: number) => string): string {
  return ids.length === 0 ? "No tool at all" : `The set of ${names(ids, nameOf)}`;
}

function names(ids: Uint32Array, nameOf: (tool: number) => string): string {
  const all = Array.from(ids, nameOf);
  const last = all.pop() ?? "";
  return all.length === 0 ? last : `${all.join(", ")} and ${last}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function number(value: number): string {
  return String(Number(value.toFixed(2)));
}
