"""What a command needs around a verb: which vault, who writes, and how the answer is printed.

Imported only when a command runs, as it brings tantivy and the rest along; what a recall does not need, the commands
that do import. Holds no rule of the wiki.
"""

import gc
import logging
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from memory_wiki.errors import BadInput, BadMemory, MemoryWikiError, VaultNotFound
from memory_wiki.faces import ink
from memory_wiki.faces.beside import Counted, Ear, Herald, Notes, caught_up, progress
from memory_wiki.faces.ending import told_to_end
from memory_wiki.faces.whereabouts import actor, here, is_own_to_be_made, locate
from memory_wiki.vault.locate import open_vault
from memory_wiki.wiki.chance import Chance
from memory_wiki.wiki.listener import CaughtUp

if TYPE_CHECKING:
    from memory_wiki.index.entries import Filter
    from memory_wiki.page.edit import Edit
    from memory_wiki.page.memory import Memory
    from memory_wiki.recall.answer import Question
    from memory_wiki.wiki.models import Models
    from memory_wiki.wiki.wiki import Wiki

INTERRUPTED = 130  # as shells say of a command that Ctrl-C ended

chance = Chance()
"""Where every command's time and ids come from; tests put their own in its place."""


class Desk:
    """One command's vault, and its way of answering."""

    def __init__(self, vault: Path | None, *, as_json: bool, shows_why: bool) -> None:
        self.root = locate(vault)
        self._as_json = as_json
        self._shows_why = shows_why
        self._noted: set[str] = set()
        logging.getLogger("memory_wiki").handlers = [Notes(self.note)]

    def filter(
        self,
        project: str,
        types: list[str] | None,
        tags: list[str] | None,
        paths: list[str] | None,
        author: str,
        since: str,
        until: str,
    ) -> "Filter":
        """The pages that are wanted; dates are meant in the zone where one stands."""
        from memory_wiki.faces import filters

        now = chance.now().astimezone()
        dates = filters.dates(since, until, now)
        return filters.filter_of(project, types or [], tags or [], paths or [], author, dates)

    def say(self, *answers: object) -> None:
        """Prints answers: as one JSON value, or as text with colours where a terminal shows them."""
        if self._as_json:
            from memory_wiki.faces import shapes

            print(shapes.to_json(*answers), flush=True)
        else:
            from memory_wiki.faces import render

            print("\n".join(render.text(answer, self._pen()) for answer in answers), flush=True)

    def _pen(self) -> ink.Ink:
        columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
        return ink.Ink(_is_coloured(), self._shows_why, columns)

    def note(self, line: str) -> None:
        """Prints beside the answer, where it disturbs no pipe; nothing twice."""
        if line and line not in self._noted:
            self._noted.add(line)
            print(_as_json(line) if self._as_json else ink.plain(line), file=sys.stderr)

    @contextmanager
    def wiki(self) -> "Iterator[Wiki]":
        """The vault; says what other hands had changed, and how far long work is."""
        with closing(open_vault(self.root)) as vault:
            vault.history.begin_status()  # git takes 30 ms for 10,000 pages, and what we import meanwhile as long
            from memory_wiki.wiki.wiki import Wiki

            work_begins()
            with Wiki(vault, here(), actor(), chance) as wiki, progress(self.note) as told:
                wiki.tell(Ear(self.note, told))
                yield wiki

    def make_vault(self) -> None:
        from memory_wiki.faces import render
        from memory_wiki.vault.make import make

        self.say(make(self.root.resolve(), actor(), chance.now()))
        with self.wiki() as wiki:
            for line in render.taken_over(wiki.status()):
                self.note(line)

    def remember(self, memory: "Memory", project: str | None) -> None:
        from memory_wiki.wiki.remembering import Wish

        self._offer_own_vault()
        with self.wiki() as wiki:
            self.say(wiki.remember(Wish(memory, project, once=True)))

    def remember_batch(self, file: Path, *, is_alone: bool) -> None:
        from memory_wiki.faces import options
        from memory_wiki.wiki.answers import Batch

        if not is_alone:
            raise BadInput("--batch takes all it writes from its lines; drop the text and the other options")
        lines, wishes = options.batch(file)
        self._offer_own_vault()
        counted = Counted()
        try:
            with self.wiki() as wiki:
                written = wiki.remember_each(wishes, counted.and_then(wiki.listener.progress))
        except BadMemory as error:
            name = "standard input" if str(file) == "-" else file
            raise BadInput(f"{name}:{lines[error.number]}: {error.error}; nothing was written") from None
        except (MemoryWikiError, KeyboardInterrupt):
            rest = "" if counted.done == len(wishes) else "; the others are not: see `memory-wiki log` before you go on"
            self.note(f"{counted.done} of {len(wishes)} memories are written, from the first on{rest}")
            raise
        self.say(Batch(written))

    def recall(self, wiki: "Wiki", question: "Question") -> None:
        from memory_wiki.faces import quotes

        answer = wiki.recall(replace(question, explains=self._shows_why))
        if self._as_json:
            self.say(answer)
        else:
            print(quotes.answer(answer, self._pen()), flush=True)

    def show_page(self, name: str, at: str) -> None:
        with self.wiki() as wiki:
            found = wiki.read(name, at)
        if self._as_json:
            self.say(found)
        elif sys.stdout.isatty():
            print(ink.plain(found.page.text), end="", flush=True)
        else:
            sys.stdout.buffer.write(found.page.data)
            sys.stdout.buffer.flush()

    def edit(self, name: str, edits: "tuple[Edit, ...]", expected: str | None) -> None:
        with self.wiki() as wiki:
            if edits:
                self.say(wiki.edit(name, edits, expected))
            else:
                self._edit_in_editor(wiki, name)

    def check(self, *, with_index: bool, is_strict: bool) -> int:
        """Prints what is wrong; gives the exit code."""
        with self.wiki() as wiki:
            report = wiki.check()
            proof = wiki.prove() if with_index else None
        self.say(report, *([] if proof is None else [proof]))
        wrong = [found for found in report.found if is_strict or found.problem.level == "error"]
        return 1 if wrong or (proof and proof.differing) else 0

    def reindex(self) -> None:
        from memory_wiki.wiki.answers import Rebuilt

        with self.wiki() as wiki:
            started = time.monotonic()
            done = wiki.reindex()
        self.say(Rebuilt(done, time.monotonic() - started))

    def models(self, ask: "Callable[[Models, Callable[[str], None]], object]") -> None:
        """What is asked of the models on this machine, whether or not there is a vault."""
        from memory_wiki.faces import shelf  # noqa: F401
        from memory_wiki.wiki.models import Models

        self.say(ask(Models(os.environ, self.root), self.note))

    def watch(self) -> None:
        """Goes on until it is told to end: Ctrl-C, or a signal as init systems send it; or until nobody reads it."""
        from memory_wiki.wiki.wiki import Wiki

        work_begins()
        with told_to_end() as ending, Wiki.open(self.root, here(), actor(), chance) as wiki:
            wiki.tell(herald := Herald(self._say_line, ending.come, self.note))
            limit = wiki.watch()
            wiki.serve_meaning()
            self.note(f"{limit}; so the folder is looked at every few seconds instead" if limit else "")
            self.note(f"watching {self.root}, until Ctrl-C")
            ending.wait()
        if herald.is_unheard:
            raise BrokenPipeError

    def _say_line(self, caught: CaughtUp) -> None:
        if self._as_json:
            from memory_wiki.faces import shapes

            print(shapes.line_to_json(caught), flush=True)
        elif line := caught_up(caught):
            print(f"{chance.now().astimezone():%H:%M:%S} {ink.plain(line)}", flush=True)

    def _edit_in_editor(self, wiki: "Wiki", name: str) -> None:
        """Edits a copy, so that a half-written page is never in the vault; keeps it where the page moved on."""
        from tempfile import mkdtemp

        from memory_wiki.page.edit import Whole

        if not sys.stdin.isatty():
            raise BadInput("there is no terminal to edit in; say what to change: `memory-wiki edit --help`")
        page = wiki.read(name).page
        copy = Path(mkdtemp(prefix="memory-wiki-")) / Path(page.path).name
        copy.write_bytes(page.data)
        try:
            _run_editor(copy)
            changed = copy.read_bytes().decode("utf-8", "surrogateescape")
            self.say(wiki.edit(page.path, (Whole(changed),), page.version))
        except MemoryWikiError:
            if copy.read_bytes() == page.data:
                shutil.rmtree(copy.parent)
            else:
                self.note(f"what you wrote is kept in {copy}")
            raise
        shutil.rmtree(copy.parent)

    def _offer_own_vault(self) -> None:
        """At the first memory of all: makes the user's own vault, after asking a person at a terminal."""
        if not is_own_to_be_made(self.root):
            return
        if not sys.stdin.isatty():
            raise VaultNotFound(self.root)
        if not _agrees(f"There is no vault yet. Make your own at {self.root}?"):
            raise VaultNotFound(self.root)
        from memory_wiki.vault.make import make

        make(self.root, actor(), chance.now())


