"""What `scan --grid -o` does: the nine cards on a picture become the record of a position."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

import engine
from catalog.card import CatalogError
from ccgrid import services, terminal
from ccgrid.commands.paths import tell_written
from ccgrid.view.output import remark, show, show_json

if TYPE_CHECKING:
    from catalog.scan.result import Scan
    from ccgrid.services.scan_positions import OnGrid
    from ccgrid.terminal.scan_review import ReviewPrompter


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was said about a position: the picture, the record, its game, its players, and the deck if it is known."""

    pictures: tuple[Path, ...]
    output: Path
    game: str
    players: tuple[str, ...]
    first: str | None
    deck: Path | None
    database: Path | None


def write_position(wanted: Wanted, voice: "ReviewPrompter | None", *, as_json: bool) -> None:
    """Reads the picture and writes the record; `voice` lets a person correct each card, None where nobody is there."""
    if len(wanted.pictures) != 1:
        raise typer.BadParameter("a position is on one picture", param_hint="--output")
    game = services.scan_positions.GAME
    deck = () if wanted.deck is None else services.deck_checks.read_legal_deck(wanted.deck, game, wanted.database)
    (found,) = services.scanning.scans(wanted.pictures, wanted.database, game=wanted.game, grid=True)
    if isinstance(found, services.scanning.Unscanned):
        raise CatalogError(f"{found.file}: {found.reason}")
    cards = (
        [services.scan_positions.OnGrid(one, one.entry()) for one in found]
        if voice is None
        else _reviewed(found, voice, wanted.game)
    )
    if as_json:
        for one in found:
            show_json(one.to_dict())
    record = services.scan_positions.position(cards, wanted.players, wanted.first, deck)
    engine.write_game(record, wanted.output)
    if voice is None:
        unsure = [f"{services.scan_positions.cell_of(one)} ({one.name})" for one in found if not one.sure]
        if unsure and not deck:
            remark(f"Not sure of {', '.join(unsure)}: look at their numbers in {wanted.output}.")
    file = wanted.output
    tell_written(file, f". Go on with: ccgrid advise {file}, or ccgrid table --load {file}")


def _reviewed(found: "list[Scan]", voice: "ReviewPrompter", game: str) -> "list[OnGrid]":
    """The cards as a person leaves them, in the order of the cells."""
    show(terminal.scan_review.HELP)
    cards = []
    for one in found:
        answer = terminal.scan_review.review(one, voice, game=game or "table")
        if answer.what == terminal.scan_review.QUIT:
            remark("Left; nothing is written.")
            raise typer.Exit
        cards.append(
            services.scan_positions.OnGrid(
                one, one.entry() if answer.what == terminal.scan_review.LATER else answer.entry
            )
        )
    return cards
