import type { FrontierPoint } from "./frontier.ts";
import { standaloneSvg } from "./standalone-svg.ts";

const WIDTH = 690;
const HEIGHT = 340;
const [LEFT, RIGHT, TOP, BOTTOM] = [44, 240, 14, 40];
const [SMALLEST, LARGEST] = [1, 8];

/** Share complete over mean size, a line for each rule, the first dashed; at most as many rules as the drawing has colours are told apart. */
export function frontierSvg(
  rules: readonly { readonly name: string; readonly points: readonly FrontierPoint[] }[],
): string {
  const shown = rules.map(({ name, points }) => ({
    name,
    points: points.filter(({ size }) => size >= SMALLEST && size <= LARGEST),
  }));
  const shares = shown.flatMap(({ points }) => points.map(({ complete }) => complete));
  const lowest = Math.floor(Math.min(...shares) / 10) * 10;
  const highest = Math.ceil(Math.max(...shares) / 10) * 10;
  const x = (size: number): string =>
    (LEFT + ((size - SMALLEST) / (LARGEST - SMALLEST)) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const y = (share: number): string =>
    (HEIGHT - BOTTOM - ((share - lowest) / (highest - lowest)) * (HEIGHT - TOP - BOTTOM)).toFixed(1);
  const grid = Array.from({ length: (highest - lowest) / 10 + 1 }, (_, i) => lowest + 10 * i).map(
    (share) =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(share)}" y2="${y(share)}"/><text x="${LEFT - 6}" y="${y(share)}" dy="4" text-anchor="end">${share}</text>`,
  );
  const ticks = Array.from({ length: LARGEST - SMALLEST + 1 }, (_, i) => SMALLEST + i).map(
    (size) => `<text x="${x(size)}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${size}</text>`,
  );
  const lines = shown.map(({ name, points }, place) => {
    const path = points.map(({ size, complete }) => `${x(size)},${y(complete)}`).join(" ");
    const looks = `class="line${place % 4}"${place === 0 ? ' stroke-dasharray="5 4"' : place >= 4 ? ' stroke-dasharray="1 3"' : ""}`;
    const height = TOP + 20 + 18 * place;
    return `<polyline ${looks} points="${path}"/><line ${looks} x1="${WIDTH - RIGHT + 12}" x2="${WIDTH - RIGHT + 34}" y1="${height}" y2="${height}"/><text class="name${place % 4}" x="${WIDTH - RIGHT + 40}" y="${height + 4}">${name}</text>`;
  });
  const axes = `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">tools in the answer, mean</text><text transform="translate(12 ${(HEIGHT - BOTTOM + TOP) / 2}) rotate(-90)" text-anchor="middle">% complete</text>`;
  return standaloneSvg(
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="Share of complete answers by mean size">${[...grid, ...ticks, ...lines, axes].join("")}</svg>`,
  );
}
