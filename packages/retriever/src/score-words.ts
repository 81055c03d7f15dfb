import { fillBag } from "./bag-of-terms.ts";
import type { Scratch } from "./scratch.ts";
import type { ToolIndex } from "./tool-index.ts";

/** Marks the tools that count; all, if `allow` is not given. */
export function allowOnly(scratch: Scratch, allow: Uint32Array | undefined): void {
  if (allow === undefined) scratch.allowed.fill(1);
  else for (const ordinal of allow) scratch.allowed[ordinal] = 1;
}

/**
 * Scores the words of the next part of a query: its BM25F goes into a column of its own, and the tools that it touches first are added to
 * `scratch.touched`. Gives the largest score, 0 if no tool has a word of it.
 */
export function scorePart(index: ToolIndex, text: string, scratch: Scratch): number {
  const { touched, isTouched, partTouched, textScores } = scratch;
  const part = scratch.usedParts++;
  const column = (textScores[part] ??= new Float32Array(index.catalog.tools.length));
  fillBag(index, text, scratch);
  const count = addText(index, scratch, column, partTouched);
  for (let place = 0; place < count; place++) {
    const tool = partTouched[place]!;
    if (isTouched[tool] === 1) continue;
    isTouched[tool] = 1;
    touched[scratch.count++] = tool;
  }
  if (part === 0) addNameShares(index, scratch);
  return largest(column, partTouched, count);
}

/** Adds the bag's BM25F to `column`; the tools it touches go into `touched`, their number is returned. */
export function addText(index: ToolIndex, scratch: Scratch, column: Float32Array, touched: Uint32Array): number {
  const { offsets, ordinals, weights } = index.text;
  const { allowed, terms, termCount, termWeights } = scratch;
  let count = 0;
  for (let place = 0; place < termCount; place++) {
    const term = terms[place]!;
    const termWeight = termWeights[term]!;
    const end = offsets[term + 1]!;
    for (let posting = offsets[term]!; posting < end; posting++) {
      const tool = ordinals[posting]!;
      if (allowed[tool] === 0) continue;
      const sum = column[tool]!;
      if (sum === 0) touched[count++] = tool;
      column[tool] = sum + termWeight * weights[posting]!;
    }
  }
  return count;
}

function addNameShares(index: ToolIndex, scratch: Scratch): void {
  const { offsets, ordinals, weights } = index.names;
  const { nameShare, terms, termCount, termWeights } = scratch;
  for (let place = 0; place < termCount; place++) {
    const term = terms[place]!;
    const end = offsets[term + 1]!;
    for (let posting = offsets[term]!; posting < end; posting++) {
      nameShare[ordinals[posting]!]! += termWeights[term]! * weights[posting]!;
    }
  }
}

/** Largest of the first `count` tools' numbers; 0 if there are none. */
export function largest(column: Float32Array | Uint16Array, tools: Uint32Array, count: number): number {
  let most = 0;
  for (let place = 0; place < count; place++) {
    const value = column[tools[place]!]!;
    if (value > most) most = value;
  }
  return most;
}
