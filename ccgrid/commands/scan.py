"""The command that scans cards on pictures."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from ccgrid import engine, services, terminal, view
from ccgrid.catalog import collection as owned_cards
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.formatting import counted, shell_word
from ccgrid.catalog.holding import Place
from ccgrid.catalog.scan.answers import shown_scan
from ccgrid.catalog.scan.result import compared
from ccgrid.catalog.sources import all_sources, find_card_game
from ccgrid.commands.copy_options import PlaceOptions
from ccgrid.commands.game_options import split_names
from ccgrid.commands.lazy import CommandModule
from ccgrid.commands.options import Database, Json, Output, check_names_length, waiting
from ccgrid.commands.paths import INPUT, tell_written
from ccgrid.services.output_kinds import RECORD
from ccgrid.view.output import note, remark, show, show_json, show_json_lines
from ccgrid.view.reasons import reason_text
from ccgrid.view.streams import can_ask

if TYPE_CHECKING:
    from ccgrid.catalog.custom_card import CustomCard
    from ccgrid.catalog.scan.result import Scan
    from ccgrid.services.accepted_scans import SavedScan
    from ccgrid.services.scanned_position import OnGrid
    from ccgrid.services.scanning import Unscanned
    from ccgrid.terminal.entry import ReviewPrompter


class TableOptions(NamedTuple):
    """Options for a position on a table: its deck, if known, and its players."""

    deck: Annotated[
        Path | None,
        typer.Option("--deck", **INPUT, help="With --grid and -o: the deck of the nine cards."),
    ] = None
    players: Annotated[
        str, typer.Option("--players", help="With --grid and -o: names in seat order.", callback=check_names_length)
    ] = "First,Second"
    first: Annotated[
        str | None, typer.Option("--first", metavar="NAME", help="With --grid and -o: who is to move.")
    ] = None


class Accepting(NamedTuple):
    """Options for accepting cards."""

    yes: Annotated[bool, typer.Option("--yes", "-y", help="Accept sure cards, list the rest.")] = False
    own: Annotated[bool, typer.Option("--own", help="Add accepted cards to your collection.")] = False
    where: PlaceOptions = PlaceOptions()
    check: Annotated[bool, typer.Option("--check", help="Report where pictures and catalogue disagree.")] = False
    again: Annotated[bool, typer.Option("--again", help="Include pictures that were read before.")] = False


def write_position(
    pictures: Sequence[Path],
    output: Path,
    game: str,
    table: TableOptions,
    database: Path | None,
    voice: "ReviewPrompter | None",
    *,
    as_json: bool,
) -> None:
    """Scan the picture and write the record; `voice` lets the user correct each card, None without a terminal."""
    if len(pictures) != 1:
        raise typer.BadParameter("a position is on one picture", param_hint="--output")
    deck = (
        ()
        if table.deck is None
        else services.decks.read_legal_deck(table.deck, database, services.scanned_position.GAME).cards
    )
    (found,) = services.scanning.scan_pictures(pictures, database, game=game, grid=True)
    if isinstance(found, services.scanning.Unscanned):
        raise CatalogError(f"{found.file}: {found.reason}")
    cards = (
        [services.scanned_position.OnGrid(one, one.entry()) for one in found]
        if voice is None
        else _review_all(found, voice, game)
    )
    if as_json:
        for one in found:
            show_json(shown_scan(one))
    record = services.scanned_position.position(cards, split_names(table.players), table.first, deck)
    engine.write_game(record, output)
    if voice is None:
        unsure = [f"{services.scanned_position.cell_of(one)} ({one.name})" for one in found if not one.sure]
        if unsure and not deck:
            remark(f"Not sure of {', '.join(unsure)}: look at their numbers in {output}.")
    tell_written(
        output, f". To continue: ccgrid advise {shell_word(output)}, or ccgrid table --load {shell_word(output)}"
    )


def _review_all(found: "list[Scan]", voice: "ReviewPrompter", game: str) -> "list[OnGrid]":
    """Return the cards as the user leaves them, in the order of the cells."""
    show(terminal.entry.REVIEW_HELP)
    cards = []
    for one in found:
        answer = terminal.entry.review(one, voice, game=game or "table")
        if answer.what == terminal.entry.QUIT:
            remark("Cancelled; nothing written.")
            raise typer.Exit
        is_left = answer.what == terminal.entry.LATER
        cards.append(
            services.scanned_position.OnGrid(one, one.entry())
            if is_left
            else services.scanned_position.OnGrid(answer.scan, answer.entry)
        )
    return cards


app = CommandModule()


@app.command()
def scan(
    images: Annotated[
        list[Path],
        typer.Argument(**INPUT, metavar="IMAGE...|FOLDER|-", help="Pictures, or folders of them."),
    ],
    game: Annotated[str, typer.Option("--game", "-g", metavar="GAME", help="The card game, such as rifts.")] = "",
    grid: Annotated[bool, typer.Option("--grid", help="Nine cards as a 3x3 grid, in board order.")] = False,
    *,
    accepting: Accepting,
    to: Annotated[Output, "With --grid: write a record of the position (.toml, .jsonl)."],
    table: TableOptions,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Read the names and numbers of cards from photos.

    At a terminal each unsure card is shown: Enter accepts, arrows and digits correct. Accepted cards are entered by
    hand, or with --own added to your collection. Settled pictures are not shown again.

    Example: ccgrid scan Pictures/rifts --game rifts --own --box "Attic 2"
    """
    output = to.output
    to.check(RECORD)
    if output is not None and not grid:
        raise typer.BadParameter("is for --grid", param_hint="--output")
    asks = not accepting.yes and not as_json and not accepting.check and can_ask()
    named = services.scanning.pictures(images)
    if output is not None:
        voice = _voice(database) if asks else None
        write_position(named, output, find_card_game(game), table, database, voice, as_json=as_json)
        return
    session = _ScanSession(find_card_game(game), accepting, database, asks=asks, as_json=as_json)
    _suggest_import(session.game, database)
    unread: list[Unscanned] = []
    disagree: list[Scan] = []
    skip = session.skips if (asks or accepting.yes) and not accepting.again else services.scanning.skip_none
    pictures = services.scanning.scan_pictures(named, database, game=session.game, grid=grid, skip=skip)
    for found in pictures:
        if isinstance(found, services.scanning.Unscanned):
            unread.append(found)
            remark(f"{found.file}: {found.reason}")
            continue
        for place, one in enumerate(found):
            if accepting.check:
                disagree += [one] if one.contradictions else []
            else:
                session.take(one, place, len(found))
    if accepting.check and as_json:
        show_json_lines(map(shown_scan, disagree))
    elif accepting.check:
        view.card.show_disagreements(disagree)
        note(
            f"{counted(len(disagree), 'card')} {'disagrees' if len(disagree) == 1 else 'disagree'} with the catalogue."
        )
    if session.left:
        remark(f"{session.left} left for later; without --yes you can correct each.")
    if unread:
        raise typer.Exit(3)
    if disagree:
        raise typer.Exit(1)


