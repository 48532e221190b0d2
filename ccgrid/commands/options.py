"""The options that several commands share, each spelled, explained and completed in one place."""

import os
from collections.abc import Callable, Container, Iterable
from contextlib import AbstractContextManager
from importlib import import_module
from os import urandom
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, TypeVar

import typer

from ccgrid import services, terminal
from ccgrid.catalog.errors import NotConfirmedError
from ccgrid.commands.paths import OUTPUT, file_only
from ccgrid.services.files import check_free
from ccgrid.services.output_kinds import OutputKind
from ccgrid.view.output import note, remark
from ccgrid.view.streams import can_ask
from ccgrid.view.text import visible

if TYPE_CHECKING:
    from ccgrid.catalog.holding import Place
    from ccgrid.catalog.store.holdings import CollectionStore

Words = Iterable[str | tuple[str, str]]

_OF_DECKS: Final = (".toml", ".txt", ".csv", ".dek", ".cod", ".o8d", ".ydk", ".dck", ".mtga")
_OF_RECORDS: Final = (".toml", ".jsonl")


def complete_card_games(ctx: typer.Context, incomplete: str) -> list[Any]:
    """The card games of which there are cards."""
    return _matching_words(services.completion.card_games(_database(ctx)), incomplete)


def complete_sets(ctx: typer.Context, incomplete: str) -> list[Any]:
    """The codes of sets, of the games that are named before."""
    games = ctx.params.get("games") or ctx.params.get("game") or ()
    games = [games] if isinstance(games, str) else games
    return _safe(services.completion.sets(_database(ctx), tuple(games), incomplete))


def complete_boxes(ctx: typer.Context, incomplete: str) -> list[Any]:
    """The boxes of the collection."""
    return _matching_words(services.completion.box_names(_database(ctx)), incomplete)


def complete_decks_out(ctx: typer.Context, incomplete: str) -> list[Any]:
    """The decks that are out of their boxes."""
    return _matching_words(services.completion.decks_out(_database(ctx)), incomplete)


def complete_sources(incomplete: str) -> list[Any]:
    """The sources of cards."""
    found = import_module("ccgrid.catalog.sources")
    return _matching_words([(one.name, one.title) for one in found.all_sources()], incomplete)


def complete_layouts(incomplete: str) -> list[Any]:
    """The layouts that have a name."""
    return _matching_words(import_module("ccgrid.catalog.layouts.layout_file").layout_files(), incomplete)


def complete_formats(incomplete: str) -> list[Any]:
    """The formats of collections."""
    return _matching_words([(one.name, one.title) for one in _formats()], incomplete)


def complete_written_formats(incomplete: str) -> list[Any]:
    """The formats in which a collection can be written."""
    return _matching_words([(one.name, one.title) for one in _formats() if one.write is not None], incomplete)


def complete_decks(incomplete: str) -> list[Any]:
    """The decks in the current folder; in another one the shell completes files by itself."""
    return _matching_words(_files_here(_OF_DECKS), incomplete)


def complete_records(incomplete: str) -> list[Any]:
    """The game that was left last, and the records in the current folder."""
    last = [services.saved_games.LAST] if services.saved_games.left_games() else []
    return _matching_words([*last, *_files_here(_OF_RECORDS)], incomplete)


def complete_card(ctx: typer.Context, incomplete: str) -> list[Any]:
    """The names of cards that begin as what is typed so far, which may be several words of the line."""
    typed = [word for name in ("card", "query") for word in ctx.params.get(name) or ()]
    names = services.completion.card_names(_database(ctx), " ".join([*typed, incomplete]))
    blanks = " ".join(typed).count(" ") + bool(typed)
    rests = dict.fromkeys(" ".join(name.split(" ")[blanks:]) for name in names)
    # Shells and Typer leave out what does not begin with the letters that are typed, whose case means nothing here.
    fitting = (rest for rest in rests if rest.casefold().startswith(incomplete.casefold()))
    return _safe(incomplete + rest[len(incomplete) :] for rest in fitting)


def complete_query(ctx: typer.Context, incomplete: str) -> list[Any]:
    """Names of cards, what a query may ask about, and behind its colon the games, sets, boxes and flags there are."""
    queries = import_module("ccgrid.catalog.queries")
    *before, word = incomplete.rsplit(" ", 1)
    asked, colon, beginning = word.partition(":")
    start = "".join(f"{part} " for part in before) + asked + colon
    words: Words = [(f"{start.removesuffix(asked)}{field.name}:", field.about) for field in queries.FIELDS]
    if colon and asked in ("game", "box", "is", "sort"):
        offered = {"is": queries.FLAGS, "sort": queries.SORTS}.get(asked)
        known = services.completion.card_games if asked == "game" else services.completion.box_names
        found = known(_database(ctx)) if offered is None else offered
        words = [f'{start}"{one}"' if " " in one else f"{start}{one}" for one in found]
    elif colon and asked == "set":
        games = tuple(ctx.params.get("games") or ())
        words = [(f"{start}{code}", name) for code, name in services.completion.sets(_database(ctx), games, beginning)]
    return _matching_words(words, incomplete) or ([] if colon else complete_card(ctx, incomplete))


