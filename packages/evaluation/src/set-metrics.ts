/** How one selected set compares with one gold set; shares in 0..1. */
export interface SetMetrics {
  readonly precision: number;
  readonly recall: number;
  /** 2·|S ∩ G| / (|S| + |G|). */
  readonly f1: number;
  /** 1 when both sets are equal. */
  readonly exactMatch: number;
  /** 1 when every gold tool was selected. */
  readonly complete: number;
}

/**
 * Set metrics of one query. An empty gold set says that nothing fits: selecting nothing is then right (precision and F1 are 1)
 * and selecting anything is wrong (0). Selecting nothing where something fits has precision 0.
 */
export function setMetrics(selected: readonly string[], gold: readonly string[]): SetMetrics {
  const chosen = new Set(selected);
  const wanted = new Set(gold);
  const shared = [...chosen].filter((id) => wanted.has(id)).length;
  const bothEmpty = chosen.size === 0 && wanted.size === 0;
  return {
    precision: bothEmpty ? 1 : chosen.size === 0 ? 0 : shared / chosen.size,
    recall: wanted.size === 0 ? 1 : shared / wanted.size,
    f1: bothEmpty ? 1 : (2 * shared) / (chosen.size + wanted.size),
    exactMatch: Number(shared === wanted.size && shared === chosen.size),
    complete: Number(shared === wanted.size),
  };
}
