"""Ninecard, tactics and matrix on a terminal: played to the end, handed over, taken back."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.catalogues import Shell
from helpers.game_positions import named
from helpers.made_up import random_battle_deck, random_side_deck

from ccgrid.catalog.card import Card
from ccgrid.engine.records.files import read_game

pytest.importorskip("pexpect", reason="needs a pseudo-terminal")  # which Windows has none of

from four_games import GAMES, PROMPT, Sit
from helpers.terminals import CLEAR, Terminal
from played_games import write_deck

COVERED = "Press Enter to continue"
USUAL_SCREEN = "\x1b[?1049l"


@pytest.fixture
def creatures(shell: Shell) -> Path:
    """A deck of ninecard with which nobody is out in the first turns."""
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


@pytest.mark.parametrize("players", ["You,greedy", pytest.param("Ann,Bob", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "game", ["grid", *(pytest.param(game, marks=pytest.mark.slow) for game in GAMES if game != "grid")]
)
def test_a_game_is_played_to_its_end_and_the_record_scores_to_the_same(
    shell: Shell, sit: Sit, game: str, players: str
) -> None:
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
    assert re.search(r"\n(Marks: 1?\d|Nobody gave enough away for a mark)", end)
    person = players.partition(",")[0]
    assert re.search(rf"\nRating of {person} in {game}: \d+ ± \d+ \([+-]\d+\)\. See: ccgrid progress\n", end)
    assert at.status == 0
    at.raw = at.raw.partition("Type help")[2]  # before it a remark may stand on standard error
    at.check_widths()


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), [("ninecard", 4), ("tactics", 4), ("matrix", 3), ("grid", 4)])
def test_people_and_computers_play_together(shell: Shell, sit: Sit, game: str, players: int) -> None:
    names = ["Ann", "greedy", "Bob", "random"][:players]
    at = sit(game, "--players", ",".join(names), "--record", "game.jsonl", *GAMES[game])
    rng = random.Random(4)
    play_on(at, lambda who: str(rng.randint(1, 3)))
    assert shell.good("score", shell.folder / "game.jsonl", "--json").json["players"] == names
    at.raw = at.raw.partition("Type help")[2]  # before it a remark may stand on standard error
    at.check_widths()


# --- hidden hands -------------------------------------------------------------------------------------------------


def test_between_two_people_the_screen_is_covered_and_no_hand_is_shown_to_the_other(shell: Shell, sit: Sit) -> None:
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
    played: set[str] = set()
    turns = 0
    for screen in at.screens()[1:]:
        held = set(re.findall(r"\b(?:an|bo)\d+x", screen))
        if "it is your turn" in screen:
            assert held <= played, "while the keyboard is handed over, only what was played is named"
            continue
        own = {"Ann": "an", "Bob": "bo"}[asked[turns]]
        assert {name for name in held - played if not name.startswith(own)} <= set()
        assert len({name for name in held if name.startswith(own)}) >= 1
        played.add(moves[turns].partition("@")[0])
        turns += 1
    assert turns == len(moves)


def test_the_next_player_is_told_what_was_played_and_not_what_was_laid_face_down(shell: Shell, sit: Sit) -> None:
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
    told = at.answer("end", COVERED)
    while "it is your turn" not in told:  # discarding down to five
        told = at.answer("1", f"{first}|{COVERED}")
    assert f"{first}: a creature laid face down as energy; assault " in told
    assert hidden[1] not in told.split(CLEAR)[-1].rpartition("it is your turn")[2]
    second = at.answer("", r"Ann|Bob")
    assert hidden[1] not in second
    assert "energy 1 of 1 ready" in second


def test_what_one_player_typed_cannot_be_called_back_by_the_next(sit: Sit) -> None:
    at = sit("tactics", "--players", "Ann,Bob")
    at.prompt(COVERED)
    at.answer("", r"Ann|Bob")
    at.answer("my secret card@b2", r"Ann|Bob")
    at.answer("1", COVERED)
    before = len(at.raw)
    at.child.send("\x1b[A\x1b[A")
    at.answer("", r"Ann|Bob")
    assert "secret" not in at.raw[before:]


def test_one_person_against_the_computer_hands_nothing_over(sit: Sit) -> None:
    at = sit("tactics", "--players", "You,greedy")
    shown = at.prompt("You")
    assert "Your hand" in shown
    after = at.answer("1", "You")
    assert re.search(r"^greedy plays .+@[a-c][1-3]: \+\d", after)
    assert CLEAR not in at.raw
    assert "\x1b[?1049h" not in at.raw


def test_two_players_of_matrix_have_no_secrets_and_hand_nothing_over_but_three_do(sit: Sit) -> None:
    two = sit("matrix", "--players", "Ann,Bob")
    two.prompt("Ann|Bob")
    assert CLEAR not in two.raw
    three = sit("matrix", "--players", "Ann,Bob,Cid")
    assert "it is your turn" in three.prompt(COVERED)


# --- undo, hint, save and load ------------------------------------------------------------------------------------


def test_while_the_keyboard_is_handed_over_the_last_move_can_be_taken_back(sit: Sit) -> None:
    at = sit("tactics", "--players", "Ann,Bob")
    at.prompt(COVERED)
    opening = at.answer("", r"Ann|Bob")
    first = at.child.match[1]
    covered = at.answer("1", COVERED)
    assert "type undo" in covered
    again = at.answer("undo", COVERED)
    assert f"{first}, it is your turn." in again
    assert at.answer("", first).split("Your hand")[1] == opening.split("Your hand")[1]


def test_undo_goes_back_to_ones_own_last_decision_and_never_to_anothers(sit: Sit) -> None:
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


def test_within_a_turn_of_ninecard_undo_takes_back_one_step_and_news_tells_the_turn_before(
    sit: Sit, creatures: Path
) -> None:
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
    assert news.rstrip().endswith("end")
    at.answer("2", "You")
    assert at.answer("news", "You") == news


@pytest.mark.parametrize("game", ["ninecard", "tactics", "matrix"])
def test_a_game_is_saved_in_the_middle_and_goes_on(shell: Shell, sit: Sit, creatures: Path, game: str) -> None:
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


def test_while_the_keyboard_is_handed_over_one_can_save_and_leave(shell: Shell, sit: Sit) -> None:
    at = sit("tactics", "--players", "Ann,Bob")
    at.prompt(COVERED)
    assert "Name a file" in at.answer("save", COVERED)
    assert at.answer("save game.toml", COVERED) == "Saved to game.toml"
    at.child.sendline("quit")
    assert "To continue: ccgrid play --load game.toml" in at.rest()
    assert read_game(shell.folder / "game.toml").moves == ()


def test_who_resigns_in_a_secret_game_ends_it(shell: Shell, sit: Sit) -> None:
    at = sit("tactics", "--players", "Ann,Bob", "--record", "game.toml")
    at.prompt(COVERED)
    at.answer("", "Ann|Bob")
    who = at.child.match[1]
    at.child.sendline("resign")
    assert f"{who} resigns.\n" in at.rest()
    assert read_game(shell.folder / "game.toml").notes == {"resigned": who}
