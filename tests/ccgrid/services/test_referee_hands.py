"""A referee of real cards: hands stay with the people, and who asks for a hint names the own one."""

import pytest
from helpers.refereed_games import NAMES, at_table, played, refereed

from ccgrid.catalog.card import Card
from ccgrid.engine.cards import UNKNOWN
from ccgrid.engine.errors import EngineError
from ccgrid.engine.records.files import write_game
from ccgrid.engine.records.record import Record, read_document
from ccgrid.services.referee import Referee
from ccgrid.services.tables import begin


def test_a_hint_needs_the_hand_of_who_asks_and_leaves_no_trace_of_it():
    referee = at_table("tactics", "gate b2")
    before = referee.session.record()
    with pytest.raises(EngineError, match='The hand of "Bob" is not known'):
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
    shell("advise", file, "--think", "0.1").refused("The hand of the player to move is not known")
    shell("analyze", file).refused("lacks cards that players held")
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
        ({**pile, "Ann": ["?", *pile["Ann"][1:]]}, "setup.pile.Ann[0]: must be a card, not just a place"),
    ):
        assert str(read_document({**document, "setup": {**document["setup"], "pile": wrong}}).error) == message
    alone = {**document, "setup": {**document["setup"], "pile": {"Bob": pile["Bob"]}}}
    assert read_document(alone).require().to_document()["setup"]["pile"] == {"Bob": pile["Bob"]}
