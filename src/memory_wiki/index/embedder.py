"""Texts into vectors, and pairs of texts into scores: the one importer of fastembed.

A model is loaded from files that were found, and nothing here reaches for the network. What these libraries would print
is not printed.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from memory_wiki.errors import ModelBroken
from memory_wiki.index import hub
from memory_wiki.index.known import Model
from memory_wiki.index.models import Found

if TYPE_CHECKING:
    import numpy as np
    from fastembed import TextEmbedding
    from fastembed.rerank.cross_encoder import TextCrossEncoder
    from numpy.typing import NDArray

T = TypeVar("T")
ONE = 1
"""Texts in a batch. An int8 model rounds by what else is in it: alone, a text gets the same vector always, bit for bit,
on any number of threads. Nor is it slower: 20 ms for 100 words on one thread; in batches of 4 and 8, 22 and 25.
"""
SILENT = "ORT_DISABLE_TELEMETRY"
ERRORS_ONLY = 3  # of onnxruntime's levels of severity


class Embedder:
    """An embedding model that is loaded; its vectors have length 1."""

    def __init__(self, found: Found, loaded: "TextEmbedding", threads: int) -> None:
        self.model: Model = found.model
        self.sha256: str = found.sha256
        self._threads = threads
        self._loaded = loaded
        self._path = found.folder / found.file

    @classmethod
    def load(cls, found: Found, threads: int = 1) -> "Embedder":
        """Takes 0.2 seconds, and 0.3 to 0.6 more the first time; raises `ModelBroken`."""
        with _told(found.folder / found.file):
            return cls(found, _text_embedding(found), threads)

    def passages(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """One row for each text, in their order; raises `ModelBroken`."""
        return self._vectors([self.model.passage_prefix + _encodable(text) for text in texts])

    def query(self, text: str) -> "NDArray[np.float32]":
        """The vector of a question; raises `ModelBroken`."""
        row: NDArray[np.float32] = self._vectors([self.model.query_prefix + _encodable(text)])[0]
        return row

    def _vectors(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        import numpy as np

        vectors = np.zeros((len(texts), self.model.dim), np.float32)
        with _told(self._path):
            for row, vector in zip(vectors, _each(self._vector, texts, self._threads), strict=True):
                row[:] = vector
        return vectors

    def _vector(self, text: str) -> "NDArray[np.float32]":
        import numpy as np

        return np.asarray(next(iter(self._loaded.embed([text], batch_size=ONE))), np.float32)


class Reranker:
    """A model that reads question and text together."""

    def __init__(self, found: Found, loaded: "TextCrossEncoder", threads: int) -> None:
        self.model = found.model
        self._threads = threads
        self._loaded = loaded
        self._path = found.folder / found.file

    @classmethod
    def load(cls, found: Found, threads: int = 1) -> "Reranker":
        """Raises `ModelBroken`."""
        with _told(found.folder / found.file):
            return cls(found, _cross_encoder(found), threads)

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers, in their order: some -11 to 11. What goes beyond 512 tokens is not read."""
        asked = _encodable(question)
        with _told(self._path):
            return list(_each(lambda text: self._score(asked, text), map(_encodable, texts), self._threads))

    def _score(self, question: str, text: str) -> float:
        return float(next(iter(self._loaded.rerank(question, [text], batch_size=ONE))))


def _each(work: Callable[[str], T], texts: Iterable[str], threads: int) -> Iterator[T]:
    """What `work` makes of each text, in order, several at once: threads of ours, which wait without using a processor;
    those of onnxruntime share one text, and took twice as long as one alone on a machine that does something else.
    """
    if threads == ONE:
        yield from map(work, texts)
        return
    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(work, texts)


def _encodable(text: str) -> str:
    """Without the lone surrogates that stand for bytes of a page that are no UTF-8: tokenizers take none."""
    return text.encode("utf-8", "replace").decode()


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Whatever these libraries raise, and each raises its own, as `ModelBroken`."""
    try:
        yield
    except Exception as error:  # noqa: BLE001
        raise ModelBroken(path, f"{error}") from None


def _text_embedding(found: Found) -> "TextEmbedding":
    _hush()
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    name = f"memory-wiki/{found.sha256}-{found.model.pooling}"
    if name not in (known["model"] for known in TextEmbedding.list_supported_models()):
        TextEmbedding.add_custom_model(
            model=name,
            pooling=PoolingType.CLS if found.model.pooling == "cls" else PoolingType.MEAN,
            normalization=True,
            sources=ModelSource(hf=name),
            dim=found.model.dim,
            model_file=found.file,
        )
    here = str(found.folder)  # as the cache too: it is made where it is not there, and this one is
    return TextEmbedding(name, specific_model_path=here, cache_dir=here, threads=ONE, local_files_only=True)


def _cross_encoder(found: Found) -> "TextCrossEncoder":
    _hush()
    from fastembed.common.model_description import ModelSource
    from fastembed.rerank.cross_encoder import TextCrossEncoder

    name = f"memory-wiki/{found.sha256}"
    if name not in (known["model"] for known in TextCrossEncoder.list_supported_models()):
        TextCrossEncoder.add_custom_model(model=name, sources=ModelSource(hf=name), model_file=found.file)
    here = str(found.folder)
    return TextCrossEncoder(name, specific_model_path=here, cache_dir=here, threads=ONE, local_files_only=True)


def _hush() -> None:
    """Before these libraries are imported: they log nothing to a person's terminal, and tell nobody what is done here.

    Without this onnxruntime makes up an id for the machine, keeps it in the person's home, and reports each use to its
    makers (its Privacy.md). What the person has set themselves holds.
    """
    hub.hush()
    os.environ.setdefault(SILENT, "1")
    import onnxruntime
    from loguru import logger

    onnxruntime.disable_telemetry_events()  # for a program that had imported it before
    onnxruntime.set_default_logger_severity(ERRORS_ONLY)
    logger.disable("fastembed")
