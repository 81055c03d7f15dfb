import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gapPolicy } from "@setwise/adaptive-k";
import { SetwiseError } from "@setwise/core";
import { beforeAll, expect, test } from "vitest";
import { createSelector } from "./create-selector.ts";
import { openEncoder } from "./open-encoder.ts";
import { openSetModel } from "./open-set-model.ts";
import { saveSetModel } from "./save-set-model.ts";
import { openSetting } from "./selector-setting.ts";
import type { Selector } from "./selector.ts";
import type { TrainedModel, TrainOptions } from "./train-from-log.ts";

type Checkpoint = NonNullable<TrainOptions["resume"]>;

const verbs = ["open", "close", "paint", "repair", "sell", "rent", "lift", "burn", "freeze", "weigh"];
const things = ["door", "window", "car", "boat"];
const tools = verbs.flatMap((verb) =>
  things.map((thing) => ({
    name: `${verb}_${thing}`,
    description: `${verb} the ${thing}`,
    inputSchema: { type: "object" },
  })),
);
const asides = "monday grandmother garden piano harbour thunder library volcano pepper violin desert lantern".split(
  " ",
);
/** Whoever opens, paints, sells, lifts or freezes something weighs it as well, which no word of the request tells; the asides keep requests from being nearly the same. */
const log = Array.from({ length: 240 }, (_, at) => {
  const [verb = "", thing = ""] = [verbs[at % 10], things[Math.floor(at / 10) % 4]];
  const aside = [asides[at % 12], asides[Math.floor(at / 7) % 12], asides[Math.floor(at / 5) % 12]].join(" ");
  return {
    query: `${aside}: ${verb} my ${thing}`,
    tools: at % 2 === 0 ? [`${verb}_${thing}`, `weigh_${thing}`] : [`${verb}_${thing}`],
  };
});

let trained: TrainedModel;
beforeAll(async () => {
  const selector = await createSelector({ tools });
  trained = await selector.train(log);
}, 60_000);

test("a selector with the model it was trained to hands over what the log says belongs together", async () => {
  expect(trained.report.chosen).not.toBe("untrained");
  const selector = await createSelector({ tools, model: trained.model });
  const selection = await selector.select("open my car, pepper piano monday", { goal: "exact" });
  expect(selection.chosen.map(({ id }) => id).sort()).toEqual(["open_car", "weigh_car"]);
  expect(selection.explanation.children[0]?.sentence).toContain("by the log");
  expect(selection.explanation.children.at(-1)?.sentence).toContain("The set of");
  await selector.close();
});

test("of requests that no tool serves, rules and model together refuse most, and none of those that one serves", async () => {
  const chats = Array.from(
    { length: 240 },
    (_, at) => `who ${asides[at % 12]} sang ${asides[Math.floor(at / 12) % 12]} in year ${at}`,
  );
  const served = log.slice(0, 160);
  const selector = await createSelector({ tools });
  const unserved = chats.slice(0, 80).map((query) => ({ query, tools: [] }));
  const { model } = await selector.train([...served, ...unserved]);
  expect(model.calibration.emptyScore).toBeDefined();
  const both = await createSelector({ tools, model });
  const refused = async (queries: readonly string[]): Promise<number> => {
    const selections = await Promise.all(queries.map((query) => both.select(query)));
    return selections.filter(({ status }) => status === "nothing-fits").length;
  };
  const others = chats.slice(160);
  expect(await refused(others)).toBeGreaterThan(others.length / 2);
  const asked = log.slice(160).map(({ query }) => query);
  expect(await refused(asked)).toBe(0);
  await both.close();
}, 60_000);

test("sizes and refusals of a model that stays are not those of a smaller log", async () => {
  const more = Array.from({ length: 460 }, (_, at) => ({
    ...log[at % 240]!,
    query: `${log[at % 240]!.query} ${asides[Math.floor(at / 3) % 12]} ${at}`,
  }));
  const selector = await createSelector({ tools });
  const first = await selector.train(more);
  const again = await selector.train(more.slice(0, 440), { previous: first.model });
  expect(again.report.chosen).toBe("previous");
  expect(again.calibration).toBeUndefined();
  expect(again.model).toEqual(first.model);
}, 60_000);

