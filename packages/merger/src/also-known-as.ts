import type { ToolDefinition } from "@setwise/core";

/** Other names and descriptions are told up to so many characters: they help to find the tool, and every one costs tokens. */
const MOST_CHARACTERS = 240;
const LONGEST_PART = 100;

/**
 * What members say that their representative does not, as one sentence to put behind its description: names first, then the beginnings of
 * descriptions, each once. Empty where there is nothing new.
 */
export function alsoKnownAs([first, ...others]: readonly ToolDefinition[]): string {
  if (first === undefined) return "";
  const known = new Set([plain(first.name), plain(beginning(first.description))]);
  const told: string[] = [];
  let length = 0;
  for (const part of [...others.map((tool) => tool.name), ...others.map((tool) => beginning(tool.description))]) {
    const text = part.slice(0, LONGEST_PART).trim();
    if (text === "" || known.has(plain(text)) || length + text.length > MOST_CHARACTERS) continue;
    known.add(plain(text));
    told.push(text);
    length += text.length;
  }
  return told.length === 0 ? "" : `Also: ${told.join("; ")}.`;
}

/** The first sentence. */
function beginning(description: string): string {
  return description.split(/[.!?\n](?:\s|$)/, 1)[0] ?? "";
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
