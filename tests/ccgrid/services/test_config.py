"""Default settings: an option comes before the environment, the environment before the file."""

import sys
from pathlib import Path

import platformdirs
import pytest
from helpers.catalogues import Shell, rows

from ccgrid.services.config import SETTINGS, config_path


def settings(shell: Shell) -> dict[str, tuple[str | None, str]]:
    """The value of each setting, and where it comes from."""
    return {one["name"]: (one["value"], one["source"]) for one in shell.good("config", "--json").json["settings"]}


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="these have platformdirs itself")
@pytest.mark.parametrize("own", ["", "/tmp/own"])
def test_the_file_is_where_the_platform_keeps_settings(monkeypatch: pytest.MonkeyPatch, own: str) -> None:
    monkeypatch.delenv("CCGRID_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", own)
    assert config_path() == platformdirs.user_config_path("ccgrid", appauthor=False) / "config.toml"


def test_a_setting_is_set_shown_and_unset(shell: Shell) -> None:
    assert set(settings(shell).values()) - {("cat", "$PAGER")} <= {
        (None, "default"),
        (str(shell.database), "$CCGRID_DB"),
    }
    shell.good("config", "set", "players", "Ann,fair")
    assert settings(shell)["players"] == ("Ann,fair", "file")
    assert "before the environment" in shell.good("config", "--explain").out
    shell.good("config", "unset", "players")
    assert settings(shell)["players"] == (None, "default")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("game", "nope"), "There is no game 'nope'. There are: grid"),
        (("language", "xx"), "There is no language 'xx'"),
        (("colour", "alweys"), "colour is one of auto, always, never"),
        (("think", "long"), "think is a number of seconds"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_set(shell: Shell, words: tuple[str, str], said: str) -> None:
    shell("config", "set", *words).misnamed(said)
    assert settings(shell)[words[0]] == (None, "default")


def test_an_option_comes_before_the_environment_and_that_before_the_file(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.good("config", "set", "game", "matrix")
    assert shell.good("rules", "--json").json["game"] == "matrix"
    monkeypatch.setenv("CCGRID_GAME", "tactics")
    assert shell.good("rules", "--json").json["game"] == "tactics"
    assert shell.good("rules", "grid", "--json").json["game"] == "grid"
    assert settings(shell)["game"] == ("tactics", "$CCGRID_GAME")


def test_the_catalogue_of_the_file_is_used(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.import_rows(rows(3))
    monkeypatch.delenv("CCGRID_DB", raising=False)
    shell.good("config", "set", "database", str(shell.database))
    assert shell.good("stats", "--json").json["cards"] == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("set", "colour", "purple"), "auto, always, never"),
        (("set", "size", "3"), "There is no setting 'size'"),
        (("set", "think", "long"), "a number of seconds"),
        (("set", "game"), "config set NAME VALUE"),
        (("unset", "game", "grid"), "config unset NAME"),
    ],
)
def test_what_cannot_be_set_is_refused(shell: Shell, words: tuple[str, ...], said: str) -> None:
    result = shell("config", *words)
    assert result.status == 2
    assert said in result.err
    assert not Path(shell.environment()["CCGRID_CONFIG"]).exists()


def test_a_damaged_file_is_told_with_its_place(shell: Shell) -> None:
    file = Path(shell.environment()["CCGRID_CONFIG"])
    file.write_text("players = [", encoding="utf-8")
    shell("stats").refused(str(file), "is not TOML")


def test_quiet_says_results_and_errors_alone(shell: Shell) -> None:
    file = shell.folder / "deck.toml"
    assert shell.good("--quiet", "deck", "new", "--seed", "1", "-o", file).err == ""
    assert shell.good("deck", "new", "--seed", "1", "-o", file, "--force").err != ""
    assert shell("--quiet", "show", "nobody").err.startswith("Error: ")


def test_colour_is_off_where_nobody_wants_it(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.import_rows(rows(3))
    monkeypatch.setenv("NO_COLOR", "")  # what a command sets goes with the test
    with monkeypatch.context() as patch:
        patch.setenv("FORCE_COLOR", "1")
        assert "\x1b[" in shell.good("search", "legal").out
        assert "\x1b[" not in shell.good("--no-color", "search", "legal").out


def test_every_setting_says_what_it_is() -> None:
    assert all(one.about and one.variable for one in SETTINGS)
