import { type Entry, isEntry, type Reading, report } from "../tool-draft.ts";
import { kindOf, quote } from "../show.ts";

/** A server that a client configuration starts as a process. */
export interface McpStdioServer {
  readonly name: string;
  readonly transport: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly disabled: boolean;
}

/** A server that a client configuration reaches at an address. */
export interface McpHttpServer {
  readonly name: string;
  /** `http` is Streamable HTTP. */
  readonly transport: "http" | "sse";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly disabled: boolean;
}

export type McpServer = McpStdioServer | McpHttpServer;

/** The keys under which clients keep their servers: most; VS Code; Zed. */
const configurationKeys = ["mcpServers", "servers", "context_servers"] as const;

/** The servers of a client configuration, or `undefined` if `entry` is none. */
export function configuredServers(entry: Entry): Entry | undefined {
  for (const key of configurationKeys) {
    const servers = entry[key];
    if (!isEntry(servers)) continue;
    if (
      key === "mcpServers" ||
      Object.values(servers).some((server) => isEntry(server) && ("command" in server || "url" in server))
    ) {
      return servers;
    }
  }
  return undefined;
}

/** Adds the servers to the reading; one that names neither command nor address is reported and left out. */
export function readServerConfiguration(servers: Entry, reading: Reading): void {
  const names = Object.keys(servers);
  if (names.length === 0) report(reading, "empty-list", "The configuration names no server.");
  for (const name of names) {
    const server = isEntry(servers[name]) ? readServer(name, servers[name]) : undefined;
    if (server !== undefined) reading.mcpServers.push(server);
    else {
      report(
        reading,
        "left-out",
        `The server ${quote(name)} was left out: expected a command or a url, found ${kindOf(servers[name])}.`,
      );
    }
  }
}

function readServer(name: string, entry: Entry): McpServer | undefined {
  const disabled = entry["disabled"] === true || entry["enabled"] === false;
  const { command, cwd } = entry;
  if (typeof command === "string" && command !== "") {
    return {
      name,
      transport: "stdio",
      command,
      args: Array.isArray(entry["args"]) ? entry["args"].map(String) : [],
      env: texts(entry["env"]),
      ...(typeof cwd === "string" ? { cwd } : {}),
      disabled,
    };
  }
  const url = entry["url"] ?? entry["serverUrl"] ?? entry["httpUrl"];
  if (typeof url !== "string" || url === "") return undefined;
  const isSse = entry["type"] === "sse" || entry["transport"] === "sse";
  return { name, transport: isSse ? "sse" : "http", url, headers: texts(entry["headers"]), disabled };
}

function texts(value: unknown): Record<string, string> {
  if (!isEntry(value)) return {};
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, text]) => typeof text === "string" || typeof text === "number" || typeof text === "boolean")
      .map(([key, text]) => [key, String(text)]),
  );
}
