"""The options that several commands share, so that each is spelled and explained in one place."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from os import urandom
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple, TypeVar

import typer

from ccgrid import services, terminal
from ccgrid.catalog.card import LONGEST_NAME, NotConfirmedError
from ccgrid.catalog.holding import Place
from ccgrid.commands.completion import complete_boxes, complete_card_games, complete_query, complete_sets
from ccgrid.commands.paths import FilePath
from ccgrid.view.output import note, remark
from ccgrid.view.streams import can_ask

if TYPE_CHECKING:
    from ccgrid.catalog.store.holdings import CollectionStore

_LARGEST_SEED: Final = 2**63 - 1
"""Records hold their seed, and whole numbers there have 64 bits."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
"""Print JSON in place of tables and pictures."""

_CATALOGUE = FilePath("a catalogue is kept")

Database = Annotated[
    Path | None,
    typer.Option(
        "--db",
        click_type=_CATALOGUE,
        metavar="PATH",
        envvar="CCGRID_DB",
        help="The catalogue file.",
        show_default=False,
    ),
]
"""The catalogue file; None stands for the one in the platform's user data folder."""

Games = Annotated[
    list[str] | None,
    typer.Option(
        "--game",
        "-g",
        metavar="GAME",
        help="Only cards of this card game; repeatable.",
        show_default=False,
        autocompletion=complete_card_games,
    ),
]
"""Card games, such as mtg; None stands for all of them."""


Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file of the same kind.")]
"""Write over files; without it what is there stays."""


def bounded(text: str | None) -> str | None:
    """The name that was typed, which is not too long."""
    _check_length(len(text or ""))
    return text


def bounded_names(text: str | None) -> str | None:
    """The names that were typed with commas between, none of them too long."""
    _check_length(max(map(len, (text or "").split(","))))
    return text


def _check_length(longest: int) -> None:
    if longest > LONGEST_NAME:
        raise typer.BadParameter(f"a name has {longest:,} characters; {LONGEST_NAME} is the most")


def read_seed(text: str) -> int:
    """The seed that was typed, of any size that a record can hold."""
    if not str(text).isdecimal() or len(str(text)) > 19 or int(text) > _LARGEST_SEED:
        raise typer.BadParameter(f"a seed is a whole number from 0 to {_LARGEST_SEED}")
    return int(text)


Seed = Annotated[
    int | None,
    typer.Option("--seed", parser=read_seed, metavar="NUMBER", help="The same seed gives the same cards and dice."),
]
"""What all dice of a command follow from; None stands for any."""


def any_seed(given: int | None) -> int:
    """The seed that was given, else any."""
    return int.from_bytes(urandom(4)) >> 1 if given is None else given


def waiting() -> None:
    """Says that another command has the catalogue."""
    note("Waiting for another command that writes to the catalogue.")


Result = TypeVar("Result")

Card = Annotated[
    list[str],
    typer.Argument(
        metavar="QUERY",
        help="A card's name or id, or a query: 'isle set:m10 box:attic'.",
        show_default=False,
        autocompletion=complete_query,
    ),
]
"""Which copies are meant."""
AnyCards = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[QUERY]",
        help="Words of a name, an id, or a query: 'dragon set:m10 box:attic'.",
        show_default=False,
        autocompletion=complete_query,
    ),
]
"""Which cards are meant; none stands for all."""
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask, even to change many entries.")]
"""What scripts say to change many entries."""
SetCode = Annotated[
    str,
    typer.Option(
        "--set",
        "-s",
        help="Set code or set name.",
        show_default=False,
        autocompletion=complete_sets,
    ),
]
Number = Annotated[str, typer.Option("--number", help="Collector number.", show_default=False)]
Finish = Annotated[str, typer.Option("--finish", "-f", help="normal, foil, etched …", show_default=False)]
Condition = Annotated[str, typer.Option("--condition", help="mint, near-mint … or nm, lp …", show_default=False)]
Language = Annotated[str, typer.Option("--language", "-l", help="en, de, Japanese …", show_default=False)]
Box = Annotated[
    str,
    typer.Option(
        "--box",
        "-b",
        help="The box, binder or folder.",
        show_default=False,
        callback=bounded,
        autocompletion=complete_boxes,
    ),
]
RowOption = Annotated[
    str, typer.Option("--row", help="The row in the box, or the page.", show_default=False, callback=bounded)
]
Slot = Annotated[str, typer.Option("--slot", help="The place in the row.", show_default=False, callback=bounded)]


class PlaceOptions(NamedTuple):
    """Where cards are, or come."""

    box: Box = ""
    row: RowOption = ""
    slot: Slot = ""

    def place(self) -> Place:
        """The place that was named."""
        return Place(self.box, self.row, self.slot)


class CopyOptions(NamedTuple):
    """What copies are like, and where they are."""

    finish: Finish = ""
    condition: Condition = ""
    language: Language = ""
    where: PlaceOptions = PlaceOptions()


class Destination(NamedTuple):
    """Where copies are put; None leaves a part of their place as it is."""

    to_box: Annotated[
        str | None,
        typer.Option(
            "--to-box",
            help="New box; '' for none.",
            show_default=False,
            autocompletion=complete_boxes,
            callback=bounded,
        ),
    ] = None
    to_row: Annotated[str | None, typer.Option("--to-row", help="New row.", show_default=False, callback=bounded)] = (
        None
    )
    to_slot: Annotated[
        str | None, typer.Option("--to-slot", help="The place in the row.", show_default=False, callback=bounded)
    ] = None


Copies = Annotated[
    int | None, typer.Option("--copies", "-n", min=1, help="Number of copies (default: all).", show_default=False)
]


def opened(database: Path | None, games: list[str] | None = None) -> "AbstractContextManager[CollectionStore]":
    """The collection in the catalogue that is meant; CatalogError where there is none, or no card of these games."""
    return services.collection_store.open_collection(database, waiting, games or ())


def confirmed(act: Callable[[bool], Result], *, yes: bool, as_json: bool) -> Result:
    """What an act gives that is told whether somebody said yes; where it needs that, a person at a terminal is asked.

    Raises:
        NotConfirmedError: it needs a yes, and nobody can be asked.
    """
    try:
        return act(yes)
    except NotConfirmedError as error:
        if as_json or not can_ask():
            raise
        if not terminal.choosing.ask(error):
            remark("Cancelled; nothing changed.")
            raise typer.Exit from None
    return act(True)
