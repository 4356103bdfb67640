"""Ranking takes the best by words first, and looks no further ahead than a weight can lift a hit."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from memory_wiki.index.entries import WordHit
from memory_wiki.page.path import PagePath, Version
from memory_wiki.recall.rank import PROJECT, Ranked, Setting, rank

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def hit(path: str, score: float, project: str = "", ordinal: int = 0) -> WordHit:
    return WordHit(
        path=PagePath(path), version=Version("0" * 40), ordinal=ordinal, headings=(), first_line=1, last_line=1,
        language="en", speaker="", mark=1, around=(), facts=(), title=path, type="note", id="", tags=(),
        status="active", is_current=True,
        confidence=1.0, pinned=False, project=project, author="", changed=NOON, created=None, score=score,
    )  # fmt: skip


HITS = st.lists(
    st.builds(
        hit,
        st.sampled_from(["a.md", "b.md", "c.md"]),
        st.sampled_from([0.5, 1.0, 1.0 * PROJECT, 1.1, 2.0]),
        st.sampled_from(["", "shop"]),
        st.integers(0, 3),
    ),
    max_size=12,
)


def place(found: Ranked) -> tuple[float, str, int]:
    return -found.score, found.hit.path, found.hit.ordinal


@given(HITS, st.sampled_from(["", "shop", "other"]))
def test_the_best_come_first_and_equals_by_path(hits: list[WordHit], project: str) -> None:
    by_words = sorted(hits, key=lambda one: -one.score)
    found = list(rank(by_words, Setting(project)))
    assert found == sorted(found, key=place)
    assert sorted(map(id, by_words)) == sorted(id(one.hit) for one in found)


def test_a_page_of_the_project_passes_a_slightly_better_one_only() -> None:
    hits = [hit("best.md", 2.0), hit("good.md", 1.1), hit("own.md", 1.0, "shop")]
    assert [one.hit.path for one in rank(hits, Setting("shop"))] == ["best.md", "own.md", "good.md"]
    assert [one.weights for one in rank(hits, Setting("shop"))] == [(), (("project", PROJECT),), ()]


def test_no_more_is_taken_than_could_pass() -> None:
    hits = iter([hit("a.md", 4.0), hit("b.md", 2.0), hit("c.md", 1.9), hit("d.md", 1.8), hit("e.md", 1.0)])
    ranked = rank(hits, Setting("shop"))
    assert next(ranked).hit.path == "a.md"
    assert next(ranked).hit.path == "b.md"
    assert list(hits) == []

    hits = iter([hit("a.md", 4.0), hit("b.md", 2.0), hit("c.md", 1.0)])
    assert next(rank(hits, Setting("shop"))).hit.path == "a.md"
    assert [one.path for one in hits] == ["c.md"]
