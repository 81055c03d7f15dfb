/*
 * The coarse cut of a text, before clauses: items of lists, ends of sentences that other scripts have, and connecting words of other
 * languages than English, of which `splitClauses` in core knows nothing.
 */

/** "1. ", "2) ", "- ", "* " at the start of a line. */
const ITEM = /^[ \t]*(?:\d{1,2}[.)]|[-*•–])[ \t]+/;
/** "(1) … (2) …" and "1) … 2) …" within a line. */
const NUMBERED = /(?:^|[\s:;,])\(?(\d{1,2})\)[ \t]+/g;
/** What `splitClauses` cuts at by itself. */
const KNOWN_END = /[.!?;。！？；\n]\s*$/u;

/**
 * Words after which another thing is asked for: German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian, then Chinese,
 * Japanese and Korean, which put no blanks around them. Blanks are read from the first of a run only: a thousand of them cost no square. A plain "and" is not among them: without knowing verbs it also joins nouns.
 */
const CONNECTORS =
  /(?<![,\s])[,\s]+(?:und (?:dann|danach|anschließend|schließlich)|danach|anschließend|außerdem|et (?:puis|ensuite)|puis|ensuite|y (?:luego|después)|luego|después|además|e (?:depois|então|poi)|depois|em seguida|e poi|poi|inoltre|en (?:dan|daarna)|daarna|vervolgens|a (?:następnie|potem)|następnie|а (?:затем|потом)|и (?:затем|потом)|затем|потом)[,\s]+|[,、，]?(?:(?<!\s)\s+)?(?:然后|接着|之后再|并且|並且|同时|そして|それから|その後|그리고 나서|그리고|그런 다음)[,、，\s]*/giu;
/** A piece of fewer letters is no request: "puis" may also be a name. */
const FEWEST_LETTERS = 4;

const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/** The coarse parts of a text, trimmed, none empty; the line that introduces a list ("Do the following:") is none of them. */
export function splitItems(text: string): readonly string[] {
  return listItems(text).flatMap(foreignSentences).flatMap(foreignClauses);
}

function listItems(text: string): readonly string[] {
  const items: string[] = [];
  let plain: string[] = [];
  const flush = (beforeItem: boolean): void => {
    const joined = plain.join("\n").trim();
    if (joined !== "" && !(beforeItem && joined.endsWith(":"))) items.push(joined);
    plain = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const marker = ITEM.exec(line);
    if (marker !== null) {
      flush(true);
      items.push(line.slice(marker[0].length).trim());
    } else if (line.trim() === "") {
      flush(false);
    } else {
      plain.push(line);
    }
  }
  flush(false);
  return items.flatMap(numberedParts).filter((item) => item !== "");
}

/** Cuts at "1) … 2) …" where the numbers count up from 1. */
function numberedParts(text: string): readonly string[] {
  const marks = [...text.matchAll(NUMBERED)];
  if (marks.length < 2 || marks.some((mark, place) => Number(mark[1]) !== place + 1)) return [text];
  const head = text.slice(0, marks[0]?.index).trim();
  const parts = marks.map((mark, place) =>
    text
      .slice(mark.index + mark[0].length, marks[place + 1]?.index)
      .replace(/(?<![\s,;])[\s,;]+$/, "")
      .trim(),
  );
  return head === "" || /[:]$|follow/i.test(text.slice(0, (marks[0]?.index ?? 0) + 1)) ? parts : [head, ...parts];
}

/** Cuts where Unicode sees the end of a sentence that `splitClauses` does not know: "।", "؟", "።" … */
function foreignSentences(text: string): readonly string[] {
  const parts: string[] = [];
  let open = "";
  for (const { segment } of sentences.segment(text)) {
    open += segment;
    if (KNOWN_END.test(segment)) continue;
    parts.push(open.trim());
    open = "";
  }
  if (open.trim() !== "") parts.push(open.trim());
  return parts;
}

function foreignClauses(text: string): readonly string[] {
  const parts = text.split(CONNECTORS).map((part) => part.trim());
  const letters = (part: string): number => part.match(/\p{L}/gu)?.length ?? 0;
  return parts.every((part) => letters(part) >= FEWEST_LETTERS) ? parts : [text];
}
