// A stdio MCP server that tells a forecast under the names of its first argument, and says who it is and what it was called with.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const text = { type: "string" };
const lists = {
  sky: [
    {
      name: "get_forecast",
      description: "Get the weather forecast for a city.",
      inputSchema: { type: "object", properties: { city: text, days: { type: "integer" } }, required: ["city"] },
    },
    {
      name: "list_alerts",
      description: "List warnings of storms.",
      inputSchema: { type: "object", properties: { region: text } },
    },
  ],
  cloud: [
    {
      name: "getWeatherForecast",
      description: "Get the weather forecast for a city.",
      inputSchema: {
        type: "object",
        properties: { city_name: text, days: { type: "integer" } },
        required: ["city_name"],
      },
    },
  ],
};

const [name = "sky"] = process.argv.slice(2);
const server = new Server({ name, version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: lists[name] }));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
  content: [{ type: "text", text: JSON.stringify({ server: name, tool: params.name, arguments: params.arguments }) }],
}));
await server.connect(new StdioServerTransport());
