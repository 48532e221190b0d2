"""A game or match played again with the same decks."""

from dataclasses import replace
from typing import Final, NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.cards import UNKNOWN
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import find_game
from ccgrid.engine.records.record import Record
from ccgrid.engine.schema import Table
from ccgrid.services.match_session import MatchSession
from ccgrid.services.session import Session
from ccgrid.services.tables import Dealer

_DEALT: Final = ("cards", "pile", "decks", "board", "hands")
"""The keys of a setup that a deal creates; all others are options."""


class Rematch(NamedTuple):
    """The next game or match, and its starting player, or None if the rules determine that."""

    play: Session | MatchSession
    starts: str | None
    dealer: Dealer


def rematch(last: Session | MatchSession, seed: int) -> Rematch | None:
    """Deal the same game or match again with shuffled decks; the next seat starts.

    Return None if some cards are unknown, or the game cannot be dealt.
    """
    session, games = (last, ()) if isinstance(last, Session) else (last.session, last.match.records)
    dealer = _dealer(games[0] if games else session.origin, session, seed)
    if dealer is None:
        return None
    try:
        again = dealer.deal() if isinstance(last, Session) else _match(last, dealer)
    except EngineError:
        return None
    return Rematch(again, None if dealer.first is None else dealer.labels[dealer.first], dealer)


def _match(last: MatchSession, dealer: Dealer) -> MatchSession:
    return MatchSession.begin(replace(last.match, records=(), outcomes=()), dealer.deal)


def _dealer(record: Record, session: Session, seed: int) -> Dealer | None:
    setup = record.setup
    table, players = setup.to_table(), setup.players
    decks = _decks(table, players, find_game(setup.game).decks_needed(len(players)))
    if decks is None:
        return None
    options = {key: value for key, value in table.items() if key not in _DEALT}
    first = None if setup.first is None else (setup.first + 1) % len(players)
    seats = dict(zip(session.setup.players, range(len(players)), strict=True))
    computers = {
        players.index(name): session.computers[seat] for name, seat in seats.items() if seat in session.computers
    }
    return Dealer(setup.game, players, decks, options, computers, seed, Dice(seed), first)


def _decks(table: Table, players: tuple[str, ...], needed: int) -> list[list[Card]] | None:
    """Return the decks of a setup, or None if some of their cards are unknown."""
    if needed == 0:
        return []
    lists = [table["decks"][player] for player in players] if "decks" in table else [_shared(table)]
    if len(lists) != needed or any(UNKNOWN in cards for cards in lists):
        return None
    return [[_card(card) for card in cards] for cards in lists]


def _shared(table: Table) -> list[Table]:
    return [*table.get("cards", ()), *table.get("pile", ())]


def _card(table: Table) -> Card:
    """Return a catalogue card with the numbers that the game uses."""
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
