"""Each dataset is read as its authors lay it out; a file that is none is a typed error that says where."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.samples import BEAM, LOCOMO, LONGMEMEVAL, SHARED, XQUAD, saved
from memory_wiki.bench import beam, locomo, longmemeval, xquad
from memory_wiki.bench.datasets import load
from memory_wiki.bench.material import Ask, Conversation, Folder, Turn
from memory_wiki.bench.node import Node
from memory_wiki.errors import BadInput

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "conversation",
                    "qa",
                    "session_1",
                    "messages",
                    "questions",
                    "sessions",
                    "id",
                    "role",
                    "chat",
                    "passage",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def test_locomo_is_turns_by_session_in_order_with_what_pictures_show(tmp_path: Path) -> None:
    case = load("locomo", saved(tmp_path, "x.json", LOCOMO)).cases[0]
    assert isinstance(case.source, Conversation)
    assert [session.id for session in case.source.sessions] == ["session_1", "session_2"]
    assert case.source.sessions[0].at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert case.source.sessions[1].turns[1] == Turn("D2:2", "Ada", "Look! (shares a picture: a photo of a lighthouse)")


def test_locomo_takes_several_ids_in_one_string_and_drops_what_no_turn_has() -> None:
    plain, several, junk, adversarial = locomo.read(Node(LOCOMO)).cases[0].asks
    assert plain == Ask("Where did Ada buy a violin?", "single-hop", ("D1:1",), ("session_1",), "Prague")
    assert (several.turns, several.sessions, several.answer) == (("D2:1", "D1:2"), ("session_2", "session_1"), "2")
    assert (junk.turns, junk.is_answerable) == ((), True)
    assert (adversarial.kind, adversarial.is_answerable) == ("adversarial", False)


def test_locomo_drops_numbers_that_no_session_has() -> None:
    many = "9" * 5_000
    asked = {"question": "Where?", "category": 1, "evidence": [f"D{many}:1", f"D1:{many}"]}
    (case,) = locomo.read(Node([{"conversation": {f"session_{many}": []}, "qa": [asked]}])).cases
    assert (case.source, case.asks[0].turns) == (Conversation("conv-1", ()), ())


def test_beam_begins_a_session_where_a_message_has_a_new_time() -> None:
    (case,) = beam.read(Node(BEAM)).cases
    assert isinstance(case.source, Conversation)
    assert case.source.name == "chat-7"
    assert [[turn.id for turn in session.turns] for session in case.source.sessions] == [["0", "1", "2"], ["3"]]
    assert case.source.sessions[1].at == datetime(2024, 4, 5, tzinfo=UTC)
    update, unknown = case.asks
    assert (update.turns, update.sessions) == (("2", "3"), ("session-1", "session-2"))
    assert (unknown.kind, unknown.is_answerable) == ("abstention", False)


@pytest.mark.parametrize("top", [LONGMEMEVAL, SHARED], ids=["as published", "sessions shared"])
def test_longmemeval_is_a_conversation_a_haystack_in_both_layouts(top: object) -> None:
    first, second = longmemeval.read(Node(top)).cases
    assert isinstance(first.source, Conversation)
    assert [session.id for session in first.source.sessions] == ["s1", "s2"]
    assert first.source.sessions[0].at == datetime(2023, 7, 12, 10, 14, tzinfo=UTC)
    assert first.source.sessions[0].turns == (Turn("s1:0", "user", "My otter is called Nils."),)
    assert [(ask.sessions, ask.is_answerable) for ask in first.asks] == [(("s1",), True), (("s1",), False)]
    assert [ask.text for ask in second.asks] == ["When does the ferry leave?"]


def test_xquad_is_a_page_a_passage_from_a_file_or_a_folder_of_languages(tmp_path: Path) -> None:
    for language in ("de", "en"):
        saved(tmp_path, f"xquad_{language}.json", XQUAD)
    both = load("xquad", tmp_path)
    assert [case.source.name for case in both.cases] == ["xquad-de", "xquad-en"]
    assert load("xquad", tmp_path / "xquad_en.json").cases == both.cases[1:]
    assert [(ask.kind, ask.sessions) for ask in both.cases[0].asks] == [
        ("xquad_de", ("1",)),
        ("xquad_de", ("2",)),
        ("xquad_de", ("2",)),
    ]


def test_questions_name_pages_of_a_vault_by_path(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    (vault / "deep").mkdir(parents=True)
    for path in ("a.md", "deep/b.md"):
        (vault / path).write_text("x", encoding="utf-8")
    asked = tmp_path / "q.tsv"
    asked.write_text("question\tpages\nWhich?\ta.md|deep/b.md\n\nWhat?\tdeep/b.md\n", encoding="utf-8")
    (case,) = load("questions", vault, asked).cases
    assert case.source == Folder("vault", vault)
    assert [ask.sessions for ask in case.asks] == [("a.md", "deep/b.md"), ("deep/b.md",)]


@pytest.mark.parametrize(
    ("line", "why"),
    [("no tab", "line 1 is no question"), ("Q\t", "line 1 is no question"), ("Q\tgone.md", "'gone.md'")],
)
def test_a_line_that_is_no_question_says_so(tmp_path: Path, line: str, why: str) -> None:
    (tmp_path / "a.md").write_text("x", encoding="utf-8")
    asked = tmp_path / "q.tsv"
    asked.write_text(line, encoding="utf-8")
    with pytest.raises(BadInput, match=why):
        load("questions", tmp_path, asked)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "it is no JSON"),
        ("[" * 100_000, "it is no JSON"),
        ("5", "the top is 5, and should be a list"),
        ("[]", "holds no question"),
        ('[{"conversation": {}, "qa": [{}]}]', r"\[0\]\.qa\[0\]\.category is null, and should be a text"),
        ('[{"conversation": {"session_1": {}}, "qa": []}]', r"\[0\]\.conversation\.session_1 is \{\}"),
        (
            json.dumps([{**LOCOMO[1], "conversation": {**LOCOMO[1]["conversation"], "session_1_date_time": "noon"}}]),  # type: ignore[dict-item]
            "'noon', which is no date",
        ),
    ],
)
def test_a_file_that_is_no_dataset_says_where_it_is_not(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=why) as raised:
        load("locomo", file)
    assert str(raised.value).startswith(str(file))


def test_a_haystack_that_names_a_session_that_is_not_there_says_which() -> None:
    with pytest.raises(BadInput, match="haystack-1 has no session 's1'"):
        longmemeval.read(Node({**SHARED, "sessions": {}}))
    with pytest.raises(BadInput, match="2 session ids, 1 dates and 2 sessions"):
        longmemeval.read(Node([{**LONGMEMEVAL[0], "haystack_dates": ["2023/07/12 (Wed) 10:14"]}]))


def test_what_can_not_be_read_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_bytes(b"\xff")
    for name in ("gone.json", "bad.json", "."):
        with pytest.raises(BadInput):
            load("beam", tmp_path / name)
    with pytest.raises(BadInput, match="no xquad_"):
        load("xquad", tmp_path)
    with pytest.raises(BadInput, match="is no folder"):
        load("questions", tmp_path / "gone", tmp_path / "bad.json")
    with pytest.raises(BadInput, match="--questions FILE goes with"):
        load("questions", tmp_path)


@given(json_values)
def test_no_json_at_all_makes_a_reader_fail_in_another_way(top: object) -> None:
    for read in (locomo.read, longmemeval.read, beam.read, lambda node: xquad.read("x", node)):
        try:
            read(Node(top))
        except BadInput:
            continue
