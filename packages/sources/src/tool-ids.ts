import { createHash } from "node:crypto";
import type { Problem, Tool } from "@setwise/core";
import { ownId } from "./drivers/jsonl.ts";
import { quote } from "./show.ts";

/** Characters of a hash in an id: 16^8 values, for the few tools that share both server and name. */
const SUFFIX_LENGTH = 8;
/** Ids and servers listed in one message. */
const MAX_LISTED = 4;

type Nameless = Omit<Tool, "id">;

/**
 * Gives every tool an id that is unique over all: the one its own document gives it, else its name, else `server/name`,
 * else that with a hash of its content. An id depends on the tools and not on their order; tools that are alike in
 * everything are numbered. Linear in the number of tools.
 */
export function assignIds(tools: readonly Nameless[]): { tools: Tool[]; problems: Problem[] } {
  const bases = tools.map((tool) => ownId(tool.original) ?? tool.name);
  const owned = new Set(bases.filter((_, position) => isOwned(tools[position])));
  const groups = groupBy(bases.keys(), (position) => bases[position] ?? "");
  const ids: (string | undefined)[] = bases.map(() => undefined);
  const taken = new Set<string>();
  const crowded: number[] = [];
  for (const [base, positions] of groups) {
    const keeper = keeperOf(base, positions, owned, tools);
    if (keeper !== undefined) {
      ids[keeper] = base;
      taken.add(base);
    }
    for (const position of positions) if (position !== keeper) crowded.push(position);
  }
  placeWithServer(crowded, tools, bases, ids, taken);
  placeWithHash(
    crowded.filter((position) => ids[position] === undefined),
    tools,
    bases,
    ids,
    taken,
  );
  const withIds = tools.map((tool, position) => withId(tool, ids[position] ?? tool.name));
  return { tools: withIds, problems: collisions(groups, withIds) };
}

/** The id stands first, and instead of one the tool had before. */
function withId(tool: Nameless, id: string): Tool {
  const fields = { id, ...tool };
  fields.id = id;
  return Object.freeze(fields);
}

function isOwned(tool: Nameless | undefined): boolean {
  return tool !== undefined && ownId(tool.original) !== undefined;
}

/** The one tool of a group that may keep the plain base: an only one, or the only one whose document gave it. */
function keeperOf(
  base: string,
  positions: readonly number[],
  owned: ReadonlySet<string>,
  tools: readonly Nameless[],
): number | undefined {
  if (positions.length === 1) return positions[0];
  if (!owned.has(base)) return undefined;
  const owners = positions.filter((position) => isOwned(tools[position]));
  return owners.length === 1 ? owners[0] : undefined;
}

function placeWithServer(
  crowded: readonly number[],
  tools: readonly Nameless[],
  bases: readonly string[],
  ids: (string | undefined)[],
  taken: Set<string>,
): void {
  const named = crowded.filter((position) => tools[position]?.server !== undefined);
  const wanted = groupBy(named, (position) => `${tools[position]?.server ?? ""}/${bases[position] ?? ""}`);
  for (const [id, positions] of wanted) {
    const [position] = positions;
    if (positions.length > 1 || position === undefined || taken.has(id)) continue;
    ids[position] = id;
    taken.add(id);
  }
}

function placeWithHash(
  crowded: readonly number[],
  tools: readonly Nameless[],
  bases: readonly string[],
  ids: (string | undefined)[],
  taken: Set<string>,
): void {
  const wanted = groupBy(crowded, (position) => {
    const tool = tools[position];
    const prefix = tool?.server === undefined ? "" : `${tool.server}/`;
    return `${prefix}${bases[position] ?? ""}#${tool === undefined ? "" : contentHash(tool)}`;
  });
  for (const [wish, positions] of [...wanted].sort(byKey)) {
    let number = 1;
    for (const position of positions) {
      let id = number === 1 ? wish : `${wish}-${number}`;
      while (taken.has(id)) id = `${wish}-${++number}`;
      number++;
      ids[position] = id;
      taken.add(id);
    }
  }
}

const byKey = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  left < right ? -1 : left > right ? 1 : 0;

function contentHash(tool: Nameless): string {
  const text = JSON.stringify([tool.description, tool.inputSchema, tool.outputSchema ?? null]);
  return createHash("sha256").update(text).digest("hex").slice(0, SUFFIX_LENGTH);
}

function groupBy(positions: Iterable<number>, keyOf: (position: number) => string): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const position of positions) {
    const key = keyOf(position);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [position]);
    else group.push(position);
  }
  return groups;
}

function collisions(groups: ReadonlyMap<string, readonly number[]>, tools: readonly Tool[]): Problem[] {
  const problems: Problem[] = [];
  for (const [base, positions] of groups) {
    if (positions.length === 1) continue;
    const ids = positions.slice(0, MAX_LISTED).map((position) => quote(tools[position]?.id ?? ""));
    const rest = positions.length > MAX_LISTED ? " …" : "";
    problems.push({
      code: "name-collision",
      message: `${positions.length} tools are called ${quote(base)}; their ids are ${ids.join(", ")}${rest}.`,
    });
  }
  return problems;
}
