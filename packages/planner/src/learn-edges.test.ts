import { createCatalog, type Encoder, SetwiseError } from "@setwise/core";
import { describe, expect, test } from "vitest";
import { testTool } from "../test/graph-of.ts";
import { learnEdges } from "./learn-edges.ts";
import { embedPorts } from "./port-vectors.ts";

const catalog = createCatalog([
  testTool("turn_wifi_on"),
  testTool("play_jazz_music"),
  testTool("play_rock_music"),
  testTool("play_pop_music"),
  testTool("water_garden"),
]);
const known = new Map([
  ["play_jazz_music", new Set(["turn_wifi_on"])],
  ["water_garden", new Set<string>()],
]);

describe("learnEdges", () => {
  test("a tool needs what the tools most like it need", () => {
    const edges = learnEdges(catalog, known, { neighbours: 1 });
    const needing = edges.filter(({ from }) => from.tool === "turn_wifi_on").map(({ to }) => to.tool);
    expect(needing).toContain("play_rock_music");
    expect(needing).toContain("play_pop_music");
    expect(needing).not.toContain("water_garden");
    expect(needing).not.toContain("turn_wifi_on");
  });

  test("its weight is the share, by likeness to the fourth power, of those who were asked", async () => {
    // Cosines of rock to jazz and to the garden: 0.8 and 0.6; 0.8^4 = 0.4096, 0.6^4 = 0.1296; 0.4096 / 0.5392 = 0.7596.
    const rows: Readonly<Record<string, readonly number[]>> = { jazz: [0.8, 0.6], rock: [1, 0], garden: [0.6, 0.8] };
    const encoder: Encoder = {
      name: "test",
      dimensions: 2,
      encode: (texts) =>
        Promise.resolve(
          Float32Array.from(
            texts.flatMap((text) => rows[Object.keys(rows).find((word) => text.includes(word)) ?? ""] ?? [0, 1]),
          ),
        ),
    };
    const vectors = await embedPorts(catalog.tools, encoder);
    const edges = learnEdges(catalog, known, { vectors, leastWeight: 0.1 });
    const edge = edges.find(({ to }) => to.tool === "play_rock_music");
    expect(edge?.weight).toBeCloseTo(0.7596, 3);
  });

  test("who may be asked can be restricted, and few speak for nothing", () => {
    const edges = learnEdges(catalog, known, { mayAsk: (_, teacher) => teacher === "water_garden" });
    expect(edges).toEqual([]);
    expect(learnEdges(catalog, new Map())).toEqual([]);
    expect(learnEdges(createCatalog([]), new Map())).toEqual([]);
  });

  test("an id that names no tool is refused", () => {
    const learn = (): unknown => learnEdges(catalog, new Map([["nobody", new Set<string>()]]));
    expect(learn).toThrow(SetwiseError);
    expect(learn).toThrow(/"nobody"/);
  });
});
