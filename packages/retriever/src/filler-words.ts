import { stem } from "./stem.ts";

/**
 * What people say around a request: address, politeness, order of telling. Such a word may stand in a tool's name ("help"),
 * so it is not a stop word, but in a query it counts less than the others. Chosen for being frequent in the queries of several
 * train splits and no likelier in the right tools than in any other (docs/decisions/2026-11-30-lexical-weights.md).
 */
const filler = `tell know help want need like look assist additional first last next regarding curious good include may go final
  thank hello hi okay ensure immediately possible make sure interested reliable particular various certain ask some thing way
  day today tomorrow lot see well let much many`;

/** Stems of filler words. */
export const fillerStems: ReadonlySet<string> = new Set(
  filler
    .split(/\s+/)
    .map(stem)
    .filter((stemmed) => stemmed !== ""),
);
