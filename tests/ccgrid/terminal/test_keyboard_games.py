"""Ninecard, tactics and matrix at a terminal: complete games, handover and undo."""

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

pytest.importorskip("pexpect", reason="needs a pseudo-terminal")  # which Windows has none of

from helpers.game_files import GRID_RECORD, write_deck
from helpers.terminals import CLEAR, Terminal

SHORT = ("--option", "life=6", "--option", "limit=12")
"""With these options a game of ninecard is soon over."""
GAMES = {"grid": (), "ninecard": SHORT, "tactics": (), "matrix": ()}
PROMPT = r"\n(?:\x1b\[\?2004h)?([\w ]+)> "
Sit = Callable[..., Terminal]

COVERED = "Press Enter to continue"
USUAL_SCREEN = "\x1b[?1049l"


@pytest.fixture
def creatures(shell: Shell) -> Path:
    """Return a ninecard deck that eliminates no player in the first turns."""
    cards = [Card("", "", f"Wolf{n}", {}, 0, attack=n % 3, defense=n % 2) for n in range(20)]
    return write_deck(
        shell.folder / "wolves.toml", cards + [Card("", "", f"Wood{n}", {}, 0) for n in range(10)], "ninecard"
    )


def play_on(game: Terminal, choose: Callable[[str], str]) -> str:
    """Plays until the game is over, Enter where the keyboard is handed over; returns what was shown at the end."""
    while True:
        found = game.child.expect([PROMPT, r"The (?:game|match) is over: "])
        game._shown(game.child.before)
        if found:
            return game.rest()
        who = game.child.match[1]
        game.child.sendline("" if who == COVERED else choose(who))


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
def test_finished_game_scores_the_same_from_its_record(shell: Shell, sit: Sit, game: str, players: str) -> None:
    rng = random.Random(4)
    at = sit(game, "--players", players, "--record", "game.toml", *GAMES[game], lines=24)
    end = play_on(at, lambda who: str(rng.randint(1, 3)))
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
    assert at.status == 0
    at.raw = at.raw.partition("Type help")[2]  # before it a remark may stand on standard error
    at.check_widths()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "players"),
    sampled([("ninecard", 4), ("tactics", 4), ("matrix", 3), ("grid", 4)], ("ninecard", 4), ("matrix", 3)),
)
def test_people_and_computers_play_together(shell: Shell, sit: Sit, game: str, players: int) -> None:
    names = ["Ann", "greedy", "Bob", "random"][:players]
    at = sit(game, "--players", ",".join(names), "--record", "game.jsonl", *GAMES[game])
    rng = random.Random(4)
    play_on(at, lambda who: str(rng.randint(1, 3)))
    assert shell.good("score", shell.folder / "game.jsonl", "--json").json["players"] == names
    at.raw = at.raw.partition("Type help")[2]  # before it a remark may stand on standard error
    at.check_widths()


# --- hidden hands -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_screen_is_cleared_between_players_with_hidden_hands(shell: Shell, sit: Sit) -> None:
    rng = random.Random(2)
    decks = [write_deck(shell.folder / f"{o}.toml", named(random_side_deck(rng), o), "tactics") for o in ("an", "bo")]
    record = shell.folder / "game.toml"
    at = sit("tactics", "--players", "Ann,Bob", "--deck", decks[0], "--deck", decks[1], "--record", record)
    asked: list[str] = []
    play_on(at, lambda who: asked.append(who) or "1")  # type: ignore[func-returns-value]
    moves = read_game(record).moves
    assert len(asked) == len(moves)
    assert at.raw.index("\x1b[?1049h") < at.raw.index("Your hand") < at.raw.rindex(USUAL_SCREEN), "it has no history"
    at.raw = at.raw.rpartition(USUAL_SCREEN)[0]
    assert sum("it is your turn" in screen for screen in at.screens()) == len(moves)
    moves_made: set[str] = set()
    turns = 0
    for screen in at.screens()[1:]:
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


def test_next_player_sees_moves_but_not_face_down_cards(shell: Shell, sit: Sit) -> None:
    rng = random.Random(4)
    decks = [write_deck(shell.folder / f"{o}.toml", named(random_battle_deck(rng), o), "ninecard") for o in "ab"]
    at = sit(
        *("ninecard", "--players", "Ann,Bob", "--deck", decks[0], "--deck", decks[1], "--option", "facedown"),
        *("--record", "game.toml"),
    )
    at.prompt(COVERED)
    shown = at.answer("", r"Ann|Bob")
    first = at.child.match[1]
    hidden = re.search(r"facedown: lay +\d+ (\w+)", shown)
    assert hidden is not None
    at.answer(f"facedown {hidden[1]}", first)
    at.answer("assault", first)
    screen_text = at.answer("end", COVERED)
    while "it is your turn" not in screen_text:  # discarding down to five
        screen_text = at.answer("1", f"{first}|{COVERED}")
    assert f"{first}: a creature laid face down as energy; assault " in screen_text
    assert hidden[1] not in screen_text.split(CLEAR)[-1].rpartition("it is your turn")[2]
    second = at.answer("", r"Ann|Bob")
    assert hidden[1] not in second
    assert "energy 1 of 1 ready" in second


