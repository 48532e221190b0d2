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
from ccgrid.catalog.sources import find_card_game
from ccgrid.commands.copy_options import PlaceOptions
from ccgrid.commands.game_options import split_names
from ccgrid.commands.lazy import CommandModule
from ccgrid.commands.options import Database, Json, Output, check_names_length, waiting
from ccgrid.commands.paths import INPUT, tell_written
from ccgrid.services.output_kinds import RECORD
from ccgrid.view.output import note, remark, show, show_json, show_json_lines
from ccgrid.view.reasons import reason_text
from ccgrid.view.streams import can_ask, input_line

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

    yes: Annotated[bool, typer.Option("--yes", "-y", help="Accept sure readings, list the rest.")] = False
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
    yes, own, where, check, again = accepting
    own = own or where != PlaceOptions()
    asks = not yes and not as_json and not check and can_ask()
    if output is not None:
        if not grid:
            raise typer.BadParameter("is for --grid", param_hint="--output")
        named = services.scanning.pictures(images)
        voice = _voice(database) if asks else None
        write_position(named, output, find_card_game(game), table, database, voice, as_json=as_json)
        return
    session = _ScanSession(find_card_game(game), where.place(), database, own=own, yes=yes, as_json=as_json)
    unread: list[Unscanned] = []
    disagree: list[Scan] = []
    unsure = 0
    named = services.scanning.pictures(images)
    skip = session.skips if (asks or yes) and not again else services.scanning.skip_none
    pictures = services.scanning.scan_pictures(named, database, game=session.game, grid=grid, skip=skip)
    for found in pictures:
        if isinstance(found, services.scanning.Unscanned):
            unread.append(found)
            remark(f"{found.file}: {found.reason}")
            continue
        for place, one in enumerate(found):
            if check:
                disagree += [one] if one.contradictions else []
            elif not asks and not yes:
                session.show(one)
            elif session.settled.has(one.digest, place) and not again:
                continue
            elif yes:
                unsure += not session.accept_sure(one, place, len(found))
            elif not again and session.accept_known(one, place, len(found)):
                continue
            elif not session.ask(one, place, len(found)):
                raise typer.Exit
    if check and as_json:
        show_json_lines(map(shown_scan, disagree))
    elif check:
        view.card.show_disagreements(disagree)
        note(
            f"{counted(len(disagree), 'card')} {'disagrees' if len(disagree) == 1 else 'disagree'} with the catalogue."
        )
    if unsure:
        remark(f"{unsure} left for later; without --yes you can correct each.")
    if unread:
        raise typer.Exit(3)
    if disagree:
        raise typer.Exit(1)


def _voice(database: Path | None) -> "ReviewPrompter":
    """Return a prompter for this terminal."""
    return terminal.entry.ReviewPrompter(
        key=terminal.prompts.read_key,
        ask=_shown_line,
        draw=view.card.show_scan,
        say=show,
        find=lambda one, name: services.scanning.matching_cards(one, name, database),
    )


def _shown_line(prompt: str) -> str:
    """Return a line typed at a prompt; the keys of the rest of the review are not shown."""
    with terminal.echo.keys_shown():
        return input_line(f"{prompt}> ")


class _ScanSession:
    """One call of the command: its options, and the cards accepted so far."""

    def __init__(self, game: str, place: Place, database: Path | None, *, own: bool, yes: bool, as_json: bool) -> None:
        self.game, self.place, self.database = game, place, database
        self.own, self.yes, self.as_json = own, yes, as_json
        self.settled = services.accepted_scans.AcceptedCards(database)
        self._voice = _voice(database)
        self._helped = False

    def skips(self, digest: str) -> bool:
        """Return whether every card on a picture was accepted before."""
        return self.settled.is_whole(digest)

    def show(self, one: "Scan") -> None:
        """Print a card, as JSON if requested."""
        if self.as_json:
            show_json(shown_scan(one))
        else:
            view.card.show_scan(one, one.entry())

    def ask(self, one: "Scan", place: int, cards: int) -> bool:
        """Let the user review a card and follow the answer; return False if the user quits."""
        if not self._helped:
            show(terminal.entry.REVIEW_HELP)
            self._helped = True
        answer = terminal.entry.review(one, self._voice, game=self.game)
        if answer.what == terminal.entry.QUIT:
            remark("Stopped; the same command continues here.")
            return False
        if answer.what == terminal.entry.ACCEPT:
            self.game = answer.entry.game
            show(_outcome(self._keep(answer.scan, place, cards, answer.entry), self.place))
        return True

    def accept_known(self, one: "Scan", place: int, cards: int) -> bool:
        """Accept a card without asking if it is certain which card of the catalogue it is; return whether it is."""
        if one.card is None or not one.sure:
            return False
        show(f"{one.file}: {_outcome(self._keep(one, place, cards, one.unreviewed_entry()), self.place)}")
        return True

    def accept_sure(self, one: "Scan", place: int, cards: int) -> bool:
        """Accept a card that needs no review, and return whether it was one."""
        entry = one.unreviewed_entry()
        problems = entry.problems()
        nearly = one.known if one.card is None else None  # the catalogue's card, unless the user chooses another
        if one.card is None and services.scanning.has_data(self.database, self.game):
            problems = problems or [f"no card of {self.game} has this name."]
        accepted = (one.sure or (one.lacks_numbers and one.agrees)) and nearly is None and not problems
        saved = self._keep(one, place, cards, entry) if accepted else None
        if self.as_json:
            show_json(shown_scan(one, accepted=accepted))
        elif saved is not None:
            show(f"{one.file}: {_outcome(saved, self.place)}")
        else:
            why = problems[0] if one.sure and problems else "not sure."
            if nearly is not None:
                why = f"it may be {nearly.card.name} ({nearly.card.id})."
            elif one.card is not None and one.contradictions:
                why = f"{one.card.name}, {one.contradictions[0]}."
            show(f"{one.file}: left for later: {why}")
        return accepted

    def _keep(self, one: "Scan", place: int, cards: int, entry: "CustomCard") -> "SavedScan":
        """Save an accepted card and settle it."""
        kind = owned_cards.edit.copy_key(place=self.place)
        saved = services.accepted_scans.keep(
            one, place, cards, entry, self.database, waiting, copies=int(self.own), kind=kind
        )
        self.settled.add(one.digest, place)
        return saved


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
