"""Decks on a terminal, drawn as their games use the cards."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ccgrid.catalog.card import Card, short_reason
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.zones import ZONE_LETTERS, ZONES
from ccgrid.engine.games import GAMES
from ccgrid.engine.picture import Tiles, deck_tiles
from ccgrid.view.output import OutputColumn, remark, show, show_table
from ccgrid.view.pictures import picture_cells, show_picture

if TYPE_CHECKING:
    from ccgrid.catalog.decks import Problem
    from ccgrid.engine.decks import GameDecks
    from ccgrid.services.deck_search import RatedDeck

LIVELY: Final = "ccgrid deck new --lively -o lively.toml"
_WIDE_ENOUGH: Final = 72
_COLUMNS: Final = 3
"""The maximum number of columns on a narrower terminal, so that names have enough room."""


def show_deck(game: str | None, name: str, cards: Sequence[Card]) -> None:
    """Print a deck with its name."""
    show(name, "")
    show_deck_cards(game, cards)


def show_deck_cards(game: str | None, cards: Sequence[Card]) -> None:
    """Print cards as a game uses them, or all their numbers if the game is unknown."""
    picture = deck_tiles if game is None else GAMES.part(game, "view").deck
    shown = picture(cards)
    if isinstance(shown, Tiles) and picture_cells() < _WIDE_ENOUGH:
        shown = shown._replace(columns=min(shown.columns, _COLUMNS))
    show_picture(shown)


def show_missing(problems: "Sequence[Problem]") -> None:
    """List the cards of a deck that were not found, if there are any."""
    missing = [one for one in problems if one.missing]
    if missing:
        show("", f"Not found: {counted(sum(one.missing for one in missing), 'card')}.", "")
        columns = [OutputColumn("copies", "right"), OutputColumn("card", wrap=True), OutputColumn("problem", wrap=True)]
        show_table(columns, [(one.missing, one.card or "", short_reason(one.reason)) for one in missing])


def warn_of_dead(game: str, cards: Sequence[Card], better: Callable[[], str] = lambda: LIVELY) -> bool:
    """Warn of a legal deck with which nothing can happen in a game, and return whether it is one."""
    decks: GameDecks | None = GAMES.part(game, "decks")
    reason = decks.dead_deck_reason(cards) if decks else None
    if reason is not None:
        remark(f"A dead deck: {reason}.")
    else:
        warn_of_dull(game, cards, better)
    return reason is not None


_FEW_MEET: Final = 0.1


def warn_of_dull(game: str, cards: Sequence[Card], better: Callable[[], str] = lambda: LIVELY) -> None:
    """Warn of a deck whose numbers rarely meet in a game, with the command that `better` returns."""
    decks: GameDecks | None = GAMES.part(game, "decks")
    facing = decks.facing_share(cards) if decks else None
    if facing is not None and facing < _FEW_MEET:
        remark(f"Numbers face each other in only {100 * facing:.0f} % of pairs. For a deck whose numbers meet:")
        remark(better())


Change = tuple[Card | None, Card | None]
"""The removed card and the added card."""


def show_deck_changes(changes: Sequence[Change]) -> None:
    """Show the removed and the added cards in their order."""
    columns = [
        OutputColumn(""),
        OutputColumn("card", wrap=True),
        OutputColumn("game", spare=1),
        OutputColumn("numbers", wrap=True),
        OutputColumn("score", "right"),
    ]
    show_table(columns, [row for change in changes for row in _rows(change)])
    show("")


def _rows(change: Change) -> Iterator[tuple[str, str, str, str, int]]:
    for word, card in zip(("out", "in"), change, strict=True):
        if card is not None:
            yield word, card.name, card.game, _numbers(card), card.score


def _numbers(card: Card) -> str:
    """Return the numbers in a card's zones, or those of a creature, as text."""
    zones = " ".join(f"{ZONE_LETTERS[zone]} {card.zones[zone]}" for zone in ZONES if zone in card.zones)
    if card.attack is None or card.defense is None:
        return zones
    return f"{card.attack}/{card.defense} {zones}".strip()


def show_standing(game: str, cards: Sequence[Card], problems: "Sequence[Problem]") -> None:
    """Show whether the edited deck is legal, and otherwise all its problems."""
    from ccgrid.catalog.card_answers import deck_check
    from ccgrid.view.reports import show_deck_check

    show_deck_check(deck_check(cards, problems))
    if not problems:
        warn_of_dead(game, cards)


def show_found(game: str, name: str, cards: Sequence[Card], promise: Sequence[str]) -> None:
    """Show a deck and its measured figures."""
    show_deck(game, name, cards)
    if promise:
        show("", *promise)


def show_explanation(explanation: Sequence[str], cards: Sequence[Card], meets: Sequence[int]) -> None:
    """Show how the deck plays, and for each card its numbers and how many other cards they meet."""
    show("", *explanation, "")
    rows = sorted(zip(cards, meets, strict=True), key=lambda row: (-row[1], row[0].name))
    show_table(
        [
            OutputColumn("card", wrap=True),
            OutputColumn("game", spare=1),
            OutputColumn("numbers", wrap=True),
            OutputColumn("score", "right"),
            OutputColumn("meets", "right"),
        ],
        [
            (
                card.name,
                card.game,
                " ".join(f"{ZONE_LETTERS[zone]} {card.zones[zone]}" for zone in ZONES if zone in card.zones),
                card.score,
                f"{count} of {len(cards) - 1}",
            )
            for card, count in rows
        ],
    )


_FIGURES: Final = (
    ("met", "captures in which two numbers meet", "%"),
    ("mean_choices", "choices a turn", ""),
    ("forced", "turns without a choice", "%"),
    ("mean_moves", "moves a game", ""),
    ("lead_changes", "lead changes a game", ""),
    ("draws", "drawn games", "%"),
    ("dead", "games ending with cards in the pile", "%"),
    ("by_one", "games decided by one card", "%"),
)
_SHOWN: Final = 5
"""The number of best cards, and of worst cards, that are shown."""


def show_rating(rating: "RatedDeck") -> None:
    """Show the verdict, the figures, and the worth of the best and the worst cards."""
    players = " against ".join(rating.players)
    show(f"{rating.name}: {counted(rating.games, 'game')} of {rating.game}, {players}.", "")
    for sentence in rating.verdict:
        show(sentence)
    show("")
    first = f"{100 * rating.first_share:.1f} ± {100 * rating.first_stderr:.1f} %"
    rows = [("first player's share", first)]
    for key, words, unit in _FIGURES:
        figure = getattr(rating, key)
        if figure is not None:
            rows.append((words, f"{100 * figure:.1f} %" if unit else f"{figure:.1f}"))
    show_table([OutputColumn(""), OutputColumn("", "right")], rows)
    cards = rating.cards
    if not cards:
        return
    if rating.decider is not None:
        show("", f"Most decisive card: {rating.decider}.")
    verb = "takes" if rating.met is not None else "plays"
    show("", f"Value of a card: the average final lead of the player who {verb} it.", "")
    ends = cards if len(cards) <= 2 * _SHOWN else [*cards[:_SHOWN], None, *cards[-_SHOWN:]]
    show_table(
        [OutputColumn("card", wrap=True), OutputColumn("value", "right")],
        [("…", "") if card is None else (card.name, f"{card.worth:+.1f} ± {card.stderr:.1f}") for card in ends],
    )
