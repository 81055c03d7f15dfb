import type { Calibration } from "./calibration.ts";
import { metricTitle } from "./format-report.ts";
import type { MetricComparison } from "./compare.ts";
import { escaped } from "./html-text.ts";
import type { NamedGroup } from "./report.ts";

/* Drawings for the report as plain SVG: three simple forms need no library, and none may be fetched. */

const SIDE = 260;
const MARGIN = 44;

/** A reliability diagram: for each bin of probabilities the share that came true, against the diagonal where both agree. */
export function reliabilityDiagram({ bins, ece }: Calibration): string {
  const inner = SIDE - 2 * MARGIN;
  const x = (share: number): string => (MARGIN + share * inner).toFixed(1);
  const y = (share: number): string => (SIDE - MARGIN - share * inner).toFixed(1);
  const bars = bins.map(({ low, high, share, probability, count }) => {
    const title = `${count} tools believed in at ${probability.toFixed(2)} on average, ${share.toFixed(2)} right`;
    const width = ((high - low) * inner - 1).toFixed(1);
    return `<rect class="bar" x="${x(low)}" y="${y(share)}" width="${width}" height="${(share * inner).toFixed(1)}"><title>${title}</title></rect><circle class="dot" cx="${x(probability)}" cy="${y(share)}" r="3"/>`;
  });
  return svg(SIDE, SIDE, `Reliability diagram, ECE ${ece.toFixed(3)}`, [
    ...bars,
    `<line class="axis" x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}" stroke-dasharray="4 4"/>`,
    `<path class="axis" fill="none" d="M${x(0)} ${y(1)}V${y(0)}H${x(1)}"/>`,
    ...[0, 0.5, 1].map((tick) => `<text x="${x(tick)}" y="${SIDE - MARGIN + 16}" text-anchor="middle">${tick}</text>`),
    ...[0.5, 1].map((tick) => `<text x="${MARGIN - 6}" y="${y(tick)}" text-anchor="end" dy="4">${tick}</text>`),
    `<text x="${SIDE / 2}" y="${SIDE - 4}" text-anchor="middle">probability said</text>`,
    `<text transform="translate(11 ${SIDE / 2}) rotate(-90)" text-anchor="middle">share right</text>`,
  ]);
}

const ROW = 26;
const LABEL = 150;
const WIDTH = 620;

/** F1 (above) and completeness (below) of groups of queries. */
export function groupBars(groups: readonly NamedGroup[]): string {
  const scale = WIDTH - LABEL - 60;
  const rows = groups.map((group, index) => {
    const top = index * ROW;
    const bar = (share: number, from: number, name: string): string =>
      `<rect class="${name}" x="${LABEL}" y="${top + from}" width="${(share * scale).toFixed(1)}" height="9"/><text x="${(LABEL + share * scale + 6).toFixed(1)}" y="${top + from + 9}" class="small">${(100 * share).toFixed(1)}</text>`;
    return `<text x="${LABEL - 8}" y="${top + 16}" text-anchor="end">${escaped(group.name.slice(0, 22))} (${group.queries})</text>${bar(group.set.f1, 2, "bar dark")}${bar(group.set.complete, 12, "bar")}`;
  });
  return svg(WIDTH, groups.length * ROW + 4, "F1 and completeness by group", rows);
}

/** Differences with their intervals, in points of a hundred, about the line of no difference. */
export function differenceBars(metrics: readonly MetricComparison[]): string {
  const shares = metrics.filter(
    ({ metric, difference }) => metric !== "size" && metric !== "tokensAfter" && Number.isFinite(difference.mean),
  );
  const reach = Math.max(0.01, ...shares.flatMap(({ difference: { low, high } }) => [Math.abs(low), Math.abs(high)]));
  const x = (value: number): string => (LABEL + ((value / reach + 1) / 2) * (WIDTH - LABEL - 20)).toFixed(1);
  const rows = shares.map(({ metric, difference: { mean, low, high }, significant }, index) => {
    const middle = index * ROW + ROW / 2;
    return `<text x="${LABEL - 8}" y="${middle + 4}" text-anchor="end">${metricTitle(metric)}</text><line class="interval" x1="${x(low)}" x2="${x(high)}" y1="${middle}" y2="${middle}"/><circle class="${significant ? "dot" : "open"}" cx="${x(mean)}" cy="${middle}" r="4"><title>${(100 * mean).toFixed(1)} (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})</title></circle>`;
  });
  const height = shares.length * ROW + 20;
  return svg(WIDTH, height, "Differences with their 95 % intervals", [
    `<line class="axis" x1="${x(0)}" x2="${x(0)}" y1="0" y2="${height - 16}"/>`,
    ...rows,
    ...[-reach, 0, reach].map(
      (value) =>
        `<text x="${x(value)}" y="${height - 2}" text-anchor="middle" class="small">${(100 * value).toFixed(1)}</text>`,
    ),
  ]);
}

function svg(width: number, height: number, label: string, parts: readonly string[]): string {
  return `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(label)}">${parts.join("")}</svg>`;
}
