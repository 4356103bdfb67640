"""What an answer says of the projects that it quotes."""

from pathlib import Path

import pytest

from memory_wiki.faces import render
from memory_wiki.faces.ink import Ink
from memory_wiki.wiki import Memory, Question, Wiki, Wish

SHOP = "---\ntitle: Shop\ntype: project\n---\nBackend of the web shop. It is old.\n"


class Save:
    """Saves pages by hand."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def __call__(self, path: str, text: str) -> None:
        file = self._root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


@pytest.fixture
def save(root: Path) -> Save:
    return Save(root)


def about(wiki: Wiki, question: str) -> dict[str, str]:
    """What each page that answers says of its project."""
    return {hit.path: hit.about for hit in wiki.recall(Question(question)).found}


def test_each_hit_says_what_its_project_is(wiki: Wiki, save: Save) -> None:
    save("projects/shop/project.md", SHOP)
    save("projects/shop/pool.md", "The heron pool has 20 connections.\n")
    save("archive/projects/shop/old.md", "The heron pool had 10.\n")
    save("projects/atlas/project.md", "# The pipeline\n\nLoads feeds!\n")
    save("projects/atlas/lake.md", "A lake of heron feathers.\n")
    save("projects/bare/heron.md", "A heron of no known project.\n")
    save("global/heron.md", "A heron of none.\n")
    assert about(wiki, "heron") == {
        "projects/shop/pool.md": "Backend of the web shop.",
        "archive/projects/shop/old.md": "Backend of the web shop.",
        "projects/atlas/lake.md": "The pipeline: Loads feeds!",
        "projects/bare/heron.md": "",
        "global/heron.md": "",
    }


def test_the_page_that_says_it_is_not_told_it_again(wiki: Wiki, save: Save) -> None:
    save("projects/shop/project.md", SHOP)
    assert about(wiki, "web shop") == {"projects/shop/project.md": ""}


def test_what_stands_there_since_the_project_was_made_tells_nothing(wiki: Wiki) -> None:
    wiki.remember(Wish(Memory("A heron came."), "shop"))
    assert "What is known of the project shop." in wiki.read("projects/shop/project.md").page.text
    assert about(wiki, "heron came") == {"projects/shop/notes/a-heron-came.md": ""}


def test_a_project_page_without_prose_gives_its_title(wiki: Wiki, save: Save) -> None:
    save("projects/shop/project.md", "---\ntitle: The web shop\n---\n- [[pool]]\n")
    save("projects/shop/pool.md", "The heron pool.\n")
    assert about(wiki, "heron")["projects/shop/pool.md"] == "The web shop"


def test_what_is_said_follows_the_page(wiki: Wiki, save: Save) -> None:
    save("projects/shop/project.md", SHOP)
    save("projects/shop/pool.md", "The heron pool.\n")
    assert about(wiki, "heron")["projects/shop/pool.md"] == "Backend of the web shop."
    save("projects/shop/project.md", SHOP.replace("Backend", "Front"))
    assert about(wiki, "heron")["projects/shop/pool.md"] == "Front of the web shop."


def test_text_tells_each_project_once_below_the_hits(wiki: Wiki, save: Save) -> None:
    save("projects/shop/project.md", SHOP)
    for name in ("one", "two"):
        save(f"projects/shop/{name}.md", f"The heron pool number {name}.\n")
    said = render.text(wiki.recall(Question("heron pool")), Ink(is_coloured=False))
    assert said.split("\n\n")[2:-1] == ["project shop: Backend of the web shop."]
