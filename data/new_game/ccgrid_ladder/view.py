"""The display of Ladder: the card on the table, the hand, and the points."""

from ccgrid.engine.game_view import GameView
from ccgrid.engine.picture import Line, Name, Stack, Standings, Tile, Tiles, Words, stacked, together

from .rules import LadderState


def _picture(state: LadderState, seat: int | None, last: str | None) -> Stack:
    led = state.on_table()
    parts: list[Line | Tiles | Standings] = [Line(together("On the table: ", Name(led.name) if led else "nothing"))]
    for one in range(len(state.players)) if seat is None else (seat,):
        cards = [card for card in state.hand(one) if card]
        if cards:
            tiles = [Tile(name=card.name, zones=card.zones, captions=(f"score {card.score}",)) for card in cards]
            parts.append(Tiles(tuple(tiles), columns=4))
    standings = (together(Name(name), f" {score}") for name, score in zip(state.players, state.points, strict=True))
    return stacked([*parts, Standings(tuple(standings))])


def _describe(state: LadderState, move: str) -> Words:
    return f"score {state.card_in_hand(move).score}"


VIEW = GameView(package=__package__, picture=_picture, describe=_describe)
