"""Hostile words: pages, titles, names, revisions and questions that break lesser parsers."""

from collections.abc import Callable

import pytest

from kit import run_git
from memory_wiki.errors import BadInput, BadPage, NotFound
from memory_wiki.index.entries import Filter
from memory_wiki.page.edit import Append, SetKey
from memory_wiki.page.memory import Memory
from memory_wiki.page.path import folded, page_path
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.remembering import Wish
from wiki.hostile import HERON, found, heron, problems, put, with_heron

# Pages

BOMB = b"---\na: &a [x,x,x,x,x,x,x,x,x]\n" + b"".join(
    b"%c: &%c [%s]\n" % (c + 1, c + 1, b",".join([b"*%c" % c] * 9)) for c in range(ord("a"), ord("k"))
)
BROKEN = {
    "bomb.md": BOMB + b"---\nx\n",
    "recursive.md": b"---\na: &a\n  b: *a\n---\nx\n",
    "deep.md": b"---\na: " + b"[" * 20_000 + b"]" * 20_000 + b"\n---\nx\n",
    "code.md": b"---\na: !!python/object/apply:os.system ['touch pwned']\n---\nx\n",
    "list.md": b"---\n- a\n- b\n---\nx\n",
    "scalar.md": b"---\nonly words\n---\nx\n",
    "open.md": b"---\ntitle: x\n",
    "torn.md": b"---\na: [\n---\nx\n",
    "zero.md": b"---\na: \0\n---\nx\n",
}
"""Front matter that can't be read."""
NO_TEXT = {"latin.md": b"caf\xe9\n", "nil.md": b"a\0b\n", "surrogate.md": b"\xed\xa0\x80\n"}
TWICE = {"twice.md": b"---\na: 1\na: 2\n---\nx\n"}


def test_a_broken_page_is_a_problem_in_check_and_all_others_are_found(wiki: Wiki) -> None:
    good = with_heron(wiki)
    put(wiki, {**BROKEN, **NO_TEXT, **TWICE})
    codes = problems(wiki)
    assert codes.keys() == {*BROKEN, *NO_TEXT, *TWICE}
    assert {path for path, code in codes.items() if "front-matter" in code} == BROKEN.keys()
    assert {path for path, code in codes.items() if "encoding" in code} == {*NO_TEXT, "zero.md"}
    assert codes["twice.md"] == {"duplicate-key"}
    assert found(wiki, "heron") == {HERON}
    assert not wiki.prove().differing
    assert heron(wiki) == good
    assert not (wiki.vault.root / "pwned").exists()


def test_no_key_is_set_in_front_matter_that_can_not_be_read(wiki: Wiki) -> None:
    put(wiki, {**BROKEN, **TWICE})
    for name, data in {**BROKEN, **TWICE}.items():
        with pytest.raises(BadPage):
            wiki.edit(name, (SetKey("a", "superseded"),))
        assert (wiki.vault.root / name).read_bytes() == data


def test_bytes_that_are_no_text_survive_an_edit_of_the_rest(wiki: Wiki) -> None:
    put(wiki, NO_TEXT)
    for name, data in NO_TEXT.items():
        wiki.edit(name, (SetKey("status", "superseded"), Append("More.")))
        assert (wiki.vault.root / name).read_bytes() == b"---\nstatus: superseded\n---\n" + data + b"More.\n"


def test_a_broken_page_can_be_moved_archived_and_restored_byte_for_byte(wiki: Wiki) -> None:
    put(wiki, BROKEN)
    for name in ("torn.md", "zero.md"):
        wiki.move(name, "broken/")
        wiki.archive(f"broken/{name}")
        assert (wiki.vault.root / "archive/broken" / name).read_bytes() == BROKEN[name]
        wiki.restore(f"archive/broken/{name}", "HEAD~1")
        assert (wiki.vault.root / "broken" / name).read_bytes() == BROKEN[name]


def test_a_page_of_50_megabytes_hides_no_other_and_is_a_problem(wiki: Wiki) -> None:
    """Takes seconds: git takes in 50 MB, and each look reads them."""
    good = with_heron(wiki)
    put(wiki, {"large.md": b"herons and things in the sea\n" * 1_800_000})
    assert HERON in found(wiki, "heron")
    assert "too-large" in problems(wiki)["large.md"]
    with pytest.raises(BadPage):
        wiki.edit("large", (SetKey("status", "superseded"),))
    assert heron(wiki) == good


def test_a_long_page_that_says_a_word_everywhere_hides_no_other(wiki: Wiki) -> None:
    diary = "".join(f"# Heron {n}\n\nHeron, heron, heron number {n}.\n\n" for n in range(100))
    put(wiki, {"diary.md": diary.encode(), "zoo.md": b"Of the animals there, the one that I liked best was a heron.\n"})
    assert found(wiki, "heron") == {"diary.md", "zoo.md"}


# Titles, tags, projects

