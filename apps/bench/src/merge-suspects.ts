import type { Catalog, Tool } from "@setwise/core";
import type { MergedCatalog } from "@setwise/merger";

/** Deeds that must not stand in one cluster together, by the first words of names and descriptions; written apart from the merger's own lists. */
const DEEDS: Readonly<Record<string, RegExp>> = {
  create: /\b(?:creat|add|insert|register|new|post)/i,
  delete: /\b(?:delet|remov|eras|destroy|drop|purg)/i,
  cancel: /\b(?:cancel|revok)/i,
  update: /\b(?:updat|modif|edit|chang|set|replac)/i,
  archive: /\barchiv/i,
  enable: /\b(?:enabl|activat)/i,
  disable: /\b(?:disabl|deactivat|suspend)/i,
  start: /\b(?:start|begin|launch|resum)/i,
  stop: /\b(?:stop|paus|halt|end|kill)/i,
  lock: /\block/i,
  unlock: /\bunlock/i,
  open: /\bopen/i,
  close: /\bclos/i,
  encode: /\benco/i,
  decode: /\bdeco/i,
  import: /\bimport/i,
  export: /\bexport/i,
  upload: /\bupload/i,
  download: /\bdownload/i,
  send: /\b(?:send|notif)/i,
  book: /\b(?:book|reserv)(?!s\b)/i,
  buy: /\b(?:buy|purchas|order)/i,
  sell: /\b(?:sell|sale)/i,
  play: /\bplay\b/i,
  read: /\b(?:get|fetch|retriev|list|search|find|quer|check|view)/i,
};

/** What a reader should look at: a cluster, and why it is suspicious. */
export interface Suspect {
  readonly why: string;
  readonly tools: readonly Tool[];
}

/** Clusters whose members begin with different deeds, say otherwise of their effects, or belong to different servers. */
export function suspects(before: Catalog, merged: MergedCatalog): readonly Suspect[] {
  return merged.clusters.flatMap(({ members }) => {
    const tools = members.flatMap((id) => before.tools[before.ordinalOf(id) ?? -1] ?? []);
    const why = [deeds(tools), effects(tools), servers(tools)].filter((reason) => reason !== "");
    return why.length === 0 ? [] : [{ why: why.join("; "), tools }];
  });
}

function deeds(tools: readonly Tool[]): string {
  const found = new Set(tools.map(deedOf).filter((deed) => deed !== undefined));
  return found.size > 1 ? `deeds ${[...found].sort().join(", ")}` : "";
}

function deedOf(tool: Tool): string | undefined {
  const name = tool.name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_.\-/]+/g, " ");
  const first = tool.description.split(/\s+/).slice(0, 2).join(" ");
  for (const text of [first, name]) {
    const deed = Object.keys(DEEDS).find((candidate) => DEEDS[candidate]?.test(text));
    if (deed !== undefined) return deed;
  }
  return undefined;
}

function effects(tools: readonly Tool[]): string {
  const hints = new Set(tools.map(({ annotations }) => `${annotations?.readOnlyHint} ${annotations?.destructiveHint}`));
  return hints.size > 1 ? "side effects" : "";
}

function servers(tools: readonly Tool[]): string {
  const found = new Set(tools.map((tool) => tool.server));
  return found.size > 1 ? `servers ${[...found].map(String).sort().join(", ")}` : "";
}
