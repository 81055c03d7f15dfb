import { compareActions, isReading } from "./actions.ts";
import type { Objection } from "./objection.ts";
import type { ToolProfile } from "./tool-profile.ts";

/** What a tool does, in one word: by its name, else by its description. */
export function mainAction(profile: ToolProfile): string {
  const { nameAction, descriptionAction } = profile;
  if (nameAction !== undefined && nameAction !== "read") return nameAction;
  return descriptionAction ?? nameAction ?? "read";
}

export function objectionByAction(a: ToolProfile, b: ToolProfile): Objection | undefined {
  const pairs: (readonly [string | undefined, string | undefined])[] = [
    [a.descriptionAction, b.descriptionAction],
    [mainAction(a), mainAction(b)],
  ];
  for (const [x, y] of pairs) {
    if (x === undefined || y === undefined || compareActions(x, y) !== "different") continue;
    // Of a tool that has no verb at all it is only taken for granted that it reads.
    if ((isUnsaid(a) || isUnsaid(b)) && isReading(x) && isReading(y)) continue;
    return {
      reason: `One is to ${x}, the other to ${y}.`,
      wouldChange: "The same verb in both, or a pin.",
    };
  }
  return undefined;
}

function isUnsaid({ nameAction, descriptionAction }: ToolProfile): boolean {
  return nameAction === undefined && descriptionAction === undefined;
}

/** A thing itself against what is known of it: `read_file` and `get_file_info`. */
export function objectionByContent(a: ToolProfile, b: ToolProfile): Objection | undefined {
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const isWhole = one.nameWords.includes("read") && other.nameWords.some((word) => ABOUT.has(word));
    const isOne = one.nameWords.at(-1) === "list" && KNOWN.has(other.nameWords.at(-1) ?? "");
    if (!isWhole && !isOne) continue;
    return {
      reason: "One gives the thing itself, the other what is known of it.",
      wouldChange: "The same in both, or a pin.",
    };
  }
  return undefined;
}

/** `is_business` against `get_business`. */
export function objectionByQuestion(a: ToolProfile, b: ToolProfile): Objection | undefined {
  if (isWhether(a) === isWhether(b)) return undefined;
  return {
    reason: "One tells whether something is so, the other what it is.",
    wouldChange: "The same question in both, or a pin.",
  };
}

function isWhether({ nameWords }: ToolProfile): boolean {
  return ["is", "has", "can"].includes(nameWords[0] ?? "");
}

const KNOWN: ReadonlySet<string> = new Set(["info", "information", "details", "detail"]);

const ABOUT: ReadonlySet<string> = new Set([
  "info",
  "information",
  "details",
  "metadata",
  "list",
  "search",
  "status",
  "properties",
]);
