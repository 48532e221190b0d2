"""Codes of games and decks, as commands print them with `--json`."""

import msgspec


class WrittenLine(msgspec.Struct, frozen=True, kw_only=True):
    """The line of a game or a deck, its length, and the parts that were dropped to fit."""

    code: str
    length: int
    left_out: list[str]
