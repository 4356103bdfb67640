"""The command that measures recall on public data; it works in vaults of its own, and in none of the person's."""

import os
import shlex
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memory_wiki.faces.arguments import Json
from memory_wiki.faces.at_desk import at_desk
from memory_wiki.recall.effort import Effort

if TYPE_CHECKING:
    from memory_wiki.bench.report import Report
    from memory_wiki.bench.run import Wanted

BUDGET = 1_000  # tokens, for which evidence is always told


class Data(StrEnum):
    """The datasets that there is a reader for."""

    LOCOMO = "locomo"
    LONGMEMEVAL = "longmemeval"
    BEAM = "beam"
    QUESTIONS = "questions"
    XQUAD = "xquad"


Dataset = Annotated[
    Data, typer.Argument(metavar="DATASET", help="locomo, longmemeval, beam, xquad; or questions, of your own.")
]
DataPath = Annotated[
    Path, typer.Option("--data", metavar="PATH", help="The dataset's file; of xquad, its folder; or your vault.")
]
Questions = Annotated[
    Path | None,
    typer.Option("--questions", metavar="FILE", help="A line each: question, tab, pages that answer, by |."),
]
Most = Annotated[
    int | None, typer.Option("--limit", "-n", metavar="COUNT", min=1, help="At most so many questions, spread out.")
]
Conversations = Annotated[
    int | None, typer.Option("--conversations", metavar="COUNT", min=1, help="Only the first so many.")
]
Budget = Annotated[
    int | None,
    typer.Option("--budget", "-b", metavar="TOKENS", min=50, max=100_000, help="Evidence kept in so many, too."),
]
ModeOption = Annotated[Effort, typer.Option("--mode", metavar="MODE", help="fast, default or best.")]
Without = Annotated[
    list[str] | None,
    typer.Option("--without", metavar="PART", help="Without a part, such as meaning; may be repeated."),
]
ReaderUrl = Annotated[
    str, typer.Option("--reader", metavar="URL", help="Let a model answer: an OpenAI-compatible endpoint.")
]
ReaderModel = Annotated[str, typer.Option("--reader-model", metavar="NAME", help="Its name there.")]
Keep = Annotated[Path | None, typer.Option("--keep", metavar="FOLDER", help="Keep the vaults that are made, in here.")]


def bench(
    dataset: Dataset,
    data: DataPath,
    questions: Questions = None,
    limit: Most = None,
    conversations: Conversations = None,
    budget: Budget = None,
    mode: ModeOption = Effort.DEFAULT,
    without: Without = None,
    reader: ReaderUrl = "",
    reader_model: ReaderModel = "",
    keep: Keep = None,
    as_json: Json = False,
) -> None:
    """Measure recall on a dataset, in vaults made for that."""
    from memory_wiki.bench.asking import Ways, parts
    from memory_wiki.bench.reader import Reader
    from memory_wiki.bench.run import Wanted

    with at_desk(None, as_json=as_json) as desk:
        budgets = tuple(dict.fromkeys((budget or BUDGET, BUDGET)))
        ways = Ways(budgets, mode, parts(without or ()))
        key = os.environ.get("MEMORY_WIKI_READER_KEY", "")
        model = Reader(reader, reader_model, key) if reader or reader_model else None
        command = shlex.join(["memory-wiki", *sys.argv[1:]])
        wanted = Wanted(str(data), command, ways, limit, conversations, keep, model)
        desk.say(_run(dataset, questions, wanted, desk.note))


def _run(dataset: str, questions: Path | None, wanted: "Wanted", note: Callable[[str], None]) -> "Report":
    from memory_wiki.bench.datasets import load
    from memory_wiki.bench.run import run
    from memory_wiki.faces import desk, measured, render
    from memory_wiki.faces.beside import progress

    render.text.register(measured.report)
    desk.work_begins()
    with progress(note, "step") as told:
        return run(load(dataset, Path(wanted.data), questions), wanted, desk.chance, told)
