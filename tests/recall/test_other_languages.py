"""How sure an answer is whose passages are in another language than the question, as of a model that knows both."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from memory_wiki.index.entries import Entry
from memory_wiki.index.gist import gist, mark
from memory_wiki.index.passages import passages
from memory_wiki.index.records import prepared
from memory_wiki.index.vectors import Floats, Vectors
from memory_wiki.index.words import Words
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath
from memory_wiki.recall.answer import Answer, Question
from memory_wiki.recall.recall import recall
from memory_wiki.recall.senses import Senses

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
OTHERS = 30
GERMAN, ENGLISH = "Wo steht der Reiher im Wasser?", "Where does the heron stand in the water?"
USUAL, NEAR = 0.73, 0.82  # cosines across languages: of what is about something else, and of what answers


class Vault:
    """Pages that share no word, whose vectors have the cosines that are given with that of any question."""

    def __init__(self, folder: Path) -> None:
        self.words = Words.open(folder / "words")
        self._vectors = Vectors(folder / "vectors" / "toy", OTHERS + 2)
        self._disk: dict[str, bytes] = {}

    def tell(self, language: str, cosines: Mapping[str, float]) -> None:
        """A page for each path, in that language."""
        pages = [parse(PagePath(f"{path}.md"), _page(path, language)) for path in cosines]
        self._disk |= {page.path: page.data for page in pages}
        self.words.update([], [prepared(Entry(page, "", "", NOON)) for page in pages], lambda: "")
        marks = [mark(gist(page.title, one)) for page in pages for one in passages(page)]
        self._vectors.add(marks, np.array([_at(cosine, n) for n, cosine in enumerate(cosines.values(), 1)]))

    def ask(self, text: str, model: str = "multilingual-e5-small") -> Answer:
        senses = Senses(model, self._vectors.nearness(_at(1.0, 0)))
        return recall(Question(text), 2_000, self.words, self._disk.__getitem__, NOON, senses)


def _page(path: str, language: str) -> bytes:
    words = " ".join(f"{path}x{n}" for n in range(8))
    return f"---\nlang: {language}\n---\n{words}\n".encode()


def _at(cosine: float, number: int) -> Floats:
    row = np.zeros(OTHERS + 2, np.float32)
    row[number] = (1 - cosine**2) ** 0.5
    row[0] += cosine
    return row


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    vault = Vault(tmp_path)
    yield vault
    vault.words.close()


def tell(vault: Vault, language: str, near: float, others: float, count: int = OTHERS) -> None:
    vault.tell(language, {"heron": near} | {f"other{n}": others for n in range(count)})


def best(answer: Answer) -> tuple[str, bool]:
    """The page that comes first, and whether it is a hit."""
    return answer.found[0].path, bool(answer.hits)


@pytest.mark.parametrize(("question", "language"), [(GERMAN, "en"), (ENGLISH, "de"), ("苍鹭站在哪里？", "en")])
@pytest.mark.parametrize("count", [0, 2, OTHERS])
def test_what_lies_nearer_than_others_is_a_hit_in_another_language(
    vault: Vault, question: str, language: str, count: int
) -> None:
    tell(vault, language, NEAR, USUAL, count)
    assert best(vault.ask(question)) == ("heron.md", True)


@pytest.mark.parametrize(("near", "others"), [(USUAL + 0.02, USUAL), (NEAR + 0.02, NEAR)])
def test_what_lies_hardly_nearer_than_others_is_a_near_miss(vault: Vault, near: float, others: float) -> None:
    tell(vault, "en", near, others)
    assert best(vault.ask(GERMAN)) == ("heron.md", False)


@pytest.mark.parametrize(
    ("question", "language"),
    [("Wo steht der Kranich im Teich?", "de"), ("Where does the crane stand in the pond?", "en")],
)
def test_in_its_own_language_what_says_no_word_of_a_question_is_none_for_lying_nearer(
    vault: Vault, question: str, language: str
) -> None:
    tell(vault, language, NEAR, USUAL)
    assert best(vault.ask(question)) == ("heron.md", False)


@pytest.mark.parametrize(("question", "is_hit"), [("Reiher Wolke Regen", True), ("Reiher Wolke Regen heronx0", False)])
def test_a_question_too_short_to_tell_its_language_is_in_another_where_no_word_of_it_is_said(
    vault: Vault, question: str, is_hit: bool
) -> None:
    tell(vault, "en", USUAL + 0.045, USUAL)
    assert best(vault.ask(question)) == ("heron.md", is_hit)


def test_a_model_whose_cosines_across_languages_were_not_measured_finds_no_hit_by_them(vault: Vault) -> None:
    tell(vault, "en", NEAR, USUAL)
    assert best(vault.ask(GERMAN, "another")) == ("heron.md", False)
