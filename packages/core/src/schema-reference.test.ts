import { expect, test } from "vitest";
import { resolveReference } from "./schema-reference.ts";

const root = {
  $id: "https://example.com/root",
  $defs: { "a/b~c d": { type: "string" }, named: { $anchor: "here", $id: "named.json" }, list: [{ type: "null" }] },
};

test("Pointers, the root, anchors and ids name a schema.", () => {
  expect(resolveReference(root, "#")).toBe(root);
  expect(resolveReference(root, "https://example.com/root")).toBe(root);
  expect(resolveReference(root, "#/$defs/a~1b~0c%20d")).toBe(root.$defs["a/b~c d"]);
  expect(resolveReference(root, "#/$defs/list/0")).toBe(root.$defs.list[0]);
  expect(resolveReference(root, "#here")).toBe(root.$defs.named);
  expect(resolveReference(root, "named.json")).toBe(root.$defs.named);
});

test("What is not there, not a schema, inherited, or absurdly long names nothing.", () => {
  for (const reference of [
    "#/$defs/none",
    "#/$defs/list",
    "#/$id",
    "#/constructor",
    "#/__proto__",
    "#%",
    "file:///etc/passwd",
  ]) {
    expect(resolveReference(root, reference), reference).toBeUndefined();
  }
  expect(resolveReference(root, `#${"/x".repeat(100_000)}`)).toBeUndefined();
});

test("Thousands of references are sought among thousands of named definitions in one pass.", () => {
  const count = 30_000;
  const definitions = Object.fromEntries(
    Array.from({ length: count }, (_, number) => [`d${number}`, { $anchor: `a${number}`, $id: `${number}.json` }]),
  );
  const wide = { $defs: definitions };
  for (let number = 0; number < count; number++) {
    expect(resolveReference(wide, `#a${number}`) === definitions[`d${number}`]).toBe(true);
    expect(resolveReference(wide, `none${number}.json`) === undefined).toBe(true);
  }
});
