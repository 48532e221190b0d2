"""How a deck plays: games with it, counted, and the figures that are made of the counts."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

from catalog.card import Card
from engine.board import OPPOSITE
from engine.counting import count_all
from engine.deck_counts import DeckCounts, Lead, Use
from engine.deck_plans import QUICK_PLAYERS
from engine.deck_sources import FixedDecks
from engine.dice import Dice
from engine.errors import EngineError
from engine.games import find_game
from engine.games.grid.state import BOARD, GridState
from engine.kept_counts import KeptCounts, digest
from engine.players import choose_move, find_player, prepare
from engine.portions import Work
from engine.runner import Runner
from engine.tally import Lineup

PLENTY: Final = {"grid": 10_000, "tactics": 1_000, "ninecard": 200}
"""So many games tell how a deck plays, and are played in some seconds by players who see no further than a move."""

_THOUGHT: Final = {"grid": 1_000, "tactics": 400, "ninecard": 100}
"""So many between others, in about a minute if these play some hundred rounds for a move."""

_AT_ONCE: Final = 500


class _Reader(Protocol):
    """Says what a move does to the deck's cards."""

    @property
    def has_captures(self) -> bool:
        """Whether cards are taken."""

    @property
    def has_pile(self) -> bool:
        """Whether there is a draw pile that may be left."""

    def use(self, state: Any, move: str) -> Use | None:
        """The card that a move takes, or plays."""

    def meets(self, state: Any, move: str) -> bool:
        """Whether a capture compares two numbers."""

    def is_dead(self, state: Any) -> bool:
        """Whether a game that is over has cards in its draw pile."""


class _GridReader:
    has_captures: Final = True
    has_pile: Final = True

    def use(self, state: GridState, move: str) -> Use:
        card = state.card_taken(move)
        return Use(card.name, state.to_move, card.score)

    def meets(self, state: GridState, move: str) -> bool:
        return OPPOSITE[BOARD.zone_towards(move[:2], move[3:]) or ""] in state.card_taken(move).zones

    def is_dead(self, state: GridState) -> bool:
        return state.pile > 0


class _HandReader:
    """Of a game in which cards are played from hands; `named` finds the card's name in a move."""

    has_captures: Final = False
    has_pile: Final = False

    def __init__(self, named: Callable[[str], str]) -> None:
        self._named = named

    def use(self, state: Any, move: str) -> Use | None:
        name = self._named(move)
        return Use(name, state.to_move, 0) if name else None

    def meets(self, state: Any, move: str) -> bool:
        return False

    def is_dead(self, state: Any) -> bool:
        return False


def _of_tactics(move: str) -> str:
    return move.rpartition("@")[0]


def _of_ninecard(move: str) -> str:
    return move[5:-2] if move.startswith("play ") else ""


_READERS: Final[dict[str, _Reader]] = {
    "grid": _GridReader(),
    "tactics": _HandReader(_of_tactics),
    "ninecard": _HandReader(_of_ninecard),
}


