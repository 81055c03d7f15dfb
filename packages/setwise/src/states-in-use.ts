import type { SelectorState } from "./selector-state.ts";

/** Frees what a state holds of native memory when it was replaced and nobody works with it any more. */
export class StatesInUse {
  readonly #users = new Map<SelectorState, number>();
  readonly #retired = new WeakSet<SelectorState>();

  /** Does work with a state, which stays usable until the work is done. */
  async using<T>(state: SelectorState, work: () => Promise<T>): Promise<T> {
    this.#users.set(state, (this.#users.get(state) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const others = (this.#users.get(state) ?? 1) - 1;
      if (others > 0) this.#users.set(state, others);
      else this.#users.delete(state);
      this.#free(state);
    }
  }

  /** No further work will begin with it. */
  retire(state: SelectorState): void {
    this.#retired.add(state);
    this.#free(state);
  }

  #free(state: SelectorState): void {
    if (this.#retired.has(state) && !this.#users.has(state)) state.model?.scorer?.dispose();
  }
}
