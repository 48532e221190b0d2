"""Tables at which a requested or a recorded game is played."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.matching.asking import Choose
from ccgrid.engine.cards import UNKNOWN, no_lookup
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import ContradictionError
from ccgrid.engine.game import Setup
from ccgrid.engine.games import find_game
from ccgrid.engine.players import Player
from ccgrid.engine.records.match import Match
from ccgrid.engine.records.record import Record
from ccgrid.services.dealing import choose_decks
from ccgrid.services.factions import bundled_factions
from ccgrid.services.match_session import MatchSession
from ccgrid.services.requests import GameRequest
from ccgrid.services.seats import computer_seats, computers
from ccgrid.services.session import Session, resume_session


def match_plan(request: GameRequest, players: Sequence[str]) -> Match | None:
    """Return the requested match between players of these names, or None for a single game.

    Raises:
        EngineError: If there can be no such match.
        ContradictionError: If two kinds of match are requested, or equal deals for a single game.
    """
    if request.same_deal and not request.is_match:
        raise ContradictionError("--same-deal is for matches: add --match or --best-of N.")
    if request.best_of is not None and request.whole_match:
        raise ContradictionError("Choose --match (points add up) or --best-of (games won).")
    if request.best_of is not None:
        return Match.best_of(request.game, players, request.best_of, same_deal=request.same_deal)
    return Match.by_points(request.game, players, same_deal=request.same_deal) if request.whole_match else None


class SeatedTable(NamedTuple):
    """A new table: the game or match, the titles of factions by player, and the dealer."""

    play: Session | MatchSession
    factions: dict[str, str]
    dealer: "Dealer"


def open_table(
    request: GameRequest, seed: int, remark: Callable[[str], None], ask: Choose | None = None
) -> SeatedTable:
    """Deal the requested game or match; the seed determines cards and dice.

    `ask` asks the user about an ambiguous card name.

    Raises:
        CatalogError: If options exclude each other, or a deck is not legal.
        EngineError: If the game cannot be played as requested.
    """
    game, names = find_game(request.game), request.players
    source, options = choose_decks(request, remark, ask)
    labels = [f"{name}-{seat + 1}" if names.count(name) > 1 else name for seat, name in enumerate(names)]
    match = match_plan(request, labels)
    dice = Dice(seed)
    decks = source(dice)
    dealer = Dealer(game.name, labels, decks, options, computers(names), seed, dice)
    play = dealer.deal() if match is None else MatchSession.begin(match, dealer.deal)
    return SeatedTable(play, _titles(labels, decks), dealer)


def reopen(record: Record, seed: int) -> Session:
    """Resume a recorded game; seats that are named like a policy, or like one with a number, are computer players.

    Unordered piles are shuffled.

    Raises:
        CatalogError: If some cards are unknown.
    """
    dice = Dice(seed)
    return resume_session(_with_whole_pile(record, dice), computer_seats(record.setup.players), dice)


def _with_whole_pile(record: Record, dice: Dice) -> Record:
    table, setup = record.setup.to_table(), record.setup
    pile = table.pop("pile", None)
    if isinstance(pile, dict):  # the unknown cards of each player's deck
        for player, left in pile.items():
            drawn = iter(dice.shuffled(left))
            table["decks"][player] = [next(drawn) if card == UNKNOWN else card for card in table["decks"][player]]
    elif pile is not None:
        table["cards"] += dice.shuffled(pile)
    piles = [*table.get("decks", {}).values(), *table.get("hands", {}).values()]
    if any(UNKNOWN in cards for cards in piles):
        raise CatalogError(
            f'Some cards of this game are unknown ("{UNKNOWN}"): '
            "it can be checked, scored and replayed, but not continued. Add the cards to the record."
        )
    if pile is None:
        return record
    return replace(record, setup=find_game(setup.game).read_setup(table, setup.players, setup.first, no_lookup))


@dataclass(frozen=True, slots=True)
class Dealer:
    """Deals games with the same decks and seats the same players.

    `first` is the starting seat of the first game; None if dice or the rules of the game determine it.
    """

    game: str
    labels: Sequence[str]
    decks: Sequence[Sequence[Card]]
    options: dict[str, object]
    computers: dict[int, Player]
    seed: int
    dice: Dice
    first: int | None = None

    def deal(self, match: Match | None = None) -> Session:
        """Deal a single game, or the next game of a match with a random number generator of its own."""
        if match is None:
            setup = self._dealt(self.dice)
            return self._session(Record(setup, date=date.today(), seed=self.seed), self.dice)
        game = match.next_game
        dice = Dice(self.seed).fork(game.number)
        is_said = self.first is not None and not match.records
        setup = self._dealt(dice) if is_said else match.deal(self.decks, dice, options=self.options)
        return self._session(Record(setup, date=date.today(), seed=dice.seed, match=game), dice)

    def _dealt(self, dice: Dice) -> Setup:
        return find_game(self.game).deal(self.labels, self.decks, dice, first=self.first, options=self.options)

    def _session(self, record: Record, dice: Dice) -> Session:
        policies = {self.labels[seat]: player for seat, player in self.computers.items()}
        seats = {seat: policies[name] for seat, name in enumerate(record.setup.players) if name in policies}
        return Session(record, seats, dice)


def _titles(players: Sequence[str], decks: Sequence[Sequence[Card]]) -> dict[str, str]:
    titles = {faction.deck.cards: faction.deck.title for faction in bundled_factions()}
    dealt = ((player, titles.get(tuple(deck))) for player, deck in zip(players, decks, strict=False))
    return {player: title for player, title in dealt if title}
