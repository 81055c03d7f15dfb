// A stdio MCP server whose behaviour is named by its first argument.
import { spawn } from "node:child_process";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const [behaviour = "paged"] = process.argv.slice(2);
if (behaviour === "crash") {
  console.error("cannot open the database");
  process.exit(3);
}
if (behaviour === "leaves-a-process")
  spawn(process.execPath, ["-e", "setTimeout(() => {}, 20_000)"], { stdio: "inherit" }).unref();
// Silent for longer than any test waits, but not for ever.
if (behaviour === "silent") setTimeout(() => undefined, 30_000);
else await serve();

async function serve() {
  const server = new Server({ name: "paged", version: "1.0.0" }, { capabilities: { tools: {} } });
  const tool = (name) => ({ name, description: `Does ${name}.`, inputSchema: { type: "object", properties: {} } });
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const page = Number(params?.cursor ?? 0);
    if (behaviour === "endless") return { tools: [tool(`tool_${page}`)], nextCursor: "0" };
    if (behaviour === "refuses") throw new Error(`no\n\u001B[31m${"!".repeat(5000)}`);
    if (behaviour === "hang-on-page-two" && page === 1) return new Promise(() => undefined);
    if (page < (behaviour === "many-pages" ? 30 : 2))
      return { tools: [tool(`tool_${page}`)], nextCursor: String(page + 1) };
    return { tools: [tool(`tool_${page}`), { name: "null_schema", inputSchema: null }, 7] };
  });
  await server.connect(new StdioServerTransport());
}
