"""Tests of games of all kinds at a terminal and through a pipe: handover, undo, saving, matches and records."""

import random
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from helpers.catalogues import Result, Shell
from helpers.everyday import sampled, slow_except
from helpers.game_positions import named
from helpers.made_up import random_battle_deck, random_side_deck

from ccgrid.catalog.card import Card
from ccgrid.engine.records.files import read_game, read_games
from ccgrid.engine.records.match import Match

pytest.importorskip("pexpect", reason="needs a pseudo-terminal")  # Windows has none

from helpers.game_files import GRID_RECORD, write_deck
from helpers.terminals import CLEAR, Terminal

SHORT = ("--option", "life=6", "--option", "limit=12")
"""Options for a short game of ninecard."""
GAMES = {"grid": (), "ninecard": SHORT, "tactics": (), "matrix": ()}
PROMPT = r"\n(?:\x1b\[\?2004h)?([\w ]+)> "
StartGame = Callable[..., Terminal]

COVERED = "Press Enter to continue"
USUAL_SCREEN = "\x1b[?1049l"


@pytest.fixture
def creatures(shell: Shell) -> Path:
    """The file of a ninecard deck that eliminates no player in the first turns."""
    cards = [Card("", "", f"Wolf{n}", {}, 0, attack=n % 3, defense=n % 2) for n in range(20)]
    return write_deck(
        shell.folder / "wolves.toml", cards + [Card("", "", f"Wood{n}", {}, 0) for n in range(10)], "ninecard"
    )


def play_to_end(game: Terminal, choose: Callable[[str], str]) -> str:
    """Play until the game is over, pressing Enter at each handover; return the output at the end."""
    while True:
        found = game.child.expect([PROMPT, r"The (?:game|match) is over: "])
        game._shown(game.child.before)
        if found:
            return game.rest()
        player = game.child.match[1]
        game.child.sendline("" if player == COVERED else choose(player))


# --- to the end ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "players"),
    slow_except(
        sampled(
            product(GAMES, ("You,greedy", "Ann,Bob")), ("grid", "Ann,Bob"), *((game, "You,greedy") for game in GAMES)
        ),
        ("grid", "You,greedy"),
    ),
)
def test_finished_game_scores_the_same_from_its_record(
    shell: Shell, start_game: StartGame, game: str, players: str
) -> None:
    rng = random.Random(4)
    terminal = start_game(game, "--players", players, "--record", "game.toml", *GAMES[game], lines=24)
    end = play_to_end(terminal, lambda name: str(rng.randint(1, 3)))
    answer = shell.good("score", shell.folder / "game.toml", "--json").json
    assert answer["over"]
    for player, score in answer["scores"].items():
        assert re.search(rf"\b{player} +{score}\b", end)
    ends = {None: "A draw.", "You": "You win."}
    assert ends.get(answer["winner"], f"{answer['winner']} wins.") in end
    assert "Saved to game.toml. Check it with: ccgrid score game.toml\n" in end
    assert re.search(r"\n(Marks \([^)]*\): 1?\d|No move is known to have lost enough for a mark)", end)
    if game == "ninecard" and answer["winner"] is not None:
        assert re.search(r"\nTurning point: turn \d+, moves \d+ to \d+\. \w+ assaulted \w+\.", end)
    person = players.partition(",")[0]
    assert re.search(rf"\nRating of {person} in {game}: \d+ ± \d+ \([+-]\d+\)\. See: ccgrid progress\n", end)
    assert terminal.status == 0
    terminal.raw = terminal.raw.partition("Type help")[2]  # before it a remark may stand on standard error
    terminal.check_widths()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "players"),
    sampled([("ninecard", 4), ("tactics", 4), ("matrix", 3), ("grid", 4)], ("ninecard", 4), ("matrix", 3)),
)
def test_people_and_computers_play_together(shell: Shell, start_game: StartGame, game: str, players: int) -> None:
    names = ["Ann", "greedy", "Bob", "random"][:players]
    terminal = start_game(game, "--players", ",".join(names), "--record", "game.jsonl", *GAMES[game])
    rng = random.Random(4)
    play_to_end(terminal, lambda player: str(rng.randint(1, 3)))
    assert shell.good("score", shell.folder / "game.jsonl", "--json").json["players"] == names
    terminal.raw = terminal.raw.partition("Type help")[2]  # before it a remark may stand on standard error
    terminal.check_widths()


