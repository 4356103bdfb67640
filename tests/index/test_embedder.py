"""Real models, loaded once: vectors and scores as their makers mean them, without the network."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from memory_wiki.errors import ModelBroken
from memory_wiki.index.embedder import Embedder, Reranker
from memory_wiki.index.known import DEFAULT, KNOWN, RERANKER
from memory_wiki.index.models import Found
from shelf import FILES, found, real

TEXTS = ["The recipe needs two cups of flour.", "", "Steps to recover account access after forgetting credentials."]
LOADS = """
import sys
sys.addaudithook(lambda event, args: event in {"socket.connect", "socket.getaddrinfo"} and sys.exit(f"{event} {args}"))
from pathlib import Path
from memory_wiki.index.embedder import Embedder, Reranker
from memory_wiki.index.known import KNOWN
from memory_wiki.index.models import Found
folder, reranker = map(Path, sys.argv[1:])
Embedder.load(Found(KNOWN[folder.name], folder, "model.onnx", "x", "installed")).query("what?")
Reranker.load(Found(KNOWN[reranker.name], reranker, "model.onnx", "x", "installed")).scores("what?", ["this"])
"""


def test_a_question_is_nearer_to_the_passage_that_answers_it(embedder: Embedder) -> None:
    likeness = embedder.passages(TEXTS) @ embedder.query("how do I reset my password?")
    assert likeness.argmax() == 2


def test_vectors_are_rows_of_length_one_in_the_order_of_the_texts(embedder: Embedder) -> None:
    vectors = embedder.passages(TEXTS)
    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(embedder.passages(TEXTS[::-1])[::-1], vectors)
    assert embedder.passages([]).shape == (0, 384)
    assert embedder.query("x").shape == (384,)


def test_a_text_has_the_same_vector_in_any_company_and_on_any_number_of_threads(embedder: Embedder) -> None:
    texts = [f"{text} {number}" for number, text in enumerate(TEXTS * 3)]
    vectors = embedder.passages(texts)
    two = Embedder.load(found(DEFAULT), threads=2)
    for text, vector in zip(texts, vectors, strict=True):
        np.testing.assert_array_equal(two.passages([text])[0], vector)


def test_a_passage_and_a_question_of_the_same_words_differ_by_what_stands_before_them(embedder: Embedder) -> None:
    assert embedder.passages(["postgres"])[0] @ embedder.query("postgres") < 0.999


def test_any_text_of_any_length_has_a_vector(embedder: Embedder) -> None:
    odd = ["word " * 5_000, "\x00\ud83d", "数据库", "\u202e", "é" * 3_000]
    assert np.isfinite(embedder.passages(odd)).all()


def test_the_reranker_prefers_what_answers(reranker: Reranker) -> None:
    scores = reranker.scores(
        "How many people live in Berlin?",
        ["Berlin is well known for its museums.", "Berlin had a population of 3,520,031 registered inhabitants.", ""],
    )
    assert scores[1] > 5
    assert max(scores[0], scores[2]) < 0
    assert reranker.scores("anything", []) == []


def test_the_reranker_reads_512_tokens_and_no_more(reranker: Reranker) -> None:
    long = "museum " * 600
    assert reranker.scores("q", [long]) == reranker.scores("q", [f"{long} {long}"])


def test_to_load_reaches_for_no_network_prints_nothing_and_leaves_nothing_in_the_home(home: Path) -> None:
    before = sorted(home.rglob("*"))
    done = subprocess.run(
        [sys.executable, "-c", LOADS, real(), real(RERANKER)],
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert sorted(home.rglob("*")) == before


@pytest.mark.parametrize("kind", [Embedder, Reranker])
@pytest.mark.parametrize("without", [*FILES, None])
def test_a_model_that_does_not_load_is_said_to_be_broken(
    tmp_path: Path, kind: type[Embedder | Reranker], without: str | None
) -> None:
    for name, data in FILES.items():
        if name != without:
            (tmp_path / name).write_bytes(data)
    broken = Found(KNOWN[DEFAULT], tmp_path, "model.onnx", f"{kind.__name__}{without}", "folder")
    with pytest.raises(ModelBroken, match="can't be used") as raised:
        kind.load(broken)
    assert raised.value.where == tmp_path / "model.onnx"


def test_a_model_of_another_size_than_it_says_is_broken() -> None:
    other = Found(KNOWN[RERANKER], real(RERANKER), "model.onnx", "no embedder", "folder")
    with pytest.raises(ModelBroken):
        Embedder.load(other).query("x")
