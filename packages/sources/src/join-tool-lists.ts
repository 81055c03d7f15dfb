import type { Problem, Tool } from "@setwise/core";
import { assignIds } from "./tool-ids.ts";
import type { ToolFormat, ToolList } from "./tool-list.ts";

/** One list of several, with ids that are unique over all of them and do not depend on their order. */
export function joinToolLists(lists: readonly ToolList[]): ToolList {
  const formats: Partial<Record<ToolFormat, number>> = {};
  for (const list of lists) {
    for (const [format, count] of Object.entries(list.formats) as [ToolFormat, number][]) {
      formats[format] = (formats[format] ?? 0) + count;
    }
  }
  const { tools, problems } = assignIds(lists.flatMap((list) => list.tools));
  return {
    tools,
    hosted: lists.flatMap((list) => list.hosted),
    mcpServers: lists.flatMap((list) => list.mcpServers),
    formats,
    problems: [...renamedProblems(lists, tools), ...problems],
  };
}

/** The lists' problems under the ids that hold now; collisions inside one list are found again over all. */
function renamedProblems(lists: readonly ToolList[], tools: readonly Tool[]): Problem[] {
  let start = 0;
  return lists.flatMap((list) => {
    const ids = new Map(list.tools.map((tool, position) => [tool.id, tools[start + position]?.id ?? tool.id]));
    start += list.tools.length;
    return list.problems
      .filter((problem) => problem.code !== "name-collision")
      .map((problem) => {
        const toolId = problem.toolId === undefined ? undefined : ids.get(problem.toolId);
        return toolId === undefined || toolId === problem.toolId ? problem : { ...problem, toolId };
      });
  });
}
