import { SetwiseError } from "@setwise/core";
import { HypergraphModel, type Kernels, VectorIndex } from "@setwise/native";
import { addGains, type SetGains } from "./add-gains.ts";
import { checkObject } from "./check-object.ts";
import { coUseTable } from "./co-use.ts";
import { interactionRows } from "./interaction-rows.ts";
import { type KnownSetFinder, knownSetFinder } from "./known-sets.ts";
import { scoreSets, type ScoreSetsOptions, type SetScores } from "./score-sets.ts";
import type { SetCandidates } from "./set-candidates.ts";
import { loggedQueryFinder } from "./logged-queries.ts";
import { newShare, type NewToolWeights, newToolWeights } from "./new-tools.ts";
import type { SetCalibration, SetModel } from "./set-model.ts";
import { transposed } from "./transposed.ts";

/*
 * l_t = r · P z_t + Σ_f w_f φ_f(x, t), and p_t = softmax(l)_t over the tools that are looked at. Then, with the scales a, b, u and the offsets of the
 * calibration,
 *
 * F(E) = a Σ_{t∈E} log p_t + Σ_{s<t∈E} (b z_s · M_|E| z_t + u couse(s, t)) + k known(E) + c_|E| + β_|E| · (requests − 1), F(∅) = c_0.
 *
 * All of it is linear in the calibration's numbers, so that the likelihood of logged sets has one maximum.
 */

/** Tools of the largest r · P z that are looked at, besides those that features name. */
const SHORTLIST = 64;
/** Of the tools that features name, so many with the largest weighed values are looked at: the rest has no chance. */
const NAMED = 192;
/** Tools whose sets are scored. */
const MODEL_POOL = 20;
/** So many more requests than one still count. */
const MOST_REQUESTS = 6;

/** One feature of a query: its values for some tools, 0 for the others. */
export interface FeatureColumn {
  readonly ids: Uint32Array;
  readonly values: Float32Array;
}

/** What is known of a query. */
export interface SetQuery {
  /** r, its vector by the model's encoder, length d_r. */
  readonly vector: Float32Array;
  /** By name, as in {@link SetModel.features}; one that is missing is 0. */
  readonly features: Readonly<Record<string, FeatureColumn>>;
  /** How many things are asked for, 1 by default. */
  readonly requests?: number;
}

/** The only tools to choose from, besides the options of {@link scoreSets}; tools are ordinals of the catalog that the model is fitted to. */
export interface SetQueryOptions extends Omit<ScoreSetsOptions, "alignment" | "pool" | "tokens"> {
  readonly allow?: Uint32Array;
  /** What each tool of the catalog costs; with `maxTokens`. */
  readonly tokens?: Uint32Array;
}

/** A model that can be asked. */
export interface SetScorer {
  readonly model: SetModel;
  /**
   * The sets of a query.
   *
   * @throws SetwiseError `invalid-argument` for tokens that are not one number a tool, and as {@link scoreSets}.
   */
  score(query: SetQuery, options?: SetQueryOptions): SetScores;
  /** What the sets are scored by, before the calibration has its say. */
  evidence(query: SetQuery, options?: SetQueryOptions): SetEvidence;
  /** Frees the model's memory. */
  dispose(): void;
}

/** The numbers of the pool of one query, before calibration. */
export interface SetEvidence {
  /** Tools, ascending. */
  readonly ids: Uint32Array;
  /** log p of each. */
  readonly logProbabilities: Float64Array;
  /** z · M_m z, (M − 1) × K × K; empty without M. */
  readonly interactions: Float64Array;
  /** K × K; empty without co-use. */
  readonly coUse: Float64Array;
  /** Sets of the pool that were logged, as positions. */
  readonly known: SetGains;
  /** Requests beyond one. */
  readonly moreRequests: number;
}

export interface OpenSetScorerOptions {
  /** Default: the addon if it loads, else TypeScript. */
  readonly kernels?: Kernels;
}

/**
 * A scorer over a model whose tools are those of the catalog in its order; {@link adaptSetModel} brings a model there.
 *
 * @throws KernelError `invalid-argument` for a model whose arrays do not fit together.
 */
