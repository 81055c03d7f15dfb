import type { Tool } from "@setwise/core";
import { isOpaque } from "./opaque-names.ts";
import { wordsOf } from "./port-words.ts";
import { toolDeed } from "./tool-deeds.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** What is done with a result at last. */
const TELLING = words("notify notification remind reminder email mail sms message alert report human");
/** What makes something of values that are there already. */
const MAKING = words(
  "calculate compute convert translate analyze analysis evaluate compare summarize generate estimate predict extract",
);
/** Looking around, wherever in a name it stands: `hotel_booking_query` books nothing. */
const SEARCHING = words("search find list query lookup inquire inquiry browse");
/** Deeds that names say as nouns. */
const CHANGING = words(
  "booking cancellation cancelling canceling purchase purchasing reservation rescheduling registration request ordering modification payment repayment checkout",
);

/** The first {@link callStage} of tools that change something or tell somebody. */
export const CHANGING_STAGE = 2;

/**
 * When in a task a tool is usually called: 0 signing in, searching and looking around, 1 reading a thing whose id must be known, and working
 * with values, 2 creating and changing, 3 telling somebody.
 */
export function callStage(tool: Tool): number {
  const named = wordsOf(tool.name);
  const deed = toolDeed(tool);
  if (deed === "signs-in") return 0;
  const isSearch = named.some((word) => SEARCHING.has(word));
  if (deed !== "reads" && !isSearch) {
    if (named.some((word) => TELLING.has(word))) return 3;
    if (deed !== "unknown" || named.some((word) => CHANGING.has(word))) return CHANGING_STAGE;
  }
  if (needsId(tool)) return 1;
  return isSearch || (deed === "reads" && !named.some((word) => MAKING.has(word))) ? 0 : 1;
}

/** Whether a tool changes something or tells somebody, for all that is known: one of which nobody can say what it does may. */
export function mayChange(tool: Tool): boolean {
  return callStage(tool) >= CHANGING_STAGE || toolDeed(tool) === "unknown";
}

/** Whether an argument that must be given is an id, token or key; where a tool does not say what must be given, any argument. */
function needsId({ inputSchema }: Tool): boolean {
  const { required, properties } = inputSchema as { readonly required?: unknown; readonly properties?: unknown };
  const names: readonly unknown[] = Array.isArray(required)
    ? required
    : Object.keys((properties as object | null) ?? {});
  return names.some(
    (name) => typeof name === "string" && isOpaque({ path: [name], format: undefined, type: undefined }),
  );
}