def test_input_history_is_cleared_between_players(sit: Sit) -> None:
    at = sit("tactics", "--players", "Ann,Bob")
    at.prompt(COVERED)
    at.answer("", r"Ann|Bob")
    at.answer("my secret card@b2", r"Ann|Bob")
    at.answer("1", COVERED)
    before = len(at.raw)
    at.child.send("\x1b[A\x1b[A")
    at.answer("", r"Ann|Bob")
    assert "secret" not in at.raw[before:]


def test_keyboard_is_not_handed_over_against_computer(sit: Sit) -> None:
    at = sit("tactics", "--players", "You,greedy")
    shown = at.prompt("You")
    assert "Your hand" in shown
    after = at.answer("1", "You")
    assert re.search(r"^greedy plays .+@[a-c][1-3]: \+\d", after)
    assert CLEAR not in at.raw
    assert "\x1b[?1049h" not in at.raw


def test_matrix_hands_over_keyboard_only_with_three_players(sit: Sit) -> None:
    two = sit("matrix", "--players", "Ann,Bob")
    two.prompt("Ann|Bob")
    assert CLEAR not in two.raw
    three = sit("matrix", "--players", "Ann,Bob,Cid")
    assert "it is your turn" in three.prompt(COVERED)


# --- undo, hint, save and load ------------------------------------------------------------------------------------


def test_last_move_can_be_undone_during_handover(sit: Sit) -> None:
    at = sit("tactics", "--players", "Ann,Bob")
    at.prompt(COVERED)
    opening = at.answer("", r"Ann|Bob")
    first = at.child.match[1]
    covered = at.answer("1", COVERED)
    assert "type undo" in covered
    again = at.answer("undo", COVERED)
    assert f"{first}, it is your turn." in again
    assert at.answer("", first).split("Your hand")[1] == opening.split("Your hand")[1]


def test_undo_reverts_to_own_last_decision(sit: Sit) -> None:
    at = sit("tactics", "--players", "Ann,Bob")
    at.prompt(COVERED)
    opening = at.answer("", r"Ann|Bob")
    first = at.child.match[1]
    at.answer("1", COVERED)
    at.answer("", r"Ann|Bob")
    assert "nothing to undo" in at.answer("undo", r"Ann|Bob")
    at.answer("1", COVERED)
    at.answer("", first)
    undone = at.answer("undo", first)
    assert undone.startswith("Undid 2 moves.\n")
    assert undone.split("Your hand")[1] == opening.split("Your hand")[1]


@pytest.mark.slow
def test_ninecard_undo_reverts_one_step_and_news_shows_last_turn(sit: Sit, creatures: Path) -> None:
    at = sit("ninecard", "--players", "You,greedy", "--deck", creatures)
    at.prompt("You")
    opening = at.answer("board", "You")
    at.answer("2", "You")
    assert at.answer("undo", "You").startswith("Undid 1 move.\n")
    assert at.answer("board", "You") == opening
    assert re.match(r"Play .+ in the end\.", at.answer("hint", "You"))
    at.answer("assault greedy", "You")
    assert "discard down to five cards" in at.answer("end", "You")
    at.answer("1", "You")
    news = at.answer("news", "You")
    assert news.startswith("greedy: ")
    assert news.rstrip().endswith("end turn")
    at.answer("2", "You")
    assert at.answer("news", "You") == news


@pytest.mark.parametrize("game", ["ninecard", "tactics", "matrix"])
def test_game_is_saved_midway_and_continues(shell: Shell, sit: Sit, creatures: Path, game: str) -> None:
    at = sit(game, "--players", "You,greedy", *(("--deck", creatures) if game == "ninecard" else ()))
    at.prompt("You")
    at.answer("1", "You")
    before = at.answer("board", "You")
    assert at.answer("save my game.toml", "You") == "Saved to my game.toml"
    at.child.sendline("quit")
    assert at.rest().endswith("The game is not over. To continue: ccgrid play --load 'my game.toml'\n")
    again = sit("--load", "my game.toml")
    again.prompt("You")
    assert again.answer("board", "You") == before
    shell.good("validate", shell.folder / "my game.toml")


def test_save_and_quit_work_during_handover(shell: Shell, sit: Sit) -> None:
    at = sit("tactics", "--players", "Ann,Bob")
    at.prompt(COVERED)
    assert "Name a file" in at.answer("save", COVERED)
    assert at.answer("save game.toml", COVERED) == "Saved to game.toml"
    at.child.sendline("quit")
    assert "To continue: ccgrid play --load game.toml" in at.rest()
    assert read_game(shell.folder / "game.toml").moves == ()


def test_resigning_ends_game_with_hidden_hands(shell: Shell, sit: Sit) -> None:
    at = sit("tactics", "--players", "Ann,Bob", "--record", "game.toml")
    at.prompt(COVERED)
    at.answer("", "Ann|Bob")
    who = at.child.match[1]
    at.child.sendline("resign")
    assert f"{who} resigns.\n" in at.rest()
    assert read_game(shell.folder / "game.toml").notes == {"resigned": who}


