import { type Catalog, createCatalog, type LanguageModel, type Tool } from "@setwise/core";
import { toolListText } from "@setwise/testkit";
import { describe, expect, it } from "vitest";
import { measure } from "../measure.ts";
import { plainBm25, rankerPipeline } from "../rivals.ts";
import type { Dialogue } from "./dialogue.ts";
import { dialogueQueries, scenarioReport } from "./dialogue-queries.ts";
import { dialogueStatistics } from "./dialogue-statistics.ts";
import { modelWriter } from "./dialogue-writer.ts";
import { generateDialogues, type GenerateDialoguesOptions } from "./generate-dialogues.ts";
import { states } from "./states.ts";
import { validateDialogue } from "./validate-dialogue.ts";

/** Tools of real servers, as their `tools/list` gives them; each server is a scene. */
function catalogOf(...servers: readonly string[]): Catalog {
  const tools = servers.flatMap((server) => {
    const list = JSON.parse(toolListText(`mcp/${server}.tools-list.json`)) as ToolsList | readonly Tool[];
    const given = "tools" in list ? list.tools : list;
    return given.map((tool) => ({
      ...tool,
      description: tool.description ?? "",
      id: `${server}.${tool.name}`,
      server,
      original: tool,
    }));
  });
  return createCatalog(tools);
}

interface ToolsList {
  readonly tools: readonly Tool[];
}

async function made(catalog: Catalog, options: GenerateDialoguesOptions): Promise<Dialogue[]> {
  const dialogues: Dialogue[] = [];
  for await (const dialogue of generateDialogues(catalog, options)) dialogues.push(dialogue);
  return dialogues;
}

describe.each([
  ["git and the file system", catalogOf("git", "filesystem")],
  ["documents, maps and a desktop", catalogOf("office-word", "openstreetmap", "desktop-commander")],
])("dialogues over %s", (_name, catalog) => {
  it("have labels that all hold", async () => {
    const dialogues = await made(catalog, { count: 150 });
    expect(dialogues.flatMap((dialogue) => validateDialogue(dialogue, catalog))).toEqual([]);
  });

  it("reach all states but the null state, which leaves the context, all modes, and all ten scenarios", async () => {
    const statistics = dialogueStatistics(await made(catalog, { count: 400 }));
    expect(Object.keys(statistics.states).sort()).toEqual(states.filter((state) => state !== "null").toSorted());
    expect(Object.keys(statistics.modes)).toHaveLength(3);
    expect(Object.keys(statistics.scenarios)).toHaveLength(10);
  });

  it("switch the topic as often as the paper's formula says", async () => {
    const { switches, singleTurn, meanTurns } = dialogueStatistics(await made(catalog, { count: 1500 }));
    for (const { turns, share, expected } of switches) {
      // Four standard errors of a share.
      expect(Math.abs(share - expected)).toBeLessThan(4 * Math.sqrt((expected * (1 - expected)) / turns));
    }
    expect(switches.map(({ expected }) => expected.toFixed(3))).toEqual(["0.100", "0.085", "0.072", "0.061", "0.052"]);
    // 30 % of one turn, the others 2 to 6 evenly, so 4 on average: .3 · 1 + .7 · 4 = 3.1.
    expect(singleTurn).toBeCloseTo(0.3, 1);
    expect(meanTurns).toBeCloseTo(3.1, 0);
  });

  it("can be measured by scenario, and what leans on the context is harder to find", async () => {
    const dialogues = await made(catalog, { count: 80 });
    const pipeline = rankerPipeline(plainBm25(catalog.tools), catalog);
    const toolIds = catalog.tools.map(({ id }) => id);
    const report = scenarioReport(dialogues, await measure(pipeline, dialogueQueries(dialogues), { toolIds }));
    const tasks = scenarioReport(
      dialogues,
      await measure(pipeline, dialogueQueries(dialogues, { text: "tasks" }), { toolIds }),
    );
    expect(report[0]?.scenario).toBe("all");
    expect(report[0]?.turns).toBe(dialogues.flatMap(({ turns }) => turns).length);
    const clarified = (from: typeof report): number =>
      from.find(({ scenario }) => scenario === "clarification")?.ndcg10 ?? Number.NaN;
    expect(clarified(report)).toBeLessThan(clarified(tasks));
  });
});

const catalog = catalogOf("git", "filesystem");

