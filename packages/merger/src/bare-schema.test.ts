import { expect, it } from "vitest";
import { bareSchema } from "./bare-schema.ts";

it("Texts, defaults and the order of keys do not count, arguments called like texts do", () => {
  const a = {
    type: "object",
    description: "One",
    properties: { title: { type: "string", description: "x", default: "y" } },
    required: ["b", "a"],
  };
  const b = { required: ["a", "b"], properties: { title: { type: "string" } }, type: "object", $schema: "z" };
  expect(bareSchema(a)).toBe(bareSchema(b));
  expect(bareSchema({ properties: { title: { type: "string" } } })).not.toBe(bareSchema({ properties: {} }));
  expect(bareSchema({ enum: [{ title: "a" }] })).not.toBe(bareSchema({ enum: [{ title: "b" }] }));
});

it("What is cyclic or too large has none", () => {
  const ring: Record<string, unknown> = { type: "array" };
  ring["items"] = ring;
  expect(bareSchema(ring)).toBeUndefined();
  expect(bareSchema({ enum: Array.from({ length: 10_000 }, (_, place) => place) })).toBeUndefined();
});