TITLES = [
    *("!!!", "...", "/", "\\", "🐦🐦🐦", "x" * 500, "ä" * 500, "two\nlines", "two\r\nlines", "x\n\nActor: root", "CON"),
    *("nul.md", "index", "Log", "../../x", ".git", "C:\\x", "--help", "-", "'; rm -rf /", "\u202eback", "\x1b[31mred"),
    *("[[x]]", "# x", "a: b", "---", "null", "2026-11-30", "{}", "\ufeff", "x\x1e\x1f\x1dy", "a\u2028b"),
]


def test_any_title_at_all_gives_a_safe_name_and_reads_as_it_was_given(wiki: Wiki) -> None:
    done = wiki.remember_each([Wish(Memory("Text.", title=title), "") for title in TITLES])
    for title, written in zip(TITLES, done, strict=True):
        assert page_path(written.path) == written.path
        assert written.path.startswith("global/notes/")
        page = wiki.read(written.path).page
        assert (page.title, page.problems) == (" ".join(title.split()), ())
    assert len({folded(written.path) for written in done}) == len(TITLES)
    assert problems(wiki) == {}


def test_no_title_adds_a_trailer_to_its_commit(wiki: Wiki) -> None:
    for written in wiki.remember_each([Wish(Memory("Text.", title=title), "") for title in TITLES]):
        trailers = run_git(wiki.vault.root, "log", "-1", "--format=%(trailers:only)", written.commit).splitlines()
        assert trailers == [
            "Op: remember",
            f"Page: {written.path}",
            "Actor: ada",
            "Agent: claude-code",
            "Session: session-7",
        ]


def test_text_that_can_be_no_page_is_refused(wiki: Wiki) -> None:
    for memory in (
        Memory(""),
        Memory("\n"),
        Memory("\ud800"),
        Memory("x", title="\ud800"),
        Memory("x", type="\ud800"),
        Memory("x", tags=("\ud800",)),
        Memory("x", confidence=float("nan")),
    ):
        with pytest.raises(BadPage):
            wiki.remember(Wish(memory, ""))
    assert wiki.status().pages == 0


def test_a_title_of_white_space_counts_as_none(wiki: Wiki) -> None:
    assert wiki.remember(Wish(Memory("A heron.", title=" \u2028"), "")).path == "global/notes/a-heron.md"


def test_a_page_named_index_or_log_keeps_clear_of_the_reserved_names(wiki: Wiki) -> None:
    paths = [wiki.remember(Wish(Memory("x", title=title), "")).path for title in ("index", "LOG")]
    assert paths == ["global/notes/index-page.md", "global/notes/log-page.md"]


def test_names_that_differ_by_case_or_unicode_form_do_not_collide(wiki: Wiki) -> None:
    titles = ["Heron", "HERON", "heron", "Caf\u00e9", "Cafe\u0301", "STRASSE", "Straße"]
    done = wiki.remember_each([Wish(Memory("x", title=title), "") for title in titles])
    assert len({folded(written.path) for written in done}) == len(titles)
    assert [bool(written.namesake) for written in done] == [False, True, True, False, True, False, True]


def test_files_that_differ_by_case_or_unicode_form_are_each_found_and_reported(wiki: Wiki) -> None:
    names = ["README.md", "readme.md", "Caf\u00e9.md", "Cafe\u0301.md"]
    put(wiki, {name: ascii(name).encode() for name in names})
    for name in names:
        assert wiki.read(name).page.text == ascii(name)
    assert sorted(code for codes in problems(wiki).values() for code in codes) == ["same-name", "same-name"]
    assert not wiki.prove().differing


def test_a_page_whose_name_no_title_would_make_is_found_and_shown(wiki: Wiki) -> None:
    names = ["new\nline.md", "-x.md", "*.md", 'q"\\.md', "\x1b[31m.md", "con.md", "a:b.md", " sp .md", "x.MD", "a'b.md"]
    put(wiki, dict.fromkeys(names, b"A heron.\n"))
    assert {entry.path for entry in wiki.pages(Filter(), None).pages} == set(names)
    assert not wiki.prove().differing
    for name in ("-x.md", "x.MD", "a'b.md"):
        wiki.edit(name, (Append("More."),))
        assert len(wiki.log(name, None).versions) == 2


@pytest.mark.parametrize("name", [":x.md", "a\x1eb.md", "a\x1fb.md"], ids=ascii)
def test_a_file_name_that_looks_like_gits_own_output_stops_nothing(wiki: Wiki, name: str) -> None:
    with_heron(wiki)
    put(wiki, {name: b"A purple heron.\n"})
    assert found(wiki, "heron") == {HERON, name}
    assert [commit.subject.split(":")[0] for commit in wiki.log_all(None).commits] == ["add", "remember", "init"]


