import type { Objection } from "./objection.ts";
import type { ToolProfile } from "./tool-profile.ts";

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint"] as const;
const SAYINGS = { readOnlyHint: "only reads", destructiveHint: "destroys", idempotentHint: "may be repeated" } as const;

/** Where two tools say otherwise of their side effects; a hint that one of them does not give says nothing. */
export function differenceInEffects(a: ToolProfile, b: ToolProfile): Objection | undefined {
  for (const hint of HINTS) {
    const [x, y] = [a.tool.annotations?.[hint], b.tool.annotations?.[hint]];
    if (x === undefined || y === undefined || x === y) continue;
    return {
      reason: `By ${hint} one ${SAYINGS[hint]} and the other does not.`,
      wouldChange: `The same ${hint} in both, or a pin.`,
    };
  }
  return undefined;
}
