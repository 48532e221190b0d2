"""The cards and rules with which a requested game is dealt."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ccgrid.catalog.documents import LARGEST_WHOLE
from ccgrid.catalog.errors import UsageError
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.matching.asking import Choose
from ccgrid.engine.deck_sources import DifferentDecks, FixedDecks
from ccgrid.engine.decks import DeckSource
from ccgrid.engine.games import find_game
from ccgrid.engine.options import Option, with_named_rules
from ccgrid.services.choices import Choices
from ccgrid.services.decks import read_legal_deck
from ccgrid.services.drawn_decks import decks_of_cards
from ccgrid.services.requests import GameRequest


class DeckChoice(NamedTuple):
    """The source of decks, and the game's options."""

    source: DeckSource
    options: dict[str, object]


def choose_decks(request: GameRequest, remark: Callable[[str], None], ask: Choose | None = None) -> DeckChoice:
    """Return the decks and options with which a requested game is dealt.

    Args:
        request: The game, its players and cards.
        remark: Called with a notice about an interpreted name, or about the use of the bundled cards.
        ask: Asks the user about an ambiguous card name; None to ask nothing.

    Raises:
        CatalogError: If options exclude each other, a deck is not legal, or there are too few cards or decks.
        EngineError: If there is no such game, option or faction.
    """
    is_drawn_from = bool(request.card_games or request.drawn.query)
    if (request.decks and (request.factions or is_drawn_from)) or (request.factions and is_drawn_from):
        raise UsageError("Choose one of --deck, --faction and --game.")
    options = read_options(request.game, request.options)
    numbers = _take_numbers(request.game, options, drawn=not request.decks)
    choices = Choices(ask)
    source = _deck_source(request, numbers, remark, choices)
    for line in choices.remarks():
        remark(line)
    return DeckChoice(source, options)


def _deck_source(
    request: GameRequest, numbers: Mapping[str, int], remark: Callable[[str], None], choices: Choices
) -> DeckSource:
    game, files = request.game, request.decks
    rules = find_game(game)
    needed = rules.decks_needed(len(request.players))
    if rules.decks is None:
        if files or request.factions or request.card_games or request.drawn.query:
            raise UsageError(f"{game} has its own cards: leave --deck, --from, --faction and --game out.")
        return FixedDecks(())
    if request.factions and rules.factions is None:
        raise UsageError(f"{game} has no factions: leave --faction out.")
    if not files:
        return _random_decks(request, needed, numbers, remark)
    if len(files) not in (1, needed):
        wanted = "one deck" if needed == 1 else f"{needed} decks, one for each player, or one for all"
        raise UsageError(f"{game} is played with {wanted}: --deck was given {counted(len(files), 'time')}.")
    decks = [read_legal_deck(file, request.database, game, choices).cards for file in files]
    return FixedDecks(tuple(decks * needed if len(decks) == 1 else decks))


def read_options(game: str, texts: Sequence[str]) -> dict[str, object]:
    """Parse a game's options as typed: `rotate=step`, `life=40`, or `facedown` for `facedown=true`.

    The numbers of cards in drawn decks are options, too; `rules=evening` stands for several options.

    Raises:
        CatalogError: If an option is given twice, or has no name.
        EngineError: If the game has no such option, or the value is not allowed.
    """
    rules = find_game(game)
    decks = rules.decks
    named = decks.numbers if decks else ()
    known = {one.name: one for one in (*rules.options, *(Option(name, range(LARGEST_WHOLE), 0, "") for name in named))}
    options: dict[str, object] = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        if not name:
            raise UsageError(f"--option {text!r}: write it as NAME=VALUE.")
        if name in options:
            raise UsageError(f"--option {name} is given twice.")
        options[name] = known[name].read(value) if name in known else value
    if rules.named_rules:
        options = with_named_rules(rules.named_rules, options)
    rules.option_values({name: value for name, value in options.items() if name not in named})
    return options


def _random_decks(
    request: GameRequest, count: int, numbers: Mapping[str, int], tell: Callable[[str], object]
) -> DeckSource:
    """Return a source of `count` decks for each of many games, like `decks_of_cards`; ready-made decks differ.

    Raises:
        CatalogError: Also if there is neither one faction for each player nor one for all.
        EngineError: Also if a ready-made deck is not found.
    """
    factions = find_game(request.game).factions
    if factions is None or request.card_games or request.drawn.query:
        return decks_of_cards(request.drawn, count, numbers, tell)
    if not request.factions:
        return DifferentDecks(tuple(ready.cards for ready in factions.bundled()), count)
    chosen = [factions.find(name).cards for name in request.factions]
    if len(chosen) not in (1, count):
        raise UsageError(
            f"There {'is' if count == 1 else 'are'} {counted(count, 'player')} and "
            f"{counted(len(chosen), 'faction')}: name one for each, or one for all."
        )
    return FixedDecks(tuple(chosen * count if len(chosen) == 1 else chosen))


def _take_numbers(game: str, options: dict[str, object], *, drawn: bool) -> dict[str, int]:
    """Remove the numbers of cards in drawn decks from a game's options, and return them.

    Raises:
        CatalogError: If one is not an integer, or the decks are not drawn.
    """
    decks = find_game(game).decks
    numbers: dict[str, int] = {}
    for name in [name for name in (decks.numbers if decks else ()) if name in options]:
        value = options.pop(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise UsageError(f"the option {name} must be a whole number, not {value!r}.")
        if not drawn:
            raise UsageError(f"the option {name} is for random decks: leave out it or --deck.")
        numbers[name] = value
    return numbers
