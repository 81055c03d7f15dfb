import type { PackedResults } from "../../deficit-search-kernel.ts";
import type { Candidates } from "./candidates.ts";

/** Packs the results, best first, into `room` or, when they need more, into new lists. */
export function packResults(
  candidates: Candidates,
  best: Int32Array,
  count: number,
  room: PackedResults,
): PackedResults {
  let [tools, missing, links] = [0, 0, 0];
  for (let i = 0; i < count; i += 1) {
    tools += candidates.toolCount(best[i]!);
    missing += candidates.missingCount(best[i]!);
    links += countLinks(candidates, best[i]!);
  }
  const length = 4 + count + 3 * (count + 1) + 2 * tools + missing + 2 * links;
  const words = room.words.length < length ? new Uint32Array(2 * length) : room.words;
  const numbers = room.numbers.length < length ? new Float64Array(2 * length) : room.numbers;
  words[0] = count;
  words[1] = tools;
  words[2] = missing;
  words[3] = links;
  const terminals = 4;
  const toolEnds = terminals + count;
  const missingEnds = toolEnds + count + 1 + 2 * tools;
  const linkEnds = missingEnds + count + 1 + missing;
  words[toolEnds] = words[missingEnds] = words[linkEnds] = 0;
  for (let i = 0; i < count; i += 1) {
    const result = best[i]!;
    words[terminals + i] = candidates.terminal(result);
    numbers[i] = candidates.total(result);
    words[toolEnds + i + 1] = words[toolEnds + i]! + candidates.toolCount(result);
    words[missingEnds + i + 1] = words[missingEnds + i]! + candidates.missingCount(result);
    words[linkEnds + i + 1] = words[linkEnds + i]! + countLinks(candidates, result);
    const firstTool = words[toolEnds + i]!;
    const order = toolEnds + count + 1 + firstTool;
    writeCallOrder(candidates, result, words, order, order + tools);
    writeSupports(candidates, result, words, order + tools, numbers, count + firstTool);
    const firstMissing = missingEnds + count + 1 + words[missingEnds + i]!;
    const from = candidates.missing(result);
    for (let j = 0; j < candidates.missingCount(result); j += 1) words[firstMissing + j] = candidates.words[from + j]!;
    const firstLink = linkEnds + count + 1 + words[linkEnds + i]!;
    writeLinks(candidates, result, words, firstLink, firstLink + links);
  }
  return words === room.words && numbers === room.numbers ? room : { words, numbers };
}

function countLinks(candidates: Candidates, result: number): number {
  let count = candidates.linkCount(result);
  for (let at = result; candidates.parent(at) !== at;) {
    at = candidates.parent(at);
    count += candidates.linkCount(at);
  }
  return count;
}

/**
 * Tools and their steps, each behind all that it depends on, of those that could be next the lowest: the terminal is
 * last.
 */
function writeCallOrder(
  candidates: Candidates,
  result: number,
  words: Uint32Array,
  tools: number,
  steps: number,
): void {
  const count = candidates.toolCount(result);
  const start = candidates.start(result);
  const dependents = candidates.dependents(result);
  let placed = 0;
  for (let place = 0; place < count; place += 1) {
    // What depends on a tool that is still to be placed cannot be next.
    let waiting = placed;
    for (let step = 0; step < count; step += 1) {
      if (((placed >>> step) & 1) === 0) waiting |= candidates.words[dependents + step]!;
    }
    let next = -1;
    for (let step = 0; step < count; step += 1) {
      if (((waiting >>> step) & 1) === 1) continue;
      if (next < 0 || candidates.words[start + step]! < candidates.words[start + next]!) next = step;
    }
    placed |= 1 << next;
    words[tools + place] = candidates.words[start + next]!;
    words[steps + place] = next;
  }
}

/** Beside each tool the Ω with which it was added. */
function writeSupports(
  candidates: Candidates,
  result: number,
  words: Uint32Array,
  steps: number,
  numbers: Float64Array,
  supports: number,
): void {
  const count = candidates.toolCount(result);
  for (let step = count - 1, at = result; step >= 0; step -= 1, at = candidates.parent(at)) {
    for (let place = 0; place < count; place += 1) {
      if (words[steps + place] === step) numbers[supports + place] = candidates.support(at);
    }
  }
}

/** All links, ascending by input, and beside each its tool. */
function writeLinks(candidates: Candidates, result: number, words: Uint32Array, inputs: number, tools: number): void {
  let count = candidates.readLinks(result, words, inputs, tools);
  for (let at = result; candidates.parent(at) !== at;) {
    at = candidates.parent(at);
    count += candidates.readLinks(at, words, inputs + count, tools + count);
  }
  const start = candidates.start(result);
  for (let i = 0; i < count; i += 1) {
    const input = words[inputs + i]!;
    const tool = candidates.words[start + words[tools + i]!]!;
    let place = i;
    for (; place > 0 && words[inputs + place - 1]! > input; place -= 1) {
      words[inputs + place] = words[inputs + place - 1]!;
      words[tools + place] = words[tools + place - 1]!;
    }
    words[inputs + place] = input;
    words[tools + place] = tool;
  }
}
