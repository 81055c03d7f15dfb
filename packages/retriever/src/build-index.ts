import type { Catalog, Tool } from "@setwise/core";
import { exactNames } from "./exact-names.ts";
import { type LexicalOptions, type ResolvedLexicalOptions, resolveLexicalOptions } from "./lexical-options.ts";
import { FIELD_COUNT, fields, fieldTexts } from "./tool-fields.ts";
import type { Postings, ToolIndex } from "./tool-index.ts";
import { isNumber, plainWords } from "./words.ts";
import { stem } from "./stem.ts";

/*
 * BM25F (Robertson, Zaragoza, Taylor 2004, "Simple BM25 extension to multiple weighted fields"):
 *
 *   frequency(t, d) = Σ over fields f: weight_f · count_f(t, d) / (1 − b + b · length_f(d) / averageLength_f)
 *   idf(t)          = ln(1 + (N − n_t + ½) / (n_t + ½))
 *   weight(t, d)    = idf(t) · frequency · (k1 + 1) / (frequency + k1)
 */

const STOP_WORD = -1;
/** The field in which numbers are searched ("v2", "s3"); elsewhere they are examples and limits. */
const NAME = 0;

/** Counts gathered in one pass over the tools, entry by entry: entries of tool d are `starts[d]` up to `starts[d + 1]`. */
interface Counts {
  readonly vocabulary: Map<string, number>;
  readonly starts: number[];
  readonly terms: number[];
  /** Occurrences in each field, `FIELD_COUNT` numbers an entry. */
  readonly occurrences: number[];
  /** Words in each field, `FIELD_COUNT` numbers a tool. */
  readonly lengths: number[];
}

/**
 * Indexes a catalog for {@link retrieve}. Time and memory grow in proportion to the text; of an overlong text only the
 * beginning is searched.
 *
 * @throws SetwiseError `invalid-argument` for an option out of its range.
 */
export function buildIndex(catalog: Catalog, options: LexicalOptions = {}): ToolIndex {
  const resolved = resolveLexicalOptions(options);
  const counts = countWords(catalog.tools, resolved);
  const documentFrequency = new Uint32Array(counts.vocabulary.size);
  for (const term of counts.terms) documentFrequency[term]!++;
  const idf = inverseDocumentFrequency(documentFrequency, catalog.tools.length);
  return Object.freeze({
    catalog,
    options: resolved,
    vocabulary: counts.vocabulary,
    idf,
    text: textPostings(counts, documentFrequency, idf, resolved),
    names: namePostings(counts, idf),
    exactNames: exactNames(catalog),
  });
}

function countWords(tools: readonly Tool[], options: ResolvedLexicalOptions): Counts {
  const counts: Counts = { vocabulary: new Map(), starts: [0], terms: [], occurrences: [], lengths: [] };
  const termOfWord = new Map<string, number>();
  const entryOfTerm = new Map<number, number>();
  for (const tool of tools) {
    entryOfTerm.clear();
    for (const [field, text] of fieldTexts(tool).entries()) {
      let length = 0;
      for (const word of options.fieldWeights[fields[field]!] > 0 ? plainWords(text) : []) {
        if (field !== NAME && isNumber(word)) continue;
        let term = termOfWord.get(word);
        if (term === undefined) termOfWord.set(word, (term = termOf(word, counts.vocabulary)));
        if (term === STOP_WORD) continue;
        length++;
        counts.occurrences[entryOf(term, counts, entryOfTerm) * FIELD_COUNT + field]!++;
      }
      counts.lengths.push(length);
    }
    counts.starts.push(counts.terms.length);
  }
  return counts;
}

/** The present tool's entry of a term, made if need be. */
function entryOf(term: number, counts: Counts, entryOfTerm: Map<number, number>): number {
  let entry = entryOfTerm.get(term);
  if (entry === undefined) {
    entry = counts.terms.push(term) - 1;
    entryOfTerm.set(term, entry);
    for (let field = 0; field < FIELD_COUNT; field++) counts.occurrences.push(0);
  }
  return entry;
}

