import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Encoder } from "@setwise/core";
import { createCachedEncoder } from "@setwise/encoders";
import { hardCase, shopTools, toolListText } from "@setwise/testkit";
import { describe, expect, it } from "vitest";
import type { SelectOptions } from "./select-options.ts";
import { createSelector } from "./create-selector.ts";
import { openEncoder } from "./open-encoder.ts";
import type { Selector } from "./selector.ts";

const git = (): unknown => JSON.parse(toolListText("mcp/git.tools-list.json"));
const filesystem = (): unknown => JSON.parse(toolListText("mcp/filesystem.tools-list.json"));
/** 25 real tools: enough that not all are handed over. */
const realTools = (): unknown[] => [git(), filesystem()];
const ids = (selection: { readonly chosen: readonly { readonly id: string }[] }): string[] =>
  selection.chosen.map((tool) => tool.id);

describe("select", () => {
  it("hands over the caller's own objects, best first, with a reason for each", async () => {
    const lists = realTools() as [{ tools: { name: string }[] }, unknown];
    const selector = await createSelector({ tools: lists });
    const selection = await selector.select("show the commit log of the repository");
    expect(selection.status).toBe("selected");
    expect(selection.tools[0]).toBe(lists[0].tools.find((tool) => tool.name === "git_log"));
    expect(selection.chosen[0]).toMatchObject({ id: "git_log", role: "core" });
    expect(selection.explanation.children[0]?.sentence).toMatch(/"log" is in the name/);
    expect(selection.k).toBe(selection.tools.length);
  });

  it.each(["", " \n", "👍🎉", "?!"])(
    "says of %j that it has no words, whatever an encoder would make of it",
    async (query) => {
      const any: Encoder = {
        name: "any",
        dimensions: 1,
        encode: async (texts) => new Float32Array(texts.length).fill(1),
      };
      for (const encoder of ["none", "static", any]) {
        const selector = await createSelector({ tools: realTools(), encoder });
        const { status, candidates, explanation } = await selector.select(query);
        expect({ status, candidates }).toEqual({ status: "nothing-fits", candidates: [] });
        expect(explanation.sentence).toBe("No tool: the request has no words.");
      }
      const few = await createSelector({ tools: shopTools.slice(0, 3), encoder: any });
      expect(await few.select(query)).toMatchObject({ status: "selected", k: 3 });
    },
  );

  it("says what the definitions cost before and after", async () => {
    const selector = await createSelector({ tools: realTools() });
    const { tokens } = await selector.select("stage the changed files");
    expect(tokens.after).toBeGreaterThan(0);
    expect(tokens.after).toBeLessThan(tokens.before / 3);
  });

  it("explains the choice, each tool, and the next one that was left out", async () => {
    const selector = await createSelector({ tools: realTools() });
    const selection = await selector.select("read the file and commit it");
    const { value, sentence, children } = selection.explanation;
    expect(value).toBe(selection.k);
    expect(sentence).toMatch(/of 25 tools/);
    expect(children).toHaveLength(selection.k + 1);
    expect(children.at(-1)?.sentence).toMatch(/was left out as the next best/);
  });

  it("explains scores by words whose values add up to them, under constraints too", async () => {
    const selector = await createSelector({ tools: realTools() });
    const options = { exclude: ["git_commit"], require: ["git_log"], k: 4 };
    const { explanation, chosen } = await selector.select("commit the staged changes and show the log", options);
    for (const [place, tool] of chosen.entries()) {
      const words = explanation.children[place]?.children ?? [];
      expect(words.reduce((sum, word) => sum + word.value, 0)).toBeCloseTo(tool.score, 4);
    }
  });

  it("takes the last user message of a conversation", async () => {
    const selector = await createSelector({ tools: realTools() });
    const selection = await selector.select([
      { role: "user", content: "list the directory" },
      { role: "assistant", content: "Done." },
      { role: "user", content: [{ type: "text", text: "now show the commit log" }, { type: "image" }] },
    ]);
    expect(selection.query).toBe("now show the commit log");
    expect(ids(selection)[0]).toBe("git_log");
  });

  it("returns all tools when there are few, best first, and says so", async () => {
    const selector = await createSelector({ tools: shopTools.map((tool) => tool.original) });
    const selection = await selector.select("refund the order");
    expect(selection.k).toBe(12);
    expect(ids(selection)[0]).toBe("refund_order");
    expect(selection.explanation.sentence).toMatch(/All 12 tools/);
  });

  it("gives the same answer every time", async () => {
    const answers = await Promise.all(
      [1, 2].map(async () => (await createSelector({ tools: realTools() })).select("write a file, then commit it")),
    );
    expect(ids(answers[0] as never)).toEqual(ids(answers[1] as never));
    expect(answers[0]?.candidates).toEqual(answers[1]?.candidates);
  });
});

