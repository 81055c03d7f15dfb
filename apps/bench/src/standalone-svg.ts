/** Looks of drawings that stand in a page of their own, the same on light and on dark ones. */
const style = [
  "rect.paper{fill:#fff}text{font:11px sans-serif;fill:#333}",
  ".axis{stroke:#555}.grid{stroke:#ddd}.bar{fill:#9dbfe3}.dot{fill:#1f5fa8}",
  ...["#1f5fa8", "#c2571a", "#2f8a4c", "#7a4fa3"].map(
    (colour, place) =>
      `.line${place}{fill:none;stroke:${colour};stroke-width:2}.line${place}.dot{fill:${colour}}text.name${place}{fill:${colour}}`,
  ),
].join("");

/** A drawing that was made for a page with styles, as a file of its own. */
export function standaloneSvg(svg: string): string {
  const end = svg.indexOf(">");
  const head = svg.slice(0, end).replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"');
  return `${head}><style>${style}</style><rect class="paper" width="100%" height="100%"/>${svg.slice(end + 1)}\n`;
}
