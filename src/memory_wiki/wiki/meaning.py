"""The models of one vault at work. Found and loaded when first needed, never at start, and in a thread of their own.

Nobody who asks waits for a model, unless they say so: until one is there, and where there is none, words answer alone,
and the answer says why. A model is downloaded only by a server, which says so.
"""

import atexit
import logging
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from threading import Lock, Thread, main_thread
from typing import TYPE_CHECKING, Generic, TypeVar
from unicodedata import category

from memory_wiki.errors import MemoryWikiError, ModelOff
from memory_wiki.index.entries import EVERYTHING
from memory_wiki.recall.answer import ASLEEP, NOTHING_EMBEDDED, Question
from memory_wiki.recall.effort import Effort
from memory_wiki.recall.senses import WORDS_ALONE, Senses

if TYPE_CHECKING:
    from memory_wiki.config import Config
    from memory_wiki.index.embedder import Embedder, Reranker
    from memory_wiki.index.vectors import Vectors
    from memory_wiki.index.words import Words
    from memory_wiki.settings import Choice

log = logging.getLogger(__name__)

T = TypeVar("T")
TIME = 0.15  # seconds that the reranker has by default: with it an answer still comes in a quarter of a second
AT_LAST = 3.0  # seconds that a model may take to load; it takes one
AGAIN = 300.0  # seconds after which what could not be loaded, or downloaded, is tried again without anybody waiting
LOADING = "its model is being loaded, or downloaded before that; answers have it once it is there"
NOT_EMBEDDED = "no page is embedded yet; `memory-wiki embed` does it now"
ONE_AT_A_TIME = Lock()  # two threads that import fastembed at once lock each other out


