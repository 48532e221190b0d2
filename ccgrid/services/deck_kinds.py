"""What a deck is in each game that takes one: how many cards, which may be in it, and where it comes from unasked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from catalog.card import Card, CatalogError
from catalog.decks.deck import GRID_DECK, DeckEntry, DeckFault, barred
from ccgrid.services.bundled import open_cards
from ccgrid.services.catalogue import open_catalogue
from ccgrid.services.deck_entries import find_entry, with_sides
from ccgrid.view.output import remark
from engine.dice import Dice

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from catalog.store.catalogue import Store
    from engine.games.tactics.factions import Faction
    from engine.simulation import DeckSource


@dataclass(frozen=True, slots=True)
class DeckRequest:
    """What somebody said about the decks to be drawn.

    `card_games` are those that may be drawn from, all where none is named; `factions` are names of bundled ones, or
    files; `database` is where the cards are, None for the usual place; with `bundled` the bundled cards do without it.
    `numbers` are the game's own: how many cards, how many of them energy.
    """

    card_games: tuple[str, ...] = ()
    factions: tuple[str, ...] = ()
    database: Path | None = None
    bundled: bool = True
    numbers: Mapping[str, int] = field(default_factory=dict)

    def open(self) -> "AbstractContextManager[Store]":
        """The catalogue to draw from."""
        return open_cards(self.database, remark) if self.bundled else open_catalogue(self.database)

    def cards(self, *, legal: bool = False) -> tuple[Card, ...]:
        """Every card that may be drawn, or every one that the grid game does not bar.

        Raises:
            CatalogError: there are no cards of a game that was named.
        """
        with self.open() as store:
            for card_game in self.card_games:
                store.check_game(card_game)
            return tuple(store.all_cards(self.card_games, legal=legal))


@dataclass(frozen=True, slots=True)
class DeckKind:
    """The decks of one game.

    Attributes:
        game: the name of the game.
        sizes: how many cards a deck has, or may have.
        fault: what keeps a card out of such a deck.
        draw: draws one deck, and says what it may be called.
        source: where the decks of many games come from, so many for each.
        find: the card of a catalogue that an entry of a deck means.
        numbers: what somebody may say of a deck to be drawn in numbers.
        takes_factions: whether factions are decks of this game.
    """

    game: str
    sizes: int | range
    fault: DeckFault
    draw: Callable[[DeckRequest, Dice], "tuple[str | None, Sequence[Card]]"]
    source: Callable[[DeckRequest, int], "DeckSource"]
    find: "Callable[[Store, DeckEntry], Card]" = find_entry
    numbers: tuple[str, ...] = ()
    takes_factions: bool = False


@dataclass(frozen=True, slots=True)
class DifferentDecks:
    """For every game so many different ones of these decks, drawn at random."""

    decks: tuple[tuple[Card, ...], ...] = field(repr=False)
    count: int

    def __call__(self, dice: Dice) -> Sequence[Sequence[Card]]:
        """Such decks."""
        return [self.decks[place] for place in dice.sample(len(self.decks), self.count)]


# --- grid ---------------------------------------------------------------------------------------------------------


def _draw_grid(wish: DeckRequest, dice: Dice) -> tuple[None, Sequence[Card]]:
    with wish.open() as store:
        return None, store.draw(GRID_DECK, dice, wish.card_games)


def _grid_source(wish: DeckRequest, count: int) -> "DeckSource":
    from engine.simulation import RandomDecks

    return RandomDecks(wish.cards(legal=True), GRID_DECK, count)


# --- ninecard -----------------------------------------------------------------------------------------------------


def _battle_fault(card: Card) -> str | None:
    from engine.games.ninecard.cards import LONGEST_NAME

    return None if 0 < len(card.name.strip()) <= LONGEST_NAME else f"a name has 1 to {LONGEST_NAME} characters"


def _battle_source(wish: DeckRequest, count: int) -> "DeckSource":
    from engine.games.ninecard.cards import BattleDecks

    return BattleDecks.of(wish.cards(), count, **wish.numbers)


def _draw_battle(wish: DeckRequest, dice: Dice) -> tuple[None, Sequence[Card]]:
    [deck] = _battle_source(wish, 1)(dice)
    return None, deck


# --- tactics ------------------------------------------------------------------------------------------------------


def _side_fault(card: Card) -> str | None:
    from engine.games.tactics.cards import SIDES

    missing = [side for side in SIDES if side not in card.zones]
    return f"it has no number at its {' and '.join(missing)}" if missing else None


def _find_sided(store: "Store", entry: DeckEntry) -> Card:
    """The card that an entry means, of several of one name one that has a number on every side."""
    card = with_sides(store, find_entry(store, entry))
    if entry.card is not None or _side_fault(card) is None:
        return card
    others = [with_sides(store, other) for other in store.named(entry.text)]
    return next((other for other in others if _side_fault(other) is None), card)


def _side_cards(wish: DeckRequest) -> tuple[Card, ...]:
    """The cards with a number on every side, as the game plays them: the sides alone, wherever they are printed."""
    from engine.games.tactics.cards import as_side_card

    with wish.open() as store:
        for card_game in wish.card_games:
            store.check_game(card_game)
        found = [with_sides(store, card) for card in store.all_cards(wish.card_games)]
    return tuple(as_side_card(card) for card in found if _side_fault(card) is None)


def _side_source(wish: DeckRequest, count: int) -> "DeckSource":
    from engine.games.tactics.cards import USUAL_DECK
    from engine.games.tactics.factions import bundled_factions
    from engine.simulation import FixedDecks, RandomDecks

    if wish.card_games:
        usable = _side_cards(wish)
        if len(usable) < USUAL_DECK:
            games = ", ".join(wish.card_games)
            raise CatalogError(
                f"A deck takes {USUAL_DECK} cards with a number on every side, and of {games} there are {len(usable)}."
            )
        return RandomDecks(usable, USUAL_DECK, count)
    if not wish.factions:
        return DifferentDecks(tuple(faction.cards for faction in bundled_factions()), count)
    chosen = [faction_called(name).cards for name in wish.factions]
    if len(chosen) not in (1, count):
        raise CatalogError(f"There are {count} players and {len(chosen)} factions: name one for each, or one for all.")
    return FixedDecks(tuple(chosen * count if len(chosen) == 1 else chosen))


def _draw_side(wish: DeckRequest, dice: Dice) -> tuple[str | None, Sequence[Card]]:
    from engine.games.tactics.factions import bundled_factions

    if wish.card_games:
        [deck] = _side_source(wish, 1)(dice)
        return None, deck
    faction = faction_called(wish.factions[0]) if wish.factions else dice.choose(bundled_factions())
    return faction.title, faction.cards


def faction_called(name: str) -> "Faction":
    """The faction in a file, where the name ends in `.toml`, else the bundled one of this name.

    Raises:
        EngineError: there is none, or something is wrong with it.
    """
    from engine.games.tactics.factions import find_faction, read_faction

    return read_faction(name) if name.endswith(".toml") else find_faction(name)


# ------------------------------------------------------------------------------------------------------------------

KINDS: Final = (
    DeckKind("grid", GRID_DECK, barred, _draw_grid, _grid_source),
    DeckKind("ninecard", range(1, 1001), _battle_fault, _draw_battle, _battle_source, numbers=("size", "energy")),
    DeckKind("tactics", range(3, 1001), _side_fault, _draw_side, _side_source, _find_sided, takes_factions=True),
)


def find_kind(game: str) -> DeckKind:
    """The decks of a game; CatalogError where it takes none, or is none."""
    for kind in KINDS:
        if kind.game == game:
            return kind
    raise CatalogError(f"There are no decks for the game {game!r}. There are decks for: {', '.join(_games())}.")


def _games() -> list[str]:
    return [kind.game for kind in KINDS]
