import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCatalog, seededRandom, type Tool } from "@setwise/core";
import { beforeAll, describe, expect, test } from "vitest";
import { adaptSetModel } from "./adapt-set-model.ts";
import { calibrate, goldIn } from "./calibrate.ts";
import { calibrationError } from "./calibration-error.ts";
import { cleanLog, type LoggedQuery } from "./clean-log.ts";
import { rankTools } from "./rank-tools.ts";
import type { SetModel } from "./set-model.ts";
import { readSetModel, writeModelFile, writeSetModel } from "./set-model-file.ts";
import { openSetScorer, scoreEvidence } from "./set-scorer.ts";
import { developmentQueries } from "./split-log.ts";
import { trainSetModel } from "./train-set-model.ts";
import type { TrainSetModelOptions } from "./train-set-model.ts";
import type { TrainingCheckpoint } from "./training-checkpoint.ts";
import { queryAt, type TrainingData } from "./training-data.ts";

/** Ten topics with two tools each that are always used together; texts of tools say little of it. */
const TOPICS = 10;
const DIMENSIONS = 16;
const path = join(tmpdir(), `set-model-${process.pid}.safetensors`);

const tool = (id: string, description = `does ${id}`): Tool => ({
  id,
  name: id,
  description,
  inputSchema: { type: "object" },
  original: undefined,
});
const tools = Array.from({ length: 2 * TOPICS }, (_, at) => tool(`tool${at}`));
const catalog = createCatalog(tools);

function rows(count: number, numbers: () => number, near?: (row: number) => Float32Array): Float32Array {
  const all = new Float32Array(count * DIMENSIONS);
  for (let row = 0; row < count; row++) {
    const vector = Float32Array.from(
      { length: DIMENSIONS },
      (_, i) => (numbers() - 0.5) * 0.35 + (near?.(row)[i] ?? 0),
    );
    const length = Math.hypot(...vector);
    all.set(
      vector.map((value) => value / length),
      row * DIMENSIONS,
    );
  }
  return all;
}

function madeUp(count: number, seed: number): TrainingData {
  const numbers = seededRandom(seed);
  const topics = rows(TOPICS, seededRandom(99));
  const log = Array.from({ length: count }, (_, at): LoggedQuery => {
    const topic = at % TOPICS;
    return { query: `request ${at}`, tools: [`tool${2 * topic}`, `tool${2 * topic + 1}`] };
  });
  const topicOf = (row: number): Float32Array =>
    topics.subarray((row % TOPICS) * DIMENSIONS, ((row % TOPICS) + 1) * DIMENSIONS);
  return {
    catalog,
    encoder: "made-up",
    toolVectors: rows(tools.length, seededRandom(7), (row) => topicOf(row >> 1).map((value) => value / 3)),
    queries: cleanLog(log, catalog).queries,
    queryVectors: rows(count, numbers, topicOf),
    features: [
      {
        name: "hybrid",
        offsets: Uint32Array.from({ length: count + 1 }, (_, at) => 5 * at),
        tools: Uint32Array.from({ length: 5 * count }, (_, at) => (at * 7) % tools.length),
        values: Float32Array.from({ length: 5 * count }, () => numbers()),
      },
    ],
  };
}

const data = madeUp(200, 1);
let trained: Awaited<ReturnType<typeof trainSetModel>>;
beforeAll(async () => {
  trained = await trainSetModel(data, { threads: 1 });
}, 60_000);

test("what belongs together is learned from the log, and the report says by how much", () => {
  const { report, model } = trained;
  expect(report.chosen).not.toBe("untrained");
  expect(model.facts.development.model.recall3).toBeGreaterThan(0.9);
  expect(model.facts.development.untrained.recall3).toBeLessThan(0.6);
  expect(report.verdict).toContain("was kept");
  const scorer = openSetScorer(model);
  const scored = scorer.score(queryAt(data, 3, DIMENSIONS));
  expect([...(scored.best[0]?.ids ?? [])]).toEqual([6, 7]);
  expect([...rankTools(scored).ids.subarray(0, 2)].sort()).toEqual([6, 7]);
  scorer.dispose();
});

