"""Links point where Obsidian says they do, and follow a page that moves without another byte changing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_wiki.page.links import Named, destination, has_target, repoint, resolve, shortest
from memory_wiki.page.page import Page, parse
from memory_wiki.page.path import PagePath, folded, stem


def vault(*paths: str, **aliases: str) -> Named:
    """The pages there are; `aliases` maps one to a path."""

    def named(key: str) -> list[PagePath]:
        return [
            PagePath(path)
            for path in sorted(paths, reverse=True)
            if folded(stem(path)) == key or any(folded(a) == key for a, to in aliases.items() if to == path)
        ]

    return named


def page(path: str, text: str) -> Page:
    return parse(PagePath(path), text.encode())


@pytest.mark.parametrize(
    ("target", "source", "found"),
    [
        ("Notes", "x.md", "a/Notes.md"),
        ("notes.md", "x.md", "a/Notes.md"),
        ("NOTES", "x.md", "a/Notes.md"),
        ("a/notes", "x.md", "a/Notes.md"),
        ("/a/notes", "b/x.md", "a/Notes.md"),
        ("./notes", "a/x.md", "a/Notes.md"),
        ("../a/notes", "b/x.md", "a/Notes.md"),
        ("../notes", "a/b/x.md", "a/Notes.md"),
        ("./notes", "b/x.md", None),
        ("../../../notes", "a/x.md", None),
        ("nothing", "x.md", None),
        ("otes", "x.md", None),
        ("", "a/x.md", "a/x.md"),
        ("twin", "a/x.md", "twin.md"),
        ("deep", "x.md", "b/deep.md"),
        ("deep", "c/x.md", "c/d/e/deep.md"),
        ("deep", "c/d/x.md", "c/d/e/deep.md"),
        ("deep", "cc/x.md", "b/deep.md"),
        ("e/deep", "x.md", "c/d/e/deep.md"),
        ("same", "x.md", "m/same.md"),
        ("v1.2", "x.md", "v1.2.md"),
        ("u\u0308ber", "x.md", "Über.md"),
        ("nick", "x.md", "a/Notes.md"),
        ("Deep", "x.md", "b/deep.md"),
        ("a/nick", "x.md", None),
        ("日本", "x.md", "日本.md"),
    ],
)
def test_wiki_links_resolve_as_in_obsidian(target: str, source: str, found: str | None) -> None:
    pages = ["a/Notes.md", "twin.md", "a/twin.md", "b/deep.md", "c/d/e/deep.md", "m/same.md", "n/same.md"]
    named = vault(*pages, "v1.2.md", "Über.md", "日本.md", nick="a/Notes.md", deep="a/Notes.md")
    assert resolve(target, PagePath(source), named) == found


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("b.md", "x/b.md"),
        ("/b.md", "b.md"),
        ("../b.md", "b.md"),
        ("y/b.md", "x/y/b.md"),
        ("c.md", "z/c.md"),
        ("b", "x/b.md"),
    ],
)
def test_markdown_links_count_from_their_own_folder_first(target: str, found: str) -> None:
    named = vault("b.md", "x/b.md", "x/y/b.md", "z/c.md")
    (link,) = page("x/p.md", f"[t]({target})").markup.links
    assert destination(link, PagePath("x/p.md"), named) == found


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a/Notes.md", "Notes"),
        ("same.md", "same"),
        ("m/same.md", "m/same"),
        ("n/m/same.md", "n/m/same"),
        ("q/só.md", "só"),
    ],
)
def test_the_shortest_link_is_unambiguous(path: str, text: str) -> None:
    assert shortest(PagePath(path), vault("a/Notes.md", "same.md", "m/same.md", "n/m/same.md", "q/só.md")) == text


names = st.sampled_from(["a", "B", "b", "é", "a b"])
paths = st.lists(names, min_size=1, max_size=4).map(lambda parts: "/".join(parts) + ".md")
vaults = st.lists(paths, min_size=1, max_size=8, unique_by=folded)


@given(vaults, paths)
def test_the_shortest_link_means_its_page_from_anywhere(pages: list[str], source: str) -> None:
    for path in pages:
        named = vault(*pages)
        assert resolve(shortest(PagePath(path), named), PagePath(source), named) == path


@given(vaults, vaults, st.data())
def test_after_a_move_every_link_means_what_it_meant(pages: list[str], places: list[str], data: st.DataObject) -> None:
    moved = {
        PagePath(old): PagePath(new)
        for old, new in zip(pages, places, strict=False)
        if data.draw(st.booleans()) and folded(new) not in {folded(path) for path in pages}
    }
    before, after = vault(*pages), vault(*(moved.get(PagePath(path), path) for path in pages))
    targets = data.draw(st.lists(st.sampled_from([p[:-3] for p in pages] + [stem(p) for p in pages]), max_size=4))
    text = "".join(f"[[{target}#h|x]] [t](<{target}.md#h>)\n" for target in targets)
    old = page(pages[0], text)
    here = moved.get(old.path, old.path)
    changed = repoint(old, moved, before, after)
    new = page(here, text if changed is None else changed)
    meant = [destination(link, old.path, before) for link in old.markup.links]
    assert [destination(link, here, after) for link in new.markup.links] == [
        path and moved.get(path, path) for path in meant
    ]
    assert repoint(new, {}, after, after) is None


def test_only_links_that_would_be_lost_change() -> None:
    text = (
        "---\nrelated: x\n---\n[[old]] [[Old.md#Head|old]] ![[a/old#^b]] [t](../a/old.md#h) [[other]] `[[old]]`\r\n"
        "| [[old\\|x]] |\n[image](../i%20j.png) [web](https://x.org/old.md) [[#here]]"
    )
    before, after = vault("a/old.md", "b/other.md", "b/p.md"), vault("a/new name (2).md", "b/other.md", "b/p.md")
    moved = {PagePath("a/old.md"): PagePath("a/new name (2).md")}
    assert repoint(page("b/p.md", text), moved, before, after) == (
        "---\nrelated: x\n---\n[[new name (2)]] [[new name (2)#Head|old]] ![[new name (2)#^b]]"
        " [t](../a/new%20name%20%282%29.md#h) [[other]] `[[old]]`\r\n"
        "| [[new name (2)\\|x]] |\n[image](../i%20j.png) [web](https://x.org/old.md) [[#here]]"
    )


def test_a_link_that_still_finds_its_page_stays() -> None:
    moved = {PagePath("a/old.md"): PagePath("archive/old.md")}
    source = page("b/p.md", "[[old]] [[OLD#h]]")
    assert repoint(source, moved, vault("a/old.md"), vault("archive/old.md")) is None


def test_a_moved_page_keeps_its_own_relative_links() -> None:
    source = page("a/p.md", "[t](q.md) [[../b/r|x]] [[q]] ![i](../img/i.png) [[./p]]")
    moved = {PagePath("a/p.md"): PagePath("c/d/p.md")}
    before, after = vault("a/p.md", "a/q.md", "b/r.md"), vault("c/d/p.md", "a/q.md", "b/r.md")
    assert repoint(source, moved, before, after) == "[t](../../a/q.md) [[r|x]] [[q]] ![i](../../img/i.png) [[./p]]"


def test_a_page_whose_name_no_link_can_hold_is_not_linked() -> None:
    source = page("p.md", "[[old]] [t](old.md)")
    moved = {PagePath("old.md"): PagePath("C# tips.md")}
    assert repoint(source, moved, vault("old.md"), vault("C# tips.md")) == "[[old]] [t](C%23%20tips.md)"


@pytest.mark.parametrize(
    ("link", "found"),
    [
        ("[[p]]", True),
        ("[[p#First part]]", True),
        ("[[p#first PART]]", True),
        ("[[p#What? A B]]", True),
        ("[[p#First part#Inner]]", True),
        ("[[p#Inner#First part]]", False),
        ("[[p#Second]]", False),
        ("[[p#見出し]]", True),
        ("[t](p.md#First%20part)", True),
        ("[[p#^f7k2m]]", True),
        ("[[p#^F7K2M]]", True),
        ("[[p#^other]]", False),
    ],
)
def test_headings_and_blocks_are_found_or_not(link: str, found: bool) -> None:
    target = page("p.md", "# First *part*\n\n## Inner\n\ntext ^f7k2m\n\n# What? A|B\n\n# 見出し\n")
    (parsed,) = page("q.md", link).markup.links
    assert has_target(target, parsed) is found


@pytest.mark.parametrize(
    ("link", "found"),
    [("[t](#common-properties)", True), ("[t](#Common%20properties)", True), ("[[#common-properties]]", False)],
)
def test_a_standard_link_may_name_a_heading_by_its_anchor(link: str, found: bool) -> None:
    target = page("q.md", f"# Common properties\n\n{link}")
    (parsed,) = target.links
    assert has_target(target, parsed) is found
