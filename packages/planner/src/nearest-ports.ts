import { VectorIndex } from "@setwise/native";
import type { PortMeaning } from "./port-meaning.ts";
import type { PortWorld } from "./port-world.ts";

/** Texts that one text is compared with by meaning. */
const MOST_TEXTS = 32;
/** Nodes of one text that are looked at: `id` without a description may be the text of thousands. */
const MOST_OF_TEXT = 8;
/** Nodes that one text is compared with in all. */
const MOST_NODES = 48;

/** Nodes of one side by the meaning of their texts. Grows with the world. */
export interface NearestPorts {
  readonly world: PortWorld;
  readonly meaning: PortMeaning;
  readonly side: "in" | "out";
  readonly index: VectorIndex;
  /** By row of the index, the nodes of that text. */
  readonly nodesOfText: number[][];
  /** By row of the meaning, the row of the index. */
  readonly textOfRow: Map<number, number>;
  /** The first node that is not in it yet. */
  end: number;
}

export function nearestPorts(world: PortWorld, meaning: PortMeaning, side: "in" | "out"): NearestPorts {
  const { dimensions } = meaning;
  const index = new VectorIndex({ dimensions, vectors: new Float32Array(0), precision: "int8", threads: 2 });
  const ports = { world, meaning, side, index, nodesOfText: [], textOfRow: new Map(), end: 0 };
  addNewPorts(ports);
  return ports;
}

/** Adds the nodes that the world has got since. */
export function addNewPorts(ports: NearestPorts): void {
  const { world, meaning, side, index, nodesOfText, textOfRow } = ports;
  const added: number[] = [];
  for (let node = ports.end; node < world.nodes.length; node++) {
    if (world.nodes[node]?.kind !== side) continue;
    const row = meaning.rows[node] ?? 0;
    const text = textOfRow.get(row);
    if (text === undefined) {
      textOfRow.set(row, nodesOfText.push([node]) - 1);
      added.push(row);
    } else nodesOfText[text]?.push(node);
  }
  ports.end = world.nodes.length;
  if (added.length > 0) index.add(gather(meaning, added));
}

/** For each row of the meaning that is asked about, the nodes of this side whose texts mean the most alike. */
export function portsNearRows(ports: NearestPorts, rows: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const { ids, count } = ports.index.search(gather(ports.meaning, rows), MOST_TEXTS);
  return new Map(
    rows.map((row, place) => [
      row,
      Array.from(ids.subarray(place * count, (place + 1) * count))
        .flatMap((text) => ports.nodesOfText[text]?.slice(-MOST_OF_TEXT) ?? [])
        .slice(0, MOST_NODES),
    ]),
  );
}

function gather({ vectors, dimensions }: PortMeaning, rows: readonly number[]): Float32Array {
  const gathered = new Float32Array(rows.length * dimensions);
  for (const [place, row] of rows.entries()) gathered.set(vectors[row] ?? [], place * dimensions);
  return gathered;
}
