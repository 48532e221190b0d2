"""Many games between random and greedy players, on a core."""

from typing import Any, NamedTuple

from ccgrid.engine.rows.core import SEAT, deal, greedy_move, over, play, random_move, scores
from ccgrid.engine.rows.dealing import FIXED_DECKS, DeckPool, SeatDecks, draw_decks
from ccgrid.engine.rows.row import Row, Row8, Row16, Row32, Seeds


class DiceStarts(NamedTuple):
    """Where the dice of some games begin, as in `engine.many.kernels.Deals`; rows that there are not are empty."""

    drawing: Seeds
    dealing: Seeds
    playing: Seeds
    first: Row8


class GameColumns(NamedTuple):
    """What is known of each game in the end.

    Attributes:
        first: the seat that made the first move.
        plies: how many moves there were.
        scores: each seat's points: those of all games for the first seat, then for the second, and so on.
        endings: why it was over, as a place in the core's `ENDINGS`.
        moves: the moves of each game, as many for each as the longest can have; empty where nobody wants them.
    """

    first: Row8
    plies: Row16
    scores: Row32
    endings: Row8
    moves: Row32


class Room(NamedTuple):
    """What one game after the other is played with."""

    dice: Seeds
    s: Row
    moves: Row
    promises: Row
    points: Row


def play_games(
    table: Any, pool: DeckPool, seat_decks: SeatDecks, starts: DiceStarts, greedy: Row, room: Room, columns: GameColumns
) -> None:
    """Plays one game after the other.

    Args:
        table: the table of the core.
        pool: what decks are made of.
        seat_decks: room for dealing them.
        starts: where dice begin, and who starts.
        greedy: a number that is not 0 for each seat that plays what looks best; the others play at random.
        room: room for a game.
        columns: is filled.
    """
    dice, s, moves, points = room.dice, room.s, room.moves, room.points
    games = len(columns.first)
    # The room for the moves of one game; 0 where nobody wants moves.
    most = len(columns.moves) // max(games, 1)
    for game in range(games):
        # Decks, dealing and playing each have dice of their own: with other players the same cards come.
        dice[0] = starts.drawing[game]
        if game == 0 or pool.source != FIXED_DECKS:
            draw_decks(pool, seat_decks, dice)
        # Without a row of their own the deal goes on with the dice that drew the decks, and so does the play.
        if len(starts.dealing):
            dice[0] = starts.dealing[game]
        deal(table, s, seat_decks, starts.first[game] if len(starts.first) else -1, dice)
        if len(starts.playing):
            dice[0] = starts.playing[game]
        columns.first[game] = s[SEAT]
        count, ending = 0, over(table, s)
        while ending < 0:
            if greedy[s[SEAT]]:
                move = greedy_move(table, s, moves, room.promises, dice)
            else:
                move = random_move(table, s, moves, dice)
            if most:
                columns.moves[game * most + count] = move
            play(table, s, move)
            count += 1
            ending = over(table, s)
        columns.plies[game] = count
        columns.endings[game] = ending
        scores(table, s, points)
        for seat in range(len(greedy)):
            # Column by column: all games of a seat lie side by side.
            columns.scores[seat * games + game] = points[seat]