export function openSetScorer(model: SetModel, options: OpenSetScorerOptions = {}): SetScorer {
  checkObject("model", "a set model", model);
  checkObject("options", "an object", options);
  const matcher = model.toolDimensions === 0 ? undefined : openMatcher(model, options);
  const projector = matcher === undefined ? undefined : openProjector(model, options);
  const rows = model.interactions.length === 0 ? undefined : interactionRows(model, options);
  const coUseOf = coUseTable(model.coUse);
  const finder = knownSetFinder(model.knownSets);
  const share = newShare(model);
  const logged =
    matcher !== undefined && share > 0
      ? loggedQueryFinder(model.loggedQueries, model.queryDimensions, options.kernels)
      : undefined;
  const evidence = (query: SetQuery, asked: SetQueryOptions = {}): SetEvidence => {
    checkQuery(query);
    checkObject("options", "an object", asked);
    const hidden = projector?.project(query.vector);
    const weights = newToolWeights(share, logged?.nearest(query.vector) ?? 1);
    const found = logitsOf(matcher, hidden, addedLogits(model, query, weights), asked);
    const { ids } = found;
    const logits = found.logits.map((logit) => weights.sharpness * logit);
    const pool = poolOf(ids, logits, asked);
    const sorted = pool.map((place) => ids[place]!);
    const normaliser = logSumExp(logits);
    return {
      ids: sorted,
      logProbabilities: Float64Array.from(pool, (place) => logits[place]! - normaliser),
      interactions: rows === undefined ? none : rows.pairScores(sorted),
      coUse: model.coUse.values.length === 0 ? none : coUseMatrix(sorted, coUseOf),
      known: gainsIn(finder, sorted),
      moreRequests: Math.max(0, Math.min(MOST_REQUESTS, query.requests ?? 1) - 1),
    };
  };
  return {
    model,
    evidence,
    score: (query, asked = {}) => {
      const found = evidence(query, asked);
      checkTokens(model, asked);
      const { allow: _allow, tokens, ...rest } = asked;
      const costs = tokens === undefined ? {} : { tokens: found.ids.map((id) => tokens[id] ?? 0) };
      return scoreEvidence(found, model.calibration, { ...rest, ...costs });
    },
    dispose: () => {
      matcher?.dispose();
      projector?.dispose();
      logged?.dispose();
    },
  };
}

function checkQuery(query: SetQuery): void {
  checkObject("query", "an object of vector and features", query);
  checkObject("the query's features", "an object of columns by name", query.features);
}

function checkTokens({ tools }: SetModel, { tokens }: SetQueryOptions): void {
  if (tokens === undefined || (tokens instanceof Uint32Array && tokens.length === tools.length)) return;
  throw new SetwiseError(
    "invalid-argument",
    `Expected tokens as a Uint32Array of ${tools.length} numbers, one a tool of the catalog, but got ${typeof tokens === "object" ? `${tokens?.length} numbers` : typeof tokens}${tokens instanceof Uint32Array ? "" : " of another kind"}. A tool without a cost would pass any budget.`,
  );
}

/** The sets of a pool, by a calibration; `tokens` are those of the pool. */
export function scoreEvidence(
  evidence: SetEvidence,
  calibration: SetCalibration,
  options: Omit<ScoreSetsOptions, "alignment" | "pool"> = {},
): SetScores {
  const scored = scoreSets(calibrated(evidence, calibration), { ...options, pool: MODEL_POOL });
  const { knownSetScale } = calibration;
  if (knownSetScale === 0 || scored.best.length === 0) return scored;
  const { known } = evidence;
  return addGains(scored, { ...known, gains: known.gains.map((value) => knownSetScale * value) });
}

/** The set function that a calibration makes of what is known. */
export function calibrated(evidence: SetEvidence, calibration: SetCalibration): SetCandidates {
  const { ids, logProbabilities, interactions, coUse, moreRequests } = evidence;
  const { matchScale, pairScale, coUseScale, sizeOffsets, requestSlopes, emptyScore } = calibration;
  const usesM = interactions.length > 0 && pairScale !== 0;
  const usesCoUse = coUse.length > 0 && coUseScale !== 0;
  const square = ids.length ** 2;
  const pairScores = usesM || usesCoUse ? new Float64Array((sizeOffsets.length - 1) * square) : undefined;
  const sums = pairScores ?? none;
  for (let start = 0; start < sums.length; start += square) {
    for (let i = 0; i < square; i++) {
      const ofM = usesM ? pairScale * interactions[start + i]! : 0;
      sums[start + i] = usesCoUse ? ofM + coUseScale * coUse[i]! : ofM;
    }
  }
  return {
    ids,
    logits: logProbabilities.map((value) => matchScale * value),
    ...(pairScores === undefined ? {} : { pairScores }),
    sizeOffsets: Float64Array.from(sizeOffsets, (c, size) => c + (requestSlopes[size] ?? 0) * moreRequests),
    ...(emptyScore === undefined ? {} : { emptyScore }),
  };
}

const none: Float64Array = new Float64Array(0);

/** The rows of Z as what queries are compared with: a query comes as r P, so that no other rows need be computed. */
function openMatcher({ toolDimensions, embeddings }: SetModel, { kernels }: OpenSetScorerOptions): HypergraphModel {
  const shape = { queryDimensions: toolDimensions, toolDimensions, maxSize: 1, pairRows: new Float32Array(0) };
  const run = kernels === undefined ? {} : { kernels };
  return new HypergraphModel({ ...run, ...shape, matchRows: embeddings, embeddings });
}

/** What is asked of the columns of P: r P of any r. */
interface Projector {
  project(vector: Float32Array): Float32Array;
  dispose(): void;
}

