import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, "node_modules", ".setwise-setup");

/** Runs one command from the root with its output shown; ends this process with the command's code when it fails. */
export function run(command, parameters, environment = {}) {
  const result = attempt(command, parameters, environment);
  if (result !== 0) {
    console.error(`\n${command} ${parameters.join(" ")} failed (exit ${result}).`);
    process.exit(result);
  }
}

/** Runs one command from the root with its output shown and gives its exit code. */
export function attempt(command, parameters, environment = {}) {
  const result = spawnSync(command, parameters, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      TURBO_TELEMETRY_DISABLED: "1",
      TURBO_NO_UPDATE_NOTIFIER: "1",
      DO_NOT_TRACK: "1",
      ...environment,
    },
    shell: process.platform === "win32",
  });
  if (result.error) console.error(result.error.message);
  return result.status ?? 1;
}

/** Whether `command` can be started. */
export function has(command) {
  return spawnSync(command, ["--version"], { stdio: "ignore", shell: process.platform === "win32" }).status === 0;
}

/** Installs exactly what the lock file names, unless that was done already. */
export function install() {
  const wanted = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  console.log("Installing dependencies …");
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  writeFileSync(stamp, wanted);
}

/** Builds every package, and the addon where Rust is present. */
export function build() {
  console.log("Building …");
  if (!has("cargo")) console.log("Rust is not installed: the TypeScript kernels are used (same answers, slower).");
  run("npx", ["turbo", "run", "build", "--output-logs=errors-only", "--log-prefix=task"]);
}
