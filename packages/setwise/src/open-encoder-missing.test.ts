import { expect, test, vi } from "vitest";
import { openEncoder } from "./open-encoder.ts";

vi.mock("@setwise/model-minilm", () => {
  throw Object.assign(new Error("Cannot find package '@setwise/model-minilm'"), { code: "ERR_MODULE_NOT_FOUND" });
});

test("without the package of minilm the error says what to install", async () => {
  await expect(openEncoder("minilm")).rejects.toMatchObject({
    code: "missing-dependency",
    message: expect.stringMatching(
      /npm install @setwise\/model-minilm onnxruntime-node.*api\.nuget\.org.*ONNXRUNTIME_NODE_INSTALL=skip/,
    ),
  });
});