test("one seed gives the same model to the last bit, whatever the threads", async () => {
  const { model } = await trainSetModel(data, { threads: 2 });
  expect(model).toEqual(trained.model);
});

test("the calibration error is of queries that the calibration was not fitted on", async () => {
  const { model, report } = trained;
  const terms = {
    interactions: report.chosen === "match with interactions",
    coUse: report.chosen !== "match",
    knownSets: !["match", "match with co-use"].includes(report.chosen),
  };
  const scorer = openSetScorer(model);
  const labelled = Array.from(await developmentQueries(data.queries, data.queryVectors), (place) => {
    const evidence = scorer.evidence(queryAt(data, place, DIMENSIONS));
    const { tools: right } = data.queries[place]!;
    return { evidence, right, gold: goldIn(evidence, right) };
  });
  scorer.dispose();
  expect(labelled.length).toBeGreaterThan(20);
  const halves = [0, 1].flatMap((half) => {
    const other = labelled.filter(({ gold }, at) => at % 2 !== half && gold.length > 0);
    const calibration = calibrate(other, model.maxSize, terms);
    return labelled
      .filter((_, at) => at % 2 === half)
      .map(({ evidence, right }) => ({ scored: scoreEvidence(evidence, calibration), gold: right }));
  });
  expect(model.facts.development.calibrationError).toBeCloseTo(calibrationError(halves), 3);
  const fitted = labelled.map(({ evidence, right: gold }) => ({
    scored: scoreEvidence(evidence, model.calibration),
    gold,
  }));
  expect(model.facts.development.calibrationError).not.toBeCloseTo(calibrationError(fitted), 3);
});

test("every model that was compared is told of, and a strong anchor keeps tools at their texts", async () => {
  const { report } = await trainSetModel(madeUp(100, 1), { threads: 1, anchor: 1000 });
  const farthest = (name: string): number => {
    const { embeddings } = report.contenders.find((contender) => contender.name === name)!.model;
    return Math.max(...embeddings.map((value, i) => Math.abs(value - data.toolVectors[i]!)));
  };
  expect(farthest("match")).toBeLessThan(0.05);
  const { embeddings } = trained.model;
  expect(Math.max(...embeddings.map((value, i) => Math.abs(value - data.toolVectors[i]!)))).toBeGreaterThan(0.05);
});

test("a model that was written is read as it was, for its encoder only", async () => {
  await writeSetModel(path, trained.model);
  expect(await readSetModel(path, { encoder: "made-up" })).toEqual(trained.model);
  await expect(readSetModel(path, { encoder: "another" })).rejects.toThrow("not of another");
  const bytes = await readFile(path);
  bytes[bytes.length - 3] = (bytes.at(-3) ?? 0) ^ 1;
  await writeFile(path, bytes);
  await expect(readSetModel(path)).rejects.toMatchObject({ code: "corrupt-file" });
  await rm(path);
});

test("a file whose facts are not what facts are is refused", async () => {
  const { facts } = trained.model;
  const { development } = facts;
  const hostile: unknown[] = [
    { catalogRevision: "1" },
    { ...facts, development: { untrained: {}, model: {}, calibrationError: 0 } },
    { ...facts, development: { ...development, calibrationError: "0" } },
    { ...facts, development: { ...development, model: { ...development.model, exact: null } } },
    { ...facts, queries: "many" },
    { ...facts, licence: 1 },
    { ...facts, development: { ...development, measured: 0 } },
  ];
  const file = path.replace("set-model", "hostile-set-model");
  for (const wrong of hostile) {
    const model = { ...trained.model, facts: wrong as typeof facts };
    await expect(writeSetModel(file, model)).rejects.toMatchObject({ code: "invalid-argument" });
    await writeModelFile(file, model);
    await expect(readSetModel(file)).rejects.toMatchObject({ code: "corrupt-file" });
  }
  await rm(file);
});

type Change = (model: SetModel) => Partial<SetModel>;

