"""What is embedded, in which order, what never is again, and what stops on the way."""

import hashlib
import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from kit import ADA, PATIENCE, Clock, run_git
from memory_wiki.errors import ModelBroken, VaultBusy
from memory_wiki.page.edit import Append
from memory_wiki.page.memory import Memory
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.embedding import SLICE
from memory_wiki.wiki.listener import Listener
from memory_wiki.wiki.remembering import Wish
from toy import DIM, Toy, give, vectors

LONG = "\n\n".join(f"## Part {n}\n\n{f'About part {n} there is much to say. ' * 20}" for n in range(4))


def wish(title: str, kind: str = "note", text: str = "") -> Wish:
    return Wish(Memory(text or f"All about the {title}.", title=title, type=kind), "")


@pytest.fixture
def toy(wiki: Wiki) -> Toy:
    """The model of `wiki`, which holds three pages."""
    wiki.remember_each([wish("seal"), wish("heron"), wish("long", text=LONG)])
    return give(wiki, Toy())


def save(root: Path, **files: str) -> None:
    for name, text in files.items():
        (root / f"{name}.md").write_text(text, encoding="utf-8")


def lacking(wiki: Wiki) -> int:
    """How many passages have no vector, by the index and the vectors themselves."""
    return len(vectors(wiki).lacking(wiki.index.words.marks()))


# What is embedded


def test_every_passage_is_embedded_once_and_by_its_text_without_front_matter(wiki: Wiki, toy: Toy) -> None:
    assert wiki.embed() == 6
    assert (wiki.embed(), lacking(wiki)) == (0, 0)
    texts = toy.taken()
    assert len(texts) == len(set(texts)) == 6
    assert "heron\nAll about the heron." in texts
    assert not any("created:" in text or "id:" in text for text in texts)
    assert wiki.status().passages == 6


def test_the_same_passage_on_many_pages_is_embedded_once(wiki: Wiki, root: Path) -> None:
    toy = give(wiki, Toy())
    save(root, **{f"p{n}": "# One\n\nAnd the same text.\n" for n in range(5)})
    assert wiki.embed() == 1
    assert toy.taken() == ["# One\n\nAnd the same text."]


