"""Front matter that is flatly written is read without YAML, and as YAML would."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memory_wiki.page import flat, values

KEYS = ["title", "id", "tags", "no", "null", "Yes", "true", "y", "x-y", "_u", "title ", "0", "é", "a_b"]
TEXTS = [
    "Use Postgres",
    "no",
    "yes",
    "null",
    "NULL",
    "true",
    "True",
    "off",
    "~",
    "a: b",
    "a:",
    "a #b",
    "a#b",
    "a ",
    "a  b",
]
TEXTS += [
    "a, b",
    "a [b]",
    "a'b",
    'a"b',
    "é 日本 🙂",
    "a\x85b",
    "a\xa0b",
    "a\u2028b",
    "a\ufeffb",
    "a\x7fb",
    "a\tb",
    "a\udcffb",
]
TEXTS += [
    "&a x",
    "*a",
    "!t x",
    "|",
    "- a",
    "? a",
    "ªb",
    "İstanbul",
    "inf",
    ".inf",
    "a:b",
    "http://x.y/z?q=1#f",
    "٣",
    "a\u3000",
]
NUMBERS = [
    "01M3XPWT20F8TSHQAPHYWWYCGX",
    "0123456",
    "0x12AB",
    "1e500",
    "0b1010",
    "1_000",
    "0.8",
    "1.0",
    "1.",
    "0.1234567",
]
NUMBERS += ["2026-11-30", "2026-02-31", "2026-11-30T12:00:00Z", "2026-11-30T25:00:00Z", "2026-11-30T24:00:00Z", "12:30"]
NUMBERS += [
    "0000-01-01",
    "2026-11-28 Carrier",
    "2026-11-28 12:00:00",
    "2026-11-28 12:00:00 +1",
    "12:30:00",
    "1e3 x",
    "1 2",
]
LISTS = [
    "[a, b]",
    "[a,b]",
    "[a, no]",
    "[a b, c-d]",
    "[]",
    "[a,]",
    "[é, 日本]",
    "[a: b]",
    "[a #b]",
    "[a/b, c.d]",
    "[1, 2]",
]
LISTS += ["[a  b]", "[a-, b.]", "[a/, -b]", "[a ]", "[ a]", "[on, Off]", "[null]"]
QUOTED = ['"x y"', '"a: b"', '"x" y', '""', '"a\\n"', '"é\x85"', '"a#b" ', "'x'"]
entries = st.tuples(
    st.sampled_from(KEYS),
    st.sampled_from([": "] * 6 + [":", ":  "]),
    st.sampled_from(TEXTS + NUMBERS + LISTS + QUOTED),
    st.sampled_from(["\n"] * 8 + ["\n\n", "\r\n", " \n", "", "\n  x\n", "\n# c\n"]),
)
texts = st.lists(entries.map("".join), min_size=1, max_size=4).map("".join)


def by_yaml(text: str) -> object:
    try:
        return values.parse(text)
    except values.Unreadable as error:
        return error.why


@settings(max_examples=300)
@given(texts)
@example("a: 1\na: b\n")
def test_flat_front_matter_says_what_yaml_reads_and_where(text: str) -> None:
    found = flat.read(text)
    assert found is None or repr(found) == repr(by_yaml(text))


@given(st.sampled_from(KEYS), st.text(max_size=12))
def test_no_text_after_a_key_is_read_otherwise_than_by_yaml(key: str, text: str) -> None:
    found = flat.read(f"{key}: {text}\n")
    assert found is None or repr(found) == repr(by_yaml(f"{key}: {text}\n"))


@pytest.mark.parametrize(
    "text",
    [
        "title: Use Postgres, not SQLite\nid: 01M3XPWT20F8TSHQAPHYWWYCGX\ntype: decision\ntags: [db, orders/pool]\n",
        "created: 2026-11-30T12:00:00Z\nupdated: 2026-11-30\nby: ada\nconfidence: 0.8\npinned: true\n",
        'title: "2026-11-30"\ntype: session\n',
        "title: 2026-11-28 Carrier feed\n",
    ],
)
def test_what_most_pages_say_is_flat(text: str) -> None:
    assert repr(flat.read(text)) == repr(by_yaml(text) if flat.IS_SOUND else None)
