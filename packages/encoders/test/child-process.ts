import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

/** Makes one file that plain Node runs from a script of this folder, and gives its path. */
export async function bundledScript(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "setwise-script-"));
  await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions: ["@setwise/source"] },
    ssr: { noExternal: true, resolve: { conditions: ["@setwise/source"] } },
    build: {
      ssr: fileURLToPath(new URL(`${name}.ts`, import.meta.url)),
      outDir: folder,
      rollupOptions: { output: { entryFileNames: "script.mjs" } },
    },
  });
  return join(folder, "script.mjs");
}

export interface RunningScript {
  readonly child: ChildProcess;
  /** Its exit code, or the signal that ended it, and what it wrote. */
  readonly ended: Promise<{ readonly exit: number | string; readonly output: string; readonly errors: string }>;
}

export function runScript(command: string, parameters: readonly string[]): RunningScript {
  const child = spawn(command, parameters, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<{ exit: number | string; output: string; errors: string }>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ exit: code ?? signal ?? "?", output, errors }));
  });
  return { child, ended };
}
