import { expect, test } from "vitest";

test("the package can be loaded without any of its optional packages", async () => {
  await expect(import("./index.ts")).resolves.toBeDefined();
});
