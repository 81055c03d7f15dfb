/**
 * What a node stands for: an argument (`in`), a state that must hold before the call (`pre`), a part of the result (`out`), a
 * state that holds after it (`eff`).
 */
export type PortKind = "in" | "pre" | "out" | "eff";

/** One node of the hypergraph: V_I (`in`, `pre`) or V_O (`out`, `eff`) of HyperAgent. It belongs to one tool; equal entities are links. */
export interface PortNode {
  /** `toolId#in/<JSON Pointer>`, likewise `#out/`, `#pre/` and `#eff/`; items of a list are the step `*`; see {@link portId}. */
  readonly id: string;
  /** Catalog ordinal of its tool. */
  readonly tool: number;
  readonly kind: PortKind;
  /** Names from the outside in; empty for a result as a whole. */
  readonly path: readonly string[];
  readonly description: string;
  /** Type of the value by the schema, `number` also for integers; `undefined` where the schema does not say. */
  readonly type: string | undefined;
  /** Whether the call fails without it: a deficit unless something brings it. Never true of an output. */
  readonly required: boolean;
  /** Whether its value means nothing to a person (an id, token, key or code), so that it must come from a call. */
  readonly opaque: boolean;
  /** Whether the schema does not say what is inside: an object without properties, or no schema at all. */
  readonly isWildcard: boolean;
  /**
   * Of an output that no schema describes: whether the tool's name tells of it (`find_user_id_by_email`), or its description as a part of lists that
   * are included ("including their orders").
   */
  readonly told?: "name" | "included" | undefined;
}

/** The step that stands for every item of a list. */
export const ANY_ITEM = "*";

/** The id of a node: `portId("get_user", "out", ["users", "*", "id"])` is `get_user#out/users/*\/id` without the backslash. */
export function portId(toolId: string, kind: PortKind, path: readonly string[]): string {
  return `${toolId}#${kind}/${path.map(escapeStep).join("/")}`;
}

/** One step as in a JSON Pointer (RFC 6901), but that an empty name is `~2`: nothing at all is the result as a whole. */
function escapeStep(step: string): string {
  if (step === "") return "~2";
  return step.includes("~") || step.includes("/") ? step.replaceAll("~", "~0").replaceAll("/", "~1") : step;
}

/**
 * The same node of a tool with another ordinal. Written out, name by name: a spread of which one value is overwritten makes all code
 * that reads nodes be compiled again.
 */
export function nodeWithTool(node: PortNode, tool: number): PortNode {
  const { id, kind, path, description, type, required, opaque, isWildcard, told } = node;
  const all = { id, tool, kind, path, description, type, required, opaque, isWildcard, told };
  return all satisfies Record<keyof PortNode, unknown>;
}

/** The name by which people know a node: its innermost name that is not `*`; empty for a result as a whole. */
export function portName({ path }: Pick<PortNode, "path">): string {
  for (let step = path.length - 1; step >= 0; step--) {
    const name = path[step];
    if (name !== undefined && name !== ANY_ITEM) return name;
  }
  return "";
}
