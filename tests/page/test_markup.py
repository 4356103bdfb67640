"""Markup: each syntax of Obsidian is found where it counts, and nowhere else."""

import re
import time
from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memory_wiki.page.elements import BlockId, Field, Link, ListItem, Tag
from memory_wiki.page.markup import MAX_STEPS, scan

PIECES = [
    "[[",
    "]]",
    "|",
    "#",
    "^",
    "a",
    "b",
    "[",
    "]",
    "(",
    ")",
    "::",
    "%%",
    "$$",
    "<!--",
    "-->",
    "<div>",
    "<a",
    "![",
    "\\",
    "`",
    "``",
    "#tag",
    "^id",
    "日本",
    "🙂",
    "\udcff",
    "&amp;",
    "(since::",
]
PIECES += [
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    " ",
    "    ",
    "\t",
    "- ",
    "* [x] ",
    "- [ab] ",
    "1. ",
    "> ",
    "# ",
    "\x0b",
    "\u2028",
    "\xa0",
    "\0",
]
PIECES += ["key:: ", " ^x1", "```\n", "~~~", "---\n", "===\n", "| a | b |\n|--|--|\n", "[^1]: n\n", "[x]: y\n"]
bodies = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
NEWLINE = re.compile(r"\r\n|\r|\n")


@settings(max_examples=150)
@given(bodies)
@example("- a\n\n\n\tb\n\n\n# c")
def test_every_line_that_says_something_is_in_one_block(body: str) -> None:
    covered = Counter(n for block in scan(body).blocks for n in range(block.first_line, block.last_line + 1))
    for number, line in enumerate(NEWLINE.split(body), 1):
        assert covered[number] == 1 if line.strip() else covered[number] <= 1


@settings(max_examples=150)
@given(bodies, st.integers(1, 9))
@example("- \x0b\n[[", 1)
@example("\n- \x0b\n[x]", 2)
@example("- \0a\n", 1)
def test_offsets_and_lines_are_those_of_the_text(body: str, first_line: int) -> None:
    found = scan(body, first_line)
    parts: list[Link | Tag | Field | BlockId | ListItem] = [*found.links, *found.tags, *found.fields]
    for part in [*parts, *found.block_ids, *found.items]:
        assert 0 <= part.start <= part.end <= len(body)
        assert part.line == first_line + len(NEWLINE.findall(body[: part.start]))
    assert all(body[link.start : link.end] == link.target for link in found.links if link.style == "wiki")
    assert all(body[tag.start : tag.end].rstrip("/") == f"#{tag.name}" for tag in found.tags)
    assert all(body[name.start : name.end] == f"^{name.id}" for name in found.block_ids)


def only_link(body: str) -> Link:
    (link,) = scan(body).links
    assert body[link.start : link.end] in {link.target, link.target.replace(" ", "%20")}
    return link


@pytest.mark.parametrize(
    ("body", "target", "heading", "block", "alias", "embed"),
    [
        ("[[page]]", "page", "", "", "", False),
        ("see [[ a/b page.md ]]!", "a/b page.md", "", "", "", False),
        ("[[page|the alias]]", "page", "", "", "the alias", False),
        ("[[page#heading]]", "page", "heading", "", "", False),
        ("[[page#a#b|c]]", "page", "a#b", "", "c", False),
        ("[[page#^f7k2m]]", "page", "", "f7k2m", "", False),
        ("[[page#a#^b]]", "page", "a", "b", "", False),
        ("[[#heading]]", "", "heading", "", "", False),
        ("[[#^id]]", "", "", "id", "", False),
        ("![[page#part]]", "page", "part", "", "", True),
        ("![[image.png|100]]", "image.png", "", "", "100", True),
        ("[[page|`code`]]", "page", "", "", "`code`", False),
        ("[[日本語のページ#見出し|別名]]", "日本語のページ", "見出し", "", "別名", False),
        ("[[صفحة]]", "صفحة", "", "", "", False),
        ("[[🙂 page]]", "🙂 page", "", "", "", False),
        ("# A heading with [[page]]", "page", "", "", "", False),
        ("> - [[page]]", "page", "", "", "", False),
        ("| a |\n|---|\n| [[page\\|alias]] |", "page", "", "", "alias", False),
    ],
)
def test_wiki_links(body: str, target: str, heading: str, block: str, alias: str, embed: bool) -> None:
    link = only_link(body)
    assert (link.target, link.heading, link.block, link.alias, link.embed) == (target, heading, block, alias, embed)
    assert link.style == "wiki"


