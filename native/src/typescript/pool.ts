import { KernelError } from "../errors.ts";

/** Makes the list of rows that a search may answer, in memory that it keeps. */
export interface Pools {
  /** Distinct ordinals, ascending; valid until the next call. `removed` has 1 for every row that is not there. */
  list(
    rows: number,
    allow: Uint32Array | undefined,
    exclude: Uint32Array | undefined,
    removed: Uint8Array,
  ): Uint32Array;
}

export function createPools(): Pools {
  let marks = new Uint8Array(0);
  let ordinals = new Uint32Array(0);
  return {
    list: (rows, allow, exclude, removed) => {
      if (marks.length < rows) [marks, ordinals] = [new Uint8Array(rows), new Uint32Array(rows)];
      if (allow === undefined) {
        marks.fill(1, 0, rows);
      } else {
        marks.fill(0, 0, rows);
        for (const ordinal of allow) marks[ordinal] = 1;
      }
      if (exclude !== undefined) for (const ordinal of exclude) marks[ordinal] = 0;
      let count = 0;
      for (let row = 0; row < rows; row += 1) {
        ordinals[count] = row;
        count += marks[row]! & ~removed[row]!;
      }
      return ordinals.subarray(0, count);
    },
  };
}

/** Refuses ordinals that name no row. */
export function checkOrdinalsNameRows(name: string, ordinals: Uint32Array | undefined, rows: number): void {
  const unknown = ordinals?.find((ordinal) => ordinal >= rows);
  if (unknown === undefined) return;
  throw new KernelError("invalid-argument", `${name}: ordinal ${unknown} names no row; there are ${rows} rows.`);
}
