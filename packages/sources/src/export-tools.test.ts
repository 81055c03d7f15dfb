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
});