const setsOf = (offsets: number[], members: number[], value = 1): SetModel["knownSets"] => ({
  offsets: Uint32Array.from(offsets),
  members: Uint32Array.from(members),
  values: new Float32Array(offsets.length - 1).fill(value),
});
const pairsOf = (pairs: number[], value = 1): SetModel["coUse"] => ({
  pairs: Uint32Array.from(pairs),
  values: new Float32Array(pairs.length / 2).fill(value),
});

test.each<[string, Change]>([
  ["a feature named toString", () => ({ features: [{ name: "toString", weight: 1 }] })],
  ["a feature named __proto__", () => ({ features: [{ name: "__proto__", weight: 1 }] })],
  ["a feature twice", ({ features }) => ({ features: [...features, ...features] })],
  ["a known tool twice", ({ tools: known }) => ({ tools: [known[0]!, ...known.slice(0, -1)] })],
  ["a scale that turns the ranking round", ({ calibration }) => ({ calibration: { ...calibration, matchScale: -1 } })],
  [
    "a huge scale of known sets",
    ({ calibration }) => ({ knownSets: setsOf([0, 2], [3, 4]), calibration: { ...calibration, knownSetScale: 1e3 } }),
  ],
  ["known sets that speak against", ({ calibration }) => ({ calibration: { ...calibration, knownSetScale: -1 } })],
  ["a known set of one tool", () => ({ knownSets: setsOf([0, 1], [3]) })],
  ["a known set twice", () => ({ knownSets: setsOf([0, 2, 4], [3, 4, 3, 4]) })],
  ["a known set that descends", () => ({ knownSets: setsOf([0, 2], [4, 3]) })],
  ["a known set with a tool twice", () => ({ knownSets: setsOf([0, 2], [4, 4]) })],
  ["a known set of an unknown tool", () => ({ knownSets: setsOf([0, 2], [4, 99]) })],
  ["a known set without bounds", () => ({ knownSets: setsOf([0, 2], [3, 4], 3e38) })],
  ["co-use without bounds", () => ({ coUse: pairsOf([3, 4], 3e38) })],
  ["a pair twice", () => ({ coUse: pairsOf([3, 4, 3, 4]) })],
  ["a pair that descends", () => ({ coUse: pairsOf([4, 3]) })],
  ["too few embeddings", ({ embeddings }) => ({ embeddings: embeddings.slice(1) })],
  ["logged queries of a wrong length", ({ loggedQueries }) => ({ loggedQueries: loggedQueries.slice(1) })],
  ["NaN in its weights", ({ projection }) => ({ projection: projection.map(() => Number.NaN) })],
  ["no known sets", () => ({ knownSets: undefined as unknown as SetModel["knownSets"] })],
])("a model with %s is not written, gone on from or read", async (_, change) => {
  const wrong = { ...trained.model, ...change(trained.model) };
  const file = path.replace("set-model", "wrong-set-model");
  await expect(writeSetModel(file, wrong)).rejects.toMatchObject({ code: "invalid-argument" });
  const goneOn = trainSetModel(madeUp(3, 4), { threads: 1, from: wrong });
  await expect(goneOn).rejects.toMatchObject({ code: "invalid-argument" });
  // What does not fit its shape cannot stand in a file.
  const stands = await writeModelFile(file, wrong).then(
    () => true,
    () => false,
  );
  if (!stands) return;
  await expect(readSetModel(file)).rejects.toMatchObject({ code: "corrupt-file" });
  await rm(file);
});

test("a feature is looked for among the query's own", () => {
  const scorer = openSetScorer({ ...trained.model, features: [{ name: "toString", weight: 1 }] });
  expect(scorer.score({ vector: data.queryVectors.subarray(0, DIMENSIONS), features: {} }).best).not.toEqual([]);
  scorer.dispose();
});

