import { expect, test } from "vitest";
import type { PortNode } from "./ports.ts";
import { outputFor, setArgument, valueAt } from "./result-values.ts";

const node = (path: readonly string[], type?: string): PortNode => ({
  id: "",
  tool: 0,
  kind: "in",
  path,
  description: "",
  type,
  required: true,
  opaque: true,
  isWildcard: false,
});
const lists = {
  items: [
    { id: 7, name: "Morning" },
    { id: null, name: "Empty" },
    { id: 9, name: "Favourites" },
  ],
};

test("of a list the first item with a value is meant, or the one that the request names", () => {
  expect(valueAt(lists, ["items", "*", "id"])).toBe(7);
  expect(valueAt(lists, ["items", "*", "id"], new Set(["favourites"]))).toBe(9);
  expect(valueAt(lists, ["items", "*", "id"], new Set(["nothing of it"]))).toBe(7);
  expect(valueAt(lists, ["items", "*", "id"], new Set(["empty"]))).toBe(7);
  expect(valueAt({ tags: ["a", "B"] }, ["tags", "*"], new Set(["b"]))).toBe("B");
});

test("what is not there is undefined, however wrong the result", () => {
  expect(valueAt(null, ["items", "*", "id"])).toBeUndefined();
  expect(valueAt({ items: 5 }, ["items", "*", "id"])).toBeUndefined();
  expect(valueAt({}, ["constructor", "name"])).toBeUndefined();
});

test("a result of which nothing is said is searched for the input's name, then for an id", () => {
  const whole = node([]);
  expect(outputFor({ data: { userId: "u1" } }, whole, node(["user_id"], "string"))).toBe("u1");
  expect(outputFor({ data: { id: 4 } }, whole, node(["user_id"], "string"))).toBe("4");
  expect(outputFor("token-1", whole, node(["token"], "string"))).toBe("token-1");
  expect(outputFor({ data: {} }, whole, node(["user_id"], "string"))).toBeUndefined();
});

test("digits become numbers and numbers texts where that is wanted", () => {
  expect(outputFor({ id: "12" }, node(["id"]), node(["id"], "number"))).toBe(12);
  expect(outputFor({ id: "x12" }, node(["id"]), node(["id"], "number"))).toBe("x12");
});

test("arguments are put at their places, and no name reaches what all objects share", () => {
  const values: Record<string, unknown> = {};
  setArgument(values, ["order", "items", "*", "sku"], "A1");
  setArgument(values, ["order", "note"], "quick");
  setArgument(values, ["__proto__", "polluted"], true);
  expect(JSON.parse(JSON.stringify(values))).toMatchObject({ order: { items: [{ sku: "A1" }], note: "quick" } });
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

test("of a result of many keys only so many are read, and those of another length are no match", () => {
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, place) => [`someKeyName${place}`, place]));
  expect(outputFor({ ...many, userId: "u1" }, node([]), node(["user_id"], "string"))).toBeUndefined();
  expect(outputFor({ userId: "u1", ...many }, node([]), node(["user_id"], "string"))).toBe("u1");
  expect(outputFor({ categories_ids: "c" }, node([]), node(["category_id"], "string"))).toBe("c");
});
