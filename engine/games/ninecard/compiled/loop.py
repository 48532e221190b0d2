"""The loop that plays games of the ninecard game, compiled."""

from typing import Any, Final

import numpy as np
from numba.core import types

from engine.games.ninecard.compiled.combat import clash, column_of, cost_of, filled_cells, put_column, standing
from engine.games.ninecard.compiled.moves import (
    ASSAULT,
    ATTACK,
    DISCARD,
    END,
    ENERGY,
    FACEDOWN,
    MOVE,
    PLAY,
    SACRIFICE,
    SWAP,
    VERB,
    landing,
    legal,
    looks,
)
from engine.games.ninecard.compiled.picking import picked
from engine.games.ninecard.compiled.table import (
    DISCARDING,
    HAS_PLAYED,
    HAS_SACRIFICED,
    LAST,
    MOVED,
    SEAT,
    SPENT,
    TABLE,
    TARGET,
    TURN,
)
from engine.games.ninecard.compiled.turns import begin, clean_up, draw, left, next_turn, take
from engine.games.ninecard.opening import HAND
from engine.kernels.compiled.columns import DEALS, FILLED
from engine.kernels.compiled.compiler import compiled
from engine.kernels.compiled.dealing import DEALT, POOL, draw_decks, shuffle_decks
from engine.kernels.compiled.throwing import below

_I: Final = np.int64
_U: Final = np.uint64
_COLUMN: Final = _I(0b1001001)


@compiled(
    types.void(DEALS, POOL, DEALT, TABLE, types.int64[::1], types.uint8[::1], FILLED, types.uint32[:, ::1]),
    borrows=True,
)
def play(
    deals: Any, pool: Any, dealt: Any, table: Any, card_creatures: Any, greedy: Any, filled: Any, moves: Any
) -> None:
    """Plays games in a row.

    Args:
        deals: as in `Deals`.
        pool: what decks are made of.
        dealt: room for what is dealt.
        table: to play at.
        card_creatures: each card as a creature, or 0.
        greedy: a number that is not 0 for each seat that is.
        filled: what is counted; an ending is 0 where one player is left, 1 where the last turn was played.
        moves: to be filled, too: the moves, and 65,536 times whose they are; no row if they are not wanted.
    """
    seats = len(greedy)
    rules = table.rules
    turn, grids, life, energy, out, held = table.turn, table.grids, table.life, table.energy, table.out, table.held
    occupied, creatures, choice = table.occupied, table.creatures, table.moves
    first, plies, scores, endings = filled
    drawing, dealing, playing, starting = deals
    keep = len(moves) > 0
    for game in range(len(first)):
        state = draw_decks(drawing[game], pool, dealt)
        if len(dealing):
            state = dealing[game]
        state = shuffle_decks(state, pool, dealt, _U(HAND), rules.again, rules.facedown, rules.one_creature)
        if len(starting):
            starts = _U(starting[game])
        else:
            state, starts = below(state, _U(seats))
        first[game] = starts
        if len(playing):
            state = playing[game]
        grids[:] = 0
        occupied[:] = 0
        out[:] = 0
        held[:] = 0
        table.drawn[:] = 0
        energy[:] = 0
        life[:] = rules.life
        for one in range(seats):
            for place in range(dealt.size[one]):
                creatures[one, place] = card_creatures[dealt.cards[one, place]]
            draw(table, _I(one), _I(HAND))
        turn[TURN] = 0
        begin(turn, _I(starts))
        draw(table, _I(starts), _I(1))
        count = 0
        while turn[TURN] <= rules.limit and left(out) > 1:
            seat = turn[SEAT]
            if greedy[seat]:
                found = legal(table)
                before = _I(0)
                if turn[TARGET] < 0 and not turn[DISCARDING]:
                    before = standing(grids, life, out, seat)
                most = -1e300
                best = 0
                for place in range(found):
                    value = looks(table, choice[place], before)
                    if value > most:
                        most = value
                        best = 0
                    if value == most:
                        choice[best] = choice[place]
                        best += 1
                state, number = below(state, _U(best))
                move = choice[number]
            else:
                state, number = picked(state, table)
                move = _I(number)
            if keep:
                moves[game, count] = seat * 65536 + move
            count += 1
            verb, about = move // VERB, move % VERB
            if verb in (ENERGY, FACEDOWN, SACRIFICE):
                take(table, seat, about)
                energy[seat] += 1
                if verb == SACRIFICE:
                    turn[HAS_SACRIFICED] = 1
            elif verb == PLAY:
                card = about // 4
                creature = creatures[seat, card]
                cell = landing(occupied[seat], about % 4)
                grids[seat, cell] = creature
                occupied[seat] |= _I(1) << cell
                take(table, seat, card)
                turn[SPENT] += cost_of(creature)
                turn[HAS_PLAYED] = 1
            elif verb in (MOVE, SWAP):
                a, b = about // 9, about % 9
                grids[seat, a], grids[seat, b] = grids[seat, b], grids[seat, a]
                turn[MOVED] |= _I(1) << b
                if verb == SWAP:
                    turn[MOVED] |= _I(1) << a
                else:
                    occupied[seat] ^= _I(1) << a | _I(1) << b
            elif verb == ASSAULT:
                turn[TARGET] = about
            elif verb == DISCARD:
                take(table, seat, about)
                if held[seat] <= HAND:
                    next_turn(table)
            else:
                target = turn[TARGET]
                is_over = verb == END
                if verb == ATTACK:
                    column = about % 3
                    lives, living, breach, _ = clash(grids[seat, about], column_of(grids, target, column))
                    put_column(grids, target, column, living)
                    occupied[target] = occupied[target] & ~(_COLUMN << column) | filled_cells(living) << column
                    life[target] -= breach
                    turn[LAST] = about
                    if not lives:
                        grids[seat, about] = 0
                        occupied[seat] ^= _I(1) << about
                    is_over = life[target] <= 0
                if is_over:
                    clean_up(table)
        plies[game] = count
        endings[game] = 0 if left(out) == 1 else 1
        for one in range(seats):
            scores[one, game] = 0 if out[one] else life[one]
