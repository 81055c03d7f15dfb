import { SetwiseError, type ToolDefinition } from "@setwise/core";
import { pairContent } from "./content-key.ts";
import type { MergedCatalog } from "./merge-tools.ts";
import { isStale, type MergePin } from "./pins.ts";

const VERSION = 1;
/** Larger files are none of ours. */
const MOST_CHARACTERS = 256 * 1024 * 1024;

/** One line of a review file: what was decided, and what a person says to it. */
export interface ReviewedPair {
  readonly a: string;
  readonly b: string;
  /** What the judge decided. */
  readonly judged: "same" | "different";
  /** A person changes this to overrule the judge. */
  readonly decision: "same" | "different";
  /** A person sets this to keep a decision whatever a judge says later. */
  readonly reviewed: boolean;
  readonly reason: string;
  readonly wouldChange?: string;
  /** What the two tools said when it was decided. */
  readonly content: string;
}

/**
 * All decisions of a merge as a file for a person, one line a pair: each member of a cluster with its representative, then the rejected pairs.
 * `former` are the pins it was made with: they come back as reviewed, but those that join tools of which one has changed since.
 */
export function writeReview(merged: MergedCatalog, former: readonly MergePin[] = []): string {
  const tools = new Map<string, ToolDefinition>();
  for (const tool of merged.catalog.tools) tools.set(tool.id, tool);
  for (const { members } of merged.foldings) for (const member of members) tools.set(member.id, member);
  const toolOf = (id: string): ToolDefinition | undefined => tools.get(id);
  const kept = former.filter((pin) => !isStale(pin, toolOf));
  const pinned = new Map(kept.map((pin) => [keyOf(pin.a, pin.b), pin]));
  const pairs = new Map<string, ReviewedPair>();
  const add = (a: string, b: string, judged: "same" | "different", reason: string, wouldChange?: string): void => {
    const pin = pinned.get(keyOf(a, b));
    pairs.set(keyOf(a, b), {
      a,
      b,
      judged,
      decision: pin?.decision ?? judged,
      reviewed: pin !== undefined,
      reason,
      ...(wouldChange === undefined ? {} : { wouldChange }),
      content: pairContent(toolOf(a), toolOf(b)),
    });
  };
  for (const { representative, members, reason } of merged.clusters) {
    for (const member of members) if (member !== representative) add(representative, member, "same", reason);
  }
  for (const { members, reason, wouldChange } of merged.rejected)
    add(members[0], members[1], "different", reason, wouldChange);
  for (const pin of kept) {
    if (!pairs.has(keyOf(pin.a, pin.b))) add(pin.a, pin.b, pin.decision, pin.note ?? "A pin.");
  }
  const lines = [...pairs.values()].map((pair) => `  ${JSON.stringify(pair)}`);
  return `{"version":${VERSION},"pairs":[\n${lines.join(",\n")}\n]}\n`;
}

function keyOf(a: string, b: string): string {
  return [a, b].sort().join("\n");
}

/**
 * What a person decided in a review file: pairs whose decision is not the judge's, and those marked as reviewed.
 *
 * @throws SetwiseError `corrupt-file` for what is no review file, `unsupported-version` for one of a later version.
 */
export async function readReview(text: string, source?: string): Promise<readonly MergePin[]> {
  const { reviewFileSchema } = await import("./review-schema.ts");
  const details = source === undefined ? {} : { source };
  const refuse = (what: string, cause?: unknown): SetwiseError =>
    new SetwiseError("corrupt-file", `A review file must be as \`writeReview\` writes it, but ${what}.`, {
      ...details,
      cause,
    });
  if (text.length > MOST_CHARACTERS) throw refuse("this is too long to be one");
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (cause) {
    throw refuse("this is no JSON", cause);
  }
  const version: unknown = (given as { version?: unknown } | null)?.version;
  if (typeof version === "number" && version > VERSION) {
    throw new SetwiseError(
      "unsupported-version",
      `The review file is of version ${version}; this reads version ${VERSION}. Write it again, or take a newer Setwise.`,
      details,
    );
  }
  const read = reviewFileSchema.safeParse(given);
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = issue?.path.join(".") ?? "";
    const what = place === "" ? "it is another document" : `its ${place} is not right`;
    throw refuse(`${what} (${issue?.message ?? "unknown"})`);
  }
  return read.data.pairs
    .filter((pair) => pair.reviewed || pair.decision !== pair.judged)
    .map(({ a, b, decision, reason, content }) => ({ a, b, decision, note: reason, content }));
}
