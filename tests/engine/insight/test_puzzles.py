"""Tests of puzzles: their unique best move, answers at the keyboard, daily puzzles, and exported files."""

import random
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from helpers import naive_grid, naive_matrix, naive_search, naive_tactics
from helpers.catalogues import Shell, rows
from helpers.forked_program import at_terminal
from helpers.made_up import sparse_card

from ccgrid.catalog.card import Card
from ccgrid.catalog.collection.edit import add_copies, copy_key
from ccgrid.catalog.collection.typed_cards import find_card
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.cards import zone_card
from ccgrid.engine.deck_sources import DifferentDecks, FixedDecks, RandomDecks
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import find_game, ready_decks
from ccgrid.engine.insight import puzzles
from ccgrid.engine.insight.puzzles import MOST_GAMES, NOTE, Puzzle, find_puzzles
from ccgrid.engine.players import GreedyPlayer, StrongPlayer, choose_move
from ccgrid.engine.records.files import read_game, read_games
from ccgrid.engine.search import solve

RULES = {"grid": naive_grid, "matrix": naive_matrix, "tactics": naive_tactics}


def source(game: str):
    """Return sparse cards for grid, the factions for tactics, and no decks for matrix."""
    if game == "grid":
        rng = random.Random(5)
        return RandomDecks(tuple(sparse_card(rng, number) for number in range(60)), 20)
    if game == "tactics":
        return DifferentDecks(tuple(deck.cards for deck in ready_decks()["tactics"].bundled()), 2)
    return FixedDecks(())


def search_puzzles(game: str, count: int, seed: int) -> list[Puzzle]:
    """Return the first puzzles of a search."""
    return list(islice(find_puzzles(game, source(game), seed), count))


