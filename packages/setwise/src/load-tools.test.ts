import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { toolListPath, toolListText } from "@setwise/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadTools } from "./load-tools.ts";

/** Named pipes are made by a command that not every system has. */
const hasPipes = spawnSync("mkfifo").error === undefined;

let folder = "";
let server: Server | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-load-"));
});
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

function serve(answer: (path: string) => string | undefined): Promise<string> {
  const created = createServer((request, response) => {
    const text = answer(request.url ?? "");
    if (text === undefined) return;
    if (text === "404") response.writeHead(404);
    response.end(text === "404" ? "" : text);
  });
  server = created;
  return new Promise((resolve) => {
    created.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(created.address() as AddressInfo).port}`));
  });
}

describe("loadTools", () => {
  it("reads every list of a folder and its subfolders, 455 real tools in all", async () => {
    const list = await loadTools([dirname(dirname(toolListPath("mcp/git.tools-list.json")))]);
    // 114 + 108 MCP tools and 40 + 174 + 19 operations (examples/README.md).
    expect(list.tools).toHaveLength(455);
    expect(new Set(list.tools.map((tool) => tool.id)).size).toBe(455);
  });

  it("names tools that two servers have after their servers", async () => {
    const { tools } = await loadTools([
      toolListPath("mcp/filesystem.tools-list.json"),
      toolListPath("mcp/desktop-commander.tools-list.json"),
    ]);
    expect(tools.map((tool) => tool.id)).toEqual(
      expect.arrayContaining(["filesystem/write_file", "desktop-commander/write_file"]),
    );
  });

  it("reports what is no tool list in a folder and uses the rest", async () => {
    await file("tools.json", JSON.stringify([{ name: "a", inputSchema: { type: "object" } }]));
    await file("queries.jsonl", '{"id":"1","query":"q","tools":["a"]}\n{"id":"2","query":"r","tools":["a"]}\n');
    await file("broken.json", '{"tools": [');
    await file("package.json", '{"name":"x","version":"1.0.0"}');
    await file("notes.txt", "no list");
    const list = await loadTools([folder]);
    expect(list.tools.map((tool) => tool.name)).toEqual(["a"]);
    expect(list.problems.filter((problem) => problem.code === "left-out")).toHaveLength(3);
  });

  it("fails for a folder without any list, and for a named file that is none", async () => {
    await expect(loadTools([folder])).rejects.toThrow(/no \.json, \.jsonl, \.yaml or \.yml file/);
    await expect(loadTools([await file("a.json", '{"hello": 1}')])).rejects.toMatchObject({ code: "not-a-tool-list" });
    await expect(loadTools([await file("b.json", '{\n  "tools": [}\n')])).rejects.toMatchObject({
      code: "invalid-syntax",
      line: 2,
      column: 13,
    });
    await expect(loadTools([await file("c.yaml", "a: [1, 2\nb: }")])).rejects.toMatchObject({
      code: "invalid-syntax",
      line: 2,
    });
    await expect(loadTools([await file("empty.json", "")])).rejects.toMatchObject({ code: "invalid-syntax" });
    await expect(loadTools([join(folder, "nowhere.json")])).rejects.toMatchObject({ code: "unreadable-source" });
  });

  it("starts the servers of a client configuration", async () => {
    const script = fileURLToPath(new URL("../test/servers/paged.mjs", import.meta.url));
    const configuration = {
      mcpServers: { paged: { command: process.execPath, args: [script] }, gone: { command: "no-such-command" } },
    };
    const list = await loadTools([await file("mcp.json", JSON.stringify(configuration))]);
    expect(list.tools.map((tool) => tool.name)).toEqual(["tool_0", "tool_1", "tool_2", "null_schema"]);
    expect(list.problems.find((problem) => problem.code === "server-failed")?.source).toBe("gone");
  });

  it("reads an address, within a time", async () => {
    const address = await serve((path) =>
      path === "/slow" ? undefined : path === "/gone" ? "404" : toolListText("mcp/git.tools-list.json"),
    );
    expect((await loadTools([`${address}/git`])).tools).toHaveLength(13);
    await expect(loadTools([`${address}/gone`])).rejects.toThrow(/answered 404/);
    await expect(loadTools([`${address}/slow`], { timeoutMs: 200 })).rejects.toMatchObject({ code: "timeout" });
    await expect(loadTools(["http://127.0.0.1:1/x"])).rejects.toMatchObject({ code: "unreadable-source" });
  });

  it.skipIf(!hasPipes)("refuses what never ends or never begins, and leaves it out of a folder", async () => {
    const pipe = join(folder, "pipe.json");
    execFileSync("mkfifo", [pipe]);
    for (const path of ["/dev/zero", "/dev/null", pipe]) {
      await expect(loadTools([path]), path).rejects.toThrow(/no regular file/);
    }
    await file("good.json", JSON.stringify([{ name: "a", inputSchema: {} }]));
    const list = await loadTools([folder]);
    expect(list.tools.map((tool) => tool.name)).toEqual(["a"]);
    expect(list.problems).toMatchObject([{ code: "left-out", source: pipe }]);
  });

  // Whoever runs as root may read everything.
  it.skipIf(process.getuid?.() === 0)("reports a subfolder it may not read and uses the rest", async () => {
    await file("good.json", JSON.stringify([{ name: "a", inputSchema: {} }]));
    const closed = join(folder, "closed");
    await mkdir(closed, { mode: 0 });
    const list = await loadTools([folder]);
    expect(list.tools.map((tool) => tool.name)).toEqual(["a"]);
    expect(list.problems).toMatchObject([{ code: "left-out", source: closed }]);
    await expect(loadTools([closed])).rejects.toMatchObject({ code: "unreadable-source" });
  });

  it("leaves rings of links and folders behind links out", async () => {
    await file("good.json", JSON.stringify([{ name: "a", inputSchema: {} }]));
    await symlink(".", join(folder, "self"));
    await symlink("two.json", join(folder, "one.json"));
    await symlink("one.json", join(folder, "two.json"));
    const list = await loadTools([folder]);
    expect(list.tools.map((tool) => tool.name)).toEqual(["a"]);
    expect(list.problems.map((problem) => problem.code)).toEqual(["left-out", "left-out"]);
  });

  it("reads UTF-16 as well as UTF-8, with or without a mark", async () => {
    const text = JSON.stringify([{ name: "größe", inputSchema: {} }]);
    const little = Buffer.from(`\uFEFF${text}`, "utf16le");
    for (const bytes of [little, Buffer.from(little).swap16(), Buffer.from(`\uFEFF${text}`)]) {
      await writeFile(join(folder, "marked.json"), bytes);
      expect((await loadTools([join(folder, "marked.json")])).tools[0]?.name).toBe("größe");
    }
  });

  it("refuses one source that is not in a list", async () => {
    await expect(loadTools("tools.json" as never)).rejects.toMatchObject({ code: "invalid-argument" });
  });

  it("refuses a time that no timer can keep", async () => {
    for (const timeoutMs of [0, -1, 1.5, Number.NaN, 2 ** 31]) {
      await expect(loadTools(["http://127.0.0.1:1/x"], { timeoutMs })).rejects.toMatchObject({
        code: "invalid-argument",
      });
    }
  });

  it("stops when the caller says so", async () => {
    const address = await serve(() => undefined);
    const controller = new AbortController();
    const reading = loadTools([`${address}/slow`], { signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    await expect(reading).rejects.toMatchObject({ code: "aborted" });
    await expect(loadTools([folder], { signal: controller.signal })).rejects.toMatchObject({ code: "aborted" });
  });
});
