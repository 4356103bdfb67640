"""What fits into a brief."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from memory_wiki.page.path import PagePath, Version
from memory_wiki.recall.brief import SHARES, BriefItem, packed

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def item(section: str, path: str, text: str = "x") -> BriefItem:
    return BriefItem(section, PagePath(path), Version("0" * 40), path, "note", "active", NOON, text)


paths = st.sampled_from([f"{n}.md" for n in range(30)])
items = st.lists(st.builds(item, st.sampled_from(list(SHARES)), paths, st.text(max_size=400)), max_size=40)


@given(items, st.integers(0, 3_000))
def test_it_never_exceeds_its_budget_and_counts_what_it_leaves_out(candidates: list[BriefItem], budget: int) -> None:
    found = packed("shop", candidates, budget)
    assert found.tokens == sum(each.tokens for each in found.items) <= budget
    order = [list(SHARES).index(each.section) for each in found.items]
    assert order == sorted(order)
    every = packed("shop", candidates, 1_000_000)
    assert found.left_out == len(every.items) - len(found.items)
    assert set(found.items) <= set(every.items)


@given(items)
def test_what_has_room_is_in_it(candidates: list[BriefItem]) -> None:
    found = packed("shop", candidates, 1_000_000)
    assert {each.path for each in found.items} == {each.path for each in candidates}
    assert found.left_out == 0


def test_many_pins_leave_room_for_decisions() -> None:
    pins = [item("pinned", f"pin-{n}.md", "p" * 200) for n in range(50)]
    found = packed("shop", [*pins, item("decisions", "why.md", "d" * 200)], 500)
    assert [each.path for each in found.items if each.section == "decisions"] == ["why.md"]


def test_a_page_counts_in_the_first_section_that_it_comes_in() -> None:
    found = packed("shop", [item("decisions", "why.md"), item("pinned", "why.md")], 500)
    assert [each.section for each in found.items] == ["pinned"]
