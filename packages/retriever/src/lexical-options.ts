import { SetwiseError } from "@setwise/core";
import { type Field, fields } from "./tool-fields.ts";

/**
 * How words are weighed, and beside meaning. The defaults were chosen on train and dev queries only, by `tune-lexical` of `apps/bench` (but for the
 * weights of description and server, which are set), and `wordWeight`, `fullEvidence` and `clauseVote` by `tune-hybrid`: docs/decisions/2026-11-30-words-and-meaning.md.
 */
export interface LexicalOptions {
  /** What one occurrence counts in each field; 0 leaves the field out. */
  readonly fieldWeights?: Partial<Readonly<Record<Field, number>>>;
  /** How slowly repetitions saturate (BM25's k1). */
  readonly saturation?: number;
  /** How much longer fields are discounted, 0 (not) to 1 (in proportion) (BM25's b). */
  readonly lengthPenalty?: number;
  /** Share of the score, 0 to 1, that comes from the query's clauses by themselves instead of the whole query. */
  readonly clauseShare?: number;
  /** What the words count beside the cosine, where the tools are encoded: the best tool by words has so much. */
  readonly wordWeight?: number;
  /**
   * From how much evidence on the words count in full, where the tools are encoded: the BM25F of the best tool for the whole query in weights of a
   * word that one tool alone has. 0: always.
   */
  readonly fullEvidence?: number;
  /** What the vote of a clause for one tool adds to the tool's score, where the tools are encoded. */
  readonly clauseVote?: number;
  /** What a clause counts that asks for nothing ("My name is Ada."), 0 to 1. */
  readonly statementWeight?: number;
  /** What a tool gains when the query has all words of its name. */
  readonly nameBonus?: number;
  /** What a filler word of the query counts ("help", "want"), 0 to 1. */
  readonly fillerWeight?: number;
  /** What a word in a quotation or an address counts, 0 to 1. */
  readonly literalWeight?: number;
  /** What a synonym of a query word counts, 0 to 1. */
  readonly synonymWeight?: number;
  /** What two neighbouring words count that are one word in a tool ("time zone"), 0 to 1. */
  readonly joinedWeight?: number;
  /** What a term counts that begins like a query word which no tool has, 0 to 1. */
  readonly beginningWeight?: number;
}

type NumericOptions = Omit<Required<LexicalOptions>, "fieldWeights">;

export interface ResolvedLexicalOptions extends NumericOptions {
  readonly fieldWeights: Readonly<Record<Field, number>>;
}

const defaults: ResolvedLexicalOptions = {
  // The server tells two servers' like-named tools apart and must not decide more than that.
  fieldWeights: { name: 1.25, description: 1, parameters: 0.6, returns: 0.3, server: 0.3 },
  saturation: 1.5,
  lengthPenalty: 0.2,
  clauseShare: 0.4,
  wordWeight: 0.5,
  fullEvidence: 2.25,
  clauseVote: 0.4,
  statementWeight: 0.7,
  nameBonus: 0.2,
  fillerWeight: 0.3,
  literalWeight: 0.2,
  synonymWeight: 0.4,
  joinedWeight: 0.7,
  beginningWeight: 0.6,
};

const largestAllowed: Readonly<Record<keyof NumericOptions, number>> = {
  saturation: 100,
  lengthPenalty: 1,
  clauseShare: 1,
  wordWeight: 100,
  fullEvidence: 100,
  clauseVote: 100,
  statementWeight: 1,
  nameBonus: 100,
  fillerWeight: 1,
  literalWeight: 1,
  synonymWeight: 1,
  joinedWeight: 1,
  beginningWeight: 1,
};

/** The options with defaults filled in. @throws SetwiseError `invalid-argument` for a number out of its range. */
export function resolveLexicalOptions(options: LexicalOptions): ResolvedLexicalOptions {
  const fieldWeights = { ...defaults.fieldWeights, ...options.fieldWeights };
  const resolved = { ...defaults, ...options, fieldWeights };
  for (const field of fields) checkRange(`fieldWeights.${field}`, fieldWeights[field], 100);
  for (const [name, most] of Object.entries(largestAllowed))
    checkRange(name, resolved[name as keyof NumericOptions], most);
  return Object.freeze(resolved);
}

function checkRange(name: string, value: number, most: number): void {
  if (value >= 0 && value <= most) return;
  throw new SetwiseError("invalid-argument", `${name} must be a number from 0 to ${most}, but is ${String(value)}.`);
}
