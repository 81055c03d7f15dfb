import { inspect } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type * as OpenKernels from "./open-kernels.ts";
import type { AddonSearch } from "./load-addon.ts";
import type { Addon } from "./native/addon.ts";

beforeEach(() => vi.resetModules());
afterEach(() => {
  vi.unstubAllEnvs();
  vi.doUnmock("./load-addon.ts");
});

/** A fresh copy of the module: the choice is made once a thread. */
async function fresh(variable: string | undefined, search?: AddonSearch): Promise<typeof OpenKernels> {
  vi.stubEnv("SETWISE_KERNELS", variable);
  if (search !== undefined) vi.doMock("./load-addon.ts", () => ({ loadAddon: () => search }));
  return import("./open-kernels.ts");
}

const absent: AddonSearch = {
  failures: [{ specifier: "@setwise/native-linux-x64-gnu", kind: "absent", error: new Error("Cannot find module") }],
};
const present: AddonSearch = {
  addon: { boundaryVersion: () => 1, simdLevels: () => ["avx2", "scalar"] } as unknown as Addon,
  failures: [],
};

test("without an addon TypeScript runs, with the reason and the error behind it", async () => {
  for (const variable of [undefined, "", "auto"]) {
    vi.resetModules();
    const { defaultKernels, kernelInfo } = await fresh(variable, absent);
    expect(defaultKernels()).toMatchObject({ implementation: "typescript", simd: "none" });
    expect(kernelInfo()).toEqual({
      implementation: "typescript",
      simd: "none",
      reason: expect.stringContaining("@setwise/native-linux-x64-gnu is not installed"),
    });
    expect(kernelInfo().cause).toBe(absent.failures[0]!.error);
    expect(inspect(kernelInfo())).toContain("@setwise/native-linux-x64-gnu is not installed");
    expect(inspect(kernelInfo())).not.toContain("    at ");
    expect(Object.isFrozen(kernelInfo())).toBe(true);
  }
});

test("with an addon the best level of the processor runs, and there is no reason to give", async () => {
  const { kernelInfo } = await fresh(undefined, present);
  expect(kernelInfo()).toEqual({ implementation: "native", simd: "avx2" });
});

test("SETWISE_KERNELS=typescript is obeyed without looking for an addon", async () => {
  vi.doMock("./load-addon.ts", () => ({
    loadAddon: () => {
      throw new Error("looked");
    },
  }));
  const { kernelInfo } = await fresh("typescript");
  expect(kernelInfo()).toEqual({
    implementation: "typescript",
    simd: "none",
    reason: "SETWISE_KERNELS=typescript asks for it.",
  });
});

test("SETWISE_KERNELS=native without an addon is an error that keeps its cause", async () => {
  const { defaultKernels, kernelInfo } = await fresh("native", absent);
  for (const call of [defaultKernels, kernelInfo]) {
    expect(call).toThrow(
      expect.objectContaining({
        code: "missing-dependency",
        message: expect.stringMatching(/^"native" was asked for\. The addon's package @setwise\/.* is not installed/),
        cause: absent.failures[0]!.error,
      }),
    );
  }
});

test("SETWISE_KERNELS can ask for a lower level, but not for one that the processor has not", async () => {
  expect((await fresh("native:scalar", present)).kernelInfo().simd).toBe("scalar");
  vi.resetModules();
  const { defaultKernels } = await fresh("native:avx512", present);
  expect(defaultKernels).toThrow(
    expect.objectContaining({
      code: "invalid-argument",
      message: "native:avx512: this processor has avx2, scalar only.",
    }),
  );
});

test("an unknown value is an error that lists the known ones", async () => {
  const { defaultKernels, openKernels } = await fresh("rust", present);
  const known = "auto, native, typescript, native:avx512, native:avx2, native:neon, native:scalar";
  expect(defaultKernels).toThrow(`SETWISE_KERNELS: expected one of ${known}, got "rust".`);
  expect(() => openKernels("Native" as never)).toThrow(`kernels: expected one of ${known}, got "Native".`);
});

test("importing the package looks for nothing", async () => {
  const loadAddon = vi.fn(() => absent);
  vi.doMock("./load-addon.ts", () => ({ loadAddon }));
  const { VectorIndex } = await import("./index.ts");
  expect(loadAddon).not.toHaveBeenCalled();
  vi.stubEnv("SETWISE_KERNELS", "auto");
  expect(new VectorIndex({ dimensions: 1, vectors: Float32Array.of(1) }).size).toBe(1);
  expect(loadAddon).toHaveBeenCalledOnce();
});
