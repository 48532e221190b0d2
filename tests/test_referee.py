"""A referee of real cards: told nothing but what everybody sees, it comes to the games that were played."""

import random

import pytest
from made_up import deck_for, options_for

from catalog.card import Card, CatalogError
from ccgrid.services.real_tables import begin, is_refereed, with_decks
from ccgrid.services.records import read_begun
from ccgrid.services.referee import Referee
from ccgrid.services.tables import reopened
from engine import codecs
from engine.cards import UNKNOWN
from engine.dice import Dice
from engine.errors import EngineError
from engine.games import find_game
from engine.games.ninecard.cards import Creature, Energy
from engine.games.tactics.factions import find_faction
from engine.players import GreedyPlayer, RandomPlayer
from engine.real_cards import REAL_CARDS, find_real_cards
from engine.record import Record, read_document
from engine.record_files import read_game, write_game
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


@pytest.mark.parametrize(
    ("game", "players"), [("grid", 4), ("ninecard", 3), ("tactics", 4), ("matrix", 3), ("matrix", 4)]
)
def test_more_than_two_people_are_refereed(game, players):
    record, decks, options = played(game, players, seed=2)
    assert refereed(record, decks, options).session.record().result == record.final().scores()


def test_the_variants_of_grid_are_played_at_the_table():
    options = {"komi": 5, "order": "1-2-2", "empty-pile": True}
    for seed in range(4):
        record, decks, _ = played("grid", 3, seed, options)
        told = refereed(record, decks, options).session.record()
        assert told.to_document()["setup"]["komi"] == 5
        assert told.result == record.final().scores()
        assert len(told.setup.cards) == 20


def without_answers(record):
    """The document of a game at a table in which nothing is known of the cards: the moves go beyond them."""
    table = record.setup.to_table()
    every = {name: [*table["decks"][name], *table.get("pile", {}).get(name, ())] for name in record.setup.players}
    cards = {name: [card for card in deck if card != UNKNOWN] for name, deck in every.items()}
    unknown = {name: [UNKNOWN] * len(deck) for name, deck in cards.items()}
    return record.to_document() | {"setup": {**table, "decks": unknown, "pile": cards}}


@pytest.mark.parametrize("game", ["tactics", "ninecard"])
def test_a_record_whose_moves_go_beyond_the_known_cards_is_taken_up(game, tmp_path):
    record, decks, options = played(game, seed=4, options={} if game == "tactics" else {"life": 8, "limit": 4})
    half = Record(record.setup, record.moves[:4])
    file = tmp_path / "half.toml"
    write_game(Record(refereed(half, decks, options).setup, half.moves), file)
    document = without_answers(read_game(file))
    file.write_text(codecs.to_toml(document), encoding="utf-8")
    reading = read_document(document)
    assert reading.error.where.startswith("moves[0]")
    referee = Referee.of(read_begun(file, None, None, is_refereed))
    assert referee.session.moves == list(half.moves)
    assert referee.state.scores() == half.final().scores()
    referee.move(record.moves[4])


def test_a_grid_record_without_its_pile_is_gone_on_with_when_the_deck_is_named():
    record, decks, _ = played("grid", seed=6, options={})
    known = record.setup.first_known(10)
    bare = Record(type(known)(known.players, known.first, known.cards), record.moves[:1])
    with pytest.raises(CatalogError, match="ccgrid table DECK --load RECORD"):
        Referee.of(bare)
    referee = Referee.of(with_decks(bare, decks))
    assert len(referee.unseen) == 10
    assert referee.state.taken == record.setup.start().play_unchecked(record.moves[0]).taken
    strange = [deck_for("grid", random.Random(99))]
    with pytest.raises(EngineError, match="lies on the table, and is not in the deck"):
        with_decks(bare, strange)


