/** How sharply a clause chooses: a tool whose base is this much lower gets 1/e of the vote. */
const VOTE_TEMPERATURE = 0.07;

/**
 * The votes of a query's clauses for each candidate, Σ over clauses c: u_c · softmax over the candidates of
 * (base(c, candidate) / 0.07), where u is `counts` scaled to a sum of the number of clauses.
 *
 * A score says how well a tool fits, a vote that it fits better than the others: each clause is served by few tools, so a
 * tool that one clause chooses comes before one that is somewhat like all of them, and a clause that is near to everything
 * chooses nothing. The votes add up to the number of clauses, but for clauses that no candidate fits: those do not vote.
 *
 * @param bases Clauses × candidates, row by row, finite: how well each candidate fits each clause; one of 0 or less is not voted for.
 * @param counts By clause: what its vote counts beside the others', 0 or more; all alike, if all are 0.
 * @returns By candidate.
 */
export function clauseVotes(bases: Float32Array, counts: readonly number[]): Float32Array {
  const candidates = bases.length / counts.length;
  const votes = new Float32Array(candidates);
  for (const [clause, count] of scaledToTheirNumber(counts).entries()) {
    addVotes(bases.subarray(clause * candidates, (clause + 1) * candidates), count, votes);
  }
  return votes;
}

function scaledToTheirNumber(counts: readonly number[]): readonly number[] {
  const sum = counts.reduce((total, count) => total + count, 0);
  return sum === 0 ? counts.map(() => 1) : counts.map((count) => (count * counts.length) / sum);
}

/** Adds one clause's vote, which is `count` in all. */
function addVotes(bases: Float32Array, count: number, votes: Float32Array): void {
  let best = 0;
  for (const base of bases) if (base > best) best = base;
  if (best === 0) return;
  const shares = Float64Array.from(bases, (base) => (base > 0 ? Math.exp((base - best) / VOTE_TEMPERATURE) : 0));
  const whole = shares.reduce((sum, share) => sum + share, 0);
  for (const [candidate, share] of shares.entries()) votes[candidate]! += (count * share) / whole;
}
