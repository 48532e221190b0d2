"""Options shared by several commands, with their help texts and completions."""

import os
from collections.abc import Callable, Container, Iterable
from importlib import import_module
from os import urandom
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, TypeVar

import typer

from ccgrid import services, terminal
from ccgrid.catalog.errors import NotConfirmedError
from ccgrid.commands.paths import INPUT, OUTPUT, file_only
from ccgrid.exit_statuses import INTERRUPTED
from ccgrid.services.files import check_free
from ccgrid.services.output_kinds import OutputKind
from ccgrid.view.output import note, remark
from ccgrid.view.streams import can_ask
from ccgrid.view.text import visible

Word = str | tuple[str, str]
"""A completion, or a pair of one with its description."""
Words = Iterable[Word]

_DECK_ENDINGS: Final = (".toml", ".txt", ".csv", ".dek", ".cod", ".o8d", ".ydk", ".dck", ".mtga")
_RECORD_ENDINGS: Final = (".toml", ".jsonl")


def complete_card_games(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Complete card games of which cards are imported."""
    return _matching_words(services.completion.card_games(_database(ctx)), incomplete)


def complete_sets(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Complete set codes of the games named earlier on the command line."""
    games = ctx.params.get("games") or ctx.params.get("game") or ()
    games = [games] if isinstance(games, str) else games
    return _for_shell(services.completion.sets(_database(ctx), tuple(games), incomplete))


def complete_boxes(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Complete boxes of the collection."""
    return _matching_words(services.completion.box_names(_database(ctx)), incomplete)


def complete_decks_out(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Complete checked-out decks."""
    return _matching_words(services.completion.decks_out(_database(ctx)), incomplete)


def complete_sources(incomplete: str) -> list[Word]:
    """Complete sources of cards."""
    found = import_module("ccgrid.catalog.sources")
    return _matching_words([(one.name, one.title) for one in found.all_sources()], incomplete)


def complete_layouts(incomplete: str) -> list[Word]:
    """Complete named layouts."""
    return _matching_words(import_module("ccgrid.catalog.layouts.layout_file").layout_files(), incomplete)


def complete_formats(incomplete: str) -> list[Word]:
    """Complete formats of collections."""
    return _matching_words([(one.name, one.title) for one in _formats()], incomplete)


def complete_written_formats(incomplete: str) -> list[Word]:
    """Complete formats in which a collection can be exported."""
    return _matching_words([(one.name, one.title) for one in _formats() if one.write is not None], incomplete)


def complete_decks(incomplete: str) -> list[Word]:
    """Complete decks in the current folder; the shell itself completes files in others."""
    return _matching_words(_files_here(_DECK_ENDINGS), incomplete)


def complete_records(incomplete: str) -> list[Word]:
    """Complete the unfinished game, and records in the current folder."""
    last = [services.saved_games.LAST] if services.saved_games.left_games() else []
    return _matching_words([*last, *_files_here(_RECORD_ENDINGS)], incomplete)


def complete_card(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Complete names of cards, which may extend over several words of the command line."""
    typed = [word for name in ("card", "query") for word in ctx.params.get(name) or ()]
    names = services.completion.card_names(_database(ctx), " ".join([*typed, incomplete]))
    blanks = " ".join(typed).count(" ") + bool(typed)
    rests = dict.fromkeys(" ".join(name.split(" ")[blanks:]) for name in names)
    # Shells and Typer drop completions that do not start with the typed letters, so keep their case.
    fitting = (rest for rest in rests if rest.casefold().startswith(incomplete.casefold()))
    return _for_shell(incomplete + rest[len(incomplete) :] for rest in fitting)


def complete_query(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Complete names of cards, fields of queries, and after a colon their values: games, sets, boxes, flags."""
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
    """Return the files in the current folder with one of these endings."""
    return sorted(file.name for file in Path().glob("*.*") if file.suffix.lower() in endings and file.is_file())


def _formats() -> Any:
    return import_module("ccgrid.catalog.collection.formats").all_formats()


def _database(ctx: typer.Context) -> Path | None:
    """Return the catalogue named on the command line so far."""
    named = ctx.params.get("database")
    return Path(named) if named else None


def _matching_words(words: Words, incomplete: str) -> list[Word]:
    """Return the words that start with the typed text; the second of a pair is its description."""
    return _for_shell(one for one in words if (one if isinstance(one, str) else one[0]).startswith(incomplete))


def _for_shell(words: Words) -> list[Word]:
    """Return words as the shell needs them: bash inserts them unchanged, so special characters need a backslash.

    Words with control characters are left out, because users cannot type them.
    """
    pairs = ((one, "") if isinstance(one, str) else one for one in words)
    words = [(word, visible(what)) if what else word for word, what in pairs if visible(word) == word]
    if not os.environ.get("_CCGRID_COMPLETE", "").endswith("bash"):
        return words
    plain = (one if isinstance(one, str) else one[0] for one in words)
    return ["".join(f"\\{c}" if c in " '\"\\$&();<>|*?#!`" else c for c in word) for word in plain]


_LARGEST_SEED: Final = 2**63 - 1
"""The largest integer in a record, as in `catalog.documents`, which not every command loads."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
"""Print JSON instead of tables and pictures."""

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
"""The catalogue file; None means the default one in the user data folder."""


def _find_card_games(texts: list[str] | None) -> list[str] | None:
    """Return the short names of card games as typed; import the registry only if there is a game."""
    return [import_module("ccgrid.catalog.sources").find_card_game(text) for text in texts] if texts else None


DeckFile = Annotated[
    Path,
    typer.Argument(
        **INPUT,
        help="A deck: TOML, '1 Lightning Bolt (M10) 146', .dek, .cod, .ydk …",
        autocompletion=complete_decks,
    ),
]

Games = Annotated[
    list[str] | None,
    typer.Option(
        "--game",
        "-g",
        metavar="GAME",
        help="Only cards of this card game; repeatable.",
        show_default=False,
        autocompletion=complete_card_games,
        callback=_find_card_games,
    ),
]
"""Card games, such as mtg; None means all."""


Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file of the same kind.")]
"""Overwrite existing files."""


class Output(NamedTuple):
    """The output file, and whether to overwrite it; without one the output is standard output, or nothing."""

    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", **OUTPUT, help="Write to this file, not to standard output.", show_default=False
        ),
    ] = None
    force: Force = False

    def check(self, kind: OutputKind) -> None:
        """Raise CatalogError if the file may not be written."""
        if self.output is not None:
            check_free(self.output, kind, force=self.force)


def check_name_length(text: str | None) -> str | None:
    """Return a typed name; raise BadParameter if it is too long."""
    _check_length(len(text or ""))
    return text


def check_names_length(text: str | None) -> str | None:
    """Return typed names, separated by commas; raise BadParameter if one is too long."""
    _check_length(max(map(len, (text or "").split(","))))
    return text


def _check_length(longest: int) -> None:
    from ccgrid.catalog.card import LONGEST_NAME

    if longest > LONGEST_NAME:
        raise typer.BadParameter(f"a name has {longest:,} characters; the maximum is {LONGEST_NAME}")


def read_seed(text: str) -> int:
    """Parse a seed, which must fit in a record."""
    if not str(text).isdecimal() or len(str(text)) > 19 or int(text) > _LARGEST_SEED:
        raise typer.BadParameter(f"a seed is a whole number from 0 to {_LARGEST_SEED}")
    return int(text)


Seed = Annotated[
    int | None,
    typer.Option("--seed", parser=read_seed, metavar="NUMBER", help="The same seed gives the same cards and dice."),
]
"""The seed of all random numbers of a command; None means a random one."""


def seed_or_random(given: int | None) -> int:
    """Return the given seed, or a random one."""
    return int.from_bytes(urandom(4)) >> 1 if given is None else given


def waiting() -> None:
    """Report that another command is writing to the catalogue."""
    note("Waiting for another command that writes to the catalogue.")


Result = TypeVar("Result")

By = Annotated[
    str,
    typer.Option(
        "--by",
        metavar="FIELD",
        help="Count by a field: type, rarity, color, cost, mv, keyword, artist, set, year, or one of a game's own.",
        show_default=False,
    ),
]
"""The field by whose values to count."""
AnyCards = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[QUERY]",
        help="Words of a name, an id, or a query: 'dragon set:m10 box:attic'.",
        show_default=False,
        autocompletion=complete_query,
    ),
]
"""The cards to list; none means all."""


def with_confirmation(act: Callable[[bool], Result], *, yes: bool, as_json: bool) -> Result:
    """Call `act` with whether the user confirmed; if it requires confirmation, ask at a terminal and call it again.

    Raises:
        NotConfirmedError: If it requires confirmation, and there is no terminal.
    """
    try:
        return act(yes)
    except NotConfirmedError as error:
        if as_json or not can_ask():
            raise
        if not terminal.confirming.ask_to_confirm(error):
            remark("Cancelled; nothing changed.")
            raise typer.Exit from None
    return act(True)


def end_interrupted(is_interrupted: object) -> None:
    """Raise typer.Exit with the status of an interrupted command, after its result is shown, if it was interrupted."""
    if is_interrupted is True:
        raise typer.Exit(INTERRUPTED)
