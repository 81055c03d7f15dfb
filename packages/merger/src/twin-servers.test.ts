import { createCatalog, type Tool } from "@setwise/core";
import { expect, it } from "vitest";
import { text, tool } from "../test/tool.ts";
import { mergeTools } from "./merge-tools.ts";
import { twinServers } from "./twin-servers.ts";

const names = ["search_issues", "get_repository", "list_branches"];
const serverOf = (server: string, count: number): readonly Tool[] =>
  names.slice(0, count).map((name) => tool(`${server}/${name}`, `To ${name}`, { query: text }, { name, server }));

it("Servers that offer the same three tools are twins, those that share one are not", async () => {
  const [work, home, other] = [serverOf("work", 3), serverOf("home", 3), serverOf("other", 1)] as const;
  const all = [...work, ...home, ...other];
  const areTwins = twinServers(all);
  expect(areTwins(work[0] as Tool, home[0] as Tool)).toBe(true);
  expect(areTwins(work[0] as Tool, work[1] as Tool)).toBe(false);
  expect(areTwins(work[0] as Tool, other[0] as Tool)).toBe(false);
  const twins = await mergeTools(createCatalog([...work, ...home]));
  expect(twins.clusters).toEqual([]);
  expect(twins.rejected.some(({ reason }) => reason.includes("two accounts of one service"))).toBe(true);
  // One search that two servers offer is one search.
  const shared = await mergeTools(createCatalog([...work, ...other]));
  expect(shared.clusters.map(({ members }) => members.toSorted())).toEqual([
    ["other/search_issues", "work/search_issues"],
  ]);
});
