"""An open vault: catching up with what other hands do, and what follows a write. The verbs build on it.

Catching up commits what differs and indexes it, and never fails for that: it says why it left what it left.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from memory_wiki import config
from memory_wiki.errors import Broken, MemoryWikiError, ModelNotFound, VaultBusy
from memory_wiki.index.index import Index
from memory_wiki.page.change import Actor, Plan
from memory_wiki.page.problem import Problem
from memory_wiki.vault.job import Applied, Job, Taken
from memory_wiki.vault.lock import FileLock, acquired
from memory_wiki.vault.own import Stamp
from memory_wiki.vault.vault import PATIENCE, Vault
from memory_wiki.wiki.acting import acting_actor
from memory_wiki.wiki.chance import Chance
from memory_wiki.wiki.lately import Lately
from memory_wiki.wiki.listener import CaughtUp, Listener
from memory_wiki.wiki.meaning import Meaning
from memory_wiki.wiki.project import standing_at
from memory_wiki.wiki.sharing import Shared
from memory_wiki.wiki.turns import Turns

if TYPE_CHECKING:
    from memory_wiki.recall.answer import Question
    from memory_wiki.recall.senses import Senses
    from memory_wiki.wiki.background import Background

log = logging.getLogger(__name__)


class Opened:
    """A vault, its index, and who is asking."""

    def __init__(self, vault: Vault, here: Path, actor: Actor | None = None, chance: Chance | None = None) -> None:
        """`here` is the directory one stands in; without an actor, the person that git's settings name."""
        self.vault = vault
        self.here = here.resolve()
        self.chance = chance or Chance()
        self.index = Index(vault, self.chance.now)
        self._actor = actor
        self._background: Background | None = None
        self._embedding: Background | None = None
        self._settings = config.stamp(vault.root)
        self.has_caught_up = False
        self.behind = ""  # why the index lacks what changed last, if it does
        self._has_written = False
        self.lately = Lately()
        self.turns = Turns()
        self.listener = Listener()
        self._catching_up = Shared(self._catch_up)
        self._all_embedded: tuple[Stamp, Stamp] | None = None
        self._why_not = ""  # found by meaning, as was said last
        self._embedding_lock = FileLock(vault.own_folder / "embedding.lock")
        self.meaning = Meaning(self.index.folder.parent / "vectors", lambda: self.vault.config)

    def tell(self, listener: Listener) -> None:
        """From now on `listener` hears what each verb finds changed, and how long work goes on."""
        self.listener = listener

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Lets go of the folder, once what follows the last write is done."""
        for thread in (self._embedding, self._background):
            if thread is not None:
                thread.close()
        self.meaning.close()
        try:
            self._settle()
        except (MemoryWikiError, OSError) as error:
            log.warning("left for the next command: %s", error)
        self.index.close()
        self.vault.close()

    def watch(self) -> str:
        """From now on the folder is watched: what other hands change is committed and indexed soon, and a verb need
        not ask git of every page. Gives what keeps it from hearing of every change, and what to do; "" for nothing.
        """
        from memory_wiki.wiki.background import Background

        if self._background is None:
            background = Background(self._catch_up_and_settle)
            self.vault.watch(background.wake)
            background.start()
            background.wake()
            self._background = background
        return self.vault.watch().limit

    def serve_meaning(self) -> None:
        """From now on passages are embedded as they come, and found by meaning; a model is downloaded if there is none.

        Without a watch they come with what is written here, and with what a verb finds changed by other hands.
        """
        from memory_wiki.wiki.background import Background

        if self._embedding is None:
            self.meaning.serve()
            embedding = Background(self._embed_soon)
            self._embedding = embedding
            embedding.start()
            embedding.wake()

    def _embed_soon(self) -> bool:
        """Whether it has to be tried again though nothing tells of it."""
        embedding, model = self._embedding, self.meaning.embedder
        model.begin()
        if model.is_loading:  # which may be a download, and who closes the vault waits for this thread
            return True
        if model.value is None:
            if not model.is_off and model.why != self._why_not:
                log.warning("no page is found by meaning: %s", model.why)
            self._why_not = model.why
            return not model.is_off  # `begin` says when it is time again
        if self._background is None:
            self.catch_up()
        try:
            self._embed_if_changed(
                lambda: embedding is not None and embedding.is_wanted and model is self.meaning.embedder
            )
        except VaultBusy:  # another process embeds them
            return True
        return self._background is not None  # what is derived is in no folder of pages, so that no event tells of it

    def _embed_if_changed(self, goes_on: Callable[[], bool]) -> None:
        """Embeds what lacks a vector, unless index and vectors are as a run left them that found nothing to do."""
        if self.all_is_embedded:
            return
        if not self.index.is_whole:  # somebody deleted it, as one may at any moment
            self.catch_up()
        seen = self._derived()
        done = self.embed_now(goes_on)
        self._all_embedded = seen if not done and goes_on() else None

    @property
    def all_is_embedded(self) -> bool:
        """Whether a server found that no passage lacks a vector, and index and vectors are as they were then."""
        return self._all_embedded is not None and self._all_embedded == self._derived()

    def _derived(self) -> "tuple[Stamp, Stamp] | None":
        """What changes with the index, or with the vectors of the model that is loaded."""
        embedder = self.meaning.embedder.value
        return (self.index.stamp, self.meaning.vectors_of(embedder).stamp) if embedder else None

    def senses(self, question: "Question") -> "Senses":
        """What beside words takes part in an answer. Vectors that somebody deleted or damaged are soon made anew."""
        senses = self.meaning.senses(question, self.index.words)
        if senses.missing and senses.nearness is None and self.meaning.name and self._embedding is not None:
            self._all_embedded = None
            self._embedding.wake()
        return senses

    def embed_now(self, goes_on: Callable[[], bool]) -> int:
        """Embeds what is indexed and lacks a vector; raises `ModelNotFound`, `ModelBroken`, `VaultBusy`."""
        from memory_wiki.wiki.embedding import Embedding

        model = self.meaning.embedder
        embedder = model.wait()
        if embedder is None:
            raise ModelNotFound(model.why)
        vectors = self.meaning.vectors_of(embedder)
        with acquired(self._embedding_lock, 0, "another process is embedding"):
            vectors.mend()
            embedding = Embedding(self.index, self.vault.read, self.vault.config.language)
            return embedding.run(embedder, vectors, goes_on, self.listener.embedded)

    def _catch_up_and_settle(self) -> bool:
        """Whether to do so again though nothing tells of it: neither of the end of a merge, nor of git's lock."""
        caught = self.catch_up()
        self.vault.settle()
        if self._embedding is not None:
            self._embedding.wake()
        return bool(caught.left or self.vault.bringing.is_behind or self.vault.watch().limit)

    def _settle(self) -> None:
        """What follows a write, and nobody who writes waits for."""
        self.vault.settle()
        if self._has_written:  # who only reads has followed, and need not find out again where HEAD is
            self.index.advance()

    @property
    def actor(self) -> Actor:
        """On whose behalf writes are made."""
        given = acting_actor() or self._actor or Actor("")
        return given if given.name else replace(given, name=self.vault.history.person.name)

    @property
    def project(self) -> str:
        """The slug of the project one stands in, "" for none."""
        return self.project_at(self.here)

    def project_at(self, folder: Path) -> str:
        """The slug of the project that a directory belongs to, "" for none."""
        return standing_at(folder, self.vault, self.index.words).slug

    def catch_up(self) -> CaughtUp:
        """Commits, as the person, what other hands changed, and indexes it; where it can't, it says why.

        Threads that ask while another is at it share the next time it is done.
        """
        return self._catching_up.do()

    def _catch_up(self) -> CaughtUp:
        self._read_settings()
        caught, behind = self._keep_outside(), ""
        try:
            followed = self.index.follow(caught.seen, self.listener.progress)
            if followed:
                self.listener.changed(frozenset(followed.come) | followed.gone)
            if followed.come and self._background is None and self._embedding is not None:
                self._embedding.wake()
        except (Broken, VaultBusy) as error:
            behind = str(error)
            caught = replace(caught, left=caught.left or behind)
        self.has_caught_up, self.behind = True, behind
        self.lately.caught_up("" if caught.left else caught.seen.head)
        self.listener.caught_up(caught)
        return caught

    def _read_settings(self) -> None:
        """Takes settings that were changed since they were read. What can't be meant changes nothing, and is told."""
        stamp = config.stamp(self.vault.root)
        if stamp != self._settings:
            self._settings = stamp
            try:
                self.vault.config = config.load(self.vault.root)
            except MemoryWikiError as error:
                self.vault.config = replace(self.vault.config, problems=(Problem("bad-setting", str(error)),))
        if self.meaning.follow() and self._embedding is not None:
            self._embedding.wake()

    def _keep_outside(self) -> CaughtUp:
        """The first half of catching up: history agrees with the folder, as far as git lets us."""
        since = self.vault.at_rest()
        seen = self.vault.look()
        why_not = self.vault.why_not_commit(seen.branch) if seen.differs else ""
        try:
            if self._background is None:
                self.vault.bringing.do()
            if why_not or not seen.to_commit or not self.vault.config.commit_outside_edits:
                return CaughtUp("", (), why_not or seen.conflict, seen)
            with self.vault.locked(PATIENCE):
                if since is None or not self.vault.is_as(seen, since):
                    since = self.vault.quiet()
                    seen = self.vault.look()
                done = self.vault.keep_outside(seen, self.chance.now(), since)
        except (Broken, VaultBusy) as error:
            return CaughtUp("", (), str(error), seen)
        if done.commit:
            self.vault.bringing.after_a_write()
        return CaughtUp(done.commit, done.present or tuple(done.versions), done.seen.conflict, done.seen)

    def write(self, plan: Callable[[Taken], Plan]) -> Applied:
        """Does a plan made under the lock, on behalf of whoever is asking."""
        done = self.vault.write(self.job(plan))
        self._is_written()
        return done

    def write_each(self, jobs: Sequence[Job]) -> list[Applied | MemoryWikiError]:
        """The same for several, of which `writing_much` sees to what follows."""
        done = self.vault.write_each(jobs)
        self._is_written()
        self.vault.bringing.soon()
        return done

    @contextmanager
    def writing_much(self) -> Iterator[None]:
        """No thread of ours settles anything meanwhile, lest it index what its caller does, who can do it cheaper.

        At its end git's index is brought along, also where an error ends it.
        """
        try:
            with ExitStack() as held:
                for thread in (self._background, self._embedding):
                    if thread is not None:
                        held.enter_context(thread.held())
                yield
        finally:
            self.vault.bringing.after_a_write()

    def _is_written(self) -> None:
        self._has_written = True
        if (thread := self._background or self._embedding) is not None:
            thread.wake()

    def job(self, plan: Callable[[Taken], Plan]) -> Job:
        return Job(plan, self.actor, self.chance.now())
