import type { PortWorld } from "./port-world.ts";

/** How much a word tells: ln(1 + N / (n + ½)), n the number of tools among N that have it in a name. */
export type WordRarity = (word: string) => number;

export function wordRarity({ tools, ports }: Pick<PortWorld, "tools" | "ports">): WordRarity {
  const counts = new Map<string, number>();
  for (const { signals, first, end } of tools) {
    const own = new Set(signals.words);
    for (let node = first; node < end; node++) for (const word of ports[node]?.name ?? []) own.add(word);
    for (const word of own) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const rarities = new Map<string, number>();
  for (const [word, count] of counts) rarities.set(word, Math.log(1 + tools.length / (count + 0.5)));
  const unknown = Math.log(1 + tools.length / 0.5);
  return (word) => rarities.get(word) ?? unknown;
}
