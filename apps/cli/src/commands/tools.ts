import { type Catalog, createCatalog, exportTools, loadTools, type Problem, providers } from "setwise";
import { columnWidth, type Output, printJson, printLines } from "../output.ts";

const SHOWN_PROBLEMS = 3;

/** `setwise tools`: what was read, and what a provider would refuse. */
export async function toolsCommand(
  sources: readonly string[],
  options: { readonly timeout?: number; readonly json?: boolean },
  output: Output,
): Promise<void> {
  const list = await loadTools(sources, options.timeout === undefined ? {} : { timeoutMs: options.timeout });
  const catalog = createCatalog(list.tools);
  const refused = providerProblems(catalog);
  const servers = serversOf(catalog);
  const tokens = catalog.tokens.reduce((sum, cost) => sum + cost, 0);
  if (options.json === true) {
    const tools = catalog.tools.map((tool, ordinal) => ({
      id: tool.id,
      name: tool.name,
      ...(tool.server === undefined ? {} : { server: tool.server }),
      tokens: catalog.tokens[ordinal] ?? 0,
    }));
    printJson(output, {
      tools: catalog.tools.length,
      tokens,
      hosted: list.hosted.length,
      formats: list.formats,
      servers,
      problems: [...list.problems, ...refused],
      list: tools,
    });
    return;
  }
  const width = columnWidth(servers.map((server) => server.name));
  printLines(output, [
    `${catalog.tools.length} tools, ${tokens.toLocaleString("en")} tokens of definitions`,
    ...servers.map(
      (server) =>
        `  ${server.name.padEnd(width)}  ${String(server.tools).padStart(5)} tools  ${server.tokens.toLocaleString("en").padStart(9)} tokens`,
    ),
    "",
    list.problems.length === 0 ? "no problems" : `${list.problems.length} problems`,
    ...problemLines(list.problems),
    ...(refused.length === 0 ? [] : ["", "what has to change for providers, done on export"]),
    ...problemLines(refused),
  ]);
}

/** Problems by kind, the first few of each: a catalog with one trouble everywhere must not fill the screen. */
function problemLines(problems: readonly Problem[]): string[] {
  const groups = new Map<string, Problem[]>();
  for (const problem of problems) {
    const group = groups.get(problem.code);
    if (group === undefined) groups.set(problem.code, [problem]);
    else group.push(problem);
  }
  return [...groups].flatMap(([code, group]) => [
    `  ${code} (${group.length})`,
    ...group.slice(0, SHOWN_PROBLEMS).map((problem) => `    ${problem.message}`),
    ...(group.length > SHOWN_PROBLEMS
      ? [`    … and ${group.length - SHOWN_PROBLEMS} more; all of them with --json`]
      : []),
  ]);
}

interface ServerCount {
  readonly name: string;
  tools: number;
  tokens: number;
}

function serversOf(catalog: Catalog): ServerCount[] {
  const servers = new Map<string, ServerCount>();
  for (const [ordinal, tool] of catalog.tools.entries()) {
    const name = tool.server ?? "(no server)";
    const server = servers.get(name) ?? { name, tools: 0, tokens: 0 };
    server.tools += 1;
    server.tokens += catalog.tokens[ordinal] ?? 0;
    servers.set(name, server);
  }
  return [...servers.values()];
}

/** What each provider would refuse, each trouble once with the providers it concerns. */
function providerProblems(catalog: Catalog): Problem[] {
  const concerned = new Map<string, { problem: Problem; providers: string[] }>();
  for (const provider of providers) {
    for (const problem of exportTools(catalog.tools, provider).problems) {
      const key = `${problem.code}\n${problem.toolId ?? ""}`;
      const entry = concerned.get(key) ?? { problem, providers: [] };
      if (!entry.providers.includes(provider)) entry.providers.push(provider);
      concerned.set(key, entry);
    }
  }
  return [...concerned.values()].map((entry) => ({
    ...entry.problem,
    message: `${entry.problem.message} (${entry.providers.join(", ")})`,
  }));
}
