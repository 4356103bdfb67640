"""What a command needs around a verb: which vault, who writes, and how the answer is printed.

Imported only when a command runs, as it brings git, tantivy and the rest along. Holds no rule of the wiki.
"""

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from shutil import get_terminal_size
from tempfile import mkdtemp

import typer
from platformdirs import user_data_path

from memory_wiki.errors import BadInput, MemoryWikiError, VaultNotFound
from memory_wiki.faces import options, render, shapes
from memory_wiki.index.entries import Filter
from memory_wiki.index.index import Progress
from memory_wiki.page import edit
from memory_wiki.page.change import Actor
from memory_wiki.page.memory import Memory
from memory_wiki.recall.recall import Question
from memory_wiki.vault.locate import find_vault
from memory_wiki.vault.make import make
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.answers import Batch, Rebuilt, Written
from memory_wiki.wiki.chance import Chance
from memory_wiki.wiki.remembering import Wish

PROGRESS_AFTER = 0.5  # seconds: shorter work needs no bar
INTERRUPTED = 130  # as shells say of a command that Ctrl-C ended
BATCH = 500  # memories written under one lock, so that other writers get their turn between

chance = Chance()
"""Where every command's time and ids come from; tests put their own in its place."""


class Desk:
    """One command's vault, and its way of answering."""

    filter = staticmethod(options.filter_of)
    edits = staticmethod(options.edits)
    text = staticmethod(options.text_of)
    version = staticmethod(options.version)
    project = staticmethod(options.project)
    memory = staticmethod(Memory)

    def __init__(self, vault: Path | None, *, as_json: bool, shows_why: bool) -> None:
        self._root = locate(vault)
        self._as_json = as_json
        self._shows_why = shows_why

    @property
    def now(self) -> datetime:
        """The time, in the zone where one stands."""
        return chance.now().astimezone()

    def say(self, *answers: object) -> None:
        """Prints answers: as one JSON value, or as text with colours where a terminal shows them."""
        if self._as_json:
            print(shapes.to_json(*answers), flush=True)
        else:
            columns = get_terminal_size().columns if sys.stdout.isatty() else 0
            ink = render.Ink(_is_coloured(), self._shows_why, columns)
            print("\n".join(render.text(answer, ink) for answer in answers), flush=True)

    def note(self, line: str) -> None:
        """Prints beside the answer, where it disturbs no pipe."""
        if line:
            print(shapes.note_to_json(line) if self._as_json else render.plain(line), file=sys.stderr)

    @contextmanager
    def wiki(self) -> Iterator[Wiki]:
        """The vault, caught up; says what other hands had changed."""
        with Wiki.open(self._root, Path.cwd(), actor(), chance) as wiki:
            with progress("Indexing") as told:
                self.note(render.caught_up(wiki.catch_up(told)))
            yield wiki

    def make_vault(self) -> None:
        self.say(make(self._root.resolve(), actor(), chance.now()))
        with self.wiki() as wiki:
            if pages := wiki.status().pages:
                self.note(f"pages that `memory-wiki recall` finds here: {pages:,}")

    def remember(self, memory: Memory, project: str | None) -> None:
        self._offer_own_vault()
        with self.wiki() as wiki:
            self.say(wiki.remember(Wish(memory, project)))

    def remember_batch(self, file: Path, *, is_alone: bool) -> None:
        if not is_alone:
            raise BadInput("--batch takes all it writes from its lines; drop the text and the other options")
        wishes = options.batch(file, self.now)
        self._offer_own_vault()
        written: list[Written] = []
        with self.wiki() as wiki, progress("Remembering") as told:
            try:
                for start in range(0, len(wishes), BATCH):
                    written += wiki.remember_each(wishes[start : start + BATCH])
                    told(len(written), len(wishes))
            except MemoryWikiError:
                self.note(
                    f"{len(written)} of {len(wishes)} memories are written, the first of the file; the rest are not"
                )
                raise
        self.say(Batch(tuple(written)))

    def recall(self, text: str, wanted: Filter, budget: int | None, limit: int) -> None:
        with self.wiki() as wiki:
            budget = budget or wiki.vault.config.budget
            self.say(wiki.recall(Question(text, wanted, wiki.project, budget, limit, self._shows_why)))

    def show_page(self, name: str, at: str) -> None:
        with self.wiki() as wiki:
            found = wiki.read(name, at)
        if self._as_json:
            self.say(found)
        elif sys.stdout.isatty():
            print(render.plain(found.page.text), end="", flush=True)
        else:
            sys.stdout.buffer.write(found.page.data)
            sys.stdout.buffer.flush()

    def edit(self, name: str, edits: tuple[edit.Edit, ...], expected: str) -> None:
        with self.wiki() as wiki:
            if edits:
                self.say(wiki.edit(name, edits, expected))
            else:
                self._edit_in_editor(wiki, name)

    def check(self, *, with_index: bool, is_strict: bool) -> int:
        """Prints what is wrong; gives the exit code."""
        with self.wiki() as wiki:
            with progress("Checking") as told:
                report = wiki.check(told)
            difference = wiki.disagreement() if with_index else None
        self.say(report, *([] if difference is None else [difference]))
        wrong = [found for found in report.found if is_strict or found.problem.level == "error"]
        return 1 if wrong or difference else 0

    def reindex(self) -> None:
        with Wiki.open(self._root, Path.cwd(), actor(), chance) as wiki, progress("Indexing") as told:
            started = time.monotonic()
            done = wiki.reindex(told)
        self.say(Rebuilt(done, time.monotonic() - started))

    def _edit_in_editor(self, wiki: Wiki, name: str) -> None:
        """Edits a copy, so that a half-written page is never in the vault; keeps it where the page moved on."""
        if not sys.stdin.isatty():
            raise BadInput("there is no terminal to edit in; say what to change: `memory-wiki edit --help`")
        page = wiki.read(name).page
        copy = Path(mkdtemp(prefix="memory-wiki-")) / Path(page.path).name
        copy.write_bytes(page.data)
        try:
            _run_editor(copy)
            changed = copy.read_bytes().decode("utf-8", "surrogateescape")
            self.say(wiki.edit(page.path, (edit.Whole(changed),), page.version))
        except MemoryWikiError:
            if copy.read_bytes() != page.data:
                self.note(f"what you wrote is kept in {copy}")
            raise
        copy.unlink()
        copy.parent.rmdir()

    def _offer_own_vault(self) -> None:
        """At the first memory of all: makes the user's own vault, after asking a person at a terminal."""
        if self._root != own_vault() or (self._root / "memory-wiki.toml").exists():
            return
        if not sys.stdin.isatty():
            raise VaultNotFound(self._root)
        if not _agrees(f"There is no vault yet. Make your own at {self._root}?"):
            raise VaultNotFound(self._root)
        make(self._root, actor(), chance.now())


