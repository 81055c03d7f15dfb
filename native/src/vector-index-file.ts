import { KernelError } from "./errors.ts";
import type { Kernels } from "./kernels.ts";
import { createNativeVectorIndex, mapNativeVectorIndex } from "./native/vector-index.ts";
import { fileError } from "./file-error.ts";
import { openSafetensors, type SafetensorsFile, type SafetensorsKind } from "./safetensors.ts";
import type { TensorPlace } from "./safetensors-header.ts";
import { allocate } from "./typescript/matrix.ts";
import { createTypescriptVectorIndex } from "./typescript/vector-index.ts";
import type { Precision, Similarity, VectorIndexKernel, VectorIndexShape } from "./vector-index-kernel.ts";
import { type Tensor, writeSafetensors } from "./write-safetensors.ts";

const kind: SafetensorsKind = { format: "setwise-vector-index", version: 1 };
/** Numbers that are copied out of an index at once. */
const blockLength: number = 1 << 20;
/** What `dimensions` must be a multiple of so that rows in a file stand as they do in native memory. */
const mappedGroup = 16;
/** Where a row in native memory may begin. */
const mappedAlignment = 64;

/** What is saved of an index beside its rows. */
interface SavedVectorIndex {
  readonly dimensions: number;
  readonly rows: number;
  readonly similarity: Similarity;
  readonly precision: Precision;
}

/** Writes an index; `kernel` gives its state and refuses when that has changed. */
export async function saveVectorIndex(
  path: string,
  index: SavedVectorIndex,
  removedCount: number,
  kernel: () => VectorIndexKernel,
): Promise<void> {
  const { dimensions, rows, similarity, precision } = index;
  const removed = new Uint32Array(removedCount);
  kernel().readRemoved(removed);
  const vectors: Tensor = {
    name: "vectors",
    type: "F32",
    shape: [rows, dimensions],
    *blocks() {
      const block = new Float32Array(Math.min(rows, Math.ceil(blockLength / dimensions)) * dimensions);
      for (let first = 0; first < rows; first += block.length / dimensions) {
        const part = block.subarray(0, (rows - first) * dimensions);
        kernel().readRows(first, part);
        yield part;
      }
    },
  };
  const ordinals: Tensor = { name: "removed", type: "U32", shape: [removedCount], blocks: () => [removed] };
  const tensors = removedCount === 0 ? [vectors] : [vectors, ordinals];
  await writeSafetensors(path, { ...kind, metadata: { similarity, precision }, tensors });
}

/** How an index is to be loaded. */
export interface LoadRequest {
  readonly memoryMap: boolean;
  readonly precision: Precision | undefined;
  readonly threads: number;
  readonly kernels: Kernels;
}

export interface LoadedVectorIndex {
  readonly kernel: VectorIndexKernel;
  readonly shape: VectorIndexShape;
  readonly rows: number;
  /** How many of the rows are removed. */
  readonly removed: number;
}

/** Reads what {@link saveVectorIndex} wrote. */
export async function loadVectorIndex(path: string, request: LoadRequest): Promise<LoadedVectorIndex> {
  const file = await openSafetensors(path, kind);
  try {
    return await readVectorIndex(path, file, request);
  } finally {
    await file.close();
  }
}

async function readVectorIndex(path: string, file: SafetensorsFile, request: LoadRequest): Promise<LoadedVectorIndex> {
  const place = file.tensors.get("vectors");
  const [rows = 0, dimensions = 0] = place?.shape ?? [];
  if (place?.type !== "F32" || place.shape.length !== 2 || !isShape(rows, dimensions)) {
    throw fileError("corrupt-file", path, 'has no tensor "vectors" of rows × 1 to 65,536 float32 numbers');
  }
  const similarity = readOneOf(path, file, "similarity", ["inner-product", "cosine"] as const);
  const saved = readOneOf(path, file, "precision", ["float32", "int8"] as const);
  const shape = { dimensions, similarity, precision: request.precision ?? saved, threads: request.threads };
  const removed = new Uint32Array(removedCount(path, file.tensors.get("removed")));
  const targets = new Map<string, ArrayBufferView>(removed.length === 0 ? [] : [["removed", removed]]);
  const { addon, simd } = request.kernels;
  let kernel: VectorIndexKernel;
  const mappable = dimensions % mappedGroup === 0 && place.start % mappedAlignment === 0;
  if (request.memoryMap && mappable && addon !== undefined && rows > 0) {
    await file.read(targets);
    kernel = soundly(path, () => mapNativeVectorIndex(addon, simd, shape, path, place.start, rows));
  } else {
    const vectors = allocate(rows * dimensions);
    await file.read(targets.set("vectors", vectors));
    kernel = soundly(path, () =>
      addon === undefined
        ? createTypescriptVectorIndex(shape, vectors, true)
        : createNativeVectorIndex(addon, simd, shape, vectors, true),
    );
  }
  try {
    return { kernel, shape, rows, removed: soundly(path, () => kernel.remove(removed)) };
  } catch (error) {
    kernel.dispose();
    throw error;
  }
}

function isShape(rows: number, dimensions: number): boolean {
  return rows <= 0xffff_ffff && dimensions >= 1 && dimensions <= 65_536;
}

function removedCount(path: string, place: TensorPlace | undefined): number {
  if (place === undefined) return 0;
  const [count] = place.shape;
  if (place.type === "U32" && place.shape.length === 1 && count !== undefined) return count;
  throw fileError("corrupt-file", path, 'has a tensor "removed" that is no list of ordinals');
}

function readOneOf<Value extends string>(
  path: string,
  file: SafetensorsFile,
  name: string,
  values: readonly Value[],
): Value {
  const found = file.metadata.get(name);
  const value = values.find((known) => known === found);
  if (value !== undefined) return value;
  throw fileError("corrupt-file", path, `has the ${name} ${JSON.stringify(found ?? null)}, not ${values.join(" or ")}`);
}

/** What a kernel refuses in a file is the file's mistake, not the caller's. */
function soundly<Result>(path: string, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    if (!KernelError.isInstance(error) || error.code !== "invalid-argument") throw error;
    throw fileError("corrupt-file", path, "holds numbers that no index has", error);
  }
}
