import { clausesOf, givenClause } from "@setwise/core";

/** A part of a turn, and whether it asks for something: by a known verb or phrase, perhaps (a verb nobody listed), not, or for its not being done. */
export interface RequestClause {
  readonly text: string;
  readonly asks: "yes" | "perhaps" | "no" | "forbids";
}

/** What may stand before a request at the start of a sentence. */
const LEADING =
  /^(?:after (?:that|this|which|doing (?:so|that))|following (?:that|this)|once (?:that is )?done|in addition|on top of that|by the way|as well as that|last but not least|if possible)[,\s]+(?:please\s+)?/iu;

/** Ends of sentences, and words after which something else is asked for. */
const STARTS_ANEW = /[.!?;。！？；\n]|\b(?:then|also|finally|lastly|afterwards|after that|followed by)\b/iu;

/** With these words begins what tells something, not what asks for something. */
const TELLING = new Set(
  `i i'm i've i'll my me mine you your yours you're he his him she her hers it its it's we our ours us they their theirs this that these
  those the a an there here some any all each every both if because since although while as so but or no not yes ok okay sure great
  thanks thank hello hi hey dear sorry good well also`.split(/\s+/),
);
/** A name followed by one of these is told of: "Ada lives in Rome", "Order 12 was late". */
const FINITE = new Set("is are was were am has have had will would wants needs likes lives works got'".split(" "));
/** Someone else wants something: requests that are told, as in a task description. */
const WANTED =
  /^(?:you|he|she|they|we) (?:also |now |then )?(?:want|need|would like|wish|decide|ask|request|prefer)\w* /iu;

/**
 * The clauses of a text, each with whether it asks for something. What core's splitter cuts off within a sentence without seeing a
 * request in it ("…, UK with verified status") stays with what it follows.
 */
export function partsOf(text: string): readonly RequestClause[] {
  const parts: RequestClause[] = [];
  let begin = 0;
  let end = 0;
  for (const { text: clause, isRequest } of clausesOf(text)) {
    if (!/[\p{L}\p{N}]/u.test(clause)) continue;
    const start = Math.max(end, text.indexOf(clause, end));
    const between = text.slice(end, start);
    end = start + clause.length;
    const isOwn = isRequest || parts.length === 0 || STARTS_ANEW.test(between);
    if (!isOwn) {
      parts[parts.length - 1] = { text: text.slice(begin, end), asks: parts.at(-1)?.asks ?? "no" };
      continue;
    }
    begin = start;
    parts.push(...partsOfClause(clause, isRequest));
  }
  return parts;
}

/** The clause, or what it forbids and what it asks for instead. */
function partsOfClause(clause: string, isRequest: boolean): readonly RequestClause[] {
  const phrase = NO_PROHIBITION.exec(clause);
  if (phrase !== null) {
    const rest = clause.slice(phrase[0].length);
    return [givenClause(rest).isRequest ? { text: rest, asks: "yes" } : asking(rest)];
  }
  if (!FORBIDDING.test(clause)) return [isRequest ? { text: clause, asks: "yes" } : asking(clause)];
  const turn = INSTEAD.exec(clause);
  if (turn === null) return [{ text: clause, asks: "forbids" }];
  const rest = clause.slice(turn.index + turn[0].length);
  const instead: RequestClause = givenClause(rest).isRequest ? { text: rest, asks: "yes" } : asking(rest);
  return [
    { text: clause.slice(0, turn.index), asks: "forbids" },
    FORBIDDING.test(rest) ? { text: rest, asks: "forbids" } : instead,
  ];
}

/** Phrases that forbid nothing: "don't forget to pay", "never mind, cancel it". */
const NO_PROHIBITION =
  /^(?:please\s+)?(?:(?:do not|don['’]?t|never)\s+(?:(?:forget|hesitate|fail|bother)\s+to\s+|(?:only|just|merely)\s+|(?:worry|mind)(?:[,;:.!\s]+|$))|no worries(?:[,;:.!\s]+|$))(?=\p{L})/iu;

/** With this something that is to be done follows what is not. */
const INSTEAD = /[,;]?\s+(?:but|just|instead|rather|only)\s+(?:just\s+|please\s+)?(?=\p{L})/iu;

/** What is not to be done: "don't cancel it". */
const FORBIDDING =
  /^(?:(?:please|but|and|just|so)\s+)*(?:do not|don['’]?t(?!\s+(?:you|we|i|they)\b)|never|no need to|(?:you|we) (?:must|should|need) ?not|(?:you|we) (?:mustn|shouldn|needn)['’]?t)\b(?!\s+(?:stop|rest) until\b)/iu;

function asking(clause: string): RequestClause {
  const text = clause.replace(LEADING, "");
  if (text === "") return { text: clause, asks: "no" };
  if (givenClause(text).isRequest || WANTED.test(text)) return { text, asks: "yes" };
  const [first = "", second = ""] = text.toLowerCase().split(/[^\p{L}\p{N}']+/u);
  return { text, asks: TELLING.has(first) || FINITE.has(second) ? "no" : "perhaps" };
}
