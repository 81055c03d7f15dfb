import type { Tool } from "@setwise/core";
import { wordsOf } from "./port-words.ts";

/** What calling a tool does: finds out, signs in, makes something new, changes what is there; or nobody knows. */
export type ToolDeed = "reads" | "signs-in" | "creates" | "changes" | "unknown";

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const deedByVerb: ReadonlyMap<string, ToolDeed> = new Map(
  Object.entries({
    reads: words(
      `get list search find fetch retrieve read show view query lookup look check calculate compute convert estimate validate verify
      describe browse count analyze detect recommend suggest compare translate head display obtain determine generate identify evaluate
      download scrape extract hash is has predict track monitor select load inspect scan explore discover locate summarize measure`,
    ),
    "signs-in": words("login signin logon authenticate authorize auth oauth"),
    creates: words(
      "create add register new insert make build book reserve post upload schedule start open init initialize issue",
    ),
    changes: words(
      `delete remove update set edit modify change send cancel clear disable enable stop close put patch archive move rename pay buy sell
      transfer order submit reset revoke lock unlock mark assign apply approve reject merge drop purge destroy replace write save play
      pause resume skip seek turn adjust increase decrease follow unfollow like unlike invite share reply forward publish notify execute run`,
    ),
  }).flatMap(([deed, verbs]) => verbs.map((verb): [string, ToolDeed] => [verb, deed as ToolDeed])),
);

/** The deed of a word, where it is a verb we know. */
export function deedOf(word: string): ToolDeed | undefined {
  return deedByVerb.get(word);
}

/** What a tool does by its annotations, else by the first verb in its name, else by the first words of its description. */
export function toolDeed({ name, description, annotations }: Tool): ToolDeed {
  const named = wordsOf(name);
  if (named.some((word, place) => deedOf(word) === "signs-in" || (word === "log" && named[place + 1] === "in"))) {
    return "signs-in";
  }
  if (annotations?.readOnlyHint === true) return "reads";
  const deed = firstDeed(named) ?? firstDeed(wordsOf(description.slice(0, 80)).slice(0, 3));
  if (annotations?.destructiveHint === true && deed !== "creates") return "changes";
  return deed ?? "unknown";
}

function firstDeed(among: readonly string[]): ToolDeed | undefined {
  for (const word of among) {
    const deed = deedOf(word);
    if (deed !== undefined) return deed;
  }
  return undefined;
}
