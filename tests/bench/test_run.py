"""A run writes real pages and asks the real recall; what it tells is what it found, and what was left out it says."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from bench.samples import BEAM, LOCOMO, LONGMEMEVAL, XQUAD, saved
from kit import run_git
from memory_wiki.bench.asking import Ways, parts
from memory_wiki.bench.datasets import load
from memory_wiki.bench.material import Dataset
from memory_wiki.bench.reader import Reader
from memory_wiki.bench.run import Wanted, chosen, run, strangers
from memory_wiki.bench.vaults import written
from memory_wiki.errors import BadInput, Broken
from memory_wiki.index.index import silent
from memory_wiki.recall.recall import Question
from memory_wiki.wiki.chance import Chance


def wanted(**options: object) -> Wanted:
    return Wanted("x.json", "memory-wiki bench", Ways((1000,)), **options)  # type: ignore[arg-type]


def read(folder: Path, name: str, value: object) -> Dataset:
    return load(name, saved(folder, f"{name}.json", value))


@contextmanager
def endpoint(*answers: str) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """A server that speaks chat completions, and what it was asked; it gives these bodies one after another."""
    heard: list[dict[str, object]] = []
    bodies = iter(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            heard.append({"path": self.path, "key": self.headers["Authorization"], **asked})
            body = next(bodies).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1", heard
        finally:
            server.shutdown()
            thread.join()


def said(text: str) -> str:
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]})


def test_a_run_finds_what_was_said_and_where(tmp_path: Path) -> None:
    found = run(read(tmp_path, "locomo", LOCOMO), wanted(), Chance(), silent)
    assert (found.vaults, found.pages, found.questions, found.without_evidence) == (2, 3, 5, 1)
    whole, *kinds = found.groups
    assert ([group.kind for group in kinds], whole.questions) == (["multi-hop", "single-hop"], 3)
    figures = {figure.name: figure.value for figure in whole.figures}
    assert figures["session any@5"] == figures["any@10"] == 1
    assert (found.evidence[0].budget, found.evidence[0].value, found.evidence[0].of) == (1000, 1.0, 3)
    assert [row.against for row in found.unknown] == ["unanswerable", "asked of another conversation", "both"]
    assert [row.others for row in found.unknown] == [1, 4, 5]
    assert [(row.what, row.of) for row in found.latency] == [("within 1,000 tokens", 5), ("40 passages", 5)]
    assert sum(row.answerable for row in found.reliability) == 3
    assert sum(row.others for row in found.reliability) == 5
    assert any("fewer than 20 turns came back for 5 of 5 questions" in note for note in found.notes)


def test_a_turn_is_found_by_the_lines_that_are_quoted_in_their_order(tmp_path: Path) -> None:
    case = read(tmp_path, "locomo", LOCOMO).cases[0]
    with written(case.source, tmp_path / "vault", Chance(), silent) as vault:
        answer = vault.wiki.recall(Question("Who teaches chemistry, and what of the heron?", budget=10_000))
        assert set(vault.places.turns_in(answer)) == {"D1:1", "D1:2", "D2:1", "D2:2"}
        assert set(vault.places.sessions_in(answer)) == {"session_1", "session_2"}
        (hit,) = vault.wiki.recall(Question("chemistry", budget=10_000)).hits
        part = replace(answer, hits=(replace(hit, first_line=hit.last_line),))
        assert vault.places.turns_in(part) == ("D1:2",)
        above = replace(answer, hits=(replace(hit, first_line=1, last_line=2),))
        assert (vault.places.turns_in(above), vault.places.sessions_in(above)) == ((), ("session_1",))


@pytest.mark.parametrize(
    ("name", "top", "kinds"),
    [
        ("beam", BEAM, {"all", "knowledge_update"}),
        ("longmemeval", LONGMEMEVAL, {"all", "single-session-user"}),
        ("xquad", XQUAD, {"all", "xquad"}),
    ],
)
def test_each_dataset_runs(tmp_path: Path, name: str, top: object, kinds: set[str]) -> None:
    found = run(read(tmp_path, name, top), wanted(), Chance(), silent)
    assert {group.kind for group in found.groups} == kinds
    assert all(figure.low <= figure.value <= figure.high for group in found.groups for figure in group.figures)


def test_ones_own_questions_are_asked_of_a_copy_and_the_vault_stays_as_it_is(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / "deep").mkdir()
    (vault / "deep" / "heron.md").write_text("The heron came back.\n", encoding="utf-8")
    (vault / "pond.md").write_text("The pond is frozen.\n", encoding="utf-8")
    (vault / ".obsidian" / "hidden.md").write_text("heron heron\n", encoding="utf-8")
    (vault / "elsewhere.md").symlink_to(tmp_path / "gone.md")
    asked = tmp_path / "questions.tsv"
    asked.write_text("question\tpages\nWhere is the heron?\tdeep/heron.md\n", encoding="utf-8")
    before = state(vault)
    found = run(load("questions", vault, asked), wanted(), Chance(), silent)
    assert state(vault) == before
    assert {figure.name: figure.value for figure in found.groups[0].figures} == dict.fromkeys(
        ["page R@1", "page R@5", "page MRR"], 1.0
    )
    assert found.pages == 2


def state(folder: Path) -> dict[str, int]:
    return {str(path): path.lstat().st_mtime_ns for path in sorted(folder.rglob("*"))}


def test_a_sample_is_spread_out_and_writes_no_vault_that_nobody_asks(tmp_path: Path) -> None:
    dataset = read(tmp_path, "locomo", LOCOMO)
    assert [len(case.asks) for case in chosen(dataset, wanted(limit=2))] == [2]
    assert [len(case.asks) for case in chosen(dataset, wanted(limit=5))] == [4, 1]
    assert [len(case.asks) for case in chosen(dataset, wanted(conversations=1))] == [4]
    found = run(dataset, wanted(limit=2), Chance(), silent)
    assert (found.vaults, found.questions) == (1, 2)
    assert "a sample: --limit or --conversations left out the rest" in found.notes


def test_a_question_of_another_conversation_is_no_stranger_where_its_evidence_is_here_too(tmp_path: Path) -> None:
    first, second = read(tmp_path, "longmemeval", LONGMEMEVAL).cases
    assert [ask.text for ask in strangers(first, second)] == ["When does the ferry leave?"]
    shared = replace(second, asks=(replace(second.asks[0], sessions=("s2",)),))
    assert strangers(first, shared) == []
    assert strangers(first, first) == ()


def test_vaults_are_kept_where_one_says_each_a_repository_of_its_own(tmp_path: Path) -> None:
    keep = tmp_path / "code" / "kept"
    keep.mkdir(parents=True)
    run_git(tmp_path / "code", "init", "-q")
    dataset = read(tmp_path, "locomo", LOCOMO)
    run(dataset, wanted(keep=keep, conversations=1), Chance(), silent)
    assert [path.name for path in keep.iterdir()] == ["1-conv-1"]
    assert len(run_git(keep / "1-conv-1", "ls-files", "projects").splitlines()) == 3
    assert run_git(tmp_path / "code", "ls-files") == ""
    with pytest.raises(BadInput, match="is there already"):
        run(dataset, wanted(keep=keep), Chance(), silent)


def test_a_part_that_there_is_not_is_refused() -> None:
    assert parts(["near", "title"]) == {"near", "title"}
    with pytest.raises(BadInput, match="no part 'neighbours'; it has words"):
        parts(["neighbours"])


def test_a_reader_answers_from_the_quotes_and_its_failures_are_counted(tmp_path: Path) -> None:
    with endpoint(said("In Prague."), "no json", said("a heron")) as (url, heard):
        reader = Reader(url, "small", "secret")
        found = run(read(tmp_path, "locomo", LOCOMO), wanted(reader=reader, conversations=1), Chance(), silent)
    assert [each["path"] for each in heard] == ["/v1/chat/completions"] * 3
    assert {(each["key"], each["model"], each["temperature"]) for each in heard} == {("Bearer secret", "small", 0)}
    asked = str(heard[0]["messages"])
    assert "I bought a violin in Prague." in asked
    assert "Where did Ada buy a violin?" in asked
    assert found.reader
    assert (found.reader.answered, found.reader.failed) == (2, 1)
    assert {figure.name for figure in found.reader.groups[0].figures} == {"token F1", "contained"}
    assert found.reader.groups[0].questions == 2
    assert not any("no reader" in note for note in found.notes)


@pytest.mark.parametrize("body", ["{", '{"choices": []}', '{"error": "no such model"}'])
def test_a_reader_that_never_answers_ends_the_run(tmp_path: Path, body: str) -> None:
    with endpoint(body) as (url, _), pytest.raises(Broken, match="does not answer"):
        run(read(tmp_path, "locomo", LOCOMO), wanted(reader=Reader(url, "m", "")), Chance(), silent)


def test_a_reader_is_an_address_and_a_model() -> None:
    with pytest.raises(BadInput, match="no address"):
        Reader("file:///etc/passwd", "m", "")
    with pytest.raises(BadInput, match="--reader-model"):
        Reader("http://localhost", "", "")
    assert Reader("http://localhost/v1/", "m", "").url == "http://localhost/v1/chat/completions"
    assert Reader("http://localhost/chat/completions", "m", "").url == "http://localhost/chat/completions"
