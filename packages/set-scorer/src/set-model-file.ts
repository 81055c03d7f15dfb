import { SetwiseError, shownName } from "@setwise/core";
import {
  openSafetensors,
  type SafetensorsFile,
  type SafetensorsKind,
  type Tensor,
  writeSafetensors,
} from "@setwise/native";
import { checkSetModel, modelFault } from "./model-fault.ts";
import { type Head, headKeys, isHead } from "./set-model-head.ts";
import type { SetModel } from "./set-model.ts";

const kind: SafetensorsKind = { format: "setwise-set-model", version: 1 };

/**
 * Writes a model as one safetensors file, aside first and then renamed: Z, P, A, M, co-use, known sets and the vectors of logged queries as tensors, everything else as JSON in
 * its metadata.
 *
 * @throws KernelError `unwritable-target`; SetwiseError `invalid-argument` for what {@link readSetModel} would refuse. What was there before is untouched.
 */
export async function writeSetModel(path: string, model: SetModel): Promise<void> {
  checkSetModel(model);
  await writeModelFile(path, model);
}

/** The same without a look at the model. */
export async function writeModelFile(path: string, model: SetModel): Promise<void> {
  const { queryDimensions: from, toolDimensions: to, maxSize, tools } = model;
  const head = Object.fromEntries(headKeys.map((key) => [key, model[key]]));
  const matrices = model.interactions.length === 0 ? 0 : maxSize - 1;
  const tensors: Tensor[] = [
    floats("embeddings", [tools.length, to], model.embeddings),
    floats("projection", [to === 0 ? 0 : from, to], model.projection),
    floats("textProjection", [to === 0 ? 0 : from, to], model.textProjection),
    floats("interactions", [matrices, to, to], model.interactions),
    whole("coUsePairs", [model.coUse.values.length, 2], model.coUse.pairs),
    floats("coUse", [model.coUse.values.length], model.coUse.values),
    whole("knownSetOffsets", [model.knownSets.offsets.length], model.knownSets.offsets),
    whole("knownSetMembers", [model.knownSets.members.length], model.knownSets.members),
    floats("knownSets", [model.knownSets.values.length], model.knownSets.values),
    floats("loggedQueries", [model.loggedQueries.length / from, from], model.loggedQueries),
  ];
  await writeSafetensors(path, { ...kind, metadata: { model: JSON.stringify(head) }, tensors });
}

function floats(name: string, shape: readonly number[], values: Float32Array): Tensor {
  return { name, type: "F32", shape, blocks: () => [values] };
}

function whole(name: string, shape: readonly number[], values: Uint32Array): Tensor {
  return { name, type: "U32", shape, blocks: () => [values] };
}

export interface ReadSetModelOptions {
  /** The name of the encoder whose vectors the model will be given: a model of another one is refused. */
  readonly encoder?: string;
}

/**
 * Reads what {@link writeSetModel} wrote. Everything in it is checked before it is used; the checksum is compared.
 *
 * @throws KernelError `unreadable-source`, `corrupt-file`, `unsupported-version`; SetwiseError `invalid-argument` for a model of another encoder.
 */
export async function readSetModel(path: string, { encoder }: ReadSetModelOptions = {}): Promise<SetModel> {
  const file = await openSafetensors(path, kind);
  try {
    const head = readHead(path, file.metadata.get("model"));
    if (encoder !== undefined && encoder !== head.encoder) {
      throw new SetwiseError(
        "invalid-argument",
        `The set model ${shownName(path)} reads vectors of the encoder ${shownName(head.encoder)}, not of ${shownName(encoder)}. Choose that encoder, or train a model with this one.`,
        { source: path },
      );
    }
    const { queryDimensions: from, toolDimensions: to, maxSize, tools } = head;
    const rows = to === 0 ? 0 : from;
    const matrices = (file.tensors.get("interactions")?.shape[0] ?? 0) === 0 ? 0 : maxSize - 1;
    const pairs = file.tensors.get("coUse")?.shape[0] ?? 0;
    const sets = file.tensors.get("knownSets")?.shape[0] ?? 0;
    const members = file.tensors.get("knownSetMembers")?.shape[0] ?? 0;
    const logged = file.tensors.get("loggedQueries")?.shape[0] ?? 0;
    const arrays = {
      embeddings: new Float32Array(sizeIn(path, file, "embeddings", [tools.length, to])),
      projection: new Float32Array(sizeIn(path, file, "projection", [rows, to])),
      textProjection: new Float32Array(sizeIn(path, file, "textProjection", [rows, to])),
      interactions: new Float32Array(sizeIn(path, file, "interactions", [matrices, to, to])),
      coUsePairs: new Uint32Array(sizeIn(path, file, "coUsePairs", [pairs, 2], "U32")),
      coUse: new Float32Array(sizeIn(path, file, "coUse", [pairs])),
      knownSetOffsets: new Uint32Array(sizeIn(path, file, "knownSetOffsets", [sets + 1], "U32")),
      knownSetMembers: new Uint32Array(sizeIn(path, file, "knownSetMembers", [members], "U32")),
      knownSets: new Float32Array(sizeIn(path, file, "knownSets", [sets])),
      loggedQueries: new Float32Array(sizeIn(path, file, "loggedQueries", [logged, from])),
    };
    await file.read(new Map(Object.entries(arrays)));
    const { coUsePairs, coUse, knownSetOffsets, knownSetMembers, knownSets, ...weights } = arrays;
    const model: SetModel = {
      ...head,
      ...weights,
      coUse: { pairs: coUsePairs, values: coUse },
      knownSets: { offsets: knownSetOffsets, members: knownSetMembers, values: knownSets },
    };
    const fault = modelFault(model);
    if (fault !== undefined) throw damaged(path, `holds ${fault}`);
    return model;
  } finally {
    await file.close();
  }
}

/** How many numbers a tensor has, after its shape and type were compared. */
function sizeIn(
  path: string,
  file: SafetensorsFile,
  name: string,
  shape: readonly number[],
  type: "F32" | "U32" = "F32",
): number {
  const place = file.tensors.get(name);
  if (place?.type !== type || place.shape.join() !== shape.join()) {
    throw damaged(path, `has no tensor "${name}" of ${shape.join(" × ")} numbers`);
  }
  return shape.reduce((product, length) => product * length, 1);
}

function readHead(path: string, text: string | undefined): Head {
  let head: Partial<Head> | null;
  try {
    head = JSON.parse(text ?? "null") as Partial<Head> | null;
  } catch (cause) {
    throw damaged(path, "has a description that is no JSON", cause);
  }
  if (!isHead(head)) throw damaged(path, "has no description of a set model");
  return head;
}

function damaged(path: string, what: string, cause?: unknown): SetwiseError {
  return new SetwiseError(
    "corrupt-file",
    `The file ${shownName(path)} ${what}; train the model again, or take a copy of it.`,
    {
      source: path,
      ...(cause === undefined ? {} : { cause }),
    },
  );
}