describe("constraints", () => {
  const select = async (query: string, options: Parameters<Selector["select"]>[1]): Promise<string[]> =>
    ids(await (await createSelector({ tools: realTools() })).select(query, options));

  it("keep required tools in, first, and excluded ones out", async () => {
    const chosen = await select("show the commit log", { require: ["list_directory"], exclude: ["git_log"] });
    expect(chosen[0]).toBe("list_directory");
    expect(chosen).not.toContain("git_log");
  });

  it("choose only from what is allowed", async () => {
    expect(await select("show the commit log", { allow: ["git_status", "git_show"] })).toEqual(
      expect.arrayContaining(["git_show"]),
    );
    expect((await select("show the commit log", { allow: ["git_status", "git_show"], k: 5 })).length).toBe(2);
  });

  it("return exactly k tools, required ones counted, whatever the query", async () => {
    expect(await select("show the commit log", { k: 4, require: ["list_directory"] })).toHaveLength(4);
    expect(await select("zzz", { k: 3 })).toHaveLength(3);
    expect(await select("show the commit log", { k: 0 })).toHaveLength(0);
    expect(await select("show the commit log", { k: 500 })).toHaveLength(25);
  });

  it("keep to a token budget and pass over what does not fit", async () => {
    const selector = await createSelector({ tools: realTools() });
    for (const maxTokens of [0, 60, 150, 400]) {
      const { tokens } = await selector.select("read the files and commit them", { maxTokens });
      expect(tokens.after).toBeLessThanOrEqual(maxTokens);
    }
    const tight = await selector.select("read the files and commit them", { maxTokens: 1 });
    expect(tight).toMatchObject({ status: "nothing-fits", k: 0 });
    expect(tight.explanation.sentence).toMatch(/token budget/);
  });

  it("that force tools in, or none, are named as the reason", async () => {
    const selector = await createSelector({ tools: realTools() });
    const sentence = async (query: string, options: SelectOptions): Promise<string> =>
      (await selector.select(query, options)).explanation.sentence;
    expect(await sentence("zorgle", { require: ["git_log"] })).toMatch(/only because they were required/);
    expect(await sentence("zorgle", { minTools: 2 })).toMatch(/asked for by number/);
    expect(await sentence("show the commit log", { maxTools: 0 })).toMatch(/at most 0 were asked for/);
    expect(await sentence("show the commit log", { k: 5, maxTokens: 100 })).toMatch(/5 were asked for, and no more/);
  });

  it("that contradict each other are refused", async () => {
    await expect(select("x", { require: ["git_log"], exclude: ["git_log"] })).rejects.toMatchObject({
      code: "impossible-constraints",
    });
    await expect(select("x", { require: ["git_log", "git_show"], maxTools: 1 })).rejects.toMatchObject({
      code: "impossible-constraints",
    });
    await expect(select("x", { minTools: 3, maxTools: 2 })).rejects.toMatchObject({ code: "impossible-constraints" });
  });

  it("that leave no tool to choose from are named as the reason", async () => {
    const selector = await createSelector({ tools: [{ name: "a", inputSchema: {} }] });
    const { status, explanation } = await selector.select("q", { exclude: ["a"] });
    expect([status, explanation.sentence]).toEqual(["nothing-fits", "No tool: none is left to choose from."]);
  });

  it("that are no list of ids, or no options, are refused", async () => {
    const selector = await createSelector({ tools: git() });
    for (const ids of ["git_status", 5, null, [null], [Symbol("a")], [Object.create(null)]]) {
      for (const name of ["require", "exclude", "allow"]) {
        await expect(selector.select("q", { [name]: ids })).rejects.toMatchObject({ code: "invalid-argument" });
      }
    }
    await expect(selector.select("q", null as never)).rejects.toMatchObject({ code: "invalid-argument" });
  });

  it("that name no tool, or no number, are refused with a hint", async () => {
    await expect(select("x", { require: ["log"] })).rejects.toThrow(/Did you mean "git_log"/);
    await expect(select("x", { maxTools: -1 })).rejects.toMatchObject({ code: "invalid-argument" });
    await expect(select("x", { maxtools: 3 } as never)).rejects.toThrow(/no option "maxtools"/);
    await expect(createSelector(undefined as never)).rejects.toMatchObject({ code: "invalid-argument" });
    await expect(select("x", { goal: "best" as never })).rejects.toThrow(/complete, balanced, exact/);
    const selector = await createSelector({ tools: realTools() });
    await expect(selector.select(7 as never)).rejects.toMatchObject({ code: "invalid-argument" });
    await expect(selector.select([{ role: "assistant", content: "hi" }])).rejects.toThrow(/messages without one/);
  });
});

