import { createHash } from "node:crypto";
import type { Tool } from "@setwise/core";
import type { ProviderRules } from "./provider-rules.ts";

/** Characters of the hash in a changed name: 40 bits, so that 100,000 changed names rarely meet. */
const HASH_LENGTH = 8;
/** Letters and digits without those that look alike. */
const HASH_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
/** A server's name in front may take this much; the tool's own name matters more. */
const MAX_PREFIX = 24;

/**
 * An acceptable name for each tool, by position; all distinct. A name that already fits and is the only one stays as it is.
 * Tools of several servers that share a fitting name get their server in front. Every other name is cleaned and ends in a
 * hash of server and name, so it depends on nothing else: order and other tools do not matter.
 */
export function providerNames(tools: readonly Tool[], rules: ProviderRules): string[] {
  if (rules.nameCharacters === undefined) return tools.map((tool) => tool.name);
  const names: (string | undefined)[] = tools.map(() => undefined);
  const counts = countBy(tools.map((tool) => tool.name));
  const taken = new Set<string>();
  for (const [position, tool] of tools.entries()) {
    if (!fits(tool.name, rules) || counts.get(tool.name) !== 1) continue;
    names[position] = tool.name;
    taken.add(tool.name);
  }
  const left = [...tools.keys()].filter((position) => names[position] === undefined);
  const wishes = new Map(left.map((position) => [position, withServer(tools[position], rules)]));
  const wished = countBy([...wishes.values()].filter((name) => name !== undefined));
  for (const [position, wish] of wishes) {
    if (wish === undefined || wished.get(wish) !== 1 || taken.has(wish)) continue;
    names[position] = wish;
  }
  for (const name of names) if (name !== undefined) taken.add(name);
  placeHashed(left, tools, rules, names, taken);
  return names.map((name, position) => name ?? tools[position]?.name ?? "");
}

function fits(name: string, rules: ProviderRules): boolean {
  if (rules.nameCharacters === undefined) return true;
  if (name.length === 0 || name.length > rules.maxNameLength || !rules.nameStart.test(name)) return false;
  for (const character of name) if (!rules.nameCharacters.test(character)) return false;
  return true;
}

/** `server_name` for a fitting name that another server has too; `undefined` where that would not be faithful. */
function withServer(tool: Tool | undefined, rules: ProviderRules): string | undefined {
  if (tool?.server === undefined || !fits(tool.name, rules) || tool.server.length > MAX_PREFIX) return undefined;
  const name = `${tool.server}_${tool.name}`;
  return fits(name, rules) ? name : undefined;
}

/** The rest in an order of their own, so that the rare tie between hashes is settled alike whatever the input's order. */
function placeHashed(
  left: readonly number[],
  tools: readonly Tool[],
  rules: ProviderRules,
  names: (string | undefined)[],
  taken: Set<string>,
): void {
  const pairs = countBy(left.map((position) => pairOf(tools[position])));
  const keyed = left
    .filter((position) => names[position] === undefined)
    .map((position) => {
      const tool = tools[position];
      const pair = pairOf(tool);
      // Tools alike in server and name differ in their id only.
      return { position, key: pairs.get(pair) === 1 ? pair : `${pair}\u0000${tool?.id ?? ""}` };
    })
    .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
  for (const { position, key } of keyed) {
    const stem = cleaned(tools[position]?.name ?? "", rules);
    let name = `${stem}_${hash(key)}`;
    for (let turn = 1; taken.has(name); turn++) name = `${stem}_${hash(`${key}\u0000${turn}`)}`;
    names[position] = name;
    taken.add(name);
  }
}

function pairOf(tool: Tool | undefined): string {
  return `${tool?.server ?? ""}\u0000${tool?.name ?? ""}`;
}

/** What is left of a name within the allowed characters, with room for the hash. */
function cleaned(name: string, rules: ProviderRules): string {
  const room = rules.maxNameLength - HASH_LENGTH - 1;
  let text = "";
  for (const character of name.slice(0, 4 * rules.maxNameLength).normalize("NFKD")) {
    if (text.length >= room) break;
    if (rules.nameCharacters?.test(character) === true) text += character;
    else if (!/\p{M}/u.test(character) && !text.endsWith("_")) text += "_";
  }
  text = text.replace(/^_+/, "").replace(/[_.-]+$/, "");
  if (text === "") return "tool";
  return rules.nameStart.test(text) ? text : `_${text}`.slice(0, room);
}

function hash(text: string): string {
  const bytes = createHash("sha256").update(text).digest();
  let name = "";
  for (let position = 0; position < HASH_LENGTH; position++)
    name += HASH_ALPHABET[(bytes[position] ?? 0) % HASH_ALPHABET.length];
  return name;
}

function countBy(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
