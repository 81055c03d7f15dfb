import type { ToolDefinition } from "@setwise/core";
import { actionOf, isThing } from "./actions.ts";
import { deedInDescription, deedInName } from "./deeds-in-words.ts";
import { splitWords } from "./split-words.ts";
import { type Parameter, toolParameters } from "./tool-parameters.ts";
import { isEmptyWord, meaningOf } from "./word-meaning.ts";

const LONGEST_NAME = 300;
/** The last dot between names. */
const LAST_DOT = /\.(?=[A-Za-z_][^.]*$)/;
/** Services that number their copies: `Weather_1_GetWeather`. */
const NUMBERED_PREFIX = /^[A-Za-z]+_[0-9]+_(?=[A-Za-z])/;
/** What a tool does stands in the beginning of its description; later come limits and examples. */
const LONGEST_DESCRIPTION = 400;

/** What of a tool is compared, worked out once. */
export interface ToolProfile {
  readonly tool: ToolDefinition;
  /** Words before the last `/`: the service a tool of a market place belongs to. */
  readonly service: readonly string[];
  /** Words before the last dot of its name, where a thing stands behind it. */
  readonly namespace: readonly string[];
  /** Words of its own name, as written. */
  readonly nameWords: readonly string[];
  /** Meanings of those that are neither empty nor plain verbs. */
  readonly nameObjects: ReadonlySet<string>;
  /** The same with those of the namespace. */
  readonly fullObjects: ReadonlySet<string>;
  readonly descriptionObjects: ReadonlySet<string>;
  /** The same of the first sentence of the description. */
  readonly sentenceObjects: ReadonlySet<string>;
  /** All that its names, its first sentence and the names of what it requires are about. */
  readonly known: ReadonlySet<string>;
  /** The deed that its name opens with, as it stands among objects: `to calculate`. */
  readonly leadingDeed: string | undefined;
  /** Meanings in its names, in the first sentence of its description and in the names of what it requires. */
  readonly mentioned: ReadonlySet<string>;
  /** Words as written, of the name and the first sentence of the description. */
  readonly written: ReadonlySet<string>;
  /** What it does by its name and by the first words of its description. */
  readonly nameAction: string | undefined;
  readonly descriptionAction: string | undefined;
  readonly actions: ReadonlySet<string>;
  readonly parameters: readonly Parameter[] | undefined;
}

const profiles = new WeakMap<ToolDefinition, ToolProfile>();

/** The profile of a tool, remembered as long as the tool is. */
export function toolProfile(tool: ToolDefinition): ToolProfile {
  const known = profiles.get(tool);
  if (known !== undefined) return known;
  const profile = makeProfile(tool);
  profiles.set(tool, profile);
  return profile;
}

function makeProfile(tool: ToolDefinition): ToolProfile {
  const name = tool.name.slice(0, LONGEST_NAME);
  const slash = name.indexOf(" / ");
  const service = slash < 0 ? [] : splitWords(name.slice(0, slash));
  const own = (slash < 0 ? name : name.slice(slash + 3)).replace(NUMBERED_PREFIX, "");
  const dot = slash < 0 ? own.search(LAST_DOT) : -1;
  const last = objectsOf(splitWords(own.slice(dot + 1)));
  const isNamespaced = dot > 0 && [...last].some((word) => !word.startsWith("to "));
  const nameWords = withoutServer(
    tool.server,
    withoutCopy(splitWords(isNamespaced ? own.slice(dot + 1) : own).flatMap(splitJoined), service),
  );
  const namespace = isNamespaced ? splitWords(own.slice(0, dot)).filter((word) => !isEmptyWord(word)) : [];
  const description = tool.description.slice(0, LONGEST_DESCRIPTION);
  const descriptionWords = splitWords(description);
  const firstWords = splitWords(firstSentence(description));
  const parameters = toolParameters(tool);
  const nameAction = deedInName(nameWords);
  const argumentWords = (parameters ?? []).flatMap((parameter) => (parameter.required ? [...parameter.words] : []));
  const fullObjects = objectsOf([...namespace, ...nameWords]);
  const sentenceObjects = objectsOf(firstWords);
  return {
    tool,
    service,
    namespace,
    nameWords,
    nameObjects: objectsOf(nameWords),
    fullObjects,
    descriptionObjects: objectsOf(descriptionWords),
    sentenceObjects,
    known: new Set([...fullObjects, ...sentenceObjects, ...argumentWords]),
    leadingDeed: [...objectsOf(nameWords.slice(0, 1))].find((word) => word.startsWith("to ")),
    mentioned: new Set([...nameWords, ...namespace, ...firstWords].map(meaningOf).concat(argumentWords)),
    written: new Set([...nameWords, ...firstWords]),
    nameAction,
    descriptionAction: deedInDescription(nameWords, descriptionWords),
    actions: new Set([...nameWords, ...descriptionWords].flatMap((word) => actionOf(word) ?? [])),
    parameters,
  };
}

/** Market places add it to the name of a tool that was copied within its service. */
function withoutCopy(words: readonly string[], service: readonly string[]): readonly string[] {
  return service.length > 0 && words.length > 1 && words.at(-1) === "copy" ? words.slice(0, -1) : words;
}

/** Servers put their own name before those of their tools: `fast_read_file` of a server `fast-files` is `read_file`. */
function withoutServer(server: string | undefined, words: readonly string[]): readonly string[] {
  const own = splitWords((server ?? "").slice(0, LONGEST_NAME));
  const first = words.findIndex((word) => !own.includes(word));
  return first > 0 && words.length - first > 1 ? words.slice(first) : words;
}

/** What comes up to the first full stop that ends a sentence, without what stands in brackets: that is an aside. */
function firstSentence(description: string): string {
  return description.replace(/\([^()]*\)/g, " ").split(/[.!?\n](?:\s|$)/, 1)[0] ?? "";
}

/** `userinfo` is `user info`. */
function splitJoined(word: string): string[] {
  const found = /^([a-z]{3,})(info|list)$/.exec(word);
  return found?.[1] === undefined || found[2] === undefined ? [word] : [found[1], found[2]];
}

function objectsOf(words: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [place, word] of words.entries()) {
    if (isEmptyWord(word) || (word.length === 1 && !/[0-9]/.test(word))) continue;
    // "deleted users" are a thing, not a deed.
    const action = place > 0 && (isThing(word) || word.endsWith("ed")) ? undefined : actionOf(word);
    if (action === "read") continue;
    found.add(action === undefined ? meaningOf(word) : `to ${action}`);
  }
  return found;
}
