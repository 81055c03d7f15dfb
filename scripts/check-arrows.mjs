// Fails when a package imports one it must not know, when a relative import leaves its package, or on a cycle of modules.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { root } from "./setup.mjs";

/** Which of our packages each package may import. Stages know core and native; the umbrella joins them; apps know the umbrella. */
const stage = ["@setwise/core", "@setwise/native"];
const stages = ["sources", "encoders", "merger", "retriever", "set-scorer", "adaptive-k", "planner", "evaluation"];
const models = ["@setwise/model-static", "@setwise/model-minilm"];
const allowed = {
  "@setwise/core": [],
  "@setwise/native": [],
  "@setwise/testkit": ["@setwise/core"],
  "@setwise/model-static": [],
  "@setwise/model-minilm": [],
  ...Object.fromEntries(stages.map((name) => [`@setwise/${name}`, stage])),
  setwise: [...stage, ...models, ...stages.map((name) => `@setwise/${name}`)].filter(
    (name) => name !== "@setwise/evaluation",
  ),
  "@setwise/cli": ["setwise", "@setwise/evaluation", "@setwise/bench"],
  "@setwise/gateway": ["setwise"],
  "@setwise/inspector": ["setwise"],
  "@setwise/bench": [
    "setwise",
    "@setwise/testkit",
    "@setwise/evaluation",
    ...stage,
    ...models,
    ...stages.map((name) => `@setwise/${name}`),
  ],
};
const testOnly = new Set(["@setwise/testkit", "@setwise/core", ...models]);
const importPattern =
  /(?:^|\n)\s*(?:import|export)\s(?:[^;"']*?\sfrom\s*)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;

const problems = [];
const edges = new Map();

for (const folder of packageFolders()) checkPackage(folder);
for (const cycle of cycles())
  problems.push(`cycle of modules: ${cycle.map((file) => relative(root, file)).join(" → ")}`);

for (const problem of problems) console.error(problem);
console.log(
  problems.length === 0 ? `${edges.size} modules, every arrow allowed, no cycle` : `${problems.length} problems`,
);
process.exit(problems.length === 0 ? 0 : 1);

function packageFolders() {
  const children = (name) => readdirSync(join(root, name)).map((child) => join(root, name, child));
  return [...children("packages"), ...children("apps"), join(root, "native")].filter((folder) =>
    existsSync(join(folder, "package.json")),
  );
}

function sources(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mts|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function checkPackage(folder) {
  const { name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (!(name in allowed)) {
    problems.push(`${name}: unknown to scripts/check-arrows.mjs; say there what it may import`);
    return;
  }
  for (const file of [...sources(join(folder, "src")), ...sources(join(folder, "test"))]) checkFile(name, folder, file);
}

function checkFile(name, folder, file) {
  const isTest = /\.(test|test-d)\.ts$/.test(file) || file.startsWith(join(folder, "test") + sep);
  const targets = [];
  for (const [statement, imported, dynamic] of readFileSync(file, "utf8").matchAll(importPattern)) {
    const specifier = imported ?? dynamic;
    const where = relative(root, file);
    if (specifier.startsWith(".")) {
      const target = resolve(dirname(file), specifier);
      if (!target.startsWith(folder + sep))
        problems.push(`${where}: ${specifier} leaves the package; import it by name`);
      if (target.endsWith("src/index.ts") && !isTest)
        problems.push(`${where}: imports its own index.ts; import the file that holds the name`);
      // Types are gone at run time, so they cannot make a cycle.
      if (!isTest && !/^\s*(import|export) type\b/.test(statement)) targets.push(target);
      continue;
    }
    const other = ours(specifier);
    if (other === undefined || other === name) continue;
    const ok = allowed[name].includes(other) || (isTest && testOnly.has(other));
    if (!ok) problems.push(`${where}: ${name} must not import ${other}`);
  }
  edges.set(file, targets);
}

/** The name of our package that a specifier reaches, if any. */
function ours(specifier) {
  if (specifier === "setwise" || specifier.startsWith("setwise/")) return "setwise";
  return /^@setwise\/[^/]+/.exec(specifier)?.[0];
}

/** Cycles of modules, each reported once, by depth-first search. */
function cycles() {
  const found = [];
  const state = new Map();
  const visit = (file, path) => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open") {
      found.push([...path.slice(path.indexOf(file)), file]);
      return;
    }
    state.set(file, "open");
    for (const next of edges.get(file) ?? []) visit(next, [...path, file]);
    state.set(file, "done");
  };
  for (const file of edges.keys()) visit(file, []);
  return found;
}
