import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolListPath } from "@setwise/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommandLine } from "../command-line.ts";

const git = toolListPath("mcp/git.tools-list.json");
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-train-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(...parameters: readonly string[]): Promise<{ code: number; out: string; error: string }> {
  let [out, error] = ["", ""];
  const code = await runCommandLine(parameters, {
    write: (text) => void (out += text),
    writeError: (text) => void (error += text),
    isTerminal: false,
  });
  return { code, out, error };
}

async function written(name: string, lines: readonly object[]): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  return file;
}

test("a log of which too little can be learned gives a model that says so, and works", async () => {
  const { out } = await run("select", git, "--query", "what did I change?", "--json", "--k", "2");
  const [first, second] = (JSON.parse(out) as { tools: { id: string }[] }).tools;
  const log = await written("log.jsonl", [
    { id: "1", query: "what did I change?", tools: [first?.id, second?.id] },
    { id: "2", query: "what did I change?", tools: ["gone"] },
  ]);
  const model = join(folder, "model.safetensors");
  const trained = await run("train", git, "--log", log, "--out", model);
  expect(trained).toMatchObject({ code: 0, error: "" });
  expect(trained.out).toContain("1 lines name tools that the catalog lacks");
  expect(trained.out).toContain("too few to learn from");
  expect(trained.out).toContain("of P(tool), on halves held out: not measured");
  expect(trained.out).not.toContain("0.0");
  expect((await readdir(folder)).sort()).toEqual(["log.jsonl", "model.safetensors"]);
  const selected = await run("select", git, "--query", "what did I change?", "--model", model, "--json", "--k", "2");
  expect(selected.code).toBe(0);
  expect((JSON.parse(selected.out) as { tools: unknown[] }).tools).toHaveLength(2);
  const measured = await run("evaluate", git, "--queries", log, "--model", model, "--json");
  expect(JSON.parse(measured.out)).toMatchObject({ queries: 1 });
});

test("a model that learned something is not lost to one that learned nothing", async () => {
  const verbs = ["open", "close", "paint", "repair", "sell", "rent", "lift", "burn", "freeze", "weigh"];
  const things = ["door", "window", "car", "boat"];
  const asides = "monday grandmother garden piano harbour thunder library volcano pepper violin desert lantern".split(
    " ",
  );
  const list = join(folder, "tools.json");
  const tools = verbs.flatMap((verb) =>
    things.map((thing) => ({
      name: `${verb}_${thing}`,
      description: `${verb} the ${thing}`,
      inputSchema: { type: "object" },
    })),
  );
  await writeFile(list, JSON.stringify({ tools }));
  // Whoever opens, paints, sells, lifts or freezes something weighs it as well, which no word of the request tells.
  const lines = Array.from({ length: 240 }, (_, at) => {
    const [verb = "", thing = ""] = [verbs[at % 10], things[Math.floor(at / 10) % 4]];
    const aside = [asides[at % 12], asides[Math.floor(at / 7) % 12], asides[Math.floor(at / 5) % 12]].join(" ");
    const weighed = at % 2 === 0 ? [`weigh_${thing}`] : [];
    return { id: `${at}`, query: `${aside}: ${verb} my ${thing}`, tools: [`${verb}_${thing}`, ...weighed] };
  });
  const out = join(folder, "learned.safetensors");
  const learned = await run("train", list, "--log", await written("long.jsonl", lines), "--out", out);
  expect(learned.out).toContain("was kept");
  const before = await readFile(out);
  const short = await written("short.jsonl", lines.slice(0, 3));
  const again = await run("train", list, "--log", short, "--out", out);
  expect(again.out).toContain("left as it was");
  expect(await readFile(out)).toEqual(before);
  const document = await run("train", list, "--log", short, "--out", out, "--json");
  expect(JSON.parse(document.out)).toMatchObject({ out, written: false });
}, 60_000);

test("a log of another catalog is refused, and so is a model that is none", async () => {
  const log = await written("other.jsonl", [{ id: "1", query: "x", tools: ["gone"] }]);
  const trained = await run("train", git, "--log", log, "--out", join(folder, "none"));
  expect(trained).toMatchObject({ code: 1 });
  expect(trained.error).toContain("none can be used");
  const selected = await run("select", git, "--query", "x", "--model", log);
  expect(selected).toMatchObject({ code: 1 });
  expect(selected.error).toContain("corrupt-file");
});

const searches = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `q${at}`,
    query: `show what changed in file number ${at}`,
    tools: at % 2 === 0 ? ["git_diff_unstaged"] : ["git_diff_unstaged", "git_status"],
  }));

