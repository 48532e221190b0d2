"""Pictures of decks, each as the game that it is for uses its cards."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ccgrid.view.output import Column, show, show_table
from ccgrid.view.words import counted

if TYPE_CHECKING:
    from catalog.card import Card


def show_deck(game: str | None, name: str, cards: Sequence["Card"]) -> None:
    """Print a deck with its name; one for no certain game is shown as the grid game sees it."""
    show(name, "")
    _PICTURES.get(game or "", _show_grid_deck)(cards)


def _show_grid_deck(cards: Sequence["Card"]) -> None:
    from ccgrid.view.board import draw_deck

    show(draw_deck(cards))


def show_side_deck(cards: Sequence["Card"]) -> None:
    """Print cards with a number on every side as tiles, a copy each."""
    from ccgrid.view.tiles import Tile, draw_tiles

    tiles = [
        Tile(label=str(number), name=card.name, zones={zone: str(value) for zone, value in card.zones.items()})
        for number, card in enumerate(cards, start=1)
    ]
    show(draw_tiles(tiles, 4, height=3))


def _show_battle_deck(cards: Sequence["Card"]) -> None:
    """Print the creatures by their cost, then the energy cards; copies are counted."""
    from engine.games.ninecard.cards import is_creature

    creatures = Counter((card.name, card.attack or 0, card.defense or 0) for card in cards if is_creature(card))
    energies = Counter(card.name for card in cards if not is_creature(card))
    show(f"{counted(creatures.total(), 'creature')}:", "")
    show_table(
        [Column("copies", "right"), Column("creature", wrap=True), Column("attack/defense"), Column("costs", "right")],
        [
            (copies, name, f"{attack}/{defense}", attack + defense)
            for (name, attack, defense), copies in sorted(creatures.items(), key=lambda item: (_cost(item[0]), item[0]))
        ],
    )
    show("", f"{counted(energies.total(), 'energy card')}:", "")
    show_table(
        [Column("copies", "right"), Column("energy", wrap=True)],
        [(copies, name) for name, copies in sorted(energies.items())],
    )


def _cost(creature: tuple[str, int, int]) -> int:
    return creature[1] + creature[2]


_PICTURES: Final[Mapping[str, Callable[[Sequence["Card"]], None]]] = {
    "grid": _show_grid_deck,
    "ninecard": _show_battle_deck,
    "tactics": show_side_deck,
}
