"""The cards that a game is played with: decks somebody names, or decks drawn as the game's own decks say."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ccgrid.catalog.card import CatalogError, ContradictionError
from ccgrid.catalog.matching.asking import Choose
from ccgrid.engine.deck_sources import FixedDecks
from ccgrid.engine.decks import DeckSource
from ccgrid.engine.games import find_game
from ccgrid.engine.options import Option
from ccgrid.engine.records.match import Match
from ccgrid.engine.schema import LARGEST_WHOLE
from ccgrid.services.choices import Choices
from ccgrid.services.deck_sources import DeckRequest, drawn_source, take_numbers
from ccgrid.services.decks import read_legal_deck


def deck_source(
    game: str, players: int, files: Sequence[Path], request: DeckRequest, choices: Choices | None = None
) -> DeckSource:
    """Where the decks of many games come from: the files for every game, one for each player or one for all.

    Without files they are drawn for each game as the request says.

    Raises:
        CatalogError: a file is not a legal deck for the game, or there are too many or too few files.
    """
    played = find_game(game)
    needed = played.decks_needed(players)
    if played.decks is None:
        if files or request.factions or request.card_games or request.query:
            raise CatalogError(f"{game} has its own cards: leave --deck out.")
        return FixedDecks(())
    if request.factions and played.factions is None:
        raise CatalogError(f"{game} has no factions: leave --faction out.")
    if not files:
        return drawn_source(game, request, needed)
    if len(files) not in (1, needed):
        wanted = "one deck" if needed == 1 else f"{needed} decks, one for each player, or one for all"
        raise CatalogError(f"{game} is played with {wanted}: --deck was given {len(files)} times.")
    decks = [read_legal_deck(file, game, request.database, choices) for file in files]
    return FixedDecks(tuple(decks * needed if len(decks) == 1 else decks))


class DeckChoice(NamedTuple):
    """Where the decks come from, and the game's options."""

    source: DeckSource
    options: dict[str, Any]


def dealt_with(
    game: str,
    players: int,
    *,
    files: Sequence[Path] = (),
    factions: Sequence[str] = (),
    card_games: Sequence[str] = (),
    query: str = "",
    variants: Sequence[str] = (),
    database: Path | None = None,
    remark: Callable[[str], None],
    ask: Choose | None = None,
) -> DeckChoice:
    """What a game is dealt with, of what somebody typed; remarks tell what was taken for names, or is bundled.

    `ask` asks a person where the name of a card is ambiguous.

    Raises:
        CatalogError: it does not fit together, or a deck is not legal.
    """
    if (files and (factions or card_games or query)) or (factions and (card_games or query)):
        raise CatalogError("Choose one of --deck, --faction and --game.")
    options = read_options(game, variants)
    numbers = take_numbers(game, options, drawn=not files)
    request = DeckRequest(tuple(card_games), tuple(factions), database, numbers, query, remark)
    choices = Choices(ask)
    source = deck_source(game, players, files, request, choices)
    for line in choices.remarks():
        remark(line)
    return DeckChoice(source, options)


def match_plan(
    game: str, players: Sequence[str], best_of: int | None, *, whole: bool, same_deal: bool = False
) -> Match | None:
    """The match that is to be played; nothing where it is a single game.

    Raises:
        EngineError: there can be no such match.
        ContradictionError: it is said to be of two kinds, or a single game is said to have deals.
    """
    if same_deal and not whole and best_of is None:
        raise ContradictionError("--same-deal is for matches: add --match or --best-of N.")
    if best_of is not None and whole:
        raise ContradictionError("Choose --match (points add up) or --best-of (games won).")
    if best_of is not None:
        return Match.best_of(game, players, best_of, same_deal=same_deal)
    return Match.by_points(game, players, same_deal=same_deal) if whole else None


def read_options(game: str, texts: Sequence[str]) -> dict[str, Any]:
    """A game's options as people type them: `rotate=step`, `life=40`, `facedown` for `facedown=true`.

    What says of what size drawn decks are is a whole number.

    Raises:
        CatalogError: one is given twice, or has no name.
        EngineError: the game has no such option, or it cannot be so.
    """
    rules = find_game(game)
    decks = rules.decks
    named = decks.numbers if decks else ()
    known = {one.name: one for one in (*rules.options, *(Option(name, range(LARGEST_WHOLE), 0, "") for name in named))}
    options: dict[str, Any] = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        if not name:
            raise CatalogError(f"--option {text!r}: write it as NAME=VALUE.")
        if name in options:
            raise CatalogError(f"--option {name}: it is given twice.")
        options[name] = known[name].read(value) if name in known else value
    rules.chosen({name: value for name, value in options.items() if name not in named})
    return options
