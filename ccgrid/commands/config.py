"""The command for default settings."""

from enum import StrEnum
from typing import Annotated

import typer

from ccgrid import services, view
from ccgrid.commands.options import Json
from ccgrid.view.output import show_json

app = typer.Typer()


class Action(StrEnum):
    """What is done with a setting."""

    SET = "set"
    UNSET = "unset"


@app.command()
def config(
    action: Annotated[Action | None, typer.Argument(help="Change a setting; without it all are shown.")] = None,
    name: Annotated[str | None, typer.Argument(help="The setting, such as players.", show_default=False)] = None,
    value: Annotated[str | None, typer.Argument(help="Its new value, to set it.", show_default=False)] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say what each is for, and what comes before it.")] = False,
    as_json: Json = False,
) -> None:
    """Show and change your default settings.

    An option comes before the environment, and the environment before these settings.

    Example: ccgrid config set players You,fair
    """
    if action is not None:
        if name is None or (value is None) == (action is Action.SET):
            raise typer.BadParameter("write: ccgrid config set NAME VALUE, or ccgrid config unset NAME")
        services.config.change(name, value)
    found = services.config.overview(services.config.read_config())
    if as_json:
        show_json(found)
    else:
        view.lists.show_config(found, explain=explain)
