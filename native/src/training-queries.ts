import {
  checkFinite,
  checkLength,
  checkTyped,
  checkVectors,
  notFinite,
  outOfRange,
  wrongType,
} from "./check-arguments.ts";
import { KernelError } from "./errors.ts";
import type { Channel, Rows } from "./hypergraph-trainer-kernel.ts";
import { checkOptions } from "./read-options.ts";

/** For each query a list of tools, in any order: query i has `tools[offsets[i]]` to `tools[offsets[i + 1] − 1]`. */
export interface ToolLists {
  /** Queries + 1 of them, ascending from 0. */
  readonly offsets: Uint32Array;
  readonly tools: Uint32Array;
}

/** A feature of (query, tool), such as the share of words that they have in common; 0 where a tool is not listed. */
export interface ToolFeature extends ToolLists {
  /** One value an entry. */
  readonly values: Float32Array;
  /**
   * w to begin with, of l = r · P z + Σ w · value. Default: 0.15 · `scale`, for values from 0 to 1. Training moves it little; where most tools asked
   * for later have no queries now, begin with up to `scale`.
   */
  readonly weight?: number;
}

/** Queries with the sets of tools that answered them. */
export interface TrainingQueries {
  /** n × d_r, row by row. */
  readonly vectors: Float32Array;
  /** The set of each query. One without tools takes no part, one of more than `maxSize` only in the match; a tool named twice counts once. */
  readonly gold: ToolLists;
  /** By name. */
  readonly features?: Readonly<Record<string, ToolFeature>>;
  /** How much each query counts, 0 or more. Default: 1. */
  readonly weights?: Float64Array;
}

/** Queries that were checked. */
export interface CheckedQueries {
  readonly vectors: Float32Array;
  readonly queries: number;
  readonly gold: Rows;
  readonly names: readonly string[];
  readonly channels: readonly Channel[];
  /** The weight of each channel, where one was given. */
  readonly channelWeights: readonly (number | undefined)[];
  readonly weights: Float64Array;
}

/** Checks queries and puts their lists in order. */
export function checkQueries(
  options: TrainingQueries,
  { queryDimensions, tools }: { readonly queryDimensions: number; readonly tools: number },
): CheckedQueries {
  const { vectors, gold, features = {}, weights } = checkOptions("queries", options);
  const checked = checkVectors("queries.vectors", vectors, queryDimensions);
  checkFinite("queries.vectors", checked);
  const queries = checked.length / queryDimensions;
  const named = Object.entries(checkOptions("queries.features", features));
  const channels = named.map(([name, feature]) => checkFeature(`queries.features.${name}`, feature, queries, tools));
  return {
    vectors: checked,
    queries,
    gold: checkLists("queries.gold", gold, queries, tools),
    names: named.map(([name]) => name),
    channels,
    channelWeights: named.map(([name, { weight }]) => checkWeight(`queries.features.${name}.weight`, weight)),
    weights: checkQueryWeights(weights, queries),
  };
}

function checkWeight(name: string, weight: number | undefined): number | undefined {
  if (weight === undefined || Number.isFinite(weight)) return weight;
  throw outOfRange(name, "a finite number", weight);
}

function checkQueryWeights(weights: Float64Array | undefined, queries: number): Float64Array {
  if (weights === undefined) return new Float64Array(0);
  const checked = checkTyped("queries.weights", weights, "Float64Array");
  checkLength("queries.weights", checked, queries, "one a query");
  for (const weight of checked) {
    if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY)) {
      throw outOfRange("queries.weights", "finite numbers of 0 or more", weight);
    }
  }
  return checked;
}

/** Checks lists; the answer ascends in each, without doubles. */
export function checkLists(name: string, lists: ToolLists, queries: number, tools: number): Rows {
  const { offsets, tools: entries } = checkOffsets(name, lists, queries);
  for (const tool of entries) {
    if (tool >= tools) throw outOfRange(name, `tools below ${tools}`, tool);
  }
  if (ascend(offsets, entries)) return { offsets, tools: entries };
  const sorted = entries.slice();
  const ends = new Uint32Array(queries + 1);
  let at = 0;
  for (let query = 0; query < queries; query += 1) {
    const row = entries.slice(offsets[query], offsets[query + 1]).sort();
    for (const [place, tool] of row.entries()) {
      if (place > 0 && row[place - 1] === tool) continue;
      sorted[at] = tool;
      at += 1;
    }
    ends[query + 1] = at;
  }
  return { offsets: ends, tools: sorted.slice(0, at) };
}

function checkFeature(name: string, feature: ToolFeature, queries: number, tools: number): Channel {
  const { offsets, tools: entries } = checkOffsets(name, feature, queries);
  const values = checkTyped(`${name}.values`, feature.values, "Float32Array");
  checkLength(`${name}.values`, values, entries.length, "one an entry");
  for (const [position, tool] of entries.entries()) {
    if (tool >= tools) throw outOfRange(name, `tools below ${tools}`, tool);
    if (!Number.isFinite(values[position])) throw notFinite(`${name}.values`, position);
  }
  if (ascend(offsets, entries)) return { offsets, tools: entries, values };
  const [sorted, moved] = [entries.slice(), values.slice()];
  for (let query = 0; query < queries; query += 1) {
    const [from, to] = [offsets[query]!, offsets[query + 1]!];
    const places = Array.from({ length: to - from }, (_, place) => from + place);
    places.sort((a, b) => entries[a]! - entries[b]!);
    for (const [place, source] of places.entries()) {
      sorted[from + place] = entries[source]!;
      moved[from + place] = values[source]!;
      if (place > 0 && sorted[from + place] === sorted[from + place - 1]) {
        throw new KernelError(
          "invalid-argument",
          `${name}: query ${query} has two values for tool ${entries[source]}.`,
        );
      }
    }
  }
  return { offsets, tools: sorted, values: moved };
}

function checkOffsets(name: string, lists: ToolLists, queries: number): Rows {
  if (typeof lists !== "object" || lists === null) throw wrongType(name, "an object with offsets and tools", lists);
  const offsets = checkTyped(`${name}.offsets`, lists.offsets, "Uint32Array");
  const tools = checkTyped(`${name}.tools`, lists.tools, "Uint32Array");
  checkLength(`${name}.offsets`, offsets, queries + 1, "one a query, and the end");
  let before = 0;
  for (const [place, offset] of offsets.entries()) {
    if (offset < before || (place === 0 && offset !== 0)) {
      throw outOfRange(`${name}.offsets`, "offsets that ascend from 0", offset);
    }
    before = offset;
  }
  checkLength(`${name}.tools`, tools, before, "where the last list ends");
  return { offsets, tools };
}

function ascend(offsets: Uint32Array, tools: Uint32Array): boolean {
  for (let query = 0; query + 1 < offsets.length; query += 1) {
    for (let at = offsets[query]! + 1; at < offsets[query + 1]!; at += 1) {
      if (tools[at]! <= tools[at - 1]!) return false;
    }
  }
  return true;
}
