import type { Objection } from "./objection.ts";
import { sameNames } from "./objections-by-name.ts";
import type { ToolProfile } from "./tool-profile.ts";

/** Nobody offers one job twice under two names: tools of one server with names of other words are meant to be told apart. */
export function objectionByServer(a: ToolProfile, b: ToolProfile): Objection | undefined {
  const areNamedAlike = areOfOneServer(a, b)
    ? spelling(a) === spelling(b)
    : !areOfOneNamespace(a, b) || sameNames(a, b);
  if (areNamedAlike) return undefined;
  return {
    reason: "One server has both, under names of other words.",
    wouldChange: "Names of the same words, or a pin.",
  };
}

function areOfOneServer(a: ToolProfile, b: ToolProfile): boolean {
  if (a.tool.server !== undefined && a.tool.server === b.tool.server) return true;
  return a.service.length > 0 && a.service.join(" ") === b.service.join(" ");
}

/** Catalogs that were put together have a namespace twice, so that there only words that say something tell tools apart. */
function areOfOneNamespace(a: ToolProfile, b: ToolProfile): boolean {
  return a.namespace.length > 0 && a.namespace.join(" ") === b.namespace.join(" ");
}

/** The words of a name however they are written. Order and number tell: coins of an exchange are not the exchanges of a coin. */
function spelling({ nameWords, namespace }: ToolProfile): string {
  return [...namespace, ...nameWords].join("");
}
