import { KernelError } from "../../errors.ts";

/** The same numbers with room for at least `length`, twice what there was or more. */
export function grownInt32(values: Int32Array, length: number): Int32Array {
  const grown = allocating(length, () => new Int32Array(Math.max(length, 2 * values.length)));
  grown.set(values);
  return grown;
}

/** As {@link grownInt32}. */
export function grownFloat64(values: Float64Array, length: number): Float64Array {
  const grown = allocating(length, () => new Float64Array(Math.max(length, 2 * values.length)));
  grown.set(values);
  return grown;
}

function allocating<Values>(length: number, allocate: () => Values): Values {
  try {
    return allocate();
  } catch (cause) {
    throw new KernelError("too-large", `There is no memory for ${length} numbers.`, { cause });
  }
}
