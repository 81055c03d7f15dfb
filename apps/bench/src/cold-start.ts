import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleave } from "./interleave.ts";

const ROUNDS = 15;

/** From cold start to the answer of `setwise select` over all MCP lists, against a Node process that does nothing. */
export function coldStart(folder: string, print: (line: string) => void): void {
  const command = fileURLToPath(new URL("../../cli/dist/setwise.mjs", import.meta.url));
  const select = [
    "select",
    join(folder, "mcp"),
    "--query",
    "take a screenshot of the page and save the file",
    "--json",
  ];
  const run = (parameters: readonly string[]) => () => {
    const result = spawnSync(process.execPath, parameters, { stdio: "ignore" });
    if (result.status !== 0) throw new Error(`node ${parameters.join(" ")} ended with ${result.status}`);
  };
  const { medians, rounds } = interleave([run([command, ...select]), run(["-e", "0"])], ROUNDS);
  const [ours = 0, empty = 0] = medians;
  print(
    `setwise select, cold, median of ${rounds}: ${ours.toFixed(0)} ms; node -e 0: ${empty.toFixed(0)} ms; ratio ${(ours / empty).toFixed(2)}`,
  );
}
