"""Text into terms: what is found by what."""

import string
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_wiki.index import analyze
from memory_wiki.index.analyze import TERM_BYTES, question_terms, terms
from memory_wiki.index.language import language_of

ANY_TEXT = st.text(st.characters(), max_size=300)  # surrogates too


def finds(question: str, text: str, language: str = "") -> bool:
    """Whether each word of the question has a form among the terms of the text."""
    held = set(terms(text, language))
    groups = question_terms(question, [language])
    return bool(groups) and all(held.intersection(forms) for forms in groups)


def meets(question: str, text: str) -> bool:
    """Whether some word does."""
    held = set(terms(text))
    return any(held.intersection(forms) for forms in question_terms(question))


@given(st.text(st.characters(max_codepoint=127)))
def test_a_text_that_is_ascii_alone_is_cut_as_any_other(text: str) -> None:
    ours, of_any = (
        [found.span() for found in pattern.finditer(text)] for pattern in (analyze._ASCII_TOKEN, analyze._any_token())
    )
    assert ours == of_any
    assert analyze._ASCII_PART.findall(text) == analyze._any_part().findall(text)


PROSE = st.text(st.sampled_from("aZöÖß\u00b5\u00ffx9éE.,;:!?()[]\"'-_#@+%&/\\\u0301"), min_size=1, max_size=6)


@given(PROSE, st.sampled_from(["", "en", "de", "fr", "xx"]))
def test_a_plain_word_is_cut_as_any_other_chunk(chunk: str, language: str) -> None:
    words = (
        analyze.stem(word.text, language) if word.is_word else analyze._short(word.text)
        for word in analyze._tokens(chunk)
    )
    assert terms(chunk, language) == [*words]


def test_most_words_of_prose_are_plain() -> None:
    words = ["He", "said:", '"Use', "Postgres,", "(not", "SQLite)", "on", "über-fast", 'disks!"', "Größe?", "HTTP."]
    assert [word for word in words if not analyze._SIMPLE_WORD.fullmatch(word)] == ["SQLite)", "über-fast"]


@pytest.mark.parametrize(
    "identifier",
    [
        "snake_case", "camelCase", "HTTPServer2", "kebab-case", "ERR_42", "v1.2.3", "a/b/c.py", "https://x.y/z?q=1",
        "foo.bar()", "C++", "C#", ".env", "node.js", "--flag", "ada@example.org", "@scope/name", r"C:\temp\new.txt",
        "$HOME", "std::vector", "2026-11-30", "PostgreSQL", "__init__.py",
    ],
)  # fmt: skip
def test_an_identifier_is_found_as_it_is_written(identifier: str) -> None:
    assert finds(identifier, f"It says ({identifier}), and stops.")
    assert finds(f"what is `{identifier}`?", f"**{identifier}**.")


@pytest.mark.parametrize(
    "question", ["orderService", "order service", "order_service", "OrderService", "order-service"]
)
@pytest.mark.parametrize("text", ["orderService", "order service", "order_service", "OrderService", "order-service"])
def test_spellings_of_one_identifier_find_one_another(question: str, text: str) -> None:
    assert meets(question, text)


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ("server", "HTTPServer2"), ("c.py", "a/b/c.py"), ("1.2.3", "v1.2.3"), ("env", ".env"), ("flag", "--flag"),
        ("example.org", "ada@example.org"), ("bar", "foo.bar()"), ("orderservice", "orderService"),
        ("err", "ERR_42"),
    ],
)  # fmt: skip
def test_a_part_of_an_identifier_finds_the_whole(part: str, whole: str) -> None:
    assert finds(part, whole)


def test_an_identifier_in_the_plural_finds_one_in_the_singular() -> None:
    assert meets("orderServices", "an orderservice")


def test_c_is_neither_c_plus_plus_nor_c_sharp() -> None:
    assert not meets("C++", "written in C")
    assert not meets("C#", "written in C++")


def test_an_error_code_does_not_match_another() -> None:
    assert "err_42" in terms("ERR_42")
    assert "err_42" not in terms("ERR_43 and 42")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("连接池", "数据库连接池的大小"), ("데이터베이스", "데이터베이스를 옮긴다"),
        ("データベース", "新しいデータベースです"),
        ("ฐานข้อมูล", "ย้ายฐานข้อมูลแล้ว"), ("ຂໍ້ມູນ", "ຖານຂໍ້ມູນ"),
        ("ទិន្នន័យ", "មូលដ្ឋានទិន្នន័យ"), ("ဒေတာ", "ဒေတာဘေ့စ်"),
        ("ﾃﾞｰﾀ", "データ"), ("猫", "猫"), ("Postgres数据库", "数据库 Postgres"), ("हिन्दी", "यह हिन्दी है"),
    ],
)  # fmt: skip
def test_scripts_without_spaces_are_found(question: str, text: str) -> None:
    assert finds(question, text)


@pytest.mark.parametrize(
    ("question", "text", "language"),
    [
        ("Häuser", "das Haus", "de"), ("Verbindungen", "die Verbindung", "de"), ("connexions", "une connexion", "fr"),
        ("соединений", "соединение", "ru"), ("conexiones", "la conexión", "es"), ("services", "the service", "en"),
        ("połączenia", "połączeń", "pl"),
    ],
)  # fmt: skip
def test_an_inflected_word_finds_another_form_of_it(question: str, text: str, language: str) -> None:
    assert finds(question, text, language)