def complain(error: MemoryWikiError, *, as_json: bool) -> None:
    """Prints an error on standard error."""
    print(
        shapes.error_to_json(error) if as_json else f"memory-wiki: {render.plain(str(error))}",
        file=sys.stderr,
    )


def _agrees(question: str) -> bool:
    try:
        return typer.confirm(question, default=True, err=True)
    except typer.Abort:
        print(file=sys.stderr)  # the shell's prompt begins on a line of its own
        raise typer.Exit(INTERRUPTED) from None


def _run_editor(file: Path) -> None:
    command = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    try:
        subprocess.run([*command, str(file)], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise BadInput(f"your editor failed ({error}); set EDITOR to one that runs here, as in EDITOR=nano") from None


def paths_that_begin(start: str) -> list[str]:
    """Pages that the index knows by a path that begins so; asks nothing else, to be quick."""
    try:
        with Wiki.open(locate(None), Path.cwd()) as wiki:
            return sorted(path for path in wiki.index.words.have() if path.startswith(start))
    except MemoryWikiError:
        return []


def locate(option: Path | None) -> Path:
    """`--vault`, else MEMORY_WIKI_VAULT, else the vault one stands in, else the user's own."""
    if named := option or os.environ.get("MEMORY_WIKI_VAULT"):
        return Path(named).expanduser()
    return find_vault(Path.cwd()) or own_vault()


def own_vault() -> Path:
    return user_data_path("memory-wiki", appauthor=False) / "vault"


def actor() -> Actor | None:
    """Who writes, where an agent's launcher says so; None for the person that git names."""
    found = Actor(*(os.environ.get(f"MEMORY_WIKI_{what}", "") for what in ("ACTOR", "AGENT", "SESSION")))
    return found if found != Actor("") else None


@contextmanager
def progress(what: str) -> Iterator[Progress]:
    """A bar on a terminal's standard error, for work that takes longer than a blink."""
    if not sys.stderr.isatty():
        yield _silent
        return
    started = time.monotonic()
    shown: Progress | None = None

    def told(done: int, total: int) -> None:
        nonlocal shown
        if shown is None and time.monotonic() - started > PROGRESS_AFTER:
            shown = bars.enter_context(_bar(what))
        if shown is not None:
            shown(done, total)

    with ExitStack() as bars:
        yield told


@contextmanager
def _bar(what: str) -> Iterator[Progress]:
    from rich.console import Console  # noqa: PLC0415 - 40 ms that only long work at a terminal needs
    from rich.progress import Progress as Bar  # noqa: PLC0415

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _silent(_done: int, _total: int) -> None:
    """Progress for nobody to see."""


def _is_coloured() -> bool:
    """As https://no-color.org asks."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
