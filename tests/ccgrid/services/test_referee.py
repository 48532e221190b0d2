"""Tests of the referee of games with real cards, which only gets public information from the players."""

import random

import pytest
from helpers.everyday import sampled, slow_except
from helpers.made_up import deck_for
from helpers.refereed_games import NAMES, at_table, cards_to_show, final_referee, random_game, table_record

from ccgrid.catalog.card import Card
from ccgrid.catalog.errors import CatalogError
from ccgrid.engine import schema
from ccgrid.engine.cards import UNKNOWN
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import GAMES
from ccgrid.engine.real_cards import find_real_cards
from ccgrid.engine.records.files import read_game, write_game
from ccgrid.engine.records.record import Record, read_document
from ccgrid.services.real_records import begin, is_refereed, with_decks
from ccgrid.services.records import read_unfinished
from ccgrid.services.referee import Referee
from ccgrid.services.tables import reopen
from ccgrid.view.games import meaning_lines


@pytest.mark.parametrize("seeds", [range(1), pytest.param(sampled(range(1, 6), 1, 2), marks=pytest.mark.slow)], ids=str)
@pytest.mark.parametrize("game", GAMES.having("referee"))
def test_entered_game_has_same_result_and_reads_back(game, seeds):
    for seed in seeds:
        record, decks, options = random_game(game, seed=seed)
        referee = final_referee(record, decks, options)
        entered = referee.session.record()
        final = record.final()
        assert referee.state.outcome() == final.outcome()
        assert entered.result == final.scores()
        reading = read_document(entered.to_document())
        assert reading.error is None
        assert reading.record.to_document() == entered.to_document()
        assert [ply.state.scores() for ply in entered] == [ply.state.scores() for ply in record]


@pytest.mark.parametrize(
    ("game", "players"),
    slow_except(
        [("grid", 4), ("ninecard", 3), ("tactics", 4), ("matrix", 3), ("matrix", 4)], ("grid", 4), ("matrix", 3)
    ),
)
def test_game_of_more_than_two_players_is_refereed(game, players):
    record, decks, options = random_game(game, players, seed=2)
    assert final_referee(record, decks, options).session.record().result == record.final().scores()


def test_variants_of_grid_are_refereed():
    options = {"komi": 5, "order": "1-2-2", "empty-pile": True, "turn": "clockwise"}
    for seed in range(4):
        record, decks, _ = random_game("grid", 3, seed, options)
        entered = final_referee(record, decks, options).session.record()
        assert entered.to_document()["setup"]["komi"] == 5
        assert entered.result == record.final().scores()
        assert len(entered.setup.cards) == 20


def test_referee_says_how_to_turn_the_capturing_card():
    sides = ["at the right", "at the bottom", "at the left"]
    record, decks, _ = random_game("grid", 2, 5, {"turn": "clockwise"})
    referee, turns_seen = Referee.of(table_record(record, decks, {"turn": "clockwise"})), []
    for ply in record:
        turns = ply.state.turns_on(ply.move[:2])
        side = "it is upright again" if turns == 3 else f"its top is now {sides[turns]}"
        heard = referee.hear(ply.move)
        name = ply.state.card_on(ply.move[:2]).name
        assert heard.instruction == f"On {ply.move[3:]}, turn {name} a quarter clockwise: {side}."
        assert heard.instruction in meaning_lines(referee.state, heard)
        if referee.pending:
            referee.hear(cards_to_show(record, referee, ply.state))
        turns_seen.append(turns)
    assert {0, 1} <= set(turns_seen)
    assert referee.state.turns == record.final().turns


def test_referee_turns_no_card_by_default():
    record, decks, _ = random_game("grid", 2, 5, {})
    referee = Referee.of(table_record(record, decks, {}))
    assert referee.hear(record.moves[0]).instruction == ""


def with_unknown_decks(record):
    """Return the document of a refereed game whose moves play cards that are unknown to the record."""
    table = record.setup.to_table()
    all_cards = {name: [*table["decks"][name], *table.get("pile", {}).get(name, ())] for name in record.setup.players}
    cards = {name: [card for card in deck if card != UNKNOWN] for name, deck in all_cards.items()}
    unknown = {name: [UNKNOWN] * len(deck) for name, deck in cards.items()}
    return record.to_document() | {"setup": {**table, "decks": unknown, "pile": cards}}


