"""A referee of real cards: told nothing but what everybody sees, it comes to the games that were played."""

import random

import pytest
from made_up import deck_for, options_for

from ccgrid.services.real_tables import begin
from ccgrid.services.referee import Referee
from engine.cards import UNKNOWN
from engine.dice import Dice
from engine.games import find_game
from engine.players import GreedyPlayer, RandomPlayer
from engine.real_cards import REAL_CARDS, find_real_cards
from engine.record import Record, read_document
from engine.simulation import play_out

NAMES = ("Ann", "Bob", "Cid", "Dan")


def played(game, players=2, seed=1, options=None):
    """A game that was played, and the decks that it was played with."""
    rng, dice = random.Random(seed), Dice(seed)
    decks = [deck_for(game, rng) for _ in range(find_game(game).decks_needed(players))]
    options = options_for(game, rng) if options is None else options
    setup = find_game(game).deal(NAMES[:players], decks, dice, options=options)
    player = RandomPlayer() if seed % 2 else GreedyPlayer()
    moves, _ = play_out(setup.start(), [player] * players, dice)
    return Record(setup, tuple(moves)), decks, options


def begun(record, decks, options):
    """The same game at a real table, with what lies there before the first move told."""
    setup = record.setup
    first = None if setup.first is None else setup.players[setup.first]
    table = begin(setup.game, setup.players, first, options, decks)
    cards, known = find_real_cards(setup.game), table.setup
    if setup.game == "grid":
        for card in setup.cards[: setup.start().turned_up]:
            known = cards.told(known, None, card)
    if setup.game == "matrix":
        for number in setup.board:
            known = cards.told(known, None, cards.deck(known, 0)[number - 1])
    return Record(known, notes=table.notes, date=table.date)


def shown(record, referee, state):
    """The cards that a move waits for, by their numbers: what was turned up, or the whole hand of a player."""
    if record.setup.game == "grid":
        names = [record.setup.cards[len(referee.setup.cards)].name]
    else:
        names = [card.name for card in state.side.hand]
        for card in referee.cards.in_hand(referee.state):
            names.remove(card.name)
    deck = [card.name for card in referee.deck]
    return " ".join(str(deck.index(name) + 1) for name in names)


def refereed(record, decks, options):
    """The referee at the end of a game that was told move by move; every other card laid face down stays hidden."""
    referee = Referee.of(begun(record, decks, options))
    for number, ply in enumerate(record):
        is_hidden = ply.move.startswith("facedown ") and number % 2
        referee.move(f"facedown {UNKNOWN}" if is_hidden else ply.move)
        while referee.pending:
            referee.turn_up(shown(record, referee, ply.state))
    return referee


@pytest.mark.parametrize("game", REAL_CARDS)
def test_a_game_that_is_told_move_by_move_comes_to_the_same_end_and_reads_back(game):
    for seed in range(6):
        record, decks, options = played(game, seed=seed)
        referee = refereed(record, decks, options)
        told = referee.session.record()
        final = record.final()
        assert referee.state.outcome() == final.outcome()
        assert told.result == final.scores()
        reading = read_document(told.to_document())
        assert reading.error is None
        assert reading.record.to_document() == told.to_document()
        assert [ply.state.scores() for ply in told] == [ply.state.scores() for ply in record]