@pytest.mark.parametrize(
    ("body", "target", "heading", "alias", "embed"),
    [
        ("[text](page.md)", "page.md", "", "text", False),
        ("[text](a/rel%20path.md#the%20heading)", "a/rel path.md", "the heading", "text", False),
        ("[text](<a b.md#c>)", "a b.md", "c", "text", False),
        ('[text](page.md "a title")', "page.md", "", "text", False),
        ("[text](#heading)", "", "heading", "text", False),
        ("[a [b] c](page.md)", "page.md", "", "a [b] c", False),
        ("[text](page_(2).md)", "page_(2).md", "", "text", False),
        ("![alt](../img/a.png)", "../img/a.png", "", "alt", True),
        ("[two\nlines](page.md)", "page.md", "", "two\nlines", False),
    ],
)
def test_markdown_links_to_files(body: str, target: str, heading: str, alias: str, embed: bool) -> None:
    link = only_link(body)
    assert (link.target, link.heading, link.alias, link.embed) == (target, heading, alias, embed)
    assert link.style == "markdown"


def test_an_image_may_be_the_text_of_a_link() -> None:
    assert [link.target for link in scan("[![alt](a.png)](page.md)").links] == ["a.png", "page.md"]


@pytest.mark.parametrize(
    "body",
    [
        "[text](https://example.org/a.md)",
        "[text](mailto:ada@example.org)",
        "[text](obsidian://open?vault=x)",
        "![text](//example.org/a.png)",
        "[text][reference] and [reference]: page.md",
        "\\[[page]]",
        "\\[text](page.md)",
        "[[a\nb]]",
        "[[]] [[ ]] [[#]] [[|a]] []()",
        "[^1] and [ ] and [x]",
        "`[[page]]`",
        "``a ` [[page]] ``",
        "`a\n[[page]]`",
        "```\n[[page]]\n```",
        "~~~ md\n[[page]]",
        "> ```\n> [[page]]\n> ```",
        "- a\n  ```\n  [[page]]\n  ```",
        "    [[page]]",
        "<!-- [[page]] -->",
        "a <!-- [[page]] --> b",
        "<div>\n[[page]]\n</div>",
        "%%[[page]]%%",
        "%%\n[[page]]\n\n- [[page]]\n%%",
        "$$\n[[page]]\n$$",
        "a $$[[page]]$$",
    ],
)
def test_no_links_where_there_are_none(body: str) -> None:
    assert scan(body).links == ()


@pytest.mark.parametrize(
    "body",
    [
        "` [[page]]",
        "`` a ` [[page]]",
        "a\\`[[page]]`b",
        "a`\n\n[[page]]`",
        "%% [[page]]",
        "costs $$ [[page]]\n\nand $$",
        "<!- [[page]]",
        "`a` [[page]] `b`",
        "- [ ] [[page]]",
        "[[a [[page]]",
        "```\na\n```\n[[page]]",
    ],
)
def test_an_opening_without_its_end_hides_nothing(body: str) -> None:
    assert [link.target for link in scan(body).links] == ["page"]


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("#tag", ["tag"]),
        ("a #tag, and (#no) but #two.", ["tag", "two"]),
        ("#area/db/orders", ["area/db/orders"]),
        ("#snake_case #kebab-case", ["snake_case", "kebab-case"]),
        ("#標籤 #标签，然后 #دلالة #тег #🙂 #हिन्दी", ["標籤", "标签", "دلالة", "тег", "🙂", "हिन्दी"]),
        ("#y1984 #1984 #19-84", ["y1984", "19-84"]),
        ("#a#b", ["a", "b"]),
        ("# heading #tag", ["tag"]),
        ("| a |\n|---|\n|#tag|", ["tag"]),
        ("> #quoted\n\n- #item", ["quoted", "item"]),
        ("a#b https://example.org/#c <https://x.org/ #d> &#35; C# ##e #", []),
        ("[[page #a]] [text](b.md#c) [text](<d #e>)", []),
        ('`#a` <span style="color: #fff"> <!-- #b --> %%#c%% \\#d', []),
        ("```\n#a\n```\n\n    #b", []),
    ],
)
def test_tags(body: str, names: list[str]) -> None:
    assert [tag.name for tag in scan(body).tags] == names


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ("due:: 2026-11-30", [("due", "2026-11-30")]),
        ("- **Due date**:: soon", [("Due date", "soon")]),
        ("- [ ] due:: soon", [("due", "soon")]),
        ("a\ndue:: soon\nb", [("due", "soon")]),
        ("> due::", [("due", "")]),
        ("a [due:: soon] b (at:: [[page|x]]) c", [("due", "soon"), ("at", "[[page|x]]")]),
        ("[at:: [[page]]] (see:: [text](a.md))", [("at", "[[page]]"), ("see", "[text](a.md)")]),
        ("(期限:: 明日) (who:: `ada`)", [("期限", "明日"), ("who", "`ada`")]),
        ("std::vector and a::b", []),
        ("`due:: soon` [due: soon] (due:: soon] (:: x)", []),
        ("```\ndue:: soon\n```", []),
    ],
)
def test_dataview_fields(body: str, fields: list[tuple[str, str]]) -> None:
    assert [(field.key, field.value) for field in scan(body).fields] == fields


