import { expect, test } from "vitest";
import { readTools } from "../read-tools.ts";

test("A client configuration is recognised; nothing is started, and what names no server is left out.", () => {
  const list = readTools({
    mcpServers: {
      filesystem: { command: "npx", args: ["-y", "server-filesystem", "/tmp"], env: { LEVEL: 1 }, disabled: true },
      remote: { url: "https://example.com/mcp", headers: { Authorization: "Bearer x" } },
      events: { type: "sse", url: "https://example.com/sse" },
      broken: { args: [] },
    },
  });
  expect(list.tools).toEqual([]);
  expect(list.mcpServers).toEqual([
    {
      name: "filesystem",
      transport: "stdio",
      command: "npx",
      args: ["-y", "server-filesystem", "/tmp"],
      env: { LEVEL: "1" },
      disabled: true,
    },
    {
      name: "remote",
      transport: "http",
      url: "https://example.com/mcp",
      headers: { Authorization: "Bearer x" },
      disabled: false,
    },
    { name: "events", transport: "sse", url: "https://example.com/sse", headers: {}, disabled: false },
  ]);
  expect(list.problems.map((problem) => problem.code)).toEqual(["left-out"]);
});

test("The `servers` of an editor's configuration are recognised by their commands and addresses.", () => {
  expect(readTools({ servers: { a: { command: "node" } }, inputs: [] }).mcpServers.length).toBe(1);
  expect(() => readTools({ servers: [{ url: "https://api.example.com" }] })).toThrow(/Expected tools/);
});

test("A configuration without servers is an empty list, not a failure.", () => {
  expect(readTools({ mcpServers: {} }).problems.map((problem) => problem.code)).toContain("empty-list");
});
