import { standaloneSvg } from "./standalone-svg.ts";

const WIDTH = 520;
const HEIGHT = 300;
const LEFT = 40;
const RIGHT = 70;
const TOP = 14;
const BOTTOM = 36;
/** Between two labels. */
const LINE = 13;

/** One figure by the number of queries that were learned from, and what it is without learning. */
export interface Curve {
  readonly name: string;
  readonly untrained: number | undefined;
  /** Shares in 0..1, by ascending queries. */
  readonly points: readonly { readonly queries: number; readonly share: number }[];
}

/** Curves over the number of queries on a logarithmic scale; dashed: without learning. */
export function learningCurveSvg(label: string, curves: readonly Curve[]): string {
  const counts = [...new Set(curves.flatMap(({ points }) => points.map(({ queries }) => queries)))].sort(
    (a, b) => a - b,
  );
  const [least = 1, most = 10] = [counts[0], counts.at(-1)];
  const range = Math.log(most / least) || 1;
  const x = (queries: number): string =>
    (LEFT + (Math.log(queries / least) / range) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const y = (share: number): string => (HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)).toFixed(1);
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(share)}" y2="${y(share)}"/><text x="${LEFT - 6}" y="${y(share)}" dy="4" text-anchor="end">${100 * share}</text>`,
  );
  const ticks = counts.map(
    (queries) => `<text x="${x(queries)}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${queries}</text>`,
  );
  const heights = apart(curves.map(({ points }) => Number(y(points.at(-1)?.share ?? 0))));
  const lines = curves.map(({ name, untrained, points }, place) => {
    const path = points.map(({ queries, share }) => `${x(queries)},${y(share)}`).join(" ");
    const dots = points.map(
      ({ queries, share }) =>
        `<circle class="line${place} dot" cx="${x(queries)}" cy="${y(share)}" r="3"><title>${name}, ${queries} queries: ${(100 * share).toFixed(1)}</title></circle>`,
    );
    const dashed =
      untrained === undefined
        ? ""
        : `<line class="line${place}" stroke-dasharray="3 4" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(untrained)}" y2="${y(untrained)}"/>`;
    return `${dashed}<polyline class="line${place}" points="${path}"/>${dots.join("")}<text class="name${place}" x="${WIDTH - RIGHT + 8}" y="${heights[place]?.toFixed(1)}" dy="4">${name}</text>`;
  });
  const axis = `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 4}" text-anchor="middle">logged queries</text>`;
  return standaloneSvg(
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${label}">${[...grid, ...ticks, ...lines, axis].join("")}</svg>`,
  );
}

/** Heights of labels, from above downwards at least a line from one another. */
function apart(heights: readonly number[]): number[] {
  const moved = [...heights];
  let last = Number.NEGATIVE_INFINITY;
  for (const place of [...heights.keys()].sort((a, b) => heights[a]! - heights[b]!)) {
    moved[place] = Math.max(heights[place]!, last + LINE);
    last = moved[place]!;
  }
  return moved;
}
