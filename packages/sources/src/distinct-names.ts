/**
 * Gives each wish a name of its own: the wish itself, or with the next free number behind it. What was given is taken from
 * then on. Linear also where all wishes are alike, as a hostile document can make them.
 */
export function distinctNames(taken: Set<string> = new Set()): (wish: string) => string {
  const next = new Map<string, number>();
  return (wish) => {
    let name = wish;
    let number = next.get(wish) ?? 2;
    while (taken.has(name)) name = `${wish}_${number++}`;
    next.set(wish, number);
    taken.add(name);
    return name;
  };
}
