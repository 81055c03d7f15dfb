import { KernelError } from "../../errors.ts";
import {
  type HypergraphTrainerKernel,
  reportLength,
  reportPlaces,
  type SetLists,
  sourceCounts,
  type StageNumber,
  type StagePlan,
  stepPlaces,
  type TrainerPlan,
  type TrainerProblem,
  type TrainerWeights,
} from "../../hypergraph-trainer-kernel.ts";
import { exp } from "../elementary.ts";
import { update } from "./adam.ts";
import { back, forward, type Forward } from "./forward.ts";
import { align, candidateLosses, logSum, matchLoss } from "./losses.ts";
import { type Pairs, preparePairs } from "./pairs.ts";
import { purposes, Random } from "./random.ts";
import { dot, multiplyByTranspose, normaliseRows, type RealsConstructor, symmetrise } from "./reals.ts";
import {
  bestTools,
  type Candidates,
  createCandidates,
  fillPlaces,
  identicalQueries,
  type Sampling,
} from "./sampling.ts";
import { learningRateFactor } from "./schedule.ts";
import { beginStage, clear, copyState, createState, readState, writeState, zerosLike } from "./state.ts";

const none: Uint32Array = new Uint32Array(0);

/** What a step over sets found, before it is summed up. */
interface SetGradients {
  readonly loss: number;
  readonly retrieval: number;
  readonly selfTraining: number;
  readonly regulariser: number;
  readonly anchor: number;
  readonly goldFirst: number;
  readonly chosen: Uint32Array;
}

