import { describe, expect, it } from "vitest";
import { exportTools } from "./export-tools.ts";
import { readTools } from "./read-tools.ts";

describe("exporting for a provider", () => {
  it("leaves a schema alone that says the same in another order", () => {
    const inputSchema = { properties: { a: { description: "d", type: "string" } }, type: "object" };
    const { tools } = readTools([
      { name: "x", description: "d", inputSchema },
      { name: "y", description: "d", inputSchema: { type: "object" } },
    ]);
    expect(exportTools(tools, "gemini").problems).toEqual([]);
  });

  it("keeps a tool's name when only a part of the catalog is exported", () => {
    const twice = [{ name: "read" }, { name: "read" }].map((tool, i) => ({
      serverInfo: { name: `s${i}` },
      tools: [tool],
    }));
    const { tools } = readTools(twice);
    const alone = exportTools(tools.slice(0, 1), "openai", { among: tools });
    expect(alone.definitions[0]?.function.name).toBe("s0_read");
    expect(alone.toolOf("s0_read")).toBe(tools[0]);
  });

  it("refuses the caller's own objects with a hint", () => {
    const own = [{ name: "x", inputSchema: { type: "object" } }];
    expect(() => exportTools(own as never, "anthropic")).toThrow(/Expected tools as readTools gives them/);
    expect(() => exportTools([null] as never, "anthropic")).toThrow(/found null at 0/);
  });
});
