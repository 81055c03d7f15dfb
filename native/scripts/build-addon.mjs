// Builds the addon for this machine where Rust is installed. Without Rust it says so in one line: the TypeScript kernels
// give the same answers. The file is put in place by renaming it, so that a process that runs the old one is not disturbed.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, copyFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const output = join(root, "target", "addon");

if (spawnSync("cargo", ["--version"], { stdio: "ignore" }).status === 0) build();
else console.log("Rust is not installed: the TypeScript kernels will be used (same answers, slower).");

function build() {
  const cli = createRequire(import.meta.url).resolve("@napi-rs/cli/package.json");
  const options = ["--platform", "--release", "--no-js", "--dts", "binding.d.cts"];
  const paths = ["--manifest-path", "crates/binding/Cargo.toml", "--output-dir", output];
  const result = spawnSync(process.execPath, [join(dirname(cli), "dist", "cli.js"), "build", ...options, ...paths], {
    cwd: root,
    stdio: "inherit",
  });
  if (result.status !== 0) {
    console.error("The addon did not build; see above.");
    process.exit(result.status || 1);
  }
  for (const file of readdirSync(output)) if (file.endsWith(".node")) install(file);
}

/** Puts a new file in the place of the old one, unless they are the same. */
function install(file) {
  const [from, to] = [join(output, file), join(root, file)];
  if (existsSync(to) && readFileSync(from).equals(readFileSync(to))) return;
  copyFileSync(from, `${to}.new`);
  renameSync(`${to}.new`, to);
}
