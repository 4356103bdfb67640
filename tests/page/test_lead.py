"""The first sentence of a page: prose, whole, and on one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_wiki.page.lead import MOST, lead

SHOP = "Backend of the web shop."


@pytest.mark.parametrize(
    "text",
    [
        SHOP,
        f"---\ntitle: Shop\n---\n{SHOP} It is written in Python.",
        f"\ufeff---\ntitle: A. B\n...\n\n{SHOP}",
        f"# Shop\n\n{SHOP}\n\nMore.",
        f"Shop\n====\n{SHOP}",
        f"Shop\n---\n{SHOP}",
        "Backend of\n  the web\nshop.\nIt sells.",
        f"- [decision] Postgres\n1. one\n> [!note] quoted\n| a | b |\n![](a.png)\n***\nowner:: ada\n[a]: b\n{SHOP}",
        f"```\ncode. Here\n```\n    indented.\n{SHOP}",
        f"~~~md\nnever closed?\n~~~\n\n{SHOP}",
        f"%% hidden\n\nby Obsidian %%\n\n<!-- or\n\nHTML. -->\n{SHOP}",
    ],
)
def test_it_is_the_first_sentence_in_prose(text: str) -> None:
    assert lead(text.split("\n")) == SHOP


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Runs on Postgres 16.2, e.g. as a replica. More.", "Runs on Postgres 16.2, e.g. as a replica."),
        ("**Atlas** loads [[source-feeds|feeds]]! Then it rests.", "**Atlas** loads [[source-feeds|feeds]]!"),
        ("(Not used any more.) Really.", "(Not used any more.)"),
        ("网店的后端。用 Python 写成。", "网店的后端。"),
        ("No full stop\n\nanother paragraph.", "No full stop"),
        ("2026 it began. Then.", "2026 it began."),
        ("---\nno: end", "no: end"),
        ("# Only a heading\n\n- and\n- a list", ""),
        ("", ""),
    ],
)
def test_a_sentence_ends_where_it_ends(text: str, said: str) -> None:
    assert lead(text.split("\n")) == said


def test_a_long_sentence_is_cut_between_words() -> None:
    said = lead([f"{'words and ' * 50}so on."])
    assert said.endswith((" words …", " and …"))
    assert MOST - 10 < len(said) <= MOST + 2
    assert lead(["字" * 300]) == "字" * MOST + " …"


@given(st.text(alphabet="ab. \n-#>|`%<!=*_:[]~\t\ufeff1é。", max_size=300))
def test_any_text_has_one_and_it_is_of_one_line(text: str) -> None:
    said = lead(text.split("\n"))
    assert "\n" not in said
    assert len(said) <= MOST + 2
