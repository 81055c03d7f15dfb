import { KernelError } from "./errors.ts";
import type { Alignment } from "./hyperedge-kernel.ts";
import type { HypergraphModel, HypergraphModelOptions } from "./hypergraph-model.ts";
import type { HypergraphModelKernel, HypergraphModelShape } from "./hypergraph-model-kernel.ts";
import { fileError } from "./file-error.ts";
import { openSafetensors, type SafetensorsFile, type SafetensorsKind } from "./safetensors.ts";
import { allocate } from "./typescript/matrix.ts";
import type { Precision } from "./vector-index-kernel.ts";
import { type Tensor, writeSafetensors } from "./write-safetensors.ts";

const kind: SafetensorsKind = { format: "setwise-hypergraph-model", version: 1 };
/** Numbers that are copied out of a model at once. */
const blockLength: number = 1 << 20;

/** What is saved; `kernel` gives the rows and refuses when the model was disposed. */
interface SavedModel {
  readonly shape: HypergraphModelShape;
  readonly tools: number;
  readonly kernel: () => HypergraphModelKernel;
}

/** What a file says of a model. */
type SavedOptions = HypergraphModelOptions & { readonly precision: Precision };

/** Writes a model. */
export async function saveHypergraphModel(path: string, { shape, tools, kernel }: SavedModel): Promise<void> {
  const { queryDimensions, toolDimensions, maxSize, alignment, sizeOffsets, emptyScore, precision } = shape;
  const rowsOf = (part: number, dimensions: number) =>
    function* blocks(): Iterable<Float32Array> {
      const block = new Float32Array(Math.min(tools, Math.ceil(blockLength / dimensions)) * dimensions);
      for (let first = 0; first < tools; first += block.length / dimensions) {
        const rows = block.subarray(0, (tools - first) * dimensions);
        kernel().readRows(part, first, rows);
        yield rows;
      }
    };
  const tensors: Tensor[] = [
    { name: "matchRows", type: "F32", shape: [tools, queryDimensions], blocks: rowsOf(0, queryDimensions) },
    { name: "embeddings", type: "F32", shape: [tools, toolDimensions], blocks: rowsOf(1, toolDimensions) },
    {
      name: "pairRows",
      type: "F32",
      shape: [maxSize - 1, tools, toolDimensions],
      *blocks() {
        for (let size = 2; size <= maxSize; size += 1) yield* rowsOf(size, toolDimensions)();
      },
    },
  ];
  // Numbers as JSON has them: infinite offsets and the missing score become null.
  const numbers = JSON.stringify({ sizeOffsets: [...sizeOffsets], emptyScore });
  await writeSafetensors(path, { ...kind, metadata: { alignment, precision, numbers }, tensors });
}

/** Reads what {@link saveHypergraphModel} wrote and hands it to `create`. */
export async function loadHypergraphModel(
  path: string,
  create: (options: SavedOptions) => HypergraphModel,
): Promise<HypergraphModel> {
  const file = await openSafetensors(path, kind);
  try {
    const options = await readModel(path, file);
    return create(options);
  } catch (error) {
    if (!KernelError.isInstance(error) || error.code !== "invalid-argument") throw error;
    throw fileError("corrupt-file", path, "holds numbers that no model has", error);
  } finally {
    await file.close();
  }
}

async function readModel(path: string, file: SafetensorsFile): Promise<SavedOptions> {
  const [tools = 0, queryDimensions = 0] = shapeOf(path, file, "matchRows", 2);
  const [otherTools, toolDimensions = 0] = shapeOf(path, file, "embeddings", 2);
  const [sizes = 0, pairTools, pairDimensions] = shapeOf(path, file, "pairRows", 3);
  if (otherTools !== tools || pairTools !== tools || pairDimensions !== toolDimensions) {
    throw fileError("corrupt-file", path, "has tensors of different numbers of tools or dimensions");
  }
  const matchRows = allocate(tools * queryDimensions);
  const embeddings = allocate(tools * toolDimensions);
  const pairRows = allocate(sizes * tools * toolDimensions);
  await file.read(new Map(Object.entries({ matchRows, embeddings, pairRows })));
  const alignment = file.metadata.get("alignment") as Alignment;
  const precision = file.metadata.get("precision") as Precision;
  return {
    queryDimensions,
    toolDimensions,
    maxSize: sizes + 1,
    matchRows,
    embeddings,
    pairRows,
    alignment,
    precision,
    ...readNumbers(path, file.metadata.get("numbers")),
  };
}

function shapeOf(path: string, file: SafetensorsFile, name: string, rank: number): readonly number[] {
  const place = file.tensors.get(name);
  if (place?.type === "F32" && place.shape.length === rank) return place.shape;
  throw fileError("corrupt-file", path, `has no tensor "${name}" of float32 numbers in ${rank} dimensions`);
}

function readNumbers(
  path: string,
  text: string | undefined,
): Pick<HypergraphModelOptions, "sizeOffsets" | "emptyScore"> {
  let numbers: { readonly sizeOffsets?: unknown; readonly emptyScore?: unknown } | undefined;
  try {
    numbers = JSON.parse(text ?? "") as typeof numbers;
  } catch {
    numbers = undefined;
  }
  const { sizeOffsets, emptyScore = null } = numbers ?? {};
  const isNumber = (value: unknown): boolean => value === null || typeof value === "number";
  if (!Array.isArray(sizeOffsets) || !sizeOffsets.every(isNumber) || !isNumber(emptyScore)) {
    throw fileError("corrupt-file", path, "has no size offsets and score of the empty set");
  }
  const offsets = Float64Array.from(sizeOffsets as (number | null)[], (value) => value ?? Number.NEGATIVE_INFINITY);
  return {
    ...(offsets.length === 0 ? {} : { sizeOffsets: offsets }),
    ...(emptyScore === null ? {} : { emptyScore: emptyScore as number }),
  };
}
