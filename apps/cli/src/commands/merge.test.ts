import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolListPath } from "@setwise/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runCommandLine } from "../command-line.ts";

const lists = ["filesystem", "desktop-commander"].map((name) => toolListPath(`mcp/${name}.tools-list.json`));
let folder = "";
let out = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-merge-"));
  out = join(folder, "merged.json");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function run(...parameters: readonly string[]): Promise<{ code: number; out: string; error: string }> {
  let [text, error] = ["", ""];
  const code = await runCommandLine(parameters, {
    write: (part) => void (text += part),
    writeError: (part) => void (error += part),
    isTerminal: false,
  });
  return { code, out: text, error };
}

interface Report {
  readonly before: number;
  readonly after: number;
  readonly clusters: readonly { readonly representative: string; readonly members: readonly string[] }[];
  readonly rejected: readonly {
    readonly members: readonly string[];
    readonly reason: string;
    readonly likeness: number;
  }[];
}

async function merge(...parameters: readonly string[]): Promise<Report> {
  const { code, out: text } = await run("merge", ...lists, "--out", out, ...parameters, "--json");
  expect(code).toBe(0);
  return JSON.parse(text) as Report;
}

interface MergedFile {
  readonly tools: readonly { readonly id: string }[];
  readonly aliases: readonly Readonly<Record<string, unknown>>[];
  readonly report: Report;
}

const written = async (): Promise<MergedFile> => JSON.parse(await readFile(out, "utf8")) as MergedFile;

it("prints the document of the architecture, and folds what two servers both offer", async () => {
  const report = await merge();
  expect(Object.keys(report)).toEqual(["before", "after", "tokens", "clusters", "rejected", "problems"]);
  const folded = report.clusters.reduce((sum, { members }) => sum + members.length - 1, 0);
  expect(folded).toBeGreaterThan(2);
  expect(report.after).toBe(report.before - folded);
  const move = report.clusters.find(({ members }) => members.includes("filesystem/move_file"));
  expect(move?.members).toContain("desktop-commander/move_file");
  expect(report.rejected.every(({ members, reason }) => members.length === 2 && reason !== "")).toBe(true);
});

it("writes a catalog that every command takes, with the way from each old tool to its new one", async () => {
  const { after } = await merge();
  const { tools, aliases, report } = await written();
  expect([tools.length, report.after]).toEqual([after, after]);
  const ids = new Set(tools.map(({ id }) => id));
  expect(aliases.every(({ tool }) => ids.has(tool as string))).toBe(true);
  expect(aliases).toContainEqual({
    id: "filesystem/move_file",
    name: "move_file",
    server: "filesystem",
    tool: "desktop-commander/move_file",
    arguments: { source: "source", destination: "destination" },
  });
  const read = JSON.parse((await run("tools", out, "--json")).out) as { list: readonly { readonly id: string }[] };
  expect(read.list.map(({ id }) => id)).toEqual(tools.map(({ id }) => id));
  expect(await readdir(folder)).toEqual(["merged.json"]);
});

it("writes a catalog that is measured on queries of before the merge, by old ids and by old names", async () => {
  await merge();
  const queries = join(folder, "queries.jsonl");
  const query = "move the file to another folder";
  const labels = ["filesystem/move_file", "desktop-commander/move_file", "move_file"];
  await writeFile(queries, labels.map((tool, at) => JSON.stringify({ id: `${at}`, query, tools: [tool] })).join("\n"));
  const { out: text } = await run("evaluate", out, "--queries", queries, "--json");
  expect(JSON.parse(text)).toMatchObject({ queries: 3, unknownGold: 0, ranking: { "recall@1": 1 } });
});

