import type { Tool } from "@setwise/core";
import { isEmptyWord, wordsOf } from "./port-words.ts";
import { ANY_ITEM, type PortNode, portName } from "./ports.ts";
import { deedOf, type ToolDeed, toolDeed } from "./tool-deeds.ts";
import { numbersOf, type Vocabulary } from "./vocabulary.ts";
import { conceptsOf } from "./word-concepts.ts";

/** Of a description so many characters are compared. */
const LONGEST_MENTION = 400;

/** What of a tool is compared with others, as words by number. */
export interface ToolSignals {
  /** Of its name and its server's: the namespace it shares with its kin. */
  readonly words: readonly number[];
  /** Of its name, without verbs: what it is about. */
  readonly objects: readonly number[];
  /** The same as text. */
  readonly objectText: string;
  /** Bits of what it is about. */
  readonly concepts: number;
  readonly deed: ToolDeed;
  readonly server: string | undefined;
}

/** What of a node is compared with others, as distinct words by number. */
export interface PortSignals {
  /** Of its own name; of a result as a whole, what its tool is about. */
  readonly name: readonly number[];
  /** Of what it lies in and of its tool's name, without its own. */
  readonly context: readonly number[];
  /** Bits of what it is about. */
  readonly concepts: number;
  /** Of its description; for inputs only. */
  readonly mentions: readonly number[];
  /** Its name's words in order of the alphabet: two nodes with one key have one name. */
  readonly key: string;
  /** What an encoder is given. */
  readonly text: string;
}

export function toolSignals(tool: Tool, vocabulary: Vocabulary): ToolSignals {
  const named = wordsOf(tool.name);
  const objects = objectsOf(named);
  return {
    words: numbersOf(vocabulary, distinct([...named, ...wordsOf(tool.server ?? "")])),
    objects: numbersOf(vocabulary, objects),
    objectText: objects.join(" "),
    concepts: conceptsOf(objects),
    deed: toolDeed(tool),
    server: tool.server,
  };
}

export function portSignals(node: PortNode, tool: Tool, signals: ToolSignals, vocabulary: Vocabulary): PortSignals {
  const isWhole = node.path.length === 0;
  const words = isWhole ? signals.objectText.split(" ") : distinct(wordsOf(portName(node)));
  const name = isWhole ? signals.objects : numbersOf(vocabulary, words);
  const own = new Set(name);
  const outer = node.path.slice(0, -1).filter((step) => step !== ANY_ITEM);
  const around = [...numbersOf(vocabulary, outer.flatMap(wordsOf)), ...signals.words];
  const mentioned =
    node.kind === "in" ? wordsOf(node.description.slice(0, LONGEST_MENTION)).filter((word) => !isEmptyWord(word)) : [];
  return {
    name,
    context: [...new Set(around)].filter((word) => !own.has(word)),
    concepts: conceptsOf(words),
    mentions: numbersOf(vocabulary, distinct(mentioned)),
    key: words.toSorted().join(" "),
    text: textOf(node, tool, words),
  };
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

function distinct(words: readonly string[]): readonly string[] {
  return [...new Set(words)];
}
