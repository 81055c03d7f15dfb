import { SetwiseError } from "@setwise/core";
import { type Field, fields } from "./tool-fields.ts";

/** How the words of the fields are weighed; every default was chosen by `tuning/` on train and dev queries only. */
export interface LexicalOptions {
  /** What one occurrence counts in each field; 0 leaves the field out. */
  readonly fieldWeights?: Partial<Readonly<Record<Field, number>>>;
  /** How slowly repetitions saturate (BM25's k1). */
  readonly saturation?: number;
  /** How much longer fields are discounted, 0 (not) to 1 (in proportion) (BM25's b). */
  readonly lengthPenalty?: number;
  /** Share of the score, 0 to 1, that comes from the query's best clause instead of the whole query. */
  readonly clauseShare?: number;
  /** What a tool gains when the query has all words of its name. */
  readonly nameBonus?: number;
}

export interface ResolvedLexicalOptions {
  readonly fieldWeights: Readonly<Record<Field, number>>;
  readonly saturation: number;
  readonly lengthPenalty: number;
  readonly clauseShare: number;
  readonly nameBonus: number;
}

const defaults: ResolvedLexicalOptions = {
  // The server tells two servers' like-named tools apart and must not decide more than that.
  fieldWeights: { name: 2, description: 1, parameters: 0.5, server: 0.3 },
  saturation: 2.5,
  lengthPenalty: 0.2,
  clauseShare: 0.4,
  nameBonus: 0.2,
};

/** The options with defaults filled in. @throws SetwiseError `invalid-argument` for a number out of its range. */
export function resolveLexicalOptions(options: LexicalOptions): ResolvedLexicalOptions {
  const resolved: ResolvedLexicalOptions = {
    fieldWeights: { ...defaults.fieldWeights, ...options.fieldWeights },
    saturation: options.saturation ?? defaults.saturation,
    lengthPenalty: options.lengthPenalty ?? defaults.lengthPenalty,
    clauseShare: options.clauseShare ?? defaults.clauseShare,
    nameBonus: options.nameBonus ?? defaults.nameBonus,
  };
  for (const field of fields) checkRange(`fieldWeights.${field}`, resolved.fieldWeights[field], 100);
  checkRange("saturation", resolved.saturation, 100);
  checkRange("lengthPenalty", resolved.lengthPenalty, 1);
  checkRange("clauseShare", resolved.clauseShare, 1);
  checkRange("nameBonus", resolved.nameBonus, 100);
  return Object.freeze(resolved);
}

function checkRange(name: string, value: number, most: number): void {
  if (value >= 0 && value <= most) return;
  throw new SetwiseError("invalid-argument", `${name} must be a number from 0 to ${most}, but is ${String(value)}.`);
}
