import { type LabelledQuery, SetwiseError } from "@setwise/core";

/*
 * A test query that stands in the training data, word for word or nearly so, measures memory. Nearly: the Jaccard index of the two
 * queries' sets of neighbouring word pairs (and single words at both ends) reaches the threshold,
 *   J(a, b) = |a ∩ b| / |a ∪ b|.
 * Found exactly, not by sampling, with prefix filtering (Chaudhuri, Ganti and Kaushik 2006): put the features of each query in one order,
 * rarest first; two sets with J ≥ t share one of the first |a| − ⌈t·|a|⌉ + 1 of each, so only these are indexed and looked up.
 */
const THRESHOLD = 0.8;

export interface Leak {
  /** Ids of the queries. */
  readonly train: string;
  readonly test: string;
  /** Jaccard index in 0..1; 1 for the same words. */
  readonly similarity: number;
  /** Whether both are the same but for case, punctuation and spaces. */
  readonly same: boolean;
  /** Whether both have the same gold set: then the label has leaked as well. */
  readonly sameTools: boolean;
}

export interface FindLeaksOptions {
  /** Least Jaccard index of "nearly the same", above 0 and at most 1; 0.8 by default. */
  readonly threshold?: number;
}

/**
 * For each test query the training query most like it, where that is the same or nearly the same; in the order of the test queries.
 *
 * @throws SetwiseError `invalid-argument` when the threshold is not above 0 and at most 1.
 */
export function findLeaks(
  train: readonly LabelledQuery[],
  test: readonly LabelledQuery[],
  options: FindLeaksOptions = {},
): readonly Leak[] {
  const { threshold = THRESHOLD } = options;
  if (!(threshold > 0 && threshold <= 1)) {
    throw new SetwiseError("invalid-argument", `threshold must be above 0 and at most 1, not ${String(threshold)}.`);
  }
  const frequency = new Map<string, number>();
  const ordered = (queries: readonly LabelledQuery[]): readonly (readonly string[])[] =>
    queries.map(({ query }) => {
      const features = [...featuresOf(query)];
      return features.sort((a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0) || (a < b ? -1 : 1));
    });
  for (const { query } of [...train, ...test])
    for (const feature of featuresOf(query)) frequency.set(feature, (frequency.get(feature) ?? 0) + 1);
  const trainFeatures = ordered(train);
  const index = new Map<string, number[]>();
  for (const [at, features] of trainFeatures.entries()) {
    for (const feature of prefixOf(features, threshold)) {
      const having = index.get(feature);
      if (having === undefined) index.set(feature, [at]);
      else having.push(at);
    }
  }
  const testFeatures = ordered(test);
  return test.flatMap((query, at) => {
    const features = testFeatures[at] ?? [];
    const candidates = new Set(prefixOf(features, threshold).flatMap((feature) => index.get(feature) ?? []));
    const nearest = mostSimilar(new Set(features), candidates, trainFeatures);
    const other = nearest === undefined ? undefined : train[nearest.at];
    if (nearest === undefined || other === undefined || nearest.similarity < threshold) return [];
    return [
      {
        train: other.id,
        test: query.id,
        similarity: nearest.similarity,
        same: wordsOf(other.query).join(" ") === wordsOf(query.query).join(" "),
        sameTools: sameSet(other.tools, query.tools),
      },
    ];
  });
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

/** Pairs of neighbours, with a mark before the first word and after the last. */
function featuresOf(text: string): ReadonlySet<string> {
  const words = wordsOf(text);
  if (words.length === 0) return new Set();
  return new Set(["", ...words].map((word, index) => `${word} ${words[index] ?? ""}`));
}

function prefixOf(features: readonly string[], threshold: number): readonly string[] {
  return features.slice(0, features.length - Math.ceil(threshold * features.length) + 1);
}

function mostSimilar(
  features: ReadonlySet<string>,
  candidates: ReadonlySet<number>,
  all: readonly (readonly string[])[],
): { readonly at: number; readonly similarity: number } | undefined {
  let best: { readonly at: number; readonly similarity: number } | undefined;
  for (const at of [...candidates].sort((a, b) => a - b)) {
    const other = all[at] ?? [];
    const shared = other.filter((feature) => features.has(feature)).length;
    const similarity = shared / (features.size + other.length - shared);
    if (best === undefined || similarity > best.similarity) best = { at, similarity };
  }
  return best;
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  const first = new Set(a);
  const second = new Set(b);
  return first.size === second.size && [...first].every((id) => second.has(id));
}
