"""Pages into passages: what stays together, what is cut, and that no line is lost."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memory_wiki.index.passages import CODE_CHARS, PASSAGE_CHARS, Passage, passages
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath

SENTENCE = "Two services write at once, so we chose Postgres. "


def cut(text: str) -> tuple[Passage, ...]:
    return passages(parse(PagePath("notes/a page.md"), text.encode("utf-8", "surrogatepass")))


def test_each_heading_begins_a_passage_under_its_trail() -> None:
    found = cut("# A\none\n## B\ntwo\n### C\nthree\n## D\nfour\n")
    assert [(p.headings, p.text) for p in found] == [
        (("A",), "# A\none"),
        (("A", "B"), "## B\ntwo"),
        (("A", "B", "C"), "### C\nthree"),
        (("A", "D"), "## D\nfour"),
    ]


def test_a_heading_with_nothing_of_its_own_goes_with_the_deeper_one() -> None:
    (only,) = cut("# A\n\n## B\n\ntext\n")
    assert only.headings == ("A", "B")
    assert (only.first_line, only.last_line) == (1, 5)


def test_a_heading_with_nothing_at_all_is_still_found() -> None:
    assert [p.text for p in cut("text\n## Empty\n## Full\nmore\n## Last")] == [
        "text",
        "## Empty",
        "## Full\nmore",
        "## Last",
    ]


def test_lines_count_the_front_matter_but_no_passage_holds_it() -> None:
    (only,) = cut("---\ntitle: Pool\ntags: [db]\n---\n\nCapped at 20.\n")
    assert (only.first_line, only.last_line, only.text) == (6, 6, "Capped at 20.")


@pytest.mark.parametrize("text", ["", "\n\n", "---\ntitle: Pool\n---\n", "---\ntitle: Pool\n---", "\ufeff"])
def test_a_page_without_text_is_one_empty_passage(text: str) -> None:
    (only,) = cut(text)
    assert (only.ordinal, only.text, only.headings) == (0, "", ())
    assert only.first_line == only.last_line <= text.count("\n") + 1


def test_small_neighbours_share_a_passage_and_large_ones_do_not() -> None:
    assert len(cut("one\n\n- two\n- three\n\nfour\n")) == 1
    paragraph = SENTENCE * 15
    assert [len(p.text) > 700 for p in cut(f"{paragraph}\n\n{paragraph}\n\n{paragraph}\n")] == [True] * 3


def test_a_heading_stays_with_the_large_block_below_it() -> None:
    first, *_ = cut(f"## Why\n\n{SENTENCE * 23}\n\nmore\n")
    assert first.text.startswith("## Why\n\nTwo services")


def test_a_long_list_is_cut_between_items() -> None:
    found = cut("".join(f"- {SENTENCE * 4}\n  and more\n" for _ in range(20)))
    assert len(found) > 1
    assert all(p.text.startswith("- Two") and p.text.endswith("and more") for p in found)
    assert all(len(p.text) <= PASSAGE_CHARS for p in found)


def test_a_long_paragraph_is_cut_between_lines_and_a_long_line_between_words() -> None:
    assert all(p.text.endswith("chose Postgres.") for p in cut(f"{SENTENCE.strip()}\n" * 100))
    found = cut(SENTENCE * 100)
    assert all(len(p.text) <= PASSAGE_CHARS for p in found)
    assert " ".join(p.text for p in found) == SENTENCE * 100
    assert {(p.first_line, p.last_line) for p in found} == {(1, 1)}


def test_a_line_without_spaces_is_cut_all_the_same() -> None:
    found = cut("漢" * 5_000)
    assert "".join(p.text for p in found) == "漢" * 5_000
    assert len(found) == 5


@pytest.mark.parametrize("indent", ["", "  "])
def test_a_fenced_block_stays_whole_unless_it_is_huge(indent: str) -> None:
    def fenced(lines: int) -> str:
        before = "- item\n" if indent else "before\n"
        return before + "".join(f"{indent}{line}\n" for line in ["```py", *["x = 'value'"] * lines, "```", "after"])

    whole = next(p for p in cut(fenced(250)) if "```py" in p.text)
    assert whole.text.count("```") == 2
    assert len(whole.text) > PASSAGE_CHARS
    assert all(len(p.text) <= PASSAGE_CHARS for p in cut(fenced(CODE_CHARS // 8)))


def test_a_passage_names_the_facts_in_it() -> None:
    found = cut("- [fact] one ^f1\n- [fact] no id\n\n## B\n\n- [decision] two ^f2\n")
    assert [p.facts for p in found] == [("f1",), ("f2",)]


def test_a_passage_is_in_the_language_of_its_page() -> None:
    assert {p.language for p in cut("# Der Dienst\nEr ist neu und gut.\n## B\ncode\n")} == {"de"}
    assert {p.language for p in cut("---\nlang: fr\n---\ncode")} == {"fr"}


# Conversations


def turns(text: str, kind: str = "session") -> list[tuple[str, str]]:
    return [(p.speaker, p.text) for p in cut(f"---\ntype: {kind}\n---\n{text}")]


def talk(*said: str) -> str:
    return "".join(f"{one}\n\n" for one in said)


def test_a_conversation_is_cut_by_turns_which_say_who_speaks() -> None:
    said = ["**Ada:** Which one?", "**Bob:** Postgres.\n\nOr Redis.", "**Ada:** Good.", "**Bob:** So be it."]
    found = turns(talk("# Monday", "At work.", *said))
    assert found == [("", "# Monday\n\nAt work."), *((one[2:5], one) for one in said)]
    assert turns(talk(*said), "note") == [("", "\n\n".join(said))]


@pytest.mark.parametrize("label", ["**Ada:**", "**Ada**:", "**Ada**", "**Ada:** well,"])
def test_a_turn_begins_with_who_speaks_in_bold_with_or_without_a_colon(label: str) -> None:
    assert [name for name, _ in turns(talk(*[f"{label} one", "**Bob:** two"] * 2))] == ["Ada", "Bob"] * 2


@pytest.mark.parametrize(
    "text", ["**Ada**mant", "x **Ada:** y", "- **Ada:** y", "> **Ada:** y", "**a:b:** y", "** :** y"]
)
def test_what_only_looks_like_a_turn_is_none(text: str) -> None:
    assert {name for name, _ in turns(talk(*[text] * 3))} == {""}


def test_where_there_are_roles_they_alone_speak() -> None:
    said = ["**User:** How?", "**Assistant:** So:", "**Ada:** is a name", "**Ada:** is a name", "**User:** Ah."]
    assert [name for name, _ in turns(talk(*said))] == ["User", "Assistant", "User"]


def test_people_that_a_model_answers_by_name_speak_too() -> None:
    said = [
        "**Eve:** How?",
        "**Claude:** So:",
        "**Step 1:** Stop.",
        "**Step 2:** Start.",
        "**Eve:** Ah.",
        "**Claude:** Yes.",
    ]
    assert [name for name, _ in turns(talk(*said))] == ["Eve", "Claude", "Eve", "Claude"]
    said = ["**Claude:** Hi.", "**Eve:** Stop it.", "**Claude:** Done.", "**Note:** it is off."]
    assert [name for name, _ in turns(talk(*said))] == ["Claude", "Eve", "Claude"]


def test_a_bold_label_within_what_somebody_says_is_no_turn() -> None:
    steps = "**Ada:** Like so.\n\n**Step 1:** Stop it.\n\n**Step 2:** Start it."
    said = [steps, "**Bob:** Thanks.", "**Ada:** Sure.", "**Bob:** Bye."]
    assert turns(talk(*said)) == [(one[2:5], one) for one in said]


def test_who_speaks_first_is_a_speaker_though_they_say_no_more() -> None:
    found = turns(talk("**Host:** Welcome.", *["**Ada:** Hello.", "**Bob:** Hi."] * 2))
    assert [name for name, _ in found] == ["Host", "Ada", "Bob", "Ada", "Bob"]


def test_a_heading_in_what_somebody_says_is_theirs_and_no_others() -> None:
    said = talk(
        "# Talk", "## Day", "**Ada:** See:", "### Why", "Because.", "**Bob:** Oh.", "**Ada:** Yes.", "**Bob:** No."
    )
    found = cut(f"---\ntype: chat\n---\n{said}")
    assert [(p.headings, p.speaker) for p in found] == [
        (("Talk", "Day"), "Ada"),
        (("Talk", "Day", "Why"), "Ada"),
        (("Talk", "Day"), "Bob"),
        (("Talk", "Day"), "Ada"),
        (("Talk", "Day"), "Bob"),
    ]


def test_the_headings_above_a_conversation_are_quoted_with_its_first_turn_and_said_by_nobody() -> None:
    page = f"---\ntype: chat\n---\n{talk('# Talk', '## Day', '**user:** See.', '**assistant:** Oh.')}"
    first, second = cut(page)
    assert (first.first_line, first.last_line, first.text) == (4, 8, "**user:** See.")
    assert (second.first_line, second.text) == (10, "**assistant:** Oh.")


def test_what_is_written_above_a_conversation_is_a_passage_of_its_own() -> None:
    found = cut(f"---\ntype: chat\n---\n{talk('# Talk', 'In the train.', '**user:** See.', '**assistant:** Oh.')}")
    assert [(p.speaker, p.text) for p in found][:2] == [
        ("", "# Talk\n\nIn the train."),
        ("user", "**user:** See."),
    ]


def test_a_long_message_is_cut_and_each_part_says_who_speaks() -> None:
    found = turns(talk(f"**Ada:** {SENTENCE * 60}", "**Bob:** Long.", "**Ada:** Yes.", "**Bob:** Hm."))
    names = [name for name, _ in found]
    assert names == ["Ada"] * names.index("Bob") + ["Bob", "Ada", "Bob"]
    assert names.index("Bob") > 2
    assert all(len(text) <= PASSAGE_CHARS for _, text in found)


TALK = "---\ntype: session\n---\n"
SAID = ["**Ada:** hello", "**Bob:**", "**user:** why?", "**Assistant:** so", "**Step 2:** then", "**Ada** yes"]
LINES = st.lists(
    st.one_of(
        st.sampled_from(
            ["", "   ", "# A", "## B", "###### F", "- item", "  - nested", "1. one", "> quote", "```", "~~~",
             "    code", "| a | b |", "|---|---|", "<div>", "</div>", "***",
             "===", "---", "%%", "$$", "[x]: http://y", "text"]
        ),
        st.sampled_from(SAID),
        st.sampled_from([SENTENCE * 3, SENTENCE * 30, "x" * 2_000, "- " + SENTENCE * 5]),
        st.text(max_size=12).map(lambda text: " ".join(text.splitlines())),
    ),
    max_size=60,
)  # fmt: skip


@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from(["", "---\ntitle: T\n---\n", TALK]))
@settings(max_examples=100, deadline=None)
def test_each_line_that_is_not_blank_lies_in_exactly_one_passage(lines: list[str], end: str, front: str) -> None:
    page = parse(PagePath("a.md"), (front + end.join(lines)).encode("utf-8", "surrogatepass"))
    assume(page.body_start == len(front))  # lines between two `---` at the top are front matter, and none of the body
    found = passages(page)
    held: dict[int, list[Passage]] = {}
    for passage in found:
        for number in range(passage.first_line, passage.last_line + 1):
            held.setdefault(number, []).append(passage)
    top = len(page.lines) - page.readable.count("\n")
    for number, line in enumerate(page.lines, 1):
        if number >= top and line.strip():
            assert len(held[number]) == 1 or len(line) > PASSAGE_CHARS
            texts = "".join(p.text for p in held[number])
            own = held[number][0].last_line - held[number][0].text.count("\n")
            is_above = number < own and held[number][0].speaker  # a heading that is quoted with the first turn
            assert is_above or all(word in texts for word in line.split() if len(word) < 50)
    assert [p.ordinal for p in found] == list(range(len(found)))
    speakers = [p.speaker for p in found]
    assert front == TALK or not any(speakers)
    assert "" not in speakers[next((n for n, name in enumerate(speakers) if name), len(found)) :]