# --- hidden hands -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_screen_is_cleared_between_players_with_hidden_hands(shell: Shell, start_game: StartGame) -> None:
    rng = random.Random(2)
    decks = [write_deck(shell.folder / f"{o}.toml", named(random_side_deck(rng), o), "tactics") for o in ("an", "bo")]
    record = shell.folder / "game.toml"
    game = start_game("tactics", "--players", "Ann,Bob", "--deck", decks[0], "--deck", decks[1], "--record", record)
    asked: list[str] = []
    play_to_end(game, lambda player: asked.append(player) or "1")  # type: ignore[func-returns-value]
    moves = read_game(record).moves
    assert len(asked) == len(moves)
    assert game.raw.index("\x1b[?1049h") < game.raw.index("Your hand") < game.raw.rindex(USUAL_SCREEN), (
        "it has no history"
    )
    game.raw = game.raw.rpartition(USUAL_SCREEN)[0]
    assert sum("it is your turn" in screen for screen in game.screens()) == len(moves)
    moves_made: set[str] = set()
    turns = 0
    for screen in game.screens()[1:]:
        hand_names = set(re.findall(r"\b(?:an|bo)\d+x", screen))
        if "it is your turn" in screen:
            assert hand_names <= moves_made, "while the keyboard is handed over, only what was played is named"
            continue
        own = {"Ann": "an", "Bob": "bo"}[asked[turns]]
        assert {name for name in hand_names - moves_made if not name.startswith(own)} <= set()
        assert len({name for name in hand_names if name.startswith(own)}) >= 1
        moves_made.add(moves[turns].partition("@")[0])
        turns += 1
    assert turns == len(moves)


def test_next_player_sees_moves_but_not_face_down_cards(shell: Shell, start_game: StartGame) -> None:
    rng = random.Random(4)
    decks = [write_deck(shell.folder / f"{o}.toml", named(random_battle_deck(rng), o), "ninecard") for o in "ab"]
    game = start_game(
        *("ninecard", "--players", "Ann,Bob", "--deck", decks[0], "--deck", decks[1], "--option", "facedown"),
        *("--record", "game.toml"),
    )
    game.prompt(COVERED)
    shown = game.answer("", r"Ann|Bob")
    first = game.child.match[1]
    hidden = re.search(r"facedown: lay +\d+ (\w+)", shown)
    assert hidden is not None
    game.answer(f"facedown {hidden[1]}", first)
    game.answer("assault", first)
    screen_text = game.answer("end", COVERED)
    while "it is your turn" not in screen_text:  # the player discards down to five cards
        screen_text = game.answer("1", f"{first}|{COVERED}")
    assert f"{first}: a creature laid face down as energy; assault " in screen_text
    assert hidden[1] not in screen_text.split(CLEAR)[-1].rpartition("it is your turn")[2]
    second = game.answer("", r"Ann|Bob")
    assert hidden[1] not in second
    assert "energy 1 of 1 ready" in second


def test_input_history_is_cleared_between_players(start_game: StartGame) -> None:
    game = start_game("tactics", "--players", "Ann,Bob")
    game.prompt(COVERED)
    game.answer("", r"Ann|Bob")
    game.answer("my secret card@b2", r"Ann|Bob")
    game.answer("1", COVERED)
    before = len(game.raw)
    game.child.send("\x1b[A\x1b[A")
    game.answer("", r"Ann|Bob")
    assert "secret" not in game.raw[before:]


