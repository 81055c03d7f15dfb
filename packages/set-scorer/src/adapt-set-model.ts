import { type Catalog, SetwiseError, shownName } from "@setwise/core";
import { checkObject } from "./check-object.ts";
import type { KnownSets } from "./known-sets.ts";
import { rowsAt } from "./rows-at.ts";
import { type SetModel, toolHash } from "./set-model.ts";
import { textRows } from "./text-rows.ts";

/** What the tools of a catalog mean to the encoder that a model was trained with. */
export interface EncodedCatalog {
  readonly catalog: Catalog;
  /** The encoder's name. */
  readonly encoder: string;
  /** Tools × d_r. */
  readonly toolVectors: Float32Array;
}

/** What became of the tools, by id. */
export interface ModelChanges {
  /** The model knew them, under this id. */
  readonly known: number;
  /** The model knew them under another id: same description, same arguments. */
  readonly renamed: readonly string[];
  /** The model does not know them: their place is told by their text. */
  readonly added: readonly string[];
  /** The model knew them, and the catalog has them no longer. */
  readonly removed: readonly string[];
}

/**
 * Brings a model to a catalog that has changed since it was trained: its tools are then those of the catalog in its order. What was learned of a tool stays with
 * its id, or else with its description and arguments; new tools get the row that their text leads to; see `textResidual`.
 *
 * @throws SetwiseError `invalid-argument` when the model was trained with another encoder, or for a catalog of which it knows no tool.
 */
export function adaptSetModel(
  model: SetModel,
  encoded: EncodedCatalog,
): { readonly model: SetModel; readonly changes: ModelChanges } {
  checkObject("model", "a set model", model);
  checkObject("the encoded catalog", "an object of catalog, encoder and toolVectors", encoded);
  const { catalog, encoder, toolVectors } = encoded;
  if (encoder !== model.encoder) {
    throw new SetwiseError(
      "invalid-argument",
      `The set model reads vectors of the encoder ${shownName(model.encoder)}, but the tools are encoded by ${shownName(encoder)}. Choose that encoder, or train a model with this one.`,
    );
  }
  const numbers = catalog.tools.length * model.queryDimensions;
  if (!(toolVectors instanceof Float32Array) || toolVectors.length !== numbers) {
    throw new SetwiseError(
      "invalid-argument",
      `Expected toolVectors to be a Float32Array of ${catalog.tools.length} × ${model.queryDimensions} numbers, but got ${toolVectors instanceof Float32Array ? `${toolVectors.length} numbers` : "another value"}.`,
    );
  }
  const sources = sourcesOf(model, catalog);
  const changes = changesOf(model, catalog, sources);
  if (sources.every((source) => source < 0)) {
    throw new SetwiseError(
      "invalid-argument",
      `The set model knows none of the ${catalog.tools.length} tools: it was trained for another catalog (of ${model.tools.length} tools, ${shownName(model.tools[0]?.id ?? "none")} among them). Train one for this catalog.`,
    );
  }
  const isSame =
    changes.added.length === 0 && changes.removed.length === 0 && sources.every((source, at) => source === at);
  if (isSame && changes.renamed.length === 0) return { model, changes };
  return { model: { ...model, ...moved(model, sources, catalog, toolVectors) }, changes };
}

/** For each tool of the catalog its place in the model, −1 for a new one. */
function sourcesOf({ tools }: SetModel, catalog: Catalog): Int32Array {
  const byId = new Map(tools.map(({ id }, place) => [id, place]));
  const sources = Int32Array.from(catalog.tools, ({ id }) => byId.get(id) ?? -1);
  const taken = new Set(sources);
  const once = (hashes: readonly string[]): ReadonlySet<string> => {
    const counts = new Map<string, number>();
    for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1);
    return new Set(hashes.filter((hash) => counts.get(hash) === 1));
  };
  const hashes = catalog.tools.map(toolHash);
  const here = once(hashes);
  const there = once(tools.map(({ hash }) => hash));
  const byHash = new Map(tools.map(({ hash }, place) => [hash, place]));
  for (const [ordinal, hash] of hashes.entries()) {
    const place = byHash.get(hash) ?? -1;
    if (sources[ordinal] === -1 && here.has(hash) && there.has(hash) && !taken.has(place)) sources[ordinal] = place;
  }
  return sources;
}

