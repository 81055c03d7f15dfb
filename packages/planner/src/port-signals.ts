import type { Tool } from "@setwise/core";
import { isEmptyWord, wordsOf } from "./port-words.ts";
import { ANY_ITEM, type PortNode, portName } from "./ports.ts";
import { deedOf, type ToolDeed, toolDeed } from "./tool-deeds.ts";
import { conceptOf } from "./word-concepts.ts";

/** Of a description so many characters are compared. */
const LONGEST_MENTION = 400;

/** What of a tool is compared with others, as words. */
export interface ToolSignals {
  /** Of its name and its server's: the namespace it shares with its kin. */
  readonly words: readonly string[];
  /** Of its name, without verbs: what it is about. */
  readonly objects: readonly string[];
  readonly concepts: readonly string[];
  readonly deed: ToolDeed;
  readonly server: string | undefined;
}

/** What of a node is compared with others, as distinct words. */
export interface PortSignals {
  /** Of its own name; of a result as a whole, what its tool is about. */
  readonly name: readonly string[];
  /** Of what it lies in and of its tool's name, without its own. */
  readonly context: readonly string[];
  readonly concepts: readonly string[];
  /** Of its description; for inputs only. */
  readonly mentions: readonly string[];
  /** Its name's words in order of the alphabet: two nodes with one key have one name. */
  readonly key: string;
  /** What an encoder is given. */
  readonly text: string;
}

export function toolSignals(tool: Tool): ToolSignals {
  const named = wordsOf(tool.name);
  const words = distinct([...named, ...wordsOf(tool.server ?? "")]);
  const objects = objectsOf(named);
  return { words, objects, concepts: conceptsOf(objects), deed: toolDeed(tool), server: tool.server };
}

export function portSignals(node: PortNode, tool: Tool, signals: ToolSignals): PortSignals {
  const isWhole = node.path.length === 0;
  const name = distinct(isWhole ? signals.objects : wordsOf(portName(node)));
  const own = new Set(name);
  const outer = node.path.slice(0, -1).filter((step) => step !== ANY_ITEM);
  const context = distinct([...outer.flatMap(wordsOf), ...signals.words]).filter((word) => !own.has(word));
  const mentions =
    node.kind === "in"
      ? distinct(wordsOf(node.description.slice(0, LONGEST_MENTION)).filter((word) => !isEmptyWord(word)))
      : [];
  const concepts = conceptsOf(name);
  return { name, context, concepts, mentions, key: name.toSorted().join(" "), text: textOf(node, tool, name) };
}

function textOf(node: PortNode, tool: Tool, name: readonly string[]): string {
  if (node.path.length === 0) return `${name.join(" ")}: ${tool.description.slice(0, LONGEST_MENTION)}`;
  const path = node.kind === "out" ? wordsOf(node.path.join(" ")) : name;
  return `${path.join(" ")}: ${node.description.slice(0, LONGEST_MENTION)}`;
}

/** The words without verbs; all of them where nothing else is left. */
function objectsOf(named: readonly string[]): readonly string[] {
  const objects = named.filter((word) => deedOf(word) === undefined && !isEmptyWord(word));
  return distinct(objects.length === 0 ? named : objects);
}

function conceptsOf(words: readonly string[]): readonly string[] {
  return distinct(words.flatMap((word) => conceptOf(word) ?? []));
}

function distinct(words: readonly string[]): readonly string[] {
  return [...new Set(words)];
}