test("options and a previous model that are none are refused", async () => {
  const selector = await createSelector({ tools });
  for (const options of [null, 7, { previous: {} }, { previous: null }]) {
    await expect(selector.train(log, options as never)).rejects.toMatchObject({ code: "invalid-argument" });
  }
});

test("constraints hold with a model", async () => {
  const selector = await createSelector({ tools, model: trained.model });
  const { chosen } = await selector.select("please open my boat", {
    require: ["burn_car"],
    exclude: ["weigh_boat"],
    minTools: 3,
    maxTools: 3,
  });
  expect(chosen[0]).toMatchObject({ id: "burn_car", role: "required" });
  expect(chosen.map(({ id }) => id)).toContain("open_boat");
  expect(chosen.map(({ id }) => id)).not.toContain("weigh_boat");
  expect(chosen).toHaveLength(3);
});

test("a file does as well, follows the tools, and is refused where its encoder is not there", async () => {
  const model = join(tmpdir(), `setwise-model-${process.pid}.safetensors`);
  await saveSetModel(model, trained.model);
  try {
    const selector = await createSelector({ tools, model });
    await selector.update(tools.slice(1).map((tool) => ({ ...tool, name: `new_${tool.name}` })));
    expect((await selector.select("please open my car", { k: 2 })).chosen.map(({ id }) => id)).toContain(
      "new_weigh_car",
    );
    await expect(createSelector({ tools, model, encoder: "none" })).rejects.toThrow("the tools are not encoded");
    await expect(createSelector({ tools, model, reranker: "folder" })).rejects.toThrow("give one of the two");
  } finally {
    await rm(model);
  }
});

test("without an encoder nothing can be learned", async () => {
  const selector = await createSelector({ tools, encoder: "none" });
  await expect(selector.train(log)).rejects.toThrow("choose an encoder");
});

test("sizes and refusals of the log are in the model's file, and a selector with the model uses them", async () => {
  const model = join(tmpdir(), `setwise-calibration-${process.pid}.safetensors`);
  await saveSetModel(model, trained.model);
  try {
    expect(trained.calibration?.used).toBe(240);
    const read = await openSetModel(model);
    expect(read?.pipeline).toEqual({ calibration: trained.calibration });
    const { calibration } = await openSetting(undefined, { model });
    expect(calibration).toEqual(trained.calibration);
    const own = { ...trained.calibration!, used: 20 };
    expect((await openSetting(undefined, { model, calibration: own })).calibration).toBe(own);
  } finally {
    await rm(model);
  }
});

test("a model of a log that taught nothing answers as the pipeline does with the sizes of the log", async () => {
  const few = log.slice(0, 22);
  const { model, report, calibration } = await (await createSelector({ tools })).train(few);
  expect([report.chosen, calibration?.used]).toEqual(["untrained", 22]);
  const [withModel, withSizes] = await Promise.all(
    [{ model }, { calibration: calibration! }].map((options) => createSelector({ tools, ...options })),
  );
  for (const goal of ["complete", "balanced", "exact"] as const) {
    const [one, other] = await Promise.all([withModel, withSizes].map((it) => it?.select("open my car", { goal })));
    expect(one?.chosen).toEqual(other?.chosen);
    expect(one?.probabilities).toEqual(other?.probabilities);
  }
});

test("a request that tools served before is not refused, and a foreign one is", async () => {
  const served = "quarterly dividends of pharmaceutical shares";
  const encoder = await openEncoder("static");
  const model = { ...trained.model, loggedQueries: await encoder!.encode([served], { as: "query" }) };
  const [never, before] = await Promise.all([{}, { model }].map((options) => createSelector({ tools, ...options })));
  expect((await never?.select(served))?.status).toBe("nothing-fits");
  expect((await before?.select(served))?.status).toBe("selected");
  expect((await before?.select("a sonnet about love and photosynthesis"))?.status).toBe("nothing-fits");
});

test("complete adds to a model's set only what may be missing by the model's own probabilities", async () => {
  const selector = await createSelector({ tools, model: trained.model });
  const { chosen } = await selector.select("open my car, pepper piano monday");
  expect(chosen.map(({ id }) => id).sort()).toEqual(["open_car", "weigh_car"]);
});

