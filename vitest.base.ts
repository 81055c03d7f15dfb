import { defineConfig, type ViteUserConfig } from "vitest/config";

/** Settings shared by every package's tests: sources are used as they are, without a build. */
const base: ViteUserConfig = defineConfig({
  resolve: { conditions: ["@setwise/source", "node", "import", "default"] },
  ssr: { resolve: { conditions: ["@setwise/source", "node", "import", "default"] } },
  test: {
    // Starting a process on a busy machine may take seconds.
    testTimeout: 20_000,
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    onConsoleLog: () => {
      throw new Error("A test printed to the console; tests must be silent.");
    },
  },
});
export default base;