@pytest.mark.parametrize("game", ["tactics", "ninecard"])
def test_record_with_moves_beyond_known_cards_is_resumed(game, tmp_path):
    record, decks, options = random_game(game, seed=4, options={} if game == "tactics" else {"life": 8, "limit": 4})
    half = Record(record.setup, record.moves[:4])
    file = tmp_path / "half.toml"
    write_game(Record(final_referee(half, decks, options).setup, half.moves), file)
    document = with_unknown_decks(read_game(file))
    file.write_text(schema.to_toml(document), encoding="utf-8")
    reading = read_document(document)
    assert reading.error.where.startswith("moves[0]")
    referee = Referee.of(read_unfinished(file, None, None, is_refereed))
    assert referee.session.moves == list(half.moves)
    assert referee.state.scores() == half.final().scores()
    referee.move(record.moves[4])


def test_grid_record_without_pile_is_resumed_with_its_deck():
    record, decks, _ = random_game("grid", seed=6, options={})
    known = record.setup.first_known(10)
    without_pile = Record(type(known)(known.players, known.first, known.cards), record.moves[:1])
    with pytest.raises(CatalogError, match="ccgrid table DECK --load RECORD"):
        Referee.of(without_pile)
    referee = Referee.of(with_decks(without_pile, decks))
    assert len(referee.unseen) == 10
    assert referee.state.taken == record.setup.start().play_unchecked(record.moves[0]).taken
    other_deck = [deck_for("grid", random.Random(99))]
    with pytest.raises(EngineError, match="is on the table but not in the deck"):
        with_decks(without_pile, other_deck)


@pytest.mark.parametrize("game", ["tactics", "ninecard"])
def test_record_without_remaining_cards_needs_decks(game):
    record, decks, options = random_game(game, seed=4, options={} if game == "tactics" else {"life": 8, "limit": 4})
    document = final_referee(Record(record.setup, record.moves[:4]), decks, options).session.record().to_document()
    document["setup"].pop("pile")
    without_remaining = read_document(document).require()
    assert not is_refereed(without_remaining)
    referee = Referee.of(with_decks(without_remaining, decks))
    referee.move(record.moves[4])
    with pytest.raises(EngineError, match=r"is not in the deck|cards, not"):
        with_decks(without_remaining, [deck_for(game, random.Random(50 + seat)) for seat in range(2)])


@pytest.mark.parametrize("game", ["tactics", "ninecard"])
def test_computer_player_continues_with_cards_from_shuffled_piles(game):
    record, decks, options = random_game(game, seed=3, options={} if game == "tactics" else {"life": 8, "limit": 4})
    entered = final_referee(Record(record.setup, record.moves[:2]), decks, options).session.record()
    session = reopen(entered, 1)
    assert session.moves == list(record.moves[:2])
    assert UNKNOWN not in str(session.setup.to_table())
    for seat, deck in enumerate(session.setup.decks):
        assert sorted(card.name for card in deck) == sorted(card.name for card in record.setup.decks[seat])


def test_pending_move_is_noted_and_resumed():
    record, decks, options = random_game("grid", seed=6, options={})
    referee = Referee.of(table_record(record, decks, options))
    referee.move(record.moves[0])
    noted = referee.session.record()
    assert noted.notes["pending"] == [record.moves[0]]
    assert read_document(noted.to_document()).error is None
    again = Referee.of(noted)
    assert again.pending == (record.moves[0],)
    again.turn_up(cards_to_show(record, again, None))
    assert again.session.moves == [record.moves[0]]
    assert "pending" not in again.session.record().notes
    invalid = Record(noted.setup, notes={**noted.notes, "pending": ["call Bob"]})
    assert Referee.of(invalid).pending == ()


def test_game_without_referee_lists_games_with_one(monkeypatch):
    monkeypatch.setattr(type(GAMES[0]), "part", lambda game, name: None)
    with pytest.raises(EngineError, match="grid has no referee: there is one for grid, ninecard, tactics, matrix"):
        find_real_cards("grid")


# --- Hints, hands and piles -----------------------------------------------------------------------------------------


def test_hint_needs_hand_and_does_not_store_it():
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


@pytest.mark.parametrize(
    ("game", "players"), slow_except([("matrix", 3), ("tactics", 4), ("ninecard", 3)], ("ninecard", 3))
)
def test_hint_for_three_players_uses_own_hand(game, players):
    record, decks, options = random_game(game, players, seed=2)
    referee = final_referee(Record(record.setup, record.moves[:3]), decks, options)
    state = Record(record.setup, record.moves[:3]).final()
    names = [card.name for card in referee.deck]
    hand_cards = {
        "matrix": lambda: [*state.hands[state.to_move]],
        "tactics": lambda: [card.name for card in state.hand(state.to_move)],
        "ninecard": lambda: [card.name for card in state.side.hand],
    }[game]()
    thought, view = referee.hint(" ".join(str(names.index(name) + 1) for name in hand_cards))
    assert view.legal_moves() == state.legal_moves()
    assert {estimate.move for estimate in thought.moves} == set(state.legal_moves())


