"""Facts: what is one, what it says, and how it gets an id without another byte changing."""

import itertools
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_wiki.page.facts import Fact, find, with_ids
from memory_wiki.page.markup import scan

DAY = datetime(2026, 11, 30, tzinfo=UTC)


def facts(body: str) -> tuple[Fact, ...]:
    return find(scan(body), body)


def test_a_fact_is_read_with_all_its_parts() -> None:
    body = (
        "intro\n\n- [decision] Orders live in [[postgres|Postgres 16]] #db #limits/pool (since:: 2026-11-30)"
        " (until:: 2027-01-01T00:00:00Z) (source:: [[2026-11-30-pool|that day]]) ^f7k2m\n"
    )
    assert facts(body) == (
        Fact(
            category="decision",
            text="Orders live in Postgres 16",
            tags=("db", "limits/pool"),
            since=DAY,
            until=datetime(2027, 1, 1, tzinfo=UTC),
            source="2026-11-30-pool",
            id="f7k2m",
            line=3,
        ),
    )


@pytest.mark.parametrize(
    ("body", "category", "text", "tags"),
    [
        ("- [fact] plain", "fact", "plain", ()),
        ("* [fact] star", "fact", "star", ()),
        ("+ [fact]  plus ", "fact", "plus", ()),
        ("> - [fact] quoted", "fact", "quoted", ()),
        ("- outer\n  - [fact] inner", "fact", "inner", ()),
        ("- [fact] over\n  two lines", "fact", "over two lines", ()),
        ("- [method] Pour over #brewing (at home)", "method", "Pour over #brewing (at home)", ("brewing",)),
        ("- [fact] the #db is **full** of `rows` #a #b", "fact", "the #db is full of rows", ("db", "a", "b")),
        ("- [fact] a (since:: 2026-11-30) b", "fact", "a b", ()),
        ("- [決定] 注文は Postgres に #保存", "決定", "注文は Postgres に", ("保存",)),
        ("- [حقيقة] نص", "حقيقة", "نص", ()),
        ("- [तथ्य] पाठ", "तथ्य", "पाठ", ()),
        ("- [tech-debt_2] x", "tech-debt_2", "x", ()),
    ],
)
def test_facts(body: str, category: str, text: str, tags: tuple[str, ...]) -> None:
    assert [(fact.category, fact.text, fact.tags) for fact in facts(body)] == [(category, text, tags)]


@pytest.mark.parametrize(
    "body",
    [
        "- [ ] task",
        "- [x] done",
        "- [/] half",
        "- [🙂] task",
        "- [link](page.md) text",
        "- [[wiki]] text",
        "- [fact]",
        "- [fact]no space",
        "- [two words] x",
        "- [a!] x",
        "- plain",
        "[fact] no item",
        "1. [fact] numbered",
        "```\n- [fact] code\n```",
        "    - [fact] code",
        "%%\n- [fact] comment\n%%",
        "<div>\n- [fact] html\n</div>",
        "- `[fact] code`",
    ],
)
def test_what_is_no_fact(body: str) -> None:
    assert facts(body) == ()
    assert with_ids(scan(body), body, lambda: "never") == body


def test_a_date_that_is_none_is_left_out_and_a_source_may_be_text() -> None:
    (fact,) = facts("- [fact] x (since:: lately) [source:: RFC 9110]")
    assert (fact.since, fact.until, fact.source) == (None, None, "RFC 9110")


def test_ids_are_added_to_facts_alone_and_never_twice() -> None:
    body = "- [aa] one  \n- [bb] two ^f1\n- [ ] task\n- [cc] three\n  goes on\n\n```\n- [dd] code\n```\n- [ee] four"
    body = body.replace("\n", "\r\n")
    new = (f"f{n}" for n in itertools.count(1))
    expected = body.replace("one", "one ^f2").replace("goes on", "goes on ^f3").replace("four", "four ^f4")
    assert with_ids(scan(body), body, lambda: next(new)) == expected


PIECES = [
    "- [ab] ",
    "* [cd] ",
    "- ",
    "> ",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "  ",
    "a ",
    "^x1",
    " ^x2",
    "#t ",
    "(since:: 2026-11-30)",
    "`",
]
PIECES += ["%%", "```\n", "| a |\n|--|\n", "<!--", "-->", "[[a]]", "---\n", "日本", "\0", "\udcff", "\t", "# ", "[ab] "]


@settings(max_examples=150)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_adding_ids_changes_nothing_that_the_facts_say(body: str) -> None:
    count = itertools.count()
    changed = with_ids(scan(body), body, lambda: f"n{next(count)}")
    before, after = facts(body), facts(changed)
    assert all(fact.id for fact in after)
    assert [(f.category, f.text, f.tags, f.line) for f in before] == [
        (f.category, f.text, f.tags, f.line) for f in after
    ]
    added = iter(changed)
    assert all(char in added for char in body)  # body is a subsequence: nothing was taken away
    assert with_ids(scan(changed), changed, lambda: "never") == changed
    assert len(changed) - len(body) == sum(len(f" ^{b.id}") for a, b in zip(before, after, strict=True) if not a.id)
