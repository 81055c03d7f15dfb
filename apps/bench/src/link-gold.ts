import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createHash } from "node:crypto";
import { type Catalog, createCatalog } from "@setwise/core";
import { readToolsOf } from "./data-sets.ts";

/** Which half of a data set without splits of its own: constants are chosen on `dev`, `test` is reported. */
export type Half = "dev" | "test";

/** The half of an id, by its hash: the same on every run and for every order. */
export function halfOf(id: string): Half {
  return (createHash("sha256").update(id).digest()[0] ?? 0) % 2 === 0 ? "dev" : "test";
}

/** A dependency as `dependencies.jsonl` has it. */
export interface Dependency {
  readonly from: { readonly tool: string; readonly output: string | null };
  readonly to: { readonly tool: string; readonly input: string | null };
  readonly kind: string;
}

export async function readLines<T>(folder: string, dataSet: string, name: string): Promise<readonly T[]> {
  const text = await readFile(join(folder, dataSet, name), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}

export async function catalogOf(folder: string, dataSet: string): Promise<Catalog> {
  return createCatalog((await readToolsOf(folder, dataSet)).tools);
}

/** A query with reference calls. */
export interface PlannedQuery {
  readonly id: string;
  readonly query: string;
  readonly tools: readonly string[];
  readonly main?: string;
  readonly plan?: {
    readonly calls: readonly string[];
    readonly edges?: readonly {
      readonly from: number;
      readonly output: string | null;
      readonly to: number;
      readonly input: string;
    }[];
  };
}