describe("generateDialogues", () => {
  it("makes the same for the same seed, more of the same for a larger count, and others for another seed", async () => {
    const ten = await made(catalog, { count: 10, seed: 5 });
    expect(await made(catalog, { count: 10, seed: 5 })).toEqual(ten);
    expect((await made(catalog, { count: 20, seed: 5 })).slice(0, 10)).toEqual(ten);
    expect(await made(catalog, { count: 10, seed: 6 })).not.toEqual(ten);
  });

  it("needs tools and whole numbers, and makes do with a single tool", async () => {
    await expect(made(createCatalog([]), { count: 1 })).rejects.toMatchObject({ code: "empty-catalog" });
    await expect(made(catalog, { count: 1.5 })).rejects.toMatchObject({ code: "invalid-argument" });
    await expect(made(catalog, { count: 1, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
    const one = createCatalog(catalog.tools.slice(0, 1));
    const dialogues = await made(one, { count: 30 });
    expect(dialogues.every(({ turns }) => turns.length > 0)).toBe(true);
    expect(dialogues.flatMap((dialogue) => validateDialogue(dialogue, one))).toEqual([]);
  });
});

describe("validateDialogue", () => {
  it("finds each label that was made wrong", async () => {
    const dialogues = await made(catalog, { count: 60 });
    const dialogue = dialogues.find(({ turns }) => turns.length > 1 && turns[0]?.tasks[0]?.state === "success");
    const [first, ...rest] = dialogue?.turns ?? [];
    if (dialogue === undefined || first === undefined) throw new Error("expected such a dialogue");
    const [task, ...others] = first.tasks;
    if (task === undefined) throw new Error("expected a task");
    const found = (turn: Partial<typeof first>): readonly string[] => [
      ...new Set(
        validateDialogue({ ...dialogue, turns: [{ ...first, ...turn }, ...rest] }, catalog)
          .filter(({ round }) => round === 0)
          .map(({ label }) => label),
      ),
    ];
    expect(found({})).toEqual([]);
    expect(found({ context: "switch" })).toContain("context");
    expect(found({ mode: first.mode === "multi-intent" ? "single-tool" : "multi-intent" })).toEqual(["mode"]);
    expect(found({ tasks: [{ ...task, text: " " }, ...others] })).toEqual(["tasks"]);
    expect(found({ tasks: [{ ...task, state: "modified" }, ...others] })).toContain("states");
    expect(found({ tasks: [{ ...task, intent: "retry" }, ...others] })).toContain("states");
    expect(found({ tasks: [{ ...task, state: "ask-detail" }, ...others] })).toContain("slots");
    expect(found({ tools: [] })).toEqual(["tools"]);
    expect(found({ candidates: ["elsewhere"] })).toEqual(["candidates"]);
    expect(found({ scenarios: ["abnormal", "domain-switch"] })).toEqual(["scenarios"]);
    expect(found({ assistant: "" })).toEqual(["speech"]);
    const named = first.tasks.map(({ tool }) => catalog.tools[catalog.ordinalOf(tool) ?? 0]?.name).join(" ");
    expect(found({ assistant: `I called ${named} for git_status.` })).toEqual(
      /[^a-z]/.test(named.split(" ")[0] ?? "") ? ["speech"] : [],
    );
  });
});

describe("modelWriter", () => {
  const model = (say: (prompt: string) => Promise<string>): LanguageModel => ({ name: "by hand", generate: say });
  const writersOf = async (given: LanguageModel): Promise<Readonly<Partial<Record<string, number>>>> => {
    const writer = modelWriter(given, { timeoutMs: 5 });
    const dialogues = await made(catalog, { count: 5, mostTurns: 2, writer });
    expect(dialogues.flatMap((dialogue) => validateDialogue(dialogue, catalog))).toEqual([]);
    return dialogueStatistics(dialogues).writers;
  };

  it("takes what a model writes by the rules", async () => {
    // Answers must say the value that was asked for; the prompt holds it in the task's text.
    const writers = await writersOf(
      model(async (prompt) => (prompt.includes("answer:") ? prompt.slice(-900, -300) : "Go on with it.")),
    );
    expect(writers["by hand"]).toBeGreaterThan(0.5);
  });

  it("writes by templates where a model fails, hangs, says nothing, or gives a name away", async () => {
    for (const bad of [
      model(() => Promise.reject(new Error("down"))),
      model(() => new Promise(() => {})),
      model(async () => ""),
      model(async () => catalog.tools.map(({ name }) => name).join(" ")),
    ])
      expect(await writersOf(bad)).toEqual({ templates: expect.closeTo(1, 9) as number });
  });

  it("plans the same dialogue whoever writes it", async () => {
    const plan = (dialogues: readonly Dialogue[]): unknown =>
      dialogues.map(({ turns }) => turns.map(({ tasks, context }) => ({ tasks, context })));
    const byModel = await made(catalog, { count: 5, writer: modelWriter(model(async () => "Go on.")) });
    expect(plan(byModel)).toEqual(plan(await made(catalog, { count: 5 })));
  });
});
