import { link, mkdir, mkdtemp, readdir, readFile, readlink, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolListPath } from "@setwise/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCommandLine } from "./command-line.ts";

const git = toolListPath("mcp/git.tools-list.json");
let folder = "";
let tools = "";
let log = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-kept-"));
  tools = await fileOf("tools.json", await readFile(git, "utf8"));
  log = await fileOf("log.jsonl", `${JSON.stringify({ id: "1", query: "show the log", tools: ["git_log"] })}\n`);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function fileOf(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

async function run(...parameters: readonly string[]): Promise<{ code: number; error: string }> {
  let error = "";
  const encoder = parameters.includes("--encoder") ? [] : ["--encoder", "none"];
  const code = await runCommandLine([...parameters, ...encoder], {
    write: () => undefined,
    writeError: (part) => void (error += part),
    isTerminal: false,
  });
  return { code, error };
}

const refused = { code: 1, error: expect.stringMatching(/^invalid-argument: .* Name another file\.$/m) as string };

describe("a file that a command reads is never written over", () => {
  /** Both files are as they were, and there is no other one. */
  async function nothingChanged(...more: readonly string[]): Promise<void> {
    expect((await readdir(folder)).sort()).toEqual([...more, "log.jsonl", "tools.json"].sort());
    expect(await readFile(tools, "utf8")).toBe(await readFile(git, "utf8"));
    expect(await readFile(log, "utf8")).toContain("git_log");
  }

  it("by merge, not under another spelling of its name either", async () => {
    expect(await run("merge", tools, "--out", tools)).toEqual(refused);
    expect(await run("merge", git, tools, "--out", join(folder, ".", "x", "..", "tools.json"))).toEqual(refused);
    expect(await run("merge", tools, "--out", join(folder, "out.json"), "--review", tools)).toEqual(refused);
    await nothingChanged();
  });

  it("by evaluate, neither the sources nor the queries nor the baseline", async () => {
    expect(await run("evaluate", tools, "--queries", log, "--save", log)).toEqual(refused);
    expect(await run("evaluate", tools, "--queries", log, "--html", tools)).toEqual(refused);
    expect(await run("evaluate", tools, "--queries", log, "--baseline", log, "--save", log)).toEqual(refused);
    await nothingChanged();
  });

  it("by train, neither the log nor the sources, nor by the checkpoint", async () => {
    expect(await run("train", tools, "--log", log, "--out", log)).toEqual(refused);
    expect(await run("train", tools, "--log", log, "--out", tools)).toEqual(refused);
    await rename(log, join(folder, "model.checkpoint"));
    const checkpoint = join(folder, "model.checkpoint");
    expect(await run("train", tools, "--log", checkpoint, "--out", join(folder, "model"))).toEqual(refused);
    await rename(checkpoint, log);
    await nothingChanged();
  });

  it("through a link or a second name", async () => {
    await symlink("tools.json", join(folder, "link.json"));
    await link(log, join(folder, "second.jsonl"));
    expect(await run("merge", tools, "--out", join(folder, "link.json"))).toEqual(refused);
    const second = join(folder, "second.jsonl");
    expect(await run("evaluate", tools, "--queries", log, "--save", second)).toEqual(refused);
    await nothingChanged("link.json", "second.jsonl");
  });

  it("where it is one of a folder that is read, but other files of that folder may be written", async () => {
    expect(await run("merge", folder, "--out", tools)).toEqual(refused);
    expect(await run("evaluate", tools, "--queries", folder, "--save", log)).toEqual(refused);
    await nothingChanged();
    const page = join(folder, "page.html");
    for (const _ of ["new", "again"])
      expect(await run("evaluate", folder, "--queries", log, "--html", page)).toMatchObject({ code: 0 });
  });
});

it("two outcomes of one command do not become one file", async () => {
  const one = join(folder, "one");
  expect(await run("merge", tools, "--out", one, "--review", one)).toEqual(refused);
  const other = join(folder, "x", "..", "one");
  expect(await run("evaluate", tools, "--queries", log, "--save", one, "--html", other)).toEqual(refused);
  expect((await readdir(folder)).sort()).toEqual(["log.jsonl", "tools.json"]);
});

it("a link laid beside a file that is written is not followed", async () => {
  const victim = await fileOf("victim", "precious");
  const out = join(folder, "out.json");
  await symlink(victim, `${out}.part`);
  expect(await run("merge", tools, "--out", out)).toMatchObject({ code: 0 });
  expect(await readFile(victim, "utf8")).toBe("precious");
  expect(await readlink(`${out}.part`)).toBe(victim);
  expect((await readdir(folder)).sort()).toEqual(["log.jsonl", "out.json", "out.json.part", "tools.json", "victim"]);
});

it("a model is not trained for a place that cannot be written, and a model's link is written through", async () => {
  // Before anything is read: the log is not there.
  expect(await run("train", tools, "--log", `${log}x`, "--out", folder)).toMatchObject({
    code: 1,
    error: expect.stringMatching(/^unwritable-target: .*it is a folder/) as string,
  });
  const target = await fileOf("target", "old");
  const out = join(folder, "model");
  await symlink(target, out);
  expect(await run("train", tools, "--log", log, "--out", out, "--encoder", "static")).toMatchObject({ code: 0 });
  expect(await readlink(out)).toBe(target);
  expect(await readFile(target, "latin1")).toContain("setwise-set-model");
});

it("a link that is named is written through, and one to nothing is refused", async () => {
  await mkdir(join(folder, "far"));
  const target = await fileOf("far/target.json", "old");
  const out = join(folder, "out.json");
  await symlink(target, out);
  expect(await run("merge", tools, "--out", out)).toMatchObject({ code: 0 });
  expect(await readlink(out)).toBe(target);
  expect(JSON.parse(await readFile(target, "utf8"))).toHaveProperty("tools");
  await rm(target);
  expect(await run("merge", tools, "--out", out)).toMatchObject({
    code: 1,
    error: expect.stringMatching(/^unwritable-target: .*link/) as string,
  });
});
