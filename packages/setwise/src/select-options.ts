import type { Goal } from "@setwise/adaptive-k";
import { type Catalog, type CutPolicy, SetwiseError } from "@setwise/core";

export interface SelectOptions {
  /** What the set is for: `complete` (default), `balanced` or `exact`; see `@setwise/adaptive-k`. */
  readonly goal?: Goal;
  /** Another rule in place of the distribution over sets and the goal, over the scores of the candidates: one of `@setwise/adaptive-k` or your own. Limits hold as ever. */
  readonly policy?: CutPolicy;
  /** `auto` (default) lets the scores decide; a number asks for exactly so many tools. */
  readonly k?: number | "auto";
  /** Fewest tools to return; with 1 or more the answer is never 'nothing fits'. */
  readonly minTools?: number;
  /** Most tools to return. */
  readonly maxTools?: number;
  /** Most tokens the returned tools may cost together. */
  readonly maxTokens?: number;
  /** Ids (or names, where unique) of tools that must be in. They come first. */
  readonly require?: readonly string[];
  /** Ids (or names, where unique) of tools that must not be in. */
  readonly exclude?: readonly string[];
  /** Ids (or names, where unique) of the only tools to choose from, `require` aside. */
  readonly allow?: readonly string[];
  /** `auto` adds the tools that bring ids and keys which the chosen ones need, up to three, within the limits; `off` by default. */
  readonly support?: "auto" | "off";
  /** Stops the encoding of the query and the re-ranking, also while its model is opened. */
  readonly signal?: AbortSignal;
}

/** {@link SelectOptions} checked, with ordinals in place of ids. */
export interface Constraints {
  readonly goal: Goal;
  readonly policy: CutPolicy | undefined;
  readonly k: number | undefined;
  readonly minTools: number;
  readonly maxTools: number | undefined;
  readonly maxTokens: number | undefined;
  readonly required: readonly number[];
  /** Ordinals to choose from, without the required ones, ascending; `undefined` for all tools. */
  readonly allowed: Uint32Array | undefined;
  /** Whether what the chosen tools need is added. */
  readonly addsSupport: boolean;
  /** Whether the caller said anything about how many tools to return. */
  readonly limitsSize: boolean;
}

const optionNames = new Set([
  "goal",
  "policy",
  "k",
  "minTools",
  "maxTools",
  "maxTokens",
  "require",
  "exclude",
  "allow",
  "support",
  "signal",
]);
const goals: readonly Goal[] = ["complete", "balanced", "exact"];

/**
 * Checks what the caller asks for against the catalog.
 *
 * @throws SetwiseError `invalid-argument`, `unknown-tool` or `impossible-constraints`.
 */
export function readConstraints(catalog: Catalog, options: SelectOptions): Constraints {
  if (typeof options !== "object" || options === null) {
    throw new SetwiseError("invalid-argument", `Expected an object of options, but got ${String(options)}.`);
  }
  const unknown = Object.keys(options).find((name) => !optionNames.has(name));
  if (unknown !== undefined) {
    throw new SetwiseError(
      "invalid-argument",
      `There is no option "${unknown}"; expected ${[...optionNames].join(", ")}.`,
    );
  }
  for (const name of ["require", "exclude", "allow"] as const) {
    const ids: unknown = options[name];
    if (ids === undefined || (Array.isArray(ids) && ids.every((id) => typeof id === "string"))) continue;
    throw new SetwiseError("invalid-argument", `${name} must be a list of tool ids, such as ["read_file"].`);
  }
  const k = options.k === "auto" ? undefined : options.k;
  for (const [name, value] of Object.entries({
    k,
    minTools: options.minTools,
    maxTools: options.maxTools,
    maxTokens: options.maxTokens,
  })) {
    if (value !== undefined && (!Number.isInteger(value) || value < 0)) {
      throw new SetwiseError(
        "invalid-argument",
        `${name} must be a whole number of at least 0, but it is ${String(value)}.`,
      );
    }
  }
  const goal = options.goal ?? "complete";
  if (!goals.includes(goal)) {
    throw new SetwiseError("invalid-argument", `goal must be one of ${goals.join(", ")}, but it is "${String(goal)}".`);
  }
  checkPolicy(options);
  const support = options.support ?? "off";
  if (support !== "auto" && support !== "off") {
    throw new SetwiseError("invalid-argument", `support must be "auto" or "off", but it is "${String(support)}".`);
  }
  const required = [...new Set((options.require ?? []).map((id) => findTool(catalog, id)))];
  const excluded = new Set((options.exclude ?? []).map((id) => findTool(catalog, id)));
  const both = required.find((ordinal) => excluded.has(ordinal));
  if (both !== undefined) {
    throw new SetwiseError(
      "impossible-constraints",
      `"${catalog.tools[both]?.id}" is both required and excluded; drop one of the two.`,
    );
  }
  checkSizes(required.length, k, options);
  return {
    goal,
    policy: options.policy,
    k,
    minTools: k ?? options.minTools ?? 0,
    maxTools: k ?? options.maxTools,
    maxTokens: options.maxTokens,
    required,
    allowed: allowedOrdinals(catalog, options.allow, new Set([...excluded, ...required])),
    addsSupport: support === "auto",
    limitsSize: [k, options.minTools, options.maxTools, options.maxTokens, options.goal, options.policy].some(
      (value) => value !== undefined,
    ),
  };
}