def _suggest_import(game: str, database: Path | None) -> None:
    """Say that cards of a game are found by name if its data are imported, unless they are, or no source has them."""
    is_lacking = bool(game) and not services.scanning.has_data(database, game)
    if is_lacking and any(source.name == game for source in all_sources()):
        note(f"The catalogue has no data of {game}. To find its cards by name: ccgrid import {game}")


def _voice(database: Path | None) -> "ReviewPrompter":
    """Return a prompter for this terminal."""
    return terminal.entry.ReviewPrompter(
        key=terminal.prompts.read_key,
        ask=_shown_line,
        draw=view.card.show_scan,
        say=show,
        find=lambda one, name: services.scanning.matching_cards(one, name, database),
        drop_keys=terminal.prompts.drop_keys,
    )


def _shown_line(prompt: str) -> str:
    """Return a line typed at a prompt, "" if the user interrupts; the keys of the rest of the review are not shown."""
    with terminal.echo.keys_shown():
        return terminal.confirming.ask_line(f"{prompt}> ", "Enter, q or Ctrl-C cancels this question.") or ""


class _ScanSession:
    """One call of the command: its options, and the cards that were read so far."""

    def __init__(self, game: str, accepting: Accepting, database: Path | None, *, asks: bool, as_json: bool) -> None:
        self.game, self.place, self.database = game, accepting.where.place(), database
        self.own = accepting.own or accepting.where != PlaceOptions()
        self.yes, self.again = accepting.yes, accepting.again
        self.asks, self.as_json = asks, as_json
        self.left = 0
        self._settled = services.accepted_scans.AcceptedCards(database)
        self._read: list[Scan] = []
        self._voice = _voice(database)
        self._helped = False

    def skips(self, digest: str) -> bool:
        """Return whether every card on a picture was accepted before."""
        return self._settled.is_whole(digest)

    def take(self, one: "Scan", place: int, cards: int) -> None:
        """Show, accept or ask about the card at that place of a picture with some cards."""
        one = compared(one, self._read)
        self._read.append(one)
        if (self.asks or self.yes) and self._settled.has(one.digest, place) and not self.again:
            return
        if self.yes:
            self.left += not self._accept_sure(one, place, cards)
        elif not self.asks:
            self._show(one)
        elif one.sure and not self.again:
            saved = self._keep(one, place, cards, one.entry())
            show(f"{one.file}: {_outcome(saved, self.place)}")
        else:
            self._ask(one, place, cards)

    def _show(self, one: "Scan") -> None:
        """Print a card, as JSON if requested."""
        if self.as_json:
            show_json(shown_scan(one))
        else:
            view.card.show_scan(one, one.entry())

    def _ask(self, one: "Scan", place: int, cards: int) -> None:
        """Let the user review a card and follow the answer."""
        if not self._helped:
            show(terminal.entry.REVIEW_HELP)
            self._helped = True
        answer = terminal.entry.review(one, self._voice, game=self.game)
        if answer.what == terminal.entry.QUIT:
            remark("Stopped; the same command continues here.")
            raise typer.Exit
        if answer.what == terminal.entry.ACCEPT:
            self.game = answer.entry.game
            show(_outcome(self._keep(answer.scan, place, cards, answer.entry), self.place))

    def _accept_sure(self, one: "Scan", place: int, cards: int) -> bool:
        """Accept a card of the catalogue that the picture agrees with, and return whether it was one."""
        entry = one.catalogued() if one.sure or (one.lacks_numbers and one.agrees) else None
        saved = self._keep(one, place, cards, entry) if entry is not None else None
        if self.as_json:
            show_json(shown_scan(one, accepted=saved is not None))
        elif saved is not None:
            show(f"{one.file}: {_outcome(saved, self.place)}")
        else:
            show(f"{one.file}: left for later: {_reason_left(one)}.")
        return saved is not None

    def _keep(self, one: "Scan", place: int, cards: int, entry: "CustomCard") -> "SavedScan":
        """Save an accepted card and settle it."""
        kind = owned_cards.edit.copy_key(place=self.place)
        saved = services.accepted_scans.keep(
            one, place, cards, entry, self.database, waiting, copies=int(self.own), kind=kind
        )
        self._settled.add(one.digest, place)
        return saved


def _reason_left(one: "Scan") -> str:
    """Return why a card is not accepted without asking."""
    if one.card is not None:
        return f"{one.card.name}, {one.contradictions[0]}"
    if one.known is not None:
        return f"it may be {view.card.suggested_card(one.known)}"
    return f'no card of the catalogue is called "{one.name.strip()}"' if one.name.strip() else "its name cannot be read"


def _outcome(saved: "SavedScan", place: Place) -> str:
    """Describe what was done with a card, and why it is not legal."""
    barred = f" Not legal: {reason_text(saved.reason)}." if saved.reason else ""
    if saved.what == services.accepted_scans.OWNED:
        return f"{saved.name} ({saved.card_id}) is in your collection{f', {place}' if any(place) else ''}."
    if saved.what == services.accepted_scans.KNOWN:
        return f"{saved.name} ({saved.card_id}) is in the catalogue; --own adds it to your collection."
    if saved.what == services.accepted_scans.CORRECTED:
        return f"Corrected {saved.name} ({saved.card_id}); --own adds it to your collection.{barred}"
    return f"Entered {saved.name} as {saved.card_id}.{barred}"