# --- Ninecard, tactics and matrix through a pipe, as matches, simulated and recorded ------------------------------


PLAYTHROUGHS = GRID_RECORD.parent

# --- through a pipe -----------------------------------------------------------------------------------------------


Type = Callable[..., Result]


@pytest.fixture
def typing(shell: Shell) -> Type:
    """Plays with these lines as standard input."""
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


def test_a_record_brings_its_options(shell: Shell) -> None:
    for extra in (["--option", "life=3"], ["--faction", "bastion"], ["--best-of", "3"], ["--match"]):
        assert shell("play", "--load", PLAYTHROUGHS / "tactics.toml", *extra).status == 2


# --- matches ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_match_of_tactics_adds_the_points_of_three_games_and_keeps_their_records(shell: Shell, sit: Sit) -> None:
    at = sit("tactics", "--match", "--players", "You,greedy", "--record", "match.jsonl")
    shown = at.prompt("You")
    assert "Game 1 of 3." in shown
    scores = [0, 0]
    for number in (1, 2, 3):
        at.child.sendline("1")
        while at.child.expect([PROMPT, r"The game is over: "]) == 0:
            at.child.sendline("1")
        at.child.expect(["The match so far, in points: You (\\d+), greedy (\\d+)\\.", "The match is over: "])
        standing = at.child.match
        reading = [*read_games(shell.folder / "match.jsonl")]
        assert len(reading) == number
        points = msgspec.to_builtins(reading[-1].check().answer())["scores"]
        scores = [scores[0] + points["You"], scores[1] + points["greedy"]]
        if number < 3:
            assert [int(standing[1]), int(standing[2])] == scores
            at.prompt("Press Enter for the next game")
            at.answer("", "You")
    end = at.rest()
    assert end.startswith("all 3 games are played.")
    assert re.search(rf"You +{scores[0]}\b", end)
    records = [reading.require() for reading in read_games(shell.folder / "match.jsonl")]
    match = Match.by_points("tactics", ("You", "greedy")).add_all(records)
    assert match.scores() == tuple(scores), "each game was begun by whom the rules want"


def test_best_of_three_ends_when_decided(shell: Shell) -> None:
    file = shell.folder / "match.jsonl"
    options = ("--players", "greedy,random", "--best-of", "3", "--seed", "8", "--record", file)
    out = shell.good("play", "tactics", *options).out
    assert "The match is over: nobody can catch up in the 1 remaining games." in out
    assert re.search(r"greedy +2 +winner", out)
    assert len([*read_games(file)]) == 2
    for answer in shell.good("validate", file, "--json").json_lines:
        assert answer["ok"]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_played_as_a_match(shell: Shell, game: str) -> None:
    out = shell.good("play", game, "--players", "random,random", "--best-of", "2", "--seed", "1", *GAMES[game]).out
    assert "Game 1 of at most 2." in out
    assert "The match is over: " in out


def test_a_match_is_saved_in_a_file_of_many_games(shell: Shell) -> None:
    shell("play", "tactics", "--match", "--record", "game.toml").misuses("would hold one game", "game.jsonl")


def test_quit_match_is_saved_in_its_file(shell: Shell, typing: Type) -> None:
    file = shell.folder / "match.jsonl"
    result = typing("1\nquit\n", "tactics", "--match", "--record", file)
    assert result.status == 0
    said = f"The match is not over. Its games are in {file}. To continue: ccgrid play --load last\n"
    assert result.err.endswith(said)
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
    for one, whole in zip(answer["players"], match["players"], strict=True):
        assert whole["mean_score"] == pytest.approx(3 * one["mean_score"])
    records = [reading.require() for reading in read_games(file)]
    names = records[0].setup.players
    for number in range(5):
        Match.by_points("tactics", names).add_all(records[3 * number : 3 * number + 3])
    out = shell.good(*arguments).out
    assert "5 matches of 3 games" in out
    best = shell.good("simulate", "matrix", "--best-of", "5", "-n", "3", "--json", "--seed", "1").json
    assert 9 <= best["games"] <= 15
    assert best["match"]["counts"] == "wins"


def test_each_player_of_a_simulation_has_the_deck_given_for_the_seat(shell: Shell) -> None:
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
def test_a_record_is_validated_scored_and_replayed(shell: Shell, game: str) -> None:
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
def test_record_of_the_end_alone_is_scored(shell: Shell, game: str, option: str) -> None:
    text, scores = ENDINGS[game]
    file = shell.folder / "end.toml"
    file.write_text(text)
    answer = shell.good("score", option, file, "--json").json
    assert (answer["game"], answer["scores"], answer["over"]) == (game, scores, True)
    best = max(scores.values())
    winner = None if [*scores.values()].count(best) > 1 else max(scores, key=lambda player: scores[player])
    assert answer["winner"] == winner


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_every_game_are_printed(shell: Shell, game: str) -> None:
    assert f"(`{game}`)" in shell.good("rules", game).out
