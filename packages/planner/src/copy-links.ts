import type { PortLinks } from "./hypergraph.ts";
import type { FoundLink } from "./link-finder.ts";
import type { LinksByInput } from "./predict-links.ts";
import { copyShifted, fillRising, type Stretch } from "./stretches.ts";

export interface LinkCopy {
  readonly links: PortLinks;
  /** By node of the world, what `links` were made from. */
  readonly predictedBefore: LinksByInput;
  /** The same, of what is made. */
  readonly predicted: LinksByInput;
  /** The nodes by their places. */
  readonly nodes: readonly Stretch[];
  /** By place, the node of the world. */
  readonly worldNodes: Int32Array;
  /** Number of nodes of the world. */
  readonly worldSize: number;
}

/** Rows of links one behind the other that are as before, or one row that is not. */
type Rows = Stretch & { readonly row?: readonly FoundLink[] };

const GONE = -1;

/** The columns of a graph without given edges: rows that did not change are copied from those of before, many at a time. */
export function copyLinks(copy: LinkCopy): PortLinks {
  const { links: old, nodes, worldNodes } = copy;
  const placesNow = new Int32Array(old.offsets.length - 1).fill(GONE);
  for (const stretch of nodes) if (stretch.old >= 0) fillRising(placesNow, stretch.old, stretch.count, stretch.now);
  const isMoved = nodes.some((stretch) => stretch.old >= 0 && stretch.old !== stretch.now);
  const parts = rowsOf(copy, changedRows(copy, placesNow));
  let room = 0;
  for (const { old: row, count, row: links } of parts) {
    room += links?.length ?? old.offsets[row + count]! - old.offsets[row]!;
  }
  const offsets = new Uint32Array(worldNodes.length + 1);
  const from = new Uint32Array(room);
  const weights = new Float32Array(room);
  let end = 0;
  for (const { old: row, now, count, row: links } of parts) {
    if (links === undefined) {
      const first = old.offsets[row]!;
      const last = old.offsets[row + count]!;
      copyShifted(old.offsets.subarray(row + 1, row + count + 1), end - first, offsets, now + 1);
      if (isMoved) copyPlaces(old.from.subarray(first, last), placesNow, from, end);
      else from.set(old.from.subarray(first, last), end);
      weights.set(old.weights.subarray(first, last), end);
      end += last - first;
    } else {
      for (const link of links) {
        from[end] = link.from;
        weights[end++] = link.weight;
      }
      offsets[now + 1] = end;
    }
  }
  return { offsets, from, weights, kinds: new Uint8Array(room) };
}

/** By place, 1 where the links are not those of before: predicted anew, or some from what is gone. */
function changedRows(
  { links, nodes, worldNodes, predicted, predictedBefore }: LinkCopy,
  placesNow: Int32Array,
): Uint8Array {
  const changed = new Uint8Array(worldNodes.length);
  for (const { old, now, count } of nodes) {
    if (old < 0) changed.fill(1, now, now + count);
    else markOthers(changed, now, worldNodes.subarray(now, now + count), predicted, predictedBefore);
  }
  for (let link = nextGone(links.from, 0, placesNow); link < links.from.length;) {
    const row = rowOf(links.offsets, link);
    const place = placesNow[row]!;
    if (place !== GONE) changed[place] = 1;
    link = nextGone(links.from, links.offsets[row + 1]!, placesNow);
  }
  return changed;
}

function rowsOf({ nodes, worldNodes, worldSize, predicted }: LinkCopy, changed: Uint8Array): readonly Rows[] {
  const placeOf = new Int32Array(worldSize).fill(-1);
  invert(worldNodes, placeOf);
  const parts: Rows[] = [];
  for (const { old, now, count } of nodes) {
    const end = now + count;
    for (let place = now; place < end;) {
      const found = changed.indexOf(1, place);
      const next = found < 0 || found > end ? end : found;
      if (next > place) parts.push({ old: old + place - now, now: place, count: next - place });
      if (next < end) {
        const row: FoundLink[] = [];
        for (const { from, weight } of predicted[worldNodes[next]!] ?? []) {
          if (placeOf[from]! >= 0) row.push({ from: placeOf[from]!, weight });
        }
        parts.push({ old: -1, now: next, count: 1, row });
      }
      place = next + 1;
    }
  }
  return parts;
}

/** The row in which a link stands. */
function rowOf(offsets: Uint32Array, link: number): number {
  let low = 0;
  let high = offsets.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! <= link) low = middle;
    else high = middle;
  }
  return low;
}

// Loops over all nodes or links are functions of their own: they are compiled once, and well, however seldom a graph changes.

function copyPlaces(from: Uint32Array, placesNow: Int32Array, into: Uint32Array, first: number): void {
  for (let link = 0; link < from.length; link++) into[first + link] = placesNow[from[link]!]!;
}

function nextGone(from: Uint32Array, first: number, placesNow: Int32Array): number {
  const end = from.length;
  let link = first;
  while (link < end && placesNow[from[link]!] !== GONE) link++;
  return link;
}

function invert(worldNodes: Int32Array, placeOf: Int32Array): void {
  for (let place = 0; place < worldNodes.length; place++) placeOf[worldNodes[place]!] = place;
}

function markOthers(
  changed: Uint8Array,
  first: number,
  worldNodes: Int32Array,
  predicted: LinksByInput,
  before: LinksByInput,
): void {
  for (let place = 0; place < worldNodes.length; place++) {
    const node = worldNodes[place]!;
    if (predicted[node] !== before[node]) changed[first + place] = 1;
  }
}
