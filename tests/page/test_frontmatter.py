"""Front matter: bytes survive, only the key meant changes, and nothing that YAML can hold does harm."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memory_wiki.errors import BadPage
from memory_wiki.page.frontmatter import Value, compose, read, remove_key, set_key, split

ENTRIES = [
    "title: Use Postgres",
    "title: 'it''s'  # quoted on purpose",
    '"quoted key": "a\\tb"',
    "# a comment of its own",
    "",
    "tags: [a, b]",
    "tags:  # block style\n  - a  # first\n  - b\n  # after the last",
    "aliases: &all [one, two]\nagain: *all",
    "country: no",
    "zip: 0123",
    "day: 2026-11-30",
    "when: 2026-11-30T12:00:00Z",
    "status: active   # why",
    "empty:",
    "empty:   # nothing yet",
    "text: |\n  literal\n\n  more\n",
    "text: >-\n  one\n  # no comment\n  two",
    "map: {a: 1, 'b': [2, 3]}",
    "nested:\n  deep:\n    - er\n# not nested",
    "? odd\n: value",
    "plain: goes on\n  and on  # and on",
    "---x: 1",
    "é日本🙂: ü",
    "at: 12:30",
]
BROKEN = [
    "- a list",
    "broken: [",
    "a: b: c",
    "\ttab: 1",
    "nul: \0",
    "bad: \udcff",
    "nel: \x85\u2028",
    " indented: 1",
    "x",
]
KEYS = [
    "title",
    "tags",
    "status",
    "new",
    "text",
    "nested",
    "empty",
    "country",
    "quoted key",
    "é日本🙂",
    "no",
    "a: b",
    "plain",
]
ODD_TEXTS = [
    "",
    "no",
    "0123",
    "null",
    "~",
    "2026-11-30",
    "[[link]]",
    "a: b",
    "# x",
    " lead",
    "trail ",
    "=",
    "<<",
    "it's",
]
ODD_TEXTS += [
    'say "hi"',
    "C:\\x",
    "- a",
    "a #b",
    "a:",
    "1e3",
    "0o7",
    "12:30",
    "🙂",
    "👨‍👩‍👧",
    "{{date}}",
    "\x07",
    "a\nb",
    "---",
]

odd_texts = st.one_of(st.sampled_from(ODD_TEXTS), st.text(max_size=20))
zones = st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30)), timezone(timedelta(hours=-11))])
moments = st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=zones)  # noqa: DTZ001 - bounds of a strategy
odd_values = st.one_of(
    odd_texts,
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.floats(),
    moments,
    st.lists(odd_texts, max_size=3).map(tuple),
)


@st.composite
def pages(draw: st.DrawFn) -> str:
    """Texts that are pages, nearly pages, or none, with every kind of front matter, line end and body."""
    entries = draw(st.lists(st.sampled_from(ENTRIES), max_size=6, unique=draw(st.integers(0, 3)) > 0))
    if draw(st.integers(0, 7)) == 0:
        entries.append(draw(st.sampled_from(BROKEN)))
    opening, closing = draw(
        st.sampled_from([("---", "---")] * 6 + [("---", "--- "), ("---", "..."), (" ---", "---"), ("", "")])
    )
    body = draw(
        st.sampled_from(
            ["", "text", "\n---\ntext\n---\n", "---\nk: v\n---", "  indented\n", "\ufeff", "\udcff\0", "\r\n"]
        )
    )
    newline = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    front = "\n".join([opening, *entries, closing, ""]).replace("\n", newline)
    return draw(st.sampled_from(["", "\ufeff"])) + front + body


@given(st.one_of(pages(), st.text()))
def test_any_text_reads_without_error_and_its_parts_make_it_up_again(text: str) -> None:
    found = read(text)
    block = split(text)
    assert found.body_start == (block.body if block else int(text.startswith("\ufeff")))
    assert not (found.values and block is None)
    for entry in found.entries:
        assert block
        assert text[block.start :][entry.key_start : entry.key_end].strip("\"'")
        assert block.start + entry.end <= block.end


@settings(max_examples=150)
@given(pages(), st.sampled_from(KEYS), odd_values)
@example("---\nempty:\nnext: 1\n---\n", "empty", "now")
@example("---\ntitle: a\n---", "new", "no newline at the end of the fence")
def test_a_key_set_reads_back_and_nothing_else_changes(text: str, key: str, value: Value) -> None:
    before = read(text)
    try:
        changed = set_key(text, key, value)
    except BadPage:
        return  # that it is not refused without need is for the next tests
    after = read(changed)
    assert repr(after.values[key]) == repr(as_read(value))
    assert {k: repr(v) for k, v in after.values.items() if k != key} == {
        k: repr(v) for k, v in before.values.items() if k != key
    }
    assert changed[after.body_start :] == text[before.body_start :]
    assert set_key(changed, key, value) == changed


@given(pages(), st.sampled_from(KEYS), odd_texts)
def test_every_byte_outside_the_value_stays(text: str, key: str, value: str) -> None:
    block = split(text)
    if block is None:
        return
    try:
        changed = set_key(text, key, value)
    except BadPage:
        return
    spans = [(block.start + e.key_end, block.start + e.end) for e in read(text).entries if e.key == key]
    start, end = spans[0] if spans else (block.end, block.end)
    assert changed.startswith(text[:start])
    assert changed.endswith(text[end:])


@given(pages(), st.sampled_from(KEYS), odd_texts)
def test_removing_a_new_key_gives_the_old_bytes(text: str, key: str, value: str) -> None:
    before = read(text)
    if key in before.values or split(text) is None:
        return
    try:
        changed = set_key(text, key, value)
    except BadPage:
        return
    assert remove_key(changed, key) == text


@given(pages(), st.sampled_from(KEYS))
def test_a_key_removed_is_gone_and_others_stay(text: str, key: str) -> None:
    before = read(text)
    try:
        changed = remove_key(text, key)
    except BadPage:
        return
    after = read(changed)
    assert {k: repr(v) for k, v in after.values.items()} == {k: repr(v) for k, v in before.values.items() if k != key}
    assert changed[after.body_start :] == text[before.body_start :]
    assert remove_key(changed, key) == changed


@given(st.dictionaries(odd_texts, odd_values, max_size=5), st.text(st.characters(exclude_categories=["Cs"])))
def test_a_composed_page_reads_as_it_was_meant(values: dict[str, Value], body: str) -> None:
    try:
        text = compose(list(values.items()), body)
    except BadPage:
        return
    found = read(text)
    assert {k: repr(v) for k, v in found.values.items()} == {k: repr(as_read(v)) for k, v in values.items()}
    assert list(found.values) == list(values)
    assert text[found.body_start :] == body


def as_read(value: Value) -> object:
    if isinstance(value, datetime):
        return value.astimezone(UTC).replace(fold=0)
    return list(value) if isinstance(value, tuple) else value


PAGE = """\
---
# who we are
title: 'Orders'   # quoted
tags:  # sorted
  - db
  - orders  # last
