import { type FoundLink, type LinkFinder, weigher } from "./link-finder.ts";
import { heldLinks, LEAST_WEIGHT, type LinksByInput, strongest } from "./predict-links.ts";

/**
 * The links with weights of now, where other tools give what an input is called than before: the fewer give it, the likelier each is meant. Only
 * tools with such an input are looked at, and of them only the links that they have.
 *
 * @param tools The tools, as numbers of the world, whose links are kept.
 */
export function reweighLinks(
  finder: LinkFinder,
  before: LinksByInput,
  tools: Iterable<number>,
  changedKeys: ReadonlySet<string>,
): LinksByInput {
  const after = before.slice();
  if (changedKeys.size === 0) return after;
  const { nodes, ports, tools: known } = finder.world;
  const weigherOf = weigher(finder);
  for (const tool of tools) {
    const { first = 0, end = 0 } = known[tool] ?? {};
    const inputs = Array.from({ length: end - first }, (_, place) => first + place).filter(
      (node) => nodes[node]?.kind === "in",
    );
    if (!inputs.some((input) => changedKeys.has(ports[input]?.key ?? ""))) continue;
    const byPath = new Map(inputs.map((input) => [JSON.stringify(nodes[input]?.path), input]));
    // What an input lies in comes before it.
    for (const input of inputs) {
      const path = nodes[input]?.path ?? [];
      const outer = byPath.get(JSON.stringify(path.slice(0, -1)));
      const weigh = weigherOf(input);
      const links: FoundLink[] = heldLinks(path, outer === undefined ? [] : (after[outer] ?? []));
      for (const { from } of before[input] ?? []) {
        const weight = weigh(from);
        if (weight >= LEAST_WEIGHT) links.push({ from, weight });
      }
      after[input] = strongest(finder, links);
    }
  }
  return after;
}
