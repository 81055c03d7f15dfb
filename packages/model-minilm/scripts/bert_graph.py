"""A BERT sentence encoder as an ONNX graph, from its weights: no torch, no tracing, nothing in it that is not here."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 17
IR_VERSION = 8
# Added to the attention of padding. Not -inf: a row of nothing but padding must not become NaN.
MASKED = -10_000
SMALLEST_COUNT = 1e-9
SMALLEST_LENGTH = 1e-12


class Graph:
    """Nodes and constants in the order they are made; names are numbered, so that the same calls give the same bytes."""

    def __init__(self):
        self.nodes = []
        self.constants = []

    def constant(self, name, value, dtype=np.float32):
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(np.array(value, dtype)), name))
        return name

    def node(self, kind, inputs, outputs=1, name=None, **attributes):
        number = len(self.nodes) + 1
        names = [name] if name else [f"{kind}_{number}_{output}" for output in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, name=f"{kind}_{number}", **attributes))
        return names[0] if outputs == 1 else names


def sentence_encoder(weights, config):
    """input_ids, attention_mask, token_type_ids (batch x sequence) -> last_hidden_state, sentence_embedding (mean, length 1)."""
    graph = Graph()
    shared, hidden, mask = embeddings(graph, weights, config)
    for layer in range(config["num_hidden_layers"]):
        hidden = transformer_layer(graph, weights, config, layer, hidden, shared)
    graph.node("Identity", [hidden], name="last_hidden_state")
    mean_pooling(graph, hidden, mask)
    return model_of(graph, config["hidden_size"])


def embeddings(graph, weights, config):
    """The sum of the three embeddings, normalised; the constants that all layers share; the mask as numbers."""
    table = {}
    for kind, given in (("word", "input_ids"), ("token_type", "token_type_ids")):
        name = graph.constant(f"{kind}_embeddings", weights[f"embeddings.{kind}_embeddings.weight"])
        table[kind] = graph.node("Gather", [name, given])
    # A slice of a constant, not Range: onnxruntime's GatherToSliceFusion turns Range and Gather into a broken Slice.
    graph.constant("one_i", 1, np.int64)
    graph.constant("zero_i", 0, np.int64)
    zero, one, two = (graph.constant(f"{word}_1", [value], np.int64) for value, word in enumerate(("zero", "one", "two")))
    length = graph.node("Slice", [graph.node("Shape", ["input_ids"]), one, two, zero])
    rows = weights["embeddings.position_embeddings.weight"]
    positions = graph.node(
        "Slice", [graph.constant("position_ids", np.arange(len(rows)), np.int64), zero, length, zero]
    )
    placed = graph.node("Gather", [graph.constant("position_embeddings", rows), positions])
    summed = graph.node("Add", [graph.node("Add", [table["word"], table["token_type"]]), placed])
    hidden = layer_norm(graph, weights, config, summed, "embeddings.LayerNorm")

    mask = graph.node("Cast", ["attention_mask"], to=TensorProto.FLOAT)
    wide = graph.node("Unsqueeze", [mask, graph.constant("ax12", [1, 2], np.int64)])
    absent = graph.node("Sub", [graph.constant("one_f", 1), wide])
    size, heads = config["hidden_size"], config["num_attention_heads"]
    shared = {
        "one": "one_f",
        "mask": graph.node("Mul", [absent, graph.constant("neg", MASKED)]),
        "by_head": graph.constant("shp_heads", [0, 0, heads, size // heads], np.int64),
        "flat": graph.constant("shp_flat", [0, 0, size], np.int64),
        "scale": graph.constant("scale", 1 / np.sqrt(size // heads)),
        "half": graph.constant("half", 0.5),
        "root_of_two": graph.constant("rsqrt2", np.sqrt(2)),
        "thirds": graph.constant("split3", [size] * 3, np.int64),
    }
    return shared, hidden, mask


def transformer_layer(graph, weights, config, layer, hidden, shared):
    prefix = f"encoder.layer.{layer}."
    attended = attention(graph, weights, f"{prefix}attention.", f"l{layer}", hidden, shared)
    hidden = layer_norm(
        graph, weights, config, graph.node("Add", [attended, hidden]), f"{prefix}attention.output.LayerNorm"
    )
    wide = linear(graph, hidden, *pair(weights, f"{prefix}intermediate.dense"), f"l{layer}.f1")
    narrow = linear(graph, gelu(graph, wide, shared), *pair(weights, f"{prefix}output.dense"), f"l{layer}.f2")
    return layer_norm(graph, weights, config, graph.node("Add", [narrow, hidden]), f"{prefix}output.LayerNorm")


def attention(graph, weights, prefix, short, hidden, shared):
    """softmax(q k' / sqrt(d) + mask) v for every head. Queries, keys and values are one product, which is one quantised matrix."""
    pairs = [pair(weights, f"{prefix}self.{kind}") for kind in ("query", "key", "value")]
    weight, bias = (np.concatenate(parts) for parts in zip(*pairs))
    parts = graph.node(
        "Split", [linear(graph, hidden, weight, bias, f"{short}.qkv"), shared["thirds"]], outputs=3, axis=-1
    )
    turned = [[0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]]
    query, key, value = (
        graph.node("Transpose", [graph.node("Reshape", [part, shared["by_head"]])], perm=turn)
        for part, turn in zip(parts, turned)
    )
    logits = graph.node("Mul", [graph.node("MatMul", [query, key]), shared["scale"]])
    shares = graph.node("Softmax", [graph.node("Add", [logits, shared["mask"]])], axis=-1)
    mixed = graph.node("Transpose", [graph.node("MatMul", [shares, value])], perm=[0, 2, 1, 3])
    flat = graph.node("Reshape", [mixed, shared["flat"]])
    return linear(graph, flat, *pair(weights, f"{prefix}output.dense"), f"{short}.o")


def mean_pooling(graph, hidden, mask):
    """The mean over the tokens that are no padding, divided by its length."""
    column = graph.node("Unsqueeze", [mask, graph.constant("ax2", [2], np.int64)])
    total = graph.node(
        "ReduceSum", [graph.node("Mul", [hidden, column]), graph.constant("ax1", [1], np.int64)], keepdims=0
    )
    tokens = graph.node("ReduceSum", [column, "ax1"], keepdims=0)
    mean = graph.node("Div", [total, graph.node("Max", [tokens, graph.constant("tiny", SMALLEST_COUNT)])])
    length = graph.node("ReduceL2", [mean], axes=[1], keepdims=1)
    graph.node(
        "Div", [mean, graph.node("Max", [length, graph.constant("tiny12", SMALLEST_LENGTH)])], name="sentence_embedding"
    )


def pair(weights, name):
    return weights[f"{name}.weight"], weights[f"{name}.bias"]


def linear(graph, given, weight, bias, name):
    product = graph.node("MatMul", [given, graph.constant(f"{name}.weight", weight.T)])
    return graph.node("Add", [product, graph.constant(f"{name}.bias", bias)])


def layer_norm(graph, weights, config, given, name):
    scale, shift = (graph.constant(f"{name}.{part}", weights[f"{name}.{part}"]) for part in ("weight", "bias"))
    return graph.node("LayerNormalization", [given, scale, shift], axis=-1, epsilon=float(config["layer_norm_eps"]))


def gelu(graph, given, shared):
    """x (erf(x / sqrt(2)) + 1) / 2"""
    erf = graph.node("Erf", [graph.node("Div", [given, shared["root_of_two"]])])
    doubled = graph.node("Mul", [given, graph.node("Add", [erf, shared["one"]])])
    return graph.node("Mul", [doubled, shared["half"]])


def model_of(graph, hidden_size):
    shapes = {"last_hidden_state": ["batch", "sequence", hidden_size], "sentence_embedding": ["batch", hidden_size]}
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    made = helper.make_model(
        helper.make_graph(graph.nodes, "bert", inputs, outputs, graph.constants),
        opset_imports=[helper.make_opsetid("", OPSET)],
        # The name under which the shipped file was first made; another one would change its bytes.
        producer_name="build_bert_onnx",
    )
    made.ir_version = IR_VERSION
    onnx.checker.check_model(made)
    return made