function termOf(word: string, vocabulary: Map<string, number>): number {
  const stemmed = stem(word);
  if (stemmed === "") return STOP_WORD;
  let term = vocabulary.get(stemmed);
  if (term === undefined) vocabulary.set(stemmed, (term = vocabulary.size));
  return term;
}

function inverseDocumentFrequency(documentFrequency: Uint32Array, tools: number): Float32Array {
  const idf = new Float32Array(documentFrequency.length);
  for (let term = 0; term < idf.length; term++) {
    idf[term] = Math.log(1 + (tools - documentFrequency[term]! + 0.5) / (documentFrequency[term]! + 0.5));
  }
  return idf;
}

function textPostings(
  counts: Counts,
  documentFrequency: Uint32Array,
  idf: Float32Array,
  options: ResolvedLexicalOptions,
): Postings {
  const offsets = offsetsOf(documentFrequency);
  const ordinals = new Uint32Array(counts.terms.length);
  const weights = new Float32Array(counts.terms.length);
  const next = offsets.slice();
  const averages = averageLengths(counts);
  const { saturation, lengthPenalty } = options;
  const scale = new Float64Array(FIELD_COUNT);
  for (let tool = 0; tool + 1 < counts.starts.length; tool++) {
    for (let field = 0; field < FIELD_COUNT; field++) {
      const length = counts.lengths[tool * FIELD_COUNT + field]!;
      const penalty = 1 - lengthPenalty + (lengthPenalty * length) / averages[field]!;
      scale[field] = options.fieldWeights[fields[field]!] / penalty;
    }
    for (let entry = counts.starts[tool]!; entry < counts.starts[tool + 1]!; entry++) {
      let frequency = 0;
      for (let field = 0; field < FIELD_COUNT; field++) {
        frequency += counts.occurrences[entry * FIELD_COUNT + field]! * scale[field]!;
      }
      const term = counts.terms[entry]!;
      const position = next[term]!++;
      ordinals[position] = tool;
      weights[position] = (idf[term]! * frequency * (saturation + 1)) / (frequency + saturation);
    }
  }
  return { offsets, ordinals, weights };
}

/** Mean number of words in each field; 1 where no tool has any, so that nothing is divided by zero. */
function averageLengths(counts: Counts): Float64Array {
  const averages = new Float64Array(FIELD_COUNT);
  const tools = counts.starts.length - 1;
  for (let position = 0; position < counts.lengths.length; position++) {
    averages[position % FIELD_COUNT]! += counts.lengths[position]! / tools;
  }
  return averages.map((average) => average || 1);
}

/** For each term the tools that have it in their name, weighed by the term's share of the name. */
function namePostings(counts: Counts, idf: Float32Array): Postings {
  const frequency = new Uint32Array(idf.length);
  const total = new Float64Array(counts.starts.length);
  forEachNameTerm(counts, (term, tool) => {
    frequency[term]!++;
    total[tool]! += idf[term]!;
  });
  const offsets = offsetsOf(frequency);
  const ordinals = new Uint32Array(offsets[idf.length]!);
  const weights = new Float32Array(ordinals.length);
  const next = offsets.slice();
  forEachNameTerm(counts, (term, tool) => {
    const position = next[term]!++;
    ordinals[position] = tool;
    weights[position] = idf[term]! / total[tool]!;
  });
  return { offsets, ordinals, weights };
}

function forEachNameTerm(counts: Counts, visit: (term: number, tool: number) => void): void {
  for (let tool = 0; tool + 1 < counts.starts.length; tool++) {
    for (let entry = counts.starts[tool]!; entry < counts.starts[tool + 1]!; entry++) {
      if (counts.occurrences[entry * FIELD_COUNT]! > 0) visit(counts.terms[entry]!, tool);
    }
  }
}

/** Running sums: where each term's postings begin, and at the end how many there are. */
function offsetsOf(frequency: Uint32Array): Uint32Array {
  const offsets = new Uint32Array(frequency.length + 1);
  for (let term = 0; term < frequency.length; term++) offsets[term + 1] = offsets[term]! + frequency[term]!;
  return offsets;
}
