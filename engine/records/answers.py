"""Checks of records, standings of matches and replays, as commands print them with `--json`."""

from typing import Literal

import msgspec

CountedInMatch = Literal["points", "wins"]
"""What is added up in a match."""


class MatchStanding(msgspec.Struct, frozen=True, kw_only=True):
    """The standing of a match after one of its games: the game's `number`, of `of` games (null if not known).

    Attributes:
        counts: What is added up, points or games won.
        same_deal: Whether each deal is played again with the seats exchanged.
        totals: Each player's points, or games won; null if not all games up to this one were read. Omitted by
            `validate`, like `over` and `winner`.
    """

    of: int | None
    number: int
    counts: CountedInMatch
    same_deal: Literal[True] | msgspec.UnsetType = msgspec.UNSET
    totals: dict[str, int] | msgspec.UnsetType | None = msgspec.UNSET
    over: bool | msgspec.UnsetType = msgspec.UNSET
    winner: str | msgspec.UnsetType | None = msgspec.UNSET


class LocatedError(msgspec.Struct, frozen=True, kw_only=True):
    """An error in a record, with its location."""

    where: str
    message: str


class PileCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card of a pile; `id` is null if the card was not looked up."""

    id: str | None
    name: str
    score: int


class RecordCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A record that was read: its result, and its first error.

    Attributes:
        game: The name of the game, or null if it is not known.
        moves: The number of moves that could be played.
        scores: Each player's points if known. Omitted by `validate`.
        ending: A code for how the game ended, or null if it is not over.
        piles: The cards with which each player ended, if the file contains only these.
        match: The standing of its match, if the game belongs to one.
    """

    file: str
    game: str | None
    players: list[str]
    over: bool
    moves: int
    scores: dict[str, int] | msgspec.UnsetType = msgspec.UNSET
    winner: str | None
    ending: str | None
    ok: bool
    errors: list[LocatedError]
    piles: dict[str, list[PileCard]] | msgspec.UnsetType = msgspec.UNSET
    match: MatchStanding | msgspec.UnsetType = msgspec.UNSET


class ReplayedMove(msgspec.Struct, frozen=True, kw_only=True):
    """A move, the player who made it, and all legal moves before it, sorted."""

    player: str
    move: str
    legal: list[str]


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """The moves of a game, whether it is over, and each player's points."""

    plies: list[ReplayedMove]
    over: bool
    scores: dict[str, int]
