/**
 * Deficit-oriented expansion in TypeScript. What the answer is stands at the top of
 * `crates/kernels/src/deficit_search/mod.rs`; both give the same bits, because every number that is returned is made by
 * the same operations in float64 in the same order: a tool's weights are added in ascending order of the missing
 * inputs, then multiplied by its factor, then added to the candidate's total.
 */
import type { DeficitGraph, DeficitQuery, DeficitSearchKernel, PackedResults } from "../../deficit-search-kernel.ts";
import { packResults } from "./answer.ts";
import { Beam } from "./beam.ts";
import { Candidates, type Child, countOnes, lowestBit, signatureOf } from "./candidates.ts";
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
  /**
   * Bits of the inputs that are available, of the tools that may not be added, and of the terminals that were searched.
   */
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
    dependents: 0,
    total: 0,
    support: 0,
    outcome: new Int32Array(128),
    missingCount: 0,
    coverWords: 0,
    linkCount: 0,
  };
  // The inputs of the tool that is weighed which stay missing, and which are linked, with the steps of the tools they
  // are linked to.
  #missing: Int32Array = new Int32Array(64);
  #linkInputs: Int32Array = new Int32Array(64);
  #linkSteps: Int32Array = new Int32Array(64);

  constructor(graph: ProducerGraph) {
    this.#graph = graph;
    this.#expansion = new Expansion(graph);
    this.#given = new Int32Array(Math.ceil(graph.inputCount / 32));
    this.#barred = new Int32Array(Math.ceil(graph.toolCount / 32));
    this.#asked = new Int32Array(Math.ceil(graph.toolCount / 32));
  }

  answer(query: DeficitQuery): PackedResults {
    this.#check(query);
    this.#candidates.restart(Math.min(query.maxTools, query.depth + 1));
    this.#bestCount = 0;
    const restricted = query.allow !== undefined || query.exclude.length > 0;
    if (restricted) {
      this.#barred.fill(query.allow === undefined ? 0 : -1);
      if (query.allow !== undefined) clearBits(this.#barred, query.allow);
      setBits(this.#barred, query.exclude);
    }
    const { relevance, producers } = query;
    const rules = { barred: restricted ? this.#barred : undefined, relevance, producers };
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
    const [from, to] = [inputs[terminal]!, inputs[terminal + 1]!];
    this.#reserveInputs(to - from);
    let missing = 0;
    for (let input = from; input < to; input += 1) {
      if (hasBit(this.#given, input)) continue;
      this.#missing[missing] = input;
      missing += 1;
    }
    const start = candidates.begin(terminal, this.#missing, missing);
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
      const tried = expansion.gather(candidates, parent, rules);
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

  /** Weighs one more tool for a parent, which is the one that was gathered for; says whether that completes it. */
  #tryChild(parent: number, rank: number, onlyComplete: boolean, count: number): boolean {
    const child = this.#child;
    const candidates = this.#candidates;
    const entry = this.#expansion.found(rank);
    child.parent = parent;
    child.tool = this.#expansion.toolOf(entry);
    child.support = this.#expansion.supportOf(entry);
    child.total = candidates.total(parent) + child.support;
    child.coverWords = this.#expansion.coverWords;
    child.missingCount = candidates.missingCount(parent);
    for (let word = 0; word < child.coverWords; word += 1) {
      child.missingCount -= countOnes(this.#expansion.coverOf(entry, word));
    }
    if (this.#isHopeless(child, onlyComplete) || !this.#weighInputs(child, entry, onlyComplete)) return false;
    child.signature = (candidates.signature(parent) + signatureOf(child.tool)) | 0;
    this.#writeOutcome(child, entry);
    if (child.missingCount > 0) {
      this.#beam.offer(child, candidates);
      return false;
    }
    const complete = candidates.grow(child);
    if (!this.#offerResult(complete, count)) candidates.truncate(complete);
    return true;
  }

  /** Neither what is missing nor the total of a child gets better any more. */
  #isHopeless({ missingCount, total }: Child, onlyComplete: boolean): boolean {
    return missingCount > 0 && (onlyComplete || this.#beam.rejects(missingCount, total));
  }

  /** Links what it can of the new tool's inputs and lists the others; gives up when these are too many. */
  #weighInputs(child: Child, entry: number, onlyComplete: boolean): boolean {
    const { inputs } = this.#graph;
    const [from, to] = [inputs[child.tool]!, inputs[child.tool + 1]!];
    this.#reserveInputs(to - from);
    // The terminal alone supports nothing.
    const isAlone = this.#candidates.toolCount(child.parent) === 1;
    child.dependents = this.#dependentsOf(child, entry);
    let [missing, links] = [0, 0];
    for (let input = from; input < to; input += 1) {
      if (hasBit(this.#given, input)) continue;
      const step = isAlone ? -1 : this.#expansion.supporter(input, child.dependents);
      if (step >= 0) {
        this.#linkInputs[links] = input;
        this.#linkSteps[links] = step;
        links += 1;
        continue;
      }
      this.#missing[missing] = input;
      missing += 1;
      child.missingCount += 1;
      if (this.#isHopeless(child, onlyComplete)) return false;
    }
    child.linkCount = links;
    return true;
  }

  /**
   * The bits of the tools that will depend on the child's: those whose missing inputs it supports, and what depends on
   * these.
   */
  #dependentsOf({ parent, coverWords }: Child, entry: number): number {
    const { words } = this.#candidates;
    const missing = this.#candidates.missing(parent);
    const dependents = this.#candidates.dependents(parent);
    let all = 0;
    for (let word = 0; word < coverWords; word += 1) {
      for (let bits = this.#expansion.coverOf(entry, word); bits !== 0; bits &= bits - 1) {
        const input = words[missing + word * 32 + lowestBit(bits)]!;
        const step = this.#expansion.stepOf(this.#graph.owners[input]!);
        all |= (1 << step) | words[dependents + step]!;
      }
    }
    return all;
  }

  /**
   * Writes what comes of the child: what was missing and is not covered, with the tool's own missing inputs, which
   * stand together, among it; and so on.
   */
  #writeOutcome(child: Child, entry: number): void {
    const { words } = this.#candidates;
    const { missingCount, coverWords, linkCount } = child;
    const length = missingCount + coverWords + 2 * linkCount;
    if (child.outcome.length < length) child.outcome = grownInt32(child.outcome, length);
    const { outcome } = child;
    const old = this.#candidates.missing(child.parent);
    const oldCount = this.#candidates.missingCount(child.parent);
    const from = this.#graph.inputs[child.tool]!;
    let end = 0;
    let position = 0;
    for (; position < oldCount && words[old + position]! < from; position += 1) {
      if (this.#isCovered(entry, position)) continue;
      outcome[end] = words[old + position]!;
      end += 1;
    }
    let behind = oldCount;
    let last = missingCount;
    for (; behind > position; behind -= 1) {
      if (this.#isCovered(entry, behind - 1)) continue;
      last -= 1;
      outcome[last] = words[old + behind - 1]!;
    }
    for (let i = 0; end < last; i += 1, end += 1) outcome[end] = this.#missing[i]!;
    end = missingCount;
    for (let word = 0; word < coverWords; word += 1, end += 1) outcome[end] = this.#expansion.coverOf(entry, word);
    for (let i = 0; i < linkCount; i += 1) {
      outcome[end + i] = this.#linkInputs[i]!;
      outcome[end + linkCount + i] = this.#linkSteps[i]!;
    }
  }

  #isCovered(entry: number, position: number): boolean {
    return ((this.#expansion.coverOf(entry, position >>> 5) >>> (position & 31)) & 1) === 1;
  }

  #reserveInputs(count: number): void {
    if (count <= this.#missing.length) return;
    this.#missing = grownInt32(this.#missing, count);
    this.#linkInputs = grownInt32(this.#linkInputs, count);
    this.#linkSteps = grownInt32(this.#linkSteps, count);
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
