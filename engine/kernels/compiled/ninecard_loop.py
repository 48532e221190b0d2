"""The loop that plays games of the ninecard game, compiled."""

from typing import Any, Final

import numpy as np

from engine.games.ninecard.opening import HAND
from engine.kernels.compiled.compiler import compiled
from engine.kernels.compiled.dealing import deal, room
from engine.kernels.compiled.ninecard_combat import (
    clash,
    column_of,
    cost_of,
    put_column,
    standing,
)
from engine.kernels.compiled.ninecard_moves import (
    ASSAULT,
    ATTACK,
    DISCARD,
    DISCARDING,
    END,
    ENERGY,
    FACEDOWN,
    HAS_PLAYED,
    HAS_SACRIFICED,
    LAST,
    MOST_HELD,
    MOST_MOVES,
    MOVE,
    MOVED,
    PLAY,
    SACRIFICE,
    SEAT,
    SPENT,
    SWAP,
    TARGET,
    TURN,
    VERB,
    landing,
    legal,
    looks,
)
from engine.kernels.compiled.ninecard_picking import picked
from engine.kernels.compiled.ninecard_turns import begin, clean_up, draw, left, next_turn, take
from engine.kernels.compiled.throwing import below, fork_seed

_I: Final = np.int64
_U: Final = np.uint64


