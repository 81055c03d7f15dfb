/** Sets of ordinals that are joined step by step; a set goes by its lowest ordinal. */
export class DisjointSets {
  readonly #parents: Uint32Array;

  constructor(size: number) {
    this.#parents = Uint32Array.from({ length: size }, (_, place) => place);
  }

  /** The lowest ordinal of the set that `ordinal` is in. */
  find(ordinal: number): number {
    const parents = this.#parents;
    let root = ordinal;
    while (parents[root] !== root) root = parents[root]!;
    for (let place = ordinal; parents[place] !== root;) {
      const next = parents[place]!;
      parents[place] = root;
      place = next;
    }
    return root;
  }

  join(a: number, b: number): void {
    const [x, y] = [this.find(a), this.find(b)];
    this.#parents[Math.max(x, y)] = Math.min(x, y);
  }

  /** Sets of two and more, each in order, by their lowest ordinal. */
  groups(): readonly (readonly number[])[] {
    const byRoot = new Map<number, number[]>();
    for (let ordinal = 0; ordinal < this.#parents.length; ordinal++) {
      const root = this.find(ordinal);
      const group = byRoot.get(root);
      if (group === undefined) byRoot.set(root, [ordinal]);
      else group.push(ordinal);
    }
    return [...byRoot.values()].filter((group) => group.length > 1);
  }
}
