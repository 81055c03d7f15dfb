import { readFileSync } from "node:fs";
import { resolveReference } from "@setwise/core";
import { expect, test } from "vitest";
import { exportTools, joinToolLists, parseToolText, providers, readTools, type ToolList } from "../src/index.ts";

/* Tool lists as they are published; origin and licence stand beside them in examples/tool-lists. */

async function read(path: string, server?: string): Promise<ToolList> {
  const text = readFileSync(new URL(`../../../examples/tool-lists/${path}`, import.meta.url), "utf8");
  return readTools(await parseToolText(text, { source: path }), {
    source: path,
    ...(server === undefined ? {} : { server }),
  });
}

const mcpFiles: [string, number][] = [
  ["filesystem.tools-list.json", 12],
  ["git.tools-list.json", 13],
  ["playwright-executeautomation.tools-list.json", 32],
  ["office-word.tools-list.json", 24],
  ["desktop-commander.tools-list.json", 21],
  ["openstreetmap.tools-list.json", 12],
  ["okta.tools.json", 108],
];

// The counts are those the lists' own page gives.
test.each(mcpFiles)("%s holds %i tools and no trouble.", async (file, count) => {
  const list = await read(`mcp/${file}`);
  expect(list.tools.length).toBe(count);
  expect(list.formats).toEqual({ mcp: count });
  expect(list.problems).toEqual([]);
});

const openApiFiles: [string, number][] = [
  ["spotify.json", 40],
  ["slack_web_v2.json", 174],
  ["twilio_studio_v2.yaml", 19],
];

test.each(openApiFiles)(
  "%s describes %i operations, and every reference in their schemas leads somewhere.",
  async (file, count) => {
    const list = await read(`openapi/${file}`);
    expect(list.tools.length).toBe(count);
    expect(list.formats).toEqual({ openapi: count });
    expect(list.problems).toEqual([]);
    for (const tool of list.tools) {
      for (const schema of [tool.inputSchema, tool.outputSchema ?? {}]) {
        for (const [, reference = ""] of JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)) {
          expect(resolveReference(schema, reference), `${tool.name} ${reference}`).toBeDefined();
        }
      }
    }
  },
);

test("A Spotify operation has its path, query and body arguments in one object, clashes told apart.", async () => {
  const list = await read("openapi/spotify.json");
  const tool = list.tools.find(({ name }) => name === "add-tracks-to-playlist");
  expect(tool).toMatchObject({
    server: "Spotify Web API",
    tags: ["Playlists", "Tracks"],
    inputSchema: { required: ["playlist_id"] },
  });
  expect(tool?.description).toBe("Add Items to Playlist\n\nAdd one or more items to a user's playlist.");
  expect(Object.keys(tool?.inputSchema["properties"] as object)).toEqual([
    "playlist_id",
    "position",
    "uris",
    "body_position",
    "body_uris",
  ]);
});

test("A Slack operation has its form fields, and a Twilio one carries the definition it refers to.", async () => {
  const slack = (await read("openapi/slack_web_v2.json")).tools.find(({ name }) => name === "chat_postMessage");
  expect(slack?.inputSchema["required"]).toEqual(["token", "channel"]);
  expect(slack?.inputSchema["properties"]).toMatchObject({ text: { type: "string" }, link_names: { type: "boolean" } });
  const twilio = (await read("openapi/twilio_studio_v2.yaml")).tools.find(({ name }) => name === "CreateFlow");
  expect(twilio?.inputSchema).toMatchObject({
    properties: { Status: { $ref: "#/$defs/flow_enum_status" } },
    $defs: { flow_enum_status: { enum: ["draft", "published"] } },
  });
});

test("All lists together have distinct ids, and the tools that two servers share carry the server.", async () => {
  const lists = await Promise.all(mcpFiles.map(([file]) => read(`mcp/${file}`, file.split(".")[0])));
  const joined = joinToolLists(lists);
  expect(joined.tools.length).toBe(222);
  expect(new Set(joined.tools.map((tool) => tool.id)).size).toBe(222);
  expect(
    joined.tools
      .filter((tool) => tool.name === "read_file")
      .map((tool) => tool.id)
      .sort(),
  ).toEqual(["desktop-commander/read_file", "filesystem/read_file"]);
  const reversed = joinToolLists(lists.toReversed());
  expect(reversed.tools.map((tool) => tool.id).sort()).toEqual(joined.tools.map((tool) => tool.id).sort());
});

test.each(providers.map((provider) => [provider]))(
  "For %s every real tool has a name of its own that leads back to it.",
  async (provider) => {
    const lists = await Promise.all([
      ...mcpFiles.map(([file]) => read(`mcp/${file}`, file)),
      ...openApiFiles.map(([file]) => read(`openapi/${file}`)),
    ]);
    const { tools } = joinToolLists(lists);
    const exported = exportTools(tools, provider);
    for (const tool of tools) {
      const name = exported.nameOf(tool) ?? "";
      expect(exported.toolOf(name)).toBe(tool);
    }
    expect(() => JSON.stringify(exported.definitions)).not.toThrow();
  },
);

test("A Gemini declaration of every real tool uses no keyword Gemini refuses.", async () => {
  const list = await read("openapi/slack_web_v2.json");
  const text = JSON.stringify(exportTools(list.tools, "gemini").definitions);
  expect(text).not.toMatch(/"(\$ref|\$defs|allOf|oneOf|additionalProperties|const)":/);
});
