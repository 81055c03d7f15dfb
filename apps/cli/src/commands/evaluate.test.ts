import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { toolListPath } from "@setwise/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCommandLine } from "../command-line.ts";

const git = toolListPath("mcp/git.tools-list.json");
const requests = join(dirname(dirname(dirname(git))), "requests");
const bank = join(requests, "api-bank.tools.jsonl");
const bankQueries = join(requests, "api-bank.queries.jsonl");
const bankLog = join(requests, "api-bank.openai-log.jsonl");

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-evaluate-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

async function evaluate(...parameters: readonly string[]): Promise<Ran> {
  let out = "";
  let error = "";
  const code = await runCommandLine(["evaluate", ...parameters], {
    write: (text) => void (out += text),
    writeError: (text) => void (error += text),
    isTerminal: false,
  });
  return { code, out, error };
}

interface Document {
  readonly ranking: Readonly<Record<string, number>>;
  readonly comparison: { readonly metrics: readonly Readonly<Record<string, unknown>>[] };
  readonly problems: readonly Readonly<Record<string, string>>[];
}

async function evaluateJson(...parameters: readonly string[]): Promise<Document> {
  const { code, out, error } = await evaluate(...parameters, "--json");
  expect({ code, error }).toEqual({ code: 0, error: "" });
  return JSON.parse(out) as Document;
}

