import { type FoundLink, type LinkFinder, weigher } from "./link-finder.ts";
import { heldLinks, LEAST_WEIGHT, type LinksByInput, strongest } from "./predict-links.ts";

/**
 * Weighs links anew where other tools give what an input is called than before: the fewer give it, the likelier each is meant. Only
 * tools with such an input are looked at, and of them only the links that they have.
 *
 * @param tools The tools, as numbers of the world, whose links are kept.
 */
export function reweighLinks(
  finder: LinkFinder,
  links: LinksByInput,
  tools: Uint32Array,
  changedKeys: ReadonlySet<string>,
): void {
  if (changedKeys.size === 0) return;
  const { nodes, ports, tools: known } = finder.world;
  const weigherOf = weigher(finder);
  const isChanged = (node: number): boolean => nodes[node]?.kind === "in" && changedKeys.has(ports[node]?.key ?? "");
  for (const tool of tools) {
    const { first = 0, end = 0 } = known[tool] ?? {};
    let changed = first;
    while (changed < end && !isChanged(changed)) changed++;
    if (changed < end) reweighInputs(finder, links, weigherOf, first, end);
  }
}

/** Weighs the links of a tool anew, whose nodes are those from `first` to before `end`. */
function reweighInputs(
  finder: LinkFinder,
  links: LinksByInput,
  weigherOf: ReturnType<typeof weigher>,
  first: number,
  end: number,
): void {
  const { nodes } = finder.world;
  const byPath = new Map<string, number>();
  // What an input lies in comes before it.
  for (let input = first; input < end; input++) {
    const { kind, path } = nodes[input]!;
    if (kind !== "in") continue;
    byPath.set(JSON.stringify(path), input);
    const outer = byPath.get(JSON.stringify(path.slice(0, -1)));
    const weigh = weigherOf(input);
    const found: FoundLink[] = heldLinks(path, outer === undefined ? [] : (links[outer] ?? []));
    for (const { from } of links[input] ?? []) {
      const weight = weigh(from);
      if (weight >= LEAST_WEIGHT) found.push({ from, weight });
    }
    links[input] = strongest(finder, found);
  }
}
