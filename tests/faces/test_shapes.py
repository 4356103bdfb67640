"""What answers are as JSON and as text: every answer has both, and neither can steer a terminal."""

import dataclasses
import json
import re
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_wiki.errors import Ambiguous, Conflict, MemoryWikiError, PageNotFound
from memory_wiki.faces import ink, render, shapes, told  # noqa: F401 - it says how some answers read
from memory_wiki.index.index import Differing, Proof
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath, Version
from memory_wiki.page.problem import Problem
from memory_wiki.recall.recall import Answer, Hit
from memory_wiki.vault.make import Made
from memory_wiki.vault.past import Past
from memory_wiki.vault.porcelain import Commit, Touch
from memory_wiki.wiki import answers
from memory_wiki.wiki.answers import Commits, Diff, Found, Life, Moment, Reading, Report, Timeline, Written

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
STEERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
PLAIN = ink.Ink(is_coloured=False, shows_why=True)
INSIDE = {"Found", "Known", "Moment", "Reading", "Rival"}
"""Answers that a command says in another way, or within another."""


def hit(path: str, text: str) -> Hit:
    return Hit(
        path=PagePath(path),
        title=text,
        type=text,
        status=text,
        project=text,
        headings=(text,),
        first_line=1,
        last_line=2,
        version=Version(text),
        fact=text,
        text=text,
        score=1.0,
        parts=(("words", 1.0),),
        words=(("title", 1.0),),
        weights=(("project", 1.5),),
        copies=(PagePath(path),),
        tokens=1,
    )


def commit(path: str, text: str) -> Commit:
    return Commit(text, text, text, NOON, text, (("Agent", text),), (Touch(path, None, Version(text)),))


def everything_said(path: str, text: str) -> list[object]:
    """An answer of each kind that quotes a page or a stranger, with `text` wherever it may stand."""
    page, version = PagePath(path), Version(text)
    past = Past(commit(path, text), page, version)
    return [
        Answer(text, (hit(path, text),), 1, 1, 0),
        Timeline(text, (Moment(NOON, page, 1, text, text, text, version, text),), 1),
        Commits((commit(path, text),)),
        Life(page, (past, dataclasses.replace(past, version=None, path=PagePath(f"x{path}")))),
        Diff(page, text, text, text),
        Report(1, (Found(path, Problem("code", text, 1)),)),
        Proof(2, (Differing(page, version, None, version),)),
        Written("move", page, text, version, text, page, (page,), page),
    ]


@given(st.text(alphabet=st.characters()), st.text(alphabet=st.characters()))
def test_no_answer_in_json_or_as_text_steers_a_terminal(path: str, text: str) -> None:
    for answer in everything_said(path, text):
        for said in (shapes.to_json(answer), render.text(answer, PLAIN)):
            assert not STEERS.search(said)


@given(st.text(alphabet=st.characters()))
def test_an_error_or_a_note_in_json_is_one_line_that_steers_nothing(text: str) -> None:
    for said in (shapes.error_to_json(PageNotFound(text)), shapes.note_to_json(text)):
        assert not STEERS.search(said)
        assert "\n" not in said


@given(st.text())
def test_json_says_a_page_word_for_word(text: str) -> None:
    page = parse(PagePath("page.md"), text.encode())
    assert json.loads(shapes.to_json(Reading(page, None)))["text"] == text


@given(st.binary())
def test_json_of_any_bytes_at_all_is_json(data: bytes) -> None:
    said = shapes.to_json(Reading(parse(PagePath("page.md"), data), None))
    said.encode()
    assert json.loads(said)["version"] == shapes.shape(parse(PagePath("page.md"), data).version)


@given(st.text(alphabet=st.characters(), min_size=1))
def test_a_name_adds_no_line_to_an_answer(name: str) -> None:
    said = render.text(Written("archive", PagePath(name), name, Version(name), name), PLAIN)
    assert said.count("\n") == 1


def test_every_answer_has_a_text() -> None:
    kinds = [kind for kind in vars(answers).values() if isinstance(kind, type) and kind.__module__ == answers.__name__]
    assert len(kinds) > 10
    without = {kind.__name__ for kind in kinds if render.text.dispatch(kind) is render.text.dispatch(object)}
    assert without == INSIDE


def test_an_answer_that_nobody_made_a_text_for_is_a_mistake() -> None:
    with pytest.raises(TypeError, match="no text is made of int"):
        render.text(5, PLAIN)


@pytest.mark.parametrize(
    ("error", "facts"),
    [
        (PageNotFound("x"), {"name": "x"}),
        (Conflict("x.md", wanted="1", found="2"), {"path": "x.md", "wanted": "1", "found": "2"}),
        (Ambiguous("x", ["a.md", "b.md"]), {"name": "x", "paths": ["a.md", "b.md"]}),
    ],
    ids=lambda given: type(given).__name__,
)
def test_an_error_in_json_has_its_code_its_message_and_its_facts(
    error: MemoryWikiError, facts: dict[str, object]
) -> None:
    assert json.loads(shapes.error_to_json(error)) == {"error": {"code": error.code, "message": str(error), **facts}}


def test_an_answer_in_json_says_why_each_part_took_none_by_the_parts_name() -> None:
    why = {"meaning": "no model is here", "rerank": "there was no time"}
    assert json.loads(shapes.to_json(Answer("q", (), 0, 1, 0, missing=tuple(why.items()))))["missing"] == why


def test_a_time_is_said_as_rfc_3339_says_it() -> None:
    assert shapes.shape(NOON) == "2026-11-30T12:00:00Z"


def test_several_answers_are_one_json_object() -> None:
    said = json.loads(shapes.to_json(Report(3, ()), Proof(1, ())))
    assert said == {"pages": 3, "found": [], "index": {"pages": 1, "differing": [], "uncommitted": []}}


def test_colours_change_no_word() -> None:
    for answer in everything_said("a/b.md", "some text"):
        coloured = render.text(answer, ink.Ink(is_coloured=True, shows_why=True))
        assert re.sub(r"\x1b\[\d+m", "", coloured) == render.text(answer, PLAIN)


def test_a_command_that_restores_can_be_pasted_into_a_shell() -> None:
    older, newer = (Past(commit("x", "s"), PagePath("it's; rm -rf.md"), Version(v)) for v in ("1" * 40, "2" * 40))
    said = render.text(Life(newer.path, (newer, older)), PLAIN)
    assert "memory-wiki restore 'it'\\''s; rm -rf.md' --to 1111111111" in said
    dashed = render.text(Life(PagePath("-x.md"), (replace(newer, path=PagePath("-x.md")), older)), PLAIN)
    assert "memory-wiki restore ./-x.md --to 1111111111" in dashed


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12"])
def test_the_first_and_the_last_day_of_all_are_told_in_any_zone(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    ends = (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC))
    moments = tuple(Moment(at, PagePath("a.md"), 1, "A", "note", "active", Version("1"), "") for at in ends)
    said = render.text(Timeline("", moments, 0), PLAIN).splitlines()
    monkeypatch.undo()
    time.tzset()
    assert [line[:10] for line in said] == ["0001-01-01", "9999-12-31"]


def test_a_vault_just_made_says_what_to_do_next(tmp_path: Path) -> None:
    assert "Next: memory-wiki remember" in render.text(Made(tmp_path, True, ("a",), ("b",)), PLAIN)
