"""What `scan --grid -o` does: the nine cards on a picture become the record of a position."""

from dataclasses import dataclass
from pathlib import Path

import typer

from catalog.card import CatalogError
from catalog.scan.result import Scan
from ccgrid.services import scanning
from ccgrid.services.deck_checks import read_legal_deck
from ccgrid.services.scan_positions import OnGrid, position
from ccgrid.services.scanning import Unscanned
from ccgrid.terminal.scan_review import HELP, LATER, QUIT, ReviewPrompter, review
from ccgrid.view.output import note, remark, show, show_json
from engine.games.grid.state import BOARD
from engine.record_files import write_game


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was said about a position: the picture, the record, its game, its players, and the deck if it is known."""

    pictures: tuple[str, ...]
    output: Path
    game: str
    players: tuple[str, ...]
    first: str | None
    deck: Path | None
    database: Path | None


def write_position(wanted: Wanted, voice: ReviewPrompter | None, *, as_json: bool) -> None:
    """Reads the picture and writes the record; `voice` lets a person correct each card, None where nobody is there."""
    if len(wanted.pictures) != 1:
        raise typer.BadParameter("a position is on one picture", param_hint="--output")
    deck = () if wanted.deck is None else read_legal_deck(wanted.deck, "grid", wanted.database)
    told = typer.get_binary_stream("stdin") if scanning.INPUT in wanted.pictures else None
    (found,) = scanning.scans(wanted.pictures, wanted.database, game=wanted.game, grid=True, standard_input=told)
    if isinstance(found, Unscanned):
        raise CatalogError(f"{found.file}: {found.reason}")
    cards = [OnGrid(one, one.entry()) for one in found] if voice is None else _reviewed(found, voice, wanted.game)
    if as_json:
        for one in found:
            show_json(one.to_dict())
    record = position(cards, wanted.players, wanted.first, deck)
    write_game(record, wanted.output)
    if voice is None:
        unsure = [f"{BOARD.cells[one.read.cell or 0]} ({one.name})" for one in found if not one.sure]
        if unsure and not deck:
            remark(f"Not sure of {', '.join(unsure)}: look at their numbers in {wanted.output}.")
    note(
        f"Written to {wanted.output}. Go on with: ccgrid advise {wanted.output}, or ccgrid table --load {wanted.output}"
    )


def _reviewed(found: list[Scan], voice: ReviewPrompter, game: str) -> list[OnGrid]:
    """The cards as a person leaves them, in the order of the cells."""
    show(HELP)
    cards = []
    for one in found:
        answer = review(one, voice, game=game or "table")
        if answer.what == QUIT:
            remark("Left; nothing is written.")
            raise typer.Exit
        cards.append(OnGrid(one, one.entry() if answer.what == LATER else answer.entry))
    return cards