def test_keyboard_is_not_handed_over_against_computer(start_game: StartGame) -> None:
    game = start_game("tactics", "--players", "You,greedy")
    shown = game.prompt("You")
    assert "Your hand" in shown
    after = game.answer("1", "You")
    assert re.search(r"^greedy plays .+@[a-c][1-3]: \+\d", after)
    assert CLEAR not in game.raw
    assert "\x1b[?1049h" not in game.raw


def test_matrix_hands_over_keyboard_only_with_three_players(start_game: StartGame) -> None:
    two = start_game("matrix", "--players", "Ann,Bob")
    two.prompt("Ann|Bob")
    assert CLEAR not in two.raw
    three = start_game("matrix", "--players", "Ann,Bob,Cid")
    assert "it is your turn" in three.prompt(COVERED)


# --- undo, hint, save and load ------------------------------------------------------------------------------------


def test_last_move_can_be_undone_during_handover(start_game: StartGame) -> None:
    game = start_game("tactics", "--players", "Ann,Bob")
    game.prompt(COVERED)
    opening = game.answer("", r"Ann|Bob")
    first = game.child.match[1]
    covered = game.answer("1", COVERED)
    assert "type undo" in covered
    again = game.answer("undo", COVERED)
    assert f"{first}, it is your turn." in again
    assert game.answer("", first).split("Your hand")[1] == opening.split("Your hand")[1]


def test_only_an_empty_line_shows_the_hand_of_the_next_player(start_game: StartGame) -> None:
    game = start_game("tactics", "--players", "Ann,Bob")
    game.prompt(COVERED)
    assert game.answer("yes", COVERED) == "Press Enter alone to see your cards."
    assert "All rules: ccgrid rules tactics" in game.answer("rules", COVERED)
    assert CLEAR not in game.child.before
    assert "Your hand" in game.answer("", r"Ann|Bob")


def test_undo_reverts_to_own_last_decision(start_game: StartGame) -> None:
    game = start_game("tactics", "--players", "Ann,Bob")
    game.prompt(COVERED)
    opening = game.answer("", r"Ann|Bob")
    first = game.child.match[1]
    game.answer("1", COVERED)
    game.answer("", r"Ann|Bob")
    assert "nothing to undo" in game.answer("undo", r"Ann|Bob")
    game.answer("1", COVERED)
    game.answer("", first)
    undone = game.answer("undo", first)
    assert undone.startswith("Undid 2 moves.\n")
    assert undone.split("Your hand")[1] == opening.split("Your hand")[1]


@pytest.mark.slow
def test_ninecard_undo_reverts_one_step_and_news_shows_last_turn(start_game: StartGame, creatures: Path) -> None:
    game = start_game("ninecard", "--players", "You,greedy", "--deck", creatures)
    game.prompt("You")
    opening = game.answer("board", "You")
    game.answer("2", "You")
    assert game.answer("undo", "You").startswith("Undid 1 move.\n")
    assert game.answer("board", "You") == opening
    assert re.match(r"Play .+ in the end\.", game.answer("hint", "You"))
    game.answer("assault greedy", "You")
    assert "discard down to five cards" in game.answer("end", "You")
    game.answer("1", "You")
    news = game.answer("news", "You")
    assert news.startswith("greedy: ")
    assert news.rstrip().endswith("end turn")
    game.answer("2", "You")
    assert game.answer("news", "You") == news


@pytest.mark.parametrize("game", ["ninecard", "tactics", "matrix"])
def test_game_is_saved_midway_and_continues(shell: Shell, start_game: StartGame, creatures: Path, game: str) -> None:
    terminal = start_game(game, "--players", "You,greedy", *(("--deck", creatures) if game == "ninecard" else ()))
    terminal.prompt("You")
    terminal.answer("1", "You")
    before = terminal.answer("board", "You")
    assert terminal.answer("save my game.toml", "You") == "Saved to my game.toml"
    terminal.child.sendline("quit")
    assert terminal.rest().endswith("The game is not over. To continue: ccgrid play --load 'my game.toml'\n")
    again = start_game("--load", "my game.toml")
    again.prompt("You")
    assert again.answer("board", "You") == before
    shell.good("validate", shell.folder / "my game.toml")


