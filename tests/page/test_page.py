"""A page is parsed whatever its bytes; it loses none of them, and says what is wrong with it."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_wiki.page.page import MAX_BYTES, Page, parse
from memory_wiki.page.path import PagePath, version_of


def page(text: str | bytes, path: str = "a/Some page.md") -> Page:
    return parse(PagePath(path), text.encode() if isinstance(text, str) else text)


def problems(text: str | bytes) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in page(text).problems]


@given(st.one_of(st.binary(), st.text().map(lambda text: f"---\n{text}\n---\n{text}".encode("utf-8", "surrogatepass"))))
def test_any_bytes_are_a_page_and_survive(data: bytes) -> None:
    found = page(data)
    assert found.text.encode("utf-8", "surrogateescape") == found.data == data
    assert found.version == version_of(data)
    assert found.text[: found.body_start] + found.body == found.text
    found.readable.encode()
    assert not {"\0", "\r"} & set(found.readable)


def test_a_page_of_ours_is_read() -> None:
    found = page(
        "---\ntitle: Use Postgres\nid: 01JDZ6\ntype: decision\ntags: [db, '#Orders']\naliases: [pg, PG, postgres]\n"
        "created: 2026-11-30T12:00:00Z\nupdated: 2026-12-01\nby: ada via claude-code\nconfidence: 0.9\npinned: true\n"
        "status: superseded\nlang: en\nextra: {kept: 1}\n---\n# Heading\n\n- [decision] It is so #orders #new ^f1\n"
    )
    assert (found.title, found.id, found.type, found.status) == ("Use Postgres", "01JDZ6", "decision", "superseded")
    assert (found.tags, found.aliases) == (("db", "Orders", "new"), ("pg", "postgres"))
    assert found.created == datetime(2026, 11, 30, 12, tzinfo=UTC)
    assert found.updated == datetime(2026, 12, 1, tzinfo=UTC)
    assert (found.by, found.confidence, found.pinned, found.language) == ("ada via claude-code", 0.9, True, "en")
    assert found.values["extra"] == {"kept": 1}
    assert [(fact.id, fact.line) for fact in found.facts] == [("f1", 18)]
    assert found.markup.headings[0].line == 16
    assert found.problems == ()


def test_a_page_of_nothing_has_defaults() -> None:
    found = page("")
    assert (found.title, found.type, found.id, found.by, found.language) == ("Some page", "", "", "", "")
    assert (found.tags, found.aliases, found.created, found.updated) == ((), (), None, None)
    assert (found.status, found.confidence, found.pinned, found.problems) == ("active", 1.0, False, ())


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: A\n---\n# B", "A"),
        ("---\ntitle: 1984\n---\n", "1984"),
        ("---\ntitle: 2026-11-30\n---\n", "2026-11-30"),
        ("---\ntitle: |\n  two\n  lines\n---\n", "two lines"),
        ("---\ntitle:\n---\ntext\n\n## Two\n\n# B *c*\n", "B c"),
        ("## Two", "Some page"),
        ("---\nbroken: [\n---\n# B", "B"),
        ("\ufeff# B", "B"),
    ],
)
def test_the_title_is_the_first_of_front_matter_heading_and_file_name(text: str, title: str) -> None:
    assert page(text).title == title


@pytest.mark.parametrize(
    ("front", "tags"),
    [
        ("tags: [a, b]", ("a", "b")),
        ("tags: a, b c", ("a", "b", "c")),
        ("tags: '#a #B'", ("a", "B")),
        ("tag: a", ("a",)),
        ("tags:\n  - area/db\n  - Area/DB\n  - 2026", ("area/db", "2026")),
        ("tags:", ()),
        ("tags: [~, '']", ()),
    ],
)
def test_tags_in_all_the_ways_people_write_them(front: str, tags: tuple[str, ...]) -> None:
    found = page(f"---\n{front}\n---\n")
    assert (found.tags, found.problems) == (tags, ())


def test_aliases_may_hold_spaces_and_be_one_text() -> None:
    assert page("---\nalias: Order Service, the shop\n---\n").aliases == ("Order Service", "the shop")


@pytest.mark.parametrize(
    "front",
    [
        "title: [a]",
        "title: no",
        "type: {a: b}",
        "id: [1]",
        "tags: {a: 1}",
        "aliases: [[a]]",
        "created: soon",
        "updated: 5",
        "confidence: 1.5",
        "confidence: high",
        "confidence: true",
        "confidence: .nan",
        "pinned: maybe",
        "status: [x]",
    ],
)
def test_a_key_of_another_type_is_a_warning_with_its_line_and_not_there(front: str) -> None:
    found = page(f"---\n# comment\n{front}\n---\n")
    assert [(p.code, p.line, p.level) for p in found.problems] == [("key-type", 3, "warning")]
    assert (found.title, found.type, found.id, found.tags, found.aliases) == ("Some page", "", "", (), ())
    assert (found.created, found.confidence, found.pinned, found.status) == (None, 1.0, False, "active")


def test_what_keeps_bytes_from_being_text_is_reported_with_its_line() -> None:
    assert problems(b"a\nb \xff\n") == [("encoding", 2)]
    assert problems(b"a\r\rb\0") == [("encoding", 3)]
    assert page(b"a\xff\0\r\nb").readable == "a\ufffd\ufffd\nb"


def test_broken_front_matter_leaves_the_text_to_be_found() -> None:
    found = page("---\ntitle: a: b\n---\n# Text [[link]]\n")
    assert problems(found.data) == [("front-matter", 2)]
    assert (found.title, found.body) == ("Text link", "# Text [[link]]\n")
    assert problems("---\ntitle: never closed\n") == [("front-matter", 1)]
    assert page("---\ntitle: never closed\n").body == "---\ntitle: never closed\n"


def test_a_fact_whose_date_is_none_is_reported() -> None:
    assert problems("x\n\n- [fact] a (since:: lately)\n") == [("field-type", 3)]


def test_a_page_too_large_is_read_as_far_as_it_is_looked_into() -> None:
    found = page("[[first]]\n\n" + "x" * 99 + "\n" * 2 + "y" * MAX_BYTES + "\n[[last]]\n")
    assert [(p.code, p.line) for p in found.problems] == [("too-large", None), ("long-page", 5)]
    assert [link.target for link in found.markup.links] == ["first"]
    assert found.body.endswith("[[last]]\n")