test.each([
  { stage: "match", epochs: 2 },
  { stage: "sets", epochs: 1 },
])(
  "a training killed in the stage of $stage goes on from its last checkpoint and ends with the same model",
  async (last) => {
    let kept: TrainingCheckpoint | undefined;
    const controller = new AbortController();
    const onCheckpoint = (checkpoint: TrainingCheckpoint): void => {
      kept = checkpoint;
      if (checkpoint.stage === last.stage && checkpoint.epochs === last.epochs) controller.abort();
    };
    const killed = trainSetModel(data, { threads: 1, onCheckpoint, signal: controller.signal });
    await expect(killed).rejects.toMatchObject({ code: "aborted" });
    if (kept === undefined) throw new Error("there is no checkpoint");
    expect(kept).toMatchObject(last);
    const { model } = await trainSetModel(data, { threads: 1, resume: kept });
    expect(model).toEqual(trained.model);
  },
);

test("a checkpoint that is not what it says is refused as damaged", async () => {
  const kept: TrainingCheckpoint[] = [];
  await trainSetModel(data, { threads: 1, onCheckpoint: (checkpoint) => void kept.push(checkpoint) });
  const [whole, sets] = [kept[2]!, kept.at(-1)!];
  expect([whole.stage, sets.stage]).toEqual(["match", "sets"]);
  const wrong = [
    { ...whole, stage: "sets" },
    { ...whole, stage: "sets", epochs: sets.epochs },
    { ...sets, stage: "match" },
    { ...whole, stage: "x" },
    { ...whole, epochs: whole.epochs - 1 },
    { ...whole, epochs: 1e9 },
    { ...whole, epochs: Number.NaN },
    { ...whole, epochs: 0 },
    { ...whole, waited: Number.NaN },
    { ...whole, bestWorth: Number.NaN },
    { ...whole, bestWorth: 99 },
    { ...whole, best: undefined },
    { ...whole, best: whole.best.map((byte, at) => (at === 500 ? byte ^ 1 : byte)) },
    {},
    null,
  ] as (TrainingCheckpoint | null)[];
  for (const resume of wrong) {
    const resumed = trainSetModel(data, { threads: 1, resume } as TrainSetModelOptions);
    await expect(resumed, JSON.stringify({ ...resume, current: 0, best: 0 })).rejects.toMatchObject({
      code: "corrupt-file",
    });
  }
  await expect(trainSetModel(data, { resume: { ...whole, best: new Uint8Array(10) } })).rejects.toThrow();
  const { model } = await trainSetModel(data, { threads: 1, resume: sets });
  expect(model).toEqual(trained.model);
}, 60_000);

describe.each([3, 200])("with %i queries", (count) => {
  const good = madeUp(count, 1);
  const feature = good.features[0]!;
  const put = <Row extends Float32Array | Uint32Array>(row: Row, at: number, value: number): Row => {
    const changed = row.slice() as Row;
    changed[at] = value;
    return changed;
  };
  const queriesWith = (change: object): object[] => good.queries.map((query) => ({ ...query, ...change }));

  test.each<[string, object]>([
    ["NaN in a query's vector", { queryVectors: put(good.queryVectors, 5, Number.NaN) }],
    ["infinity in a tool's vector", { toolVectors: put(good.toolVectors, 5, Infinity) }],
    ["NaN in a feature", { features: [{ ...feature, values: put(feature.values, 2, Number.NaN) }] }],
    ["a feature of an unknown tool", { features: [{ ...feature, tools: put(feature.tools, 2, 1e9) }] }],
    ["offsets that descend", { features: [{ ...feature, offsets: put(feature.offsets, 1, 4e9) }] }],
    ["a feature that weighs NaN", { features: [{ ...feature, weight: Number.NaN }] }],
    ["two features of one name", { features: [feature, feature] }],
    ["a feature named as what objects have", { features: [{ ...feature, name: "toString" }] }],
    ["a set with an unknown tool", { queries: queriesWith({ tools: Uint32Array.of(999) }) }],
    ["a set with a tool twice", { queries: queriesWith({ tools: Uint32Array.of(3, 3) }) }],
    ["a set as a plain list", { queries: queriesWith({ tools: [3] }) }],
    ["a weight of NaN", { queries: queriesWith({ weight: Number.NaN }) }],
    ["a weight below 0", { queries: queriesWith({ weight: -1 }) }],
    ["vectors as a plain list", { queryVectors: [...good.queryVectors] }],
    ["requests as a plain list", { requests: Array.from({ length: count }, () => Number.NaN) }],
    ["no encoder", { encoder: undefined }],
    ["no catalog", { catalog: undefined }],
  ])("%s is refused", async (_, change) => {
    const broken = { ...good, ...change } as TrainingData;
    await expect(trainSetModel(broken, { threads: 1 })).rejects.toMatchObject({ code: "invalid-argument" });
  });

  test.each<[string, unknown]>([
    ["seed", -1],
    ["seed", 1.5],
    ["threads", 0],
    ["threads", 1e9],
    ["toolDimensions", 0],
    ["toolDimensions", 2.5],
    ["anchor", Number.NaN],
    ["anchor", -1],
    ["splitBy", "x"],
    ["splitBy", "__proto__"],
    ["signal", {}],
    ["onProgress", 3],
    ["from", {}],
    ["from", null],
  ])("the option %s of %o is refused", async (name, value) => {
    const options = { threads: 1, [name]: value } as TrainSetModelOptions;
    await expect(trainSetModel(good, options)).rejects.toMatchObject({ code: "invalid-argument" });
  });
});

