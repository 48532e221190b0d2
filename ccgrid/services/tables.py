"""Tables made ready: who plays, people and computers, with which cards, one game or a match, or one taken up again."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple

from ccgrid.catalog.card import ZONES, Card, CatalogError
from ccgrid.catalog.matching.asking import Choose
from ccgrid.engine.cards import UNKNOWN, no_lookup
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import Setup
from ccgrid.engine.games import find_game
from ccgrid.engine.players import PLAYERS, Player, ProgramPlayer, find_player
from ccgrid.engine.records.match import Match
from ccgrid.engine.records.record import Record
from ccgrid.services.dealing import dealt_with, match_plan
from ccgrid.services.deck_sources import bundled_factions
from ccgrid.services.session import MatchSession, Session, take_up


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


class SeatedTable(NamedTuple):
    """A table made ready: the game or the match, the factions' titles by the players who have one, and who deals."""

    play: Session | MatchSession
    factions: dict[str, str]
    dealer: "Dealer"


def open_table(
    request: TableRequest, seed: int, remark: Callable[[str], None], ask: Choose | None = None
) -> SeatedTable:
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
    return SeatedTable(play, _titles(labels, decks), dealer)


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
            f'Some cards of this game are unknown ("{UNKNOWN}"): '
            "it can be checked, scored and replayed, but not continued. Add the cards to the record."
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
    return {seat: find_player(name) for seat, name in enumerate(names) if _is_policy(name) or _is_program(name)}


def is_computer(name: str) -> bool:
    """Whether a seat of this name is a computer player's."""
    return _is_policy(_policy(name)) or _is_program(name)


def _is_program(name: str) -> bool:
    """Whether it is another program's; what a record calls so is never started, and a person plays it."""
    return name.partition(":")[0] == ProgramPlayer.name


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


_DEALT: Final = ("cards", "pile", "decks", "board", "hands")
"""The keys of a setup that a deal makes; all others are options."""


class Rematch(NamedTuple):
    """What is played next, and who starts it; nobody where the rules decide."""

    play: Session | MatchSession
    starts: str | None
    dealer: Dealer


def rematch(played: Session | MatchSession, seed: int) -> Rematch | None:
    """The same game or match with the decks shuffled anew, in which the next seat starts.

    None where some cards are known to nobody, or the game cannot be dealt so.
    """
    session, games = (played, ()) if isinstance(played, Session) else (played.session, played.match.records)
    dealer = _dealer(games[0] if games else session.origin, session, seed)
    if dealer is None:
        return None
    try:
        again = dealer.deal() if isinstance(played, Session) else _match(played, dealer)
    except EngineError:
        return None
    return Rematch(again, None if dealer.first is None else dealer.labels[dealer.first], dealer)


def _match(played: MatchSession, dealer: Dealer) -> MatchSession:
    return MatchSession.begin(replace(played.match, records=(), outcomes=()), dealer.deal)


def _dealer(record: Record, session: Session, seed: int) -> Dealer | None:
    setup = record.setup
    table, players = setup.to_table(), setup.players
    decks = _decks(table, players, find_game(setup.game).decks_needed(len(players)))
    if decks is None:
        return None
    options = {key: value for key, value in table.items() if key not in _DEALT}
    first = None if setup.first is None else (setup.first + 1) % len(players)
    seated = dict(zip(session.setup.players, range(len(players)), strict=True))
    computers = {
        players.index(name): session.computers[seat] for name, seat in seated.items() if seat in session.computers
    }
    return Dealer(setup.game, players, decks, options, computers, seed, Dice(seed), first)


def _decks(table: Mapping[str, Any], players: tuple[str, ...], needed: int) -> list[list[Card]] | None:
    """The decks that a setup was dealt from; None where some of their cards are not known."""
    if needed == 0:
        return []
    lists = [table["decks"][player] for player in players] if "decks" in table else [_shared(table)]
    if len(lists) != needed or any(UNKNOWN in cards for cards in lists):
        return None
    return [[_card(card) for card in cards] for cards in lists]


def _shared(table: Mapping[str, Any]) -> list[Any]:
    return [*table.get("cards", ()), *table.get("pile", ())]


def _card(table: Mapping[str, Any]) -> Card:
    """A card as a catalogue would hold it, of the numbers that a game needs of it."""
    zones = table.get("zones", {zone: table[zone] for zone in ZONES if zone in table})
    return Card(
        id=table.get("id", ""),
        game="",
        name=table.get("name", ""),
        zones=dict(zones),
        score=table.get("score", sum(zones.values())),
        set_code=table.get("set", ""),
        attack=table.get("attack"),
        defense=table.get("defense"),
    )
