import { createCatalog, type Tool } from "@setwise/core";
import { expect, test } from "vitest";
import { testTool } from "../test/graph-of.ts";
import { buildHypergraph } from "./build-hypergraph.ts";
import { DeficitExpansion } from "./expand-deficit.ts";
import type { GivenEdge } from "./given-edges.ts";
import { planTools } from "./plan-tools.ts";

const toolsGiving = (created: string): readonly Tool[] => [
  testTool("create_playlist", ["name"], [created]),
  testTool("list_playlists", [], ["playlist_id"]),
  testTool("add_track", ["playlist_id"], ["snapshot"]),
];
const edge: GivenEdge = {
  from: { tool: "create_playlist", output: "playlist_id" },
  to: { tool: "add_track", input: "playlist_id" },
};

/** The tools that are called, and where the last one's playlist comes from. */
function planned(later: string, edges: readonly GivenEdge[] = [], created = "playlist_id"): readonly string[] {
  const graph = buildHypergraph(createCatalog(toolsGiving(created)), { edges });
  const first = "Create a playlist called Road Trip";
  const { tools: called, edges: flows } = planTools(new DeficitExpansion(graph), {
    query: `${first} and ${later}`,
    subTasks: [
      { goal: first, ids: Uint32Array.of(0), scores: Float32Array.of(1) },
      { goal: later, ids: Uint32Array.of(2), scores: Float32Array.of(1) },
    ],
  });
  return [...called, ...flows.map(({ from, output }) => `${from}.${output}`)];
}

test("what is created is what the next step speaks of", () => {
  expect(planned("add the song to it")).toEqual(["create_playlist", "add_track", "create_playlist.playlist_id"]);
});

test("an id of what the tool is named after is that of the thing", () => {
  expect(planned("add the song to it", [], "id")).toEqual(["create_playlist", "add_track", "create_playlist.id"]);
  expect(planned("add the song to it", [], "owner_id")).toContain("list_playlists");
});

test("a step that does not lean on what is created looks its own thing up", () => {
  expect(planned("add the song to Favourites")).toContain("list_playlists");
});

test("an edge from what creates is followed whatever the words", () => {
  expect(planned("add the song to Favourites", [edge])).toEqual([
    "create_playlist",
    "add_track",
    "create_playlist.playlist_id",
  ]);
});
