"""Games reported by a test to a referee of real cards, who knows only public information."""

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
    """Return the record of a random game, with its decks and options."""
    rng, dice = random.Random(seed), Dice(seed)
    decks = [deck_for(game, rng) for _ in range(find_game(game).decks_needed(players))]
    if options is None:  # Face-down cards are reported differently: test_referee.py.
        options = {name: value for name, value in options_for(game, rng).items() if name != "facedown"}
    setup = find_game(game).deal(NAMES[:players], decks, dice, options=options)
    player = RandomPlayer() if seed % 2 else GreedyPlayer()
    moves, _ = play_out(setup.start(), [player] * players, dice)
    return Record(setup, tuple(moves)), decks, options


def table_record(record, decks, options):
    """Return the record of the same game with real cards, with the cards on the table before the first move."""
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
    """Return the numbers of the cards that a move waits for: the revealed card, or a player's complete hand."""
    if record.setup.game == "grid":
        names = [record.setup.cards[len(referee.setup.cards)].name]
    else:
        names = [card.name for card in state.side.hand]
        for card in referee.cards.in_hand(referee.state):
            names.remove(card.name)
    deck = [card.name for card in referee.deck]
    return " ".join(str(deck.index(name) + 1) for name in names)


def final_referee(record, decks, options):
    """Report a game move by move; return the final referee. Every other face-down card stays hidden."""
    referee = Referee.of(table_record(record, decks, options))
    for number, ply in enumerate(record):
        is_hidden = ply.move.startswith("facedown ") and number % 2
        referee.move(f"facedown {UNKNOWN}" if is_hidden else ply.move)
        while referee.pending:
            referee.turn_up(cards_to_show(record, referee, ply.state))
    return referee


def at_table(game, *moves, names=("bastion", "cinder")):
    """Return the referee of a game of two after these moves, with factions or with the numbers in order."""
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
    """Return the referee of a game of ninecard in which all creatures are wolves and the other cards are fires."""
    creatures = [Card(id="", game="", name=f"Wolf {n}", zones={}, score=0, attack=2, defense=1) for n in range(8)]
    fires = [Card(id="", game="", name=f"Fire {n}", zones={}, score=0) for n in range(8)]
    return Referee.of(begin("ninecard", NAMES[:2], None, options, [[*creatures, *fires]]))