test("where nothing can be gained the untrained ranking stays, and so it does with three queries", async () => {
  const noise = madeUp(120, 2);
  const shuffled = seededRandom(3);
  const queries = noise.queries.map((query) => ({ ...query, tools: Uint32Array.of(Math.floor(shuffled() * 20)) }));
  const { model, report } = await trainSetModel({ ...noise, queries }, { threads: 1 });
  expect(report.chosen).toBe("untrained");
  expect(model.toolDimensions).toBe(0);
  const few = await trainSetModel(madeUp(3, 4), { threads: 1 });
  expect(few.report.verdict).toContain("too few");
  await writeSetModel(path, few.model);
  expect(await readSetModel(path)).toEqual(few.model);
  await rm(path);
});

describe("a catalog that has changed", () => {
  const vectors = rows(3, seededRandom(8));
  const adapted = (): ReturnType<typeof adaptSetModel> => {
    const changed = createCatalog([tool("newcomer"), tool("tool1"), tool("renamed", "does tool0")]);
    return adaptSetModel(trained.model, { catalog: changed, encoder: "made-up", toolVectors: vectors });
  };

  test("keeps what was learned by id and by content, adds what is new and forgets what left", () => {
    const { model, changes } = adapted();
    expect(changes).toMatchObject({ known: 1, renamed: ["renamed"], added: ["newcomer"] });
    expect(changes.removed).toHaveLength(18);
    const row = (from: Float32Array, at: number): number[] => [
      ...from.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS),
    ];
    expect(row(model.embeddings, 1)).toEqual(row(trained.model.embeddings, 1));
    expect(row(model.embeddings, 2)).toEqual(row(trained.model.embeddings, 0));
    expect(Math.hypot(...row(model.embeddings, 0))).toBeCloseTo(1, 5);
    openSetScorer(model).dispose();
  });

  test("far from all logged requests features count more, most for a tool that is new", async () => {
    const { model } = adapted();
    expect(model.tools.map(({ isNew }) => isNew)).toEqual([true, undefined, undefined]);
    const before = path.replace("set-model", "adapted-set-model");
    await writeSetModel(before, model);
    const read = await readSetModel(before);
    await rm(before);
    expect(read.tools).toEqual(model.tools);
    const vector = vectors.subarray(0, DIMENSIONS);
    const gainsWith = (logged: Float32Array): number[] => {
      const features = [{ name: "words", weight: 2 }];
      const scorer = openSetScorer({ ...read, features, loggedQueries: logged });
      const logitsWith = (value: number): Float64Array => {
        const words = { ids: Uint32Array.of(0, 2), values: Float32Array.of(value, value) };
        return scorer.evidence({ vector, features: { words } }).logProbabilities;
      };
      const [plain, raised] = [logitsWith(0), logitsWith(1)];
      scorer.dispose();
      // Against the tool that the feature says nothing of.
      return [0, 2].map((tool) => raised[tool]! - raised[1]! - (plain[tool]! - plain[1]!));
    };
    const [nearNew, nearOld] = gainsWith(vector);
    expect(nearNew).toBeCloseTo(2, 5);
    expect(nearOld).toBeCloseTo(2, 5);
    // A third of the catalog is new: 2 + 32 / 3 = 12.6667, and times 1 + 2 · (2/3)⁴ = 1.3951 for the new one 17.6708; all of it divided by 1 + 4 / 3.
    const [farNew, farOld] = gainsWith(vector.map((value) => -value));
    expect(farNew).toBeCloseTo((17.6708 * 3) / 7, 3);
    expect(farOld).toBeCloseTo((12.6667 * 3) / 7, 3);
  });

  test("is refused where no tool is known, or the encoder is another", () => {
    const stranger = createCatalog([tool("stranger")]);
    const encoded = { catalog: stranger, encoder: "made-up", toolVectors: vectors.slice(0, DIMENSIONS) };
    expect(() => adaptSetModel(trained.model, encoded)).toThrow("knows none of the 1 tools");
    expect(() => adaptSetModel(trained.model, { ...encoded, encoder: "x" })).toThrow("Choose that encoder");
  });
});

