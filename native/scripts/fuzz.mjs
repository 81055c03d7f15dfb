// Fuzzes the kernels: `node native/scripts/fuzz.mjs [--seconds 60] [target…]` builds the programs of fuzz/src/bin for coverage and with
// the address sanitizer, and runs as many at a time as there are processors. Corpora stay in fuzz/corpus, so that a run goes on from
// where the last one was. `<target> --input <file>` shows what a kept input stands for and what it does. `--tests` runs the kernels' own
// tests under the address sanitizer instead. Only Rust and a C++ compiler are needed; what is missing is said in one line.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const script = fileURLToPath(import.meta.url);
const native = dirname(dirname(script));
const folder = join(native, "fuzz");
const coverage = ["level=4", "inline-8bit-counters", "pc-table"];
const coverageFlags = [
  "-Cpasses=sancov-module",
  ...coverage.map((option) => `-Cllvm-args=-sanitizer-coverage-${option}`),
  "-Ccodegen-units=1",
];
// An input takes about a millisecond and a few megabytes. Long inputs from the start: short ones make empty pools.
const limits = ["-rss_limit_mb=1024", "-malloc_limit_mb=512", "-timeout=10", "-max_len=1024", "-len_control=0"];
// A fifth faster, and a quarter of the memory.
const sanitizerOptions = "quarantine_size_mb=16:malloc_context_size=6:detect_stack_use_after_return=0";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: "string", default: "60" }, input: { type: "string" }, tests: { type: "boolean" } },
});
const all = readdirSync(join(folder, "src", "bin")).map((file) => basename(file, ".rs"));
const targets = positionals.length === 0 ? all : positionals;

const missing = whatIsMissing();
if (missing === undefined) process.exitCode = await main();
else console.log(`The kernels were not fuzzed: ${missing}`);

async function main() {
  const unknown = targets.find((target) => !all.includes(target));
  if (unknown !== undefined) return refuse(`There is no target "${unknown}"; there are ${all.join(", ")}.`);
  const seconds = Number(values.seconds);
  if (!Number.isInteger(seconds) || seconds < 1) {
    return refuse(`--seconds: expected an integer of 1 or more, got "${values.seconds}".`);
  }
  if (values.tests === true) return test();
  if (values.input !== undefined && positionals.length !== 1) return refuse("--input belongs to one target: name it.");
  if (!build()) return 1;
  if (values.input !== undefined) return show(targets[0], values.input);
  let failed = 0;
  const waiting = [...targets];
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
  if (!["linux", "darwin"].includes(process.platform)) return `libFuzzer is not used on ${process.platform}.`;
  if (!has("cargo") || !has("rustc")) return "Rust is not installed.";
  if (values.tests !== true && !has(process.env.CXX ?? "c++")) return "there is no C++ compiler to compile libFuzzer.";
  return undefined;
}

function rustc(...parameters) {
  return spawnSync("rustc", parameters, { encoding: "utf8" }).stdout.trim();
}

function host() {
  return /^host: (.*)$/m.exec(rustc("-vV"))[1];
}

/** The flags of the address sanitizer; none where this Rust comes without its runtime. */
function sanitizerFlags() {
  const files = readdirSync(rustc("--print", "target-libdir"));
  if (files.some((file) => /rt\.asan\.|rt_asan|\.asan_/.test(file))) return ["-Zsanitizer=address"];
  console.log("This Rust comes without the address sanitizer: going on without it.");
  return [];
}

/** A target is named, so that the flags do not reach programs that run while building. */
function cargo(flags, stdio, ...parameters) {
  const environment = {
    ...process.env,
    CARGO_ENCODED_RUSTFLAGS: flags.join("\u001f"),
    // The compiler is the stable one; the sanitizer's flag is not stable yet.
    RUSTC_BOOTSTRAP: "1",
  };
  const options = { cwd: folder, env: environment, encoding: "utf8", maxBuffer: 2 ** 28, stdio };
  return spawnSync("cargo", [...parameters, "--quiet", "--target", host()], options);
}

