"""The word index over real folders: what is found, what is filtered, and what is known of pages."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from telling import ALL, NOON, entry, found, hits, take_in

from memory_wiki.index.entries import Entry, Filter
from memory_wiki.index.weights import FIELDS
from memory_wiki.index.words import Words
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath, folded, version_of


@pytest.fixture
def words(tmp_path: Path) -> Iterator[Words]:
    opened = Words.open(tmp_path / "words")
    yield opened
    opened.close()


# What is found


def test_a_page_is_found_by_its_body_title_alias_tag_and_heading(words: Words) -> None:
    text = "---\ntitle: Postgres\naliases: [the elephant]\ntags: [area/db]\n---\n## Limits\nCapped at twenty.\n"
    take_in(words, entry("a.md", text), entry("b.md", "Redis"))
    for question in ("postgres", "elephant", "area/db", "limits", "capped twenty"):
        assert found(words, question) == ["a.md"]


def test_a_title_outweighs_a_mention(words: Words) -> None:
    mention = "We also thought of Postgres, but it was not what we needed at that time."
    take_in(words, entry("mention.md", mention), entry("title.md", "# Postgres\nChosen for the orders."))
    assert found(words, "postgres") == ["title.md", "mention.md"]


def test_a_page_without_text_is_found_by_its_name(words: Words) -> None:
    take_in(words, entry("notes/Pool exhaustion.md", ""))
    assert found(words, "pool exhaustion") == ["notes/Pool exhaustion.md"]


def test_a_hit_says_where_it_is_and_what_page_it_is_of(words: Words) -> None:
    text = "---\ntype: decision\npinned: true\n---\n# Pool\n\nOf connections.\n\n## Size\n\n- [fact] Twenty ^f1\n"
    take_in(words, entry("p/a.md", text, project="shop"))
    hit = hits(words, "size twenty elephants", ALL, 1)[0]
    assert (hit.path, hit.version, hit.ordinal) == ("p/a.md", version_of(text.encode()), 1)
    assert (hit.headings, hit.first_line, hit.last_line) == (("Pool", "Size"), 9, 11)
    assert (hit.facts, hit.title, hit.type, hit.pinned, hit.project) == (("f1",), "Pool", "decision", True, "shop")


def test_hits_are_read_as_they_were_when_they_were_found(words: Words) -> None:
    take_in(words, entry("a.md", "text"), entry("b.md", "text"))
    found = words.search(words.forms("text"), ALL, 2)
    words.update([PagePath("a.md"), PagePath("b.md")], [], lambda: "")
    assert [hit.path for hit in found] == ["a.md", "b.md"]


def test_a_score_is_that_of_the_best_fields_and_a_part_of_the_others(words: Words) -> None:
    take_in(words, entry("a.md", "# Pool size\nThe pool has twenty."), entry("b.md", "Something else about pools"))
    asked = words.forms("pool size twenty")
    for hit in words.search(asked, ALL, 5):
        parts = words.explain(hit, asked)
        assert max(part for _, part in parts) <= hit.score <= sum(part for _, part in parts) + 1e-6
    assert words.explain(hit, words.forms("elephants")) == ()


@pytest.mark.parametrize("question", ["", "?", "the of and", "\0", "\ud800", '+-&&||!(){}[]^"~*?:\\/', "NOT", "body:"])
def test_a_question_without_words_has_no_answers(words: Words, question: str) -> None:
    take_in(words, entry("a.md", "text"))
    assert hits(words, question) == []


@pytest.mark.parametrize("limit", [0, -1])
def test_no_answers_are_given_where_none_are_wanted(words: Words, limit: int) -> None:
    take_in(words, entry("a.md", "text"))
    assert hits(words, "text", ALL, limit) == []
    assert words.newest(ALL, limit) == []


def test_who_wants_more_than_there_can_be_gets_all(words: Words) -> None:
    for many in (10**13, 2**63 - 1, 2**64):
        assert words.of_time(ALL, None, None, many, is_oldest_first=True) == []
    take_in(words, entry("a.md", "text"))
    for many in (10**13, 2**63 - 1, 2**64):
        assert [hit.path for hit in words.of_time(ALL, None, None, many, is_oldest_first=True)] == ["a.md"]
        assert [page.path for page in words.newest(ALL, many)] == ["a.md"]
        assert [hit.path for hit in hits(words, "text", ALL, many)] == ["a.md"]


@given(st.text(st.characters(), max_size=200))
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_text_is_a_question_and_a_filter(words: Words, text: str) -> None:
    hits(words, text, ALL, 3)
    hits(words, "pool", Filter((text,), (text,), (text,), (text,), (text,), author=text), 3)
    assert words.with_id(text) == words.with_remote(text) == words.linking_to(text) == ()


@given(st.text(st.characters(), max_size=120))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_text_is_a_page(words: Words, text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    take_in(words, Entry(parse(PagePath("a.md"), data), text, text, NOON))
    assert words.have() == {"a.md": version_of(data)}
    held = words.page(PagePath("a.md"))
    assert held is not None
    assert (held.project, held.author) == (text, text)


def test_a_long_question_costs_as_much_as_its_rarest_words(words: Words) -> None:
    take_in(words, entry("a.md", "needle"), *(entry(f"{n}.md", f"hay{n}") for n in range(100)))
    question = " ".join(f"hay{n}" for n in range(100)) + " nothing" * 100 + " needle"
    assert 20 < len(hits(words, question, ALL, 200)) <= 64
    assert found(words, " ".join("m" * n for n in range(2, 100)) + " needle") == ["a.md"]


def test_pages_of_several_languages_are_found_by_inflected_words(words: Words) -> None:
    take_in(
        words,
        entry("de.md", "Die Verbindungen werden nicht geschlossen, weil der Dienst sie behält."),
        entry("en.md", "The connections are not closed because the service keeps them."),
        entry("zh.md", "数据库连接没有关闭，因为服务保留了它们。"),
        entry("ja.md", "データベースの接続は閉じられません。"),
        entry("ko.md", "데이터베이스 연결이 닫히지 않습니다."),
        entry("th.md", "การเชื่อมต่อฐานข้อมูลไม่ถูกปิด"),
        entry("ru.md", "Соединения не закрываются, потому что сервис их держит."),
    )
    assert words.languages() == {"de", "en", "zh", "ja", "ko", "th", "ru"}
    for question, path in [
        ("Verbindung", "de.md"), ("connection", "en.md"), ("连接", "zh.md"), ("接続", "ja.md"), ("연결", "ko.md"),
        ("เชื่อมต่อ", "th.md"), ("соединение", "ru.md"),
    ]:  # fmt: skip
        assert found(words, question) == [path]


# What is filtered


@pytest.mark.parametrize(
    "wanted",
    [
        Filter(projects=("shop", "none")), Filter(types=("Decision",)), Filter(tags=("area",)),
        Filter(tags=("#Area/DB",)), Filter(tags=("area/db", "pool")), Filter(folders=("projects/shop",)),
        Filter(folders=("/projects/",)),
        Filter(folders=("projects/shop/a.md",)), Filter(folders=("",)), Filter(statuses=("superseded",)),
        Filter(author="ada"), Filter(author="LOVELACE Ada"), Filter(author="ada@example.org"), Filter(since=NOON),
        Filter(until=NOON), Filter(projects=("shop",), author="ada", since=NOON, until=NOON),
    ],
)  # fmt: skip
def test_a_page_passes_a_filter(words: Words, wanted: Filter) -> None:
    text = "---\ntype: decision\ntags: [area/db, pool]\nstatus: superseded\n---\ntext"
    take_in(words, entry("projects/shop/a.md", text, "shop", "Ada Lovelace <ada@example.org>"))
    assert found(words, "text", wanted) == ["projects/shop/a.md"]
    assert [page.path for page in words.pages(wanted)] == ["projects/shop/a.md"]


@pytest.mark.parametrize(
    "wanted",
    [
        Filter(projects=("sho",)), Filter(types=("fact",)), Filter(tags=("are",)), Filter(tags=("area", "none")),
        Filter(folders=("projects/sh",)), Filter(folders=("shop",)), Filter(statuses=("active",)),
        Filter(author="ada bob"), Filter(since=NOON + timedelta(microseconds=1)),
        Filter(until=NOON - timedelta(microseconds=1)),
        Filter(projects=("shop",), types=("fact",)),
    ],
)  # fmt: skip
def test_a_page_is_kept_back_by_a_filter(words: Words, wanted: Filter) -> None:
    text = "---\ntype: decision\ntags: [area/db, pool]\nstatus: superseded\n---\ntext"
    take_in(words, entry("projects/shop/a.md", text, "shop", "Ada Lovelace <ada@example.org>"))
    assert found(words, "text", wanted) == []
    assert words.pages(wanted) == []


def test_filters_apply_before_the_cut(words: Words) -> None:
    noisy = (entry(f"noise/{n}.md", "# Pool\npool pool pool", project="noise") for n in range(100))
    take_in(words, *noisy, entry("shop/a.md", "a long text in which a pool is mentioned once", project="shop"))
    assert found(words, "pool", Filter(projects=("shop",)), 5) == ["shop/a.md"]


# What is found by meaning


def numbered(*texts: str) -> list[Entry]:
    return [entry(f"{n:03}.md", text, day=n) for n, text in enumerate(texts)]


def mark_of(words: Words, question: str) -> int:
    return hits(words, question)[0].mark


def test_passages_are_gathered_by_words_or_by_mark_each_once(words: Words) -> None:
    take_in(words, *numbered("pool one", "pool two", "redis", "kafka"))
    redis, two = mark_of(words, "redis"), mark_of(words, "two")
    by_words = words.gather(words.forms("pool"), [], ALL, 10)
    assert sorted(hit.path for hit in by_words) == ["000.md", "001.md"]
    both = words.gather(words.forms("pool"), [redis, two, 12345], ALL, 10)
    assert sorted(hit.path for hit in both) == ["000.md", "001.md", "002.md"]
    scores: dict[str, float] = {hit.path: hit.score for hit in both}
    assert scores["002.md"] == 0
    assert {hit.path: hit.score for hit in by_words} == {path: scores[path] for path in ("000.md", "001.md")}
    assert [hit.path for hit in words.gather([], [redis], ALL, 10)] == ["002.md"]
    assert words.gather([], [], ALL, 10) == []


def test_what_is_gathered_by_mark_has_its_score_by_words_though_others_have_more(words: Words) -> None:
    take_in(words, *numbered(*("pool " * 9 + f"x{n}" for n in range(30)), "a pool among many other words here"))
    mark = mark_of(words, "among")
    found = words.gather(words.forms("pool"), [mark], ALL, 5)
    assert len(found) == 6
    assert all(hit.score > 0 for hit in found)


def test_what_is_gathered_passes_the_filter(words: Words) -> None:
    take_in(words, *numbered("pool", "redis"), entry("shop/a.md", "kafka", "shop"))
    marks = [mark_of(words, word) for word in ("redis", "kafka")]
    found = words.gather(words.forms("pool"), marks, Filter(projects=("shop",)), 10)
    assert [hit.path for hit in found] == ["shop/a.md"]


def test_a_mark_that_many_pages_share_gives_them_all_as_far_as_asked(words: Words) -> None:
    take_in(words, *numbered(*["# One\nthe orders text"] * 30))
    mark = mark_of(words, "orders")
    assert len(words.gather([], [mark], ALL, 40)) == 30
    assert [hit.path for hit in words.with_marks([mark], 3)] == ["029.md", "028.md", "027.md"]
    assert words.marks() == [mark] * 30


def test_a_text_that_hundreds_of_pages_say_hides_no_other_that_is_near(words: Words) -> None:
    others = [entry(f"{n}.md", f"All about walrus{n}") for n in range(8)]
    take_in(words, *others, *(entry(f"copies/{n:03}.md", "# Copied\n\nand the copied text") for n in range(60)))
    marks = {mark_of(words, f"walrus{n}") for n in range(8)} | {mark_of(words, "copied")}
    gathered = words.gather([], marks, ALL, 10)
    assert {hit.mark for hit in gathered} == marks
    assert len(gathered) == 10 + 2 * len(marks)


def test_the_marks_are_those_of_all_passages_and_no_others(words: Words) -> None:
    assert words.marks() == []
    take_in(words, *numbered("one", "# A\ntwo\n# B\nthree"), marker="x")
    assert len(words.marks()) == words.count()[1] == 3
    assert 0 not in words.marks()
    words.update([PagePath("001.md")], [], lambda: "y")
    assert words.marks() == [mark_of(words, "one")]


def test_passages_with_marks_are_those_that_changed_last(words: Words) -> None:
    take_in(words, *numbered("one", "two", "three"))
    marks = words.marks()
    assert [hit.path for hit in words.with_marks(marks, 2)] == ["002.md", "001.md"]
    assert [hit.path for hit in words.with_marks([mark_of(words, "one")], 9)] == ["000.md"]
    assert words.with_marks([], 9) == []


def test_requests_are_of_pages_that_pass_and_the_newest_first(words: Words) -> None:
    asks = [entry(f"{n}.md", f"---\ntype: preference\n---\nUse {n}.", "shop" * (n % 2), day=n) for n in range(5)]
    take_in(words, *asks, entry("note.md", "Use nothing.", day=9))
    assert [hit.path for hit in words.requests(ALL, 3)] == ["4.md", "3.md", "2.md"]
    assert [hit.path for hit in words.requests(Filter(projects=("shop",)), 9)] == ["3.md", "1.md"]
    assert words.requests(Filter(types=("note",)), 9) == []


def test_a_rare_word_tells_more_than_a_common_one_and_an_unknown_one_the_most(words: Words) -> None:
    take_in(words, *numbered(*(f"common x{n}" for n in range(20)), "common rare"))
    common, rare, unknown = words.rarity([["common"], ["rare"], ["elephant"]])
    assert 0 < common < rare < unknown
    assert words.rarity([["elephant", "rare", "common"]]) == [common]
    assert words.rarity([]) == []


def test_rarity_stays_above_0_though_pages_were_forgotten(words: Words) -> None:
    take_in(words, *numbered(*["common"] * 20))
    words.update([PagePath(f"{n:03}.md") for n in range(19)], [], lambda: "")
    assert words.rarity([["common"]])[0] > 0


def test_a_field_that_is_left_out_finds_nothing(words: Words) -> None:
    take_in(words, entry("a.md", "---\ntitle: Elephant\ntags: [db]\n---\n## Limits\nCapped."))
    for field, question in [("title", "elephant"), ("tags", "db"), ("heading", "limits"), ("body", "capped")]:
        asked = words.forms(question)
        assert [hit.path for hit in words.search(asked, ALL, 9, [field])] == ["a.md"]
        others = [name for name in FIELDS if name != field]
        if field != "heading":  # which is part of the body too
            assert words.gather(asked, [], ALL, 9, others) == []
    assert words.gather(words.forms("capped"), [], ALL, 9, []) == []


# What pages are


def test_a_page_is_known_as_it_is(words: Words) -> None:
    text = (
        "---\ntitle: T\nid: 01X\ntype: person\ntags: [a/b]\naliases: [Al]\ncreated: 2026-01-02T03:04:05Z\n"
        "by: ada via x\nconfidence: 0.5\nstatus: disputed\nremotes: [git@example.org:a/b.git]\n---\n"
        "[[Other|o]] [m](x/Some%20page.md)\n"
    )
    take_in(words, entry("n/a.md", text, project="p"))
    page = words.page(PagePath("n/a.md"))
    assert page is not None
    assert (page.title, page.id, page.type, page.tags, page.aliases) == ("T", "01X", "person", ("a/b",), ("Al",))
    assert (page.created, page.changed) == (datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), NOON)
    assert (page.by, page.confidence, page.status, page.pinned) == ("ada via x", 0.5, "disputed", False)
    assert (page.links, page.remotes, page.problems) == (("other", "some page"), ("example.org/a/b",), 0)
    assert words.page(PagePath("n/b.md")) is None


def test_pages_are_found_by_name_id_remote_path_and_link(words: Words) -> None:
    text = "---\nid: 01X\naliases: [The Pool]\nremotes: https://example.org/a\n---\n[[notes/Other#x]]"
    take_in(words, entry("N/Größe.md", text), entry("größe.md", "[[Other]]"))
    assert words.named(folded("größe")) == ("N/Größe.md", "größe.md")
    assert words.named("the pool") == words.with_id("01X") == ("N/Größe.md",)
    assert words.with_remote("https://example.org/a") == words.with_folded_path(folded("N/GRÖẞE.md")) == ("N/Größe.md",)
    assert words.linking_to("other") == ("N/Größe.md", "größe.md")
    assert words.named("other") == ()


def test_pages_come_by_path_and_the_newest_first(words: Words) -> None:
    take_in(words, entry("b.md", "", day=1), entry("c.md", "", day=3), entry("a.md", "", day=2))
    assert [page.path for page in words.pages(ALL)] == ["a.md", "b.md", "c.md"]
    assert [page.path for page in words.pages(ALL, 2)] == ["a.md", "b.md"]
    assert [page.path for page in words.newest(ALL, 2)] == ["c.md", "a.md"]


def test_a_path_that_is_not_utf_8_is_known_as_it_is_on_disk(words: Words) -> None:
    odd = [r"a\udcff.md", "a\udcff.md", "漢字.md", "a\\b.md", "\0.md", "x" * 5_000 + ".md"]
    take_in(words, *(entry(path, "text") for path in odd))
    assert set(words.have()) == set(odd)
    assert sorted(found(words, "text")) == sorted(odd)
    words.update([PagePath("a\udcff.md")], [], lambda: "")
    assert set(words.have()) == {*odd} - {"a\udcff.md"}