test("constraints hold with a trained model as well, also for tools that no feature names", () => {
  const scorer = openSetScorer(trained.model);
  const scored = scorer.score(queryAt(data, 3, DIMENSIONS), {
    require: Uint32Array.of(19),
    exclude: Uint32Array.of(6),
    maxTools: 2,
    maxTokens: 25,
    tokens: new Uint32Array(20).fill(10),
  });
  expect(scored.best.every(({ ids }) => ids.includes(19) && !ids.includes(6) && ids.length <= 2)).toBe(true);
  scorer.dispose();
});

test("a budget needs the tokens of every tool: what is missing is not free", () => {
  const scorer = openSetScorer(trained.model);
  const query = queryAt(data, 3, DIMENSIONS);
  const wrong = [new Uint32Array(5), new Float32Array(20), undefined];
  for (const tokens of wrong) {
    const options = { maxTokens: 25, ...(tokens === undefined ? {} : { tokens: tokens as Uint32Array }) };
    expect(() => scorer.score(query, options)).toThrow("tokens");
  }
  scorer.dispose();
});

test("a model that is better stays as it is, and the report says so", async () => {
  const { model, report } = await trainSetModel(madeUp(150, 5), { threads: 1, from: trained.model });
  expect(report.contenders.map(({ name }) => name).slice(0, 2)).toEqual(["previous", "untrained"]);
  expect(report.chosen).toBe("previous");
  expect(report.verdict).toContain("the model that there was stays");
  // What it learned from and what it was measured to be is still true of it.
  expect(model).toEqual(trained.model);
});

test.each([3, 5, 30])(
  "a model that there was stays where %i requests are too few to say that it is worse",
  async (count) => {
    const { model, report } = await trainSetModel(madeUp(count, 4), { threads: 1, from: trained.model });
    expect(report.chosen).toBe("previous");
    expect(report.verdict).toContain("the model that there was stays");
    expect(model).toEqual(trained.model);
  },
);

test("a model of other tools, another order or another encoder is not gone on from", async () => {
  const few = madeUp(30, 4);
  const turned = { ...trained.model, tools: trained.model.tools.toReversed() };
  const foreign = { ...trained.model, encoder: "another" };
  const fewer = { ...trained.model, tools: trained.model.tools.slice(1) };
  for (const from of [turned, foreign, fewer]) {
    await expect(trainSetModel(few, { threads: 1, from })).rejects.toThrow("adaptSetModel");
  }
});

