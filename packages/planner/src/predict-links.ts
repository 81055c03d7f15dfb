import { candidatesFor, type FoundLink, type LinkFinder, weigher } from "./link-finder.ts";
import { ANY_ITEM } from "./ports.ts";

/** Links kept for one input: beyond the first two dozen nothing is ever chosen. */
export const MOST_LINKS = 24;
/** Of one producer: a second output may be the right one, a fourth never was. */
const MOST_OF_TOOL = 3;
/** A link that is less likely is none. */
export const LEAST_WEIGHT = 0.01;
/** A value that holds the input serves it, a little less surely than one made for it. */
const CONTAINER_FACTOR = 0.9;

/** Links by input, strongest first; inputs and outputs are nodes of the finder's world. */
export type LinksByInput = (readonly FoundLink[] | undefined)[];

/**
 * Predicts the links into inputs of one tool or of many. What supports an object supports the values in it.
 *
 * @param isLive Whether a tool of the world is in the graph: its lists also hold what is there no more.
 */
export function predictLinks(
  finder: LinkFinder,
  inputs: readonly number[],
  into: LinksByInput,
  isLive: (tool: number) => boolean,
): void {
  const { world } = finder;
  const candidates = candidatesFor(finder, inputs, "out", isLive);
  const byPath = new Map<string, number>();
  const weigherOf = weigher(finder);
  for (const [place, input] of inputs.entries()) {
    const weigh = weigherOf(input);
    const links: FoundLink[] = [];
    for (const from of candidates[place] ?? []) {
      if (!isLive(world.nodes[from]?.tool ?? 0)) continue;
      const weight = weigh(from);
      if (weight >= LEAST_WEIGHT) links.push({ from, weight });
    }
    const node = world.nodes[input];
    if (node === undefined) continue;
    byPath.set(`${node.tool} ${JSON.stringify(node.path)}`, input);
    if (node.path.length > 1) {
      const outer = byPath.get(`${node.tool} ${JSON.stringify(node.path.slice(0, -1))}`);
      links.push(...heldLinks(node.path, outer === undefined ? [] : (into[outer] ?? [])));
    }
    into[input] = strongest(finder, links);
  }
}

/** The links that an input has from what it lies in. */
export function heldLinks(path: readonly string[], outer: readonly FoundLink[]): FoundLink[] {
  const factor = path.at(-1) === ANY_ITEM ? 1 : CONTAINER_FACTOR;
  return outer.map(({ from, weight }) => ({ from, weight: factor * weight }));
}

/** The strongest links, each output once, few of a producer; ties by the lower output. */
export function strongest({ world }: LinkFinder, links: FoundLink[]): readonly FoundLink[] {
  links.sort((a, b) => b.weight - a.weight || a.from - b.from);
  const kept: FoundLink[] = [];
  const ofTool = new Map<number, number>();
  const seen = new Set<number>();
  for (const link of links) {
    if (kept.length >= MOST_LINKS) break;
    const tool = world.nodes[link.from]?.tool ?? 0;
    const count = ofTool.get(tool) ?? 0;
    if (seen.has(link.from) || count >= MOST_OF_TOOL) continue;
    seen.add(link.from);
    ofTool.set(tool, count + 1);
    kept.push(link);
  }
  return kept;
}
