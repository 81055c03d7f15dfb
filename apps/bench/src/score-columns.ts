import type { QueryColumns } from "./query-columns.ts";

/** The constants by which `retrieve` weighs words, meaning, clauses and names. */
export interface HybridSetting {
  readonly wordWeight: number;
  readonly fullEvidence: number;
  readonly evidencePower: number;
  readonly clauseShare: number;
  readonly clauseVote: number;
  readonly voteTemperature: number;
  readonly nameBonus: number;
}

/** How far the words of a query are believed, 0 to 1: its words and names count so much. */
export function beliefIn(
  { evidence }: QueryColumns,
  { fullEvidence, evidencePower }: Pick<HybridSetting, "fullEvidence" | "evidencePower">,
): number {
  return evidence >= fullEvidence ? 1 : (evidence / fullEvidence) ** evidencePower;
}

/** What is shared by the settings that differ in nothing but `clauseShare`, `clauseVote` and `nameBonus`. All by place in the pool. */
export interface BaseColumns {
  readonly whole: Float64Array;
  readonly clauses: Float64Array;
  readonly votes: Float64Array;
  readonly names: Float64Array;
}

/*
 * The formula of packages/retriever/src/score-query.ts and clause-votes.ts, over columns. It stands here a second time so that a
 * constant that is no option of the retriever can be tuned, and thousands of settings in a minute; a test and every run of
 * `tune-hybrid` hold it to what `retrieve` gives.
 */
export function baseColumns(
  columns: QueryColumns,
  {
    wordWeight,
    fullEvidence,
    evidencePower,
    voteTemperature,
  }: Omit<HybridSetting, "clauseShare" | "clauseVote" | "nameBonus">,
): BaseColumns {
  const believed = beliefIn(columns, { fullEvidence, evidencePower });
  const size = columns.pool.length;
  const base = (part: number, place: number): number =>
    believed * wordWeight * (columns.words[part * size + place] ?? 0) + (columns.cosines[part * size + place] ?? 0);
  const whole = Float64Array.from({ length: size }, (_, place) => base(0, place));
  const clauses = new Float64Array(size);
  const votes = new Float64Array(size);
  const counted = columns.votes.reduce((sum, count) => sum + count, 0);
  for (let part = 1; part < columns.parts; part++) {
    const bases = Float64Array.from({ length: size }, (_, place) => base(part, place));
    const weight = columns.weights[part] ?? 1;
    for (let place = 0; place < size; place++) clauses[place]! += (weight * bases[place]!) ** 3;
    const count = counted === 0 ? 1 : ((columns.votes[part - 1] ?? 0) * (columns.parts - 1)) / counted;
    addVotes(bases, count, voteTemperature, votes);
  }
  const names = Float64Array.from(columns.nameShare, (share) => believed * share);
  return { whole, clauses: clauses.map(Math.cbrt), votes, names };
}

function addVotes(bases: Float64Array, count: number, temperature: number, votes: Float64Array): void {
  const best = bases.reduce((most, base) => Math.max(most, base), 0);
  if (best === 0) return;
  const shares = bases.map((base) => (base > 0 ? Math.exp((base - best) / temperature) : 0));
  const whole = shares.reduce((sum, share) => sum + share, 0);
  for (const [place, share] of shares.entries()) votes[place]! += (count * share) / whole;
}

/** By place in the pool: the score that `retrieve` gives with a setting. */
export function scoreColumns(
  { parts }: QueryColumns,
  { whole, clauses, votes, names }: BaseColumns,
  { clauseShare, clauseVote, nameBonus }: Pick<HybridSetting, "clauseShare" | "clauseVote" | "nameBonus">,
  scores: Float64Array = new Float64Array(whole.length),
): Float64Array {
  const share = parts > 1 ? clauseShare : 0;
  for (let place = 0; place < whole.length; place++)
    scores[place] =
      (1 - share) * whole[place]! + share * clauses[place]! + clauseVote * votes[place]! + nameBonus * names[place]!;
  return scores;
}

/** The mean of R@5, C@5, NDCG@10 and C@10 of the right tools' places; of equal scores the first place comes first. */
export function rankingMean(scores: Float64Array, right: readonly number[]): number {
  let first5 = 0;
  let first10 = 0;
  let gain = 0;
  let most = 0;
  for (const [position, place] of right.entries()) {
    if (position < 10) most += 1 / Math.log2(position + 2);
    const rank = place === -1 ? Infinity : rankOf(scores, place);
    if (rank < 5) first5++;
    if (rank >= 10) continue;
    first10++;
    gain += 1 / Math.log2(rank + 2);
  }
  const all = right.length;
  return (first5 / all + Number(first5 === all) + gain / most + Number(first10 === all)) / 4;
}

function rankOf(scores: Float64Array, place: number): number {
  const own = scores[place]!;
  let rank = 0;
  for (let other = 0; other < scores.length; other++)
    if (scores[other]! > own || (scores[other] === own && other < place)) rank++;
  return rank;
}