describe("export", () => {
  it("writes the chosen tools for a provider and leads back from the name a model calls", async () => {
    const selector = await createSelector({ tools: [git(), { name: "odd name", inputSchema: { type: "object" } }] });
    const selection = await selector.select("call the odd name", { k: 2 });
    const { definitions, toolOf } = selector.export(selection, "anthropic");
    expect(definitions).toHaveLength(2);
    expect(definitions[0]?.name).toMatch(/^odd_name_/);
    expect(toolOf(definitions[0]?.name ?? "")?.original).toBe(selection.tools[0]);
  });
});

describe("update", () => {
  it("takes a new list and forgets the old one", async () => {
    const selector = await createSelector({ tools: git() });
    await selector.update(filesystem());
    expect(ids(await selector.select("show the commit log", { k: 1 }))[0]).not.toMatch(/^git/);
    expect(selector.catalog.tools).toHaveLength(12);
  });

  it("keeps the old list when the new one is bad", async () => {
    const selector = await createSelector({ tools: git() });
    await expect(selector.update({ tools: [] })).rejects.toMatchObject({ code: "empty-catalog" });
    await expect(selector.update("no list")).rejects.toMatchObject({ code: "not-a-tool-list" });
    expect(selector.catalog.tools).toHaveLength(13);
  });
});

describe("updates at the same time", () => {
  /** An encoder whose next answer waits until it is let go. */
  function heldEncoder(): Encoder & { holdNext(): () => void } {
    let wait: Promise<void> | undefined;
    return {
      name: "held",
      dimensions: 1,
      encode: async (texts) => {
        const until = wait;
        wait = undefined;
        await until;
        return new Float32Array(texts.length).fill(1);
      },
      holdNext: () => {
        let letGo = (): void => undefined;
        wait = new Promise((resolve) => (letGo = resolve));
        return letGo;
      },
    };
  }

  it("leave the list of the last call, whichever is encoded last", async () => {
    const encoder = heldEncoder();
    const selector = await createSelector({ tools: git(), encoder });
    const letGo = encoder.holdNext();
    const slow = selector.update({ tools: [{ name: "slow", inputSchema: {} }] });
    await selector.update({ tools: [{ name: "last", inputSchema: {} }] });
    letGo();
    await slow;
    expect(selector.catalog.tools.map((tool) => tool.id)).toEqual(["last"]);
  });

  it("leave the list of the earlier call where the last one fails", async () => {
    const encoder = heldEncoder();
    const selector = await createSelector({ tools: git(), encoder });
    const letGo = encoder.holdNext();
    const slow = selector.update({ tools: [{ name: "slow", inputSchema: {} }] });
    await expect(selector.update({ tools: [] })).rejects.toMatchObject({ code: "empty-catalog" });
    letGo();
    await slow;
    expect(selector.catalog.tools.map((tool) => tool.id)).toEqual(["slow"]);
  });
});

