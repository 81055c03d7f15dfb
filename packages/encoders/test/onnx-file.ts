/**
 * Just enough of ONNX's protocol buffers to write small models in tests, and to add a head to a model file: two
 * messages written one after the other are read as one, their graphs joined (protobuf.dev, "Last One Wins", embedded messages merge).
 */
export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

export interface OnnxGraph {
  readonly nodes: readonly OnnxNode[];
  readonly constants?: Readonly<Record<string, OnnxConstant>>;
  readonly inputs?: Readonly<Record<string, OnnxShape>>;
  readonly outputs: Readonly<Record<string, OnnxShape>>;
}

export interface OnnxConstant {
  readonly shape: readonly number[];
  readonly numbers: Float32Array | BigInt64Array;
}

export interface OnnxShape {
  readonly type: "float" | "int64" | "int32";
  readonly shape: readonly (number | string)[];
}

const types = { float: 1, int32: 6, int64: 7 } as const;

/** A whole model. */
export function onnxModel(graph: OnnxGraph): Buffer {
  const opset = message(8, Buffer.concat([text(1, ""), integer(2, 17)]));
  return Buffer.concat([integer(1, 8), opset, onnxAddition(graph)]);
}

/** Bytes that add `graph` to the model they are appended to. */
export function onnxAddition({ nodes, constants = {}, inputs = {}, outputs }: OnnxGraph): Buffer {
  return message(
    7,
    Buffer.concat([
      ...nodes.map((node) => message(1, nodeBytes(node))),
      text(2, "graph"),
      ...Object.entries(constants).map(([name, constant]) => message(5, constantBytes(name, constant))),
      ...Object.entries(inputs).map(([name, shape]) => message(11, shapeBytes(name, shape))),
      ...Object.entries(outputs).map(([name, shape]) => message(12, shapeBytes(name, shape))),
    ]),
  );
}

function nodeBytes({ op, inputs, output, attributes = {} }: OnnxNode): Buffer {
  return Buffer.concat([
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(3, `make_${output}`),
    text(4, op),
    ...Object.entries(attributes).map(([name, value]) => message(5, attributeBytes(name, value))),
  ]);
}

function attributeBytes(name: string, value: number | readonly number[]): Buffer {
  const one = typeof value === "number";
  const values = one ? [integer(3, value)] : value.map((item) => integer(8, item));
  return Buffer.concat([text(1, name), ...values, integer(20, one ? 2 : 7)]);
}

function constantBytes(name: string, { shape, numbers }: OnnxConstant): Buffer {
  const type = numbers instanceof Float32Array ? types.float : types.int64;
  const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  return Buffer.concat([...shape.map((size) => integer(1, size)), integer(2, type), text(8, name), message(9, bytes)]);
}

function shapeBytes(name: string, { type, shape }: OnnxShape): Buffer {
  const sizes = shape.map((size) => message(1, typeof size === "number" ? integer(1, size) : text(2, size)));
  const tensor = Buffer.concat([integer(1, types[type]), message(2, Buffer.concat(sizes))]);
  return Buffer.concat([text(1, name), message(2, message(1, tensor))]);
}

function integer(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(BigInt.asUintN(64, BigInt(value)))]);
}

function text(field: number, value: string): Buffer {
  return message(field, Buffer.from(value));
}

function message(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes]);
}

function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}
