/** A line of a Markdown table. */
export function columns(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** A share in per cent with one digit, or a dash where there is nothing to count. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : (100 * (part / whole)).toFixed(1);
}
