import type { ChildProcess } from "node:child_process";
import { setMaxListeners } from "node:events";
import { type Problem, SetwiseError } from "@setwise/core";
import packageJson from "../package.json" with { type: "json" };
import { joinToolLists, type McpServer, readTools, type ToolList } from "@setwise/sources";
import { boundedFetch } from "./bounded-fetch.ts";
import { listAllPages, type ToolsPage } from "./list-mcp-tools.ts";
import type { LoadToolsOptions } from "./load-tools.ts";
import { timeoutOf } from "./timeout.ts";

/** What is kept of a server's error output, for the message when it fails. */
const MAX_STDERR_CHARACTERS = 2000;
/** What is shown of a server's own words. */
const MAX_SHOWN_CHARACTERS = 300;

/**
 * Starts or reaches every server, asks for its tools page by page, and stops it again. All servers are asked at once; one that
 * fails or does not answer in time is a problem beside the others' tools.
 *
 * @throws SetwiseError `missing-dependency` without the package `@modelcontextprotocol/sdk`, `server-failed` when every server
 * fails, `aborted`.
 */
export async function readMcpServers(servers: readonly McpServer[], options: LoadToolsOptions = {}): Promise<ToolList> {
  const timeoutMs = timeoutOf(options);
  const sdk = await loadSdk();
  const enabled = servers.filter((server) => !server.disabled);
  const outcomes = await Promise.allSettled(enabled.map((server) => askServer(sdk, server, timeoutMs, options.signal)));
  const lists: ToolList[] = [];
  const problems: Problem[] = [];
  for (const [position, outcome] of outcomes.entries()) {
    const source = enabled[position]?.name ?? "";
    if (outcome.status === "fulfilled") lists.push(outcome.value);
    else problems.push({ code: "server-failed", source, message: (outcome.reason as Error).message });
  }
  if (options.signal?.aborted) throw new SetwiseError("aborted", "Asking the MCP servers was stopped.");
  if (lists.length === 0 && problems.length > 0) {
    throw new SetwiseError(
      "server-failed",
      `None of the ${enabled.length} MCP servers gave its tools. ${problems.map((problem) => problem.message).join(" ")}`,
    );
  }
  const joined = joinToolLists(lists);
  return { ...joined, problems: [...joined.problems, ...problems] };
}

/** The parts of the protocol's SDK that are used; loaded only when a server is to be asked. */
async function loadSdk() {
  try {
    const [client, stdio, http, sse, types] = await Promise.all([
      import("@modelcontextprotocol/sdk/client/index.js"),
      import("@modelcontextprotocol/sdk/client/stdio.js"),
      import("@modelcontextprotocol/sdk/client/streamableHttp.js"),
      import("@modelcontextprotocol/sdk/client/sse.js"),
      import("@modelcontextprotocol/sdk/types.js"),
    ]);
    return { ...client, ...stdio, ...http, ...sse, ...types };
  } catch (cause) {
    throw new SetwiseError(
      "missing-dependency",
      "Starting MCP servers needs the package @modelcontextprotocol/sdk; install it with `npm i @modelcontextprotocol/sdk`.",
      {
        cause,
      },
    );
  }
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>;

async function askServer(
  sdk: Sdk,
  server: McpServer,
  timeoutMs: number,
  stop: AbortSignal | undefined,
): Promise<ToolList> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = stop === undefined ? timeout : AbortSignal.any([timeout, stop]);
  // The SDK leaves a listener for every page.
  setMaxListeners(0, signal);
  const client = new sdk.Client({ name: "setwise", version: packageJson.version });
  let connection: Connection | undefined;
  let child: ChildProcess | undefined;
  try {
    connection = openTransport(sdk, server);
    const connecting = client.connect(connection.transport, { signal, timeout: timeoutMs });
    child = processOf(connection.transport);
    await withSignal(signal, connecting);
    const tools = await listAllPages(server.name, async (cursor): Promise<ToolsPage> => {
      const params = cursor === undefined ? {} : { cursor };
      // The loose result schema: one tool with a null schema must not fail the server's whole list.
      const page = await withSignal(
        signal,
        client.request({ method: "tools/list", params }, sdk.ResultSchema, { signal, timeout: timeoutMs }),
      );
      const nextCursor = page["nextCursor"];
      return {
        tools: Array.isArray(page["tools"]) ? page["tools"] : [],
        nextCursor: typeof nextCursor === "string" ? nextCursor : undefined,
      };
    });
    return readTools({ tools }, { source: server.name, server: server.name });
  } catch (cause) {
    if (SetwiseError.isInstance(cause)) throw cause;
    throw serverError(server.name, cause, timeout.aborted ? timeoutMs : undefined, connection?.errorOutput() ?? "");
  } finally {
    // A server that hangs on closing must not hold up the others; the transport kills it after a while.
    void client.close().catch(() => undefined);
    if (child !== undefined) releaseOutput(child);
  }
}

/** The process behind a transport; the SDK has no name for it. */
function processOf(transport: object): ChildProcess | undefined {
  return (transport as { readonly _process?: ChildProcess })._process;
}

/** A process that the server started and left may hold its output open: that must not keep ours from ending. */
function releaseOutput(child: ChildProcess): void {
  const release = (): void => {
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  if (child.exitCode !== null || child.signalCode !== null) release();
  else child.once("exit", release);
}

type Connection = ReturnType<typeof openTransport>;

function openTransport(sdk: Sdk, server: McpServer) {
  if (server.transport !== "stdio") {
    const Transport = server.transport === "sse" ? sdk.SSEClientTransport : sdk.StreamableHTTPClientTransport;
    const transport = new Transport(new URL(server.url), {
      requestInit: { headers: server.headers },
      fetch: boundedFetch,
    });
    return { transport, errorOutput: () => "" };
  }
  const transport = new sdk.StdioClientTransport({
    command: server.command,
    args: [...server.args],
    env: { ...sdk.getDefaultEnvironment(), ...server.env },
    stderr: "pipe",
    ...(server.cwd === undefined ? {} : { cwd: server.cwd }),
  });
  let output = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-MAX_STDERR_CHARACTERS);
  });
  return { transport, errorOutput: () => output.trim() };
}

/** Rejects as soon as the signal fires, whether or not the SDK notices. */
function withSignal<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

function serverError(
  server: string,
  cause: unknown,
  timedOutAfterMs: number | undefined,
  output: string,
): SetwiseError {
  const told = tellingLine(output);
  const said = told === "" ? "" : ` It said: ${told}`;
  if (timedOutAfterMs !== undefined) {
    return new SetwiseError(
      "timeout",
      `The MCP server "${server}" was left out: it did not answer within ${timedOutAfterMs} ms.${said}`,
      {
        source: server,
        cause,
      },
    );
  }
  const reason = shown(cause instanceof Error ? cause.message : String(cause));
  return new SetwiseError("server-failed", `The MCP server "${server}" was left out: ${reason}.${said}`, {
    source: server,
    cause,
  });
}

/** The line of a server's error output that says most: the first that names an error, else the last. */
function tellingLine(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const naming = lines.find((line) =>
    /\b(\w*error|cannot|could not|not found|failed|fatal|denied|refused)\b/i.test(line),
  );
  return shown(naming ?? lines.at(-1) ?? "");
}

/** A server's own words on one line, shortened. */
function shown(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, " ");
  return line.length > MAX_SHOWN_CHARACTERS ? `${line.slice(0, MAX_SHOWN_CHARACTERS)}…` : line;
}
