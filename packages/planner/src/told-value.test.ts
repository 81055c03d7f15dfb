import { expect, test } from "vitest";
import type { PortNode } from "./ports.ts";
import { outputFor } from "./result-values.ts";

const told = (id: string, by: "name" | "included"): PortNode => ({
  id: "",
  tool: 0,
  kind: "out",
  path: [id],
  description: "",
  type: undefined,
  required: false,
  opaque: true,
  isWildcard: true,
  told: by,
});
const valueOf = (result: unknown, output: PortNode, named: readonly string[] = []): unknown => {
  const input: PortNode = { ...output, kind: "in", type: "string", required: true, isWildcard: false, told: undefined };
  return outputFor(result, output, input, new Set(named));
};

test("an id that a name tells of is a plain result of one word, or stands where its name does", () => {
  const user = told("user_id", "name");
  expect(valueOf("sara_doe_496", user)).toBe("sara_doe_496");
  expect(valueOf(496, user)).toBe("496");
  expect(valueOf({ user: { userId: "u2" } }, user)).toBe("u2");
  expect(valueOf({ id: "u1", name: "Sara" }, user)).toBe("u1");
});

test("no sentence and no other thing's name is taken for an id", () => {
  const user = told("user_id", "name");
  expect(valueOf("Error: user not found", user)).toBeUndefined();
  expect(valueOf({ user_id: "not found anywhere" }, user)).toBeUndefined();
  expect(valueOf({ name: "Sara" }, user)).toBeUndefined();
  for (const no of ["error", "null", "not_found", Number.NaN]) expect(valueOf(no, user)).toBeUndefined();
  expect(valueOf({ error: { id: "E404" } }, user)).toBeUndefined();
  expect(valueOf({ name: "x", orders: [{ id: "O1" }] }, user)).toBeUndefined();
  expect(valueOf({ request: { id: "R" }, audit: { id: "A" } }, user)).toBeUndefined();
});

test("an id that a name tells of is that of its owner, of the item that the request names, or of the one thing there is", () => {
  const team = told("team_id", "name");
  expect(valueOf({ owner: { id: "O" }, team: { id: "T" } }, team)).toBe("T");
  expect(valueOf({ data: { id: "T" } }, team)).toBe("T");
  const teams = [
    { id: "A", name: "Zoe" },
    { id: "B", name: "Ada Lovelace" },
  ];
  expect(valueOf({ teams }, team, ["ada lovelace"])).toBe("B");
  expect(valueOf(teams, team, ["ada lovelace"])).toBe("B");
  expect(valueOf(teams, team)).toBe("A");
});

test("of what is included the first item is meant, or the one that the request names, and never the whole's own id", () => {
  const order = told("order_id", "included");
  expect(valueOf({ id: "u1", orders: ["#W1", "#W2"] }, order)).toBe("#W1");
  expect(valueOf({ id: "u1", orders: ["#W1", "#W2"] }, order, ["#w2"])).toBe("#W2");
  expect(valueOf({ user: { id: "u1", orders: [{ id: "W1", by: "x" }] } }, order)).toBe("W1");
  expect(valueOf({ orders: [{ orderId: 7, id: 1 }] }, order)).toBe("7");
  expect(valueOf({ id: "u1", orders: [] }, order)).toBeUndefined();
  expect(valueOf({ id: "u1" }, order)).toBeUndefined();
  expect(valueOf("User Sara, orders #W1, #W2", order)).toBeUndefined();
});
