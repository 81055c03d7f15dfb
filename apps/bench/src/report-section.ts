import { readFile, rename, writeFile } from "node:fs/promises";

/**
 * Puts a command's report between its two marks in a page; a page without them gets them at its end. What other commands wrote stays.
 */
export async function writeSection(page: string, name: string, report: string): Promise<void> {
  const before = await readFile(page, "utf8").catch(() => "");
  await writeFile(`${page}.part`, withSection(before, name, report));
  await rename(`${page}.part`, page);
}

/** The command that printed a section, as a reader would run it. */
export function printedBy(command: string, seeds: number, only: string): string {
  const part = only === "" ? "" : ` --only "${only}"`;
  return `node apps/bench/dist/main.mjs ${command} --data DIR --seeds ${seeds}${part}`;
}

/** A page with the report in its section. */
export function withSection(page: string, name: string, report: string): string {
  const [from, to] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`];
  const section = `${from}\n\n${report.trim()}\n\n${to}`;
  const [start, end] = [page.indexOf(from), page.indexOf(to)];
  if (start >= 0 && end > start) return page.slice(0, start) + section + page.slice(end + to.length);
  return `${[page.trimEnd(), section].filter((part) => part !== "").join("\n\n")}\n`;
}
