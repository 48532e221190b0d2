"""What every game asks before it deals: the seats, the decks, the options."""

from collections.abc import Sequence

from catalog.card import Card
from engine.errors import EngineError, quoted
from engine.game import Game


def check_seats(game: Game, players: Sequence[str]) -> None:
    """Refuses a wrong number of players, an empty name, and two of one name.

    Raises:
        EngineError: as said.
    """
    if len(players) not in game.player_counts:
        raise EngineError(f"{game.name} is for {counts_in_words(game.player_counts)} players, not {len(players)}")
    if not all(name.strip() for name in players):
        raise EngineError("a player's name is empty: give every player a name")
    if len(set(players)) < len(players):
        twice = next(name for name in players if list(players).count(name) > 1)
        raise EngineError(f"two players are called {quoted(twice)}: give them different names")


def check_deal(game: Game, players: Sequence[str], decks: Sequence[Sequence[Card]]) -> None:
    """Refuses what no deal of a game can be made of: the seats, or another number of decks than it takes.

    Raises:
        EngineError: as said.
    """
    check_seats(game, players)
    needed = game.decks_needed(len(players))
    if len(decks) == needed:
        return
    if needed == 0:
        raise EngineError(f"{game.name} has its own cards: play it without a deck")
    wanted = "one deck" if needed == 1 else f"a deck for each player, {needed} here"
    raise EngineError(f"{game.name} is played with {wanted}, not {len(decks)}")


def counts_in_words(counts: Sequence[int]) -> str:
    """Numbers of players, in ascending order, as a sentence says them.

    >>> counts_in_words((2, 3, 4)), counts_in_words((2, 4))
    ('2 to 4', '2 or 4')
    """
    if len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1:
        return f"{counts[0]} to {counts[-1]}"
    return " or ".join(map(str, counts))
