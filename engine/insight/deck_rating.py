"""How a deck plays: games with it, counted, and the figures that are made of the counts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from catalog.card import Card
from engine.deck_sources import FixedDecks
from engine.dice import Dice
from engine.errors import EngineError
from engine.games import GAMES, find_game
from engine.insight.deck_counts import DeckCounts, Lead, Use
from engine.many.counting import count_all
from engine.many.portions import Work
from engine.many.runner import Runner
from engine.many.saved_counts import KeptCounts, digest
from engine.many.tally import Lineup
from engine.options import not_known
from engine.players import choose_move, find_player, prepare

QUICK_PLAYERS: Final = ("random", "greedy")
"""These play a million games while others think about some hundred."""

_AT_ONCE: Final = 500


class Rating:
    """What a game says of how its decks play, its part `rating`; what has a default may be left out.

    Attributes:
        plenty: so many games tell how a deck plays, and are played in some seconds by players who see no further than
            a move.
        plenty_of_thought: so many between others, in about a minute if these play some hundred rounds for a move.
        has_captures: whether cards are taken, and not played.
        has_pile: whether there is a draw pile that may be left.
        options: the names of the options that are known to what counts quickly.
        evens: the option that gives points to who does not start, if there is one.
    """

    plenty: ClassVar[int] = 200
    plenty_of_thought: ClassVar[int] = 100
    has_captures: ClassVar[bool] = False
    has_pile: ClassVar[bool] = False
    options: ClassVar[tuple[str, ...]] = ()
    evens: ClassVar[str] = ""

    def use(self, state: Any, move: str) -> Use | None:
        """The card that a move takes, or plays."""
        return None

    def meets(self, state: Any, move: str) -> bool:
        """Whether a capture compares two numbers."""
        return False

    def is_dead(self, state: Any) -> bool:
        """Whether a game that is over has cards in its draw pile."""
        return False

    def count_quickly(self, lineup: Lineup, numbers: range) -> DeckCounts | None:
        """What is counted over games between quick players, faster than by the readable rules; None where it cannot."""
        return None

    def verdict(
        self, cards: Sequence[Card], figures: Mapping[str, Any], to_mix_in: Callable[[str], str]
    ) -> Sequence[str]:
        """What the figures mean, in sentences; `to_mix_in` names card games whose cards have a number in a zone."""
        return ()


def find_rating(game: str) -> Rating:
    """How the decks of a game are rated; raises EngineError where they are not."""
    rating: Rating | None = find_game(game).part("rating")
    if rating is None:
        raise EngineError(f"Decks of {game} are not rated: there are ratings for {', '.join(GAMES.having('rating'))}.")
    return rating


@dataclass(frozen=True, slots=True)
class DeckRating:
    """What was played, and what was counted."""

    lineup: Lineup
    counts: DeckCounts
    is_interrupted: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The figures as scripts see them: `deck rate --json`; what makes no sense in a game is null."""
        counts, reader = self.counts, find_rating(self.lineup.game)
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
        EngineError: the deck is not legal, a player or the number cannot be, decks of the game are not rated, or the
            file is of other games.
    """
    if games < 1:
        raise EngineError(f"the number of games is at least 1, not {games}")
    find_rating(game)
    rules = find_game(game)
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
    rating = find_rating(game)
    return rating.plenty if set(policies) <= set(QUICK_PLAYERS) else rating.plenty_of_thought


def count_games(lineup: Lineup, numbers: range) -> DeckCounts:
    """What is counted over the games with these numbers, by a kernel where one plays them."""
    rating, varied = find_rating(lineup.game), find_game(lineup.game).varied(lineup.options)
    is_quick = set(lineup.policies) <= set(QUICK_PLAYERS) and not not_known(varied, rating.options)
    counts = rating.count_quickly(lineup, numbers) if is_quick else None
    return count_readably(lineup, numbers) if counts is None else counts


def count_readably(lineup: Lineup, numbers: range) -> DeckCounts:
    """The same by the readable rules."""
    counts, reader = DeckCounts(), find_rating(lineup.game)
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
