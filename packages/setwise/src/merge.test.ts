import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shopTools } from "@setwise/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSelector } from "./create-selector.ts";
import { loadSelector } from "./load-selector.ts";
import type { Selector } from "./selector.ts";

const text = { type: "string" };
const tool = (name: string, description: string, names: readonly string[]): object => ({
  name,
  description,
  inputSchema: { type: "object", properties: Object.fromEntries(names.map((key) => [key, text])), required: names },
  // What the caller's own object can do stays with it.
  run: (given: object) => ({ name, given }),
});
const own = ["amount", "from_currency", "to_currency"];
const convert = tool("convert_currency", "Convert money from one currency to another", own);
const conversion = tool("currencyConversion", "Converts money between currencies", ["value", "from", "to"]);
const shop = shopTools.filter(({ name }) => name !== "convertCurrency").map(({ original }) => original);
const tools = [...shop, convert, conversion];

let folder = "";
let selector: Selector;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-merge-"));
  selector = await createSelector({ tools, merge: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("createSelector with merge", () => {
  it("hands out one tool for two that do the same job, in a form that can be called", async () => {
    expect(selector.merged?.clusters.map(({ members }) => members)).toEqual([
      ["convert_currency", "currencyConversion"],
    ]);
    expect(selector.catalog.tools).toHaveLength(tools.length - 1);
    const { tools: chosen, chosen: ids } = await selector.select("convert 3 euros to dollars", { k: 1 });
    expect(ids[0]?.id).toBe("convert_currency");
    expect(chosen[0]).toMatchObject({
      name: "convert_currency",
      inputSchema: { required: own },
    });
    const exported = selector.export(await selector.select("convert 3 euros to dollars", { k: 1 }), "openai");
    expect(exported.toolOf("convert_currency")?.id).toBe("convert_currency");
  });

  it("leads from its call to the caller's own object that takes it, with that one's names of the arguments", () => {
    const given = { amount: "3", from_currency: "EUR", to_currency: "USD" };
    const first = selector.resolve({ tool: "convert_currency", arguments: given });
    if (first.status !== "resolved") throw new Error(first.reason);
    expect(first.member.original).toBe(convert);
    expect(first.arguments).toEqual(given);
    const other = selector.resolve({ tool: "convert_currency", arguments: given }, { exclude: ["convert_currency"] });
    if (other.status !== "resolved") throw new Error(other.reason);
    expect(other.member.original).toBe(conversion);
    expect(other.arguments).toEqual({ value: "3", from: "EUR", to: "USD" });
    expect(other.calledAs).toBe("convert_currency");
  });

  it("says what is missing where no member takes a call, and takes calls of tools that stand for themselves", () => {
    const short = selector.resolve({ tool: "convert_currency", arguments: { amount: "3" } });
    expect(short).toMatchObject({ status: "no-member", needs: [{ member: "convert_currency" }, {}] });
    const own = selector.resolve({ tool: "refund_order", arguments: { order_id: "7" } });
    expect(own).toMatchObject({ status: "resolved", arguments: { order_id: "7" }, calledAs: "refund_order" });
    expect(() => selector.resolve({ tool: "elsewhere" })).toThrow(expect.objectContaining({ code: "unknown-tool" }));
  });

  it("understands the ids of folded tools where tools are required, excluded and allowed", async () => {
    const ids = async (options: object): Promise<readonly string[]> =>
      (await selector.select("convert 3 euros", options)).chosen.map(({ id }) => id);
    expect(await ids({ require: ["currencyConversion"], k: 1 })).toEqual(["convert_currency"]);
    expect(await ids({ allow: ["currencyConversion"] })).toEqual(["convert_currency"]);
    expect(await ids({ exclude: ["currencyConversion"] })).not.toContain("convert_currency");
  });

  it("takes pins, words only, and a new list whose pairs are judged only where they are new", async () => {
    const pins = [{ a: "convert_currency", b: "currencyConversion", decision: "different" as const }];
    const apart = await createSelector({ tools, encoder: "none", merge: { pins } });
    expect(apart.merged?.clusters).toEqual([]);
    expect(apart.catalog.tools).toHaveLength(tools.length);
    const updated = await createSelector({ tools, encoder: "none", merge: true });
    await updated.update([...tools, tool("set_alarm", "Set an alarm", ["time"])]);
    expect(updated.merged?.clusters).toHaveLength(1);
    expect(updated.merged?.report.remembered).toBeGreaterThan(0);
  });

  it("saves the tools as they were given, and folds them again when it is opened, over the live objects", async () => {
    await selector.save(folder);
    expect((await loadSelector(folder)).catalog.tools).toHaveLength(tools.length);
    const again = await loadSelector(folder, { tools, merge: true });
    expect(again.merged?.clusters).toEqual(selector.merged?.clusters);
    const call = { tool: "convert_currency", arguments: { amount: "3", from_currency: "EUR", to_currency: "USD" } };
    expect(again.resolve(call)).toMatchObject({ member: { original: convert } });
    const query = "convert 3 euros";
    expect((await again.select(query)).candidates).toEqual((await selector.select(query)).candidates);
  });

  it("refuses what is no way to merge", async () => {
    await expect(createSelector({ tools, merge: "yes" as never })).rejects.toMatchObject({ code: "invalid-argument" });
  });
});

it("without merge every call is for the tool that it names, by id or by name", async () => {
  const plain = await createSelector({ tools: shop, encoder: "none", merge: false });
  expect(plain.merged).toBeUndefined();
  expect(plain.resolve({ tool: "refund_order" })).toMatchObject({ arguments: {}, reason: "It stands for itself." });
  expect(() => plain.resolve({ tool: "elsewhere" })).toThrow(expect.objectContaining({ code: "unknown-tool" }));
});
