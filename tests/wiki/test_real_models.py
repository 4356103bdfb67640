"""The models that are installed by default, over a small vault: what words do not find, and what nothing answers."""

import pytest

from memory_wiki.index.embedder import Embedder, Reranker
from memory_wiki.index.known import DEFAULT
from memory_wiki.page.memory import Memory
from memory_wiki.recall.answer import Answer, Question
from memory_wiki.recall.effort import Effort
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.meaning import Loaded
from memory_wiki.wiki.remembering import Wish
from shelf import MODELS

PAGES = {
    "Orders": ("note", "We keep the orders in Postgres, because two services write to them at once."),
    "Deploying": ("note", "A release goes out every Tuesday, after the tests have passed twice."),
    "Herons": ("note", "Herons stand still in shallow water until a fish comes close enough to catch."),
    "Secrets": ("note", "The password of the build server lies in the safe on the second floor."),
    "Lunch": ("note", "On Thursdays the canteen serves soup, and there is a queue from noon on."),
    "Spelling": ("preference", "Always answer in British spelling."),
}


@pytest.fixture
def asked(wiki: Wiki, embedder: Embedder, reranker: Reranker) -> Wiki:
    """A vault that is embedded, and whose models are loaded."""
    wiki.remember_each([Wish(Memory(text, title=title, type=kind), "") for title, (kind, text) in PAGES.items()])
    wiki.meaning.embedder, wiki.meaning.reranker = Loaded(lambda: embedder), Loaded(lambda: reranker)
    wiki.meaning.embedder.wait()
    wiki.meaning.reranker.wait()
    assert wiki.embed() == len(PAGES)
    return wiki


def ask(wiki: Wiki, question: str, effort: Effort) -> Answer:
    return wiki.recall(Question(question, effort=effort))


QUESTIONS = [
    ("which database has the purchases?", "Orders"),
    ("how do wading birds hunt?", "Herons"),
    ("credentials for CI", "Secrets"),
    ("where can I eat?", "Lunch"),
]


@pytest.mark.parametrize("effort", [Effort.FAST, Effort.BEST])
def test_pages_are_found_that_share_no_telling_word_with_the_question(asked: Wiki, effort: Effort) -> None:
    for question, title in QUESTIONS:
        answer = ask(asked, question, effort)
        first = next(hit.title for hit in answer.found if hit.type != "preference")
        assert first == title, question
        assert answer.took_part == ("words", "meaning", *(["rerank"] if effort is Effort.BEST else []))
        assert answer.missing == ()


def test_what_the_vault_speaks_of_is_surer_than_what_it_does_not(asked: Wiki) -> None:
    spoken = [ask(asked, question, Effort.FAST).confidence for question, _ in QUESTIONS]
    others = ["who won the chess match in Reykjavik?", "how tall is the lighthouse?", "what does the cobbler charge?"]
    unspoken = [ask(asked, question, Effort.FAST) for question in others]
    assert sum(spoken) / len(spoken) > 2 * max(answer.confidence for answer in unspoken)
    assert all(answer.hits == () and answer.near_misses for answer in unspoken)


def test_what_was_asked_for_from_now_on_comes_with_the_answer(asked: Wiki) -> None:
    answer = asked.recall(Question("which database has the orders?", limit=1, effort=Effort.FAST))
    assert [hit.title for hit in answer.found] == ["Orders", "Spelling"]
    assert [hit.title for hit in answer.preferences] == ["Spelling"]
    assert answer.tokens <= answer.budget


def test_status_tells_of_the_model_and_of_what_is_embedded(asked: Wiki, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_WIKI_MODELS", str(MODELS))
    monkeypatch.setenv("MEMORY_WIKI_MODEL", DEFAULT)
    assert asked.status().embedded == 0  # of the model by its true hash
    with Wiki.open(asked.vault.root, asked.vault.root) as another:
        another.embed()
        status = another.status()
    assert (status.model, status.embedded, status.passages) == (DEFAULT, len(PAGES), len(PAGES))
