import { KernelError } from "../errors.ts";
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
    const index = (dimensions: number, vectors: Float32Array): VectorIndexKernel => {
      const indexShape: VectorIndexShape = { dimensions, similarity: "inner-product", precision, threads };
      return createTypescriptVectorIndex(indexShape, vectors, false);
    };
    this.#shape = shape;
    this.#tools = embeddings.length / toolDimensions;
    this.#stride = strideOf(toolDimensions);
    this.#matches = index(queryDimensions, matchRows);
    this.#embeddings = index(toolDimensions, embeddings);
    this.#pairRows = Array.from({ length: maxSize - 1 }, (_, i) =>
      padded("pairRows", pairRows.subarray(i * embeddings.length, (i + 1) * embeddings.length), toolDimensions),
    );
  }

  shortlist(queries: Float32Array, request: PoolRequest, columns: ShortlistColumns): void {
    const { queryDimensions } = this.#shape;
    checkTools("require", request.require, this.#tools);
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
    checkTools("ids", ids, this.#tools);
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
    const own = { ids: new Uint32Array(room), numbers: new Float64Array(2 * room), offsets: new Uint32Array(2) };
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
    const positions = new Map(Array.from(pool.ids, (tool, position) => [tool, position]));
    const placed = (tools: Uint32Array): number[] => [...tools].flatMap((tool) => positions.get(tool) ?? []);
    const require = placed(request.require);
    if (require.length < request.require.length) return undefined;
    const { groupEnds, groupMembers, tokens, maxTokens, maxTools } = constraints;
    const groups = Array.from(groupEnds, (end, i) => placed(groupMembers.subarray(groupEnds[i - 1] ?? 0, end)));
    let end = 0;
    return {
      pool: pool.ids.length,
      logits: pool.logits,
      pairScores: pool.pairScores,
      maxSize,
      alignment,
      sizeOffsets,
      emptyScore,
      require: Uint32Array.from(require),
      exclude: new Uint32Array(0),
      groupEnds: Uint32Array.from(groups, (group) => (end += group.length)),
      groupMembers: Uint32Array.from(groups.flat()),
      tokens: tokens.length === 0 ? tokens : Uint32Array.from(pool.ids, (tool) => tokens[tool]!),
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

/** Arrays that grow to the largest length asked for, so that queries allocate nothing once the largest was seen. */
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
}

/** Gives the first `length` numbers of an array, whatever they are. */
type Growing<Numbers> = (length: number) => Numbers;

function growing<Numbers extends { readonly length: number; subarray(from: number, to: number): Numbers }>(
  create: (length: number) => Numbers,
): Growing<Numbers> {
  let numbers = create(0);
  return (length) => {
    if (numbers.length < length) numbers = create(length);
    return numbers.subarray(0, length);
  };
}

function checkTools(name: string, ids: Uint32Array, tools: number): void {
  const unknown = ids.find((id) => id >= tools);
  if (unknown === undefined) return;
  throw new KernelError("invalid-argument", `${name}: ordinal ${unknown} names no row; there are ${tools} rows.`);
}

/** Writes W x for every row x into `target`, which makes match rows of P and pair rows of M_m. */
export function projectInTypescript(
  weights: Float32Array,
  rows: Float32Array,
  columns: number,
  target: Float32Array,
): void {
  const stride = strideOf(columns);
  const left = padded("weights", weights, columns);
  const right = padded("rows", rows, columns);
  const height = weights.length / columns;
  for (let at = 0; at < target.length; at += 1) {
    const row = Math.floor(at / height) * stride;
    target[at] = Math.fround(exactDot(left, (at % height) * stride, right, row, stride)) + 0;
  }
}

function padded(name: string, rows: Float32Array, dimensions: number): Float32Array {
  const matrix = allocate((rows.length / dimensions) * strideOf(dimensions));
  fillRows(name, matrix, 0, rows, dimensions, "inner-product");
  return matrix;
}

/** Adds the required tools that are not there yet and may be, in ascending order, and returns how many tools there are then. */
function addRequired({ require, exclude, allow }: PoolRequest, ids: Uint32Array, count: number): number {
  let length = count;
  for (const tool of new Set(require.slice().sort())) {
    const may = !exclude.includes(tool) && (allow === undefined || allow.includes(tool));
    if (!may || ids.subarray(0, count).includes(tool)) continue;
    ids[length] = tool;
    length += 1;
  }
  return length;
}
