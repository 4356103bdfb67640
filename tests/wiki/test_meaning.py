"""Meaning beside words: nobody waits for a model, and an answer says what took no part and why."""

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import TypeVar

import numpy as np
import pytest

from kit import PATIENCE, until
from memory_wiki.errors import ModelBroken, ModelNotFound
from memory_wiki.index.known import KNOWN, RERANKER
from memory_wiki.page.memory import Memory
from memory_wiki.page.path import PagePath
from memory_wiki.recall.answer import ASLEEP, NOTHING_EMBEDDED, Answer, Question
from memory_wiki.recall.effort import Effort
from memory_wiki.wiki import Wiki, background, meaning
from memory_wiki.wiki.meaning import LOADING, NOT_EMBEDDED, Loaded
from memory_wiki.wiki.remembering import Wish
from toy import DIM, Toy, give, set_embedder, vectors

T = TypeVar("T")
HERON = Wish(Memory("A grey heron waits.", title="Heron"), "")
SEAL = Wish(Memory("A seal sleeps on the ice.", title="Seal"), "")


def best(wiki: Wiki, question: str, effort: Effort = Effort.DEFAULT) -> tuple[Answer, str]:
    """The answer, and the title of what it has first."""
    answer = wiki.recall(Question(question, effort=effort))
    return answer, answer.found[0].title if answer.found else ""


def soon(do: Callable[[], T]) -> T:
    """What it gives, which must not wait for the test to end."""
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(do).result(PATIENCE)
    finally:
        pool.shutdown(wait=False)


@pytest.fixture
def slow(wiki: Wiki) -> Iterator[tuple[Event, Loaded[Toy]]]:
    """A model that is loaded once the event is set."""
    go = Event()

    def load() -> Toy:
        go.wait()
        return Toy()

    loaded = Loaded(load)
    set_embedder(wiki.meaning, loaded)
    yield go, loaded
    go.set()


# Nobody waits


def test_a_recall_does_not_wait_for_a_model_and_has_it_once_it_is_there(
    wiki: Wiki, slow: tuple[Event, Loaded[Toy]]
) -> None:
    go, loaded = slow
    wiki.remember_each([HERON, SEAL])
    wiki.meaning.warm()
    answer, title = soon(lambda: best(wiki, "heron"))
    assert (title, answer.took_part, answer.missing) == ("Heron", ("words",), (("meaning", LOADING),))
    go.set()
    until(lambda: loaded.value is not None)
    assert best(wiki, "heron")[0].missing == (("meaning", NOT_EMBEDDED),)
    assert wiki.embed() == 2
    answer, title = best(wiki, "bird", Effort.FAST)
    assert (title, answer.took_part, answer.missing) == ("Heron", ("words", "meaning"), ())


def test_a_write_does_not_wait_for_a_model(wiki: Wiki, slow: tuple[Event, Loaded[Toy]]) -> None:
    assert not slow[0].is_set()
    wiki.watch()
    wiki.serve_meaning()
    assert soon(lambda: wiki.remember(HERON)).title == "Heron"
    assert best(wiki, "heron")[1] == "Heron"


