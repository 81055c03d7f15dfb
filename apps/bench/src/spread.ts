/** The mean of shares in per cent and, of several seeds, the standard deviation; a dash where there is nothing. */
export function spread(shares: readonly (number | undefined)[]): string {
  const values = shares.filter((share) => share !== undefined).map((share) => 100 * share);
  if (values.length === 0) return "–";
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1);
  return values.length === 1 ? mean.toFixed(1) : `${mean.toFixed(1)} ± ${Math.sqrt(square).toFixed(1)}`;
}