test("tools that were new stay new until a request that is learned from calls for them", async () => {
  const isNew = (at: number): boolean => at === 0 || at === 19;
  const newer = trained.model.tools.map((known, at) => (isNew(at) ? { ...known, isNew: true as const } : known));
  const log = madeUp(200, 1);
  const queries = log.queries.map((one) => ({ ...one, tools: one.tools.filter((used) => used !== 19) }));
  // What it learned is taken from it, so that training is better.
  const from = { ...trained.model, tools: newer, embeddings: trained.model.embeddings.map(() => 0.01) };
  const { model, report } = await trainSetModel({ ...log, queries }, { threads: 1, from });
  expect(report.chosen).not.toBe("previous");
  expect(model.tools.flatMap((known, at) => (known.isNew === true ? [at] : []))).toEqual([19]);
});

test("marks of tools that were new outlive a training after which the untrained ranking is chosen", async () => {
  const log = madeUp(120, 8);
  const shuffled = seededRandom(3);
  const queries = log.queries.map((one) => ({ ...one, tools: Uint32Array.of(Math.floor(shuffled() * 20)) }));
  // The feature is right of every request, and the model there was ranks what it names last.
  const right: TrainingData["features"][number] = {
    name: "hybrid",
    offsets: Uint32Array.from({ length: 121 }, (_, at) => at),
    tools: Uint32Array.from(queries, ({ tools: [used = 0] }) => used),
    values: new Float32Array(120).fill(1),
  };
  const marked = trained.model.tools.map((known, at) => (at === 4 ? { ...known, isNew: true as const } : known));
  const from = { ...trained.model, tools: marked, features: [{ name: "hybrid", weight: -50 }] };
  const { model, report } = await trainSetModel({ ...log, queries, features: [right] }, { threads: 1, from });
  expect(report.chosen).toBe("untrained");
  expect(model.tools.flatMap((known, at) => (known.isNew === true ? [at] : []))).toEqual([4]);
});

test("without a request to choose on nothing is measured, and report, verdict and facts say so", async () => {
  const { model, report } = await trainSetModel(madeUp(3, 4), { threads: 1 });
  expect(report).toMatchObject({ developmentQueries: 0, measuredOn: 0 });
  expect(report.verdict).toContain("Nothing was measured");
  expect(model.facts.development.measured).toBe(false);
  expect(trained.report.measuredOn).toBeGreaterThan(20);
  expect(trained.report.verdict).not.toContain("Nothing was measured");
  expect(trained.model.facts.development).not.toHaveProperty("measured");
});

test("between two models that are compared a signal is looked at", async () => {
  const controller = new AbortController();
  const stages: string[] = [];
  const stopped = trainSetModel(madeUp(120, 1), {
    threads: 1,
    signal: controller.signal,
    onProgress: ({ stage }) => {
      stages.push(stage);
      if (stage === "calibration") setImmediate(() => controller.abort());
    },
  });
  await expect(stopped).rejects.toMatchObject({ code: "aborted" });
  expect(stages.at(-1)).toBe("calibration");
});

test("a training whose numbers leave all bounds is stopped, what was good before is kept, and the report says so", async () => {
  const few = madeUp(120, 6);
  const [hybrid] = few.features;
  const endless = { ...hybrid!, name: "endless", values: hybrid!.values.map(() => 1e30), weight: 1e30 };
  const { model, report } = await trainSetModel({ ...few, features: [hybrid!, endless] }, { threads: 1 });
  expect(report.stopped).toBe("match");
  expect(report.verdict).toContain("NaN");
  expect(model.embeddings.every(Number.isFinite)).toBe(true);
  const scorer = openSetScorer(model);
  expect(scorer.score(queryAt(few, 0, DIMENSIONS)).inclusion.every(Number.isFinite)).toBe(true);
  scorer.dispose();
});

test("requests that no tool serves are learned from beside the others", async () => {
  const some = madeUp(120, 7);
  const queries = some.queries.map((query, at) => (at % 3 === 0 ? { ...query, tools: new Uint32Array(0) } : query));
  const { model } = await trainSetModel({ ...some, queries }, { threads: 1 });
  expect(model.calibration.emptyScore).toBeDefined();
  expect(model.knownSets.values.length).toBeLessThanOrEqual(TOPICS);
});
