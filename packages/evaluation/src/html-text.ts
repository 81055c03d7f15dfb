/** Text that is shown as it is within HTML and its attributes, whoever wrote it; control characters are dropped and long texts cut. */
export function escaped(text: string): string {
  const LONGEST = 200;
  const shown = text.replace(/[\p{Cc}\p{Cf}]/gu, " ");
  const cut = shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown;
  return cut.replace(/[&<>"'`]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** A table; cells are HTML already. */
export function htmlTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: "th" | "td"): string =>
    `<tr>${cells.map((cell, column) => (column === 0 ? `<th scope="row">${cell}</th>` : `<${tag}>${cell}</${tag}>`)).join("")}</tr>`;
  return `<table><thead>${line(head, "th")}</thead><tbody>${rows.map((row) => line(row, "td")).join("")}</tbody></table>`;
}
