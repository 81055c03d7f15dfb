import type { LinkKind } from "./hypergraph.ts";

/** Where an input gets its value: a value of the request, an earlier result, or the user, who has to be asked. */
export type InputSource =
  | { readonly kind: "request"; readonly value: string | number }
  | { readonly kind: "call"; readonly call: number; readonly output: number; readonly weight: number }
  | { readonly kind: "user" };

/** One input of a call, as a node ordinal, and where it gets its value. */
export interface PlannedInput {
  readonly input: number;
  readonly source: InputSource;
}

/** One call of a plan: a tool may be called several times. */
export interface PlannedCall {
  /** Catalog ordinal. */
  readonly tool: number;
  /** Place of the sub-task it serves. */
  readonly subTask: number;
  /** Whether its result is what the sub-task is after; the other calls only bring what this one needs. */
  readonly isTerminal: boolean;
  /** Every required input, and of the others those that have a source. */
  readonly inputs: readonly PlannedInput[];
  /** Places of earlier calls it must wait for, ascending, with the reason; those of its inputs among them. */
  readonly after: readonly { readonly call: number; readonly kind: LinkKind }[];
}