def test_each_passage_with_a_vector_counts_as_embedded_also_where_many_share_one(
    wiki: Wiki, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = {"name": "toy", "dim": DIM, "pooling": "mean"}
    files = {"model.onnx": "", "tokenizer.json": "{}", "tokenizer_config.json": "{}", "model.json": json.dumps(about)}
    folder = tmp_path / "toy"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.setenv("MEMORY_WIKI_MODEL", str(folder))
    toy = give(wiki, Toy())
    toy.sha256 = hashlib.sha256(b"").hexdigest()
    save(root, **{f"p{n}": "# One\n\nAnd the same text.\n" for n in range(5)})
    assert wiki.status().embedded == 0
    assert wiki.embed() == 1
    save(root, other="# Other\n\nAnd another text.\n")
    assert (wiki.status().embedded, wiki.status().passages) == (5, 6)


def test_what_moves_or_comes_back_is_not_embedded_anew(wiki: Wiki, toy: Toy, root: Path) -> None:
    wiki.embed()
    toy.taken()
    wiki.move("global/notes/heron.md", "birds/grey.md")
    wiki.archive("seal")
    (root / "birds/grey.md").rename(root / "birds/greyer.md")
    assert wiki.embed() == 0
    wiki.edit("greyer", (Append("It waits."),))
    assert wiki.embed() == 1
    wiki.restore("birds/greyer.md", wiki.log("birds/greyer.md", None).versions[1].version or "")
    assert wiki.embed() == 0
    wiki.reindex()
    assert (wiki.embed(), lacking(wiki), len(toy.taken())) == (0, 0, 1)


def test_a_branch_that_was_embedded_is_not_embedded_anew(wiki: Wiki, toy: Toy, root: Path) -> None:
    wiki.embed()
    main = run_git(root, "branch", "--show-current")
    run_git(root, "switch", "--quiet", "--create", "side")
    wiki.remember(wish("walrus"))
    wiki.edit("heron", (Append("It waits."),))
    assert wiki.embed() == 2
    toy.taken()
    for branch in (main, "side", main):
        run_git(root, "switch", "--quiet", branch)
        assert wiki.embed() == 0
        assert lacking(wiki) == 0
    assert toy.taken() == []


def test_of_an_edited_page_only_the_passages_that_changed_are_embedded(wiki: Wiki, toy: Toy, root: Path) -> None:
    wiki.embed()
    toy.taken()
    page = root / "global/notes/long.md"
    text = page.read_text(encoding="utf-8")
    page.write_text(
        text.replace("## Part 2\n\nAbout", "## Part 2\n\nMore about", 1) + "\n## End\n\nNo more.\n", "utf-8"
    )
    assert wiki.embed() == 2
    changed, new = sorted(toy.taken(), key=len, reverse=True)
    assert "More about part 2" in changed
    assert new.endswith("## End\n\nNo more.")


def test_a_change_of_front_matter_alone_embeds_nothing(wiki: Wiki, toy: Toy, root: Path) -> None:
    wiki.embed()
    toy.taken()
    page = root / "global/notes/heron.md"
    page.write_text(page.read_text("utf-8").replace("type: note", "type: decision\ntags: [x]", 1), "utf-8")
    assert wiki.embed() == 0
    assert toy.taken() == []


def test_where_the_index_is_deleted_all_is_embedded_anew(wiki: Wiki, toy: Toy) -> None:
    assert wiki.embed() == 6
    shutil.rmtree(wiki.vault.own_folder / "index")
    assert wiki.embed() == 6
    assert len(toy.taken()) == 12


# In which order


def test_what_holds_comes_before_what_went_on_and_the_newest_first(wiki: Wiki) -> None:
    kinds = ["note", "decision", "session", "fact", "note", "preference"]
    wiki.remember_each([wish(f"w{n} {kind}", kind) for n, kind in enumerate(kinds)])
    wiki.remember(Wish(Memory("All about the pin.", title="w6 pinned", pinned=True), ""))
    wiki.remember(wish("w7 note"))
    toy = give(wiki, Toy())
    wiki.embed()
    order = [next(word for word in text.split() if word.startswith("w")) for text in toy.taken()]
    assert order == ["w6", "w5", "w3", "w1", "w7", "w4", "w2", "w0"]


# What stops on the way


def embed_until(wiki: Wiki, most: int) -> int:
    """Asks before each slice, and goes on so many times."""
    steps = iter(range(most))
    return wiki.embed_now(lambda: next(steps, None) is not None)


def test_what_was_stopped_midway_goes_on_where_it_was(wiki: Wiki, root: Path) -> None:
    toy = give(wiki, Toy())
    save(root, **{f"p{n:02}": f"Page p{n:02} of many." for n in range(2 * SLICE + 3)})
    wiki.catch_up()
    assert embed_until(wiki, 0) == 0
    assert (embed_until(wiki, 1), lacking(wiki)) == (SLICE, SLICE + 3)
    assert (embed_until(wiki, 1), lacking(wiki)) == (SLICE, 3)
    assert (wiki.embed(), lacking(wiki)) == (3, 0)
    assert len(toy.given) == len(set(toy.given)) == 2 * SLICE + 3


def test_a_model_that_fails_midway_keeps_what_was_done_and_no_lock(wiki: Wiki, root: Path) -> None:
    toy = give(wiki, Toy())
    save(root, **{f"p{n:02}": f"Page p{n:02} of many." for n in range(2 * SLICE)})

    def fails_at_the_second() -> None:
        if toy.given:
            raise ModelBroken(Path("model.onnx"), "no memory")

    toy.at_each = fails_at_the_second
    with pytest.raises(ModelBroken, match="no memory"):
        wiki.embed()
    toy.at_each = lambda: None
    assert (lacking(wiki), wiki.embed(), lacking(wiki)) == (SLICE, SLICE, 0)


def test_a_page_that_changes_while_it_is_embedded_is_embedded_as_it_is_once_it_is_indexed(
    wiki: Wiki, toy: Toy, root: Path
) -> None:
    def changes() -> None:
        save(root, late="Said late.")
        (root / "global/notes/seal.md").unlink(missing_ok=True)
        (root / "global/notes/heron.md").write_text("# Another text.", encoding="utf-8")

    wiki.catch_up()
    save(root, **{"global/notes/long": "# Long\n\nShort now.\n"})
    toy.at_each = changes
    wiki.embed_now(lambda: True)
    toy.at_each = lambda: None
    wiki.embed()
    assert lacking(wiki) == 0
    assert {"Said late.", "# Another text.", "# Long\n\nShort now."} <= {
        text.partition("late\n")[2] or text for text in toy.given
    }


def test_of_two_processes_one_embeds_and_the_other_is_told(wiki: Wiki, toy: Toy, root: Path) -> None:
    begun, ends = Event(), Event()

    def waits() -> None:
        begun.set()
        ends.wait(PATIENCE)

    toy.at_each = waits
    with Wiki.open(root, root, ADA, Clock().chance) as other, ThreadPoolExecutor(1) as pool:
        give(other, Toy())
        done = pool.submit(wiki.embed)
        assert begun.wait(PATIENCE)
        try:
            with pytest.raises(VaultBusy, match=r"^another process is embedding; try again when it is done$"):
                other.embed()
        finally:
            ends.set()
        assert done.result(PATIENCE) == 6
        assert other.embed() == 0


def test_who_listens_hears_how_far_it_is(wiki: Wiki, toy: Toy, root: Path) -> None:
    save(root, **{f"p{n:02}": f"Page p{n:02} of many." for n in range(SLICE)})
    heard: list[tuple[int, int]] = []

    class Ear(Listener):
        def embedded(self, done: int, total: int) -> None:
            heard.append((done, total))

    wiki.tell(Ear())
    total = SLICE + 6
    assert wiki.embed() == total == len(toy.given)
    assert heard == [(0, total), (SLICE, total), (total, total)]


def test_what_nothing_says_any_more_is_dropped_once_it_is_the_most_by_far(wiki: Wiki, toy: Toy, root: Path) -> None:
    wiki.embed()
    vectors(wiki).add(range(1, 3_001), np.ones((3_000, toy.model.dim), np.float32))
    save(root, new="A new page.")
    assert wiki.embed() == 1
    assert len(vectors(wiki)) == 7
    assert lacking(wiki) == 0
