"""Loops that play many games between random and greedy players on a core."""

from typing import NamedTuple

from ccgrid.engine.rows.core import SEAT, Table, deal, greedy_move, over, play, random_move, scores
from ccgrid.engine.rows.dealing import FIXED_DECKS, DeckPool, SeatDecks, draw_decks
from ccgrid.engine.rows.row import Row, Row8, Row16, Row32, Seeds


class DiceStarts(NamedTuple):
    """Seeds and starting players of games, as in `engine.many.kernels.Deals`; missing rows are empty."""

    drawing: Seeds
    dealing: Seeds
    playing: Seeds
    first: Row8


class GameColumns(NamedTuple):
    """The results of each game.

    Attributes:
        first: The seats that made the first move.
        plies: The numbers of moves.
        scores: The points: of all games for the first seat, then for the second, and so on.
        endings: Why the games ended, as indices in the core's `ENDINGS`.
        moves: The moves of each game, padded to the maximum length of a game; empty if they are not recorded.
    """

    first: Row8
    plies: Row16
    scores: Row32
    endings: Row8
    moves: Row32


class Room(NamedTuple):
    """Buffers for one game at a time."""

    dice: Seeds
    s: Row
    moves: Row
    priorities: Row
    points: Row


def play_games(
    table: Table,
    pool: DeckPool,
    seat_decks: SeatDecks,
    starts: DiceStarts,
    greedy: Row,
    room: Room,
    columns: GameColumns,
) -> None:
    """Play games one at a time.

    Args:
        table: The table of the core.
        pool: The source of decks.
        seat_decks: Buffers for dealing them.
        starts: Seeds and starting players.
        greedy: For each seat, nonzero for a greedy player, 0 for a random one.
        room: Buffers for a game.
        columns: Filled with the results.
    """
    dice, s, moves, points = room.dice, room.s, room.moves, room.points
    games = len(columns.first)
    # The length of a game's moves in `columns`; 0 if moves are not recorded.
    most = len(columns.moves) // max(games, 1)
    for game in range(games):
        # Decks, dealing and playing have separate generators, so that other players get the same cards.
        dice[0] = starts.drawing[game]
        if game == 0 or pool.source != FIXED_DECKS:
            draw_decks(pool, seat_decks, dice)
        # Without a row of seeds, dealing continues with the generator of the decks, and so does playing.
        if len(starts.dealing):
            dice[0] = starts.dealing[game]
        deal(table, s, seat_decks, starts.first[game] if len(starts.first) else -1, dice)
        if len(starts.playing):
            dice[0] = starts.playing[game]
        columns.first[game] = s[SEAT]
        count, ending = 0, over(table, s)
        while ending < 0:
            if greedy[s[SEAT]]:
                move = greedy_move(table, s, moves, room.priorities, dice)
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
            # Column by column: all games of a seat are adjacent.
            columns.scores[seat * games + game] = points[seat]