def test_save_and_quit_work_during_handover(shell: Shell, start_game: StartGame) -> None:
    game = start_game("tactics", "--players", "Ann,Bob")
    game.prompt(COVERED)
    assert "Name a file" in game.answer("save", COVERED)
    assert game.answer("save game.toml", COVERED) == "Saved to game.toml"
    game.child.sendline("quit")
    assert "To continue: ccgrid play --load game.toml" in game.rest()
    assert read_game(shell.folder / "game.toml").moves == ()


def test_resigning_ends_game_with_hidden_hands(shell: Shell, start_game: StartGame) -> None:
    game = start_game("tactics", "--players", "Ann,Bob", "--record", "game.toml")
    game.prompt(COVERED)
    game.answer("", "Ann|Bob")
    player = game.child.match[1]
    game.child.sendline("resign")
    assert f"{player} resigns.\n" in game.rest()
    assert read_game(shell.folder / "game.toml").notes == {"resigned": player}


def test_match_continues_after_a_resignation(start_game: StartGame) -> None:
    game = start_game("grid", "--best-of", "3", "--players", "Ann,Bob")
    game.prompt("Ann|Bob")
    player = game.child.match[1]
    other = "Bob" if player == "Ann" else "Ann"
    ended = game.answer("resign", "Press Enter for the next game")
    assert f"{player} resigns.\n" in ended
    assert re.search(rf"\b{other} +1\b|1 +{other}\b", ended)
    assert "Game 2 of at most 3." in game.answer("", "Ann|Bob")
    assert game.child.match[1] == other, "the winner starts"


def test_loading_a_resigned_game_says_so(shell: Shell) -> None:
    file = shell.folder / "game.toml"
    shell.good("play", "matrix", "--players", "Ann,Bob", "--seed", "1", "-o", file, typed="1\nresign\n")
    who = read_game(file).notes["resigned"]
    assert f"{who} resigned this game. It continues before that." in shell("play", "--load", file, typed="quit\n").err


# --- Games through a pipe, matches, simulations and records -------------------------------------------------------


PLAYTHROUGHS = GRID_RECORD.parent

# --- through a pipe -----------------------------------------------------------------------------------------------


Type = Callable[..., Result]


@pytest.fixture
def typing(shell: Shell) -> Type:
    """A function that plays with these lines as standard input."""
    return lambda text, *arguments: shell("play", *arguments, "--seed", "3", typed=text)


@pytest.mark.parametrize("game", ["ninecard", "tactics", "matrix"])
def test_piped_game_prints_lines_without_clearing(typing: Type, game: str) -> None:
    result = typing("\n" + "1\n" * 3, game, "--players", "Ann,Bob")
    assert "\x1b" not in result.out
    assert re.search(r"^ *1  \w.*  .+$", result.out, re.MULTILINE)


def test_options_are_played_and_recorded(shell: Shell, typing: Type) -> None:
    file = shell.folder / "game.toml"
    typing("\n1\n", "ninecard", "--players", "Ann,Bob", "--option", "life=7", "--option", "one_creature", "-o", file)
    assert read_game(file).setup.to_table()["life"] == 7
    assert read_game(file).setup.to_table()["one_creature"] is True
    file = shell.folder / "matrix.toml"
    typing("1\n", "matrix", "--players", "Ann,Bob", "--option", "rotate=step", "-o", file)
    assert read_game(file).setup.to_table()["rotate"] == "step"
    file = shell.folder / "small.toml"
    typing("\n1\n", "ninecard", "--players", "Ann,Bob", "--option", "size=30", "--option", "energy=20", "-o", file)
    decks = read_game(file).setup.to_table()["decks"]
    assert [len(deck) for deck in decks.values()] == [30, 30]
    assert [sum("attack" not in card for card in deck) for deck in decks.values()] == [20, 20]


