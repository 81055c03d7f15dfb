import fc from "fast-check";
import { expect, test } from "vitest";
import { KernelError, type Kernels, openKernels, projectRows } from "../src/index.ts";

/** What every implementation of W x must do. */
export function projectRowsContract(kernels: Kernels): void {
  test("gives W x of every row", () => {
    // W = (1 2; 3 4; 5 6), x = (1, 0) and (1, −1).
    const found = projectRows(Float32Array.of(1, 2, 3, 4, 5, 6), Float32Array.of(1, 0, 1, -1), { columns: 2, kernels });
    expect([...found]).toEqual([1, 3, 5, -1, -1, -1]);
  });

  test("gives nothing for no row and for no output", () => {
    expect(projectRows(Float32Array.of(1, 2), new Float32Array(0), { columns: 2, kernels })).toHaveLength(0);
    expect(projectRows(new Float32Array(0), Float32Array.of(1, 2), { columns: 2, kernels })).toHaveLength(0);
  });

  test("gives the bits that TypeScript gives", () => {
    const numbers = (columns: number) =>
      fc
        .array(fc.array(fc.float({ noNaN: true, min: -8, max: 8 }), { minLength: columns, maxLength: columns }), {
          maxLength: 9,
        })
        .map((rows) => Float32Array.from(rows.flat()));
    const cases = fc
      .integer({ min: 1, max: 40 })
      .chain((columns) => fc.tuple(fc.constant(columns), numbers(columns), numbers(columns)));
    fc.assert(
      fc.property(cases, ([columns, weights, rows]) => {
        const others = openKernels("typescript");
        const [here, there] = [kernels, others].map((used) => projectRows(weights, rows, { columns, kernels: used }));
        expect(new Uint32Array(here!.buffer, 0, here!.length)).toEqual(
          new Uint32Array(there!.buffer, 0, there!.length),
        );
      }),
    );
  });

  test("refuses lengths that are no multiple of the columns, other arrays and what is not finite", () => {
    const one = Float32Array.of(1, 2);
    const refused = [
      () => projectRows(Float32Array.of(1), one, { columns: 2, kernels }),
      () => projectRows(one, Float32Array.of(1), { columns: 2, kernels }),
      () => projectRows(one, one, { columns: 0, kernels }),
      () => projectRows(one, Float64Array.of(1, 2) as unknown as Float32Array, { columns: 2, kernels }),
      () => projectRows(Float32Array.of(1, Number.NaN), one, { columns: 2, kernels }),
      () => projectRows(one, Float32Array.of(Number.POSITIVE_INFINITY, 1), { columns: 2, kernels }),
      () => projectRows(one, one, undefined as never),
    ];
    for (const call of refused) expect(call).toThrowError(KernelError);
    expect(refused[4]).toThrowError("weights: the number at position 1 is NaN or infinite");
    expect(refused[5]).toThrowError("rows: the number at position 0 is NaN or infinite");
  });
}