@pytest.mark.parametrize("game", ["tactics", "ninecard"])
def test_decks_are_named_for_a_record_that_does_not_say_what_is_left(game):
    record, decks, options = played(game, seed=4, options={} if game == "tactics" else {"life": 8, "limit": 4})
    document = refereed(Record(record.setup, record.moves[:4]), decks, options).session.record().to_document()
    document["setup"].pop("pile")
    bare = read_document(document).require()
    assert not is_refereed(bare)
    referee = Referee.of(with_decks(bare, decks))
    referee.move(record.moves[4])
    with pytest.raises(EngineError, match=r"is not in the deck|cards, not"):
        with_decks(bare, [deck_for(game, random.Random(50 + seat)) for seat in range(2)])


@pytest.mark.parametrize("game", ["tactics", "ninecard"])
def test_a_computer_player_goes_on_with_cards_dealt_out_of_the_piles(game):
    record, decks, options = played(game, seed=3, options={} if game == "tactics" else {"life": 8, "limit": 4})
    told = refereed(Record(record.setup, record.moves[:2]), decks, options).session.record()
    session = reopened(told, 1)
    assert session.moves == list(record.moves[:2])
    assert UNKNOWN not in str(session.setup.to_table())
    for seat, deck in enumerate(session.setup.decks):
        assert sorted(card.name for card in deck) == sorted(card.name for card in record.setup.decks[seat])


def test_a_move_that_waits_for_its_card_is_noted_and_gone_on_with():
    record, decks, options = played("grid", seed=6, options={})
    referee = Referee.of(begun(record, decks, options))
    referee.move(record.moves[0])
    noted = referee.session.record()
    assert noted.notes["pending"] == [record.moves[0]]
    assert read_document(noted.to_document()).error is None
    again = Referee.of(noted)
    assert again.pending == (record.moves[0],)
    again.turn_up(shown(record, again, None))
    assert again.session.moves == [record.moves[0]]
    assert "pending" not in again.session.record().notes
    strange = Record(noted.setup, notes={**noted.notes, "pending": ["call Bob"]})
    assert Referee.of(strange).pending == ()


def test_a_game_without_a_referee_says_which_have_one():
    with pytest.raises(EngineError, match="ladder has no referee: there is one for grid, ninecard, tactics, matrix"):
        find_real_cards("ladder")


# --- what was said wrong ------------------------------------------------------------------------------------------


def at_table(game, *moves, names=("bastion", "cinder")):
    """A game of two with these moves told, of factions or of the numbers in order."""
    decks = [find_faction(name).cards for name in names] if game == "tactics" else []
    record = begin(game, NAMES[:2], None, {}, decks)
    setup = record.setup
    if game == "matrix":
        cards = find_real_cards(game)
        for number in range(9):
            setup = cards.told(setup, None, cards.deck(setup, 0)[number])
    referee = Referee.of(Record(setup, notes=record.notes))
    for move in moves:
        referee.move(move)
    return referee


def test_corrections_of_matrix_put_the_board_the_last_move_and_an_earlier_card_right():
    referee = at_table("matrix", "north b", "corners a1 c3")
    assert referee.correct("that was c1 not c3") == "The last move is switch-corners a1 c1, not switch-corners a1 c3."
    assert referee.correct("no, that was south not north") == "shift-south, not shift-north."
    assert referee.session.moves == ["shift-south b", "switch-corners a1 c1"]
    before = referee.state.number_on("b2")
    referee.correct("b2 is 9")
    assert referee.state.number_on("b2") == 9
    assert before in referee.setup.board
    with pytest.raises(EngineError, match="rotate-clockwise b is not a move"):
        referee.correct("that was rotate-clockwise not shift-south")
    assert referee.correct("that was ccw") == "The last move is rotate-counterclockwise, not switch-corners a1 c1."
    assert referee.correct("what was that") is None


def test_a_correction_of_tactics_after_which_a_move_is_impossible_changes_nothing():
    referee = at_table("tactics", "gate b2", "kiln a1", "moat b1")
    record = referee.session.record()
    with pytest.raises(EngineError, match=r"Move 3 would be against the rules\. .*a1 is taken"):
        referee.correct("that was a1 not b1")
    with pytest.raises(CatalogError, match='"Gate Warden" was seen before'):
        referee.correct("b1 is gate")
    assert referee.session.record() == record


