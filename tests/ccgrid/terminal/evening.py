"""A game at one keyboard, with what is typed prepared."""

import random
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from helpers.made_up import random_deck

from ccgrid.engine.dice import Dice
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.players import Player
from ccgrid.engine.records.record import Record
from ccgrid.services.session import Session
from ccgrid.terminal.keyboard import LeftTable, Prompter, sit_down

TODAY = date(2026, 11, 21)


def table(*, first: int = 0, computers: dict[int, Player] | None = None, players: str = "Ann Bob") -> Session:
    """A game of 20 random cards, in which there are moves to make."""
    rng = random.Random(5)
    setup = find_game("grid").deal(players.split(), [random_deck(rng)], Dice(5), first=first)
    return Session(Record(setup, date=TODAY, seed=5), computers or {}, Dice(5))


class Evening:
    """What people type one after the other, and what they are told."""

    def __init__(self, *lines: str) -> None:
        self.lines: Iterator[str] = iter(lines)
        self.asked: list[str] = []
        self.said: list[str] = []
        self.boards: list[State] = []
        self.lists: list[tuple[str, ...]] = []
        self.played: list[tuple[str, str]] = []
        self.covered: list[tuple[str, list[str]]] = []
        self.rules = 0

    def ask(self, at: Session) -> str:
        self.asked.append(at.player)
        try:
            return next(self.lines)
        except StopIteration:
            raise LeftTable from None

    def show_rules(self, at: Session) -> None:
        self.rules += 1

    def voice(self) -> Prompter:
        return Prompter(
            ask=self.ask,
            say=self.said.append,
            board=lambda at: self.boards.append(at.state),
            moves=lambda at, whole: self.lists.append(at.state.legal_moves()),
            show_plies=lambda at, plies: self.played.extend((ply.player, ply.move) for ply in plies),
            rules=self.show_rules,
            cover=lambda at, plies: self.covered.append((at.player, [ply.move for ply in plies])),
            ready=self.ask,
            uncover=lambda: None,
        )

    def at(self, at: Session, save_to: Path | None = None) -> "Evening":
        """The evening, at the end of which somebody has left."""
        with pytest.raises(LeftTable):
            sit_down(at, self.voice(), save_to)
        return self