@pytest.mark.parametrize("command", ["play", "simulate"])
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["matrix", "--option", "rotate=twice"], '"quarter" or "step"'),
        (["matrix", "--option", "spin=1"], "no option"),
        (["ninecard", "--option", "life=0"], "must be 1 to 10000"),
        (["ninecard", "--option", "life=many"], "life must be a whole number"),
        (["ninecard", "--option", "facedown=perhaps"], "facedown must be true or false"),
        (["ninecard", "--option", "size=many"], "size must be a whole number"),
        (["ninecard", "--option", "size=10", "--option", "energy=11"], "not 11 of 10"),
        (["tactics", "--option", "size=10"], "no option"),
        (["grid", "--option", "life=4"], "no option"),
        (["matrix", "--option", "=1"], "write it as NAME=VALUE"),
        (["matrix", "--option", "rotate=step", "--option", "rotate=step"], "given twice"),
        (["tactics", "--faction", "elves"], "bastion"),
        (["tactics", "--faction", "bastion,cinder,harbor"], "one for each, or one for all"),
        (["tactics", "--faction", "bastion", "--game", "mtg"], "Choose one of --deck, --faction and --game"),
        (["grid", "--faction", "bastion"], "has no factions"),
        (["matrix", "--faction", "bastion"], "has its own cards"),
        (["matrix", "--game", "mtg"], "has its own cards: leave --deck, --from, --faction and --game out"),
        (["tactics", "--game", "mtg"], "of mtg there are 0"),
        (["tactics", "--best-of", "3", "--match"], "Choose --match (points add up)"),
        (["tactics", "--best-of", "100"], "1 to 99 games"),
        (["tactics", "--same-deal"], "--same-deal is for matches: add --match or --best-of N"),
        (["tactics", "--best-of", "3", "--same-deal"], "a match has 2, 4 and so on games, not 3"),
    ],
)
def test_contradictory_options_are_explained(shell: Shell, command: str, arguments: list[str], words: str) -> None:
    players = ["--players", "random,random"] if command == "simulate" else []
    result = shell(command, *arguments, *players)
    assert (result.status, result.out) == (3 if words.startswith("of mtg") else 2, "")
    assert words in " ".join(result.err.split())
    assert len(result.err.splitlines()) <= 3, "perhaps after the remark that there is no catalogue"


def test_options_are_rejected_with_a_record(shell: Shell) -> None:
    for extra in (["--option", "life=3"], ["--faction", "bastion"], ["--best-of", "3"], ["--match"]):
        assert shell("play", "--load", PLAYTHROUGHS / "tactics.toml", *extra).status == 2


# --- matches ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_match_of_tactics_adds_points_and_saves_the_records_of_three_games(shell: Shell, start_game: StartGame) -> None:
    game = start_game("tactics", "--match", "--players", "You,greedy", "--record", "match.jsonl")
    shown = game.prompt("You")
    assert "Game 1 of 3." in shown
    scores = [0, 0]
    for number in (1, 2, 3):
        game.child.sendline("1")
        while game.child.expect([PROMPT, r"The game is over: "]) == 0:
            game.child.sendline("1")
        game.child.expect(["The match so far, in points: You (\\d+), greedy (\\d+)\\.", "The match is over: "])
        standing = game.child.match
        reading = [*read_games(shell.folder / "match.jsonl")]
        assert len(reading) == number
        points = msgspec.to_builtins(reading[-1].check().answer())["scores"]
        scores = [scores[0] + points["You"], scores[1] + points["greedy"]]
        if number < 3:
            assert [int(standing[1]), int(standing[2])] == scores
            game.prompt("Press Enter for the next game")
            game.answer("", "You")
    end = game.rest()
    assert end.startswith("all 3 games are played.")
    assert re.search(rf"You +{scores[0]}\b", end)
    records = [reading.require() for reading in read_games(shell.folder / "match.jsonl")]
    match = Match.by_points("tactics", ("You", "greedy")).add_all(records)
    assert match.scores() == tuple(scores), "each game was begun by whom the rules want"


