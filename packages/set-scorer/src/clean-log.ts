import { type Catalog, SetwiseError } from "@setwise/core";
import { checkLog } from "./check-log.ts";
import { checkObject } from "./check-object.ts";
import { MAX_SIZE } from "./untrained-model.ts";

/** A set of more tools is no answer to one request but the dump of a session. */
const LARGEST_SET = 16;
/** However often a request was logged, it counts at most so much: a retry loop must not drown the others. */
const LARGEST_WEIGHT = 4;
/** Examples of each trouble that a report names. */
const SHOWN = 5;
/** Longer texts say no more: an encoder reads less. */
const LARGEST_TEXT = 100_000;

/** One request of a log, with the tools that served it; ids or, where only one tool has them, names. */
export interface LoggedQuery {
  readonly query: string;
  readonly tools: readonly string[];
}

/** A request to learn from. */
export interface CleanQuery {
  readonly text: string;
  /** Ordinals, ascending; empty where no tool fits. */
  readonly tools: Uint32Array;
  /** 1 for a request that was logged once, at most 4. */
  readonly weight: number;
}

/** One kind of trouble with a log. */
export interface LogProblem {
  readonly kind:
    | "unknown-tool"
    | "too-large-set"
    | "unscored-set"
    | "repeated"
    | "contradictory"
    | "no-tool"
    | "no-text"
    | "never-used";
  /** How many lines, or tools, it concerns. */
  readonly count: number;
  readonly message: string;
}

export interface CleanLog {
  readonly queries: readonly CleanQuery[];
  /** How many lines were given. */
  readonly lines: number;
  readonly problems: readonly LogProblem[];
}

/**
 * Makes of a log what can be learned from: requests that are the same but for case and blanks become one, with the set that was logged most often
 * (the later where equal); tools that the catalog lacks leave, and a request whose tools all do; so do sets of more than 16 tools. All of it is reported.
 *
 * @throws SetwiseError `invalid-argument` for what is no log, and when nothing is left.
 */
export function cleanLog(log: readonly LoggedQuery[], catalog: Catalog): CleanLog {
  checkLog(log);
  checkObject("catalog", "what createCatalog gives", catalog);
  const ordinalOf = idsAndNames(catalog);
  const unknown = new Map<string, number>();
  const counts = { "unknown-tool": 0, "too-large-set": 0, "no-text": 0 };
  const byText = new Map<
    string,
    { text: string; sets: Map<string, { tools: Uint32Array; count: number; last: number }> }
  >();
  for (const [line, { query, tools }] of log.entries()) {
    const text = query.slice(0, LARGEST_TEXT).trim();
    const known = [...new Set(tools.map((id) => ordinalOf(id)))].filter((ordinal) => ordinal !== undefined);
    const strangers = tools.filter((id) => ordinalOf(id) === undefined);
    for (const id of strangers) unknown.set(id, (unknown.get(id) ?? 0) + 1);
    if (strangers.length > 0) counts["unknown-tool"]++;
    if (text === "") counts["no-text"]++;
    else if (known.length > LARGEST_SET) counts["too-large-set"]++;
    else if (known.length > 0 || tools.length === 0) {
      const key = text.toLowerCase().replace(/\s+/g, " ");
      const entry = byText.get(key) ?? { text, sets: new Map() };
      byText.set(key, entry);
      const set = Uint32Array.from(known).sort();
      const found = entry.sets.get(set.join());
      entry.sets.set(set.join(), { tools: set, count: (found?.count ?? 0) + 1, last: line });
    }
  }
  const queries: CleanQuery[] = [];
  const contradictory: string[] = [];
  let repeated = 0;
  for (const { text, sets } of byText.values()) {
    const ordered = [...sets.values()].sort((a, b) => b.count - a.count || b.last - a.last);
    const total = ordered.reduce((sum, { count }) => sum + count, 0);
    repeated += total - 1;
    if (ordered.length > 1) contradictory.push(text);
    queries.push({
      text,
      tools: ordered[0]?.tools ?? new Uint32Array(0),
      weight: Math.min(LARGEST_WEIGHT, Math.sqrt(total)),
    });
  }
  const problems = report({ queries, catalog, counts, unknown, contradictory, repeated });
  if (!queries.some(({ tools }) => tools.length > 0)) {
    const why = problems.map(({ message }) => message).join(" ");
    throw new SetwiseError(
      "invalid-argument",
      `Expected a log of requests and the tools of this catalog that served them, but of ${log.length} lines none can be used. ${why}`.trim(),
    );
  }
  return { queries, lines: log.length, problems };
}

function idsAndNames(catalog: Catalog): (id: string) => number | undefined {
  const named = new Map<string, number>();
  for (const [ordinal, { name }] of catalog.tools.entries()) named.set(name, named.has(name) ? -1 : ordinal);
  return (id) => {
    const ordinal = catalog.ordinalOf(id) ?? named.get(id);
    return ordinal === -1 ? undefined : ordinal;
  };
}

interface Findings {
  readonly queries: readonly CleanQuery[];
  readonly catalog: Catalog;
  readonly counts: Readonly<Record<"unknown-tool" | "too-large-set" | "no-text", number>>;
  readonly unknown: ReadonlyMap<string, number>;
  readonly contradictory: readonly string[];
  readonly repeated: number;
}

function report({ queries, catalog, counts, unknown, contradictory, repeated }: Findings): LogProblem[] {
  const used = new Set(queries.flatMap(({ tools }) => [...tools]));
  const unused = catalog.tools.filter((_, ordinal) => !used.has(ordinal)).map(({ id }) => id);
  const strangers = [...unknown].sort((a, b) => b[1] - a[1]).map(([id]) => id);
  const empty = queries.filter(({ tools }) => tools.length === 0).length;
  const large = queries.filter(({ tools }) => tools.length > MAX_SIZE).length;
  const all: LogProblem[] = [
    {
      kind: "unknown-tool",
      count: counts["unknown-tool"],
      message: `${counts["unknown-tool"]} lines name tools that the catalog lacks (${shown(strangers)}); without these they were used, where others were left.`,
    },
    {
      kind: "too-large-set",
      count: counts["too-large-set"],
      message: `${counts["too-large-set"]} lines have more than ${LARGEST_SET} tools and were left out.`,
    },
    {
      kind: "unscored-set",
      count: large,
      message: `${large} requests were served by more than ${MAX_SIZE} tools, the largest set that a model scores; which tools fit is learned from them, but not that so many do.`,
    },
    {
      kind: "no-text",
      count: counts["no-text"],
      message: `${counts["no-text"]} lines have no text and were left out.`,
    },
    { kind: "repeated", count: repeated, message: `${repeated} lines repeat a request and were joined with it.` },
    {
      kind: "contradictory",
      count: contradictory.length,
      message: `${contradictory.length} requests were logged with different tools (${shown(contradictory)}); what was logged most often counts.`,
    },
    {
      kind: "no-tool",
      count: empty,
      message: `${empty} requests were served by no tool; from them is learned when nothing fits.`,
    },
    {
      kind: "never-used",
      count: unused.length,
      message: `${unused.length} of ${catalog.tools.length} tools serve no request (${shown(unused)}); they are known by their texts.`,
    },
  ];
  return all.filter(({ count }) => count > 0);
}

function shown(names: readonly string[]): string {
  const first = names.slice(0, SHOWN).map((name) => JSON.stringify(name.slice(0, 80)));
  return first.join(", ") + (names.length > SHOWN ? ", …" : "");
}
