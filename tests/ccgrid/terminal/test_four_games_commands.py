"""Ninecard, tactics and matrix through a pipe, as matches, simulated and recorded."""

import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Result, Shell
from helpers.game_positions import named
from helpers.made_up import random_side_deck

from ccgrid.engine.records.files import read_game, read_games
from ccgrid.engine.records.match import Match

pytest.importorskip("pexpect", reason="needs a pseudo-terminal")  # which Windows has none of

from four_games import GAMES, PROMPT, Sit
from played_games import write_deck

PLAYED = Path(__file__).parents[2] / "playthroughs"

# --- through a pipe -----------------------------------------------------------------------------------------------


Type = Callable[..., Result]


@pytest.fixture
def typing(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Type:
    """Plays with these lines as standard input."""
    import io

    def play(text: str, *arguments: str | Path) -> Result:
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        return shell("play", *arguments, "--seed", "3")

    return play


@pytest.mark.parametrize("game", ["ninecard", "tactics", "matrix"])
def test_through_a_pipe_each_move_has_a_line_and_nothing_clears_a_screen(typing: Type, game: str) -> None:
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
        (["matrix", "--game", "mtg"], "has its own cards"),
        (["tactics", "--game", "mtg"], "of mtg there are 0"),
        (["tactics", "--best-of", "3", "--match"], "Choose --match (points add up)"),
        (["tactics", "--best-of", "100"], "1 to 99 games"),
        (["tactics", "--same-deal"], "--same-deal is for matches: add --match or --best-of N"),
        (["tactics", "--best-of", "3", "--same-deal"], "a match has 2, 4 and so on games, not 3"),
    ],
)
def test_what_does_not_fit_together_is_explained(shell: Shell, command: str, arguments: list[str], words: str) -> None:
    players = ["--players", "random,random"] if command == "simulate" else []
    result = shell(command, *arguments, *players)
    is_misused = words in ("no option", "bastion") or words.startswith(("Choose --match", "--same-deal is"))
    assert (result.status, result.out) == (2 if is_misused else 3, "")
    assert words in " ".join(result.err.split())
    assert len(result.err.splitlines()) <= 3, "perhaps after the remark that there is no catalogue"


def test_a_record_brings_its_options(shell: Shell) -> None:
    for extra in (["--option", "life=3"], ["--faction", "bastion"], ["--best-of", "3"], ["--match"]):
        assert shell("play", "--load", PLAYED / "tactics.toml", *extra).status == 2


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
        points = reading[-1].to_dict()["scores"]
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


def test_the_best_of_three_ends_when_nobody_can_catch_up(shell: Shell) -> None:
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
    shell("play", "tactics", "--match", "--record", "game.toml").refused("would hold one game", "game.jsonl")


def test_who_leaves_a_match_finds_its_games_in_the_file(shell: Shell, typing: Type) -> None:
    file = shell.folder / "match.jsonl"
    result = typing("1\nquit\n", "tactics", "--match", "--record", file)
    assert result.status == 0
    said = f"The match is not over. Its games are in {file}. To continue: ccgrid play --load last\n"
    assert result.err.endswith(said)
    assert [reading.to_dict()["over"] for reading in read_games(file)] == [False]


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


def test_matches_are_simulated_and_counted_beside_their_games(shell: Shell) -> None:
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
    shell("simulate", "tactics", *["--deck", str(decks[0])] * 3).refused("--deck was given 3 times")
    shell("simulate", "ninecard", "--deck", decks[0]).refused("is a deck for 'tactics', not for ninecard")


def test_seats_play_different_factions_unless_they_are_named(shell: Shell) -> None:
    from ccgrid.engine.games.tactics.factions import FACTIONS

    names = {card.name: faction.name for faction in FACTIONS.bundled() for card in faction.cards}
    file = shell.folder / "games.jsonl"

    def played(*arguments: str) -> list[list[str]]:
        shell.good("simulate", "tactics", "-n", "6", "--seed", "2", "--records", file, "--force", *arguments)
        setups = [reading.require().setup.to_table()["decks"] for reading in read_games(file)]
        return [[names[deck[0]["name"]] for deck in setup.values()] for setup in setups]

    drawn = played("--players", "random,random,random,random")
    assert all(len(set(seats)) == 4 for seats in drawn)
    assert len({tuple(seats) for seats in drawn}) > 1
    assert played("--faction", "harbor,cinder") == [["harbor", "cinder"]] * 6
    assert played("--faction", "lancers") == [["lancers", "lancers"]] * 6


# --- records ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["ninecard", "tactics", "matrix"])
def test_a_record_is_validated_scored_and_replayed(shell: Shell, game: str) -> None:
    file = PLAYED / f"{game}.toml"
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
        'game = "tactics"\nboard = ["Ann", "Bob", "", "", "Ann", "", "", "", ""]\n[captures]\nAnn = 2\nBob = 4\n',
        {"Ann": 1 + 3 + 2, "Bob": 2 + 4},
    ),
    "matrix": (
        'game = "matrix"\nplayers = ["Ann", "Bob"]\nboard = [4, 6, 3, 7, 9, 2, 1, 8, 5]\n',
        {"Ann": 14, "Bob": 13},
    ),
    "ninecard": ('game = "ninecard"\n[life]\nAnn = 12\nBob = -3\nCid = 0\n', {"Ann": 12, "Bob": 0, "Cid": 0}),
}


@pytest.mark.parametrize("option", ["--piles", "--ending"])
@pytest.mark.parametrize("game", ENDINGS)
def test_who_recorded_the_end_alone_is_scored(shell: Shell, game: str, option: str) -> None:
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