@pytest.mark.parametrize(
    ("question", "text"),
    [("uber", "über"), ("cafe", "Café"), ("lodz", "Łódź"), ("елка", "ёлка"), ("Straße", "STRASSE"), ("ﬁle", "file")],
)
def test_accents_and_case_may_be_left_out(question: str, text: str) -> None:
    assert finds(question, text)


def test_letters_that_only_look_like_accented_ones_are_kept_apart() -> None:
    assert not meets("мои", "мой")
    assert not meets("か", "が")


@pytest.mark.parametrize(
    "question", ["", "  ", "?!… — «»", "the of and", "What is it?", "\ud800", "\u0301", "was ist das denn"]
)
def test_a_question_that_says_nothing_has_no_words(question: str) -> None:
    assert question_terms(question) == []


def test_a_word_common_in_one_language_is_kept_in_a_question_of_another() -> None:
    assert ["die"] in [forms[:1] for forms in question_terms("When does the worker die?", ["de"])]


def test_a_question_counts_each_word_once() -> None:
    assert len(question_terms("pool pool Pool")) == 1


@given(ANY_TEXT, st.sampled_from(["", "en", "de", "zh", "tr", "xx"]))
@settings(max_examples=150)
def test_any_text_gives_short_terms_without_white_space(text: str, language: str) -> None:
    for term in terms(text, language):
        assert len(term.encode()) <= TERM_BYTES
        assert term.split() == [term]


@given(ANY_TEXT)
@settings(max_examples=100)
def test_any_text_finds_itself(text: str) -> None:
    held = set(terms(text))
    assert all(held.intersection(forms) for forms in question_terms(text))


@pytest.mark.parametrize(
    "unit",
    ["漢", "a", "aB", "a_", "a.", "/", "+", "\u0301\u0323", "e\u0301\u0323", "ﷺ", "\U0001f600", "-a", "👩‍💻", "\ud800"],
)
def test_hostile_runs_take_linear_time(unit: str) -> None:
    text = "".join(unit * 500 + str(n) for n in range(200 // len(unit)))
    started = time.process_time()
    found = terms(text)
    language_of(text)
    assert time.process_time() - started < 10  # usual is 0.1; a quadratic step would take minutes
    assert all(len(term.encode()) <= TERM_BYTES for term in found)


def test_a_long_run_of_characters_loses_no_pair() -> None:
    run = "".join(chr(0x4E00 + n) for n in range(1_000))
    assert set(terms(run)) == {run[i : i + 2] for i in range(999)}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The pool is capped at twenty connections, as two services write at once.", "en"),
        ("Der Dienst speichert seine Daten, weil zwei Prozesse gleichzeitig schreiben.", "de"),
        ("Le service enregistre ses données parce que deux processus écrivent.", "fr"),
        ("El servicio guarda los datos porque dos procesos escriben a la vez.", "es"),
        ("Il servizio salva i dati perché due processi scrivono insieme.", "it"),
        ("O serviço guarda os dados porque dois processos escrevem ao mesmo tempo.", "pt"),
        ("De dienst bewaart zijn gegevens omdat twee processen tegelijk schrijven.", "nl"),
        ("Tjänsten sparar sina data eftersom två processer skriver samtidigt.", "sv"),
        ("Usługa przechowuje dane, ponieważ dwa procesy piszą jednocześnie.", "pl"),
        ("Služba ukládá data, protože dva procesy zapisují současně.", "cs"),
        ("Сервис хранит данные, потому что два процесса пишут одновременно.", "ru"),
        ("Сервіс зберігає дані, тому що два процеси пишуть одночасно.", "uk"),
        ("تخزن الخدمة بياناتها في قاعدة البيانات", "ar"), ("注文サービスはデータを保存します。", "ja"),
        ("订单服务使用 Postgres。", "zh"), ("주문 서비스는 데이터를 저장합니다.", "ko"), ("บริการสั่งซื้อเก็บข้อมูล", "th"),
    ],
)  # fmt: skip
def test_a_plain_sentence_tells_its_language(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    "note",
    [
        "Fix ERR_42 in order_service", "Pool capped at 20 connections", "SELECT id FROM orders WHERE status = 'open'",
        "Los Angeles wifi password rotation", "npm ci breaks on Node 22", "def close(self): del self._index", "",
        "jobs die early", "42", "feat: add tenant id to audit log", "Use a Résumé parser",
    ],
)  # fmt: skip
def test_a_short_technical_note_is_not_taken_for_another_language(note: str) -> None:
    assert language_of(note) in {"", "en"}


@pytest.mark.parametrize(("hint", "language"), [("de", "de"), ("de-AT", "de"), ("pt_BR", "pt"), (" FR ", "fr")])
def test_a_page_that_names_its_language_is_believed(hint: str, language: str) -> None:
    assert language_of("The order service is down.", hint) == language


@pytest.mark.parametrize("hint", ["German", "?", "", "x", "\ud800"])
def test_a_hint_that_is_no_code_is_passed_over(hint: str) -> None:
    assert language_of("The order service is down.", hint) == "en"


def test_all_of_ascii_is_harmless() -> None:
    assert terms(string.printable)
