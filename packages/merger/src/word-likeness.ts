import type { ToolDefinition } from "@setwise/core";
import { toolProfile } from "./tool-profile.ts";

/** A name is shorter than a sentence and says more: a tool's likeness is the mean of both. */
const PARTS = ["fullObjects", "sentenceObjects"] as const;

/** How alike two tools are worded, in 0..1: the share of words that both have, in names and in first sentences. Symmetric. */
export function wordLikeness(a: ToolDefinition, b: ToolDefinition): number {
  const [x, y] = [toolProfile(a), toolProfile(b)];
  const shares = PARTS.map((part) => sharedShare(x[part], y[part]));
  return shares.reduce((sum, share) => sum + share, 0) / PARTS.length;
}

function sharedShare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}
