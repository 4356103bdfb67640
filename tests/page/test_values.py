"""YAML values: written so that every reader reads the same, and read so that nothing they hold does harm."""

import time
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from memory_wiki.errors import BadPage
from memory_wiki.page.frontmatter import Value, read, set_key

NAIVE = datetime(2026, 1, 1)  # noqa: DTZ001 - no zone, on purpose


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("plain words", "plain words"),
        ("it's 5 o'clock", "it's 5 o'clock"),
        ('say "hi" to C:\\', 'say "hi" to C:\\'),
        ("注文サービス", "注文サービス"),
        ("طلبات", "طلبات"),
        ("🙂 emoji 👨‍👩‍👧", "🙂 emoji 👨‍👩‍👧"),
        ("https://example.org/a#b", "https://example.org/a#b"),
        ("a, b [c]", "a, b [c]"),
        ("no", '"no"'),
        ("Yes", '"Yes"'),
        ("y", '"y"'),
        ("0123", '"0123"'),
        ("1e3", '"1e3"'),
        ("0o17", '"0o17"'),
        ("12:30", '"12:30"'),
        ("1_000", '"1_000"'),
        (".5", '".5"'),
        ("null", '"null"'),
        ("~", '"~"'),
        ("", '""'),
        ("=", '"="'),
        ("2026-11-30", '"2026-11-30"'),
        ("[[link]]", '"[[link]]"'),
        ("a: b", '"a: b"'),
        ("a:", '"a:"'),
        ("a #b", '"a #b"'),
        ("# x", '"# x"'),
        ("- x", '"- x"'),
        (" x ", '" x "'),
        ("a\nb\t\x07", '"a\\nb\\t\\u0007"'),
        (True, "true"),
        (1, "1"),
        (0.9, "0.9"),
        (1e30, "1.0e+30"),
        (datetime(2026, 11, 30, 12, tzinfo=UTC), "2026-11-30T12:00:00Z"),
        (datetime(2026, 11, 30, 13, tzinfo=timezone(timedelta(hours=1))), "2026-11-30T12:00:00Z"),
        ((), "[]"),
        (("a", "b c", "d, e", "no", "[[x]]"), '[a, b c, "d, e", "no", "[[x]]"]'),
    ],
)
def test_values_are_quoted_only_where_they_must_be(value: Value, written: str) -> None:
    text = set_key("---\n---\n", "key", value)
    assert text == f"---\nkey: {written}\n---\n"
    found = read(text).values["key"]
    assert found == (list(value) if isinstance(value, tuple) else value)


@pytest.mark.parametrize("value", ["a\x85b", "a\u2028b", "a\u2029b", "a\udcffb", float("nan"), float("inf"), NAIVE])
def test_what_yaml_cannot_hold_safely_is_refused(value: Value) -> None:
    with pytest.raises(BadPage):
        set_key("---\n---\n", "key", value)


def test_yaml_1_1_reads_as_python_frontmatter_does_but_for_times() -> None:
    found = read("---\na: no\nb: 0123\nc: 2026-11-30\nd: 12:30\ne: 1:30.5\nf: 1.5\ng: null\nh: =\n---\n").values
    day = date(2026, 11, 30)
    assert found == {"a": False, "b": 83, "c": day, "d": "12:30", "e": "1:30.5", "f": 1.5, "g": None, "h": "="}


def test_a_plain_anchor_is_read() -> None:
    assert read("---\na: &x [1, 2]\nb: *x\nbase: &b {k: 1}\nd:\n  <<: *b\n---\n").values == {
        "a": [1, 2],
        "b": [1, 2],
        "base": {"k": 1},
        "d": {"k": 1},
    }


def test_of_a_key_given_twice_the_last_counts_and_both_are_reported() -> None:
    found = read("---\na: 1\n\nb: 2\n'a': 3\n---\n")
    assert found.values == {"a": 3, "b": 2}
    assert [(problem.code, problem.line) for problem in found.problems] == [("duplicate-key", 5)]


BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)
HOSTILE = {
    "a list": ("- a\n- b", 2),
    "a scalar": ("\njust words", 3),
    "a bad date": ("a: 1\nb: 2026-02-31", 3),
    "a number too long": (f"a: {'9' * 60_000}", 2),
    "a syntax error": ("a: 1\nb: [", 4),
    "a key that is a list": ("? [a]\n: b", 2),
    "a template": ("a: 1\ncreated: {{date}}", 3),
    "a key that is a number": ("a: 1\n2026: b", 3),
    "a key that is a truth": ("on: b", 2),
    "a Python tag": ('a: !!python/object/apply:os.system ["true"]', 2),
    "any other tag": ("a: 1\nb: !secret x", 3),
    "an alias bomb": (BOMB, 6),
    "an alias of nothing": ("a: *b", 2),
    "an alias of itself": ("a: &a [*a]", 2),
    "a second document": ("a: 1\n--- b: 2", 3),
    "a directive": ("%YAML 1.1\na: 1", 3),
    "too much": ("a: b\n" * 20_000, 2),
    "too many values": ("a: [" + "1," * 30_000 + "]", 2),
    "brackets": (f"a: {'[' * 60_000}", 2),
    "balanced brackets": (f"a: {'[' * 30_000}{']' * 30_000}", 2),
    "braces": (f"a: {'{' * 60_000}", 2),
    "dashes": (f"a:\n  {'- ' * 30_000}", 3),
    "keys in keys": ("".join(f"{' ' * n}a:\n" for n in range(300)), 22),
    "question marks": (f"a:\n  {'? ' * 30_000}", 3),
    "a NUL": ("a: 1\nb: \0", 3),
    "invalid UTF-8": ("a: 1\nb: \udcff", 3),
}


@pytest.mark.parametrize(("yaml", "line"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_front_matter_is_a_problem_with_its_line_in_no_time(yaml: str, line: int) -> None:
    text = f"---\n{yaml}\n---\nbody"
    before = time.process_time()
    found = read(text)
    assert time.process_time() - before < 0.5  # 1 to 20 ms on a quiet machine
    assert found.values == {}
    assert [problem.line for problem in found.problems] == [line]
    assert text[found.body_start :] == "body"


def test_a_sexagesimal_number_of_any_length_is_text() -> None:
    before = time.process_time()
    assert isinstance(read(f"---\na: 1{':1' * 30_000}\n---\n").values["a"], str)
    assert time.process_time() - before < 0.5
