import { type Catalog, SetwiseError } from "@setwise/core";
import type { GivenEdge } from "./given-edges.ts";
import { portMeaning, rowCosine } from "./port-meaning.ts";
import type { PortVectors } from "./port-vectors.ts";
import { type PortWorld, readWorld } from "./port-world.ts";

/** What is known of some tools: the ids of the tools that each was called with, or cannot do without. */
export type KnownNeeds = ReadonlyMap<string, ReadonlySet<string>>;

export interface LearnEdgesOptions {
  /** Embeddings of the tools' nodes (`embedPorts`). Default: tools are alike by their words. */
  readonly vectors?: PortVectors;
  /** k: tools that are asked. Default 8. */
  readonly neighbours?: number;
  /** Edges that fewer of the neighbours, by likeness, speak for are none. Default .3. */
  readonly leastWeight?: number;
  /** Whether `b` may be asked about `a`; a tool is never asked about itself. Default: all may. For measuring. */
  readonly mayAsk?: (a: string, b: string) => boolean;
}

const DEFAULT_NEIGHBOURS = 8;
const DEFAULT_LEAST_WEIGHT = 0.3;
/** A tool that is nearly the same counts far more than one of the same field. */
const POWER = 4;

/**
 * What tools need beyond their schemas (a network that is on, a login), learned from tools of which it is known: for each tool without
 * known needs the share, by likeness⁴, of its k most alike tools that need the other one. Edges have no input: they are preconditions.
 *
 * @throws SetwiseError `unknown-tool` when a tool of `known` is not in the catalog.
 */
export function learnEdges(catalog: Catalog, known: KnownNeeds, options: LearnEdgesOptions = {}): readonly GivenEdge[] {
  const { neighbours = DEFAULT_NEIGHBOURS, leastWeight = DEFAULT_LEAST_WEIGHT, mayAsk, vectors } = options;
  for (const id of known.keys()) {
    if (catalog.ordinalOf(id) !== undefined) continue;
    throw new SetwiseError("unknown-tool", `known: expected ids of the catalog, got "${id}". Leave it out.`, {
      toolId: id,
    });
  }
  const world = readWorld(catalog.tools);
  const alike = likeness(world, vectors);
  const teachers = Array.from(known.keys(), (id) => ({ id, ordinal: catalog.ordinalOf(id) ?? 0 }));
  const edges: GivenEdge[] = [];
  for (const [ordinal, { id }] of catalog.tools.entries()) {
    const asked = teachers
      .filter((teacher) => teacher.id !== id && (mayAsk?.(id, teacher.id) ?? true))
      .map((teacher) => ({ id: teacher.id, ordinal: teacher.ordinal, share: alike(ordinal, teacher.ordinal) ** POWER }))
      .sort((a, b) => b.share - a.share || a.ordinal - b.ordinal)
      .slice(0, neighbours);
    const total = asked.reduce((sum, { share }) => sum + share, 0);
    const shares = new Map<string, number>();
    for (const teacher of asked) {
      for (const need of known.get(teacher.id) ?? []) shares.set(need, (shares.get(need) ?? 0) + teacher.share / total);
    }
    for (const [need, weight] of [...shares].sort((a, b) => b[1] - a[1])) {
      if (need === id || !(weight >= leastWeight) || catalog.ordinalOf(need) === undefined) continue;
      edges.push({ from: { tool: need }, to: { tool: id }, weight: Math.min(1, weight) });
    }
  }
  return edges;
}

/** How alike two tools are, 0 to 1: the cosine of what they give as a whole, else of their words by rarity. */
function likeness(world: PortWorld, vectors: PortVectors | undefined): (a: number, b: number) => number {
  const meaning = vectors === undefined ? undefined : portMeaning(world, vectors);
  if (meaning !== undefined) {
    const rows = world.tools.map(({ whole }) => meaning.rows[whole] ?? 0);
    return (a, b) => rowCosine(meaning, rows[a] ?? 0, rows[b] ?? 0);
  }
  const words = world.tools.map(
    ({ signals }) => new Map(signals.words.map((word) => [word, world.vocabulary.rarity[word] ?? 0])),
  );
  const lengths = words.map((own) => Math.hypot(...own.values()));
  return (a, b) => {
    let sum = 0;
    for (const [word, weight] of words[a] ?? []) sum += weight * (words[b]?.get(word) ?? 0);
    const length = (lengths[a] ?? 0) * (lengths[b] ?? 0);
    return length > 0 ? sum / length : 0;
  };
}
