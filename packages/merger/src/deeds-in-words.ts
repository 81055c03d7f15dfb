import { actionOf, deedOfNoun, isActionNoun, isReading } from "./actions.ts";

/** What a description says that is done, where the name does not say it better. */
function described(byName: string | undefined, isAsking: boolean, opening: string | undefined): string | undefined {
  if (byName === "bring back") return byName;
  return isAsking && opening !== undefined && !isReading(opening) ? "read" : opening;
}

/** What a tool does by its description, or by its name where that says it better. */
export function deedInDescription(nameWords: readonly string[], words: readonly string[]): string | undefined {
  return described(deedInName(nameWords), asks(nameWords), leadingAction(words));
}

function asks(words: readonly string[]): boolean {
  return words.length > 1 && ASKING.has(words.at(-1) ?? "");
}

/** What a name says that is done: the first verb that is no noun, else the last noun of a deed. */
export function deedInName(words: readonly string[]): string | undefined {
  if (asks(words)) return "read";
  if (LIGHT.has(words[0] ?? "")) {
    const deed = words.slice(1).flatMap((word) => deedOfNoun(word) ?? [])[0];
    if (deed !== undefined) return deed;
  }
  // A name that begins with it means to bring back; a description means what it answers.
  if (words[0] === "return" && words.length > 1) return "bring back";
  for (const [place, word] of words.entries()) {
    const action = actionOf(word);
    if (action === undefined || isActionNoun(word)) continue;
    // To get a translation is to translate; to get a payment is not to pay.
    const behind = action === "read" ? deedBehind(words.slice(place + 1)) : undefined;
    return behind !== undefined && isReading(behind) ? behind : action;
  }
  for (const word of words.toReversed()) {
    const action = actionOf(word);
    if (action !== undefined && action !== "read") return action;
  }
  return undefined;
}

/** At the end of a name these say that it only asks, whatever stands before: `flight_booking_inquiry`. */
const ASKING: ReadonlySet<string> = new Set([
  "inquiry",
  "enquiry",
  "query",
  "search",
  "lookup",
  "check",
  "retrieval",
  "retrieve",
  "status",
  "tracker",
  "tracking",
  "finder",
]);

const OPENINGS: ReadonlySet<string> = new Set([
  "a",
  "an",
  "the",
  "this",
  "it",
  "tool",
  "function",
  "api",
  "endpoint",
  "for",
  "to",
  "will",
  "make",
  "can",
  "that",
  "which",
  "is",
  "used",
  "you",
  "allows",
  "asynchronously",
  "submit",
  "perform",
  "request",
  "requests",
  "end",
  "point",
]);

/** Verbs that say nothing where the noun of a deed comes behind: "make a reservation", "initiates the download". */
const LIGHT: ReadonlySet<string> = new Set(
  `make makes making send sends sending perform performs performing initiate initiates start starts begin begins submit submits conduct conducts execute executes process processes
  provide provides give gives generate generates create creates run runs`.split(/\s+/),
);
/** Behind a light verb the deed is one of so many words. */
const NEAR = 3;

function deedBehind(words: readonly string[]): string | undefined {
  return words.slice(0, NEAR).flatMap((word) => deedOfNoun(word) ?? [])[0];
}

/** The verb a description opens with: "Retrieve the …", "This function adds …". */
function leadingAction(words: readonly string[]): string | undefined {
  for (const [place, word] of words.slice(0, 8).entries()) {
    if (OPENINGS.has(word)) continue;
    const behind = deedBehind(words.slice(place + 1));
    if (LIGHT.has(word)) return behind ?? actionOf(word);
    if (actionOf(word) === "read" && behind !== undefined && isReading(behind)) return behind;
    if (["if", "whether"].includes(words[place + 1] ?? "")) return "validate";
    return actionOf(word);
  }
  return undefined;
}
