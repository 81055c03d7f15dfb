import { createCatalog, type Tool } from "@setwise/core";
import { expect, test } from "vitest";
import { buildIndex } from "./build-index.ts";
import { retrieve, type RetrieveOptions } from "./retrieve.ts";

const tool = (name: string, description = "", properties: Record<string, unknown> = {}, server?: string): Tool => ({
  id: server === undefined ? name : `${server}/${name}`,
  name,
  description,
  inputSchema: { type: "object", properties },
  ...(server === undefined ? {} : { server }),
  original: null,
});
const found = (tools: readonly Tool[], query: string, options?: RetrieveOptions): string[] => {
  const index = buildIndex(createCatalog(tools));
  return [...retrieve(index, query, options).ids].map((ordinal) => tools[ordinal]?.id ?? "");
};

test("words of name, description and parameters find a tool", () => {
  const tools = [tool("refund_order", "Pay an order back."), tool("track", "Where is it?", { parcel: {} })];
  expect(found(tools, "please refund it")).toEqual(["refund_order"]);
  expect(found(tools, "the parcels")).toEqual(["track"]);
});
