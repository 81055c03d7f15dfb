import { VectorIndex } from "@setwise/native";
import { breathe } from "./breathe.ts";
import { rowsAt } from "./rows-at.ts";

/** From that cosine on two queries are nearly the same. */
export const NEAR = 0.95;
/** Queries that are looked up at once. */
const BATCH = 256;

/** Which queries belong together: groups that are given, joined where they are near each other. */
export class QueryClusters {
  readonly #groups: readonly (readonly number[])[];
  readonly #parent: Uint32Array;
  readonly #size: Uint32Array;

  /** @param groups Places of queries, each in one group, ascending within each and by the first of each. */
  constructor(groups: readonly (readonly number[])[]) {
    this.#groups = groups;
    this.#parent = Uint32Array.from(groups.keys());
    this.#size = Uint32Array.from(groups, ({ length }) => length);
  }

  /** Queries in the cluster of a group. */
  sizeOf(group: number): number {
    return this.#size[this.#rootOf(group)]!;
  }

  /** The group of the cluster that comes first. */
  firstOf(group: number): number {
    return this.#rootOf(group);
  }

  /**
   * Joins what is near the groups of `start`, what is near that, and so on, until a cluster has more than `most` queries. Each is looked up with `most` + 1
   * neighbours: if all are near, the cluster is too large already, else none is missed. Every group is looked up once at most, and between batches
   * the event loop goes on; `aborted` when the signal fired.
   *
   * @param vectors Queries × d.
   */
  async grow(
    start: readonly number[],
    vectors: Float32Array,
    { most, signal }: { readonly most: number; readonly signal: AbortSignal | undefined },
  ): Promise<void> {
    const groupOf = new Uint32Array(this.#groups.reduce((sum, { length }) => sum + length, 0));
    for (const [group, places] of this.#groups.entries()) for (const place of places) groupOf[place] = group;
    if (groupOf.length === 0) return;
    const dimensions = vectors.length / groupOf.length;
    const index = new VectorIndex({ dimensions, vectors, precision: "int8" });
    const met = new Set(start);
    const waiting = [...met];
    try {
      while (waiting.length > 0) {
        await breathe(signal);
        const batch = waiting.splice(0, BATCH).filter((group) => this.sizeOf(group) <= most);
        const firsts = batch.map((group) => this.#groups[group]![0]!);
        const asked = rowsAt(vectors, dimensions, firsts);
        const { ids, scores, count } = index.search(asked, most + 1);
        for (const [at, place] of ids.entries()) {
          if (scores[at]! < NEAR) continue;
          const group = groupOf[place]!;
          this.#join(batch[Math.floor(at / count)]!, group);
          if (met.has(group)) continue;
          met.add(group);
          waiting.push(group);
        }
      }
    } finally {
      index.dispose();
    }
  }

  #rootOf(group: number): number {
    let root = group;
    while (this.#parent[root] !== root) {
      this.#parent[root] = this.#parent[this.#parent[root]!]!;
      root = this.#parent[root]!;
    }
    return root;
  }

  #join(one: number, other: number): void {
    const [first, second] = [this.#rootOf(one), this.#rootOf(other)].sort((a, b) => a - b) as [number, number];
    if (first === second) return;
    this.#parent[second] = first;
    this.#size[first]! += this.#size[second]!;
  }
}