function checkPolicy({ policy, goal, k }: SelectOptions): void {
  if (policy === undefined) return;
  if (typeof policy !== "object" || policy === null || typeof policy.cut !== "function") {
    throw new SetwiseError(
      "invalid-argument",
      "policy must be a { name, cut(scores) } such as gapPolicy of @setwise/adaptive-k.",
    );
  }
  if (goal === undefined && (k === undefined || k === "auto")) return;
  throw new SetwiseError(
    "invalid-argument",
    "policy, goal and k each say how many tools there are; give one of them. minTools, maxTools and maxTokens go with a policy.",
  );
}

function checkSizes(required: number, k: number | undefined, options: SelectOptions): void {
  const most = k ?? options.maxTools;
  if (most !== undefined && required > most) {
    throw new SetwiseError(
      "impossible-constraints",
      `${required} tools are required, but at most ${most} may be returned; raise the limit.`,
    );
  }
  if (k === undefined && options.minTools !== undefined && most !== undefined && options.minTools > most) {
    throw new SetwiseError(
      "impossible-constraints",
      `minTools (${options.minTools}) must not be larger than maxTools (${most}).`,
    );
  }
}

function allowedOrdinals(
  catalog: Catalog,
  allow: readonly string[] | undefined,
  without: ReadonlySet<number>,
): Uint32Array | undefined {
  if (allow === undefined && without.size === 0) return undefined;
  const from = allow === undefined ? catalog.tools.keys() : new Set(allow.map((id) => findTool(catalog, id)));
  return Uint32Array.from([...from].filter((ordinal) => !without.has(ordinal))).toSorted();
}

/** The ordinal of the tool with this id, or with this name where only one has it. */
export function findTool(catalog: Catalog, id: string): number {
  const ordinal = catalog.ordinalOf(id);
  if (ordinal !== undefined) return ordinal;
  const named = [...catalog.tools.keys()].filter((candidate) => catalog.tools[candidate]?.name === id);
  if (named.length === 1 && named[0] !== undefined) return named[0];
  const several = named.map((candidate) => `"${catalog.tools[candidate]?.id}"`).slice(0, 5);
  const lower = String(id).toLowerCase();
  const alike = catalog.tools.filter((tool) => tool.id.toLowerCase().includes(lower)).map((tool) => `"${tool.id}"`);
  const hint =
    several.length > 0
      ? ` Several tools have this name: ${several.join(", ")}.`
      : alike.length > 0
        ? ` Did you mean ${alike.slice(0, 3).join(", ")}?`
        : " List the ids with `setwise tools --json` or `selector.catalog.tools`.";
  throw new SetwiseError("unknown-tool", `No tool has the id "${id}".${hint}`, { toolId: String(id) });
}