function changesOf({ tools }: SetModel, catalog: Catalog, sources: Int32Array): ModelChanges {
  const used = new Set(sources);
  const ids = (keep: (ordinal: number) => boolean): string[] =>
    catalog.tools.filter((_, ordinal) => keep(ordinal)).map(({ id }) => id);
  const sourceOf = (ordinal: number): number => sources[ordinal] ?? -1;
  const renamed = ids((at) => sourceOf(at) >= 0 && tools[sourceOf(at)]?.id !== catalog.tools[at]?.id);
  return {
    known: sources.filter((source) => source >= 0).length - renamed.length,
    renamed,
    added: ids((at) => sourceOf(at) < 0),
    removed: tools.filter((_, place) => !used.has(place)).map(({ id }) => id),
  };
}

function moved(
  model: SetModel,
  sources: Int32Array,
  { tools }: Catalog,
  toolVectors: Float32Array,
): Pick<SetModel, "tools" | "embeddings" | "coUse" | "knownSets"> {
  const { toolDimensions: width, queryDimensions } = model;
  const embeddings = new Float32Array(tools.length * width);
  const placeOf = new Map<number, number>();
  for (const [ordinal, source] of sources.entries()) {
    if (source < 0) continue;
    embeddings.set(model.embeddings.subarray(source * width, (source + 1) * width), ordinal * width);
    placeOf.set(source, ordinal);
  }
  const added = Array.from(sources.keys()).filter((ordinal) => sources[ordinal]! < 0);
  if (width > 0) {
    const rows = textRows(model.textProjection, rowsAt(toolVectors, queryDimensions, added), queryDimensions);
    for (const [at, ordinal] of added.entries()) {
      embeddings.set(rows.subarray(at * width, (at + 1) * width), ordinal * width);
    }
  }
  const { pairs, values } = model.coUse;
  const kept = [...values.keys()].flatMap((at) => {
    const [one, other] = [placeOf.get(pairs[2 * at]!), placeOf.get(pairs[2 * at + 1]!)];
    return one === undefined || other === undefined
      ? []
      : [{ one: Math.min(one, other), other: Math.max(one, other), value: values[at]! }];
  });
  return {
    tools: tools.map((tool, ordinal) => {
      const source = sources[ordinal]!;
      const isNew = source < 0 || model.tools[source]?.isNew === true;
      return { id: tool.id, hash: toolHash(tool), ...(isNew ? { isNew } : {}) };
    }),
    embeddings,
    coUse: {
      pairs: Uint32Array.from(kept.flatMap(({ one, other }) => [one, other])),
      values: Float32Array.from(kept, ({ value }) => value),
    },
    knownSets: movedSets(model.knownSets, placeOf),
  };
}

/** Sets all of whose tools are still there. */
function movedSets(
  { offsets, members, values }: SetModel["knownSets"],
  placeOf: ReadonlyMap<number, number>,
): KnownSets {
  const kept = [...values.keys()].flatMap((set) => {
    const moved = Array.from(members.subarray(offsets[set], offsets[set + 1]), (tool) => placeOf.get(tool) ?? -1);
    return moved.includes(-1) ? [] : [{ tools: moved.sort((a, b) => a - b), value: values[set]! }];
  });
  const ends = new Uint32Array(kept.length + 1);
  for (const [at, { tools }] of kept.entries()) ends[at + 1] = ends[at]! + tools.length;
  return {
    offsets: ends,
    members: Uint32Array.from(kept.flatMap(({ tools }) => tools)),
    values: Float32Array.from(kept, ({ value }) => value),
  };
}