def _files_here(endings: Container[str]) -> list[str]:
    """The files in the current folder whose names end so."""
    return sorted(file.name for file in Path().glob("*.*") if file.suffix.lower() in endings and file.is_file())


def _formats() -> Any:
    return import_module("ccgrid.catalog.collection.formats").all_formats()


def _database(ctx: typer.Context) -> Path | None:
    """The catalogue that the line names, as far as it is typed."""
    named = ctx.params.get("database")
    return Path(named) if named else None


def _matching_words(words: Words, incomplete: str) -> list[Any]:
    """Those of the words that begin so; of a pair the second says what it is."""
    return _safe(one for one in words if (one if isinstance(one, str) else one[0]).startswith(incomplete))


def _safe(words: Words) -> list[Any]:
    """The words as the shell takes them: bash puts them into the line as they are, so that blanks need a backslash.

    A word that would act on the terminal is not offered: nobody could type it.
    """
    pairs = ((one, "") if isinstance(one, str) else one for one in words)
    words = [(word, visible(what)) if what else word for word, what in pairs if visible(word) == word]
    if not os.environ.get("_CCGRID_COMPLETE", "").endswith("bash"):
        return words
    plain = (one if isinstance(one, str) else one[0] for one in words)
    return ["".join(f"\\{c}" if c in " '\"\\$&();<>|*?#!`" else c for c in word) for word in plain]


_LARGEST_SEED: Final = 2**63 - 1
"""Records hold their seed, and whole numbers there have 64 bits."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
"""Print JSON in place of tables and pictures."""

_CATALOGUE = file_only("a catalogue is kept")

Database = Annotated[
    Path | None,
    typer.Option(
        "--db",
        **_CATALOGUE,
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


class Output(NamedTuple):
    """The file that is written, and whether over another; without one it is standard output, or nothing."""

    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", **OUTPUT, help="Write to this file, not to standard output.", show_default=False
        ),
    ] = None
    force: Force = False

    def check(self, kind: OutputKind) -> None:
        """Refuses a file that may not be written; CatalogError says why."""
        if self.output is not None:
            check_free(self.output, kind, force=self.force)


def check_name_length(text: str | None) -> str | None:
    """The name that was typed, which is not too long."""
    _check_length(len(text or ""))
    return text


def check_names_length(text: str | None) -> str | None:
    """The names that were typed with commas between, none of them too long."""
    _check_length(max(map(len, (text or "").split(","))))
    return text


def _check_length(longest: int) -> None:
    from ccgrid.catalog.card import LONGEST_NAME

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


def seed_or_random(given: int | None) -> int:
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
        callback=check_name_length,
        autocompletion=complete_boxes,
    ),
]
RowOption = Annotated[
    str, typer.Option("--row", help="The row in the box, or the page.", show_default=False, callback=check_name_length)
]
Slot = Annotated[
    str, typer.Option("--slot", help="The place in the row.", show_default=False, callback=check_name_length)
]


class PlaceOptions(NamedTuple):
    """Where cards are, or come."""

    box: Box = ""
    row: RowOption = ""
    slot: Slot = ""

    def place(self) -> "Place":
        """The place that was named."""
        from ccgrid.catalog.holding import Place

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
            callback=check_name_length,
        ),
    ] = None
    to_row: Annotated[
        str | None, typer.Option("--to-row", help="New row.", show_default=False, callback=check_name_length)
    ] = None
    to_slot: Annotated[
        str | None,
        typer.Option("--to-slot", help="The place in the row.", show_default=False, callback=check_name_length),
    ] = None


Copies = Annotated[
    int | None, typer.Option("--copies", "-n", min=1, help="Number of copies (default: all).", show_default=False)
]


def open_collection(database: Path | None, games: list[str] | None = None) -> "AbstractContextManager[CollectionStore]":
    """The collection in the catalogue that is meant; CatalogError where there is none, or no card of these games."""
    return services.catalogue.open_collection(database, waiting, games or ())


def with_confirmation(act: Callable[[bool], Result], *, yes: bool, as_json: bool) -> Result:
    """What an act gives that is told whether somebody said yes; where it needs that, a person at a terminal is asked.

    Raises:
        NotConfirmedError: it needs a yes, and nobody can be asked.
    """
    try:
        return act(yes)
    except NotConfirmedError as error:
        if as_json or not can_ask():
            raise
        if not terminal.choosing.ask_to_confirm(error):
            remark("Cancelled; nothing changed.")
            raise typer.Exit from None
    return act(True)
