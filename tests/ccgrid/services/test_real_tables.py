"""Tests of tables with real cards whose moves are entered in a browser: every step is saved."""

from pathlib import Path

import pytest
from helpers.refereed_games import NAMES, cards_to_show, random_game

from ccgrid.catalog.errors import CatalogError
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import GAMES
from ccgrid.engine.records.record import read_document
from ccgrid.services.real_records import begin
from ccgrid.services.real_tables import RealTable
from ccgrid.services.requests import GameRequest
from ccgrid.services.shared_tables import SharedTables

every_game = pytest.mark.parametrize("game", GAMES.having("referee"))


def reload(folder: Path) -> RealTable:
    messages: list[str] = []
    (table,) = SharedTables(folder, lambda: 1, messages.append)
    assert messages == []
    assert isinstance(table, RealTable)
    return table


def open_real_table(folder: Path, game: str, seed: int = 1):
    """Return a table for a random game, with the cards on the table entered, and the record of the game."""
    options_of_short_game = {"life": 8, "limit": 4} if game == "ninecard" else None
    record, decks, options = random_game(game, seed=seed, options=options_of_short_game)
    setup = record.setup
    first = None if setup.first is None else setup.players[setup.first]
    table = RealTable(1, folder / "1.json", begin(game, setup.players, first, options, decks))
    if game == "grid":
        for card in setup.cards[: setup.start().turned_up]:
            table.hear(str([one.name for one in table.deck].index(card.name) + 1), table.turn)
    if game == "matrix":
        table.hear(" ".join(map(str, setup.board[:4])), table.turn)
        table = reload(folder)
        table.hear(" ".join(map(str, setup.board[4:])), table.turn)
    return table, record


def enter_move(table: RealTable, record, ply) -> None:
    table.hear(ply.move, table.turn)
    while table.referee.pending:
        table.hear(cards_to_show(record, table.referee, ply.state), table.turn)


@every_game
def test_entered_game_can_be_resumed_after_every_step(game: str, tmp_path: Path):
    table, record = open_real_table(tmp_path, game)
    for number, ply in enumerate(record):
        enter_move(table, record, ply)
        if number < 12 or number % 10 == 0:
            again = reload(tmp_path)
            assert (again.turn, again.referee.moves) == (table.turn, table.referee.moves)
            assert again.referee.state == table.referee.state
            table = again
    final = record.final()
    assert table.referee.state.outcome() == final.outcome()
    assert table.finished[-1].result == final.scores()
    assert read_document(table.finished[-1].to_document()).error is None


@every_game
def test_last_input_is_undone_and_finished_game_is_followed_by_another(game: str, tmp_path: Path):
    table, record = open_real_table(tmp_path, game)
    ply = next(iter(record))
    before = table.referee.state
    enter_move(table, record, ply)
    table.undo(table.turn)
    assert table.referee.state == before
    enter_move(table, record, ply)
    with pytest.raises(EngineError, match="is not over"):
        table.play_again()
    table.resign(table.turn)
    assert reload(tmp_path).is_over
    table.undo(table.turn)
    assert not reload(tmp_path).is_over
    starts = table.beginning.setup.first
    table.resign(table.turn)
    table.play_again()
    again = reload(tmp_path)
    assert (len(again.games), again.is_over) == (1, False)
    assert again.beginning.setup.first == (None if starts is None else 1 - starts)
    assert again.players == NAMES[:2]
    assert {card.name for card in again.unseen} == {card.name for card in table.unseen}


def test_pending_card_is_saved_and_first_cards_are_undone_singly(tmp_path: Path):
    table, record = open_real_table(tmp_path, "grid")
    first = next(iter(record))
    table.hear(first.move, table.turn)
    again = reload(tmp_path)
    assert again.question == table.question == f"Card turned up for {first.move[:2]}"
    again.undo(again.turn)
    assert again.question == ""
    name = table.laid_out[0]
    table = RealTable(1, tmp_path / "1.json", again.beginning)
    assert table.question == "What is on a1"
    table.hear(str([one.name for one in table.deck].index(name) + 1), table.turn)
    assert [card.name for card in reload(tmp_path).cards_on_table] == [name]
    table.undo(table.turn)
    assert reload(tmp_path).laid_out == []
    with pytest.raises(EngineError, match="nothing to undo"):
        table.undo(table.turn)


def test_file_with_former_key_of_cards_is_read(tmp_path: Path):
    table, record = open_real_table(tmp_path, "grid")
    enter_move(table, record, next(iter(record)))
    text = table.path.read_text()
    table.path.write_text(text.replace('"laid_out": ', '"told": '))
    again = reload(tmp_path)
    assert again.laid_out == table.laid_out != []
    again.save()
    assert again.path.read_text() == text


def test_illegal_or_outdated_input_changes_nothing(tmp_path: Path):
    table, record = open_real_table(tmp_path, "grid")
    turn, legal = table.turn, table.referee.state.legal_moves()
    with pytest.raises(EngineError):
        table.hear("a1xa1", turn)
    with pytest.raises(EngineError, match="moved on"):
        table.hear(legal[0], "0.0.0.0")
    with pytest.raises(EngineError, match="too many"):
        table.hear("x" * 5000, turn)
    assert table.turn == turn
    enter_move(table, record, next(iter(record)))
    (move,) = table.referee.session.moves
    assert "The last move is" in table.hear(f"that was {legal[-1]}", table.turn).corrected or move == legal[-1]


def test_tables_of_programs_and_damaged_files_are_rejected(tmp_path: Path):
    tables = SharedTables(tmp_path, lambda: 1, lambda line: None)
    with pytest.raises(EngineError, match="computer player"):
        tables.open_real(GameRequest(game="matrix", players=("cmd:true", "Ann")))
    with pytest.raises(CatalogError, match="real tables are for people"):
        tables.open_real(GameRequest(game="matrix", players=("fair", "Ann")))
    tables.open_real(GameRequest(game="matrix", players=("Ann", "Bob")))
    file = tmp_path / "1.json"
    file.write_text(file.read_text().replace('"laid_out": []', '"laid_out": ["99"]'))
    messages: list[str] = []
    assert list(SharedTables(tmp_path, lambda: 1, messages.append)) == []
    assert len(messages) == 1
