"""The models of an open vault: which one is at work, when it is looked for again, and what an answer says of it."""

import time
from pathlib import Path

import pytest

from kit import until
from memory_wiki.errors import ModelNotFound
from memory_wiki.recall.effort import Effort
from memory_wiki.settings import set_model
from memory_wiki.wiki import Memory, Question, Wiki, Wish, meaning
from memory_wiki.wiki.meaning import Loaded
from shelf import real


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's own settings, over which the environment wins no more."""
    file = tmp_path / "settings.toml"
    monkeypatch.setenv("MEMORY_WIKI_SETTINGS", str(file))
    monkeypatch.delenv("MEMORY_WIKI_MODEL")
    return file


def why_not(wiki: Wiki) -> str:
    """Why no meaning took part in an answer; "" where it did."""
    return dict(wiki.recall(Question("heron")).missing).get("meaning", "")


def test_who_serves_takes_up_the_model_that_is_chosen_meanwhile(wiki: Wiki, own: Path) -> None:
    set_model(own, "none")
    wiki.remember(Wish(Memory("A heron came to the pond.")))
    wiki.meaning.warm()
    assert wiki.meaning.embedder.wait() is None
    assert "no model is wanted" in why_not(wiki)
    set_model(own, str(real()))
    wiki.catch_up()
    assert wiki.embed() == 1
    assert wiki.recall(Question("bird")).took_part == ("words", "meaning")
    set_model(own, "none")
    wiki.catch_up()
    wiki.meaning.embedder.wait()
    assert "no model is wanted" in why_not(wiki)


def test_a_model_that_the_vault_names_is_taken_up_too(wiki: Wiki, root: Path, own: Path) -> None:
    (root / "memory-wiki.toml").write_text('format = 1\nmodel = "none"\n')
    wiki.catch_up()
    wiki.meaning.warm()
    wiki.meaning.embedder.wait()
    (root / "memory-wiki.toml").write_text('format = 1\nmodel = "no-such-model"\n')
    wiki.catch_up()
    wiki.meaning.embedder.wait()
    assert "no-such-model" in why_not(wiki)
    assert not own.exists()


def test_settings_that_can_not_be_meant_leave_the_model_as_it_is(wiki: Wiki, own: Path) -> None:
    set_model(own, "none")
    wiki.meaning.warm()
    before = wiki.meaning.embedder
    before.wait()
    own.write_text("model = [")
    wiki.catch_up()
    assert wiki.meaning.embedder is before


def test_nothing_is_loaded_for_a_choice_by_who_has_asked_for_no_model(wiki: Wiki, own: Path) -> None:
    before = wiki.meaning.embedder
    set_model(own, "none")
    wiki.catch_up()
    assert wiki.meaning.embedder is before
    assert before.why == ""


def test_what_could_not_be_loaded_is_tried_again_later_or_at_once_by_who_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[float] = []

    def load() -> str:
        tried.append(time.monotonic())
        if len(tried) < 4:
            raise ModelNotFound(f"it is not here yet, says try {len(tried)}")
        return "a model"

    loaded = Loaded(load)
    assert (loaded.wait(), loaded.why) == (None, "it is not here yet, says try 1")
    loaded.begin()
    assert (loaded.is_loading, len(tried)) == (False, 1)
    assert (loaded.wait(), loaded.why) == (None, "it is not here yet, says try 2")
    monkeypatch.setattr(meaning, "AGAIN", 0.0)
    loaded.begin()
    until(lambda: not loaded.is_loading)
    assert (loaded.value, loaded.why) == (None, "it is not here yet, says try 3")
    assert [loaded.wait(), loaded.wait(), loaded.why] == ["a model", "a model", ""]
    assert len(tried) == 4


def test_an_answer_that_waits_has_the_model_that_was_installed_meanwhile(
    wiki: Wiki, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_WIKI_MODELS", str(tmp_path / "models"))
    set_model(own, "e5-small-v2")
    wiki.remember(Wish(Memory("A heron came to the pond.")))
    question = Question("bird", effort=Effort.BEST)
    assert "model install" in dict(wiki.recall(question).missing)["meaning"]
    (tmp_path / "models").symlink_to(real("e5-small-v2").parent)
    assert wiki.embed() == 1
    assert wiki.recall(question).took_part == ("words", "meaning", "rerank")


def test_a_download_that_failed_is_not_tried_again_by_each_answer_that_waits(
    wiki: Wiki, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("so that there is no place to download to", encoding="utf-8")
    monkeypatch.setenv("MEMORY_WIKI_MODELS", str(tmp_path / "file" / "models"))

    def why() -> str:
        return dict(wiki.recall(Question("bird", effort=Effort.BEST)).missing)["meaning"]

    wiki.meaning.serve()
    for name in ("e5-small-v2", "bge-small-en-v1.5"):
        set_model(own, name)
        wiki.catch_up()
        until(lambda: not wiki.meaning.embedder.is_loading)
        assert "can't be written" in wiki.meaning.embedder.why
        assert f"{name} is not on this machine" in why()
    monkeypatch.setattr(meaning, "AGAIN", 0.0)
    assert "can't be written" in why()
