import { isAbsolute } from "node:path";
import { expect, test } from "vitest";
import { staticModelFolder } from "./index.ts";

test("the folder is an absolute path", () => {
  expect(isAbsolute(staticModelFolder)).toBe(true);
});