def test_best_of_three_ends_when_decided(shell: Shell) -> None:
    file = shell.folder / "match.jsonl"
    options = ("--players", "greedy,random", "--best-of", "3", "--seed", "8", "--record", file)
    out = shell.good("play", "tactics", *options).out
    assert "The match is over: no other player can catch up (games left: 1)." in out
    assert re.search(r"greedy +2 +winner", out)
    assert len([*read_games(file)]) == 2
    for answer in shell.good("validate", file, "--json").json_lines:
        assert answer["ok"]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_played_as_a_match(shell: Shell, game: str) -> None:
    out = shell.good("play", game, "--players", "random,random", "--best-of", "2", "--seed", "1", *GAMES[game]).out
    assert "Game 1 of at most 2." in out
    assert "The match is over: " in out


def test_match_needs_a_file_for_several_games(shell: Shell) -> None:
    shell("play", "tactics", "--match", "--record", "game.toml").misuses("would hold one game", "game.jsonl")


def test_quit_match_is_saved_in_its_file(shell: Shell, typing: Type) -> None:
    file = shell.folder / "match.jsonl"
    result = typing("1\nquit\n", "tactics", "--match", "--record", file)
    assert result.status == 0
    message = f"The match is not over. Its games are in {file}. To continue: ccgrid play --load last\n"
    assert result.err.endswith(message)
    assert [msgspec.to_builtins(reading.check().answer())["over"] for reading in read_games(file)] == [False]


# --- simulate -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policies", ["random,random", "greedy,random"])
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_simulated_and_its_records_are_valid(shell: Shell, game: str, policies: str) -> None:
    file = shell.folder / "games.jsonl"
    arguments = ("simulate", game, "-n", "4", "--players", policies, "--seed", "5", *GAMES[game])
    answer = shell.good(*arguments, "--records", file, "--json").json
    assert (answer["game"], answer["games"]) == (game, 4)
    for result in shell.good("validate", file, "--json").json_lines:
        assert (result["ok"], result["over"]) == (True, True)
    again = shell.good(*arguments, "--json").json
    assert {**again, "games_per_second": 0} == {**answer, "games_per_second": 0}


def test_simulated_matches_are_counted(shell: Shell) -> None:
    file = shell.folder / "games.jsonl"
    arguments = ("simulate", "tactics", "--match", "-n", "5", "--players", "greedy,random", "--seed", "4")
    answer = shell.good(*arguments, "--json", "--records", file).json
    assert answer["games"] == 15
    match = answer["match"]
    assert (match["matches"], match["length"], match["counts"]) == (5, 3, "points")
    assert sum(player["wins"] for player in match["players"]) + match["draws"] == 5
    for game_result, match_result in zip(answer["players"], match["players"], strict=True):
        assert match_result["mean_score"] == pytest.approx(3 * game_result["mean_score"])
    records = [reading.require() for reading in read_games(file)]
    names = records[0].setup.players
    for number in range(5):
        Match.by_points("tactics", names).add_all(records[3 * number : 3 * number + 3])
    out = shell.good(*arguments).out
    assert "5 matches of 3 games" in out
    best = shell.good("simulate", "matrix", "--best-of", "5", "-n", "3", "--json", "--seed", "1").json
    assert 9 <= best["games"] <= 15
    assert best["match"]["counts"] == "wins"


