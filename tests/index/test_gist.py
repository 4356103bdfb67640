"""What a model is given of a passage: its text, who says it or what it stands under, and nothing else."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_wiki.index.gist import begins_with, gist, mark
from memory_wiki.index.passages import Passage, passages
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath

FRONT = "---\ntitle: Pool size\nid: 01JDZ6Q9V3\ntags: [area/db]\nsecret: sesame\n---\n"


def gists(text: str, path: str = "notes/a.md") -> list[str]:
    page = parse(PagePath(path), text.encode("utf-8", "surrogateescape"))
    return [gist(page.title, passage) for passage in passages(page)]


def passage(text: str, *headings: str, speaker: str = "") -> Passage:
    return Passage(PagePath("a.md"), 0, headings, 1, 1, text, "en", (), speaker)


def test_a_passage_stands_under_its_title_and_headings() -> None:
    assert gists(f"{FRONT}## Limits\nCapped at twenty.\n") == ["Pool size\n## Limits\nCapped at twenty."]
    before, *after = gists(f"{FRONT}## Limits\n{'Capped at twenty. ' * 60}\n\n{'Or at thirty. ' * 60}\n")
    assert before.startswith("Pool size\n## Limits\nCapped")
    assert after
    assert all(text.startswith("Pool size > Limits\n") for text in after)


@pytest.mark.parametrize("body", ["Capped.\n", "", "# A\n\n## B\ntext\n", f"{'word ' * 900}\n", "**Ada:** Hi.\n"])
@pytest.mark.parametrize("kind", ["note", "session"])
def test_front_matter_is_no_part_of_it(body: str, kind: str) -> None:
    text = FRONT.replace("id:", f"type: {kind}\nid:") + body
    for given_text in gists(text):
        assert not any(word in given_text for word in ("01JDZ6Q9V3", "area/db", "sesame", "---", "title:"))


def test_a_page_whose_only_other_difference_is_its_front_matter_has_the_same_vectors() -> None:
    other = FRONT.replace("sesame", "changed").replace("area/db", "other")
    assert gists(f"{FRONT}text\n") == gists(f"{other}text\n")


def test_a_title_that_only_repeats_how_the_text_begins_is_left_out() -> None:
    assert gists("# Pool size\nCapped at twenty.\n") == ["# Pool size\nCapped at twenty."]
    assert gists("Capped at twenty, by the *pool*.\n", "Capped at twenty.md") == ["Capped at twenty, by the *pool*."]
    assert gist("T", passage("text", "T", "U", "U")) == "T > U\ntext"


@pytest.mark.parametrize(
    ("text", "title", "begins"),
    [
        ("Pool size matters", "Pool size", True), ("## Pool: SIZE", "pool size", True), ("Pool", "Pool size", False),
        ("The pool size", "Pool size", False), ("Pool sizes", "Pool size", False), ("text", "", False),
        ("", "Pool", False), ("text", "?!", False), ("**Straße** x", "STRASSE", True),
        ("日本語の題", "日本語の題", True),
    ],
)  # fmt: skip
def test_a_text_begins_with_a_title_word_for_word(text: str, title: str, *, begins: bool) -> None:
    assert begins_with(text, title) is begins


def test_block_ids_and_emphasis_are_no_words() -> None:
    assert gist("", passage("- [fact] It is **twenty** ^f1\n- [fact] and __so__ on ^f-2")) == (
        "- [fact] It is twenty\n- [fact] and so on"
    )
    assert gist("", passage("2^f1 and a^b")) == "2^f1 and a^b"


def test_a_turn_carries_who_says_it_once_and_no_title() -> None:
    said = "**Ada:** We use Postgres.\n\n**Bob:** Since when?\n\n"
    talk = f"---\ntype: session\ntitle: Monday 5 May\n---\n# Talk\n\n{said * 2}"
    assert gists(talk) == ["Ada: We use Postgres.", "Bob: Since when?"] * 2
    assert gist("T", passage("the rest of it", "H", speaker="Ada")) == "Ada: the rest of it"
    assert gist("T", passage("**Ada:**", speaker="Ada")) == "Ada:"


@given(st.text(st.characters(), max_size=80), st.text(st.characters(), max_size=20), st.text(max_size=5))
def test_any_text_has_a_gist_and_a_mark_of_63_bits_that_is_never_0(text: str, title: str, speaker: str) -> None:
    found = mark(gist(title, passage(text, title, speaker=speaker)))
    assert 0 < found < 2**63
    assert found == mark(gist(title, passage(text, title, speaker=speaker)))


def test_a_mark_stays_what_it_was_in_earlier_releases() -> None:
    """Else all that is embedded would be embedded anew."""
    assert mark("We chose Postgres.") == 1175496818758782680
    assert mark("") == int(hashlib.sha256().hexdigest()[:16], 16) // 2


def test_texts_that_differ_in_bytes_that_are_no_text_have_marks_of_their_own() -> None:
    odd = ["\ud800", "\udcff", "\udcfe", "?", ""]
    assert len({mark(text) for text in odd}) == len(odd)
