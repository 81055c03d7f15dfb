import { type CutPolicy, type PolicyCut, SetwiseError } from "@setwise/core";
import type { ChooseKOptions } from "./choose-k.ts";
import { isPrior } from "./set-prior.ts";

/** Most tools that are handed over where the caller says nothing. */
export const DEFAULT_MAX_K = 10;

/** The fewest and the most tools to keep. */
export function limits({ minK = 0, maxK }: ChooseKOptions): { readonly minK: number; readonly maxK: number } {
  return { minK, maxK: maxK ?? Math.max(DEFAULT_MAX_K, minK) };
}

/** Checks the arguments of `chooseK`. @throws SetwiseError as `chooseK` does. */
export function checkChoice(scores: Float32Array, options: ChooseKOptions): void {
  checkScores(scores);
  checkOptions(scores, options);
}

/** Checks what tools cost; a NaN or a debt would pass any budget. @throws SetwiseError `invalid-argument`. */
export function checkTokens(tokens: Uint32Array, expected: number): void {
  checkLength("tokens", tokens.length, expected, true);
  for (let i = 0; i < tokens.length; i++) {
    const cost: unknown = tokens[i];
    if (Number.isFinite(cost) && (cost as number) >= 0) continue;
    throw new SetwiseError(
      "invalid-argument",
      `tokens must be numbers of at least 0, but entry ${i} is ${String(cost)}.`,
    );
  }
}

/** What a policy says, if there are so many. @throws SetwiseError `invalid-argument` if not. */
export function checkPolicyCut(policy: CutPolicy, scores: Float32Array): PolicyCut {
  const cut = policy.cut(scores);
  const { k = Number.NaN, coreSize = k } = (cut ?? {}) as Partial<PolicyCut>;
  if (
    Number.isInteger(k) &&
    k >= 0 &&
    k <= scores.length &&
    Number.isInteger(coreSize) &&
    coreSize >= 0 &&
    coreSize <= k
  ) {
    return cut;
  }
  throw new SetwiseError(
    "invalid-argument",
    `A policy must keep a whole number of the ${scores.length} candidates, but ${policy.name} keeps ${k}, ${coreSize} of them as the set itself.`,
  );
}

function checkScores(scores: Float32Array): void {
  if (!(scores instanceof Float32Array)) {
    throw new SetwiseError(
      "invalid-argument",
      "Scores must be a Float32Array, best first; make one with Float32Array.from(list).",
    );
  }
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i] ?? Number.NaN;
    if (!Number.isFinite(score)) {
      throw new SetwiseError("invalid-argument", `Scores must be finite numbers, but score ${i} is ${score}.`);
    }
    if (i > 0 && score > (scores[i - 1] ?? 0)) {
      throw new SetwiseError(
        "invalid-argument",
        `Scores must be given best first, but score ${i} (${score}) is larger than the one before it.`,
      );
    }
  }
}

const goals: readonly string[] = ["complete", "balanced", "exact"];

function checkOptions(scores: Float32Array, options: ChooseKOptions): void {
  for (const name of ["minK", "maxK", "maxTokens", "requests"] as const) {
    const value = options[name];
    if (value !== undefined && (!Number.isInteger(value) || value < 0)) {
      throw new SetwiseError("invalid-argument", `${name} must be a whole number of at least 0, but it is ${value}.`);
    }
  }
  const { goal, policy, prior, wordEvidence } = options;
  if (wordEvidence !== undefined && !(wordEvidence >= 0)) {
    throw new SetwiseError("invalid-argument", `wordEvidence must be at least 0, but it is ${wordEvidence}.`);
  }
  if (prior !== undefined && !isPrior(prior)) {
    throw new SetwiseError(
      "invalid-argument",
      "prior must have all its constants, as finite numbers; take priorFor(encoder.name).",
    );
  }
  if (goal !== undefined && !goals.includes(goal)) {
    throw new SetwiseError("invalid-argument", `goal must be one of ${goals.join(", ")}, but it is ${goal}.`);
  }
  if (policy !== undefined && typeof (policy as Partial<CutPolicy> | null)?.cut !== "function") {
    throw new SetwiseError("invalid-argument", "policy must have a cut function, such as what fixedPolicy(3) gives.");
  }
  const { minK, maxK } = limits(options);
  if (minK > maxK) {
    throw new SetwiseError("impossible-constraints", `minK (${minK}) must not be larger than maxK (${maxK}).`);
  }
  const nothing = options.probabilityNothingFits ?? 0;
  if (!(nothing >= 0 && nothing <= 1)) {
    throw new SetwiseError("invalid-argument", `probabilityNothingFits must lie in 0..1, but it is ${nothing}.`);
  }
  if (options.tokens !== undefined) checkTokens(options.tokens, scores.length);
  else checkLength("tokens", undefined, scores.length, options.maxTokens !== undefined);
}

function checkLength(name: string, length: number | undefined, expected: number, needed: boolean): void {
  if (length === undefined ? needed : length !== expected) {
    throw new SetwiseError(
      "invalid-argument",
      `${name} must have ${expected} entries, but it has ${length ?? "none"}.`,
    );
  }
}
