import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { LabelledQuery } from "@setwise/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readLogs, type ReadLogsOptions } from "./read-logs.ts";
import type { ReadingProblem } from "./read-records.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-logs-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

async function all(paths: string | readonly string[], options: ReadLogsOptions = {}): Promise<LabelledQuery[]> {
  const queries: LabelledQuery[] = [];
  for await (const query of readLogs(paths, options)) queries.push(query);
  return queries;
}

const lines = (...values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("");
const own = { id: "1", query: "find it", tools: ["search"], subset: "easy", candidates: ["search", "mail"] };
const chat = {
  messages: [
    { role: "user", content: "mail it" },
    { role: "assistant", tool_calls: [{ function: { name: "mail" } }] },
  ],
};

describe("readLogs", () => {
  it("gives our own lines as they are, gzipped or not, in lines or as an array", async () => {
    const text = lines(own, { ...own, id: "2", tools: [] });
    for (const path of [
      await file("own.jsonl", text),
      await file("own.jsonl.gz", gzipSync(text)),
      await file("own.json", JSON.stringify([own, { ...own, id: "2", tools: [] }], null, 2)),
      await file("one-line.json", JSON.stringify([own, { ...own, id: "2", tools: [] }])),
      await file("bom.jsonl", `\uFEFF${text}`),
    ])
      expect(await all(path)).toEqual([own, { ...own, id: "2", tools: [] }]);
  });

  it("numbers our own lines that have no id", async () => {
    const path = await file(
      "bare.jsonl",
      lines({ query: "find it", tools: ["search"] }, { query: "hello", tools: [] }),
    );
    expect(await all(path)).toEqual([
      { id: "bare.jsonl:1", query: "find it", tools: ["search"] },
      { id: "bare.jsonl:2", query: "hello", tools: [] },
    ]);
  });

  it("reads one pretty-printed conversation a file, and lines that are lists of messages", async () => {
    expect(await all(await file("one.json", JSON.stringify(chat, null, 2)))).toEqual([
      { id: "one.json:1", query: "mail it", tools: ["mail"] },
    ]);
    expect(await all(await file("lists.jsonl", lines(chat.messages, chat.messages)))).toHaveLength(2);
  });

  it("leaves half-written lines, records that are too long and what is no log out, and tells so", async () => {
    const path = await file(
      "cut.jsonl",
      `${lines(own, { tools: [] })}{"id":"long","query":"${"x".repeat(500)}"}\n{"id":"3","qu`,
    );
    const problems: ReadingProblem[] = [];
    const queries = await all(path, { mostCharacters: 300, onProblem: (problem) => problems.push(problem) });
    expect(queries).toEqual([own]);
    expect(problems.map(({ line }) => line)).toEqual([2, 3, 4]);
    expect(problems[0]?.sentence).toMatch(/no logged request/);
    expect(problems[1]?.sentence).toMatch(/longer than 300/);
    expect(problems[2]?.sentence).toMatch(/not JSON/);
  });

  it("counts problems past the first twenty of a file", async () => {
    const path = await file("noise.log", "noise\n".repeat(1000));
    const problems: ReadingProblem[] = [];
    expect(await all(path, { onProblem: (problem) => problems.push(problem) })).toEqual([]);
    expect(problems).toHaveLength(21);
    expect(problems[20]?.sentence).toMatch(/^980 more/);
  });

  it("joins the calls of one request of the gateway's log, and leaves failed calls out", async () => {
    const line = { request: "r1", query: "find it", offered: ["search", "mail"] };
    const path = await file(
      "gateway.jsonl",
      lines(
        { ...line, called: "search" },
        { ...line, request: "r2", called: "mail", ok: false },
        { ...line, called: "mail" },
      ),
    );
    expect(await all(path)).toEqual([
      { id: "r1", query: "find it", tools: ["search", "mail"], candidates: ["search", "mail"] },
    ]);
    expect((await all(path, { withoutCalls: "nothing-fits" }))[1]).toMatchObject({ id: "r2", tools: [] });
  });

  it("finds BFCL's right calls beside its questions, and knows that nothing fits where it says so", async () => {
    const question = (id: string, content: string): unknown => ({
      id,
      question: [
        [
          { role: "system", content: "s" },
          { role: "user", content },
        ],
      ],
      function: [{ name: "area" }, { name: "volume" }],
    });
    const path = await file(
      "bfcl/BFCL_v4_x.json",
      lines(
        question("simple_0", "area of it"),
        question("live_irrelevance_1-0-0", "sing"),
        question("simple_9", "lost"),
      ),
    );
    await file(
      "bfcl/possible_answer/BFCL_v4_x.json",
      lines(
        { id: "simple_0", ground_truth: [{ area: { base: [1] } }] },
        { id: "multi_0", ground_truth: [["cd(folder='x')"], ["ls()"]] },
      ),
    );
    const problems: ReadingProblem[] = [];
    expect(await all(dirname(path), { onProblem: (problem) => problems.push(problem) })).toEqual([
      { id: "simple_0", query: "area of it", tools: ["area"], subset: "simple", candidates: ["area", "volume"] },
      {
        id: "live_irrelevance_1-0-0",
        query: "sing",
        tools: [],
        subset: "live_irrelevance",
        candidates: ["area", "volume"],
      },
    ]);
    expect(problems).toMatchObject([{ line: 3, sentence: expect.stringMatching(/no answer to "simple_9"/) as string }]);
  });

  it("reads ToolBench's questions with ids in its normalised form", async () => {
    const apis = [
      { category_name: "Data", tool_name: "QuantaEx Market Data", api_name: "24 hours tickers" },
      { category_name: "Data", tool_name: "Check Username", api_name: "username" },
    ];
    const text = JSON.stringify([
      { query_id: 43, query: "data", api_list: apis, "relevant APIs": [["QuantaEx Market Data", "24 hours tickers"]] },
    ]);
    expect(await all(await file("G3_instruction.json", text))).toEqual([
      {
        id: "43",
        query: "data",
        tools: ["quantaex_market_data.24_hours_tickers"],
        candidates: ["quantaex_market_data.24_hours_tickers", "check_username.username"],
      },
    ]);
  });

  it("finds tools by id, by name and by what providers make of a name; unknown and doubtful names stay", async () => {
    const path = await file(
      "names.jsonl",
      lines({ ...own, tools: ["git.push", "search", "git_pull", "same", "elsewhere"], candidates: [] }),
    );
    const tools = [
      { id: "git.push", name: "push" },
      { id: "web.search", name: "search" },
      { id: "git.pull", name: "pull" },
      { id: "a.same", name: "same" },
      { id: "b.same", name: "same" },
    ];
    expect((await all(path, { tools }))[0]?.tools).toEqual(["git.push", "web.search", "git.pull", "same", "elsewhere"]);
  });

  it("reads a folder of mixed formats in the order of names, whatever else lies there", async () => {
    await file("mixed/a.jsonl", lines(own, chat));
    await file("mixed/deep/b.log.gz", gzipSync(lines(chat)));
    await file("mixed/picture.png", "no log");
    await file("mixed/broken.jsonl", new Uint8Array([0xff, 0xfe, 0x00, 0x0a, 0x7b]));
    await file("mixed/empty.jsonl", "");
    expect((await all(join(folder, "mixed"))).map(({ query }) => query)).toEqual(["find it", "mail it", "mail it"]);
  });

  it("says which file cannot be read, and stops when told to", async () => {
    await expect(all(join(folder, "absent"))).rejects.toMatchObject({ code: "unreadable-source" });
    const damaged = await file("damaged.jsonl.gz", "no gzip");
    await expect(all(damaged)).rejects.toMatchObject({ code: "unreadable-source", source: damaged });
    const path = await file("own.jsonl", lines(own));
    await expect(all(path, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
  });
});
