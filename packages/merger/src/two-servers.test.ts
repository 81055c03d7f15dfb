import { mkdtemp, realpath, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createCatalog, type Tool, type ToolAnnotations } from "@setwise/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { mergeTools, type MergedCatalog } from "./merge-tools.ts";

/* Two file servers as they are published, by different people and in different words, over one folder. */
const require = createRequire(import.meta.url);
const servers = {
  filesystem: "@modelcontextprotocol/server-filesystem/dist/index.js",
  "fast-filesystem": "fast-filesystem-mcp/dist/index.js",
} as const;

let folder = "";
let merged: MergedCatalog;
const clients = new Map<string, Client>();
const asked: string[] = [];

async function start(server: string, entry: string): Promise<readonly Tool[]> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const args = [fileOf(entry), folder];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore", cwd: folder }));
  clients.set(server, client);
  const { tools } = await client.listTools();
  return tools.map((tool): Tool => {
    const { name, description = "", inputSchema, annotations } = tool;
    const hints = annotations === undefined ? {} : { annotations: annotations as ToolAnnotations };
    return { id: `${server}/${name}`, name, description, inputSchema, server, ...hints, original: tool };
  });
}

function fileOf(entry: string): string {
  for (const root of require.resolve.paths(entry) ?? []) {
    try {
      return require.resolve(join(root, entry));
    } catch {
      // It is in another folder.
    }
  }
  throw new Error(`${entry} is not installed.`);
}

/** Calls the unified tool, so that the member decides about the server. */
async function call(tool: string, given: Readonly<Record<string, unknown>>, server: string): Promise<string> {
  const resolved = merged.resolve({ tool, arguments: given }, { server });
  if (resolved.status !== "resolved") throw new Error(resolved.reason);
  const { member } = resolved;
  asked.push(member.id);
  const answer = await clients
    .get(member.server ?? "")
    ?.callTool({ name: member.name, arguments: { ...resolved.arguments } });
  return JSON.stringify(answer?.content);
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "setwise-files-")));
  const lists = await Promise.all(Object.entries(servers).map(([server, entry]) => start(server, entry)));
  merged = await mergeTools(createCatalog(lists.flat()));
}, 120_000);
afterAll(async () => {
  await Promise.all([...clients.values()].map((client) => client.close()));
  await rm(folder, { recursive: true, force: true });
});

it("What two file servers both do is one tool, and what they do otherwise or for themselves stays apart", () => {
  const members = merged.clusters.map((cluster) => cluster.members.toSorted()).toSorted(byFirst);
  expect(members).toEqual([
    ["fast-filesystem/fast_create_directory", "filesystem/create_directory"],
    ["fast-filesystem/fast_get_directory_tree", "filesystem/directory_tree"],
    ["fast-filesystem/fast_get_file_info", "filesystem/get_file_info"],
    ["fast-filesystem/fast_list_directory", "filesystem/list_directory"],
    ["fast-filesystem/fast_move_file", "filesystem/move_file"],
    ["fast-filesystem/fast_read_file", "filesystem/read_file"],
    ["fast-filesystem/fast_read_multiple_files", "filesystem/read_multiple_files"],
  ]);
  // The folders that a server may touch are its own, and nothing undoes what deleting does.
  expect(merged.newIdOf("filesystem/list_allowed_directories")).toBe("filesystem/list_allowed_directories");
  expect(merged.newIdOf("fast-filesystem/fast_delete_file")).toBe("fast-filesystem/fast_delete_file");
});

it("A call of the unified tool is carried out by the server that is wanted, with that one's arguments", async () => {
  await call("filesystem/create_directory", { path: join(folder, "a") }, "filesystem");
  await call("filesystem/create_directory", { path: join(folder, "b", "c"), recursive: true }, "fast-filesystem");
  expect((await stat(join(folder, "a"))).isDirectory()).toBe(true);
  expect((await stat(join(folder, "b", "c"))).isDirectory()).toBe(true);
  await call(
    "filesystem/move_file",
    { source: join(folder, "b", "c"), destination: join(folder, "d") },
    "fast-filesystem",
  );
  for (const server of Object.keys(servers)) {
    expect(await call("filesystem/list_directory", { path: folder }, server)).toMatch(/\ba\b.*\bb\b.*\bd\b/s);
  }
  expect(asked).toEqual([
    "filesystem/create_directory",
    "fast-filesystem/fast_create_directory",
    "fast-filesystem/fast_move_file",
    "filesystem/list_directory",
    "fast-filesystem/fast_list_directory",
  ]);
});

it("An argument that one server alone knows leads to that server, whichever is wanted", () => {
  const given = { path: folder, page: 2 };
  const resolved = merged.resolve({ tool: "filesystem/list_directory", arguments: given }, { server: "filesystem" });
  expect(resolved).toMatchObject({
    status: "resolved",
    member: { id: "fast-filesystem/fast_list_directory" },
    arguments: given,
  });
});

it("The same server started twice is two: what one changes the other does not see", async () => {
  const tools = await start("again", servers.filesystem);
  const first = merged.foldings.flatMap(({ members }) => members).filter(({ server }) => server === "filesystem");
  const both = [...first, ...tools.filter(({ name }) => first.some((tool) => tool.name === name))];
  const twice = await mergeTools(createCatalog(both));
  expect(twice.clusters).toEqual([]);
  for (const { id, name } of first) {
    const pair = twice.rejected.find(({ members }) => members.includes(id) && members.includes(`again/${name}`));
    expect(pair?.reason).toContain("offer the same tools throughout");
  }
});

const byFirst = (a: readonly string[], b: readonly string[]): number => ((a[0] ?? "") < (b[0] ?? "") ? -1 : 1);