it.each([5, "x", {}, null])("%j is refused as a signal", async (given) => {
  const signal = given as never;
  const refused = { code: "invalid-argument", message: expect.stringContaining("signal must be an AbortSignal") };
  const selector = await createSelector({ tools: git() });
  await expect(selector.select("show the log", { signal })).rejects.toMatchObject(refused);
  await expect(createSelector({ tools: git(), signal })).rejects.toMatchObject(refused);
});

describe("a signal that has fired", () => {
  const signal = AbortSignal.abort();
  const aborted = { code: "aborted" };

  it.each(["static", "none"])("stops before any work, with the encoder %s", async (encoder) => {
    await expect(createSelector({ tools: "unread", encoder, signal })).rejects.toMatchObject(aborted);
    const selector = await createSelector({ tools: git(), encoder });
    await expect(selector.select("show the log", { signal })).rejects.toMatchObject(aborted);
  });

  it("stops an encoder that does not listen", async () => {
    const encoder: Encoder = { name: "deaf", dimensions: 1, encode: () => new Promise(() => undefined) };
    const stop = new AbortController();
    const stopped = expect(createSelector({ tools: git(), encoder, signal: stop.signal })).rejects.toMatchObject(
      aborted,
    );
    stop.abort();
    await stopped;
  });
});

describe("a tool whose text is longer than its encoder reads", () => {
  // 600 words are more than the 512 tokens of the table.
  const long = { name: "long", description: "refund ".repeat(600), inputSchema: { type: "object" } };
  const cut = (selector: Selector): unknown[] =>
    selector.problems.flatMap(({ code, toolId, position }) => (code === "text-cut" ? [[toolId, position]] : []));

  it("is a problem with its name, once, for as long as it is there", async () => {
    const selector = await createSelector({ tools: [git(), long] });
    expect(cut(selector)).toEqual([["long", undefined]]);
    await selector.update([filesystem(), long]);
    expect(cut(selector)).toEqual([["long", undefined]]);
    await selector.update(filesystem());
    expect(cut(selector)).toEqual([]);
  });

  it("is still one after updates that overlap, whichever ends last", async () => {
    // Two turns for the list with the long tool, so that the other one, which has it not, ends in between or before.
    const { encoder, holdNext } = heldTable();
    const selector = await createSelector({ tools: git(), encoder: await encoder });
    for (const order of ["long last", "long first"]) {
      await selector.update(git());
      const letGo = holdNext();
      const lists =
        order === "long last"
          ? [filesystem(), [git(), long]]
          : [
              [git(), long],
              [filesystem(), long],
            ];
      const slow = selector.update(lists[0]);
      await selector.update(lists[1]);
      letGo();
      await slow;
      expect(cut(selector)).toEqual([["long", undefined]]);
      await selector.update([filesystem(), long]);
      expect(cut(selector)).toEqual([["long", undefined]]);
    }
  });

  it("is one for an encoder that was opened beforehand", async () => {
    const encoder = await openEncoder("static");
    if (encoder === undefined) throw new Error("expected an encoder");
    const selectors = [await createSelector({ tools: [git(), long], encoder })];
    selectors.push(await createSelector({ tools: [long, filesystem()], encoder }));
    expect(selectors.map(cut)).toEqual([[["long", undefined]], [["long", undefined]]]);
  });

  it("is one for two updates at the same time that share what a cache has encoded", async () => {
    const folder = await mkdtemp(join(tmpdir(), "setwise-cuts-"));
    const { encoder: held, holdNext } = heldTable();
    const table = await held;
    const encoder = createCachedEncoder(table, { file: `${folder}/` });
    const selector = await createSelector({ tools: git(), encoder });
    const letGo = holdNext();
    const updates = [selector.update([git(), long]), selector.update([filesystem(), long])];
    letGo();
    await Promise.all(updates);
    await rm(folder, { recursive: true });
    expect(cut(selector)).toEqual([["long", undefined]]);
  });

  it("is none where only words are compared, and a query is none either", async () => {
    expect(cut(await createSelector({ tools: [git(), long], encoder: "none" }))).toEqual([]);
    const selector = await createSelector({ tools: git() });
    await selector.select(long.description);
    await selector.update({ tools: [{ name: "x", inputSchema: {} }] });
    expect(cut(selector)).toEqual([]);
  });

  it("is told as it is encoded, and so is a query, whoever opened the encoder", async () => {
    const opened = await openEncoder("static");
    if (opened === undefined) throw new Error("expected an encoder");
    for (const encoder of ["static", opened]) {
      const told: unknown[] = [];
      const selector = await createSelector({ tools: [git(), long], encoder, onCut: ({ as }) => told.push(as) });
      await selector.select(long.description);
      expect(told).toEqual(["document", "query"]);
    }
  });

  it("is told apart from what is encoded at the same time", async () => {
    const selectors = await Promise.all(
      [[git(), long], git(), [long, filesystem()]].map((tools) => createSelector({ tools })),
    );
    expect(selectors.map(cut)).toEqual([[["long", undefined]], [], [["long", undefined]]]);
  });
});

