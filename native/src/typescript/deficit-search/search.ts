/**
 * Deficit-oriented expansion in TypeScript. What the answer is stands at the top of `crates/kernels/src/deficit_search/mod.rs`; both give the same bits,
 * because every number that is returned is made by the same operations in float64 in the same order: a tool's weights are added in ascending order of the
 * missing inputs, then multiplied by its factor, then added to the candidate's total.
 */
import type { DeficitGraph, DeficitQuery, DeficitSearchKernel, PackedResults } from "../../deficit-search-kernel.ts";
import { packResults } from "./answer.ts";
import { Beam } from "./beam.ts";
import { Candidates, type Child, countOnes, signatureOf } from "./candidates.ts";
import { Expansion, type Rules } from "./expansion.ts";
import { checkOrdinals, checkRelevance, type ProducerGraph, sortGraph } from "./graph.ts";
import { grownInt32 } from "./grow.ts";

/** The search in memory of its own, which grows to the largest search seen. */
export function createTypescriptDeficitSearch(graph: DeficitGraph): DeficitSearchKernel {
  let search: Search | undefined = new Search(sortGraph(graph));
  return {
    search: (query) => search!.answer(query),
    dispose: () => {
      search = undefined;
    },
  };
}

class Search {
  readonly #graph: ProducerGraph;
  readonly #expansion: Expansion;
  readonly #candidates = new Candidates();
  readonly #beam = new Beam();
  /** Bits of the inputs that are available, of the tools that may not be added, and of the terminals that were searched. */
  readonly #given: Int32Array;
  readonly #barred: Int32Array;
  readonly #asked: Int32Array;
  #parents: Int32Array = new Int32Array(16);
  #parentCount = 0;
  /** The results so far, best first. */
  #best: Int32Array = new Int32Array(16);
  #bestCount = 0;
  #packed: PackedResults = { words: new Uint32Array(256), numbers: new Float64Array(256) };
  readonly #child: Child = {
    parent: 0,
    tool: 0,
    signature: 0,
    total: 0,
    support: 0,
    cover: new Int32Array(4),
    coverWords: 0,
    missing: new Int32Array(64),
    missingCount: 0,
    linkInputs: new Int32Array(64),
    linkSteps: new Int32Array(64),
    linkCount: 0,
  };

  constructor(graph: ProducerGraph) {
    this.#graph = graph;
    this.#expansion = new Expansion(graph);
    this.#given = new Int32Array(Math.ceil(graph.inputCount / 32));
    this.#barred = new Int32Array(Math.ceil(graph.toolCount / 32));
    this.#asked = new Int32Array(Math.ceil(graph.toolCount / 32));
  }

  answer(query: DeficitQuery): PackedResults {
    this.#check(query);
    this.#candidates.truncate(0);
    this.#bestCount = 0;
    const restricted = query.allow !== undefined || query.exclude.length > 0;
    if (restricted) {
      this.#barred.fill(query.allow === undefined ? 0 : -1);
      if (query.allow !== undefined) clearBits(this.#barred, query.allow);
      setBits(this.#barred, query.exclude);
    }
    const rules = { barred: restricted ? this.#barred : undefined, relevance: query.relevance };
    setBits(this.#given, query.grounded);
    try {
      this.#searchAll(query, rules);
    } catch (error) {
      this.#expansion.forget();
      throw error;
    } finally {
      clearBits(this.#given, query.grounded);
      clearBits(this.#asked, query.terminals);
    }
    return (this.#packed = packResults(this.#candidates, this.#best, this.#bestCount, this.#packed));
  }

  #check({ terminals, grounded, allow, exclude, relevance }: DeficitQuery): void {
    const { toolCount, inputCount } = this.#graph;
    checkOrdinals("terminals", terminals, toolCount, "tools");
    checkOrdinals("grounded", grounded, inputCount, "inputs");
    if (allow !== undefined) checkOrdinals("allow", allow, toolCount, "tools");
    checkOrdinals("exclude", exclude, toolCount, "tools");
    if (relevance !== undefined) checkRelevance(relevance, toolCount);
  }

  #searchAll(query: DeficitQuery, rules: Rules): void {
    if (query.count === 0) return;
    for (const terminal of query.terminals) {
      if (hasBit(this.#asked, terminal)) continue;
      this.#asked[terminal >>> 5]! |= 1 << (terminal & 31);
      this.#searchFrom(terminal, query, rules);
    }
  }

  #searchFrom(terminal: number, query: DeficitQuery, rules: Rules): void {
    const candidates = this.#candidates;
    const { inputs } = this.#graph;
    const first = candidates.length;
    const child = this.#child;
    const [from, to] = [inputs[terminal]!, inputs[terminal + 1]!];
    if (child.missing.length < to - from) child.missing = grownInt32(child.missing, to - from);
    let missing = 0;
    for (let input = from; input < to; input += 1) {
      if (hasBit(this.#given, input)) continue;
      child.missing[missing] = input;
      missing += 1;
    }
    const start = candidates.begin(terminal, child.missing, missing);
    if (missing === 0) this.#offerResult(start, query.count);
    else if (!this.#expand(start, query, rules)) {
      const end = candidates.length;
      for (let partial = first; partial < end; partial += 1) this.#offerResult(partial, query.count);
    }
    let used = false;
    for (let i = 0; i < this.#bestCount; i += 1) used ||= this.#best[i]! >= first;
    if (!used) candidates.truncate(first);
  }

  /** Expands step by step, and says whether anything became complete. */
  #expand(start: number, query: DeficitQuery, rules: Rules): boolean {
    const steps = Math.min(query.depth, query.maxTools - 1);
    let found = false;
    this.#parents[0] = start;
    this.#parentCount = 1;
    for (let step = 1; step <= steps; step += 1) {
      // Results with more tools rank behind, so that none can come in any more.
      if (this.#parentCount === 0 || this.#isFullWith(step, query.count)) break;
      const onlyComplete = (step === steps && found) || this.#isFullWith(step + 1, query.count);
      if (this.#advance(query, rules, onlyComplete)) found = true;
    }
    return found;
  }

  /** Whether there are as many complete results as wanted, of at most so many tools. */
  #isFullWith(tools: number, count: number): boolean {
    if (this.#bestCount < count) return false;
    const worst = this.#best[count - 1]!;
    return this.#candidates.missingCount(worst) === 0 && this.#candidates.toolCount(worst) <= tools;
  }

  /** One step: tries producers for every parent; complete children become results, the best others the next parents. */
  #advance(query: DeficitQuery, rules: Rules, onlyComplete: boolean): boolean {
    const expansion = this.#expansion;
    const candidates = this.#candidates;
    const beam = this.#beam;
    let found = false;
    beam.restart(query.beam);
    for (let i = 0; i < this.#parentCount; i += 1) {
      const parent = this.#parents[i]!;
      expansion.choose(candidates, parent);
      const tried = expansion.gather(candidates, parent, rules, query.producers);
      for (let rank = 0; rank < tried; rank += 1) {
        if (this.#tryChild(parent, rank, onlyComplete, query.count)) found = true;
      }
      expansion.unchoose(candidates, parent);
    }
    if (this.#parents.length < beam.length) this.#parents = grownInt32(this.#parents, beam.length);
    this.#parentCount = beam.length;
    for (let place = 0; place < beam.length; place += 1) {
      beam.read(place, this.#child);
      this.#parents[place] = candidates.grow(this.#child);
    }
    return found;
  }

  /** Weighs one more tool for a parent, whose tools are marked as chosen; says whether that completes it. */
  #tryChild(parent: number, rank: number, onlyComplete: boolean, count: number): boolean {
    const child = this.#child;
    const candidates = this.#candidates;
    const beam = this.#beam;
    this.#expansion.read(rank, child);
    child.parent = parent;
    child.signature = (candidates.signature(parent) + signatureOf(child.tool)) | 0;
    child.total = candidates.total(parent) + child.support;
    let missing = candidates.missingCount(parent);
    for (let word = 0; word < child.coverWords; word += 1) missing -= countOnes(child.cover[word]!);
    // Neither what is missing nor the total of a child gets better any more.
    if (missing > 0 && (onlyComplete || beam.rejects(missing, child.total))) return false;
    if (!this.#weighInputs(parent, missing, onlyComplete)) return false;
    if (child.missingCount > 0) {
      beam.offer(child, candidates);
      return false;
    }
    const complete = candidates.grow(child);
    if (!this.#offerResult(complete, count)) candidates.truncate(complete);
    return true;
  }

  /** Links what it can of the new tool's inputs and lists what is missing; gives up when that is too much. */
  #weighInputs(parent: number, left: number, onlyComplete: boolean): boolean {
    const child = this.#child;
    const candidates = this.#candidates;
    const { words } = candidates;
    const { inputs } = this.#graph;
    const [from, to] = [inputs[child.tool]!, inputs[child.tool + 1]!];
    const room = left + to - from;
    if (child.missing.length < room) child.missing = grownInt32(child.missing, room);
    if (child.linkInputs.length < to - from) {
      child.linkInputs = grownInt32(child.linkInputs, to - from);
      child.linkSteps = grownInt32(child.linkSteps, to - from);
    }
    const { cover, missing } = child;
    const old = candidates.missing(parent);
    const oldCount = candidates.missingCount(parent);
    const isAlone = candidates.toolCount(parent) === 1;
    const dependents = isAlone ? 0 : candidates.dependentsOn(parent, cover, child.coverWords);
    let [count, links, position] = [0, 0, 0];
    for (; position < oldCount && words[old + position]! < from; position += 1) {
      if (((cover[position >>> 5]! >>> (position & 31)) & 1) === 0) missing[count++] = words[old + position]!;
    }
    let total = left;
    for (let input = from; input < to; input += 1) {
      if (hasBit(this.#given, input)) continue;
      const step = isAlone ? -1 : this.#expansion.supporter(input, dependents);
      if (step < 0) {
        missing[count++] = input;
        total += 1;
        if (onlyComplete || this.#beam.rejects(total, child.total)) return false;
      } else {
        child.linkInputs[links] = input;
        child.linkSteps[links] = step;
        links += 1;
      }
    }
    for (; position < oldCount; position += 1) {
      if (((cover[position >>> 5]! >>> (position & 31)) & 1) === 0) missing[count++] = words[old + position]!;
    }
    child.missingCount = count;
    child.linkCount = links;
    return true;
  }

  /** Takes a candidate among the results, unless it has an equal or enough better ones. */
  #offerResult(candidate: number, count: number): boolean {
    const candidates = this.#candidates;
    for (let place = 0; place < this.#bestCount; place += 1) {
      if (!candidates.hasToolsOf(candidate, this.#best[place]!)) continue;
      if (candidates.compare(candidate, this.#best[place]!) >= 0) return false;
      this.#best.copyWithin(place, place + 1, this.#bestCount);
      this.#bestCount -= 1;
      break;
    }
    let place = this.#bestCount;
    while (place > 0 && candidates.compare(this.#best[place - 1]!, candidate) > 0) place -= 1;
    if (place >= count) return false;
    if (this.#bestCount < count) this.#bestCount += 1;
    if (this.#best.length < this.#bestCount) this.#best = grownInt32(this.#best, this.#bestCount);
    this.#best.copyWithin(place + 1, place, this.#bestCount - 1);
    this.#best[place] = candidate;
    return true;
  }
}

function hasBit(bits: Int32Array, ordinal: number): boolean {
  return ((bits[ordinal >>> 5]! >>> (ordinal & 31)) & 1) === 1;
}

function setBits(bits: Int32Array, ordinals: Uint32Array): void {
  for (const ordinal of ordinals) bits[ordinal >>> 5]! |= 1 << (ordinal & 31);
}

function clearBits(bits: Int32Array, ordinals: Uint32Array): void {
  for (const ordinal of ordinals) bits[ordinal >>> 5]! &= ~(1 << (ordinal & 31));
}
