import { checkDimensions, checkVectors } from "./check-arguments.ts";
import type { Kernels } from "./kernels.ts";
import { projectNatively } from "./native/hypergraph-model.ts";
import { givenKernels } from "./open-kernels.ts";
import { checkOptions } from "./read-options.ts";
import { projectInTypescript } from "./typescript/hypergraph-model.ts";
import { allocate } from "./typescript/matrix.ts";

/** How rows are projected. */
export interface ProjectRowsOptions {
  /** Numbers in a row of either matrix. */
  readonly columns: number;
  /** Default: the addon if it loads, else TypeScript; see {@link openKernels}. */
  readonly kernels?: Kernels;
}

/**
 * W x of every row x: many small products without copies of one's own, such as P r of a query or M_m z of a pool.
 *
 * Each number is a sum in float64 in one fixed order, rounded to float32 once: the same bits on every machine.
 *
 * @param weights W, outputs × columns.
 * @param rows N × columns.
 * @returns N × outputs.
 * @throws {KernelError} `invalid-argument` when an argument has the wrong type, a length that is no multiple of the columns, or a
 *   number that is NaN or infinite.
 */
export function projectRows(weights: Float32Array, rows: Float32Array, options: ProjectRowsOptions): Float32Array {
  const { columns, kernels } = checkOptions("options", options);
  checkDimensions(columns);
  const { addon, simd } = givenKernels(kernels);
  const [left, right] = [checkVectors("weights", weights, columns), checkVectors("rows", rows, columns)];
  const target = allocate((left.length / columns) * (right.length / columns));
  if (addon === undefined) projectInTypescript(left, right, columns, target);
  else projectNatively(addon, simd, left, right, columns, target);
  return target;
}
