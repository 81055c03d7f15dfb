import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
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
  expect((await readdir(folder)).sort()).toEqual(["log.jsonl", "model.safetensors"]);
  const selected = await run("select", git, "--query", "what did I change?", "--model", model, "--json", "--k", "2");
  expect(selected.code).toBe(0);
  expect((JSON.parse(selected.out) as { tools: unknown[] }).tools).toHaveLength(2);
  const measured = await run("evaluate", git, "--queries", log, "--model", model, "--json");
  expect(JSON.parse(measured.out)).toMatchObject({ queries: 1 });
});

test("a log of another catalog is refused, and so is a model that is none", async () => {
  const log = await written("other.jsonl", [{ id: "1", query: "x", tools: ["gone"] }]);
  const trained = await run("train", git, "--log", log, "--out", join(folder, "none"));
  expect(trained).toMatchObject({ code: 1 });
  expect(trained.error).toContain("none can be used");
  const selected = await run("select", git, "--query", "x", "--model", log);
  expect(selected).toMatchObject({ code: 1 });
  expect(selected.error).toContain("corrupt-file");
});
