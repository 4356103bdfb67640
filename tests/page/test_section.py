"""A section gets another text, and nothing else of the page changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_wiki.errors import BadInput
from memory_wiki.page.section import Section, with_section

PAGE = "---\ntitle: Pool\n---\n# Pool\n\nIntro.\n\n## Limits\n\nTwenty.\n\n### Why\n\nMemory.\n\n## Owners\nAda.\n"
TEXTS = st.sampled_from(
    ["new", "two\nlines", "- a\n- b", "```\n# no heading\n```", "\n\naround\n\n", "", "### deeper\n\nx"]
)
BLOCKS = st.sampled_from(
    ["# One\n", "## Two\n", "Under\n=====\n", "text\n", "\n", "- item\n", "> # quoted\n", "```\n# code\n```\n", "  \n"]
)


@pytest.mark.parametrize(
    ("heading", "text", "old", "new"),
    [
        ("Owners", "Grace.", "## Owners\nAda.\n", "## Owners\nGrace.\n"),
        ("why", "Speed.\n", "### Why\n\nMemory.\n\n", "### Why\n\nSpeed.\n\n"),
        ("LIMITS", "Forty.", "Twenty.\n\n### Why\n\nMemory.\n", "Forty.\n"),
        ("## Limits", "## Limits\n\nForty.\n", "Twenty.\n\n### Why\n\nMemory.\n", "Forty.\n"),
        ("Why", "", "### Why\n\nMemory.\n\n", "### Why\n\n"),
    ],
)
def test_a_section_ends_at_the_next_heading_of_its_level_or_above(heading: str, text: str, old: str, new: str) -> None:
    assert PAGE.count(old) == 1
    assert with_section(PAGE, Section(heading, text)) == PAGE.replace(old, new)


@pytest.mark.parametrize(
    ("page", "new"),
    [
        ("# A", "# A\n\nnew\n"),
        ("# A\r\nold\r\n", "# A\r\nnew\r\n"),
        ("# A\n# B\n", "# A\n\nnew\n\n# B\n"),
        ("# A\nold\n# B\n", "# A\nnew\n\n# B\n"),
        ("A\n=\n\nold\n\n\nB\n=\n", "A\n=\n\nnew\n\n\nB\n=\n"),
        ("# A\n\n- old\n  > # quoted\n", "# A\n\nnew\n"),
        ("# A\n\n    code\n", "# A\n\nnew\n"),
    ],
)
def test_a_text_stands_apart_from_what_follows_and_as_near_to_its_heading_as_before(page: str, new: str) -> None:
    assert with_section(page, Section("A", "new")) == new


@pytest.mark.parametrize(
    ("page", "heading", "said"),
    [
        (PAGE, "Gone", "no heading of this page is 'Gone'; there are # Pool, ## Limits, ### Why, ## Owners"),
        ("# A\n## a\n", "A", "2 headings of this page are 'A'; there are # A, ## a"),
        ("text\n", "A", "there are none"),
        ("> # A\n", "A", "there are none"),
    ],
)
def test_a_heading_that_is_not_there_or_not_alone_is_answered_by_those_there_are(
    page: str, heading: str, said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        with_section(page, Section(heading, "x"))


def test_of_two_headings_with_one_text_the_level_tells() -> None:
    assert with_section("# A\none\n## a\ntwo\n", Section("## A", "new")) == "# A\none\n## a\nnew\n"


@pytest.mark.parametrize("text", ["```\nopen", "<!-- open"])
def test_a_text_that_would_hide_the_headings_below_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="hide"):
        with_section(PAGE, Section("Limits", text))


@given(st.lists(BLOCKS, max_size=12).map("".join), TEXTS, st.sampled_from(["One", "Two", "Under"]))
def test_what_is_above_and_below_a_section_stays_and_the_same_edit_again_changes_nothing(
    page: str, text: str, heading: str
) -> None:
    try:
        changed = with_section(page, Section(heading, text))
    except BadInput:
        return
    assert text.strip() in changed
    try:
        again = with_section(changed, Section(heading, text))
    except BadInput:  # the text has that heading too
        return
    assert again == changed
