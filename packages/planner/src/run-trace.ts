/*
 * A run as a list of what happened, in order. What came from outside (`called`, `result`, `error`, `answered`, `aborted`) is enough to have the
 * same run again; the other entries say what followed from it. All of it can be written as JSON.
 */

export type TraceEvent =
  /** A call was handed out to be made. */
  | {
      readonly kind: "called";
      readonly call: number;
      readonly tool: string;
      readonly arguments: Readonly<Record<string, unknown>>;
    }
  /** It gave this back. */
  | { readonly kind: "result"; readonly call: number; readonly value: unknown }
  /** It failed. */
  | { readonly kind: "error"; readonly call: number; readonly message: string }
  /** What it gave back does not do what it was made for. */
  | { readonly kind: "rejected"; readonly call: number; readonly reason: string }
  /** The user said the value of an input, by the id of its node, for a call or, if none was named, for whichever asked first or all. */
  | { readonly kind: "answered"; readonly input: string; readonly value: unknown; readonly call?: number }
  /** What remains was planned anew. */
  | { readonly kind: "replanned"; readonly reason: string; readonly tools: readonly string[] }
  /** A sub-task was given up. */
  | { readonly kind: "gave-up"; readonly subTask: number; readonly reason: string }
  /** The caller ended the run. */
  | { readonly kind: "aborted"; readonly reason: string };
