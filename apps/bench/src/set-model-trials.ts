import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Encoder, Tool } from "@setwise/core";
import { readQueries, readToolsOf } from "./data-sets.ts";
import { heldOutTools } from "./held-out-tools.ts";
import { sequence } from "./random.ts";
import { type Library, openLibrary, type PreparedQuery, prepareQueries } from "./set-model-data.ts";

/** What is trained on, and what is measured on. */
export interface SetModelTrial {
  readonly name: string;
  /** Tools that are known when training. */
  readonly library: Library;
  readonly train: readonly PreparedQuery[];
  /** Tools that are there when measuring; more than before where some are new. */
  readonly full: Library;
  readonly tests: readonly {
    readonly name: string;
    readonly queries: readonly PreparedQuery[];
    readonly only?: ReadonlySet<number>;
  }[];
  /** One of a curve, which one seed shows. */
  readonly isOneOfMany?: boolean;
  /** New combinations are measured, so sets are set aside to choose on. */
  readonly splitBy?: "queries" | "sets";
}

/** Share of the used tools that are held out. */
const HELD_OUT = 0.2;
const SEED = 5;

/** The trials of one encoder whose names begin with `only`, one after the other, since each holds all its vectors. */
export async function* setModelTrials(folder: string, encoder: Encoder, only = ""): AsyncGenerator<SetModelTrial> {
  const dataSets = { ultratool, toollens, toolbench, "seal-tools": sealTools };
  for (const [name, trialsOf] of Object.entries(dataSets)) {
    if (!name.startsWith(only.slice(0, name.length))) continue;
    for await (const trial of trialsOf(folder, encoder)) if (trial.name.startsWith(only)) yield trial;
  }
}

async function* ultratool(folder: string, encoder: Encoder): AsyncGenerator<SetModelTrial> {
  const { tools } = await readToolsOf(folder, "ultratool");
  const full = await openLibrary(tools, encoder);
  const read = (split: string) => readQueries(folder, { dataSet: "ultratool", split });
  const log = await read("train");
  const train = await prepareQueries(full, log);
  const test = await prepareQueries(full, await read("test"));
  for (const count of [50, 100, 200, 500, 1000]) {
    const some = train.slice(0, count);
    yield {
      name: `ultratool, first ${count} queries`,
      library: full,
      full,
      train: some,
      isOneOfMany: true,
      tests: [{ name: "test", queries: test }],
    };
  }
  yield { name: "ultratool", library: full, full, train, tests: [{ name: "test", queries: test }] };
  const random = sequence(SEED);
  const used = [...new Set(train.flatMap(({ gold }) => [...gold]))].sort((a, b) => a - b);
  const drawn = new Set(used.filter(() => random() < HELD_OUT));
  const listed = new Set(heldOutTools.map((id) => full.catalog.ordinalOf(id) ?? -1));
  yield heldOut("ultratool, 20 % of tools held out", drawn);
  yield heldOut("ultratool, the listed tools held out", listed);

  async function heldOut(name: string, held: ReadonlySet<number>): Promise<SetModelTrial> {
    const kept = tools.filter(({ id }) => !held.has(full.catalog.ordinalOf(id) ?? -1));
    const library = await openLibrary(kept, encoder);
    const others = log.filter(({ tools: ids }) => ids.every((id) => library.catalog.ordinalOf(id) !== undefined));
    const hasHeld = ({ gold }: PreparedQuery): boolean => gold.some((tool) => held.has(tool));
    return {
      name,
      library,
      full,
      train: await prepareQueries(library, others),
      tests: [
        { name: "test, held-out tools only", queries: test.filter(hasHeld), only: held },
        { name: "test, queries without them", queries: test.filter((query) => !hasHeld(query)) },
      ],
    };
  }
}

async function* toollens(folder: string, encoder: Encoder): AsyncGenerator<SetModelTrial> {
  const { tools } = await readToolsOf(folder, "toollens");
  const full = await openLibrary(tools, encoder);
  const read = async (split: string) => prepareQueries(full, await readQueries(folder, { dataSet: "toollens", split }));
  const [train, test] = [await read("train"), await read("test")];
  yield { name: "toollens", library: full, full, train, tests: [{ name: "official test", queries: test }] };
  const listed = JSON.parse(await readFile(join(folder, "toollens", "split.unseen-sets.json"), "utf8")) as {
    sets: string[][];
  };
  const ordinals = (ids: readonly string[]): string =>
    ids
      .map((id) => full.catalog.ordinalOf(id) ?? -1)
      .sort((a, b) => a - b)
      .join();
  const unseen = new Set(listed.sets.map(ordinals));
  const isUnseen = ({ gold }: PreparedQuery): boolean => unseen.has(gold.join());
  yield {
    name: "toollens, unseen combinations",
    library: full,
    full,
    train: train.filter((query) => !isUnseen(query)),
    tests: [{ name: "test, unseen sets", queries: test.filter(isUnseen) }],
    splitBy: "sets",
  };
}

/** Trained on the library of I3 alone; the other tools come later. */
async function* toolbench(folder: string, encoder: Encoder): AsyncGenerator<SetModelTrial> {
  const { tools } = await readToolsOf(folder, "toolbench");
  const full = await openLibrary(tools, encoder);
  const read = (split: string) => readQueries(folder, { dataSet: "toolbench", split });
  const log = [...(await read("train")), ...(await read("dev"))];
  const used = new Set(log.flatMap((query) => query.tools));
  const library = await openLibrary(
    tools.filter((tool: Tool) => used.has(tool.id)),
    encoder,
  );
  const test = await prepareQueries(full, await read("test600"));
  yield {
    name: "toolbench, I3 → test600",
    library,
    full,
    train: await prepareQueries(library, log),
    tests: [{ name: "test600", queries: test }],
  };
}

async function* sealTools(folder: string, encoder: Encoder): AsyncGenerator<SetModelTrial> {
  const { tools } = await readToolsOf(folder, "seal-tools");
  const full = await openLibrary(tools, encoder);
  const read = async (split: string) =>
    prepareQueries(full, await readQueries(folder, { dataSet: "seal-tools", split }));
  yield {
    name: "seal-tools, 550 queries",
    library: full,
    full,
    train: (await read("dev")).slice(0, 550),
    tests: [
      { name: "test_in_domain", queries: await read("test_in_domain") },
      { name: "test_out_domain", queries: await read("test_out_domain") },
    ],
  };
}