@compiled(
    "void(uint64, uint64, uint64, uint32[:, ::1], uint32[::1], int64[::1], uint32[::1], uint32[:, ::1], uint64[::1],"
    " uint32[:, ::1], uint64[::1], int64[::1], int64[::1], uint8[::1],"
    " uint8[::1], uint16[::1], int32[:, ::1], uint8[::1], uint32[:, ::1])"
)
def play(
    seed: Any,
    start: Any,
    source: Any,
    names: Any,
    begins: Any,
    card_creatures: Any,
    ranks: Any,
    play_ranks: Any,
    decks: Any,
    given: Any,
    states: Any,
    options: Any,
    by_name: Any,
    greedy: Any,
    first: Any,
    plies: Any,
    scores: Any,
    endings: Any,
    moves: Any,
) -> None:
    """Plays games in a row: game `start` and so many that follow as the columns have entries.

    Args:
        seed: of all games.
        start: the first game's number.
        source: where decks come from.
        names: each card's name, and in the second row its name and looks, as numbers.
        begins: for each name where its texts begin.
        card_creatures: each card as a creature, or 0.
        ranks: for each text where it stands when all are sorted.
        play_ranks: and with each column behind it.
        decks: where each deck's cards begin, and where the last one's end; where they are drawn, the size of each.
        given: for each game the cards of all decks, where they were drawn before.
        states: and the state of the dice then.
        options: life, limit, facedown, one_creature, and how often a deck is shuffled again at most.
        by_name: the seats in the order of the players' names.
        greedy: a number that is not 0 for each seat that is.
        first: to be filled, like what follows: the seat that started.
        plies: how many moves there were.
        scores: each seat's points.
        endings: 0 where one player is left, 1 where the last turn was played.
        moves: the moves, and 65,536 times whose they are; no row if they are not wanted.
    """
    seats = len(greedy)
    dealt, labels, size, space = room(_U(seats), source, _U(len(card_creatures)), names, begins, decks)
    creatures = np.zeros(dealt.shape, np.int64)
    hands = np.zeros((seats, MOST_HELD), np.int64)
    held = np.zeros(seats, np.int64)
    drawn = np.zeros(seats, np.int64)
    grids = np.zeros((seats, 9), np.int64)
    life = np.zeros(seats, np.int64)
    energy = np.zeros(seats, np.int64)
    out = np.zeros(seats, np.uint8)
    turn = np.zeros(DISCARDING + 1, np.int64)
    keys = np.zeros(MOST_MOVES, np.int64)
    choice = np.zeros(MOST_MOVES, np.int64)
    limit, facedown, one_creature = options[1], np.uint8(options[2]), np.uint8(options[3])
    costs = np.full(len(card_creatures), -1, np.int64)
    for card in range(len(card_creatures)):
        if card_creatures[card]:
            costs[card] = cost_of(card_creatures[card])
    keep = len(moves) > 0
    for game in range(len(first)):
        state = fork_seed(seed, start + _U(game))
        if len(states):
            state = states[game]
        state = deal(
            state, source, game, names, begins, decks, given, dealt, labels, size, space,
            costs, options[4], facedown, one_creature,
        )  # fmt: skip
        state, starts = below(state, _U(seats))
        first[game] = starts
        grids[:] = 0
        out[:] = 0
        held[:] = 0
        drawn[:] = 0
        energy[:] = 0
        life[:] = options[0]
        for one in range(seats):
            for place in range(size[one]):
                creatures[one, place] = card_creatures[dealt[one, place]]
            draw(_I(one), _I(HAND), hands, held, drawn, size, labels, ranks)
        turn[TURN] = 0
        begin(turn, _I(starts))
        draw(_I(starts), _I(1), hands, held, drawn, size, labels, ranks)
        count = 0
        while turn[TURN] <= limit and left(out) > 1:
            seat = turn[SEAT]
            if greedy[seat]:
                found = legal(
                    turn, grids, out, energy[seat], hands, held, labels, creatures, ranks, play_ranks, by_name,
                    facedown, one_creature, keys, choice,
                )  # fmt: skip
                before = _I(0)
                if turn[TARGET] < 0 and not turn[DISCARDING]:
                    before = standing(grids, life, out, seat)
                most = -1e300
                best = 0
                for place in range(found):
                    value = looks(choice[place], turn, grids, life, out, energy[seat], hands, held, creatures, before)
                    if value > most:
                        most = value
                        best = 0
                    if value == most:
                        choice[best] = choice[place]
                        best += 1
                state, number = below(state, _U(best))
                move = choice[number]
            else:
                state, number = picked(
                    state, turn, grids, out, energy[seat], hands, held, labels, creatures, ranks, play_ranks, by_name,
                    facedown, one_creature, keys, choice,
                )  # fmt: skip
                move = _I(number)
            if keep:
                moves[game, count] = seat * 65536 + move
            count += 1
            verb, about = move // VERB, move % VERB
            if verb in (ENERGY, FACEDOWN, SACRIFICE):
                take(seat, about, hands, held)
                energy[seat] += 1
                if verb == SACRIFICE:
                    turn[HAS_SACRIFICED] = 1
            elif verb == PLAY:
                card = about // 4
                creature = creatures[seat, card]
                grids[seat, landing(grids, 3 * seat + about % 4)] = creature
                take(seat, card, hands, held)
                turn[SPENT] += cost_of(creature)
                turn[HAS_PLAYED] = 1
            elif verb in (MOVE, SWAP):
                a, b = about // 9, about % 9
                grids[seat, a], grids[seat, b] = grids[seat, b], grids[seat, a]
                turn[MOVED] |= _I(1) << b
                if verb == SWAP:
                    turn[MOVED] |= _I(1) << a
            elif verb == ASSAULT:
                turn[TARGET] = about
            elif verb == DISCARD:
                take(seat, about, hands, held)
                if held[seat] <= HAND:
                    next_turn(turn, limit, out, hands, held, drawn, size, labels, ranks)
            else:
                target = turn[TARGET]
                is_over = verb == END
                if verb == ATTACK:
                    column = about % 3
                    lives, living, breach, _ = clash(grids[seat, about], column_of(grids, target, column))
                    put_column(grids, target, column, living)
                    life[target] -= breach
                    turn[LAST] = about
                    if not lives:
                        grids[seat, about] = 0
                    is_over = life[target] <= 0
                if is_over:
                    clean_up(
                        turn, limit, grids, life, out, energy[seat], hands, held, drawn, size, labels, ranks,
                        creatures, facedown, one_creature,
                    )  # fmt: skip
        plies[game] = count
        endings[game] = 0 if left(out) == 1 else 1
        for one in range(seats):
            scores[one, game] = 0 if out[one] else life[one]
