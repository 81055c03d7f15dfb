import { describe, expect, it } from "vitest";
import { labelledQuerySchema, planSchema, selectionDocumentSchema, toolDefinitionSchema } from "./schemas.ts";

describe("schemas", () => {
  it("accept what the words describe", () => {
    expect(
      toolDefinitionSchema.parse({ id: "a", name: "a", description: "", inputSchema: { type: "object" } }),
    ).toEqual({
      id: "a",
      name: "a",
      description: "",
      inputSchema: { type: "object" },
    });
    const selection = {
      query: "q",
      status: "selected",
      tools: [{ id: "a", name: "a", score: 1, role: "core", reason: "because" }],
      candidates: [{ id: "a", score: 1 }],
      tokens: { before: 2, after: 1 },
      k: 1,
      missing: ["teleport"],
      timingsMs: { select: 0.5 },
      kernels: { implementation: "typescript", simd: "none" },
    };
    expect(selectionDocumentSchema.parse(selection)).toEqual(selection);
    const plan = {
      query: "q",
      subTasks: [],
      tools: ["a"],
      edges: [{ from: "a", output: "x", to: "b", input: "y" }],
      missing: [],
    };
    expect(planSchema.parse(plan)).toEqual(plan);
  });

  it("refuse what is none", () => {
    expect(toolDefinitionSchema.safeParse({ id: "", name: "a", description: "", inputSchema: {} }).success).toBe(false);
    expect(labelledQuerySchema.safeParse({ id: "1", query: "q", tools: [1] }).success).toBe(false);
    expect(selectionDocumentSchema.safeParse({ query: "q", status: "maybe" }).success).toBe(false);
  });
});