const lines = (...records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

async function fileOf(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

const two = lines(
  { id: "1", query: "show the commit log", tools: ["git_log"] },
  {
    id: "2",
    query: "stage the files and commit them",
    tools: ["git_add", "git_commit"],
    candidates: ["git_add", "git_commit"],
  },
);

describe("setwise evaluate", () => {
  it("prints the document of the architecture as JSON, the rest behind it", async () => {
    const queries = await fileOf("queries.jsonl", two);
    const document = await evaluateJson(git, "--queries", queries);
    expect(Object.keys(document).slice(0, 6)).toEqual(["queries", "tools", "ranking", "set", "latencyMs", "tokens"]);
    expect(Object.keys(document.ranking).join(" ")).toBe(
      "recall@1 recall@3 recall@5 recall@10 ndcg@3 ndcg@5 ndcg@10 completeness@3 completeness@5 completeness@10 map@10",
    );
    // Recall@1 of a set of two is at most 1/2: (1 + 1/2) / 2.
    expect(document).toMatchObject({
      queries: 2,
      tools: 13,
      ranking: { "recall@10": 1, "recall@1": 0.75 },
      set: { recall: 1, complete: 1, empty: 0 },
      calibration: { leastProbability: 0.05 },
      problems: [],
    });
  });

  it("prints a table for a person, and offers queries their own candidates", async () => {
    const queries = await fileOf("queries.jsonl", two);
    const { out, error } = await evaluate(git, "--queries", queries, "--candidates");
    expect(error).toBe("");
    expect(out).toMatch(/^setwise: 2 queries over 13 tools$/m);
    expect(out).toMatch(/^Recall +75\.0 +100\.0 +100\.0 +100\.0$/m);
    expect(out).toMatch(/^versions: .*setwise \d.*encoder static:/m);
  });

  it("has the same numbers for requests and for the log of conversations that was made from them", async () => {
    const labelled = await evaluateJson(bank, "--queries", bankQueries);
    const logged = await evaluateJson(bank, "--queries", bankLog);
    const numbers = (document: Document): string =>
      JSON.stringify(document, (key, value: unknown) => (key === "latencyMs" || key === "run" ? undefined : value));
    expect(numbers(logged)).toBe(numbers(labelled));
    expect(labelled).toMatchObject({ queries: 40, unknownGold: 0, problems: [] });
  });
});

it("tells a terminal how far it is, and when it is through", async () => {
  let error = "";
  const queries = await fileOf("queries.jsonl", two);
  await runCommandLine(["evaluate", git, "--queries", queries, "--baseline", "bm25"], {
    write: () => undefined,
    writeError: (text) => void (error += text),
    isTerminal: true,
  });
  expect(error.split("\n").slice(-3)).toEqual(["\rsetwise: 2 queries", "\rbm25: 2 queries", ""]);
});

describe("setwise evaluate --baseline", () => {
  it("finds no difference to what the same pipeline has saved, and finds one as soon as it is another", async () => {
    const saved = join(folder, "saved.jsonl");
    await evaluateJson(bank, "--queries", bankQueries, "--save", saved);
    const same = await evaluateJson(bank, "--queries", bankLog, "--baseline", saved);
    for (const metric of same.comparison.metrics)
      expect(metric).toMatchObject({ difference: { mean: 0, low: 0, high: 0 }, significant: false });
    const other = await evaluateJson(bank, "--queries", bankQueries, "--k", "1", "--baseline", saved);
    const size = other.comparison.metrics.find(({ metric }) => metric === "size");
    expect(size).toMatchObject({ challenger: 1, significant: true });
  });

  it.each([
    ["bm25", "BM25 top-5"],
    ["dense", "dense top-5"],
    ["keyword", "keywords top-5"],
  ])("compares with %s, which hands over five tools whatever is asked", async (given, name) => {
    const { comparison } = await evaluateJson(bank, "--queries", bankQueries, "--baseline", given);
    expect(comparison).toMatchObject({ baseline: name, challenger: "setwise" });
    expect(comparison.metrics.find(({ metric }) => metric === "size")).toMatchObject({ baseline: 5 });
    expect(comparison.metrics.find(({ metric }) => metric === "f1")).toMatchObject({ significant: true });
  });

  it("refuses what was saved of other queries or tools, what is none, and meaning without an encoder", async () => {
    const queries = await fileOf("queries.jsonl", two);
    const saved = join(folder, "saved.jsonl");
    await evaluateJson(git, "--queries", queries, "--save", saved);
    const refused = async (...parameters: readonly string[]): Promise<string> => {
      const { code, out, error } = await evaluate(...parameters);
      expect([code, out]).toEqual([1, ""]);
      return error;
    };
    const baseline = ["--baseline", saved] as const;
    expect(await refused(bank, "--queries", bankQueries, ...baseline)).toMatch(/^invalid-argument: .*same tools/);
    const one = await fileOf("one.jsonl", two.split("\n")[0] ?? "");
    expect(await refused(git, "--queries", one, ...baseline)).toMatch(/^invalid-argument: .*same queries/);
    expect(await refused(git, "--queries", queries, "--baseline", queries)).toMatch(/^corrupt-file: /);
    expect(await refused(git, "--queries", queries, "--baseline", "bm26")).toMatch(
      /^unreadable-source: .*bm26 is none of/,
    );
    const words = ["--encoder", "none", "--baseline", "dense"] as const;
    expect(await refused(git, "--queries", queries, ...words)).toMatch(/^invalid-argument: .*--encoder/);
  });
});

describe("setwise evaluate --html", () => {
  it("writes a page that needs nothing else, with the comparison, and leaves nothing beside it", async () => {
    const html = join(folder, "report.html");
    await evaluateJson(bank, "--queries", bankQueries, "--baseline", "bm25", "--html", html);
    const page = await readFile(html, "utf8");
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain("setwise against BM25 top-5");
    expect(page).not.toMatch(/<script|NaN|undefined/);
    expect(await readdir(folder)).toEqual(["report.html"]);
  });

  it("says that it cannot be written before anything is measured", async () => {
    const { code, error } = await evaluate(bank, "--queries", "missing", "--html", join(folder, "no", "report.html"));
    expect({ code, error }).toEqual({ code: 1, error: expect.stringMatching(/^unwritable-target: /) as string });
  });
});

describe("logs that are not as they should be", () => {
  it("are used as far as they go: half a line, foreign records and unknown tools are told of", async () => {
    const elsewhere = lines({ id: "3", query: "order a pizza", tools: ["order_pizza"] });
    const path = await fileOf("log.jsonl", `${two}{"level":"info"}\n${elsewhere}{"id":"4","query":"show`);
    const document = await evaluateJson(git, "--queries", path);
    expect(document).toMatchObject({ queries: 2, unknownGold: 1, skipped: 1 });
    expect(document.problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/log\.jsonl, line 3: .*no logged request/),
      expect.stringMatching(/log\.jsonl, line 5: .*not JSON/),
      expect.stringMatching(/1 of the tools .*: order_pizza\./),
    ]);
    const { error } = await evaluate(git, "--queries", path, "--baseline", "bm25");
    expect(error.match(/^left-out: /gm)).toHaveLength(3);
  });

  it("are told of by the first few where there are many", async () => {
    const path = await fileOf("log.jsonl", `${"{}\n".repeat(30)}${two}`);
    // 20 of one file are told, and how many more there are; 5 of these reach the screen.
    expect((await evaluateJson(git, "--queries", path)).problems).toHaveLength(21);
    expect((await evaluate(git, "--queries", path)).error).toMatch(/^(?:left-out: .*\n){5}… and 16 more; /);
  });

  it("stop it where nothing is left to measure", async () => {
    const failing = async (path: string): Promise<string> => {
      const { code, error } = await evaluate(git, "--queries", path);
      expect(code).toBe(1);
      return error;
    };
    const none = await fileOf("none.jsonl", lines({ id: "1", query: "q", tools: ["elsewhere"] }));
    expect(await failing(none)).toMatch(/^invalid-argument: .*belong together/);
    expect(await failing(await fileOf("no-query.jsonl", '{"id":"1"}\n'))).toMatch(/line 1: .*Expected \{"id"/);
    expect(await failing(await fileOf("empty.jsonl", ""))).toMatch(/There is no labelled query/);
    expect(await failing(join(folder, "missing"))).toMatch(/^unreadable-source: /);
  });
});
