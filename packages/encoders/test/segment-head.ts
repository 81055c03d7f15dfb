import { readFileSync } from "node:fs";
import { join } from "node:path";
import { minilmModelFolder } from "@setwise/model-minilm";
import { onnxAddition, type OnnxNode } from "./onnx-file.ts";

/**
 * MiniLM as a sequence classification export. Its logit is the cosine of the mean token vectors of both segments, read
 * as one pair: no trained head can be had, but this one can be worked out from the token vectors, ranks sensibly, and
 * is right only where pairs, types and mask are. With two labels the first logit is the negative of the second.
 */
export function minilmWithSegmentHead(labels: 1 | 2): Buffer {
  const nodes: OnnxNode[] = [
    { op: "Cast", inputs: ["attention_mask"], output: "head_mask", attributes: { to: 1 } },
    { op: "Cast", inputs: ["token_type_ids"], output: "head_types", attributes: { to: 1 } },
    { op: "Mul", inputs: ["head_types", "head_mask"], output: "head_second" },
    { op: "Sub", inputs: ["head_mask", "head_second"], output: "head_first" },
    ...["first", "second"].flatMap((side): OnnxNode[] => [
      { op: "Unsqueeze", inputs: [`head_${side}`, "head_axis_1"], output: `head_${side}_row` },
      { op: "MatMul", inputs: [`head_${side}_row`, "last_hidden_state"], output: `head_${side}_sum` },
      {
        op: "ReduceL2",
        inputs: [`head_${side}_sum`],
        output: `head_${side}_length`,
        attributes: { axes: [2], keepdims: 1 },
      },
      { op: "Div", inputs: [`head_${side}_sum`, `head_${side}_length`], output: `head_${side}_unit` },
    ]),
    { op: "Mul", inputs: ["head_first_unit", "head_second_unit"], output: "head_products" },
    { op: "ReduceSum", inputs: ["head_products", "head_axis_2"], output: "head_cosine", attributes: { keepdims: 0 } },
    { op: "Neg", inputs: ["head_cosine"], output: "head_negative" },
    {
      op: "Concat",
      inputs: labels === 1 ? ["head_cosine"] : ["head_negative", "head_cosine"],
      output: "logits",
      attributes: { axis: 1 },
    },
  ];
  const axis = (value: bigint) => ({ shape: [1], numbers: BigInt64Array.of(value) });
  const head = onnxAddition({
    nodes,
    constants: { head_axis_1: axis(1n), head_axis_2: axis(2n) },
    outputs: { logits: { type: "float", shape: ["batch", labels] } },
  });
  return Buffer.concat([readFileSync(join(minilmModelFolder, "model.int8.onnx")), head]);
}