function build() {
  const programs = targets.flatMap((target) => ["--bin", target]);
  return cargo([...coverageFlags, ...sanitizerFlags()], "inherit", "build", "--release", ...programs).status === 0;
}

/** The kernels' own tests: the exit code, and one line that counts them. */
function test() {
  const where = ["--manifest-path", join(native, "Cargo.toml"), "--target-dir", join(folder, "target", "tests")];
  const what = ["--package", "setwise-kernels", "--lib", "--tests"];
  const { status, stdout, stderr } = cargo(sanitizerFlags(), "pipe", "test", ...what, ...where);
  if (status !== 0) return refuse(`${stdout}\n${stderr}`);
  const passed = [...stdout.matchAll(/(\d+) passed/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  console.log(`kernel tests under the address sanitizer: ${passed} passed`);
  return 0;
}

function program(target) {
  return join(folder, "target", host(), "release", target);
}

function sanitized(environment = {}) {
  const options = [sanitizerOptions, process.env.ASAN_OPTIONS].filter(Boolean).join(":");
  return { ...process.env, ASAN_OPTIONS: options, ...environment };
}

/** Runs a target for a while; says in one line how it went, and what failed if something did. Whether it went well. */
async function fuzz(target, seconds) {
  const [corpus, artifacts] = [join(folder, "corpus", target), join(folder, "artifacts", target)];
  for (const needed of [corpus, artifacts]) mkdirSync(needed, { recursive: true });
  const options = [`-max_total_time=${seconds}`, `-artifact_prefix=${artifacts}/`, "-print_final_stats=1"];
  const child = spawn(program(target), [...options, ...limits, corpus], {
    stdio: ["ignore", "ignore", "pipe"],
    env: sanitized(),
  });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (output = (output + text).slice(-100_000)));
  const started = Date.now();
  const code = await new Promise((resolve) => child.on("close", resolve));
  const passed = (Date.now() - started) / 1000;
  const executions = Number(/stat::number_of_executed_units: (\d+)/.exec(output)?.[1] ?? 0);
  const [, edges, inputs] = [...output.matchAll(/ cov: (\d+) ft: \d+ corp: (\d+)/g)].at(-1) ?? [];
  console.log(
    `${target}: ${executions.toLocaleString("en")} executions in ${Math.round(passed)} s, ` +
      `${edges ?? 0} edges covered by ${inputs ?? 0} inputs${code === 0 ? "" : ": FAILED"}`,
  );
  if (code === 0) return true;
  const file = /Test unit written to (.*)$/m.exec(output)?.[1];
  if (file === undefined) console.error(output);
  else show(target, file);
  return false;
}

/** Runs a target on one input, shows what it stands for and what it does, and returns the exit code. */
function show(target, file) {
  const decoded = join(folder, "artifacts", `${target}.txt`);
  mkdirSync(dirname(decoded), { recursive: true });
  writeFileSync(decoded, "");
  // With this path libfuzzer-sys only writes the input in words.
  spawnSync(program(target), [file], { stdio: "ignore", env: sanitized({ RUST_LIBFUZZER_DEBUG_PATH: decoded }) });
  const { status, stderr } = spawnSync(program(target), [...limits, file], { encoding: "utf8", env: sanitized() });
  // Lists of numbers on one line each.
  const words = readFileSync(decoded, "utf8").replaceAll(/\s*\n\s+(?=-?(?:\d|NaN|inf))|(?<=[\dfN]),\s+(?=[\])])/g, " ");
  writeFileSync(decoded, words);
  const path = (to) => relative(process.cwd(), to);
  console.error(`${firstFailure(stderr)}\n${words.slice(0, 4_000)}`);
  console.error(`The whole input is in ${path(decoded)}. To run it once more:`);
  console.error(`node ${path(script)} ${target} --input ${path(file)}`);
  return status === 0 ? 0 : 1;
}

/** The panic, or what the sanitizer or libFuzzer says. */
function firstFailure(text) {
  const [panic] = /^thread [\s\S]*?(?===\d+== )/m.exec(text) ?? [];
  return (panic ?? text.slice(Math.max(0, text.search(/ERROR: /)))).slice(0, 3_000);
}