it("tells how much of a log can still be called, and of tools that were called three times or fewer", async () => {
  const log = join(folder, "log.jsonl");
  // 4 + 3 calls of tools that are folded, 1 of one that is not; of these three tools two were called three times or fewer.
  const called = ["filesystem/move_file", "desktop-commander/move_file", "list_allowed_directories", "gone"];
  const lines = [4, 3, 1, 1].flatMap((times, at) => Array.from({ length: times }, () => [called[at]]));
  await writeFile(log, lines.map((tools, id) => JSON.stringify({ id: `${id}`, query: "move", tools })).join("\n"));
  const { code, out: text } = await run("merge", ...lists, "--out", out, "--log", log, "--json");
  expect(code).toBe(0);
  expect(JSON.parse(text)).toMatchObject({
    coverage: {
      calls: 8,
      callCoverage: 1,
      capabilities: 3,
      capabilityCoverage: 1,
      rareCapabilities: 2,
      rareCoverage: 1,
    },
    problems: expect.arrayContaining([
      expect.objectContaining({ code: "left-out", message: expect.stringContaining(": gone.") as string }),
    ]) as unknown,
  });
  const { out: told } = await run("merge", ...lists, "--out", out, "--log", log);
  expect(told).toMatch(/^tool-call coverage 100\.0 % of 8 logged calls$/m);
  expect(told).toMatch(
    /^unique-capability coverage 100\.0 % of 3 tools that were called; of 2 tools called three times or fewer 100\.0 %$/m,
  );
  expect(await run("merge", ...lists, "--out", log, "--log", log)).toMatchObject({ code: 1 });
});

it("lists the pairs that stay two by how alike they are", async () => {
  const { rejected } = await merge();
  const likeness = rejected.map((pair) => pair.likeness);
  expect(likeness).toEqual(likeness.toSorted((a, b) => b - a));
  expect(likeness[0]).toBeGreaterThan(0.5);
});

it("obeys what a person has changed in the review file, and keeps it there", async () => {
  const review = join(folder, "review.json");
  const { clusters } = await merge("--review", review);
  const text = await readFile(review, "utf8");
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.includes('"filesystem/move_file"') && line.includes('"judged":"same"'));
  await writeFile(
    review,
    lines.with(at, (lines[at] ?? "").replace('"decision":"same"', '"decision":"different"')).join("\n"),
  );
  const again = await merge("--review", review);
  expect(again.clusters).toHaveLength(clusters.length - 1);
  expect(again.clusters.flatMap(({ members }) => members)).not.toContain("filesystem/move_file");
  expect(await merge("--review", review)).toEqual(again);
});

it("tells a person what became of the tools, and where it stands", async () => {
  const { out: text, error } = await run("merge", ...lists, "--out", out, "--encoder", "none");
  expect(error).toBe("");
  expect(text).toMatch(/^\d+ tools became \d+; tokens of definitions [\d,]+ before, [\d,]+ after \(\d+\.\d % less\)$/m);
  expect(text).toMatch(/^ {2}desktop-commander\/move_file = filesystem\/move_file\n {4}\S/m);
  expect(text).toMatch(/^look alike and stay two \(\d+\)$/m);
  expect(text).toContain(`${out}: written.`);
});

it("tells how many decisions of the review file were obeyed, and of what is wrong with them some lines", async () => {
  const review = join(folder, "review.json");
  await merge("--review", review);
  const { pairs } = JSON.parse(await readFile(review, "utf8")) as { pairs: Readonly<Record<string, unknown>>[] };
  const pair = pairs.find(({ judged }) => judged === "same");
  const other = pairs.find(({ judged }) => judged === "different");
  const gone = Array.from({ length: 20 }, (_, at) => ({ ...pair, a: `gone-${at}`, reviewed: true }));
  const stale = { ...pair, reviewed: true, content: "another" };
  await writeFile(review, JSON.stringify({ version: 1, pairs: [...gone, { ...other, reviewed: true }, stale] }));
  const { out: text } = await run("merge", ...lists, "--out", out, "--review", review);
  expect(text).toMatch(/^of 22 decisions in the review file 1 were obeyed$/m);
  expect(text.match(/^(stale|unknown)-pin: /gm)).toHaveLength(5);
  expect(text).toMatch(/^stale-pin: .*\n(unknown-pin: .*\n){4} {2}… and 16 more; all of them with --json$/m);
});

it("refuses a review file that is none, and a place that cannot be written, before anything is read", async () => {
  const review = join(folder, "review.json");
  await writeFile(review, "{}");
  expect(await run("merge", ...lists, "--out", out, "--review", review)).toMatchObject({
    code: 1,
    error: expect.stringMatching(/^corrupt-file: /) as string,
  });
  expect(await run("merge", "missing.json", "--out", join(folder, "no", "merged.json"))).toMatchObject({
    code: 1,
    error: expect.stringMatching(/^unwritable-target: /) as string,
  });
  expect(await readdir(folder)).toEqual(["review.json"]);
});