# about the status
status: active # so far
text: |
  one

  two

# the end
---
body
"""


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("title", "Invoices", "title: 'Orders'   # quoted\n", "title: Invoices   # quoted\n"),
        ("status", "archived", "status: active # so far\n", "status: archived # so far\n"),
        (
            "tags",
            ("a", "b, c"),
            "tags:  # sorted\n  - db\n  - orders  # last\n",
            'tags: [a, "b, c"]  # sorted  # last\n',
        ),
        ("text", "short", "text: |\n  one\n\n  two\n", "text: short\n"),
        ("new", True, "# the end\n", "# the end\nnew: true\n"),
    ],
)
def test_a_value_is_replaced_in_its_place_and_comments_stay(key: str, value: Value, old: str, new: str) -> None:
    assert set_key(PAGE, key, value) == PAGE.replace(old, new)


@pytest.mark.parametrize(
    ("key", "gone"),
    [
        ("title", "title: 'Orders'   # quoted\n"),
        ("tags", "tags:  # sorted\n  - db\n  - orders  # last\n"),
        ("status", "status: active # so far\n"),
        ("text", "text: |\n  one\n\n  two\n"),
    ],
)
def test_a_removed_key_leaves_the_comments_around_it(key: str, gone: str) -> None:
    assert remove_key(PAGE, key) == PAGE.replace(gone, "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "---\nk: v\n---\n"),
        ("body", "---\nk: v\n---\nbody"),
        ("\ufeffa\r\nb", "\ufeff---\r\nk: v\r\n---\r\na\r\nb"),
        ("a\rb", "---\rk: v\r---\ra\rb"),
        (" ---\na: 1\n---\n", "---\nk: v\n---\n ---\na: 1\n---\n"),
    ],
)
def test_a_page_without_front_matter_gets_one_in_its_own_line_ends(text: str, expected: str) -> None:
    assert set_key(text, "k", "v") == expected


def test_keys_of_an_indented_mapping_stay_a_mapping() -> None:
    assert set_key("---\n  a: 1\n  b: 2\n---\n", "c", 3) == "---\n  a: 1\n  b: 2\n  c: 3\n---\n"


def test_the_value_that_is_there_already_is_not_written_again() -> None:
    text = "---\nstatus:   'active'\nn: 0x10\n---\n"
    assert set_key(set_key(text, "status", "active"), "n", 16) == text
    assert set_key(text, "n", 16.0) != text


@pytest.mark.parametrize(
    "text",
    [
        "---\nopened: 1\n",
        "---\n- a\n---\n",
        "---\njust words\n---\n",
        "---\na: [\n---\n",
        "---\nk: 1\nk: 2\n---\n",
        "---\na: &x 1\nk: &y 2\nb: *y\n---\n",
        "---\n{a: 1}\n---\n",
    ],
)
def test_a_change_that_cannot_be_made_safely_is_refused_with_what_to_do(text: str) -> None:
    with pytest.raises(
        BadPage, match=r"k is not changed, nor is anything else of the page: .*(keep one|by hand|correct it|close it)"
    ):
        set_key(text, "k", "v")


def test_a_duplicate_of_another_key_is_no_hindrance() -> None:
    assert set_key("---\na: 1\na: 2\nk: x\n---\n", "k", "v") == "---\na: 1\na: 2\nk: v\n---\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_front_matter_is_found_with_any_line_ends(newline: str, bom: str) -> None:
    text = bom + newline.join(["--- ", "a: 1", "b: 2", "---\t", "body", "---", ""])
    found = read(text)
    assert (dict(found.values), found.problems) == ({"a": 1, "b": 2}, ())
    assert text[found.body_start :] == newline.join(["body", "---", ""])
    assert found.line_of("b") == 3


@pytest.mark.parametrize(
    "text", ["", "---", "--- x\na: 1\n---\n", "\n---\na: 1\n---\n", " ---\na: 1\n---\n", "----\na: 1\n----\n"]
)
def test_what_only_looks_like_front_matter_is_body(text: str) -> None:
    assert split(text) is None
    assert read(text).values == {}
