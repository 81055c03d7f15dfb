import { SetwiseError } from "@setwise/core";

/** What is used of onnxruntime-node, so that its types are not needed where it is not installed. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(path: string, options: Readonly<Record<string, unknown>>): Promise<OnnxInferenceSession>;
  };
  readonly Tensor: new (type: "int64" | "int32", numbers: unknown, dimensions: readonly number[]) => OnnxTensor;
}

export interface OnnxInferenceSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly OnnxMetadata[];
  readonly outputMetadata: readonly OnnxMetadata[];
  run(feeds: Readonly<Record<string, OnnxTensor>>, outputs: readonly string[]): Promise<Record<string, OnnxTensor>>;
  release(): Promise<void>;
}

export interface OnnxMetadata {
  readonly name: string;
  readonly type?: string;
  readonly shape?: readonly (number | string)[];
}

export interface OnnxTensor {
  readonly data: unknown;
  readonly dims: readonly number[];
}

/** onnxruntime-node, loaded when first needed. Fails with `missing-dependency` where it is absent or does not load. */
export async function loadOnnxRuntime(
  load: () => Promise<unknown> = () => import("onnxruntime-node"),
): Promise<OnnxRuntime> {
  try {
    return (await load()) as OnnxRuntime;
  } catch (cause) {
    const missing = /^(ERR_)?MODULE_NOT_FOUND$/.test(String((cause as { code?: unknown }).code));
    throw new SetwiseError(
      "missing-dependency",
      missing
        ? "An ONNX model needs the package onnxruntime-node, which is not installed: npm install onnxruntime-node (where api.nuget.org cannot be reached, with ONNXRUNTIME_NODE_INSTALL=skip in the environment)"
        : `The package onnxruntime-node is installed but does not load here: ${String(cause)}`,
      { cause },
    );
  }
}
