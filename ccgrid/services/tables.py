"""Tables made ready: who plays, people and computers, with which cards, one game or a match, or one taken up again."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from catalog.card import Card, CatalogError
from catalog.matching.asking import Choose
from ccgrid.services.dealing import dealt_with, match_plan
from ccgrid.services.factions import bundled_factions
from ccgrid.services.match_session import MatchSession
from ccgrid.services.session import Session, take_up
from engine.cards import UNKNOWN, no_lookup
from engine.dice import Dice
from engine.errors import EngineError
from engine.game import Setup
from engine.games import find_game
from engine.players import PLAYERS, Player, find_player
from engine.records.match import Match
from engine.records.record import Record


@dataclass(frozen=True, slots=True)
class TableRequest:
    """What somebody said about a table: the game, the players' names or policies, the cards, the options, the match."""

    game: str
    players: tuple[str, ...]
    files: tuple[Path, ...] = ()
    factions: tuple[str, ...] = ()
    card_games: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    best_of: int | None = None
    whole_match: bool = False
    database: Path | None = None
    same_deal: bool = False

    @property
    def is_match(self) -> bool:
        """Whether more than one game is to be played."""
        return self.best_of is not None or self.whole_match


class Table(NamedTuple):
    """A table made ready: the game or the match, the factions' titles by the players who have one, and who deals."""

    play: Session | MatchSession
    factions: dict[str, str]
    dealer: "Dealer"


def open_table(request: TableRequest, seed: int, remark: Callable[[str], None], ask: Choose | None = None) -> Table:
    """A table at which nobody has moved; the seed decides cards and dice.

    `ask` asks a person where the name of a card is ambiguous.

    Raises:
        CatalogError: what was said does not fit together, or a deck is not legal.
        EngineError: the game cannot be played so.
    """
    game, names = find_game(request.game), request.players
    source, options = dealt_with(
        game.name,
        len(names),
        files=request.files,
        factions=request.factions,
        card_games=request.card_games,
        variants=request.variants,
        database=request.database,
        remark=remark,
        ask=ask,
    )
    labels = [f"{name}-{seat + 1}" if names.count(name) > 1 else name for seat, name in enumerate(names)]
    match = match_plan(game.name, labels, request.best_of, whole=request.whole_match, same_deal=request.same_deal)
    dice = Dice(seed)
    decks = source(dice)
    dealer = Dealer(game.name, labels, decks, options, computers(names), seed, dice)
    play = dealer.deal() if match is None else MatchSession.begin(match, dealer.deal)
    return Table(play, _titles(labels, decks), dealer)


def reopened(record: Record, seed: int) -> Session:
    """A session in which a recorded game goes on; seats named like a policy, or with its number, are the computer's.

    Cards that lie in a pile in no order are shuffled.

    Raises:
        CatalogError: some cards are known to nobody.
    """
    dice = Dice(seed)
    return take_up(_completed(record, dice), seated(record.setup.players), dice)


def _completed(record: Record, dice: Dice) -> Record:
    table, setup = record.setup.to_table(), record.setup
    pile = table.pop("pile", None)
    if isinstance(pile, dict):  # of each player's deck: the cards that are not known in it
        for player, left in pile.items():
            drawn = iter(dice.shuffled(left))
            table["decks"][player] = [next(drawn) if card == UNKNOWN else card for card in table["decks"][player]]
    elif pile is not None:
        table["cards"] += dice.shuffled(pile)
    held = [*table.get("decks", {}).values(), *table.get("hands", {}).values()]
    if any(UNKNOWN in cards for cards in held):
        raise CatalogError(
            f'Some cards of this game are not known ("{UNKNOWN}"): '
            "it can be checked, scored and replayed, but not continued. Write the cards into the record."
        )
    if pile is None:
        return record
    return replace(record, setup=find_game(setup.game).read_setup(table, setup.players, setup.first, no_lookup))


def seated(players: Sequence[str]) -> dict[int, Player]:
    """The computer players of a game that is taken up, by their seats."""
    found: dict[int, Player] = {}
    for seat, name in enumerate(map(_policy, players)):
        if _is_policy(name):
            with suppress(EngineError):  # a person who is called like a policy, with a colon and what means nothing
                found[seat] = find_player(name)
    return found


def computers(names: Sequence[str]) -> dict[int, Player]:
    """The seats that computers play, which are named after their policies, with a parameter where they take one.

    Raises:
        EngineError: a parameter means nothing.
    """
    return {seat: find_player(name) for seat, name in enumerate(names) if _is_policy(name)}


def _is_policy(name: str) -> bool:
    return name.partition(":")[0] in [player.name for player in PLAYERS]


@dataclass(frozen=True, slots=True)
class Dealer:
    """Deals game after game with the same decks, and seats the same players.

    `first` is the seat that starts the first of them; `None` where the dice decide, or the game's own rules.
    """

    game: str
    labels: Sequence[str]
    decks: Sequence[Sequence[Card]]
    options: dict[str, Any]
    computers: dict[int, Player]
    seed: int
    dice: Dice
    first: int | None = None

    def deal(self, match: Match | None = None) -> Session:
        """A game at which nobody has moved: alone, or the next one of a match, with dice of its own."""
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


def _policy(name: str) -> str:
    """The policy that a seat's name stands for: `greedy-2` for greedy, any other for itself."""
    policy, _, number = name.rpartition("-")
    return policy if policy and number.isdecimal() else name