def complain(error: MemoryWikiError, *, as_json: bool) -> None:
    """Prints an error on standard error."""
    print(_as_json(error) if as_json else f"memory-wiki: {ink.plain(str(error))}", file=sys.stderr)


def _as_json(said: MemoryWikiError | str) -> str:
    from memory_wiki.faces import shapes

    return shapes.note_to_json(said) if isinstance(said, str) else shapes.error_to_json(said)


def work_begins() -> None:
    """From now on there may be garbage, if a command goes on for long; what has been loaded is none."""
    gc.freeze()
    gc.enable()


def _agrees(question: str) -> bool:
    try:
        return typer.confirm(question, default=True, err=True)
    except typer.Abort:
        print(file=sys.stderr)  # the shell's prompt begins on a line of its own
        raise typer.Exit(INTERRUPTED) from None


def _run_editor(file: Path) -> None:
    import shlex

    try:
        command = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
        subprocess.run([*command, str(file)], check=True)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        raise BadInput(f"your editor failed ({error}); set EDITOR to one that runs here, as in EDITOR=nano") from None


def paths_that_begin(start: str) -> list[str]:
    """Pages that the index knows by a path that begins so; asks nothing else, to be quick."""
    from memory_wiki.wiki.wiki import Wiki

    try:
        with Wiki.open(locate(None), here()) as wiki:
            return sorted(path for path in wiki.index.words.have() if path.startswith(start))
    except MemoryWikiError:
        return []


def _is_coloured() -> bool:
    """As https://no-color.org asks."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