def test_who_watches_can_end_while_a_model_is_being_downloaded(
    root: Path, slow: tuple[Event, Loaded[Toy]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Takes a second: it is waited until all is quiet."""
    monkeypatch.setattr(meaning, "AT_LAST", 0.05)
    with Wiki.open(root, root) as watching:
        set_embedder(watching.meaning, slow[1])
        watching.serve_meaning()
        embedding = watching._embedding
        assert embedding is not None
        until(lambda: slow[1].is_loading and not embedding._is_woken)
        soon(watching.close)


def test_a_model_that_took_long_to_load_is_used_though_nothing_tells_of_it(
    wiki: Wiki, slow: tuple[Event, Loaded[Toy]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Takes a second: it is waited until all is quiet."""
    monkeypatch.setattr(background, "LOOKING", 0.05)
    wiki.remember(HERON)
    wiki.catch_up()
    wiki.serve_meaning()
    embedding = wiki._embedding
    assert embedding is not None
    until(lambda: embedding._looks_by_itself)
    slow[0].set()
    until(lambda: len(vectors(wiki)) == 1)


def test_a_command_does_not_wait_for_a_model_but_with_best_it_does(wiki: Wiki, root: Path) -> None:
    loads = Event()

    def load() -> Toy:
        loads.set()
        return Toy()

    set_embedder(wiki.meaning, Loaded(load))
    wiki.remember_each([HERON, SEAL])
    for effort in (Effort.FAST, Effort.DEFAULT):
        assert best(wiki, "heron", effort)[0].missing == (("meaning", NOTHING_EMBEDDED),)
    with Wiki.open(root, root) as other:
        give(other, Toy())
        other.embed()
    for effort in (Effort.FAST, Effort.DEFAULT):
        assert best(wiki, "heron", effort)[0].missing == (("meaning", ASLEEP),)
    assert not loads.is_set()
    answer, title = best(wiki, "bird", Effort.BEST)
    assert title == "Heron"
    assert answer.took_part == ("words", "meaning")
    assert [part for part, _ in answer.missing] == ["rerank"]


def test_a_question_without_words_or_without_meaning_asks_for_no_model(wiki: Wiki) -> None:
    wiki.remember(HERON)
    empty = [Question(text, effort=Effort.BEST) for text in (" ", "\0", "?! ...", "\ud800", "\u202e")]
    for question in (*empty, Question("x", without=frozenset({"meaning"}))):
        answer = wiki.recall(question)
        assert (answer.found, answer.took_part, answer.missing) == ((), ("words",), ())


def test_where_there_is_nothing_to_embed_nothing_is_missing(wiki: Wiki, root: Path) -> None:
    give(wiki, Toy())
    answer, _ = best(wiki, "heron", Effort.BEST)
    assert (answer.found, answer.took_part, answer.missing) == ((), ("words", "meaning"), ())
    (root / "heron.md").write_text("", encoding="utf-8")
    assert best(wiki, "heron", Effort.BEST)[0].missing == (("meaning", NOT_EMBEDDED),)
    assert wiki.embed() == 1


# Why it takes no part


def test_where_no_model_is_wanted_words_answer_and_say_so(wiki: Wiki) -> None:
    wiki.remember(HERON)
    answer, title = best(wiki, "heron", Effort.BEST)
    assert (title, answer.took_part) == ("Heron", ("words",))
    ((part, why),) = answer.missing
    assert (part, "no model is wanted" in why) == ("meaning", True)
    with pytest.raises(ModelNotFound, match="no model is wanted"):
        wiki.embed()


@pytest.mark.parametrize("files", [(), ("model.onnx", "tokenizer.json", "tokenizer_config.json")])
def test_where_a_model_is_broken_words_answer_and_say_so(
    wiki: Wiki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: tuple[str, ...]
) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    for name in files:
        (broken / name).write_text("{}", encoding="utf-8")
    monkeypatch.setenv("MEMORY_WIKI_MODEL", str(broken))
    wiki.remember(HERON)
    wiki.meaning.warm()
    answer, title = best(wiki, "heron", Effort.BEST)
    assert (title, answer.took_part) == ("Heron", ("words",))
    ((part, why),) = answer.missing
    assert (part, str(broken) in why) == ("meaning", True)
    assert wiki.status().embedded == 0
    with pytest.raises(ModelNotFound):
        wiki.embed()


def test_who_watches_is_told_once_that_there_is_no_model(
    wiki: Wiki, root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Takes a second: it is waited until all is quiet, twice."""
    asked: list[int] = []

    class Asked(Loaded[Toy]):
        @property
        def is_loading(self) -> bool:
            asked.append(1)
            return super().is_loading

    def fails() -> Toy:
        raise ModelNotFound("there is none")

    set_embedder(wiki.meaning, Asked(fails))
    wiki.watch()
    wiki.serve_meaning()
    for number in (1, 2):
        (root / f"{number}.md").write_text("text", encoding="utf-8")
        until(lambda: len(asked) >= 1 + number)  # noqa: B023
    assert [record.getMessage() for record in caplog.records if record.levelname == "WARNING"] == [
        "no page is found by meaning: there is none"
    ]


def test_a_model_that_failed_to_load_is_tried_again_though_nothing_happens(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "LOOKING", 0.05)
    monkeypatch.setattr(meaning, "AGAIN", 0.0)
    tries = iter((ModelNotFound("no network yet"), ModelNotFound("no network yet")))

    def load() -> Toy:
        for error in tries:
            raise error
        return Toy()

    set_embedder(wiki.meaning, Loaded(load))
    wiki.remember(HERON)
    wiki.catch_up()
    wiki.serve_meaning()
    until(lambda: wiki.meaning.embedder.value is not None and len(vectors(wiki)) == 1)


def test_a_model_that_fails_at_a_question_leaves_words(wiki: Wiki) -> None:
    class Failing(Toy):
        def query(self, text: str) -> object:  # type: ignore[override]
            raise ModelBroken(Path("model.onnx"), f"no {text}")

    wiki.remember(HERON)
    give(wiki, Failing())
    wiki.embed()
    answer, title = best(wiki, "heron")
    assert (title, answer.took_part) == ("Heron", ("words",))
    assert "no heron" in answer.missing[0][1]


def test_a_mistake_at_loading_is_said_and_not_waited_for(wiki: Wiki, caplog: pytest.LogCaptureFixture) -> None:
    def fails() -> Toy:
        raise RuntimeError("a surprise")

    set_embedder(wiki.meaning, Loaded(fails))
    wiki.remember(HERON)
    answer, title = best(wiki, "heron", Effort.BEST)
    assert (title, answer.took_part) == ("Heron", ("words",))
    assert "a surprise" in answer.missing[0][1]
    assert "a surprise" in caplog.text


def test_who_ends_without_closing_waits_for_what_is_being_loaded() -> None:
    code = (
        "import time\n"
        "from memory_wiki.wiki.meaning import Loaded\n"
        "def load():\n"
        "    time.sleep(0.2)\n"
        "    print('loaded', flush=True)\n"
        "    import concurrent.futures.thread\n"
        "Loaded(load).begin()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"loaded\n", b"")


def in_place_of(place: Path, *, is_file: bool) -> None:
    """Something there that can't be read as what was there."""
    shutil.rmtree(place) if place.is_dir() else place.unlink()
    if is_file:
        place.write_text("a file", encoding="utf-8")
    else:
        (place / "with").mkdir(parents=True)


@pytest.mark.parametrize(("name", "is_file"), [("", True), ("marks", False), ("rows", False)])
def test_vectors_that_can_not_be_read_leave_words_and_are_made_anew_by_embed(
    wiki: Wiki, root: Path, caplog: pytest.LogCaptureFixture, name: str, *, is_file: bool
) -> None:
    wiki.remember_each([HERON, SEAL])
    give(wiki, Toy())
    wiki.embed()
    in_place_of(vectors(wiki).folder / name, is_file=is_file)
    with Wiki.open(root, root) as another:
        give(another, Toy())
        answer, title = best(another, "heron")
    assert (title, answer.took_part) == ("Heron", ("words",))
    ((part, why),) = answer.missing
    assert (part, "`memory-wiki embed` makes them anew" in why, "reindex" in why) == ("meaning", True, False)
    assert (wiki.embed(), wiki.embed()) == (2, 0)
    assert best(wiki, "bird")[0].took_part == ("words", "meaning")
    (warning,) = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert warning.startswith("the vectors could not be read, and are made anew: [Errno ")
    assert sorted(place.name for place in vectors(wiki).folder.parent.iterdir()) == [
        vectors(wiki).folder.name,
        f"{vectors(wiki).folder.name}.lock",
    ]


@pytest.mark.parametrize("is_deleted", [True, False], ids=["deleted", "damaged"])
def test_who_serves_makes_vectors_anew_that_an_answer_could_not_have(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch, *, is_deleted: bool
) -> None:
    monkeypatch.setattr(background, "AT_LAST", 0.2)  # it never gets quiet where one asks all the time
    give(wiki, Toy())
    wiki.remember_each([HERON, SEAL])
    wiki.watch()
    wiki.serve_meaning()
    until(lambda: best(wiki, "bird")[0].took_part == ("words", "meaning"))
    folder = vectors(wiki).folder
    if is_deleted:
        shutil.rmtree(folder)
    else:
        in_place_of(folder, is_file=True)
    assert best(wiki, "heron")[0].took_part == ("words",)
    until(lambda: best(wiki, "bird")[0].took_part == ("words", "meaning"))
    assert len(vectors(wiki)) == 2


# Whose vectors they are


def test_each_model_has_its_own_vectors_and_keeps_them_while_another_is_used(wiki: Wiki) -> None:
    wiki.remember_each([HERON, SEAL])
    one, other = Toy("one"), Toy("other")
    for toy in (one, other):
        give(wiki, toy)
        assert wiki.embed() == 2
    give(wiki, one)
    assert wiki.embed() == 0
    assert best(wiki, "bird")[1] == "Heron"


def test_who_opens_the_vault_anew_finds_by_what_was_embedded(wiki: Wiki, root: Path) -> None:
    wiki.remember_each([HERON, SEAL])
    give(wiki, Toy())
    wiki.embed()
    with Wiki.open(root, root) as another:
        give(another, Toy())
        assert best(another, "bird")[1] == "Heron"


def test_who_watches_embeds_pages_as_they_come(wiki: Wiki, root: Path) -> None:
    """Takes a second: it is waited until all is quiet."""
    toy = give(wiki, Toy())
    wiki.watch()
    wiki.serve_meaning()
    (root / "bird.md").write_text("# Waders\n\nA grey heron waits.\n", encoding="utf-8")
    until(lambda: len(toy.given) == 1)
    until(lambda: best(wiki, "vogel")[1] == "Waders")
    wiki.remember(SEAL)
    until(lambda: len(toy.given) == 2)


def test_who_serves_without_watching_embeds_what_it_writes_and_what_it_sees_of_others(wiki: Wiki, root: Path) -> None:
    """Takes two seconds: it is waited until all is quiet, three times."""
    toy = give(wiki, Toy())
    wiki.remember(HERON)
    wiki.serve_meaning()
    until(lambda: len(toy.given) == 1)
    wiki.remember(SEAL)
    until(lambda: len(toy.given) == 2)
    wiki.remember_each([Wish(Memory("A tern dives.", title="Tern"), ""), Wish(Memory("A crane dances."), "")])
    until(lambda: len(toy.given) == 4)
    (root / "owl.md").write_text("# Owl\n\nAn owl hoots.\n", encoding="utf-8")
    assert best(wiki, "owl")[1] == "Owl"
    until(lambda: len(toy.given) == 5)


@pytest.mark.parametrize("away", ["index", "index/vectors", "index/words", "."])
def test_who_watches_embeds_anew_what_was_deleted_though_nobody_saves_or_asks(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch, away: str
) -> None:
    """Takes a second: it is waited until all is quiet."""
    monkeypatch.setattr(background, "LOOKING", 0.05)
    toy = give(wiki, Toy())
    wiki.remember_each([HERON, SEAL])
    wiki.watch()
    wiki.serve_meaning()
    until(lambda: len(vectors(wiki)) == 2)
    until(lambda: wiki.all_is_embedded)
    shutil.rmtree(wiki.vault.own_folder / away)
    until(lambda: len(vectors(wiki)) == wiki.index.words.count()[1] == 2)
    assert len(toy.given) == (2 if away == "index/words" else 4)
    until(lambda: wiki.all_is_embedded)
    assert best(wiki, "bird", Effort.FAST)[1] == "Heron"


def test_vectors_are_dropped_for_no_index_that_somebody_is_making_anew(wiki: Wiki, root: Path) -> None:
    give(wiki, Toy())
    (root / "heron.md").write_text("A heron.", encoding="utf-8")
    wiki.embed()
    vectors(wiki).add(range(1, 3_001), np.ones((3_000, DIM), np.float32))
    wiki.index.words.update((PagePath("heron.md"),), (), lambda: "")
    assert wiki.embed_now(lambda: True) == 0
    assert len(vectors(wiki)) == 3_001


# The reranker


class Reads:
    """Likes seals."""

    model = KNOWN[RERANKER]

    def __init__(self) -> None:
        self.read: list[str] = []
        self.batches: list[int] = []

    def scores(self, _question: str, texts: Sequence[str]) -> list[float]:
        self.read += texts
        self.batches.append(len(texts))
        return [9.0 if "seal" in text else -9.0 for text in texts]


@pytest.mark.parametrize(
    ("question", "reads"),
    [
        (Question("bird", effort=Effort.BEST), True),
        (Question("bird", effort=Effort.FAST), False),
        (Question("bird", effort=Effort.BEST, without=frozenset({"rerank"})), False),
    ],
)
def test_a_reranker_reads_the_best_unless_it_is_left_out(wiki: Wiki, question: Question, *, reads: bool) -> None:
    wiki.remember_each([HERON, SEAL])
    give(wiki, Toy())
    reranker = Loaded(Reads)
    reranker.wait()
    wiki.meaning.reranker = reranker  # type: ignore[assignment]
    wiki.embed()
    answer = wiki.recall(question)
    says = {hit.title: dict(hit.parts).get("rerank", 0.0) for hit in answer.found}
    assert (says["Seal"] > says["Heron"]) == reads
    assert answer.took_part == ("words", "meaning", *(["rerank"] if reads else []))
    assert reranker.value is not None
    assert len(reranker.value.read) == (2 if reads else 0)


def test_where_time_is_up_a_reranker_has_read_whole_batches_and_no_more() -> None:
    reads, at_once = Reads(), meaning._threads()
    texts = [f"text {n}" for n in range(3 * at_once + 1)]
    long_ago, much_later = time.monotonic() - 1, time.monotonic() + 600
    assert meaning._scores(reads, long_ago, "q", texts) == []  # type: ignore[arg-type]
    assert reads.read == []
    for until_when in (None, much_later):
        assert len(meaning._scores(reads, until_when, "q", texts)) == len(texts)  # type: ignore[arg-type]
    assert reads.read == texts * 2
    assert reads.batches == [len(texts), at_once, at_once, at_once, 1]
