"""A fact is added or retracted, and every other byte and fact stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_wiki.errors import BadInput
from memory_wiki.page.claims import AddFact, Retract, named, with_fact, without_fact
from memory_wiki.page.facts import Fact
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath

LINES = st.sampled_from(
    [
        "text\n",
        "\n",
        "# Heading\n",
        "- [fact] one #a (since:: 2026-01-01) ^f1\n",
        "* [rule] two [until:: 2026-02-01] ^f2\n",
        "  - [fact] nested ^f3\n",
        "> - [fact] quoted ^f4\n",
        "- [ ] task\n",
        "1. [fact] no fact\n",
        "```\n",
        "    code\n",
        "%%\n",
        "| a |\n|---|\n",
        "---\n",
        "- [fact] over\n  lines ^f5\n",
        "end",
    ]
)
PAGES = st.builds(str.__add__, st.sampled_from(["", "---\ntitle: A\n---\n"]), st.lists(LINES, max_size=10).map("".join))


def facts(text: str) -> list[Fact]:
    return list(parse(PagePath("a.md"), text.encode()).facts)


def added(text: str, **given: object) -> str:
    return with_fact(text, AddFact("fact", "new", id="f9", **given))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("", "- [fact] new ^f9\n"),
        ("text", "text\n\n- [fact] new ^f9\n"),
        ("text\r\n", "text\r\n\r\n- [fact] new ^f9\r\n"),
        ("text\n\n", "text\n\n- [fact] new ^f9\n"),
        ("- item\n", "- item\n- [fact] new ^f9\n"),
        ("---\ntitle: a\n---\n", "---\ntitle: a\n---\n- [fact] new ^f9\n"),
        ("- [fact] a\n\n# H\n", "- [fact] a\n- [fact] new ^f9\n\n# H\n"),
        ("- [fact] a\n# H\n", "- [fact] a\n- [fact] new ^f9\n\n# H\n"),
        ("* [fact] a\n* b", "* [fact] a\n* [fact] new ^f9\n* b"),
        ("- [fact] a\n  - its own\n- b\n", "- [fact] a\n  - its own\n- [fact] new ^f9\n- b\n"),
        ("- a\n  - [fact] b\n\nend\n", "- a\n  - [fact] b\n- [fact] new ^f9\n\nend\n"),
        ("> - [fact] a\n", "> - [fact] a\n\n- [fact] new ^f9\n"),
    ],
)
def test_a_new_fact_comes_after_the_last_one_or_at_the_end(text: str, new: str) -> None:
    assert added(text) == new


def test_a_new_fact_says_all_it_was_given() -> None:
    wanted = AddFact("rule", "Ask\n Ada", ("db", "#x/y"), "2026-11-30", "2027-01-01", "[[pool|the pool]]", "f9")
    new = with_fact("", wanted)
    assert new == (
        "- [rule] Ask Ada #db #x/y (since:: 2026-11-30) (until:: 2027-01-01) (source:: [[pool|the pool]]) ^f9\n"
    )
    (fact,) = facts(new)
    assert (fact.text, fact.tags, fact.source) == ("Ask Ada", ("db", "x/y"), "pool")


@pytest.mark.parametrize(
    "wanted",
    [
        AddFact("two words", "x"),
        AddFact("x", "one letter marks a task"),
        AddFact("", "x"),
        AddFact("fact", " "),
        AddFact("fact", "x", since="tomorrow"),
        AddFact("fact", "x", until="2026-13-01"),
        AddFact("fact", "x", source="a) b"),
        AddFact("fact", "x", tags=("a b",)),
        AddFact("fact", "x", id="f 1"),
        AddFact("fact", "x", id="F1"),
        AddFact("fact", "`x", ("tag`",)),
    ],
)
def test_what_could_not_be_read_as_the_fact_that_is_meant_is_refused(wanted: AddFact) -> None:
    with pytest.raises(BadInput):
        with_fact("- [fact] a ^f1\n", wanted)


@pytest.mark.parametrize("text", ["```\nopen\n", "<!-- open\n"])
def test_a_fact_never_ends_in_what_is_open_at_the_pages_end(text: str) -> None:
    with pytest.raises(BadInput, match="open"):
        added(text)


def test_an_id_is_free_in_the_page_and_among_the_new_ones() -> None:
    ids = iter(["f1", "F1", "f2", "f2", "f3"])
    taken: set[str] = set()
    one = named(AddFact("fact", "x"), "- [fact] a ^f1\n", lambda: next(ids), taken)
    other = named(AddFact("fact", "y"), "- [fact] a ^f1\n", lambda: next(ids), taken)
    own = named(AddFact("fact", "z ^mine"), "", lambda: next(ids), taken)
    assert (one.id, other.id, own.id, own.text) == ("f2", "f3", "mine", "z")


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("- [fact] a ^f1\n- [fact] b ^f2", "- [fact] a (until:: 2026-11-30) ^f1\n- [fact] b ^f2"),
        ("- [fact] a #t (until:: 2030-01-01) ^f1\n", "- [fact] a #t (until:: 2026-11-30) ^f1\n"),
        ("- [fact] a [Until::  x] b ^f1\n", "- [fact] a [Until:: 2026-11-30] b ^f1\n"),
        ("- [fact] a\n  b\n  ^f1\n", "- [fact] a\n  b\n  (until:: 2026-11-30) ^f1\n"),
        ("- [fact] a\n  until:: 2030-01-01\n  ^f1\n", "- [fact] a\n  until:: 2026-11-30\n  ^f1\n"),
        ("> - [fact] a ^F1\n", "> - [fact] a (until:: 2026-11-30) ^F1\n"),
        ("- [fact] a (until:: 2026-11-30) ^f1\n", "- [fact] a (until:: 2026-11-30) ^f1\n"),
    ],
)
def test_a_retracted_fact_says_until_when_it_held(text: str, new: str) -> None:
    assert without_fact(text, Retract("^f1", "2026-11-30")) == new


def test_an_unknown_fact_is_answered_by_the_ids_there_are() -> None:
    page = "".join(f"- [fact] a ^f{n}\n" for n in range(12)) + "- [fact] b\n\ntext ^block\n"
    with pytest.raises(BadInput, match=r"no fact of this page has the id \^block; there are \^f0, .*\^f9 and 2 more"):
        without_fact(page, Retract("block", "2026-11-30"))
    with pytest.raises(BadInput, match="there are none"):
        without_fact("text\n", Retract("", "2026-11-30"))
    with pytest.raises(BadInput, match="no date"):
        without_fact(page, Retract("f1", "soon"))


@given(PAGES)
def test_a_new_fact_is_one_run_of_bytes_more_and_every_other_fact_reads_as_before(text: str) -> None:
    try:
        new = added(text, tags=("t",), since="2026-11-30")
    except BadInput:
        return
    at = next((n for n, (one, other) in enumerate(zip(text, new, strict=False)) if one != other), len(text))
    assert any(text == new[:n] + new[n + len(new) - len(text) :] for n in range(at + 1))
    assert facts(new)[:-1] == facts(text)
    assert facts(new)[-1].id == "f9"


@given(PAGES, st.sampled_from(["f1", "f2", "f3", "f4", "f5"]))
def test_only_the_retracted_fact_reads_otherwise_and_to_retract_it_again_changes_nothing(text: str, name: str) -> None:
    try:
        new = without_fact(text, Retract(name, "2026-11-30"))
    except BadInput:
        return
    assert [fact for fact in facts(new) if fact.id != name] == [fact for fact in facts(text) if fact.id != name]
    assert without_fact(new, Retract(name, "2026-11-30")) == new
