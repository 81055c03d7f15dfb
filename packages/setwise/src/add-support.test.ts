import { expect, it } from "vitest";
import { createSelector } from "./create-selector.ts";
import type { SelectOptions } from "./select-options.ts";

const text = { type: "string" };
const described = (name: string, description: string, takes: readonly string[], gives: readonly string[]): object => {
  const properties = (names: readonly string[]): object => Object.fromEntries(names.map((given) => [given, text]));
  return {
    name,
    description,
    inputSchema: { type: "object", properties: properties(takes), required: takes },
    outputSchema: { type: "object", properties: properties(gives) },
  };
};
const tools = [
  described("refund_order", "Refund an order.", ["order_id"], ["receipt"]),
  described("list_orders", "What a customer has bought so far.", ["customer_name"], ["order_id"]),
  ...Array.from({ length: 20 }, (_, i) =>
    described(`paint_wall_${i}`, `Paint wall number ${i}.`, ["colour"], ["area"]),
  ),
];

async function selected(options: SelectOptions): Promise<readonly string[]> {
  const selector = await createSelector({ tools: { tools } });
  const { chosen } = await selector.select("refund it", options);
  return chosen.map(({ id, role }) => `${id} ${role}`);
}

it("adds what a chosen tool needs and nobody could say, last and with the reason", async () => {
  const selector = await createSelector({ tools: { tools } });
  const selection = await selector.select("refund it", { support: "auto", goal: "exact" });
  expect(selection.chosen.map(({ id, role }) => `${id} ${role}`)).toEqual(["refund_order core", "list_orders support"]);
  expect(selection.explanation.children[1]?.sentence).toMatch(/^brings `order_id`, for `order_id` of refund_order; /);
  expect(selection.tools[1]).toBe(tools[1]);
});

it("adds nothing unless it is asked to, nor past the limits of the caller", async () => {
  expect(await selected({ goal: "exact" })).toEqual(["refund_order core"]);
  expect(await selected({ goal: "exact", support: "off" })).toEqual(["refund_order core"]);
  expect(await selected({ k: 1, support: "auto" })).toEqual(["refund_order core"]);
  expect(await selected({ goal: "exact", support: "auto", exclude: ["list_orders"] })).toEqual(["refund_order core"]);
  expect(await selected({ goal: "exact", support: "auto", maxTokens: 40 })).toEqual(["refund_order core"]);
});

it("refuses what is no such option", async () => {
  await expect(selected({ support: "always" as "auto" })).rejects.toMatchObject({ code: "invalid-argument" });
});

it("adds nothing for an id that stands in the request", async () => {
  const selector = await createSelector({ tools: { tools } });
  const { chosen } = await selector.select("refund the order with order id AB12345678", {
    support: "auto",
    goal: "exact",
  });
  expect(chosen.map(({ id }) => id)).toEqual(["refund_order"]);
});