class Loaded(Generic[T]):
    """Something that takes long to load, and is loaded once, when it is first asked for; what fails, again later, or
    at once for who waits.
    """

    def __init__(self, load: Callable[[], T]) -> None:
        self._load = load
        self._lock = Lock()
        self._thread: Thread | None = None
        self._failed = 0.0
        self.value: T | None = None
        self.why = ""
        """Why there is none."""
        self.is_off = False
        """Whether none is wanted."""
        self.may_be_left = False
        """Whether a process may end amid what goes on: a download, which has no end that one could wait for."""

    def begin(self) -> None:
        """Loads it in the background."""
        with self._lock:
            if self._thread is None or time.monotonic() - self._failed > AGAIN:
                self._start()

    @property
    def is_loading(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def wait(self) -> T | None:
        with self._lock:
            self._start()
            thread = self._thread
        if thread is not None:
            thread.join()
        return self.value

    def _start(self) -> None:
        if self.value is None and not self.is_loading:
            self.why = LOADING
            self._thread = Thread(target=self._run, name="memory-wiki model", daemon=True)
            atexit.register(self.close)  # also for who ends without closing anything
            self._thread.start()

    def close(self) -> None:
        """Waits for what is being loaded, as a process that ends amid that is aborted by the libraries below."""
        if self._thread is not None and not self.may_be_left:
            self._thread.join(AT_LAST)

    def _run(self) -> None:
        try:
            self.may_be_left = True
            with ONE_AT_A_TIME:
                self.may_be_left = False
                self.value = self._load()
            self.why, self.is_off = "", False
        except (MemoryWikiError, OSError, ImportError) as error:
            self.why, self.is_off = str(error), isinstance(error, ModelOff)
            self._failed = time.monotonic()
            log.info("no model: %s", error)
        except Exception as error:  # noqa: BLE001 - a thread's edge: it would end unheard, and all go on as if it loaded
            self.why = f"a mistake of ours: {error!r}"
            if main_thread().is_alive():  # libraries refuse to be imported once a process ends
                log.warning("no model, for %s", self.why)
        finally:
            atexit.unregister(self.close)


class Meaning:
    """What finds passages of one vault by meaning, and reads the best of them again."""

    def __init__(self, folder: Path, config: "Callable[[], Config]") -> None:
        """`folder` is where vectors are kept, one folder for each model."""
        self._folder = folder
        self._config = config
        self._lasts = False
        self._serves = False
        self.embedder = Loaded(self._load_embedder)
        self.reranker = Loaded(self._load_reranker)
        self._vectors: Vectors | None = None
        self._choice: Choice | None = None
        self._following = Lock()
        self._downloaded_last = -inf

    def warm(self) -> None:
        """From now on answers take part as soon as the models are loaded: for who asks more than once."""
        self._lasts = True
        self.embedder.begin()
        self.reranker.begin()

    def serve(self) -> None:
        """The same, and where there is no model, one is downloaded."""
        self._serves = True
        self.warm()

    def follow(self) -> bool:
        """Whether settings name another model since one was looked for: that is the one to load from now on.

        One that is just being loaded comes first.
        """
        with self._following:
            if self._choice is None or self.embedder.is_loading or not self._is_chosen_anew(self._choice):
                return False
            self._choice, self.embedder = None, Loaded(self._load_embedder)
            self._downloaded_last = -inf
            if self._lasts:
                self.embedder.begin()
            return True

    def _is_chosen_anew(self, before: "Choice") -> bool:
        from memory_wiki.wiki.models import choice_of

        try:
            return choice_of(os.environ, self._config()).model != before.model
        except MemoryWikiError:  # what can't be meant leaves all as it was
            return False

    def close(self) -> None:
        for model in (self.embedder, self.reranker):
            model.close()

    @property
    def name(self) -> str:
        """Of the model that is loaded, "" where none is."""
        return self.embedder.value.model.name if self.embedder.value else ""

    def vectors_of(self, embedder: "Embedder") -> "Vectors":
        from memory_wiki.index.vectors import Vectors

        vectors, folder = self._vectors, self._folder_of(embedder.sha256)
        if vectors is None or vectors.folder != folder:
            vectors = self._vectors = Vectors(folder, embedder.model.dim)
        return vectors

    def senses(self, question: Question, words: "Words") -> Senses:
        """What may take part in an answer, and why what is wanted may not; raises nothing."""
        if "meaning" in question.without or not _says_something(question.text):
            return WORDS_ALONE
        embedder = self._asked(self.embedder, question.effort)
        if embedder is None:
            return Senses(missing=(("meaning", self._why(self.embedder)),))
        try:
            vectors = self.vectors_of(embedder)
            is_embedded = len(vectors) > 0
            if not is_embedded and words.newest(EVERYTHING, 1):
                return Senses(missing=(("meaning", NOT_EMBEDDED),))
            nearness = vectors.nearness(embedder.query(question.about))
        except MemoryWikiError as error:
            return Senses(missing=(("meaning", str(error)),))
        senses = Senses(embedder.model.name, nearness, languages=embedder.model.knows)
        return self._reading(question, senses) if is_embedded else senses

    def _reading(self, question: Question, senses: Senses) -> Senses:
        """With a reranker, where one is wanted and there."""
        if question.effort is Effort.FAST or "rerank" in question.without:
            return senses
        reranker = self._asked(self.reranker, question.effort)
        if reranker is None:
            return replace(senses, missing=(("rerank", self._why(self.reranker)),))
        until = None if question.effort is Effort.BEST else time.monotonic() + TIME
        return replace(senses, rerank=partial(_scores, reranker, until), reads=reranker.model.knows)

    def state(self, marks: Sequence[int]) -> tuple[str, str, int]:
        """Which model finds; why none does; and how many passages, of which `marks` are given, have its vectors.

        Loads none.
        """
        from memory_wiki.index.vectors import Vectors
        from memory_wiki.wiki.models import embedder_of

        name = ""
        try:
            found = embedder_of(os.environ, self._config(), fetches=False)
            name, vectors = found.model.name, Vectors(self._folder_of(found.sha256), found.model.dim)
            lacking = frozenset(vectors.lacking(marks))
            return name, "", sum(mark not in lacking for mark in marks)
        except MemoryWikiError as error:
            return name, str(error), 0

    def _folder_of(self, sha256: str) -> Path:
        return self._folder / sha256[:16]

    def _asked(self, model: Loaded[T], effort: Effort) -> T | None:
        if effort is Effort.BEST:
            return model.wait()
        if self._lasts:
            model.begin()
        return model.value

    def _why(self, model: Loaded[T]) -> str:
        if model.why or self._lasts:
            return model.why
        return ASLEEP if self._has_vectors else NOTHING_EMBEDDED

    @property
    def _has_vectors(self) -> bool:
        """Of whatever model."""
        try:
            with os.scandir(self._folder) as folders:
                return any(each.is_dir() for each in folders)
        except OSError:
            return False

    def _load_embedder(self) -> "Embedder":
        from memory_wiki.index.embedder import Embedder
        from memory_wiki.wiki.models import choice_of, embedder_of

        config = self._config()
        self._choice = choice_of(os.environ, config)
        self.embedder.may_be_left = fetches = self._may_download()
        found = embedder_of(os.environ, config, fetches=fetches)
        self.embedder.may_be_left = False
        return Embedder.load(found, 1 if self._serves else _threads())  # a server embeds beside all else that goes on

    def _may_download(self) -> bool:
        """Not at each answer that waits: a network that is away may take long to tell."""
        if not self._serves or time.monotonic() - self._downloaded_last < AGAIN:
            return False
        self._downloaded_last = time.monotonic()
        return True

    def _load_reranker(self) -> "Reranker":
        from memory_wiki.index.embedder import Reranker
        from memory_wiki.wiki.models import reranker_of

        return Reranker.load(reranker_of(os.environ), _threads())


def _says_something(text: str) -> bool:
    """Whether it has a letter, a digit or a pictogram: of marks alone a model makes what it likes."""
    return any(category(char).startswith(("L", "N", "So")) for char in text)


def _scores(reranker: "Reranker", until: float | None, question: str, texts: Sequence[str]) -> list[float]:
    """Logits of the texts, in their order; with `until`, of as many as there is time for."""
    if until is None:
        return reranker.scores(question, texts)
    logits: list[float] = []
    at_once = _threads()  # texts between two looks at the clock: a long one takes as much as all the time there is
    while len(logits) < len(texts) and time.monotonic() < until:
        logits += reranker.scores(question, texts[len(logits) : len(logits) + at_once])
    return logits


def _threads() -> int:
    """As many as this process may use, up to four: what an answer waits for is worth them."""
    from memory_wiki.index.children import processors

    return min(4, processors())
