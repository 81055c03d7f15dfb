import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { planSchema, selectionDocumentSchema } from "@setwise/core/schemas";
import { toolListPath } from "@setwise/testkit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runCommandLine } from "./command-line.ts";

const lists = dirname(dirname(toolListPath("mcp/git.tools-list.json")));
const git = toolListPath("mcp/git.tools-list.json");

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-cli-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

async function run(...parameters: readonly string[]): Promise<Ran> {
  let out = "";
  let error = "";
  const code = await runCommandLine(parameters, {
    write: (text) => void (out += text),
    writeError: (text) => void (error += text),
    isTerminal: false,
  });
  return { code, out, error };
}

async function runJson(...parameters: readonly string[]): Promise<Record<string, unknown>> {
  const { code, out, error } = await run(...parameters, "--json");
  expect({ code, error }).toEqual({ code: 0, error: "" });
  return JSON.parse(out) as Record<string, unknown>;
}

describe("setwise plan", () => {
  const plan = ["plan", git, "--query", "create a branch in the repository and then show the log"];

  it("prints the document of the architecture as JSON", async () => {
    const { query, subTasks, tools, edges, missing } = planSchema.parse(await runJson(...plan));
    expect(query).toBe(plan[3]);
    expect(subTasks).toEqual([
      { goal: "create a branch in the repository", tools: ["git_create_branch"] },
      { goal: "show the log", tools: ["git_log"] },
    ]);
    expect(tools).toEqual(["git_create_branch", "git_log"]);
    expect(edges).toEqual([]);
    expect(missing).toContainEqual({ tool: "git_create_branch", input: "branch_name" });
  });

  it("tells a person the order and what nothing says, and that results are not described", async () => {
    const { code, out } = await run(...plan);
    expect(code).toBe(0);
    expect(out).toMatch(/sub-tasks\n +1 +create a branch in the repository: git_create_branch/);
    expect(out).toMatch(/in this order\n +1 +git_create_branch\n +2 +git_log/);
    expect(out).toMatch(/What is `branch_name` for git_create_branch\?/);
    expect(out).toMatch(/No tool says what it gives back/);
  });

  it("plans nothing for what a request forbids", async () => {
    const { code, out } = await run("plan", git, "--query", "Do not create a branch");
    expect(code).toBe(0);
    expect(out).toMatch(/^The request asks for nothing to be done\.\n\nnothing to call/);
  });

  it("obeys the links of --edges, and names the file where it holds none", async () => {
    const file = join(folder, "edges.json");
    await writeFile(file, JSON.stringify([{ from: { tool: "git_status" }, to: { tool: "git_create_branch" } }]));
    expect((await runJson(...plan, "--edges", file))["tools"]).toEqual(["git_status", "git_create_branch", "git_log"]);
    await writeFile(file, JSON.stringify([{ from: { tool: "git_status" } }]));
    const wrong = await run(...plan, "--edges", file);
    expect(wrong).toMatchObject({ code: 1, out: "" });
    expect(wrong.error).toContain("edges.json");
  });

  it("says under a code of its own that nothing fits", async () => {
    const { tools, problems } = await runJson("plan", lists, "--query", "asdf qwer");
    expect(tools).toEqual([]);
    expect(problems).toEqual(expect.arrayContaining([expect.objectContaining({ code: "nothing-fits" })]));
    expect(problems).not.toEqual(expect.arrayContaining([expect.objectContaining({ code: "graph" })]));
  });

  it("draws with --mermaid, and refuses tools that are not there", async () => {
    expect((await run(...plan, "--mermaid")).out).toMatch(/^flowchart TD\n {2}subgraph task0\["1\. create a branch/);
    const wrong = await run(...plan, "--exclude", "sing");
    expect(wrong).toMatchObject({ code: 1, out: "" });
    expect(wrong.error).toMatch(/^unknown-tool: /);
  });
});

describe("setwise select", () => {
  it("prints the document of the architecture as JSON, and nothing else", async () => {
    const document = await runJson("select", lists, "--query", "take a screenshot of the page and save the file");
    const { tools, status, k, kernels, tokens } = selectionDocumentSchema.parse(document);
    expect(status).toBe("selected");
    expect(tools[0]?.id).toBe("playwright_screenshot");
    expect(k).toBe(tools.length);
    expect(tokens.after).toBeLessThan(tokens.before / 20);
    expect(["native", "typescript"]).toContain(kernels.implementation);
  });

  it("tells a person why each tool is in, and why the next one is not", async () => {
    const { out } = await run("select", lists, "--query", "show the commit log", "--explain");
    expect(out).toMatch(/git_log \(core\): .*"log" is in the name/);
    expect(out).toMatch(/was left out as the next best/);
    expect(out).toMatch(/tokens of definitions: [\d,]+ before, [\d,]+ after/);
  });

  it("obeys k, goals, limits and constraints", async () => {
    const select = async (...options: string[]): Promise<string[]> => {
      const document = await runJson("select", lists, "--query", "record the changes as a new commit", ...options);
      return (document["tools"] as { id: string }[]).map((tool) => tool.id);
    };
    expect(await select("--k", "4")).toHaveLength(4);
    expect((await select("--goal", "exact")).length).toBeLessThanOrEqual((await select("--goal", "complete")).length);
    expect(await select("--max-tools", "1")).toEqual(["git_commit"]);
    expect((await select("--require", "git_log,git_show", "--exclude", "git_commit")).slice(0, 2)).toEqual([
      "git_log",
      "git_show",
    ]);
    expect(await select("--exclude", "git_commit")).not.toContain("git_commit");
  });

  it("says that nothing fits instead of filling a list", async () => {
    const document = await runJson("select", lists, "--query", "zorgle the quantum frobnicator");
    expect(document).toMatchObject({
      status: "nothing-fits",
      tools: [],
      k: 0,
      missing: ["zorgle", "quantum", "frobnicator"],
    });
  });
});

describe("setwise tools", () => {
  it("counts tools, tokens and servers", async () => {
    const document = await runJson("tools", lists);
    expect(document).toMatchObject({ tools: 455, formats: { mcp: 222, openapi: 233 } });
    const { out } = await run("tools", git);
    expect(out).toMatch(/13 tools, [\d,]+ tokens/);
    expect(out).toMatch(/git +13 tools/);
  });

  it("names what providers would refuse", async () => {
    const file = join(folder, "odd.json");
    await writeFile(
      file,
      JSON.stringify([{ name: "a".repeat(90), description: "d", inputSchema: { anyOf: [{ type: "object" }] } }]),
    );
    const { problems } = (await runJson("tools", file)) as unknown as { problems: { code: string }[] };
    expect(problems.map((problem) => problem.code)).toEqual(expect.arrayContaining(["name-changed", "schema-relaxed"]));
  });
});

describe("setwise index", () => {
  it("writes what select opens instead of a source, with the same answer", async () => {
    const out = join(folder, "index");
    expect(await runJson("index", lists, "--out", out)).toMatchObject({ out, tools: 455 });
    const query = ["--query", "play my favourite playlist"] as const;
    const [fresh, opened] = [await runJson("select", lists, ...query), await runJson("select", out, ...query)];
    expect(opened["tools"]).toEqual(fresh["tools"]);
    expect(opened["candidates"]).toEqual(fresh["candidates"]);
  });
});

describe("an interrupt", () => {
  /** An embedding server that answers the first request, by which the length of its vectors is learned, and then says it was asked. */
  async function startSlowServer(onAsked: () => void): Promise<{ readonly url: string; close(): void }> {
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      if (requests === 1) response.end(JSON.stringify({ data: [{ index: 0, embedding: [1, 0] }] }));
      else if (requests === 2) onAsked();
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const close = (): void => {
      server.closeAllConnections();
      server.close();
    };
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
  }

  it("stops a long encoding with the code aborted, of lists as of an index, and is not listened to afterwards", async () => {
    const out = join(folder, "index");
    await runJson("index", git, "--out", out);
    for (const source of [git, out]) {
      const before = process.listenerCount("SIGINT");
      const server = await startSlowServer(() => process.emit("SIGINT"));
      const ran = await run("index", source, "--out", join(folder, "other"), "--encoder", server.url);
      server.close();
      expect(ran).toMatchObject({ code: 1, out: "", error: expect.stringMatching(/^aborted: /) });
      expect(process.listenerCount("SIGINT")).toBe(before);
    }
  });
});

describe("an embedding server", () => {
  let server: Server | undefined;
  afterEach(() => {
    vi.unstubAllEnvs();
    server?.closeAllConnections();
    server?.close();
  });
  async function startServer(listener: RequestListener): Promise<string> {
    const started = createServer(listener);
    server = started;
    await new Promise<void>((listening) => started.listen(0, "127.0.0.1", listening));
    return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
  }

  it("that does not answer has failed when the timeout is over, and is asked once", async () => {
    let asked = 0;
    const url = await startServer(() => void (asked += 1));
    const { code, error } = await run("select", git, "--query", "x", "--encoder", url, "--timeout", "100");
    expect({ code, error, asked }).toEqual({
      code: 1,
      error: expect.stringMatching(/^timeout: .*within 100 ms/),
      asked: 1,
    });
  });

  it("gets no key where the variable for it is empty or blank, and the address may stand between blanks", async () => {
    const keys: unknown[] = [];
    const url = await startServer((request, response) => {
      keys.push(request.headers.authorization);
      response.writeHead(400).end("no more is asked");
    });
    for (const key of ["", " ", "secret"]) {
      vi.stubEnv("SETWISE_ENCODER_KEY", key);
      const { error } = await run("select", git, "--query", "x", "--encoder", ` ${url} `);
      expect(error).toMatch(/^server-failed: .*no more is asked/);
    }
    expect(keys).toEqual([undefined, undefined, "Bearer secret"]);
  });

  it("that asks for a longer wait than the timeout has failed at once, and the message names the option", async () => {
    const url = await startServer((_, response) => void response.writeHead(429, { "retry-after": "1" }).end());
    const { error } = await run("select", git, "--query", "x", "--encoder", url, "--timeout", "1000");
    expect(error).toMatch(/^server-failed: .*answered 429.*wait of 1\d{3} ms.*--timeout/);
  });

  it("that refuses the key says which variable holds it", async () => {
    const url = await startServer((_, response) => void response.writeHead(401).end());
    expect((await run("select", git, "--query", "x", "--encoder", url)).error).toMatch(/SETWISE_ENCODER_KEY/);
    vi.stubEnv("SETWISE_ENCODER_KEY", "sk-é");
    expect((await run("select", git, "--query", "x", "--encoder", url)).error).toMatch(/SETWISE_ENCODER_KEY/);
  });

  it("whose address holds a password is refused without showing it", async () => {
    for (const address of ["ftp://user:PASSWORD@host", " http://user:PASSWORD@host", "HTTPS://user:PASSWORD@host/v1"]) {
      const { code, out, error } = await run("select", git, "--query", "x", "--encoder", address);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(error).toMatch(/^invalid-argument: /);
      expect(error).not.toContain("PASSWORD");
    }
  });
});

describe("a cache in which something else lies", () => {
  it("does not stop the writing of an index, and the file is named", async () => {
    const server = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const { input } = JSON.parse(body) as { input: string[] };
      response.end(JSON.stringify({ data: input.map((_, index) => ({ index, embedding: [1, index] })) }));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const parameters = ["index", git, "--out", join(folder, "index"), "--encoder", url];
      expect(await run(...parameters)).toMatchObject({ code: 0, error: "" });
      const cache = join(folder, "index", "encoded");
      const [name = ""] = await readdir(cache);
      await writeFile(join(cache, name), "garbage");
      const { code, error } = await run(...parameters);
      expect(code).toBe(0);
      expect(error).toMatch(/^cache-unusable: .*embeddings-[0-9a-f]{16}\.setwise .*Delete it/);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe("a cross-encoder of one's own", () => {
  // A real export of 300 bytes: it knows the one word "status" and likes whatever has it.
  const model = fileURLToPath(new URL("../test/status-cross-encoder", import.meta.url));
  const query = ["--query", "show the commit log", "--k", "3"] as const;
  const ids = (document: Record<string, unknown>): string[] =>
    (document["tools"] as { id: string }[]).map((tool) => tool.id);

  it("puts what it likes in front, for select of lists and of an index, and says so", async () => {
    const out = join(folder, "index");
    await runJson("index", lists, "--out", out);
    for (const source of [lists, out]) {
      expect(ids(await runJson("select", source, ...query))).not.toContain("git_status");
      const document = await runJson("select", source, ...query, "--reranker", ` ${model} `);
      expect(ids(document)[0]).toBe("git_status");
      selectionDocumentSchema.parse(document);
    }
    const { out: text } = await run("select", git, ...query, "--reranker", model, "--explain");
    expect(text).toMatch(/git_status \(core\): re-ranked, it comes from place \d+ to 1/);
  });

  it("counts in an evaluation", async () => {
    const queries = join(folder, "queries.jsonl");
    await writeFile(queries, JSON.stringify({ id: "1", query: "show the commit log", tools: ["git_status"] }));
    const evaluate = ["evaluate", git, "--queries", queries] as const;
    expect(await runJson(...evaluate)).toMatchObject({ ranking: { "recall@1": 0 } });
    expect(await runJson(...evaluate, "--reranker", model)).toMatchObject({ ranking: { "recall@1": 1 } });
  });
});

describe("a tool whose text is longer than the encoder reads", () => {
  // 600 words are more than the 512 tokens of the table.
  const description = "refund ".repeat(600);
  const cut = [{ code: "text-cut", toolId: "long" }];
  let file = "";
  beforeEach(async () => {
    file = join(folder, "long.json");
    await writeFile(file, JSON.stringify([{ name: "long", description, inputSchema: {} }]));
  });

  it("is among the problems of every command that encodes it, with its name, be the encoder named or not", async () => {
    const queries = join(folder, "queries.jsonl");
    await writeFile(queries, JSON.stringify({ id: "1", query: "refund", tools: ["long"] }));
    for (const encoder of [[], ["--encoder", "static"]] as const) {
      for (const command of [
        ["select", file, "--query", "refund"],
        ["evaluate", file, "--queries", queries],
        ["index", file, "--out", join(folder, "index")],
      ])
        expect((await runJson(...command, ...encoder))["problems"]).toMatchObject(cut);
    }
  });

  it("is none where its vector comes from an index", async () => {
    const index = join(folder, "index");
    expect((await runJson("index", file, "--out", index))["problems"]).toMatchObject(cut);
    expect((await runJson("select", index, "--query", "refund"))["problems"]).toEqual([]);
  });

  it("is counted with others like it in one short line on standard error", async () => {
    expect((await run("select", file, "--query", "refund")).error).toBe(
      "text-cut: Of 1 tool only the beginning of its text is compared by meaning; --json names it.\n",
    );
    const three = [1, 2, 3].map((number) => ({ name: `long${number}`, description, inputSchema: {} }));
    await writeFile(file, JSON.stringify(three));
    expect((await run("select", file, "--query", "refund")).error).toBe(
      "text-cut: Of 3 tools only the beginning of their texts is compared by meaning; --json names them.\n",
    );
  });

  it("is none where the encoder reads it whole", async () => {
    expect((await runJson("select", git, "--query", "refund"))["problems"]).toEqual([]);
  });

  it.each([[[]], [["--encoder", "static"]]])("is one, once, if it is a query (%j)", async (encoder) => {
    const index = join(folder, "index");
    await runJson("index", git, "--out", index, ...encoder);
    for (const source of [git, index]) {
      const { out, error } = await run("select", source, "--query", description, ...encoder, "--json");
      expect(error).toMatch(/^text-cut: Of the query static:\S+ has read only the beginning\.\n$/);
      expect((JSON.parse(out) as Record<string, unknown>)["problems"]).toMatchObject([{ code: "text-cut" }]);
    }
  });
});

describe("errors", () => {
  it.each([
    [["select", "nowhere.json", "--query", "x"], /^unreadable-source: Cannot read nowhere\.json/],
    [["select", git], /^invalid-argument: required option '--query <text>' not specified/],
    [["select", git, "--query", "x", "--k", "many"], /^invalid-argument: .*whole number/],
    [["select", git, "--query", "x", "--k", "-1"], /^invalid-argument: /],
    [["select", git, "--query", "x", "--require", "git_lo"], /^unknown-tool: .*Did you mean "git_log"/],
    [["select", git, "--query", "x", "--goal", "best"], /^invalid-argument: .*complete, balanced, exact/],
    [["select", git, "--query", "x", "--encoder", "nowhere"], /^unreadable-source: .*nowhere/],
    [["select", git, "--query", "x", "--encoder", "minilim"], /^unreadable-source: .*Did you mean minilm\?/],
    [["select", git, "--query", "x", "--reranker", git], /^unreadable-source: .* is no folder; expected one with/],
    [["select", git, "--query", "x", "--encoder", ""], /^invalid-argument: .*none, static, minilm/],
    [["select", git, "--query", "x", "--reranker", "nowhere"], /^unreadable-source: .*nowhere/],
    [["select", git, "--query", "x", "--reranker", " "], /^invalid-argument: reranker is empty/],
    [["frobnicate"], /^invalid-argument: unknown command/],
    [["select", "--query", "x"], /^invalid-argument: missing required argument/],
  ])("%j ends with 1 and a line that says what to do", async (parameters, expected) => {
    const { code, out, error } = await run(...parameters);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(error).toMatch(expected);
  });

  it("print help on request, with every command and option", async () => {
    expect(await run("--help")).toMatchObject({ code: 0, out: expect.stringMatching(/select.*\n.*index/s) });
    const { out } = await run("select", "--help");
    for (const option of ["--query", "--k", "--max-tokens", "--require", "--exclude", "--goal", "--explain", "--json"])
      expect(out).toContain(option);
    for (const command of ["select", "evaluate"]) {
      expect((await run(command, "--help")).out).toMatch(/--encoder.*--reranker <DIR>/s);
    }
    expect((await run()).out + (await run()).error).toMatch(/Usage: setwise/);
  });
});

describe("a hostile tool list", () => {
  const hostile = "\u001B[31mred\u0007\u009B2J\r\nforged line\u202E";
  const list = (server: string, name: string): unknown => ({
    tools: [{ name, description: "Sends mail.", inputSchema: { $ref: `#/${hostile}` } }],
    serverInfo: { name: server },
  });

  it("cannot steer a terminal or forge a line by names, servers, references or errors", async () => {
    const file = join(folder, "hostile.json");
    await writeFile(file, JSON.stringify([list(hostile, hostile), list("other", hostile), list("third", "")]));
    const runs = [
      await run("tools", file),
      await run("select", file, "--query", "send mail"),
      await run("select", file, "--query", "send mail", "--explain"),
      await run("select", file, "--query", "send mail", "--require", hostile),
      await run("tools", join(folder, hostile)),
      await run("tools", file, "--json"),
    ];
    for (const { out, error } of runs) {
      expect(out + error).toContain("red");
      expect(out + error).not.toMatch(/[^\P{Cc}\n]|\u202E|^forged/mu);
    }
    expect(JSON.parse(runs.at(-1)?.out ?? "")).toMatchObject({ list: [{ name: hostile }, { name: hostile }] });
  });

  it("with a name of a million characters does not widen the table by it", async () => {
    const file = join(folder, "wide.jsonl");
    const tool = (id: string, server: string): string => JSON.stringify({ id, name: id, description: "x", server });
    const many = Array.from({ length: 2000 }, (_, number) => tool(`t${number}`, `s${number}`));
    await writeFile(file, [tool("n".repeat(1e6), "s".repeat(1e6)), ...many].join("\n"));
    const { code, out } = await run("tools", file);
    expect(code).toBe(0);
    expect(out).toMatch(/^2001 tools/);
    // 2002 rows of at most 64 characters and their numbers.
    expect(out.length).toBeLessThan(300_000);
  });
});
