import { checkFinite } from "../check-arguments.ts";
import type { HyperedgeRequest } from "../hyperedge-kernel.ts";
import type {
  HypergraphModelKernel,
  HypergraphModelRows,
  HypergraphModelShape,
  PoolProblem,
  PoolRequest,
  SetConstraints,
  ShortlistColumns,
} from "../hypergraph-model-kernel.ts";
import type { VectorIndexKernel, VectorIndexShape } from "../vector-index-kernel.ts";
import { exactDot } from "./exact-dot.ts";
import { BestSets } from "./hyperedge/best-sets.ts";
import { findBestSets } from "./hyperedge/find-best-sets.ts";
import { rankInTypescript } from "./hyperedge/marginal-gain.ts";
import { createProblem, fillProblem, type Problem } from "./hyperedge/problem.ts";
import { allocate, fillRows, strideOf } from "./matrix.ts";
import { checkOrdinalsNameRows } from "./pool.ts";
import { createTypescriptVectorIndex } from "./vector-index.ts";

/** A model of typed arrays, with the numbers and the order of arithmetic of the native one. */
export function createTypescriptHypergraphModel(
  shape: HypergraphModelShape,
  rows: HypergraphModelRows,
): HypergraphModelKernel {
  return new Model(shape, rows);
}

class Model implements HypergraphModelKernel {
  readonly #shape: HypergraphModelShape;
  readonly #tools: number;
  readonly #stride: number;
  /** P z and z; M_2 z … M_M z, padded. */
  readonly #matches: VectorIndexKernel;
  readonly #embeddings: VectorIndexKernel;
  #pairRows: readonly Float32Array[];
  readonly #problem: Problem = createProblem();
  readonly #best: BestSets = new BestSets();
  /** Memory that queries reuse. */
  readonly #room: Room = new Room();

