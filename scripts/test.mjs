// `npm test`: installs, builds, checks and runs every test; ends with one line that counts them. `--fuzz SECONDS` also fuzzes every kernel
// for so long.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { attempt, build, has, install, root } from "./setup.mjs";

const { fuzz } = parseArgs({ options: { fuzz: { type: "string" } } }).values;
let passed = 0;
let failed = 0;

/** A step that either holds or does not counts as one test. */
function check(name, command, parameters) {
  console.log(`\n── ${name}`);
  if (attempt(command, parameters) === 0) passed += 1;
  else {
    failed += 1;
    console.error(`✗ ${name}`);
  }
}

/** Runs vitest and adds its counts; `environment` chooses the kernels. */
function vitest(name, parameters, environment = {}) {
  console.log(`\n── ${name}`);
  const folder = mkdtempSync(join(tmpdir(), "setwise-test-"));
  const report = join(folder, "report.json");
  const code = attempt(
    "npx",
    ["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...parameters],
    environment,
  );
  try {
    const counts = JSON.parse(readFileSync(report, "utf8"));
    passed += counts.numPassedTests;
    failed += Math.max(counts.numFailedTests, code === 0 ? 0 : 1);
  } catch {
    failed += 1;
  }
  rmSync(folder, { recursive: true, force: true });
}

/** Runs the kernels' own Rust tests and adds their counts. */
function cargo() {
  console.log("\n── Rust tests");
  const result = spawnSync("cargo", ["test", "--quiet", "--workspace", "--manifest-path", "native/Cargo.toml"], {
    cwd: root,
    encoding: "utf8",
  });
  process.stdout.write(result.stdout);
  let counted = 0;
  for (const [, good, bad] of result.stdout.matchAll(/(\d+) passed; (\d+) failed/g)) {
    passed += Number(good);
    failed += Number(bad);
    counted += Number(bad);
  }
  if (result.status !== 0) {
    process.stderr.write(result.stderr);
    if (counted === 0) failed += 1;
  }
}

/** Says which kernels the tests below run on. */
function sayKernels() {
  const script = `const { implementation, simd, reason } = require("@setwise/native").kernelInfo();
    console.log("Kernels: " + implementation + " (" + simd + ")" + (reason ? ": " + reason : ""));`;
  attempt(process.execPath, ["--eval", script]);
}

install();
build();
sayKernels();
check("Types", "npx", ["turbo", "run", "typecheck", "--output-logs=errors-only"]);
check("Arrows between packages", process.execPath, ["scripts/check-arrows.mjs"]);
check("Links in the documentation", process.execPath, ["scripts/check-links.mjs"]);
check("Lint", "npx", ["oxlint", "--deny-warnings"]);
check("Format", "npx", ["oxfmt", "--check"]);
check("Exports of what was built", "npx", ["turbo", "run", "check", "--output-logs=errors-only"]);
vitest("Tests", []);
vitest(
  "Tests on the TypeScript kernels",
  ["--project", "@setwise/native", "--project", "setwise", "--project", "@setwise/cli"],
  { SETWISE_KERNELS: "typescript" },
);
if (has("cargo")) {
  cargo();
  const manifest = ["--manifest-path", "native/Cargo.toml"];
  check("Rust format", "cargo", ["fmt", "--all", "--check", ...manifest]);
  check("Rust lint", "cargo", [
    "clippy",
    "--quiet",
    "--workspace",
    "--all-targets",
    ...manifest,
    "--",
    "-D",
    "warnings",
  ]);
  if (fuzz !== undefined) check("Fuzzing", process.execPath, ["native/scripts/fuzz.mjs", "--seconds", fuzz]);
} else console.log("\nRust is not installed: the kernels' Rust tests were not run.");

console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
