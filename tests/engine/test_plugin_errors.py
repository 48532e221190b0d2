"""Tests that errors of plug-ins are reported as theirs, with file and line, and that other games still work."""

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from helpers.catalogues import Result, Shell
from helpers.plugins import installed, write_package
from helpers.web_server import server

from ccgrid.catalog.plugins import PluginWarning
from ccgrid.engine.games import GAMES, find_game, ready_decks
from ccgrid.engine.players import PLAYERS, find_player
from ccgrid.services.new_game import write_package as write_game

PLAYER = """
from ccgrid.engine import PlainPlayer
class Odd(PlainPlayer):
    name = "odd"
    about = "the last move"
    def choose(self, view, legal, dice, budget):
        {choice}
ODD = Odd()
"""
DECLARED = "[ccgrid.players]\nodd = odd_player:ODD\n"


@pytest.fixture
def with_player(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """A function that installs a player which chooses with a given line of code."""
    folder = tmp_path / "packages"
    folder.mkdir()
    with installed(folder):

        def install(choice: str) -> Path:
            write_package(folder, "odd-player", DECLARED, {"odd_player.py": PLAYER.format(choice=choice)})
            return folder / "odd_player.py"

        yield install


@pytest.fixture
def summit(tmp_path: Path) -> Iterator[Path]:
    """The folder of the modules of an installed game, a copy of the template."""
    folder = Path(write_game("summit", tmp_path).folder)
    write_package(folder, "ccgrid-summit", "[ccgrid.games]\nsummit = ccgrid_summit\n", {})
    with installed(folder):
        yield folder / "ccgrid_summit"


def change(module: Path, before: str, after: str) -> int:
    """Replace a text in a module, and return its line number."""
    text = module.read_text(encoding="utf-8")
    assert text.count(before) == 1
    module.write_text(text.replace(before, after), encoding="utf-8")
    return text[: text.index(before)].count("\n") + 1


def check_fails(result: Result, *words: str) -> None:
    """Check that a command has failed, with these texts on standard error."""
    assert result.status == 3, result
    for word in words:
        assert word in result.err


PLAY = ("play", "matrix", "--players", "odd,random", "--seed", "1")
SIMULATE = ("simulate", "matrix", "-n", "300", "--players", "odd,random", "--seed", "1", "--workers")


@pytest.mark.parametrize("words", [PLAY, (*SIMULATE, "1"), (*SIMULATE, "2")], ids=["play", "one", "two"])
def test_error_in_player_names_its_file_and_line(
    shell: Shell, with_player: Callable[[str], Path], words: tuple[str, ...]
) -> None:
    file = with_player("return legal[99]")
    message = f"Error in the plug-in 'odd' (ccgrid.players) of odd-player 1.0 ({file}, line 7): IndexError: tuple index"
    check_fails(shell(*words), message)


def test_illegal_move_of_player_names_its_file_and_line(shell: Shell, with_player: Callable[[str], Path]) -> None:
    file = with_player("return 'nonsense'")
    check_fails(shell(*PLAY), f'odd chose "nonsense", which is not a legal move ({file}, line 6).')


def test_error_in_rules_names_their_file_and_line(shell: Shell, summit: Path) -> None:
    line = change(summit / "rules.py", "        return self.points\n", "        return self.pionts\n")
    result = shell("play", "summit", "--players", "random,random")
    check_fails(
        result,
        "Error in the plug-in 'summit' (ccgrid.games) of ccgrid-summit 1.0",
        f"({summit / 'rules.py'}, line {line}): AttributeError: ",
    )
    shell.good("play", "matrix", "--players", "random,random")


def test_error_in_part_names_its_file_and_line(shell: Shell, summit: Path) -> None:
    line = change(summit / "view.py", "def _describe(", "def describe(:")
    check_fails(
        shell("play", "summit", "--players", "random,random"), f"({summit / 'view.py'}, line {line}): SyntaxError: "
    )


def test_wrong_result_of_plugin_is_not_called_a_defect_of_ccgrid_alone(shell: Shell, summit: Path) -> None:
    change(summit / "rules.py", "        return self.points\n", "        return None\n")
    result = shell("play", "summit", "--players", "random,random")
    check_fails(
        result, "This is a defect in ccgrid, or in the plug-in 'summit' (ccgrid.games) of ccgrid-summit 1.0: TypeError"
    )


def test_error_of_game_on_phones_names_its_file_and_line(tmp_path: Path, summit: Path) -> None:
    line = change(summit / "game.py", "        led, card = state.on_table()", "        led, card = state.on_tabel()")
    message = f"ccgrid-summit 1.0 ({summit / 'game.py'}, line {line}): AttributeError: "
    with server(tmp_path) as served:
        ann = served.guest()
        ann.post("/tables", game="summit", name=["Ann", ""], computer=["", "easy"])
        [table] = served.tables
        wait_until(lambda: table.session.is_over or table.session.player == "Ann")
        if not table.session.is_over:
            ann.post(f"/table/{table.number}/move", turn=table.turn, move=table.session.state.legal_moves()[0])
            wait_until(lambda: table.session.is_over or len(table.session.moves) > 1)
        assert message in table.session.forfeit


def test_broken_page_of_game_names_its_file_and_line(tmp_path: Path, summit: Path) -> None:
    line = change(summit / "view.py", "    led = state.on_table()", "    led = state.on_tabel()")
    with server(tmp_path) as served:
        ann = served.guest()
        answer = ann.post("/tables", game="summit", name=["Ann", "Bob"], computer=["", ""])
        assert answer.status_code == 500
        assert f"view.py, line {line}): AttributeError: " in answer.text


def wait_until(is_done: Callable[[], bool]) -> None:
    """Wait at most a minute for a condition that another thread fulfils."""
    end = time.monotonic() + 60
    while not is_done():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_game_that_cannot_be_loaded_is_reported_once_and_others_work(shell: Shell, summit: Path) -> None:
    line = change(summit / "game.py", "GAME: Final = SummitGame()", "GAME: Final = NoGame()")
    message = (
        "The plug-in 'summit' (ccgrid.games) of ccgrid-summit 1.0 cannot be loaded: NameError: name 'NoGame' is not "
    )
    place = rf" \({re.escape(str(summit / 'game.py'))}, line {line}\)"
    check_fails(shell("rules", "summit"), message, f"line {line}")
    with pytest.warns(PluginWarning, match=rf"{re.escape(message)}defined{place}; it is skipped\.") as caught:
        assert [[game.name for game in GAMES] for _ in range(2)] == [[*GAMES.bundled]] * 2
    assert len(caught) == 1
    shell.good("rules", "matrix")
    assert "summit" in GAMES.names


def test_record_of_game_that_cannot_be_loaded_is_reported_among_others(shell: Shell, summit: Path) -> None:
    change(summit / "game.py", "GAME: Final = SummitGame()", "GAME: Final = NoGame()")
    documents = [f'{{"game": "{name}", "players": ["Ann", "Bob"], "moves": []}}\n' for name in ("matrix", "summit")]
    (shell.folder / "games.jsonl").write_text("".join(documents), encoding="utf-8")
    result = shell("validate", shell.folder / "games.jsonl", "--json")
    errors = [json.loads(line)["errors"][0] for line in result.out.splitlines()]
    assert [error["where"] for error in errors] == ["setup", "game"]
    assert "cannot be loaded: NameError" in errors[1]["message"]


def test_part_that_cannot_be_loaded_is_skipped(summit: Path) -> None:
    (summit / "factions.py").write_text("FACTIONS = 1 / 0\n", encoding="utf-8")
    with pytest.warns(PluginWarning, match=r"ZeroDivisionError: .*factions\.py, line 1"):
        assert list(ready_decks()) == ["tactics"]
    assert "summit" in GAMES.having("factions")
    assert GAMES.having("none_of_these") == ()


@pytest.mark.parametrize(
    ("name", "target", "reason"),
    [
        ("summit", "ccgrid_summit.rules:HAND", "TypeError: it is not a package"),
        ("peak", "ccgrid_summit", "ValueError: the name of its GAME is 'summit'"),
        ("grid", "ccgrid_summit", ""),
    ],
)
def test_unsuitable_entry_point_of_games_is_rejected(tmp_path: Path, name: str, target: str, reason: str) -> None:
    folder = Path(write_game("summit", tmp_path).folder)
    write_package(folder, "ccgrid-summit", f"[ccgrid.games]\n{name} = {target}\n", {})
    with installed(folder):
        if name == "grid":
            with pytest.warns(PluginWarning, match="is skipped: ccgrid has the same name"):
                assert GAMES.names == GAMES.bundled
            assert find_game("grid").package == "ccgrid.engine.games.grid"
        else:
            with pytest.raises(ValueError, match=reason):
                find_game(name)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("class ODD: name = 'odd'", "TypeError: it is not an object with the methods of a Player"),
        ("ODD = 'odd'", "TypeError: it is not an object with the methods of a Player"),
        (f"{PLAYER.format(choice='pass')}Odd.name = 'even'", "ValueError: its name is 'even'"),
    ],
    ids=["class", "text", "name"],
)
def test_unsuitable_entry_point_of_players_is_rejected(tmp_path: Path, source: str, reason: str) -> None:
    write_package(tmp_path, "odd-player", DECLARED, {"odd_player.py": source})
    with installed(tmp_path):
        with pytest.raises(ValueError, match=reason):
            find_player("odd")
        with pytest.warns(PluginWarning, match=reason):
            assert "odd" not in [player.name for player in PLAYERS]
        assert PLAYERS.names[-1] == "odd"
