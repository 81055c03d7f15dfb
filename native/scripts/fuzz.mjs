// Fuzzes the kernels: `node native/scripts/fuzz.mjs [--seconds 60] [--input file] [target…]`. Builds every program of fuzz/src/bin with
// coverage and the address sanitizer and runs as many at a time as there are processors; corpora are kept in fuzz/corpus, so that a
// run goes on from where the last one was. `--input` runs one target on one file and shows what it stands for; `--tests` runs the
// kernels' own tests under the address sanitizer instead. Nothing needs to be installed but Rust and a C++ compiler.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const native = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(native, "fuzz");
// What is unusual: a kernel answers an input in microseconds.
const limits = ["-rss_limit_mb=1024", "-malloc_limit_mb=512", "-timeout=10", "-max_len=4096"];
const coverage = ["level=4", "inline-8bit-counters", "pc-table", "trace-compares"];
const coverageFlags = [
  "-Cpasses=sancov-module",
  ...coverage.map((option) => `-Cllvm-args=-sanitizer-coverage-${option}`),
  "-Ccodegen-units=1",
  "--cfg=fuzzing",
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: "string", default: "60" }, input: { type: "string" }, tests: { type: "boolean" } },
});
const all = readdirSync(join(folder, "src", "bin")).map((file) => basename(file, ".rs"));
const targets = positionals.length === 0 ? all : positionals;

const missing = whatIsMissing();
if (missing !== undefined) console.log(`The kernels were not fuzzed: ${missing}`);
else process.exitCode = await main();

async function main() {
  const unknown = targets.find((target) => !all.includes(target));
  const seconds = Number(values.seconds);
  if (unknown !== undefined) return refuse(`There is no target "${unknown}": expected ${all.join(", ")}.`);
  if (!(seconds > 0)) return refuse(`--seconds: expected a number above 0, got ${values.seconds}.`);
  if (values.tests === true) return test();
  if (!build()) return 1;
  if (values.input !== undefined) {
    if (positionals.length !== 1) return refuse("--input belongs to one target: name it.");
    return show(targets[0], values.input) ? 0 : 1;
  }
  const waiting = [...targets];
  let failed = 0;
  const work = async () => {
    for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
      if (!(await fuzz(target, seconds))) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return failed === 0 ? 0 : 1;
}

function refuse(text) {
  console.error(text);
  return 1;
}

/** What this machine lacks, if it lacks something. */
function whatIsMissing() {
  const has = (command) => spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0;
  if (process.platform !== "linux" && process.platform !== "darwin") return `not on ${process.platform}.`;
  if (!has("cargo") || !has("rustc")) return "Rust is not installed.";
  if (values.tests !== true && !has(process.env.CXX ?? "c++"))
    return "there is no C++ compiler (c++, or CXX names one).";
  return undefined;
}

function rustc(...parameters) {
  return spawnSync("rustc", parameters, { encoding: "utf8" }).stdout;
}

function host() {
  return /^host: (.*)$/m.exec(rustc("-vV"))[1];
}

/** The flags for the address sanitizer, none where this toolchain comes without it. */
function sanitizerFlags() {
  const there = readdirSync(rustc("--print", "target-libdir").trim()).some((file) => /_rt\.asan\./.test(file));
  if (there) return ["-Zsanitizer=address"];
  console.log("This Rust comes without the address sanitizer: going on without it.");
  return [];
}

function cargo(flags, ...parameters) {
  const environment = {
    ...process.env,
    // The sanitizer is not a stable option yet; the compiler is the stable one.
    RUSTC_BOOTSTRAP: "1",
    CARGO_ENCODED_RUSTFLAGS: flags.join("\u001f"),
  };
  return spawnSync("cargo", parameters, { cwd: folder, stdio: "inherit", env: environment }).status === 0;
}

function build() {
  const flags = [...coverageFlags, ...sanitizerFlags()];
  const bins = targets.flatMap((target) => ["--bin", target]);
  return cargo(flags, "build", "--quiet", "--release", "--locked", "--target", host(), ...bins);
}

/** The kernels' own tests; a target is named, so that the flags do not reach programs that run while building. */
function test() {
  const flags = sanitizerFlags();
  const where = ["--manifest-path", join(native, "Cargo.toml"), "--target-dir", join(folder, "target", "tests")];
  const done = cargo(flags, "test", "--package", "setwise-kernels", "--lib", "--tests", "--target", host(), ...where);
  return done ? 0 : 1;
}

function program(target) {
  return join(folder, "target", host(), "release", target);
}

/** Runs a target for a while; says how it went in one line, and what failed if something did. */
function fuzz(target, seconds) {
  const [corpus, artifacts] = [join(folder, "corpus", target), join(folder, "artifacts", target)];
  for (const needed of [corpus, artifacts]) mkdirSync(needed, { recursive: true });
  const started = Date.now();
  const run = [`-max_total_time=${seconds}`, `-artifact_prefix=${artifacts}/`, "-print_final_stats=1", ...limits];
  const child = spawn(program(target), [...run, corpus], { stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (output = (output + text).slice(-50_000)));
  return new Promise((resolve) => {
    child.on("close", (code) => {
      const executions = Number(/stat::number_of_executed_units: (\d+)/.exec(output)?.[1] ?? 0);
      const [, edges = "0", inputs = "0"] = /cov: (\d+) ft: \d+ corp: (\d+)(?![\s\S]*cov: \d+ ft)/.exec(output) ?? [];
      const each = Math.round(executions / ((Date.now() - started) / 1000));
      console.log(
        `${target}: ${executions.toLocaleString("en")} executions (${each.toLocaleString("en")} a second), ` +
          `${edges} edges covered, ${inputs} inputs kept${code === 0 ? "" : ", FAILED"}`,
      );
      if (code !== 0) report(target, output);
      resolve(code === 0);
    });
  });
}

function report(target, output) {
  const file = /Test unit written to (.*)$/m.exec(output)?.[1];
  if (file === undefined || !existsSync(file)) {
    console.error(output);
    return;
  }
  show(target, file);
  const path = relative(process.cwd(), file);
  console.error(`Once more: node ${relative(process.cwd(), fileURLToPath(import.meta.url))} ${target} --input ${path}`);
}

/** Runs a target on one input and shows what the input stands for; whether it went well. */
function show(target, file) {
  const temporary = mkdtempSync(join(tmpdir(), "setwise-fuzz-"));
  const decoded = join(temporary, "input");
  const environment = { ...process.env, RUST_LIBFUZZER_DEBUG_PATH: decoded };
  const { status, stderr } = spawnSync(program(target), [...limits, file], { encoding: "utf8", env: process.env });
  spawnSync(program(target), [file], { stdio: "ignore", env: environment });
  console.error(stderr.slice(0, 8_000));
  if (existsSync(decoded)) console.error(`The input (${statSync(file).size} bytes): ${readFileSync(decoded, "utf8")}`);
  rmSync(temporary, { recursive: true });
  return status === 0;
}
