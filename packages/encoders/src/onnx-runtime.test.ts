import { expect, test } from "vitest";
import { loadOnnxRuntime } from "./onnx-runtime.ts";

const failing = (message: string, code?: string) => () => Promise.reject(Object.assign(new Error(message), { code }));

test.each(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"])(
  "without the package the error says what to install (%s)",
  async (code) => {
    await expect(loadOnnxRuntime(failing("Cannot find package", code))).rejects.toMatchObject({
      code: "missing-dependency",
      message: expect.stringMatching(/npm install onnxruntime-node.*api\.nuget\.org.*ONNXRUNTIME_NODE_INSTALL=skip/),
    });
  },
);

test("where the package does not load the error gives the reason", async () => {
  await expect(loadOnnxRuntime(failing("libc.so.6: version GLIBC_2.99 not found"))).rejects.toMatchObject({
    code: "missing-dependency",
    message: expect.stringContaining("GLIBC_2.99"),
    cause: expect.any(Error),
  });
});

test("where it is there it loads", async () => {
  expect(Object.keys(await loadOnnxRuntime())).toContain("InferenceSession");
});
