import type { Problem, Tool } from "@setwise/core";
import { assignIds } from "./tool-ids.ts";
import type { ToolFormat, ToolLink, ToolList } from "./tool-list.ts";

/** One list of several, with ids that are unique over all of them and do not depend on their order. */
export function joinToolLists(lists: readonly ToolList[]): ToolList {
  const formats: Partial<Record<ToolFormat, number>> = {};
  for (const list of lists) {
    for (const [format, count] of Object.entries(list.formats) as [ToolFormat, number][]) {
      formats[format] = (formats[format] ?? 0) + count;
    }
  }
  const { tools, problems } = assignIds(lists.flatMap((list) => list.tools));
  const idsNow = newIds(lists, tools);
  return {
    tools,
    links: lists.flatMap((list, place) => list.links.map((link) => withIdsNow(link, idsNow[place]))),
    hosted: lists.flatMap((list) => list.hosted),
    mcpServers: lists.flatMap((list) => list.mcpServers),
    formats,
    problems: [...renamedProblems(lists, idsNow), ...problems],
  };
}

/** For each list, the ids that hold now by those it gave. */
function newIds(lists: readonly ToolList[], tools: readonly Tool[]): readonly ReadonlyMap<string, string>[] {
  let start = 0;
  return lists.map((list) => {
    const ids = new Map(list.tools.map((tool, position) => [tool.id, tools[start + position]?.id ?? tool.id]));
    start += list.tools.length;
    return ids;
  });
}

function withIdsNow({ from, to }: ToolLink, ids: ReadonlyMap<string, string> | undefined): ToolLink {
  const idOf = (tool: string): string => ids?.get(tool) ?? tool;
  return { from: { ...from, tool: idOf(from.tool) }, to: { ...to, tool: idOf(to.tool) } };
}

/** The lists' problems under the ids that hold now; collisions inside one list are found again over all. */
function renamedProblems(lists: readonly ToolList[], idsNow: readonly ReadonlyMap<string, string>[]): Problem[] {
  return lists.flatMap((list, place) => {
    return list.problems
      .filter((problem) => problem.code !== "name-collision")
      .map((problem) => {
        const toolId = problem.toolId === undefined ? undefined : idsNow[place]?.get(problem.toolId);
        return toolId === undefined || toolId === problem.toolId ? problem : { ...problem, toolId };
      });
  });
}