test("what train gave is a model as well, and what is none is refused with a word", async () => {
  const selector = await createSelector({ tools, model: trained });
  expect((await selector.select("open my car, pepper piano monday", { goal: "exact" })).k).toBe(2);
  for (const model of [{}, 5, null, { model: {} }]) {
    await expect(createSelector({ tools, model: model as unknown as TrainedModel })).rejects.toMatchObject({
      code: "invalid-argument",
    });
  }
});

test("a log that is none is refused with what came", async () => {
  const selector = await createSelector({ tools });
  const wrong: [unknown, string][] = [
    [undefined, "it is missing"],
    ["x", "it is a string"],
    [[{ query: 5, tools: [] }], "the query of entry 0 is a number"],
    [[{ query: "x", tools: [] }, null], "the query of entry 1 is missing"],
    [[{ query: "x", tools: "y" }], "the tools of entry 0 are a string"],
    [[{ query: "x", tools: [7] }], "a tool of entry 0 is a number"],
  ];
  for (const [log, message] of wrong) {
    await expect(selector.train(log as [])).rejects.toThrow(message);
  }
});

test("a model of another encoder says which to choose", async () => {
  const model = { ...trained.model, encoder: "joint:onnx:all-MiniLM-L6-v2:x" };
  await expect(createSelector({ tools, model, encoder: "static" })).rejects.toThrow("--encoder minilm");
});

test("a model that has one tool in common with the catalog is refused", async () => {
  const others = Array.from({ length: 30 }, (_, at) => ({ name: `other_${at}`, description: `does thing ${at}` }));
  await expect(createSelector({ tools: [...others, tools[0]], model: trained.model })).rejects.toThrow(
    "knows 1 of the 31 tools",
  );
});

test("a policy is refused beside a model that scores sets", async () => {
  const selector = await createSelector({ tools, model: trained.model });
  await expect(selector.select("open my car", { policy: gapPolicy })).rejects.toThrow(
    "the set model scores whole sets",
  );
});

test("a model whose sizes are no numbers is refused", async () => {
  const wrong = { ...trained.model, pipeline: { calibration: { ...trained.calibration, prior: { score: "5" } } } };
  await expect(createSelector({ tools, model: wrong })).rejects.toMatchObject({ code: "corrupt-file" });
});

test("a checkpoint of another start begins anew and says so, without encoding again", async () => {
  const selector = await createSelector({ tools });
  const short = log.slice(0, 120);
  const { checkpoints, model } = await withCheckpoints(selector, short);
  let encoded = 0;
  const anew = await selector.train(short, {
    previous: trained.model,
    resume: checkpoints[0]!,
    onEncoded: () => void encoded++,
  });
  expect(anew.restarted).toContain("other data or options");
  expect(encoded).toBe(anew.report.queries);
  const again = await selector.train(short, { resume: checkpoints[0]! });
  expect([again.restarted, again.model]).toEqual([undefined, model]);
  const cut = { ...checkpoints[0]!, current: checkpoints[0]!.current.subarray(0, 40) };
  expect((await selector.train(short, { resume: cut })).restarted).toContain("cut short");
}, 60_000);

test("what fails while training goes on from a checkpoint is not tried again", async () => {
  const selector = await createSelector({ tools });
  const short = log.slice(0, 120);
  const { checkpoints } = await withCheckpoints(selector, short);
  let written = 0;
  const failing = selector.train(short, {
    resume: checkpoints[0]!,
    onCheckpoint: () => {
      written++;
      throw new SetwiseError("unwritable-target", "The disk is full.");
    },
  });
  await expect(failing).rejects.toThrow("The disk is full.");
  expect(written).toBe(1);
}, 60_000);

async function withCheckpoints(
  selector: Selector,
  queries: typeof log,
): Promise<TrainedModel & { readonly checkpoints: readonly Checkpoint[] }> {
  const checkpoints: Checkpoint[] = [];
  const found = await selector.train(queries, { onCheckpoint: (checkpoint) => void checkpoints.push(checkpoint) });
  return { ...found, checkpoints };
}