def test_each_seat_of_a_simulation_has_its_deck(shell: Shell) -> None:
    rng = random.Random(2)
    decks = [write_deck(shell.folder / f"{o}.toml", named(random_side_deck(rng, 5), o), "tactics") for o in "ab"]
    file = shell.folder / "games.jsonl"
    shell.good("simulate", "tactics", "-n", "2", "--deck", decks[0], "--deck", decks[1], "--records", file)
    for reading in read_games(file):
        dealt = reading.require().setup.to_table()["decks"]
        assert [{card["name"][0] for card in deck} for deck in dealt.values()] == [{"a"}, {"b"}]
    shell("simulate", "tactics", *["--deck", str(decks[0])] * 3).misuses("--deck was given 3 times")
    shell("simulate", "ninecard", "--deck", decks[0]).fails("is a deck for 'tactics', not for ninecard")


def test_seats_play_different_factions_unless_they_are_named(shell: Shell) -> None:
    from ccgrid.engine.games.tactics.factions import FACTIONS

    names = {card.name: faction.name for faction in FACTIONS.bundled() for card in faction.cards}
    file = shell.folder / "games.jsonl"

    def moves_made(*arguments: str) -> list[list[str]]:
        shell.good("simulate", "tactics", "-n", "6", "--seed", "2", "--records", file, "--force", *arguments)
        setups = [reading.require().setup.to_table()["decks"] for reading in read_games(file)]
        return [[names[deck[0]["name"]] for deck in setup.values()] for setup in setups]

    drawn = moves_made("--players", "random,random,random,random")
    assert all(len(set(seats)) == 4 for seats in drawn)
    assert len({tuple(seats) for seats in drawn}) > 1
    assert moves_made("--faction", "harbor,cinder") == [["harbor", "cinder"]] * 6
    assert moves_made("--faction", "lancers") == [["lancers", "lancers"]] * 6


# --- records ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["ninecard", "tactics", "matrix"])
def test_record_is_validated_scored_and_replayed(shell: Shell, game: str) -> None:
    file = PLAYTHROUGHS / f"{game}.toml"
    record = read_game(file)
    assert shell.good("validate", file).out == f"Valid: {file}: {game}, {len(record.moves)} moves, over.\n"
    scores = dict(zip(record.setup.players, record.final().scores(), strict=True))
    assert shell.good("score", file, "--json").json["scores"] == scores
    out = shell.good("replay", file).out
    for number, move in enumerate(record.moves, start=1):
        assert re.search(rf"^{number}\. \w+ plays {re.escape(move)}: ", out, re.MULTILINE)
    plies: list[dict[str, Any]] = shell.good("replay", file, "--json").json["plies"]
    assert all(ply["move"] in ply["legal"] for ply in plies)


ENDINGS = {
    "tactics": (
        'game = "tactics"\ndeck = 5\n'
        'board = ["Ann", "Bob", "", "", "Ann", "", "", "", ""]\n[captures]\nAnn = 4\nBob = 3\n',
        {"Ann": 1 + 3 + 4, "Bob": 2 + 3},
    ),
    "matrix": (
        'game = "matrix"\nplayers = ["Ann", "Bob"]\nboard = [4, 6, 3, 7, 9, 2, 1, 8, 5]\n',
        {"Ann": 14, "Bob": 13},
    ),
    "ninecard": ('game = "ninecard"\n[life]\nAnn = 12\nBob = -3\nCid = 0\n', {"Ann": 12, "Bob": 0, "Cid": 0}),
}


@pytest.mark.parametrize("option", ["--piles", "--ending"])
@pytest.mark.parametrize("game", ENDINGS)
def test_file_with_only_the_ending_is_scored(shell: Shell, game: str, option: str) -> None:
    text, scores = ENDINGS[game]
    file = shell.folder / "end.toml"
    file.write_text(text)
    answer = shell.good("score", option, file, "--json").json
    assert (answer["game"], answer["scores"], answer["over"]) == (game, scores, True)
    best = max(scores.values())
    winner = None if [*scores.values()].count(best) > 1 else max(scores, key=lambda player: scores[player])
    assert answer["winner"] == winner


@pytest.mark.parametrize("game", GAMES)
def test_rules_of_every_game_are_printed(shell: Shell, game: str) -> None:
    assert f"(`{game}`)" in shell.good("rules", game).out
