import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { McpServer } from "@setwise/sources";
import { afterEach, describe, expect, it, vi } from "vitest";
import { listAllPages } from "./list-mcp-tools.ts";
import { readMcpServers } from "./read-mcp-servers.ts";

const script = fileURLToPath(new URL("../test/servers/paged.mjs", import.meta.url));
const stdio = (name: string, behaviour = "paged"): McpServer => ({
  name,
  transport: "stdio",
  command: process.execPath,
  args: [script, behaviour],
  env: {},
  disabled: false,
});
const http = (name: string, url: string): McpServer => ({
  name,
  transport: "http",
  url,
  headers: { "x-key": "secret" },
  disabled: false,
});

const pipes = (): number => process.getActiveResourcesInfo().filter((name) => name === "PipeWrap").length;
const pipesAtRest = pipes();

let listening: HttpServer | undefined;
afterEach(() => {
  listening?.closeAllConnections();
  listening?.close();
});

/** Listens on a free port of this machine. */
function listen(handler: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(handler as never);
  listening = server;
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`));
  });
}

const names = (list: { readonly tools: readonly { readonly name: string }[] }): string[] =>
  list.tools.map((tool) => tool.name);

describe("readMcpServers over stdio", () => {
  it("reads all pages, and one bad tool does not cost the server its list", async () => {
    const list = await readMcpServers([stdio("paged")]);
    expect(names(list)).toEqual(["tool_0", "tool_1", "tool_2", "null_schema"]);
    expect(list.tools[0]?.server).toBe("paged");
    expect(list.problems.map((problem) => problem.code)).toEqual(expect.arrayContaining(["left-out"]));
  });

  it("uses the others when one crashes, never answers, never ends or is not there", { timeout: 40_000 }, async () => {
    const servers = [
      stdio("good"),
      stdio("crashing", "crash"),
      stdio("silent", "silent"),
      stdio("endless", "endless"),
      stdio("stuck", "hang-on-page-two"),
      { ...stdio("missing"), command: "no-such-command-anywhere" } as McpServer,
      { ...stdio("no-script"), args: ["/nowhere/server.mjs"] } as McpServer,
    ];
    const list = await readMcpServers(servers, { timeoutMs: 6000 });
    expect(names(list)).toHaveLength(4);
    const messages = Object.fromEntries(
      list.problems
        .filter((problem) => problem.code === "server-failed")
        .map((problem) => [problem.source, problem.message]),
    );
    expect(Object.keys(messages).toSorted()).toEqual([
      "crashing",
      "endless",
      "missing",
      "no-script",
      "silent",
      "stuck",
    ]);
    expect(messages["crashing"]).toMatch(/cannot open the database/);
    expect(messages["no-script"]).toMatch(/Cannot find module/);
    expect(messages["silent"]).toMatch(/did not answer within 6000 ms/);
    expect(messages["stuck"]).toMatch(/did not answer within 6000 ms/);
    expect(messages["endless"]).toMatch(/never ends/);
    expect(messages["missing"]).toMatch(/no-such-command-anywhere/);
  });

  it("fails when every server fails, and leaves disabled ones alone", async () => {
    await expect(readMcpServers([stdio("crashing", "crash")])).rejects.toMatchObject({ code: "server-failed" });
    const list = await readMcpServers([{ ...stdio("off", "crash"), disabled: true }, stdio("on")]);
    expect(names(list)).toHaveLength(4);
    expect(list.problems.some((problem) => problem.code === "server-failed")).toBe(false);
  });

  it("says in one short line what a server answers, and which address is none", async () => {
    const list = await readMcpServers([stdio("good"), stdio("no", "refuses"), http("nowhere", "not an address")]);
    const problems = list.problems.filter((problem) => problem.code === "server-failed");
    expect(problems.map((problem) => problem.source)).toEqual(["no", "nowhere"]);
    for (const { message, source } of problems) {
      expect(message).toContain(`"${source}" was left out`);
      expect(message).toMatch(/^\P{Cc}{20,400}$/u);
    }
  });

  it("reads many pages without a warning of Node's", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on("warning", note);
    expect(names(await readMcpServers([stdio("many", "many-pages")]))).toHaveLength(32);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });

  it("lets our process end although a server left one behind that holds its output", { timeout: 15_000 }, async () => {
    expect(names(await readMcpServers([stdio("leaving", "leaves-a-process")]))).toHaveLength(4);
    // What it left lives for 20 seconds.
    await vi.waitFor(() => expect(pipes()).toBeLessThanOrEqual(pipesAtRest), { timeout: 10_000 });
  });

  it("stops when the caller says so", async () => {
    const controller = new AbortController();
    const reading = readMcpServers([stdio("silent", "silent")], { signal: controller.signal });
    setTimeout(() => controller.abort(), 200);
    await expect(reading).rejects.toMatchObject({ code: "aborted" });
  });
});

describe("readMcpServers over Streamable HTTP", () => {
  it("sends the headers and reads the list", async () => {
    let key: unknown;
    const url = await listen(async (request, response) => {
      key = request.headers["x-key"];
      const server = new Server({ name: "web", version: "1.0.0" }, { capabilities: { tools: {} } });
      server.setRequestHandler(ListToolsRequestSchema, () => ({
        tools: [{ name: "web_tool", inputSchema: { type: "object" } }],
      }));
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined } as never);
      await server.connect(transport as never);
      await transport.handleRequest(request, response);
    });
    const list = await readMcpServers([http("web", url)]);
    expect(names(list)).toEqual(["web_tool"]);
    expect(key).toBe("secret");
  });

  it("leaves out a server whose answer never ends", async () => {
    const chunk = Buffer.alloc(1 << 20, " ");
    const url = await listen((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const send = (): void => {
        while (response.write(chunk));
        response.once("drain", send);
      };
      send();
    });
    await expect(readMcpServers([http("endless", url)])).rejects.toThrow(/more than 67108864 bytes/);
  });

  it("reports a server that answers with an error, and one that never answers", async () => {
    const refusing = await listen((_request, response) => void response.writeHead(503).end("down"));
    await expect(readMcpServers([http("refusing", refusing)])).rejects.toThrow(/"refusing" was left out/);
    const silent = await listen(() => undefined);
    await expect(readMcpServers([http("silent", silent)], { timeoutMs: 300 })).rejects.toThrow(
      /did not answer within 300 ms/,
    );
  });
});

describe("listAllPages", () => {
  it("refuses a page of very many tools", async () => {
    const huge = listAllPages("x", async () => ({
      tools: Array.from({ length: 200_000 }, () => ({})),
      nextCursor: undefined,
    }));
    await expect(huge).rejects.toThrow(/more than 20000 tools/);
  });

  it("gives up on a list that has ever new pages", async () => {
    let page = 0;
    const endless = listAllPages("x", async () => ({ tools: [{}], nextCursor: String(page++) }));
    await expect(endless).rejects.toThrow(/more than 200 pages/);
  });
});