@pytest.mark.parametrize("said", ["a\x1eb", "a\x1fb", "x\n\nActor: a\x1fb"], ids=ascii)
def test_a_strangers_commit_may_say_anything(wiki: Wiki, said: str) -> None:
    with_heron(wiki)
    put(wiki, {"page.md": b"A purple heron.\n"})
    run_git(wiki.vault.root, "add", "page.md")
    run_git(wiki.vault.root, "commit", "-q", "-m", said)
    assert found(wiki, "heron") == {HERON, "page.md"}
    assert len(wiki.log("page", None).versions) == 1


def test_odd_tags_are_kept_and_filter(wiki: Wiki) -> None:
    tags = ("a b", "#c", "d,e", '"', "'", "[x]", "x: y", "# z", "null", "日本", "a/b", "\x1b", "x\ny", "---")
    page = wiki.read(wiki.remember(Wish(Memory("x", title="T", tags=tags), "")).path).page
    assert page.problems == ()
    assert len(page.tags) == len(tags)
    for tag in page.tags:
        assert [entry.path for entry in wiki.pages(Filter(tags=(tag,)), None).pages] == [page.path]


def test_a_project_is_one_folder_of_the_vault_whatever_it_is_called(wiki: Wiki) -> None:
    names = {"../../x": "x", "/etc": "etc", "CON": "con-page", "a b/c": "a-b-c", "日本": "日本", ".git": "git"}
    done = wiki.remember_each([Wish(Memory("x", title="T"), project) for project in names])
    assert [written.path for written in done] == [f"projects/{folder}/notes/t.md" for folder in names.values()]


def test_a_project_without_a_letter_is_refused(wiki: Wiki) -> None:
    for project in ("..", "!!", " ", "/", "🐦", "\ud800"):
        with pytest.raises(BadInput):
            wiki.remember(Wish(Memory("x"), project))
    assert wiki.status().pages == 0


# Revisions and questions

REVISIONS = [
    *("-x", "--help", "--output=pwned", "-n1", "$(touch pwned)", "`touch pwned`", "; touch pwned", "| touch pwned"),
    *("a\0b", "a\nb", " ", "HEAD^{tree}", ":/init"),
    *("HEAD:global/notes/heron.md", "..", "HEAD..HEAD", "*", "a" * 99_999),
    *("abc", "ffffffff", "@{", "@{}", "@{u}", "@{-1}", "@{soon}", "@{2026-02-30}", "@{9999 years ago}", "@{2020}"),
]


def looks_back(wiki: Wiki, revision: str) -> list[Callable[[], object]]:
    return [
        lambda: wiki.read(HERON, revision),
        lambda: wiki.restore(HERON, revision),
        lambda: wiki.diff(HERON, revision),
        lambda: wiki.diff(HERON, "HEAD", revision),
    ]


def test_what_is_no_revision_of_the_page_is_a_typed_error_and_runs_nothing(wiki: Wiki) -> None:
    good = with_heron(wiki)
    for revision in REVISIONS:
        with pytest.raises((BadInput, NotFound)):
            wiki.restore(HERON, revision)
    for revision in ("-x", "$(touch pwned)", "HEAD..HEAD", "@{soon}"):
        for look in looks_back(wiki, revision):
            with pytest.raises((BadInput, NotFound)):
                look()
    assert not list(wiki.vault.root.rglob("pwned"))
    assert heron(wiki) == good


@pytest.mark.parametrize("revision", ["^HEAD", "\ud800", "@{0001-01-01}", "@{1900-01-01}"], ids=ascii)
def test_a_revision_at_the_edge_is_a_typed_error_too(wiki: Wiki, revision: str) -> None:
    with_heron(wiki)
    for look in looks_back(wiki, revision):
        with pytest.raises((BadInput, NotFound)):
            look()


def test_the_last_day_of_all_is_a_day(wiki: Wiki) -> None:
    good = with_heron(wiki)
    assert wiki.read(HERON, "@{9999-12-31}").page.data == good


QUESTIONS = [
    *("", " ", "...", "!?", "AND", "heron AND", "*", "her*", "title:", "title:heron", '"', '"heron', "heron~2"),
    *("^", "(", "[a TO b]", "+-", "\\", "-heron", "/heron/", "heron:*", "\0", "\x1b[31m", "\ud800heron", "🐦", "ﬀ"),
    *("'; --", "<script>", "%s %n", "heron\nheron", "heron " * 16_667, "x" * 100_000, "!" * 100_000, "鷺" * 100_000),
]


def test_any_question_at_all_has_an_answer(wiki: Wiki) -> None:
    good = with_heron(wiki)
    for question in QUESTIONS:
        assert found(wiki, question) == ({HERON} if "heron" in question else set()), question[:20]
    assert heron(wiki) == good


def test_a_page_moved_to_where_it_is_is_nothing_to_do(wiki: Wiki) -> None:
    good = with_heron(wiki)
    assert wiki.move("Heron", HERON).commit == ""
    assert heron(wiki) == good