/** The trainer in TypeScript: the steps of `crates/kernels/src/trainer`, which says why they are as they are. */
export function createTypescriptHypergraphTrainer(
  problem: TrainerProblem,
  plan: TrainerPlan,
  given: TrainerWeights,
  Numbers: RealsConstructor,
): HypergraphTrainerKernel {
  const { tools, toolDimensions, gold, training, queryWeights, anchors } = problem;
  const state = createState(given, plan.maxSize, Numbers);
  const { weights } = state;
  normaliseRows(weights.embeddings, toolDimensions);
  symmetrise(weights.interactions, toolDimensions);
  const kept = createState(given, plan.maxSize, Numbers);
  copyState(kept, state);
  const gradients = zerosLike(weights);
  const rewards = new Float64Array(problem.queries);
  const isIdentical = identicalQueries(problem);
  const shares = new Float64Array(plan.maxSize + 1);
  const current = new Float64Array(reportLength);
  const usesLogSoftmax = plan.logSoftmax && plan.alignment === "sum";
  const matrixOf = (size: number): number => (plan.interactions === "by-size" ? size - 2 : 0);
  const weightOf = (query: number): number => queryWeights[query] ?? 1;
  let order = none;
  let near = none;
  let nearWidth = 0;
  let nearPlace = none;
  let isRunning = false;

  const stagePlan = (): StagePlan => (state.stage === 2 ? plan.sets : plan.matching);
  const goldSize = (query: number): number => gold.offsets[query + 1]! - gold.offsets[query]!;

  function matchGradients(batch: Uint32Array): number {
    clear(gradients);
    const run = forward(problem, state, batch, Numbers);
    let loss = 0;
    for (const [row, query] of batch.entries()) {
      const place = { start: row * tools, tools, from: gold.offsets[query]!, to: gold.offsets[query + 1]! };
      loss += matchLoss(run.logits, gold.tools, place, weightOf(query) / batch.length);
    }
    if (Number.isFinite(loss)) back(run, problem, weights, plan.matching.trained, gradients, Numbers);
    return loss * batch.length;
  }

  function anchorGradient({ anchor, trained }: StagePlan): number {
    if (anchor === 0 || !trained.embeddings) return 0;
    let sum = 0;
    for (let i = 0; i < anchors.length; i += 1) {
      const difference = weights.embeddings[i]! - anchors[i]!;
      gradients.embeddings[i]! += 2 * anchor * difference;
      sum += difference * difference;
    }
    return anchor * sum;
  }

  function move(stage: StagePlan, factor: number): boolean {
    state.step += 1;
    const { moments } = plan;
    state.powers = [state.powers[0] * moments[0], state.powers[1] * moments[1]];
    const { trained, weightDecay, learningRate } = stage;
    const group = (part: keyof typeof weights, size: number, decay: number): boolean => {
      const rate = { learningRate: size * factor, weightDecay: decay, moments, powers: state.powers };
      return update(rate, weights[part], gradients[part], state.first[part], state.second[part]);
    };
    let finite = true;
    if (trained.projection) finite = group("projection", learningRate, weightDecay) && finite;
    if (trained.embeddings) {
      finite = group("embeddings", learningRate, weightDecay) && finite;
      normaliseRows(weights.embeddings, toolDimensions);
    }
    if (trained.interactions) {
      finite = group("interactions", stage.interactionRate, weightDecay) && finite;
      symmetrise(weights.interactions, toolDimensions);
    }
    if (trained.offsets) finite = group("offsets", stage.offsetRate, 0) && finite;
    if (trained.features) finite = group("features", stage.featureRate, 0) && finite;
    return finite;
  }

  function scoreCandidates(run: Forward, candidates: Candidates): { pairs: Pairs; scores: Float64Array } {
    const { places, room, sizes, members } = candidates;
    const pairs = preparePairs(candidates, weights.embeddings, weights.interactions, toolDimensions, matrixOf, Numbers);
    const scores = new Float64Array(sizes.length);
    for (const row of run.batch.keys()) {
      const start = row * tools;
      const all = usesLogSoftmax ? logSum(run.logits, start, tools) : 0;
      for (let place = row * places; place < (row + 1) * places; place += 1) {
        const size = sizes[place]!;
        if (size === 0) {
          scores[place] = Number.NEGATIVE_INFINITY;
          continue;
        }
        const aligned = align(plan.alignment, run.logits, start, members, place * room, size, shares);
        scores[place] = aligned - size * all + weights.offsets[size - 1]!;
        if (size > 1 && weights.interactions.length > 0) scores[place]! += pairs.score(place);
      }
    }
    return { pairs, scores };
  }

  function setGradients(run: Forward, candidates: Candidates): SetGradients {
    clear(gradients);
    const { pairs, scores } = scoreCandidates(run, candidates);
    const { trained } = plan.sets;
    const { batch } = run;
    const { places, sizes } = candidates;
    const share = plan.summed ? 1 : 1 / batch.length;
    const ofScores = new Float64Array(scores.length);
    const chosen = new Uint32Array(batch.length);
    let [loss, retrieval, selfTraining, goldFirst] = [0, 0, 0, 0];
    for (const [row, query] of batch.entries()) {
      const [weight, reward] = [weightOf(query), rewards[query]!];
      const both = [weight * share, plan.selfTraining * reward * share] as const;
      const found = candidateLosses(scores, row * places, places, both, ofScores);
      retrieval += weight * found.retrieval;
      selfTraining += reward * found.chosen;
      loss += both[0] * found.retrieval + both[1] * found.chosen;
      goldFirst += Number(found.place === 0);
      chosen[row] = found.place;
    }
    if (!Number.isFinite(loss)) {
      return { loss, retrieval, selfTraining, regulariser: 0, anchor: 0, goldFirst, chosen };
    }
    for (const [place, gradient] of ofScores.entries()) {
      const size = sizes[place]!;
      if (size > 0 && trained.offsets) gradients.offsets[size - 1]! += gradient;
    }
    pairs.back(
      ofScores,
      trained.interactions ? gradients.interactions : undefined,
      trained.embeddings ? gradients.embeddings : undefined,
    );
    const { interactions } = weights;
    for (let i = 0; i < interactions.length && trained.interactions; i += 1) {
      gradients.interactions[i]! += 2 * plan.regularisation * interactions[i]!;
    }
    if (trained.projection || trained.embeddings || trained.features) {
      for (const row of batch.keys()) logitGradients(run, row, candidates, ofScores);
      back(run, problem, weights, trained, gradients, Numbers);
    }
    const regulariser = plan.regularisation * dot(interactions, 0, interactions, 0, interactions.length);
    const anchor = anchorGradient(plan.sets);
    loss += regulariser + anchor;
    return { loss, retrieval, selfTraining, regulariser, anchor, goldFirst, chosen };
  }

  /** The logits of a row become their gradient. */
  function logitGradients(run: Forward, row: number, candidates: Candidates, ofScores: Float64Array): void {
    const { places, room, sizes, members } = candidates;
    const start = row * tools;
    const entries = new Float64Array(places * room);
    let total = 0;
    for (let i = 0; i < places; i += 1) {
      const place = row * places + i;
      const size = sizes[place]!;
      if (size === 0) continue;
      align(plan.alignment, run.logits, start, members, place * room, size, shares);
      total += ofScores[place]! * size;
      for (let member = 0; member < size; member += 1) entries[i * room + member] = ofScores[place]! * shares[member]!;
    }
    const all = usesLogSoftmax ? logSum(run.logits, start, tools) : 0;
    for (let t = start; t < start + tools; t += 1) {
      run.logits[t] = usesLogSoftmax ? -total * exp(run.logits[t]! - all) : 0;
    }
    for (let i = 0; i < places; i += 1) {
      const place = row * places + i;
      for (let member = 0; member < sizes[place]!; member += 1) {
        run.logits[start + members[place * room + member]!]! += entries[i * room + member]!;
      }
    }
  }

  function drawCandidates(run: Forward, counts: Float64Array): Candidates {
    const { batch, logits } = run;
    const { negatives, maxSize, own } = plan;
    const uniform = Uint32Array.from(new Uint32Array(tools).keys());
    const wanted = plan.uniformPool === 0 ? tools : Math.min(plan.uniformPool, tools);
    if (wanted < tools) {
      new Random(plan.seed, 2, state.epoch, purposes.pool, current[reportPlaces.batches]!).choose(uniform, wanted);
    }
    const candidates = createCandidates(batch.length, 1 + negatives.reduce((sum, count) => sum + count, 0), maxSize);
    const sampling: Sampling = {
      gold,
      batch,
      negatives,
      maxSize,
      uniform: uniform.subarray(0, wanted),
      near,
      nearWidth,
      nearPlace,
      isIdentical,
    };
    for (const [row, query] of batch.entries()) {
      const goldSet = gold.tools.subarray(gold.offsets[query]!, gold.offsets[query + 1]!);
      const liked = negatives[3]! + negatives[4]! > 0 ? bestTools(logits, row * tools, tools, goldSet, own) : none;
      fillPlaces(sampling, row, liked, new Random(plan.seed, 2, state.epoch, purposes.sets, query), candidates, counts);
    }
    return candidates;
  }

  /** Lists the nearest neighbours under Z of every tool of a gold set. */
  function listNeighbours(): void {
    nearWidth = Math.min(plan.neighbours, tools - 1);
    nearPlace = new Uint32Array(tools).fill(0xffff_ffff);
    const listed: number[] = [];
    for (const query of order) {
      for (const tool of gold.tools.subarray(gold.offsets[query]!, gold.offsets[query + 1]!)) {
        if (nearPlace[tool] !== 0xffff_ffff) continue;
        nearPlace[tool] = listed.length;
        listed.push(tool);
      }
    }
    near = new Uint32Array(listed.length * nearWidth);
    const products = new Numbers(tools);
    for (const [place, tool] of listed.entries()) {
      const row = weights.embeddings.subarray(tool * toolDimensions, (tool + 1) * toolDimensions);
      multiplyByTranspose(row, weights.embeddings, products, 1, toolDimensions, tools);
      near.set(bestTools(products, 0, tools, Uint32Array.of(tool), nearWidth), place * nearWidth);
    }
  }

  function beginEpoch(): void {
    const { epochs, batch } = stagePlan();
    if (state.epoch >= epochs) {
      const text = `epochs: expected no more epochs than were planned, got ${epochs + 1}.`;
      throw new KernelError("invalid-argument", text);
    }
    const most = state.stage === 2 ? plan.maxSize : Number.POSITIVE_INFINITY;
    order = training.filter((query) => goldSize(query) > 0 && goldSize(query) <= most);
    new Random(plan.seed, state.stage, state.epoch, purposes.order, 0).choose(order, order.length);
    if (state.stage === 2 && plan.negatives[2]! > 0) listNeighbours();
    copyState(kept, state);
    current.fill(0);
    current[reportPlaces.allBatches] = Math.ceil(order.length / batch);
    current[reportPlaces.skipped] = training.length - order.length;
    current[reportPlaces.steps] = state.step;
    isRunning = true;
  }

  const isDone = (): boolean =>
    current[reportPlaces.notFinite] !== 0 || current[reportPlaces.batches] === current[reportPlaces.allBatches];

  const add = (name: keyof typeof reportPlaces, value: number): void => {
    current[reportPlaces[name]]! += value;
  };

  function runBatch(): void {
    const stage = stagePlan();
    const from = current[reportPlaces.batches]! * stage.batch;
    const batch = order.subarray(from, from + stage.batch);
    const steps = stage.epochs * current[reportPlaces.allBatches]!;
    const factor = learningRateFactor(state.step, steps, stage.warmup);
    const loss = state.stage === 2 ? setsOfBatch(batch) : matchOfBatch(batch);
    if (!Number.isFinite(loss) || !move(stage, factor)) {
      current[reportPlaces.notFinite] = 1;
      copyState(state, kept);
      return;
    }
    add("loss", loss);
    add("batches", 1);
    add("queries", batch.length);
    current[reportPlaces.steps] = state.step;
    current[reportPlaces.rateFactor] = factor;
  }

  function matchOfBatch(batch: Uint32Array): number {
    const loss = matchGradients(batch);
    if (!Number.isFinite(loss)) return loss;
    add("retrieval", loss);
    const anchor = anchorGradient(plan.matching) * batch.length;
    add("anchor", anchor);
    return loss + anchor;
  }

  function setsOfBatch(batch: Uint32Array): number {
    const run = forward(problem, state, batch, Numbers);
    const counts = current.subarray(reportPlaces.sources, reportPlaces.sources + plan.negatives.length * sourceCounts);
    const found = setGradients(run, drawCandidates(run, counts));
    if (!Number.isFinite(found.loss)) return found.loss;
    add("retrieval", found.retrieval);
    add("selfTraining", found.selfTraining);
    add("anchor", found.anchor * batch.length);
    add("goldFirst", found.goldFirst);
    current[reportPlaces.regulariser] = found.regulariser;
    return plan.summed ? found.loss : found.loss * batch.length;
  }

  function advance(stage: StageNumber, batches: number, report: Float64Array): void {
    if (state.stage !== stage) {
      isRunning = false;
      beginStage(state, stage);
    }
    if (!isRunning) beginEpoch();
    for (let i = 0; i < batches && !isDone(); i += 1) runBatch();
    if (isDone()) {
      isRunning = false;
      if (current[reportPlaces.notFinite] === 0) state.epoch += 1;
    }
    report.set(current);
  }

  return {
    advance,
    async advanceLater(stage, batches, report) {
      advance(stage, batches, report);
      await new Promise<void>((resolve) => void setImmediate(resolve));
    },
    setStep(queries, sets, rateFactor, chosen, results) {
      const candidates = takeCandidates(sets, plan.maxSize, tools);
      isRunning = false;
      if (state.stage !== 2) beginStage(state, 2);
      copyState(kept, state);
      const found = setGradients(forward(problem, state, queries, Numbers), candidates);
      const { step } = state;
      const finite = Number.isFinite(found.loss) && move(plan.sets, rateFactor);
      state.step = step;
      if (!finite) copyState(state, kept);
      chosen.set(found.chosen);
      for (const name of ["loss", "retrieval", "selfTraining", "regulariser", "anchor"] as const) {
        results[stepPlaces[name]] = found[name];
      }
      results[stepPlaces.finite] = Number(finite);
    },
    setScores(queries, sets, scores) {
      const candidates = takeCandidates(sets, plan.maxSize, tools);
      const found = scoreCandidates(forward(problem, state, queries, Numbers), candidates).scores;
      for (const row of queries.keys()) {
        const [from, to] = [sets.queries[row]!, sets.queries[row + 1]!];
        const start = row * candidates.places;
        scores.set(found.subarray(start, start + to - from), from);
      }
    },
    setRewards: (given) => rewards.set(given),
    logits(queries, target) {
      for (const [row, query] of queries.entries()) {
        target.set(forward(problem, state, Uint32Array.of(query), Numbers).logits, row * tools);
      }
    },
    readWeights({ projection, embeddings, interactions, small }) {
      projection.set(weights.projection);
      embeddings.set(weights.embeddings);
      interactions.set(weights.interactions);
      small.set(weights.offsets);
      small.set(weights.features, plan.maxSize);
    },
    writeCheckpoint: (reals, doubles) => writeState(isRunning ? kept : state, { reals, doubles }),
    readCheckpoint(reals, doubles) {
      readState(state, { reals, doubles });
      isRunning = false;
    },
    dispose() {},
  };
}