@pytest.mark.parametrize(
    ("body", "ids"),
    [
        ("text ^abc-1", ["abc-1"]),
        ("- one ^a\n- two ^b  \n  more\n- three\n  more ^c", ["a", "c"]),
        ("> quote\n\n^q", ["q"]),
        ("# Heading ^h", ["h"]),
        ("| a |\n|---|\n| b |\n\n^table", ["table"]),
        ("a^2 and ^a b", []),
        ("`a ^b`", []),
    ],
)
def test_block_ids_end_their_block(body: str, ids: list[str]) -> None:
    assert [found.id for found in scan(body).block_ids] == ids


@pytest.mark.parametrize(
    ("body", "headings"),
    [
        ("# One\n\n## Two ##\n\n####### seven", [(1, "One", 1), (2, "Two", 3)]),
        ("One\n===\n\nTwo\n---", [(1, "One", 1), (2, "Two", 4)]),
        ("# **Bold** `code` [[a|b]] [c](d.md) *it* snake_case ^id", [(1, "Bold code b c it snake_case", 1)]),
        ("> # 引用", [(1, "引用", 1)]),
        ("#", [(1, "", 1)]),
        ("#nothing", []),
        ("```\n# code\n```\n%%\n# hidden\n%%", []),
    ],
)
def test_headings(body: str, headings: list[tuple[int, str, int]]) -> None:
    assert [(found.level, found.text, found.line) for found in scan(body).headings] == headings


def test_callouts() -> None:
    body = "> [!NOTE]- A *title*\n> text\n\n- > [!my-kind|wide] x\n\n> [!tip]\n> a\n\n> no [!x] callout"
    found = [(callout.kind, callout.title, callout.line) for callout in scan(body).callouts]
    assert found == [("note", "A title", 1), ("my-kind", "x", 4), ("tip", "", 6)]


def test_blocks_are_named_in_order_and_lists_have_their_items() -> None:
    body = "# H\n\ntext\n- a\n  - b\n\n- c\n\n```\nx\n```\n| t |\n|---|\n\n> q\n\n<p>\nh\n\n***\n[r]: x\n\n    i\n"
    found = scan(body, 5)
    assert [(block.kind, block.first_line, block.last_line) for block in found.blocks] == [
        ("heading", 5, 5),
        ("paragraph", 7, 7),
        ("list", 8, 11),
        ("code", 13, 15),
        ("table", 16, 17),
        ("quote", 19, 19),
        ("html", 21, 22),
        ("rule", 24, 24),
        ("paragraph", 25, 25),
        ("code", 27, 27),
    ]
    assert [(item.first_line, item.last_line) for item in found.blocks[2].items] == [(8, 9), (11, 11)]


UNITS = [
    "[[",
    "]]",
    "(",
    "`",
    "#",
    ">",
    "> ",
    "[",
    "![[",
    "](",
    "](a ",
    "[a](",
    "[a](<",
    "- ",
    "- a\n",
    "1. a\n",
    "# a\n",
    "| ",
    "|a|b|\n|-|-|\n",
]
UNITS += [
    "%%",
    "$$",
    "<!--",
    "<a ",
    "<div>\n",
    " ^a",
    "::",
    "(a:: ",
    "(a:: [[",
    "#a",
    "_a_ ",
    "**a",
    "```\n",
    "`a",
    "a\n",
    "[a]: b\n",
    "\\",
    "\0",
]
UNITS += [
    "- [ab] c #d (e:: f) ^g\n",
    "- - - - - - - - - - a\n",
    ">>>>>>>>>>>>>>>>>>>>>>>>a\n",
    '[x](y "',
    "[[a|",
    "&#",
    "<a b='",
    "\udcff",
    "日本",
]
LONG = 40_000


@pytest.mark.parametrize("unit", [*UNITS, " ".join("`" * n for n in range(1, 600)), "[" * 60_000 + "](a)" * 30_000])
def test_hostile_text_takes_linear_time(unit: str) -> None:
    before = time.process_time()
    scan((unit * (LONG // len(unit) + 1))[:LONG])
    assert time.process_time() - before < 2  # 0.01 to 0.4 s; the margin is for busy machines


def test_a_scan_stops_between_two_lines_when_there_is_too_much() -> None:
    body = "[[a]]\r\n" * (MAX_STEPS + 10)
    found = scan(body)
    assert len(found.links) == MAX_STEPS
    assert found.end == MAX_STEPS * len("[[a]]\r\n")
    assert scan("x" * 3_000_000).end < 3_000_000
