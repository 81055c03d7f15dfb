import { expect, test, vi } from "vitest";
import { createSelector } from "./create-selector.ts";

vi.mock("@setwise/model-static", () => {
  throw Object.assign(new Error("Cannot find package '@setwise/model-static'"), { code: "ERR_MODULE_NOT_FOUND" });
});

test("without the package of the table the error says what to install, and words can still be compared", async () => {
  const tools = [{ name: "send_mail", inputSchema: { type: "object" } }];
  await expect(createSelector({ tools })).rejects.toMatchObject({
    code: "missing-dependency",
    message: expect.stringContaining("npm install @setwise/model-static"),
  });
  await expect(createSelector({ tools, encoder: "none" })).resolves.toBeDefined();
});