/** Copies the caller's sets; each is checked. */
function takeCandidates({ queries, offsets, members }: SetLists, maxSize: number, tools: number): Candidates {
  const ascends = (ends: Uint32Array, count: number): boolean =>
    ends[0] === 0 && ends.at(-1) === count && ends.every((end, place) => place === 0 || end >= ends[place - 1]!);
  const wrong = (name: string, expected: string, got: unknown): KernelError =>
    new KernelError("invalid-argument", `${name}: expected ${expected}, got ${got}.`);
  const columns = [
    ["sets of queries", queries, offsets.length - 1],
    ["sets", offsets, members.length],
  ] as const;
  for (const [name, ends, count] of columns) {
    if (!ascends(ends, count)) throw wrong(name, "offsets that ascend from 0 to the number of entries", "others");
  }
  let places = 0;
  for (let query = 0; query + 1 < queries.length; query += 1) {
    places = Math.max(places, queries[query + 1]! - queries[query]!);
  }
  const candidates = createCandidates(queries.length - 1, places, maxSize);
  for (let query = 0; query + 1 < queries.length; query += 1) {
    for (let set = queries[query]!; set < queries[query + 1]!; set += 1) {
      const sorted = members.slice(offsets[set], offsets[set + 1]).sort();
      if (sorted.length === 0 || sorted.length > maxSize) {
        throw wrong("sets", "1 to maxSize tools in each", sorted.length);
      }
      const unknown = members.subarray(offsets[set], offsets[set + 1]).find((tool) => tool >= tools);
      if (unknown !== undefined) {
        const text = `sets: ordinal ${unknown} names no row; there are ${tools} rows.`;
        throw new KernelError("invalid-argument", text);
      }
      if (sorted.some((tool, i) => i > 0 && tool === sorted[i - 1])) {
        throw wrong("sets", "distinct tools in each", `set ${set}`);
      }
      const place = query * places + set - queries[query]!;
      candidates.members.set(sorted, place * maxSize);
      candidates.sizes[place] = sorted.length;
    }
  }
  return candidates;
}
