export { listAllPages, type ToolsPage } from "./list-mcp-tools.ts";
export { readMcpServers } from "./read-mcp-servers.ts";