@dataclass(frozen=True, slots=True)
class DeckRating:
    """What was played, and what was counted."""

    lineup: Lineup
    counts: DeckCounts
    is_interrupted: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The figures as scripts see them: `deck rate --json`; what makes no sense in a game is null."""
        counts, reader = self.counts, _READERS[self.lineup.game]
        ranked = sorted(counts.cards.items(), key=lambda item: (-item[1].worth, item[0]))
        decider = max(counts.cards, key=lambda name: (counts.cards[name].decided, name), default=None)
        rating: dict[str, Any] = {
            "games": counts.games,
            "met": counts.met_share if reader.has_captures else None,
            "first_share": counts.first_share,
            "first_stderr": counts.first_stderr,
            "draws": counts.per_game(counts.margins.get(0, 0)),
            "mean_moves": counts.per_game(counts.turns),
            "mean_choices": counts.per_turn(counts.choices),
            "dead": counts.per_game(counts.dead) if reader.has_pile else None,
            "cards": [
                {
                    "name": name,
                    "worth": card.worth,
                    "stderr": card.stderr,
                    "used": counts.per_game(card.used),
                    "decides": counts.per_game(card.decided) if reader.has_captures else None,
                }
                for name, card in ranked
            ],
            "game": self.lineup.game,
            "seed": self.lineup.seed,
            "players": list(self.lineup.policies),
            "forced": counts.per_turn(counts.forced),
            "lead_changes": counts.per_game(counts.lead_changes),
            "komi": counts.komi,
            "komi_share": counts.share_with(counts.komi),
            "by_one": counts.per_game(counts.by_one) if reader.has_captures else None,
            "decider": decider if reader.has_captures else None,
        }
        return {**rating, "interrupted": True} if self.is_interrupted else rating


def rate(
    game: str,
    deck: Sequence[Card],
    games: int,
    seed: int,
    *,
    policies: tuple[str, str] = ("greedy", "greedy"),
    runner: Runner | None = None,
    progress: Callable[[int], object] | None = None,
    resume: Path | None = None,
    tell: Callable[[str], object] | None = None,
) -> DeckRating:
    """Plays games between two players, both with this deck, and counts.

    An interrupt from the keyboard ends it with what was played, unless that is nothing.

    Args:
        game: the game.
        deck: the deck.
        games: how many, at least one.
        seed: what all dice follow from.
        policies: who plays.
        runner: where they are played.
        progress: is told now and then how many more games are done.
        resume: a file that keeps the counts; what it holds already is not played again.
        tell: is given a sentence before something is done that takes a while.

    Raises:
        EngineError: the deck is not legal, a player or the number cannot be, the game has no decks, or the file is of
            other games.
    """
    if games < 1:
        raise EngineError(f"the number of games is at least 1, not {games}")
    rules = find_game(game)
    if game not in _READERS:
        raise EngineError(f"{game} is not played with decks that could be told apart")
    lineup = Lineup(game, policies, FixedDecks((tuple(deck),) * rules.decks_needed(2)), seed)
    prepare(map(find_player, policies), game, tell, games=games)
    rules.deal(lineup.players, lineup.decks(Dice(0)), Dice(0))  # refuses a deck before many games are begun
    work = {"what": "deck rate", "game": game, "players": list(policies), "seed": seed, "cards": digest(deck)}
    counted = count_all(
        Work(count_games, lineup, _AT_ONCE, 10),
        games,
        DeckCounts(),
        lambda more: more,
        kept=KeptCounts(resume, work, DeckCounts),
        runner=runner,
        progress=progress,
    )
    return DeckRating(lineup, counted.counts, counted.is_interrupted)


def plenty(game: str, policies: Iterable[str]) -> int:
    """How many games tell how a deck plays between these players."""
    games = PLENTY if set(policies) <= set(QUICK_PLAYERS) else _THOUGHT
    return games.get(game, 1)


def count_games(lineup: Lineup, numbers: range) -> DeckCounts:
    """What is counted over the games with these numbers, by a kernel where one plays them."""
    if lineup.game == "grid" and set(lineup.policies) <= set(QUICK_PLAYERS):
        quick: Callable[..., DeckCounts | None] = import_module("engine.games.grid.counts").count_games
        [deck] = lineup.decks(Dice(0))
        counts = quick(deck, lineup.seed, numbers, [name == "greedy" for name in lineup.policies])
        if counts is not None:
            return counts
    return count_readably(lineup, numbers)


def count_readably(lineup: Lineup, numbers: range) -> DeckCounts:
    """The same by the readable rules."""
    counts, reader = DeckCounts(), _READERS[lineup.game]
    players = [find_player(name) for name in lineup.policies]
    for number in numbers:
        dice = Dice(lineup.seed).fork(number)
        setup = find_game(lineup.game).deal(lineup.players, lineup.decks(dice), dice, options=lineup.options)
        state: Any = setup.start()
        first = state.to_move if setup.first is None else setup.first
        uses: list[Use] = []
        lead = Lead()
        while legal := state.legal_moves():
            move = choose_move(players[state.to_move], state, dice)
            counts.turns += 1
            counts.choices += len(legal)
            counts.forced += len(legal) == 1
            if use := reader.use(state, move):
                uses.append(use)
            if reader.has_captures:
                counts.captures += 1
                counts.met += reader.meets(state, move)
            state = state.play_unchecked(move)
            lead.look(state.scores())
        counts.lead_changes += lead.changes
        counts.dead += reader.is_dead(state)
        # Where a card may be played more than once it counts once for its seat.
        counts.end_game(first, state.scores(), uses if reader.has_captures else set(uses))
    return counts