test("the gateway's log is learned from, half a line is told of and left out, and what changed in sizes is told", async () => {
  const file = join(folder, "gateway.jsonl");
  const lines = searches(24).map((query) => {
    const { id, query: text, tools } = query as { id: string; query: string; tools: string[] };
    return tools.map((called) =>
      JSON.stringify({ request: id, query: text, offered: ["git_status", "git_diff_unstaged"], called }),
    );
  });
  await writeFile(file, `${lines.flat().join("\n")}\n{"request": "q24", "que`);
  const model = join(folder, "gateway.safetensors");
  const trained = await run("train", git, "--log", file, "--out", model);
  expect(trained.code).toBe(0);
  expect(trained.error).toMatch(/^left-out: .*line 37: This is not JSON; it was left out/);
  expect(trained.out).toContain("24 lines, 24 requests");
  expect(trained.out).toMatch(/The likeliest sets of 24 requests have/);
  const selected = await run("select", git, "--query", "show what changed", "--model", model, "--json", "--k", "2");
  expect(selected.code).toBe(0);
});

test("a folder of conversations is learned from", async () => {
  const inner = await mkdtemp(join(folder, "logs-"));
  await writeFile(
    join(inner, "chat.json"),
    JSON.stringify({
      messages: [
        { role: "user", content: "which files are staged?" },
        {
          role: "assistant",
          tool_calls: [{ id: "1", type: "function", function: { name: "git_diff_staged", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "1", content: "none" },
      ],
    }),
  );
  const trained = await run("train", git, "--log", inner, "--out", join(folder, "chat.safetensors"), "--json");
  expect(trained.code).toBe(0);
  expect(JSON.parse(trained.out)).toMatchObject({ lines: 1, queries: 1, problems: [] });
});

test("the document has the figures of what was compared, and no model", async () => {
  const log = await written("figures.jsonl", searches(40));
  const { out } = await run("train", git, "--log", log, "--out", join(folder, "figures.safetensors"), "--json");
  const { contenders } = JSON.parse(out) as { contenders: object[] };
  expect(contenders[0]).toMatchObject({ name: "untrained", kept: true });
  for (const contender of contenders) expect(contender).not.toHaveProperty("model");
  expect(out.length).toBeLessThan(20_000);
});

test("a log from before a merge is learned from", async () => {
  const merged = join(folder, "merged.json");
  const files = toolListPath("mcp/filesystem.tools-list.json");
  expect((await run("merge", git, files, "--out", merged)).code).toBe(0);
  const catalog = JSON.parse(await readFile(merged, "utf8")) as { tools: { name: string }[]; aliases: object[] };
  const former = { id: "old/tool", name: "old_tool", tool: catalog.tools[0]?.name };
  await writeFile(merged, JSON.stringify({ ...catalog, aliases: [...catalog.aliases, former] }));
  const log = await written("older.jsonl", [{ id: "1", query: "do what I did before", tools: ["old/tool"] }]);
  const { out } = await run("train", merged, "--log", log, "--out", join(folder, "older.safetensors"), "--json");
  const { logProblems } = JSON.parse(out) as { logProblems: { kind: string }[] };
  expect(logProblems.map(({ kind }) => kind)).not.toContain("unknown-tool");
});

test("a previous model that is not there yet is to be left out the first time", async () => {
  const log = await written("first.jsonl", searches(2));
  const out = join(folder, "first.safetensors");
  const trained = await run("train", git, "--log", log, "--out", out, "--previous", out);
  expect(trained.code).toBe(1);
  expect(trained.error).toContain("Leave out --previous the first time");
});

const words = "garden piano harbour thunder library volcano pepper violin desert lantern monday grandmother".split(" ");
const varied = Array.from({ length: 200 }, (_, at) => ({
  id: `v${at}`,
  query: `${words[at % 12]} ${words[(at * 5 + 1) % 11]} ${words[Math.floor(at / 7) % 12]}`,
  tools: at % 2 === 0 ? ["git_status"] : ["git_commit", "git_add"],
}));

test("a terminal is told something from the start, and an interrupt what the same command goes on from", async () => {
  const log = await written("varied.jsonl", varied);
  const out = join(folder, "interrupted.safetensors");
  let told = "";
  const code = await runCommandLine(["train", git, "--log", log, "--out", out], {
    write: () => {},
    writeError: (text) => {
      told += text;
      if (text.includes("epoch 2")) process.emit("SIGINT");
    },
    isTerminal: true,
  });
  expect(told).toMatch(/^reading the tools and the log …\n/);
  expect(code).toBe(1);
  expect(told).toMatch(/aborted: .* The same command goes on from .*interrupted\.safetensors\.checkpoint/);
});

test("a checkpoint that cannot be read stops the training, and one that is none is not gone on from", async () => {
  const log = await written("few.jsonl", searches(2));
  const out = join(folder, "blocked.safetensors");
  await mkdir(`${out}.checkpoint`);
  const stopped = await run("train", git, "--log", log, "--out", out);
  expect(stopped).toMatchObject({ code: 1, out: "" });
  expect(stopped.error).toMatch(/^unreadable-source: The checkpoint .* remove it to begin anew/);
  await rm(`${out}.checkpoint`, { recursive: true });
  await writeFile(`${out}.checkpoint`, "no checkpoint");
  expect(await run("train", git, "--log", log, "--out", out)).toMatchObject({ code: 0, error: "" });
});