def test_hint_of_grid_takes_no_hand():
    record, decks, options = random_game("grid", 2, 1)
    referee = Referee.of(table_record(record, decks, options))
    with pytest.raises(EngineError, match="In grid no player has a hand: type just hint"):
        referee.hint(referee.cards.unseen(referee.setup, 0)[0].name)


def test_hint_in_matrix_infers_other_hand():
    referee = at_table("matrix", "north b", "south a")
    with pytest.raises(EngineError, match='"Ann" holds 9 cards: name all of them'):
        referee.hint("corners, edges")
    hand = "corners, edges, 1, 3, 5, shift-west, swap-even, swap-odd, 9"
    view = referee.view_with_hand(hand)
    assert all(None not in hand_cards for hand_cards in view.hands)
    assert [len(hand_cards) for hand_cards in view.hands] == [9, 9]


def test_face_down_card_stays_hidden_until_revealed_creature_saves_player():
    deck = [Card(id="", game="", name=f"Wolf {n}", zones={}, score=0, attack=1, defense=1) for n in range(12)]
    referee = Referee.of(begin("ninecard", NAMES[:2], None, {"facedown": True}, [deck]))
    referee.move("facedown")
    referee.move("assault bob")
    referee.move("end")
    assert referee.pending == ("end",)
    assert '"Ann" has an empty grid' in referee.cards.why(referee.state, "end")
    [shown_card] = referee.turn_up("wolf 3")  # one energy is in play, and the creature costs two
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


def test_whole_hand_is_accepted_if_some_of_its_cards_are_known():
    deck = [Card(id="", game="", name=f"Wolf {n}", zones={}, score=0, attack=9, defense=9) for n in range(12)]
    referee = Referee.of(begin("ninecard", NAMES[:2], None, {"facedown": True}, [deck]))
    for move in ("facedown", "assault bob", "end"):
        referee.move(move)
    assert len(referee.state.side.hand) == 5
    assert referee.turn_up("wolf 3, wolf 5") == tuple(referee.deck[n] for n in (3, 5))
    assert referee.pending == ("end",)
    with pytest.raises(CatalogError, match="known already"):
        referee.turn_up("wolf 5, wolf 3")
    with pytest.raises(CatalogError, match="5 are wanted"):
        referee.turn_up("wolf 1, wolf 2, wolf 3, wolf 4, wolf 5, wolf 6")
    assert [card.name for card in referee.turn_up("wolf 1, wolf 3, wolf 5, wolf 7, wolf 8")] == [
        "Wolf 1",
        "Wolf 7",
        "Wolf 8",
    ]
    assert referee.pending == ()


def test_advice_takes_hand_missing_in_record(shell):
    file = shell.folder / "half.toml"
    write_game(at_table("tactics", "gate b2", "kiln a1").session.record(), file)
    shell("advise", file, "--think", "0.1").fails("The hand of the player to move is not known")
    shell("analyze", file).fails("lacks cards that players held")
    found = shell.good("advise", file, "--think", "0.1", "--hand", "moat, rook, 4", "--json").json
    assert found["player"] == "Ann"
    assert {estimate["move"].rpartition("@")[0] for estimate in found["moves"]} == {
        "Moat Keeper",
        "Bell Rook",
        "Portcullis Hand",
    }
    assert (
        shell.good("advise", file, "--after", "1", "--think", "0.1", "--hand", "1 2 3", "--json").json["player"]
        == "Bob"
    )
    shell("advise", file, "--hand", "moat").fails("holds 3 cards: name all of them")


def test_piles_must_match_decks():
    document = at_table("tactics", "gate b2").session.record().to_document()
    pile = document["setup"]["pile"]
    for wrong, message in (
        ({**pile, "Cid": []}, "setup.pile.Cid: is not one of the players"),
        ({**pile, "Ann": pile["Ann"][1:]}, 'setup.pile.Ann: must be the 17 cards that are "?" in decks, not 16'),
        ({**pile, "Ann": ["?", *pile["Ann"][1:]]}, "setup.pile.Ann[0]: must be a card, not just a place"),
    ):
        assert str(read_document({**document, "setup": {**document["setup"], "pile": wrong}}).error) == message
    incomplete = {**document, "setup": {**document["setup"], "pile": {"Bob": pile["Bob"]}}}
    assert read_document(incomplete).require().to_document()["setup"]["pile"] == {"Bob": pile["Bob"]}