/** The table, whose next answer can be held back. */
function heldTable(): { readonly encoder: Promise<Encoder>; holdNext: () => () => void } {
  let wait: Promise<void> | undefined;
  const opened = openEncoder("static").then((table): Encoder => {
    if (table === undefined) throw new Error("expected an encoder");
    const encode: Encoder["encode"] = async (texts, options) => {
      const until = wait;
      wait = undefined;
      await until;
      return table.encode(texts, options);
    };
    return { name: table.name, dimensions: table.dimensions, encode };
  });
  const holdNext = (): (() => void) => {
    let letGo = (): void => undefined;
    wait = new Promise((resolve) => (letGo = resolve));
    return letGo;
  };
  return { encoder: opened, holdNext };
}

describe("hard inputs", () => {
  it("hands mixed shapes back unchanged and passes hosted entries through (case 05)", async () => {
    const { input } = hardCase("mixed-formats");
    const tools = input["tools"] as { name?: string; type?: string; function?: { name: string } }[];
    const selector = await createSelector({ tools });
    const { tools: answer } = await selector.select(input["query"] as string, { k: 2 });
    expect(answer.slice(0, 2)).toEqual(expect.arrayContaining([tools[0], tools[1]]));
    for (const object of answer) expect(tools).toContain(object);
    expect(answer.slice(2)).toEqual(tools.filter((tool) => tool.type === "web_search" || tool.type === "mcp"));
  });

  it("says that nothing fits when nothing does (case 08)", async () => {
    const { input } = hardCase("nothing-fits");
    const selector = await createSelector({ tools: { tools: input["tools"] } });
    const queries = input["queries"] as { q: string; answerable: boolean; must?: string[] }[];
    let refused = 0;
    let answered = 0;
    for (const { q, answerable, must = [] } of queries) {
      const selection = await selector.select(q, { maxTools: input["maxK"] as number });
      if (!answerable) refused += Number(selection.status === "nothing-fits" && selection.k === 0);
      else
        answered += Number(
          must.every((id) => ids(selection).includes(id)) && selection.k <= (must.length === 1 ? 3 : 5),
        );
    }
    expect(refused).toBeGreaterThanOrEqual(4);
    expect(answered).toBeGreaterThanOrEqual(3);
    expect(ids(await selector.select("grep", { maxTools: 5 }))[0]).toBe("grep");
    expect((await selector.select("hello, how are you?", { minTools: 2 })).k).toBe(2);
  });

  it("reads a document that only looks like a list read already", async () => {
    const lookalike = (tools: unknown) => ({ tools, hosted: [], problems: [], mcpServers: [] });
    await expect(createSelector({ tools: lookalike([5]) })).rejects.toMatchObject({ code: "not-a-tool-list" });
    const selector = await createSelector({ tools: lookalike([{ name: "a", inputSchema: null }]) });
    expect(selector.catalog.tools).toMatchObject([{ id: "a", description: "", inputSchema: { type: "object" } }]);
  });

  it("has no selector over nothing", async () => {
    await expect(createSelector({ tools: [] })).rejects.toMatchObject({ code: "empty-catalog" });
    await expect(createSelector({ tools: { tools: [] } })).rejects.toMatchObject({ code: "empty-catalog" });
  });
});