  constructor(shape: HypergraphModelShape, { matchRows, embeddings, pairRows }: HypergraphModelRows) {
    const { queryDimensions, toolDimensions, maxSize, precision, threads } = shape;
    const index = (name: string, dimensions: number, vectors: Float32Array): VectorIndexKernel => {
      const indexShape: VectorIndexShape = { dimensions, similarity: "inner-product", precision, threads };
      return createTypescriptVectorIndex(indexShape, vectors, false, name);
    };
    this.#shape = shape;
    this.#tools = embeddings.length / toolDimensions;
    this.#stride = strideOf(toolDimensions);
    // First what is given as it is: the others may be made of it.
    this.#embeddings = index("embeddings", toolDimensions, embeddings);
    this.#matches = index("matchRows", queryDimensions, matchRows);
    // One array for all sizes, so that an error names a position of what the caller gave.
    const allPairs = allocate((pairRows.length / toolDimensions) * this.#stride);
    fillRows("pairRows", allPairs, 0, pairRows, toolDimensions, "inner-product");
    const matrix = this.#tools * this.#stride;
    this.#pairRows = Array.from({ length: maxSize - 1 }, (_, i) => allPairs.subarray(i * matrix, (i + 1) * matrix));
  }

  shortlist(queries: Float32Array, request: PoolRequest, columns: ShortlistColumns): void {
    const { queryDimensions } = this.#shape;
    checkOrdinalsNameRows("require", request.require, this.#tools);
    const asked = queries.length / queryDimensions;
    const room = columns.ids.length / Math.max(asked, 1);
    const ids = this.#room.ids(asked * request.shortlist);
    const scores = this.#room.scores(asked * request.shortlist);
    const { allow, exclude } = request;
    const count = this.#matches.search(queries, request.shortlist, false, allow, exclude, ids, scores);
    for (let at = 0; at < asked; at += 1) {
      const [from, to] = [at * room, (at + 1) * room];
      const own = columns.ids.subarray(from, to);
      const logits = columns.logits.subarray(from, to);
      const gains = columns.gains.subarray(from, to);
      own.set(ids.subarray(at * count, (at + 1) * count));
      logits.set(scores.subarray(at * count, (at + 1) * count));
      let length = addRequired(request, own, count);
      gains.fill(Number.NaN, 0, length);
      length += this.#addComplements(request, count, length, own, gains);
      const query = queries.subarray(at * queryDimensions, (at + 1) * queryDimensions);
      this.#scoreMatches(query, own.subarray(count, length), logits.subarray(count, length));
      columns.counts[at] = length;
    }
  }

  /** Writes the logits of some tools. */
  #scoreMatches(query: Float32Array, tools: Uint32Array, logits: Float32Array): void {
    const [ids, scores] = [this.#room.extraIds(tools.length), this.#room.extraScores(tools.length)];
    const count = this.#matches.search(query, tools.length, false, tools, undefined, ids, scores);
    for (let i = 0; i < count; i += 1) logits[tools.indexOf(ids[i]!)] = scores[i]!;
  }

  /** Adds the tools of the largest complementarity with the first `shortlisted` behind the first `length` and returns how many. */
  #addComplements(
    request: PoolRequest,
    shortlisted: number,
    length: number,
    ids: Uint32Array,
    gains: Float32Array,
  ): number {
    const wanted = Math.max(0, request.pool - length);
    const rows = this.#pairRows.at(-1);
    if (rows === undefined || wanted === 0 || shortlisted === 0) return 0;
    const { toolDimensions } = this.#shape;
    const anchors = this.#room.anchors(shortlisted * toolDimensions);
    for (let i = 0; i < shortlisted; i += 1) {
      const row = ids[i]! * this.#stride;
      anchors.set(rows.subarray(row, row + toolDimensions), i * toolDimensions);
    }
    const exclude = this.#room.exclude(length + request.exclude.length);
    exclude.set(ids.subarray(0, length));
    exclude.set(request.exclude, length);
    const [found, scores] = [ids.subarray(length, length + wanted), gains.subarray(length, length + wanted)];
    return this.#embeddings.search(anchors, wanted, true, request.allow, exclude, found, scores);
  }

  fillPool(ids: Uint32Array, logits: Float32Array, problem: PoolProblem): void {
    checkOrdinalsNameRows("ids", ids, this.#tools);
    const count = ids.length;
    const stride = this.#stride;
    problem.ids.set(ids);
    problem.ids.sort();
    const left = this.#room.rows(count * stride);
    for (let i = 0; i < count; i += 1) {
      problem.logits[problem.ids.indexOf(ids[i]!)] = logits[i]!;
      const row = left.subarray(i * stride, i * stride + this.#shape.toolDimensions);
      this.#embeddings.readRows(problem.ids[i]!, row);
    }
    for (const [m, rows] of this.#pairRows.entries()) {
      const matrix = m * count * count;
      for (let b = 0; b < count; b += 1) {
        const right = problem.ids[b]! * stride;
        problem.pairScores[matrix + b * count + b] = 0;
        for (let a = 0; a < b; a += 1) {
          const score = Math.fround(exactDot(left, a * stride, rows, right, stride)) + 0;
          problem.pairScores[matrix + a * count + b] = score;
          problem.pairScores[matrix + b * count + a] = score;
        }
      }
    }
  }

  bestSets: HypergraphModelKernel["bestSets"] = (queries, request, constraints, count, columns) => {
    const { queryOffsets, offsets, members, scores } = columns;
    let set = 0;
    let member = 0;
    this.#eachPool(queries, request, constraints, (query, pool, problem) => {
      if (problem !== undefined) {
        fillProblem(this.#problem, problem);
        findBestSets(this.#problem, this.#best, count);
        this.#best.sort();
        for (let rank = 0; rank < this.#best.length; rank += 1) {
          for (let i = 0; i < this.#best.size(rank); i += 1) {
            members[member] = pool[this.#problem.positions[this.#best.member(rank, i)]!]!;
            member += 1;
          }
          scores[set] = this.#best.score(rank);
          set += 1;
          offsets[set] = member;
        }
      }
      queryOffsets[query + 1] = set;
    });
  };

  rank: HypergraphModelKernel["rank"] = (queries, request, constraints, { ids, numbers, offsets }) => {
    const total = ids.length;
    const room = total / Math.max(offsets.length - 1, 1);
    const own = {
      ids: this.#room.ranked(room),
      numbers: this.#room.rankedNumbers(2 * room),
      offsets: this.#room.rankedOffsets(2),
    };
    own.offsets[0] = 0;
    let at = 0;
    this.#eachPool(queries, request, constraints, (query, pool, problem) => {
      if (problem !== undefined) {
        rankInTypescript(problem, own.ids, own.numbers, own.offsets);
        const count = own.offsets[1]!;
        for (let i = 0; i < count; i += 1) {
          ids[at + i] = pool[own.ids[i]!]!;
          numbers[at + i] = own.numbers[i]!;
          numbers[total + at + i] = own.numbers[room + i]!;
        }
        at += count;
      }
      offsets[query + 1] = at;
    });
  };

  /** Calls `answer` with every query's pool as a problem over sets; without one where a required tool is not in the pool. */
  #eachPool(
    queries: Float32Array,
    request: PoolRequest,
    constraints: SetConstraints,
    answer: (query: number, pool: Uint32Array, problem: HyperedgeRequest | undefined) => void,
  ): void {
    const asked = queries.length / this.#shape.queryDimensions;
    const room = Math.max(request.shortlist, request.pool) + request.require.length;
    const columns: ShortlistColumns = {
      ids: this.#room.poolIds(asked * room),
      logits: this.#room.poolLogits(asked * room),
      gains: this.#room.poolGains(asked * room),
      counts: this.#room.poolCounts(asked),
    };
    this.shortlist(queries, request, columns);
    for (let query = 0; query < asked; query += 1) {
      const [from, to] = [query * room, query * room + columns.counts[query]!];
      const count = to - from;
      const pool: PoolProblem = {
        ids: this.#room.sortedIds(count),
        logits: this.#room.sortedLogits(count),
        pairScores: this.#room.pairScores(this.#pairRows.length * count * count),
      };
      this.fillPool(columns.ids.subarray(from, to), columns.logits.subarray(from, to), pool);
      answer(query, pool.ids, this.#place(pool, request, constraints));
    }
  }

  /** The request over positions of the pool; nothing when a required tool is not in the pool. */
  #place(pool: PoolProblem, request: PoolRequest, constraints: SetConstraints): HyperedgeRequest | undefined {
    const { maxSize, alignment, sizeOffsets, emptyScore } = this.#shape;
    const { tokens, maxTokens, maxTools } = constraints;
    const require = this.#room.require(request.require.length);
    for (let i = 0; i < require.length; i += 1) {
      const position = positionOf(request.require[i]!, pool.ids);
      if (position < 0) return undefined;
      require[i] = position;
    }
    const groupEnds = this.#room.groupEnds(constraints.groupEnds.length);
    const placed = this.#room.groupMembers(constraints.groupMembers.length);
    let [from, members] = [0, 0];
    for (let group = 0; group < groupEnds.length; group += 1) {
      for (; from < constraints.groupEnds[group]!; from += 1) {
        const position = positionOf(constraints.groupMembers[from]!, pool.ids);
        if (position < 0) continue;
        placed[members] = position;
        members += 1;
      }
      groupEnds[group] = members;
    }
    const costs = this.#room.tokens(tokens.length === 0 ? 0 : pool.ids.length);
    for (let i = 0; i < costs.length; i += 1) costs[i] = tokens[pool.ids[i]!]!;
    return {
      pool: pool.ids.length,
      logits: pool.logits,
      pairScores: pool.pairScores,
      maxSize,
      alignment,
      sizeOffsets,
      emptyScore,
      require,
      exclude: none,
      groupEnds,
      groupMembers: members === placed.length ? placed : placed.subarray(0, members),
      tokens: costs,
      maxTokens,
      maxTools,
    };
  }

  readRows(part: number, first: number, target: Float32Array): void {
    if (part < 2) {
      (part === 0 ? this.#matches : this.#embeddings).readRows(first, target);
      return;
    }
    const { toolDimensions } = this.#shape;
    for (let row = 0; row * toolDimensions < target.length; row += 1) {
      const from = (first + row) * this.#stride;
      target.set(this.#pairRows[part - 2]!.subarray(from, from + toolDimensions), row * toolDimensions);
    }
  }

  dispose(): void {
    this.#matches.dispose();
    this.#embeddings.dispose();
    this.#pairRows = [];
  }
}

const none: Uint32Array = new Uint32Array(0);

/** The position of a tool in an ascending list of them; −1 where it is not. */
function positionOf(tool: number, ascending: Uint32Array): number {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ascending[middle]! < tool) from = middle + 1;
    else to = middle;
  }
  return ascending[from] === tool ? from : -1;
}

/** Arrays that grow to the largest length asked for: once it was seen, queries allocate a few views of them and no others. */
class Room {
  readonly ids: Growing<Uint32Array> = growing((length) => new Uint32Array(length));
  readonly scores: Growing<Float32Array> = growing(allocate);
  readonly extraIds: Growing<Uint32Array> = growing((length) => new Uint32Array(length));
  readonly extraScores: Growing<Float32Array> = growing(allocate);
  readonly anchors: Growing<Float32Array> = growing(allocate);
  readonly exclude: Growing<Uint32Array> = growing((length) => new Uint32Array(length));
  readonly rows: Growing<Float32Array> = growing(allocate);
  readonly poolIds: Growing<Uint32Array> = growing((length) => new Uint32Array(length));
  readonly poolLogits: Growing<Float32Array> = growing(allocate);
  readonly poolGains: Growing<Float32Array> = growing(allocate);
  readonly poolCounts: Growing<Uint32Array> = growing((length) => new Uint32Array(length));
  readonly sortedIds: Growing<Uint32Array> = growing((length) => new Uint32Array(length));
  readonly sortedLogits: Growing<Float64Array> = growing((length) => new Float64Array(length));
  readonly pairScores: Growing<Float64Array> = growing((length) => new Float64Array(length));
  readonly require: Growing<Uint32Array> = growing((length) => new Uint32Array(length));
  readonly groupEnds: Growing<Uint32Array> = growing((length) => new Uint32Array(length));
  readonly groupMembers: Growing<Uint32Array> = growing((length) => new Uint32Array(length));
  readonly tokens: Growing<Uint32Array> = growing((length) => new Uint32Array(length));
  readonly ranked: Growing<Uint32Array> = growing((length) => new Uint32Array(length));
  readonly rankedNumbers: Growing<Float64Array> = growing((length) => new Float64Array(length));
  readonly rankedOffsets: Growing<Uint32Array> = growing((length) => new Uint32Array(length));
}

/** Gives the first `length` numbers of an array, whatever they are. */
type Growing<Numbers> = (length: number) => Numbers;

function growing<Numbers extends { readonly length: number; subarray(from: number, to: number): Numbers }>(
  create: (length: number) => Numbers,
): Growing<Numbers> {
  let numbers = create(0);
  let view = numbers;
  return (length) => {
    if (numbers.length < length) view = numbers = create(length);
    if (view.length !== length) view = numbers.subarray(0, length);
    return view;
  };
}

/** Writes W x for every row x into `target`, which makes match rows of P and pair rows of M_m. All numbers are finite. */
export function projectInTypescript(
  weights: Float32Array,
  rows: Float32Array,
  columns: number,
  target: Float32Array,
): void {
  const stride = strideOf(columns);
  checkFinite("weights", weights);
  checkFinite("rows", rows);
  const left = padded(weights, columns);
  const right = padded(rows, columns);
  const height = weights.length / columns;
  for (let at = 0; at < target.length; at += 1) {
    const row = Math.floor(at / height) * stride;
    target[at] = Math.fround(exactDot(left, (at % height) * stride, right, row, stride)) + 0;
  }
}

function padded(rows: Float32Array, dimensions: number): Float32Array {
  const stride = strideOf(dimensions);
  if (stride === dimensions) return rows;
  const matrix = allocate((rows.length / dimensions) * stride);
  for (let from = 0, to = 0; from < rows.length; from += dimensions, to += stride) {
    matrix.set(rows.subarray(from, from + dimensions), to);
  }
  return matrix;
}

/** Adds the required tools that are not there yet and may be, in ascending order, and returns how many tools there are then. */
function addRequired({ require, exclude, allow }: PoolRequest, ids: Uint32Array, count: number): number {
  let length = count;
  // Few are required, so that no copy is sorted: the next larger one is looked for each time.
  for (let tool = nextLarger(require, -1); tool < Number.POSITIVE_INFINITY; tool = nextLarger(require, tool)) {
    if (exclude.includes(tool) || allow?.includes(tool) === false) continue;
    // What stands behind `count` is left over from queries before.
    const place = ids.indexOf(tool);
    if (place >= 0 && place < count) continue;
    ids[length] = tool;
    length += 1;
  }
  return length;
}

/** The smallest of the tools that are larger than one; infinite where none is. */
function nextLarger(tools: Uint32Array, than: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (let i = 0; i < tools.length; i += 1) if (tools[i]! > than && tools[i]! < next) next = tools[i]!;
  return next;
}
