import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createSelector } from "./create-selector.ts";
import { loadTools } from "./load-tools.ts";
import type { Selector } from "./selector.ts";

/* Two servers that run, each of which tells a forecast: merged, and called through the one tool that stands for both. */
const script = fileURLToPath(new URL("../test/servers/weather.mjs", import.meta.url));
const names = ["sky", "cloud"] as const;
const commandOf = (name: string): { command: string; args: string[] } => ({
  command: process.execPath,
  args: [script, name],
});

let folder = "";
let selector: Selector;
const clients = new Map<string, Client>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-servers-"));
  const file = join(folder, "mcp.json");
  await writeFile(
    file,
    JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, commandOf(name)])) }),
  );
  selector = await createSelector({ tools: await loadTools([file]), merge: true });
  for (const name of names) {
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StdioClientTransport(commandOf(name)));
    clients.set(name, client);
  }
}, 60_000);
afterAll(async () => {
  for (const client of clients.values()) await client.close();
  await rm(folder, { recursive: true, force: true });
});

/** What the server says that it was called with. */
async function called(given: Readonly<Record<string, unknown>>, server?: string): Promise<unknown> {
  const call = { tool: "get_forecast", arguments: given };
  const resolved = selector.resolve(call, server === undefined ? {} : { server });
  if (resolved.status !== "resolved") throw new Error(resolved.reason);
  const { member } = resolved;
  const client = clients.get(member.server ?? "");
  const { content } = (await client?.callTool({ name: member.name, arguments: { ...resolved.arguments } })) ?? {};
  return JSON.parse((content as readonly { readonly text: string }[])[0]?.text ?? "");
}

it("one tool stands for those of two servers, and a call of it reaches the one that is meant, in that one's words", async () => {
  expect(selector.catalog.tools.map(({ id }) => id).toSorted()).toEqual(["get_forecast", "list_alerts"]);
  const given = { city: "Oslo", days: 2 };
  expect(await called(given)).toEqual({ server: "sky", tool: "get_forecast", arguments: given });
  expect(await called(given, "cloud")).toEqual({
    server: "cloud",
    tool: "getWeatherForecast",
    arguments: { city_name: "Oslo", days: 2 },
  });
});