/** The columns of P are rows that a query is compared with, all of them: so P is copied and checked once, and not with every query. */
function openProjector(
  { projection, queryDimensions, toolDimensions }: SetModel,
  { kernels }: OpenSetScorerOptions,
): Projector {
  const run = kernels === undefined ? {} : { kernels };
  const columns = new VectorIndex({
    ...run,
    dimensions: queryDimensions,
    vectors: transposed(projection, toolDimensions),
  });
  return {
    project: (vector) => {
      const { ids, scores } = columns.search(vector, toolDimensions);
      const hidden = new Float32Array(toolDimensions);
      for (const [at, id] of ids.entries()) hidden[id] = scores[at]!;
      return hidden;
    },
    dispose: () => columns.dispose(),
  };
}

/** What features add to the logits, by tool. */
function addedLogits(
  { tools, features }: SetModel,
  query: SetQuery,
  { moreOfFirst, newTools }: NewToolWeights,
): Map<number, number> {
  const added = new Map<number, number>();
  for (const [place, { name, weight }] of features.entries()) {
    const column = Object.hasOwn(query.features, name) ? query.features[name] : undefined;
    if (column === undefined) continue;
    const counts = place === 0 ? weight + moreOfFirst : weight;
    for (let i = 0; i < column.ids.length; i++) {
      const tool = column.ids[i]!;
      const scale = tools[tool]?.isNew === true ? newTools : 1;
      added.set(tool, (added.get(tool) ?? 0) + scale * counts * column.values[i]!);
    }
  }
  return added;
}

/** The tools that are looked at and l of each. */
function logitsOf(
  matcher: HypergraphModel | undefined,
  hidden: Float32Array | undefined,
  added: Map<number, number>,
  { allow, exclude, require = new Uint32Array(0) }: SetQueryOptions,
): { readonly ids: Uint32Array; readonly logits: Float64Array } {
  for (const tool of require) if (!added.has(tool)) added.set(tool, 0);
  const required = new Set(require);
  const allowed = allow === undefined ? undefined : new Set(allow);
  const excluded = new Set(exclude);
  const isOpen = (tool: number): boolean => required.has(tool) || ((allowed?.has(tool) ?? true) && !excluded.has(tool));
  let named = [...added.keys()].filter(isOpen);
  if (named.length > NAMED + required.size) {
    named = named
      .sort((a, b) => added.get(b)! - added.get(a)! || a - b)
      .filter((tool, rank) => rank < NAMED || required.has(tool));
  }
  if (matcher === undefined || hidden === undefined) {
    const ids = Uint32Array.from(named).sort();
    return { ids, logits: Float64Array.from(ids, (tool) => added.get(tool)!) };
  }
  const found = matcher.shortlist(hidden, {
    shortlist: SHORTLIST,
    pool: SHORTLIST,
    require: Uint32Array.from(named),
    ...(allow === undefined ? {} : { allow: Uint32Array.from(new Set([...allow, ...require])) }),
    ...(exclude === undefined ? {} : { exclude: exclude.filter((tool) => !required.has(tool)) }),
  });
  return {
    ids: found.ids,
    logits: Float64Array.from(found.logits, (logit, place) => logit + (added.get(found.ids[place]!) ?? 0)),
  };
}

/** Places of the tools of the largest logits and of the required ones, tools ascending. */
function poolOf(ids: Uint32Array, logits: Float64Array, { require }: SetQueryOptions): Uint32Array {
  const required = new Set(require);
  return Uint32Array.from(ids.keys())
    .sort((a, b) => logits[b]! - logits[a]! || ids[a]! - ids[b]!)
    .filter((place, rank) => rank < MODEL_POOL || required.has(ids[place]!))
    .sort((a, b) => ids[a]! - ids[b]!);
}

function coUseMatrix(ids: Uint32Array, coUseOf: (one: number, other: number) => number): Float64Array {
  const size = ids.length;
  const matrix = new Float64Array(size * size);
  for (let a = 0; a < size; a++) {
    for (let b = 0; b < a; b++) {
      const value = coUseOf(ids[a]!, ids[b]!);
      matrix[a * size + b] = value;
      matrix[b * size + a] = value;
    }
  }
  return matrix;
}

/** The known sets of a pool (tools ascending), as positions. */
function gainsIn({ within, sets }: KnownSetFinder, tools: Uint32Array): SetGains {
  const found = within(tools);
  const positionOf = new Map(Array.from(tools, (tool, position) => [tool, position]));
  const lists = found.map((set) =>
    Array.from(sets.members.subarray(sets.offsets[set], sets.offsets[set + 1]), (tool) => positionOf.get(tool)!),
  );
  const offsets = new Uint32Array(lists.length + 1);
  for (const [at, list] of lists.entries()) offsets[at + 1] = offsets[at]! + list.length;
  return {
    offsets,
    members: Uint32Array.from(lists.flat()),
    gains: Float64Array.from(found, (set) => sets.values[set]!),
  };
}

function logSumExp(values: Float64Array): number {
  const largest = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  return values.length === 0
    ? 0
    : largest + Math.log(values.reduce((sum, value) => sum + Math.exp(value - largest), 0));
}