@cache
def some_puzzles(game: str) -> list[Puzzle]:
    """Return cached puzzles of a game."""
    # Many puzzles of grid are too long for exhaustive play.
    return search_puzzles(game, 8 if game == "grid" else 5, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("game", RULES)
def test_puzzle_has_unique_best_move_by_exhaustive_play(game):
    rules, checked = RULES[game], 0
    for puzzle in some_puzzles(game):
        plain = rules.start_of(puzzle.record.setup)
        for move in puzzle.record.moves:
            plain = rules.play(plain, move)
        if naive_search.size(rules, plain, 3_000) > 3_000:
            continue
        values = naive_search.values_of_moves(rules, plain)
        assert {one.move: one.value for one in puzzle.thought.moves} == values
        assert [move for move, value in values.items() if value == max(values.values())] == [puzzle.best]
        checked += 1
    assert checked >= 2


@pytest.mark.slow
@pytest.mark.parametrize("game", RULES)
def test_puzzle_line_achieves_value(game):
    for puzzle in some_puzzles(game):
        state = puzzle.state
        seat = state.to_move
        assert puzzle.line[0] == puzzle.best
        for move in puzzle.line:
            assert move in state.legal_moves()
            state = state.play_unchecked(move)
        assert state.ending() is not None
        assert state.scores()[seat] - state.scores()[1 - seat] == puzzle.thought.best.value


@pytest.mark.slow
@pytest.mark.parametrize("game", RULES)
def test_puzzles_depend_on_seed(game):
    assert search_puzzles(game, 2, seed=3) == some_puzzles(game)[:2]
    assert search_puzzles(game, 1, seed=4) != some_puzzles(game)[:1]


@pytest.mark.slow
def test_miss_rates_equal_actual_play():
    for puzzle in some_puzzles("grid")[:5]:
        state, (greedy, strong) = puzzle.state, puzzle.missed
        assert (greedy.player, strong.player) == ("greedy", "strong:100")
        assert 2 * greedy.times >= greedy.tries
        assert puzzle.rating == (greedy.share + strong.share) / 2
        for player, missed in ((GreedyPlayer(), greedy), (StrongPlayer(100), strong)):
            hits = {choose_move(player, state, Dice(seed)) == puzzle.best for seed in range(200 // missed.tries)}
            assert (hits == {False}) <= (missed.times == missed.tries)
            assert (hits == {True}) <= (missed.times == 0)


def test_missing_puzzles_are_reported_without_choices():
    card = zone_card(Card(id="dusk:1", game="dusk", name="Ward", zones=dict.fromkeys(ZONES, 5), score=40))
    with pytest.raises(EngineError, match=f"No puzzle found in {MOST_GAMES} games"):
        next(find_puzzles("grid", FixedDecks(((card,) * 20,)), 1))


def test_game_without_provable_puzzles_is_reported(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(puzzles, "MOST_GAMES", 2)
    result = shell("puzzle", "ninecard", "--seed", "1")
    assert result.status == 3
    assert "Error: No puzzle found in 2 games. Try other decks, more cards or another game.\n" in result.err


def test_game_not_for_two_players_has_no_puzzles(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(type(find_game("matrix")), "player_counts", (3, 4))
    shell("puzzle", "matrix").misuses("no puzzles for matrix, because it is not for two players")
    with pytest.raises(EngineError, match="no puzzles for matrix"):
        next(find_puzzles("matrix", FixedDecks(()), 1))


# --- answers at the keyboard ----------------------------------------------------------------------------------------


@pytest.fixture
def answer_puzzle(shell: Shell):
    """A puzzle of matrix as JSON, and a function that types lines at it and returns the output."""
    puzzle = shell.good("puzzle", "matrix", "--seed", "7", "--json").json

    def answer(*lines: str) -> str:
        return shell.good("puzzle", "matrix", "--seed", "7", typed="".join(f"{line}\n" for line in lines)).out

    return puzzle, answer


def test_correct_answer_is_confirmed_and_explained(answer_puzzle):
    puzzle, answer = answer_puzzle
    output = answer(puzzle["best"])
    assert f"Right. {puzzle['best']}: 4 points ahead in the end, proved." in output
    assert "Missed by greedy 10 of 10 times, by strong:100 0 of 5 times." in output
    assert "best, yours" in output
    assert output.count("\nAfter ") == 1
    assert puzzle["best"] not in output.partition("is to move")[0]


def test_wrong_answer_is_refuted_with_loss_and_line(answer_puzzle):
    puzzle, answer = answer_puzzle
    wrong = puzzle["moves"][-1]
    output = answer("nonsense", "999", "", wrong["move"])
    assert '"nonsense": not a move' in output
    assert "Type help" in output
    lost = puzzle["value"] - wrong["value"]
    assert f"Not the best: {wrong['move']} loses {lost} points." in output
    assert f"The best move is {puzzle['best']}: 4 points ahead in the end, proved." in output
    assert f"After {puzzle['player']} {puzzle['best']}: " in output
    assert f"After {puzzle['player']} {wrong['move']}: " in output
    for one in puzzle["moves"]:
        assert any(line.startswith(one["move"]) and f"{one['value']:+}" in line for line in output.splitlines())


def test_list_number_is_accepted_as_answer(answer_puzzle):
    puzzle, answer = answer_puzzle
    number = sorted(one["move"] for one in puzzle["moves"]).index(puzzle["best"]) + 1
    assert "Right." in answer(str(number))


@pytest.mark.slow
def test_quitting_hides_answer_and_asking_shows_it(answer_puzzle):
    puzzle, answer = answer_puzzle
    for lines in (("quit",), ()):
        assert "in the end, proved" not in answer(*lines)
    output = answer("help", "board", "answer")
    assert "answer      show the best move" in output
    assert output.count("Round 8 of 10") == 2
    assert f"The best move is {puzzle['best']}: " in output
    assert "yours" not in output


@pytest.mark.slow
def test_several_puzzles_are_counted(shell: Shell):
    found = shell.good("puzzle", "matrix", "--seed", "7", "--count", "3", "--json").json_lines
    typed = "\n".join([found[0]["best"], found[1]["moves"][-1]["move"], found[2]["best"]])
    assert shell.good("puzzle", "matrix", "--seed", "7", "-n", "3", typed=typed).out.endswith("2 of 3 right.\n")


@pytest.mark.slow
def test_grid_pile_is_shown_in_order(shell: Shell, tmp_path: Path):
    shell.import_rows(rows(60))
    puzzle = shell.good("puzzle", "--seed", "2", "--output", tmp_path / "one.toml", "--json").json
    state = read_game(tmp_path / "one.toml").final()
    output = shell.good("puzzle", "--seed", "2", typed="answer\n").out
    assert state.pile > 1
    listed = output.partition("Draw pile, the top card first: ")[2].replace("\n", " ")
    places = [listed.index(f"{card.name} (") for card in state.setup.cards[state.turned_up :]]
    assert places == sorted(places)
    assert {card["name"] for card in puzzle["record"]["setup"]["cards"]} <= {one["name"] for one in rows(60)}


def test_puzzle_longer_than_the_terminal_goes_through_pager(shell: Shell, tmp_path: Path):
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    paged = tmp_path / "paged"
    child = at_terminal(
        ("puzzle", "matrix", "--seed", "7"), {**shell.environment(), "PAGER": f"cat > {paged}"}, lines=12
    )
    child.expect("Bob> ")
    assert paged.read_text().startswith("Puzzle, matrix")
    child.sendline("quit")
    child.expect(pexpect.EOF)


def test_puzzle_is_answered_at_terminal(shell: Shell):
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    best = shell.good("puzzle", "matrix", "--seed", "7", "--json").json["best"]
    child = at_terminal(("puzzle", "matrix", "--seed", "7"), shell.environment())
    child.expect("Bob> ")
    child.sendline(best)
    child.expect(r"Right\.")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


# --- daily puzzles, puzzles from the collection, and files ----------------------------------------------------------


@pytest.mark.slow
def test_daily_puzzle_depends_only_on_catalogue_content(shell: Shell, tmp_path: Path):
    command = ("puzzle", "--daily", "--date", "2026-11-21", "--json")
    cards = rows(60)
    shell.import_rows(cards)
    first = shell.good(*command).json
    assert first["date"] == "2026-11-21"
    other = Shell(tmp_path, shell.capture)
    other.database.unlink()
    other.import_rows(cards[::-1])
    assert other.good(*command).json == first
    assert shell.good("puzzle", "--daily", "--date", "2026-11-22", "--json").json["record"] != first["record"]


def test_options_that_change_daily_puzzle_are_rejected(shell: Shell):
    for more in (("--seed", "1"), ("--count", "2"), ("--deck", "deck.toml"), ("--from", "collection")):
        shell("puzzle", "--daily", *more).misuses("the same for all players")
    shell("puzzle", "--date", "2026-11-21").misuses("needs --daily")


@pytest.mark.slow
def test_puzzles_from_collection_use_owned_cards(shell: Shell):
    shell.import_rows(rows(60))
    with Store(shell.database) as store:
        collection = CollectionStore(store)
        for number in range(1, 26):
            add_copies(collection, find_card(collection, rows(1, number)[0]["name"], games=["mtg"]).card, 1, copy_key())
    owned = {one["name"] for one in rows(25)}
    for puzzle in shell.good("puzzle", "--from", "collection", "--seed", "1", "-n", "2", "--json").json_lines:
        assert {card["name"] for card in puzzle["record"]["setup"]["cards"]} <= owned
    shell("puzzle", "--from", "collection", "--deck", "deck.toml").misuses("Choose --deck or --from")


@pytest.mark.slow
def test_exported_puzzle_is_solved_by_solve_command(shell: Shell, tmp_path: Path):
    path = tmp_path / "one.toml"
    puzzle = shell.good("puzzle", "tactics", "--seed", "7", "--output", path, "--json").json
    record = read_game(path)
    assert record.notes[NOTE]["best"] == puzzle["best"]
    proof = shell.good("solve", path, "--json").json
    assert (proof["value"], proof["line"]) == (puzzle["value"], puzzle["line"])
    shell("puzzle", "tactics", "--seed", "7", "--output", path).fails("exists already")
    shell.good("puzzle", "tactics", "--seed", "7", "--output", path, "--force")


@pytest.mark.slow
def test_many_puzzles_are_written_as_json_lines(shell: Shell, tmp_path: Path):
    path = tmp_path / "many.jsonl"
    output = shell.good("puzzle", "matrix", "--seed", "7", "-n", "3", "--output", path)
    assert output.out == ""
    records = [reading.require() for reading in read_games(path)]
    assert len(records) == 3
    for record in records:
        assert solve(record.final()).line[0] == record.notes[NOTE]["best"]
    shell("puzzle", "matrix", "-n", "3", "--output", tmp_path / "many.toml").misuses("many.jsonl")