def test_who_plays_a_card_may_call_it_by_its_number_misspelt_or_shortly_and_not_twice():
    referee = at_table("tactics", "1 b2")
    assert referee.session.moves == ["Gate Warden@b2"]
    assert referee.move("kiln snger a1") == "Kiln Singer@a1"
    with pytest.raises(CatalogError, match='"Gate Warden" was seen before'):
        referee.move("gate warden c3")


def wolves(**options):
    """A game of ninecard in which all creatures are wolves of 1/1 and the other cards fires; the first is told."""
    creatures = [Card(id="", game="", name=f"Wolf {n}", zones={}, score=0, attack=2, defense=1) for n in range(8)]
    fires = [Card(id="", game="", name=f"Fire {n}", zones={}, score=0) for n in range(8)]
    return Referee.of(begin("ninecard", NAMES[:2], None, options, [[*creatures, *fires]]))


def test_corrections_of_ninecard_put_columns_cells_and_cards_right():
    referee = wolves()
    for move in ("energy fire 1", "energy fire 2", "energy fire 3", "wolf 0 a"):
        referee.move(move)
    assert referee.correct("that was b not a") == "The last move is play Wolf 0 b, not play Wolf 0 a."
    assert referee.correct("b1 is wolf 5") == "Wolf 5, not Wolf 0."
    assert referee.correct("no, that was fire 6 not fire 2") == "Fire 6, not Fire 2."
    assert referee.session.moves == ["energy Fire 1", "energy Fire 6", "energy Fire 3", "play Wolf 5 b"]
    assert referee.move("e 13") == "energy Fire 4"  # by its number in the deck
    referee.undo()
    assert referee.correct("that was energy fire 7") == "The last move is energy Fire 7, not play Wolf 5 b."
    assert referee.undo() == "Took energy Fire 7 back."
    assert sum(isinstance(card, Creature | Energy) for card in referee.setup.decks[0]) == 3
    with pytest.raises(EngineError, match=r"There is no card on b1\."):
        referee.correct("b1 is wolf 5")


def test_the_forecast_says_what_every_attack_would_come_to():
    referee = wolves(life=3)
    for number in range(3):
        referee.move(f"energy fire {number}")
    referee.move("wolf 0 a")
    assert plain(referee.cards.forecast(referee.state, "")) == ["Bob: life 3 to 1", "  a1: Wolf 0 takes 2 life"]
    for move in ("assault bob", "end", "energy fire 4", "energy fire 5", "energy fire 6", "wolf 1 a", "assault ann"):
        referee.move(move)
    assert plain(referee.cards.forecast(referee.state, "a")) == [
        "Ann: life stays 3",
        "  a1: Wolf 1 kills Wolf 0, dies",
    ]
    with pytest.raises(EngineError, match='"cid" cannot be assaulted now'):
        referee.cards.forecast(referee.state, "cid")
    with pytest.raises(EngineError, match="nothing to forecast in tactics"):
        at_table("tactics").cards.forecast(None, "")


def plain(lines):
    return ["".join(part if isinstance(part, str) else part.text for part in words) for words in lines]


# --- hands that stay hidden ---------------------------------------------------------------------------------------


def test_a_hint_needs_the_hand_of_who_asks_and_leaves_no_trace_of_it():
    referee = at_table("tactics", "gate b2")
    before = referee.session.record()
    with pytest.raises(EngineError, match='What "Bob" holds is not known'):
        referee.hint("")
    with pytest.raises(EngineError, match='"Bob" holds 3 cards: name all of them'):
        referee.hint("1, 2")
    thought, view = referee.hint("1 2 3")
    names = {card.name for card in referee.deck[:3]}
    assert {estimate.move.rpartition("@")[0] for estimate in thought.moves} == names
    assert thought.best.move in view.legal_moves()
    assert referee.session.record() == before


