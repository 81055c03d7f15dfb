import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** One ranking case of the HYSET fixtures; `R@k`, `N@k` and `C@k` stand beside the named fields. */
export interface RankingCase {
  readonly name: string;
  readonly ranking: readonly string[];
  readonly gold: readonly string[];
  readonly [metric: `${"R" | "N" | "C"}@${number}`]: number;
}

/** Numbers from running the HYSET authors' own metrics (see fixtures/README.md). */
export interface HysetMetrics {
  readonly cases: readonly RankingCase[];
  readonly sets: readonly {
    readonly predicted: readonly string[];
    readonly gold: readonly string[];
    readonly exact: number;
  }[];
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
}

export const hysetMetrics: HysetMetrics = readJson("../fixtures/hyset-metrics.json") as HysetMetrics;

/** A hard input from a real bug report: its `input`, and in `expect` what must hold, in words. */
export interface HardCase {
  readonly source: string;
  readonly what: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expect: string;
}

const hardCases = {
  "root-combinators": "01-root-combinators",
  "circular-refs": "02-circular-refs",
  "name-collisions": "03-name-normalising-collisions",
  "mixed-formats": "05-mixed-formats-and-missing-fields",
  "nothing-fits": "08-nothing-fits",
} as const;

/** Reads one of the cases of `cases/`, fresh each time. */
export function hardCase(name: keyof typeof hardCases): HardCase {
  return readJson(`../cases/${hardCases[name]}.json`) as HardCase;
}

/** The path of a real tool list of the repository, such as `mcp/git.tools-list.json` or `openapi/spotify.json`. */
export function toolListPath(name: string): string {
  return fileURLToPath(new URL(`../../../examples/tool-lists/${name}`, import.meta.url));
}

/** The text of a real tool list of the repository. */
export function toolListText(name: string): string {
  return readFileSync(toolListPath(name), "utf8");
}
