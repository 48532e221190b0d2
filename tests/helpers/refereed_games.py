"""Games that a test tells to a referee of real cards, who sees what everybody sees."""

import random

from ccgrid.catalog.card import Card
from ccgrid.engine.cards import UNKNOWN
from ccgrid.engine.dice import Dice
from ccgrid.engine.games import find_game
from ccgrid.engine.games.tactics.factions import FACTIONS
from ccgrid.engine.many.simulation import play_out
from ccgrid.engine.players import GreedyPlayer, RandomPlayer
from ccgrid.engine.real_cards import find_real_cards
from ccgrid.engine.records.record import Record
from ccgrid.services.real_records import begin
from ccgrid.services.referee import Referee
from helpers.made_up import deck_for, options_for

NAMES = ("Ann", "Bob", "Cid", "Dan")


def random_game(game, players=2, seed=1, options=None):
    """A game that was played, and the decks that it was played with."""
    rng, dice = random.Random(seed), Dice(seed)
    decks = [deck_for(game, rng) for _ in range(find_game(game).decks_needed(players))]
    if options is None:  # what is laid face down is not told as it is played: test_referee.py
        options = {name: value for name, value in options_for(game, rng).items() if name != "facedown"}
    setup = find_game(game).deal(NAMES[:players], decks, dice, options=options)
    player = RandomPlayer() if seed % 2 else GreedyPlayer()
    moves, _ = play_out(setup.start(), [player] * players, dice)
    return Record(setup, tuple(moves)), decks, options


def table_record(record, decks, options):
    """The same game at a real table, with what lies there before the first move told."""
    setup = record.setup
    first = None if setup.first is None else setup.players[setup.first]
    table = begin(setup.game, setup.players, first, options, decks)
    cards, known = find_real_cards(setup.game), table.setup
    if setup.game == "grid":
        for card in setup.cards[: setup.start().turned_up]:
            known = cards.with_card(known, None, card)
    if setup.game == "matrix":
        for number in setup.board:
            known = cards.with_card(known, None, cards.deck(known, 0)[number - 1])
    return Record(known, notes=table.notes, date=table.date)


def cards_to_show(record, referee, state):
    """The cards that a move waits for, by their numbers: what was turned up, or the whole hand of a player."""
    if record.setup.game == "grid":
        names = [record.setup.cards[len(referee.setup.cards)].name]
    else:
        names = [card.name for card in state.side.hand]
        for card in referee.cards.in_hand(referee.state):
            names.remove(card.name)
    deck = [card.name for card in referee.deck]
    return " ".join(str(deck.index(name) + 1) for name in names)


def final_referee(record, decks, options):
    """The referee at the end of a game that was told move by move; every other card laid face down stays hidden."""
    referee = Referee.of(table_record(record, decks, options))
    for number, ply in enumerate(record):
        is_hidden = ply.move.startswith("facedown ") and number % 2
        referee.move(f"facedown {UNKNOWN}" if is_hidden else ply.move)
        while referee.pending:
            referee.turn_up(cards_to_show(record, referee, ply.state))
    return referee


def at_table(game, *moves, names=("bastion", "cinder")):
    """A game of two with these moves told, of factions or of the numbers in order."""
    decks = [FACTIONS.find(name).cards for name in names] if game == "tactics" else []
    record = begin(game, NAMES[:2], None, {}, decks)
    setup = record.setup
    if game == "matrix":
        cards = find_real_cards(game)
        for number in range(9):
            setup = cards.with_card(setup, None, cards.deck(setup, 0)[number])
    referee = Referee.of(Record(setup, notes=record.notes))
    for move in moves:
        referee.move(move)
    return referee


def wolf_game(**options):
    """A game of ninecard in which all creatures are wolves of 1/1 and the other cards fires; the first is told."""
    creatures = [Card(id="", game="", name=f"Wolf {n}", zones={}, score=0, attack=2, defense=1) for n in range(8)]
    fires = [Card(id="", game="", name=f"Fire {n}", zones={}, score=0) for n in range(8)]
    return Referee.of(begin("ninecard", NAMES[:2], None, options, [[*creatures, *fires]]))
