// Packs this package, installs it in a project of its own (the addon as the package of this platform, when it was built), and
// runs it from ESM, from CommonJS and in a worker thread; then once more with a broken addon.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const project = mkdtempSync(join(tmpdir(), "setwise-packed-"));
const addon = readdirSync(root).find((file) => file.endsWith(".node"));
// Pizza toppings: how much each is liked (logits) and how well two go together, whatever the size of the set: nothing to do with tools.
const use = `
  const toppings = ["olives", "pineapple", "ham", "anchovies"];
  const liked = Float64Array.of(1, 0.5, 1, 0.2);
  const together = Float64Array.of(
    0, -1, 0.2, 1,
    -1, 0, 2, -3,
    0.2, 2, 0, -1,
    1, -3, -1, 0,
  );
  const pairScores = Float64Array.of(...together, ...together);
  const { members } = enumerateHyperedges(liked, pairScores, { maxSize: 3 });
  const answer = [...members].map((member) => toppings[member]).join();
  const info = kernelInfo();`;
const print = `console.log(JSON.stringify({ answer, implementation: info.implementation, reason: info.reason }));`;
const programs = {
  "esm.mjs": `import { enumerateHyperedges, kernelInfo } from "@setwise/native"; ${use} ${print}`,
  "commonjs.cjs": `const { enumerateHyperedges, kernelInfo } = require("@setwise/native"); ${use} ${print}`,
  "worker.mjs": `
    import { Worker, isMainThread, parentPort } from "node:worker_threads";
    import { enumerateHyperedges, kernelInfo } from "@setwise/native";
    if (isMainThread) {
      ${use}
      const worker = new Worker(new URL(import.meta.url));
      worker.on("message", (text) => console.log(text));
    } else {
      ${use}
      parentPort.postMessage(JSON.stringify({ answer, implementation: info.implementation, reason: info.reason }));
    }`,
};

try {
  install();
  runAll(addon === undefined ? "typescript" : "native");
  if (addon !== undefined) {
    writeFileSync(join(platformFolder(), addon), "broken");
    runAll("typescript", /there but cannot be used: .*\. Install again/);
  }
} finally {
  rmSync(project, { recursive: true, force: true });
}

function install() {
  const npm = (cwd, ...parameters) =>
    execFileSync("npm", parameters, { cwd, encoding: "utf8", shell: process.platform === "win32" });
  const [packed] = JSON.parse(npm(root, "pack", "--json", "--pack-destination", project));
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "words", private: true }));
  npm(project, "install", "--offline", "--no-audit", "--no-fund", join(project, packed.filename));
  for (const [file, text] of Object.entries(programs)) writeFileSync(join(project, file), text);
  if (addon === undefined) return;
  mkdirSync(platformFolder(), { recursive: true });
  copyFileSync(join(root, addon), join(platformFolder(), addon));
  const manifest = { name: platformName(), version: packed.version, main: addon };
  writeFileSync(join(platformFolder(), "package.json"), JSON.stringify(manifest));
}

function platformName() {
  return `@setwise/native-${addon.split(".")[1]}`;
}

function platformFolder() {
  return join(project, "node_modules", platformName());
}

function runAll(implementation, reason = /./) {
  const environment = { ...process.env, SETWISE_KERNELS: "" };
  for (const file of Object.keys(programs)) {
    const text = execFileSync(process.execPath, [file], { cwd: project, encoding: "utf8", env: environment });
    const got = JSON.parse(text);
    const expected = got.answer === "olives,pineapple,ham" && got.implementation === implementation;
    if (expected && (implementation === "native" || reason.test(got.reason))) continue;
    console.error(`${file}: expected olives,pineapple,ham on the ${implementation} kernels, got ${text}`);
    process.exitCode = 1;
    return;
  }
  console.log(`packed and installed: ESM, CommonJS and a worker thread run on the ${implementation} kernels`);
}
