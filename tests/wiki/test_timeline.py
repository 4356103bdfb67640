"""What happened is told in order, by the time that each page says it is about."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_wiki.index.entries import Filter
from memory_wiki.wiki import Memory, Wiki, Wish
from memory_wiki.wiki.answers import Timeline
from memory_wiki.wiki.when import end_of, start_of


def page(root: Path, name: str, created: str, text: str) -> None:
    (root / f"{name}.md").write_text(f"---\ntype: session\ncreated: {created}\n---\n{text}\n", encoding="utf-8")


@pytest.fixture
def told(root: Path, wiki: Wiki) -> Wiki:
    page(root, "may", "2025-05-08", "# Heron one\n\nA heron came.\n\n# Heron two\n\nAnother heron, a grey one, left.")
    page(root, "march", "2025-03-01T10:00:00Z", "The heron was first seen by the pond, said Ada.")
    page(root, "june", "2025-06-01", "No bird at all.")
    return wiki


def paths(found: Timeline) -> list[str]:
    return [moment.path for moment in found.moments]


def test_pages_come_by_their_own_time_and_not_by_when_they_were_written(told: Wiki) -> None:
    assert paths(told.timeline("", Filter(), 10)) == ["march.md", "may.md", "june.md"]


def test_a_page_that_tells_no_time_is_of_its_last_change(root: Path, told: Wiki) -> None:
    (root / "plain.md").write_text("A heron.\n", encoding="utf-8")
    found = told.timeline("", Filter(), 10)
    assert paths(found)[-1] == "plain.md"
    assert found.moments[-1].at == told.index.words.page(found.moments[-1].path).changed  # type: ignore[union-attr]


def test_passages_about_a_topic_come_in_order_of_time_and_then_of_place(told: Wiki) -> None:
    found = told.timeline("heron", Filter(), 10)
    assert paths(found) == ["march.md", "may.md", "may.md"]
    assert [moment.line for moment in found.moments] == sorted(moment.line for moment in found.moments)
    assert "first seen by the pond" in found.moments[0].text


@pytest.mark.parametrize("topic", ["", "heron bird"])
@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        ("2025-05-08", "2025-05-08", {"may.md"}),
        ("2025-03-02", "", {"may.md", "june.md"}),
        ("", "2025-03-01", {"march.md"}),
        ("2026-01-01", "", set()),
    ],
)
def test_bounds_are_of_a_pages_own_time(told: Wiki, topic: str, since: str, until: str, expected: set[str]) -> None:
    now = told.chance.now()
    wanted = Filter(since=start_of(since, now) if since else None, until=end_of(until, now) if until else None)
    assert set(paths(told.timeline(topic, wanted, 10))) == expected


def test_no_passage_within_bounds_is_crowded_out_by_others_outside(told: Wiki, root: Path) -> None:
    (root / "later").mkdir()
    for number in range(100):
        page(root, f"later/{number}", "2026-01-01", f"Heron, heron {number}, n{number} of m{number}: heron k{number}.")
    page(root, "new", "2025-07-01", "Among much else that was of no great weight at all, somebody saw a heron.")
    wanted = Filter(until=datetime(2025, 12, 31, tzinfo=UTC))
    assert paths(told.timeline("heron", wanted, 4)) == ["march.md", "may.md", "may.md", "new.md"]
    assert paths(told.timeline("heron", replace(wanted, folders=("new.md",)), 4)) == ["new.md"]


def test_one_page_within_bounds_may_fill_a_timeline(told: Wiki, root: Path) -> None:
    events = "\n\n".join(f"# Hour {n}\n\nA heron, the {n}th: {n} a{n} b{n} c{n} d{n} e{n} f{n}." for n in range(20))
    page(root, "july", "2025-07-01", events)
    found = told.timeline("heron", Filter(since=datetime(2025, 7, 1, tzinfo=UTC)), 20)
    assert paths(found) == ["july.md"] * 20


def test_more_than_the_limit_is_counted(told: Wiki) -> None:
    found = told.timeline("", Filter(), 2)
    assert (paths(found), found.left_out) == (["march.md", "may.md"], 1)
    assert told.timeline("heron", Filter(), 1).left_out >= 1


def test_other_filters_hold_too(told: Wiki) -> None:
    told.remember(Wish(Memory("A heron is no bittern.", type="fact")))
    assert len(told.timeline("", Filter(types=("fact",)), 10).moments) == 1
    assert len(told.timeline("heron", Filter(types=("fact",)), 10).moments) == 1