@pytest.mark.parametrize(("game", "players"), [("matrix", 3), ("tactics", 4), ("ninecard", 3)])
def test_among_more_than_two_who_asks_is_told_what_the_own_cards_can_do(game, players):
    record, decks, options = played(game, players, seed=2)
    referee = refereed(Record(record.setup, record.moves[:3]), decks, options)
    state = Record(record.setup, record.moves[:3]).final()
    names = [card.name for card in referee.deck]
    held = {
        "matrix": lambda: [*state.hands[state.to_move]],
        "tactics": lambda: [card.name for card in state.hand(state.to_move)],
        "ninecard": lambda: [card.name for card in state.side.hand],
    }[game]()
    thought, view = referee.hint(" ".join(str(names.index(name) + 1) for name in held))
    assert view.legal_moves() == state.legal_moves()
    assert {estimate.move for estimate in thought.moves} == set(state.legal_moves())


def test_of_two_hands_of_matrix_one_tells_the_other_to_who_asks():
    referee = at_table("matrix", "north b", "south a")
    hand = "corners, edges, 1, 3, 5, shift-west, swap-even, swap-odd, 9"
    view = referee.seen_holding(hand)
    assert all(None not in held for held in view.hands)
    assert [len(held) for held in view.hands] == [9, 9]


def test_a_card_laid_face_down_stays_hidden_and_the_creature_that_is_shown_saves_its_player():
    deck = [Card(id="", game="", name=f"Wolf {n}", zones={}, score=0, attack=1, defense=1) for n in range(12)]
    referee = Referee.of(begin("ninecard", NAMES[:2], None, {"facedown": True}, [deck]))
    referee.move("facedown")
    referee.move("assault bob")
    referee.move("end")
    assert referee.pending == ("end",)
    assert '"Ann" has an empty grid' in referee.cards.why(referee.state, "end")
    [shown_card] = referee.turn_up("wolf 3")  # one energy is laid, and a creature costs two
    assert referee.pending == ("end",)
    referee.turn_up("wolf 4")
    assert referee.pending == ()
    assert referee.state.players[referee.state.to_move] == "Bob"
    record = referee.session.record()
    assert record.moves[0] == f"facedown {UNKNOWN}"
    assert read_document(record.to_document()).error is None
    again = Referee.of(read_document(record.to_document()).require())
    assert again.state == referee.state
    assert shown_card.name in str(record.to_document()["setup"]["decks"]["Ann"])


def test_advice_on_a_game_at_a_table_takes_the_hand_that_the_record_does_not_know(shell):
    file = shell.folder / "half.toml"
    write_game(at_table("tactics", "gate b2", "kiln a1").session.record(), file)
    shell("advise", file, "--think", "0.1").refused("What the player to move holds is not known")
    shell("analyze", file).refused("does not know all that the players held")
    found = shell.good("advise", file, "--think", "0.1", "--hand", "moat, rook, 4", "--json").json
    assert found["player"] == "Ann"
    assert {one["move"].rpartition("@")[0] for one in found["moves"]} == {"Moat Keeper", "Bell Rook", "Portcullis Hand"}
    assert (
        shell.good("advise", file, "--after", "1", "--think", "0.1", "--hand", "1 2 3", "--json").json["player"]
        == "Bob"
    )
    shell("advise", file, "--hand", "moat").refused("holds 3 cards: name all of them")


def test_piles_are_checked_against_the_decks():
    document = at_table("tactics", "gate b2").session.record().to_document()
    pile = document["setup"]["pile"]
    for wrong, message in (
        ({**pile, "Cid": []}, "setup.pile.Cid: is not one of the players"),
        ({**pile, "Ann": pile["Ann"][1:]}, 'setup.pile.Ann: must be the 17 cards that are "?" in decks, not 16'),
        ({**pile, "Ann": ["?", *pile["Ann"][1:]]}, "setup.pile.Ann[0]: must be a card: its place alone is not known"),
    ):
        assert str(read_document({**document, "setup": {**document["setup"], "pile": wrong}}).error) == message
    alone = {**document, "setup": {**document["setup"], "pile": {"Bob": pile["Bob"]}}}
    assert read_document(alone).require().to_document()["setup"]["pile"] == {"Bob": pile["Bob"]}
