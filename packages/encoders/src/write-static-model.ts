import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SetwiseError } from "@setwise/core";
import { fingerprintOf, type StaticModel, staticModelFiles, staticModelFormat } from "./static-model.ts";
import { comparePieces } from "./vocabulary.ts";

/**
 * Writes a table as a folder that {@link readStaticModel} reads: tokens are sorted, their rows with them. `tokens` must
 * not contain line feeds or repeat; `rows` is tokens × dimensions.
 */
export async function writeStaticModel(
  folder: string,
  table: Omit<StaticModel, "vocabulary" | "fingerprint"> & { readonly tokens: readonly string[] },
): Promise<void> {
  const { tokens, dimensions } = table;
  if (table.rows.length !== tokens.length * dimensions || table.scales.length !== tokens.length)
    throw new SetwiseError(
      "invalid-argument",
      `${tokens.length} tokens need as many rows of ${dimensions} and scales.`,
    );
  const order = [...tokens.keys()].sort((left, right) => comparePieces(tokens[left] ?? "", tokens[right] ?? ""));
  const sorted = order.map((token) => tokens[token] ?? "");
  if (sorted.some((token, index) => token === sorted[index - 1] || token === "" || token.includes("\n")))
    throw new SetwiseError("invalid-argument", "Tokens must differ, not be empty and hold no line feed.");
  const vocabulary = `${sorted.join("\n")}\n`;
  const rows = new Int8Array(table.rows.length);
  const scales = Buffer.alloc(tokens.length * 4);
  for (const [row, token] of order.entries()) {
    rows.set(table.rows.subarray(token * dimensions, (token + 1) * dimensions), row * dimensions);
    scales.writeFloatLE(table.scales[token] ?? 0, row * 4);
  }
  const fingerprint = fingerprintOf(vocabulary, new Uint8Array(rows.buffer), scales);
  const { name, lowercase, stripAccents } = table;
  const longest = sorted.at(-1)?.length ?? 0;
  const pieceCounts = Array.from(
    { length: longest },
    (_, index) => sorted.filter((token) => token.length === index + 1).length,
  );
  const config = { format: staticModelFormat, name, fingerprint, dimensions, lowercase, stripAccents, pieceCounts };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, staticModelFiles.rows), rows);
  await writeFile(join(folder, staticModelFiles.scales), scales);
  await writeFile(join(folder, staticModelFiles.vocabulary), vocabulary);
  await writeFile(join(folder, staticModelFiles.config), `${JSON.stringify(config, null, 2)}\n`);
}
