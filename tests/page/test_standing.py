"""A request that holds from now on is told from what is so and what was, by the shape of its sentence."""

from datetime import UTC, datetime
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_wiki.page.memory import Birth, Memory, compose
from memory_wiki.page.standing import MOST_CHARACTERS, holds_standing, is_standing

BIRTH = Birth("01KB", datetime(2026, 11, 30, tzinfo=UTC), "ada", lambda: "f0001")
REPEATED = st.sampled_from(
    ["always ", "please also so and ", "I want you to ", "wenn ich ", "from now on ", "a. ", "\n", "请"]
)


@pytest.mark.parametrize(
    "text",
    [
        "Always use tabs",
        "Never mention the budget.",
        "From now on, answer in German.",
        "Please don't use emojis",
        "I prefer short answers",
        "I'd rather have tables",
        "I like my answers brief",
        "Make sure to always run the linter",
        "When I ask about errors, always include the code",
        "Remember to sign commits",
        "Don't ever push to main",
        "Always format code with syntax highlighting when I ask about implementation",
        "I want you to always answer in French",
        "I need you to keep answers short",
        "- [preference] Always use spaces",
        "We prefer Postgres over MySQL",
        "never ever delete branches",
        "Please always cite sources",
        "Whenever I ask for code, use Python 3",
        "Use metric units from now on",
        "Verwende immer Tabs",
        "Bitte keine Emojis",
        "Ab jetzt auf Deutsch antworten",
        "Ich bevorzuge kurze Antworten",
        "Wenn ich nach Fehlern frage, nenne immer den Code",
        "Immer Tabs verwenden",
        "Nutze niemals globale Variablen",
        "Utilise toujours des tabulations",
        "Ne mentionne jamais le budget",
        "Je préfère les réponses courtes",
        "À partir de maintenant, réponds en français",
        "Quand je demande du code, utilise Python",
        "Usa siempre tabuladores",
        "Nunca menciones el presupuesto",
        "Prefiero respuestas cortas",
        "A partir de ahora responde en español",
        "Siempre incluye ejemplos",
        "Всегда используй табуляцию",
        "Никогда не упоминай бюджет",
        "Я предпочитаю короткие ответы",
        "Отныне отвечай по-русски",
        "总是使用制表符",
        "请不要提到预算",
        "我更喜欢简短的回答",
        "从现在开始请用中文回答",
        "当我问代码时，请用Python",
        "I would prefer if you avoided jargon",
        "Always show the full path. It helps me.",
        "Don't forget to add tests",
    ],
)
def test_a_request_that_holds_from_now_on_is_recognised(text: str) -> None:
    assert is_standing(text)


@pytest.mark.parametrize(
    "text",
    [
        "The server always restarts",
        "I never went to Paris",
        "it never works",
        "Never went back to Paris",
        "Always restarts after an update",
        "He always prefers tea",
        "Should I always use tabs?",
        "We chose Postgres because two services write at once.",
        "Never mind",
        "Always the same error",
        "It is always on",
        "Always been slow",
        "The pool is capped at 20 connections",
        "I always forget the password",
        "They never use tabs",
        "Deployment never finished",
        "Never seen that before",
        "What do you prefer?",
        "The linter makes sure to always run",
        "From now on the service runs on port 80",
        "In the future we will move to Kubernetes",
        "Never again",
        "She said to always use tabs",
        "Der Server startet immer neu",
        "Ich war nie in Paris",
        "Habe nie verstanden warum",
        "Le serveur redémarre toujours",
        "Je ne suis jamais allé à Paris",
        "El servidor siempre se reinicia",
        "Nunca fui a París",
        "Siempre se reinicia",
        "Сервер всегда перезагружается",
        "Я никогда не был в Париже",
        "服务器总是重启",
        "我从来没去过巴黎",
        "When I ask about X, what happens?",
        "Users prefer dark mode",
        "Remember the migration of May",
        "Can you help me write a function?",
        "I want to add a login page",
        "Please fix the bug",
        "don't know why it fails",
        "Running the tests never takes long",
        "If it fails, restart it",
    ],
)
def test_what_is_so_and_what_was_asks_for_nothing(text: str) -> None:
    assert not is_standing(text)


@pytest.mark.parametrize(
    "text",
    [
        "The linter is ruff 0.14.\n\n- Always run it.\n- It never fails.\n\n```\nAlways x\n```\nI prefer ruff 0.14.",
        "The linter is ruff 0.14. Always run it.",
        "```\nAlways x\n```\nThe linter is ruff 0.14.",
        "I'm new to Flask, so I prefer few dependencies, can you help me choose?",
    ],
)
def test_a_text_that_does_more_than_ask_is_no_request_as_a_whole(text: str) -> None:
    assert not is_standing(text)


@pytest.mark.parametrize(
    "text",
    [
        "Good. From now on always run `make lint` before you commit.",
        "Agreed: frost first, then moisture. And please always write commit messages in the imperative.",
        "Is it so? Never mention the budget.",
    ],
)
def test_a_turn_may_ask_for_something_in_passing(text: str) -> None:
    assert holds_standing(text)
    assert not is_standing(text)


@pytest.mark.parametrize(
    "text",
    ["No prob! Always here to help.", "Thanks. Always up for something sweet.", "Hm. The server always restarts."],
)
def test_what_is_said_out_of_politeness_asks_for_nothing(text: str) -> None:
    assert not holds_standing(text)


@pytest.mark.parametrize(
    ("text", "type_", "kind"),
    [
        ("Always use tabs.", "", "preference"),
        ("Always use tabs.", "fact", "fact"),
        ("---\ntype: rule\n---\nAlways use tabs.", "", "rule"),
        ("---\ntags: [style]\n---\nAlways use tabs.", "", "preference"),
        ("The server always restarts.", "", "note"),
        ("Always use tabs. " + "The old files have spaces. " * 4, "", "note"),
    ],
)
def test_a_memory_that_is_a_standing_request_is_a_preference_unless_it_says_otherwise(
    text: str, type_: str, kind: str
) -> None:
    assert compose(Memory(text, type=type_), BIRTH).type == kind


@given(st.text())
def test_any_text_is_survived(text: str) -> None:
    assert not is_standing(text) or text.strip()


@given(REPEATED)
def test_a_sentence_without_an_end_takes_no_time_to_speak_of(words: str) -> None:
    begin = perf_counter()
    is_standing((words * 5_000)[:MOST_CHARACTERS])
    is_standing(words * 5_000)
    assert perf_counter() - begin < 5
