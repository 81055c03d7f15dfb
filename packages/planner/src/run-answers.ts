import type { ToolHypergraph } from "./hypergraph.ts";

/** What the user said in a run: for the call that asked, or, unasked, for every call. */
export class RunAnswers {
  /** By id of the call, then node ordinal. */
  readonly #ofCall = new Map<number, Map<number, unknown>>();
  /** By node ordinal. */
  readonly #facts = new Map<number, unknown>();

  sayOf(call: number, node: number, value: unknown): void {
    const own = this.#ofCall.get(call) ?? new Map<number, unknown>();
    this.#ofCall.set(call, own.set(node, value));
  }

  /** What was said for single calls before is taken back. */
  sayFact(node: number, value: unknown): void {
    for (const own of this.#ofCall.values()) own.delete(node);
    this.#facts.set(node, value);
  }

  /** The value of an input for the call of that id, `undefined` if it was not said. */
  of(call: number, node: number): unknown {
    return this.isSaid(call, node) ? this.#ofCall.get(call)?.get(node) : this.#facts.get(node);
  }

  /** Whether it was said for this very call. */
  isSaid(call: number, node: number): boolean {
    return this.#ofCall.get(call)?.has(node) === true;
  }

  /** The inputs that nothing has to bring for any call. A precondition that does not hold is none of them. */
  knownNodes({ nodes }: ToolHypergraph): Uint32Array {
    const known = [...this.#facts].filter(([node, value]) => nodes[node]?.kind !== "pre" || value === true);
    return Uint32Array.from(known, ([node]) => node);
  }
}
