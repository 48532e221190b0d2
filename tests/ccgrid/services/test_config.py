"""Tests of the settings file, and of the precedence of options, environment variables and the file."""

import os
from pathlib import Path
from unittest import mock

import platformdirs
import pytest
from helpers.catalogues import Shell, rows, wait_for_result
from inline_snapshot import snapshot

from ccgrid.catalog.errors import CatalogError, NoSuchNameError
from ccgrid.services.config import (
    SETTINGS,
    check_setting,
    config_path,
    defaults,
    read_config,
    set_environment,
)
from ccgrid.services.config_changes import list_settings
from ccgrid.services.state_folder import state_folder


def settings() -> dict[str, tuple[str | None, str]]:
    """Return the value of each setting, and its source."""
    return {setting.name: (setting.value, setting.source) for setting in list_settings(read_config()).settings}


def test_settings_file_is_in_the_configuration_folder_of_the_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CCGRID_CONFIG", raising=False)
    assert config_path() == platformdirs.user_config_path("ccgrid", appauthor=False) / "config.toml"


def test_a_setting_is_set_shown_and_unset(shell: Shell) -> None:
    assert set(settings().values()) - {("cat", "$PAGER")} <= {
        (None, "default"),
        (str(shell.database), "$CCGRID_DB"),
    }
    shell.good("config", "set", "players", "Ann,fair")
    assert settings()["players"] == ("Ann,fair", "file")
    assert "override environment variables" in shell.good("config", "--explain").out
    shell.good("config", "unset", "players")
    assert settings()["players"] == (None, "default")


def test_option_overrides_environment_which_overrides_file(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.good("config", "set", "game", "matrix")
    assert shell.good("rules", "--json").json["game"] == "matrix"
    monkeypatch.setenv("CCGRID_GAME", "tactics")
    assert shell.good("rules", "--json").json["game"] == "tactics"
    assert shell.good("rules", "grid", "--json").json["game"] == "grid"
    assert settings()["game"] == ("tactics", "$CCGRID_GAME")


def test_catalogue_named_in_the_file_is_used(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.import_rows(rows(3))
    monkeypatch.delenv("CCGRID_DB", raising=False)
    shell.good("config", "set", "database", str(shell.database))
    assert shell.good("stats", "--json").json["cards"] == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("set", "colour", "purple"), "auto, always, never"),
        (("set", "game", "nope"), "There is no game 'nope'. There are: grid"),
        (("set", "language", "xx"), "There is no language 'xx'"),
        (("set", "size", "3"), "There is no setting 'size'"),
        (("set", "think", "long"), "a number of seconds"),
        (("set", "game"), "config set NAME VALUE"),
        (("unset", "game", "grid"), "config unset NAME"),
    ],
)
def test_invalid_setting_is_rejected(shell: Shell, words: tuple[str, ...], message: str) -> None:
    result = shell("config", *words)
    assert result.status == 2
    assert message in result.err
    assert not Path(shell.environment()["CCGRID_CONFIG"]).exists()


def test_damaged_file_is_reported_with_location(shell: Shell) -> None:
    file = Path(shell.environment()["CCGRID_CONFIG"])
    file.write_text("players = [", encoding="utf-8")
    shell("stats").fails(str(file), "is not TOML")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# mine\nplayers = Ann\n", "at line 2"),
        ("think = 5\nsize = 3\n", "line 2: There is no setting 'size'"),
        ("think = 5\n\n'think of' = 1\n", "line 3: There is no setting 'think of'"),
        ('colour = "red"\n', "line 1: colour is one of"),
        ("think = 5\npager = false\n", "line 2: the value of pager is not a text"),
        ("think = 5\n[players]\nfirst = 'Ann'\n", "line 2: the value of players is not a text"),
        ("think = 5 # \udce9\n", "is not UTF-8 text"),
    ],
)
def test_doctor_reports_damaged_file_which_can_be_corrected(shell: Shell, text: str, message: str) -> None:
    file = config_path()
    file.write_bytes(text.encode(errors="surrogateescape"))
    shell("stats").fails(str(file), message)
    (finding,) = (
        finding_entry
        for finding_entry in shell("doctor", "--json").json["findings"]
        if finding_entry["code"] == "settings"
    )
    assert message in finding["message"]
    assert message in shell("config").fails().err
    assert message in shell.good("config", "unset", "game").err
    assert file.read_bytes() == text.encode(errors="surrogateescape")
    for name in ("players", "size", "think of", "colour", "pager", "think"):
        shell("config", "unset", name)
    assert read_config() == {}


def test_folder_in_place_of_the_file_is_reported(shell: Shell) -> None:
    config_path().mkdir()
    for words in (("stats",), ("config",), ("config", "set", "think", "5"), ("config", "unset", "think")):
        shell(*words).fails(str(config_path()))
    assert "settings" in {finding["code"] for finding in shell("doctor", "--json").json["findings"]}


def test_setting_keeps_rest_of_file(shell: Shell) -> None:
    file = config_path()
    file.write_text("# mine\n\nthink   =  5   # seconds\nplayers = 'Ann'\n", encoding="utf-8")
    shell.good("config", "set", "players", "Ann,fair")
    shell.good("config", "set", "game", "matrix")
    after = '# mine\n\nthink   =  5   # seconds\nplayers = "Ann,fair"\ngame = "matrix"\n'
    assert file.read_text(encoding="utf-8") == after
    shell.good("config", "set", "think", "0.5")
    assert "think   =  0.5   # seconds\n" in file.read_text(encoding="utf-8")
    shell.good("config", "unset", "think")
    assert file.read_text(encoding="utf-8") == '# mine\n\nplayers = "Ann,fair"\ngame = "matrix"\n'
    before = file.read_bytes()
    shell.good("config", "unset", "think")
    assert file.read_bytes() == before


def test_other_value_cannot_be_set_before_a_damaged_one_is_corrected(shell: Shell) -> None:
    file = config_path()
    file.write_text('colour = "red"\n', encoding="utf-8")
    shell("config", "set", "think", "5").fails("line 1: colour is one of")
    assert file.read_text(encoding="utf-8") == 'colour = "red"\n'
    shell.good("config", "set", "colour", "never")
    assert read_config() == {"colour": "never"}


@pytest.mark.slow
def test_concurrently_set_settings_are_all_kept(shell: Shell) -> None:
    values = {"game": "grid", "players": "Ann,fair", "language": "de", "colour": "never", "pager": "off", "think": "5"}
    for _ in range(5):
        config_path().unlink(missing_ok=True)
        started = [shell.start("config", "set", name, value) for name, value in values.items()]
        assert [wait_for_result(process).status for process in started] == [0] * len(values)
        assert read_config() == values


def test_quiet_prints_only_results_and_errors(shell: Shell) -> None:
    file = shell.folder / "deck.toml"
    assert shell.good("--quiet", "deck", "new", "--seed", "1", "-o", file).err == ""
    assert shell.good("deck", "new", "--seed", "1", "-o", file, "--force").err != ""
    assert shell("--quiet", "show", "nobody").err.startswith("Error: ")


def test_setting_turns_colour_off(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.import_rows(rows(3))
    monkeypatch.setenv("NO_COLOR", "")  # so that monkeypatch removes what the command sets
    with monkeypatch.context() as patch:
        patch.setenv("FORCE_COLOR", "1")
        assert "\x1b[" in shell.good("search", "legal").out
        assert "\x1b[" not in shell.good("--no-color", "search", "legal").out


def test_every_setting_is_described() -> None:
    assert all(setting.about and setting.variable for setting in SETTINGS)


def test_state_folder_is_set_by_variable_or_else_by_the_platform(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CCGRID_STATE", "/tmp/state")
    assert state_folder() == Path("/tmp/state")
    monkeypatch.delenv("CCGRID_STATE")
    assert state_folder() == platformdirs.user_state_path("ccgrid", appauthor=False)


ALL_SETTINGS = {one.name: f"my {one.name}" for one in SETTINGS}


@pytest.mark.parametrize(
    ("command", "names"),
    [
        *((words, {"game"}) for words in ("simulate", "arena", "rules", "learn", "puzzle", "deck new")),
        ("play", {"game", "players"}),
        ("collection add", {"language"}),
        *((words, {"think"}) for words in ("advise", "analyze")),
        ("show", set()),
    ],
)
def test_each_command_uses_its_own_settings_and_the_catalogue(command: str, names: set[str]) -> None:
    with mock.patch.dict(os.environ, clear=True):
        found = defaults(ALL_SETTINGS, [command])
        assert defaults({}, [command]) == {}
    for word in command.split():
        found = found[word]
    assert found == {name: ALL_SETTINGS[name] for name in {"database", *names}}


def test_environment_overrides_file_for_commands() -> None:
    with mock.patch.dict(os.environ, {"CCGRID_THINK": "9"}, clear=True):
        assert defaults({"think": "3", "game": "grid"}, ["advise", "deck new", "deck rate"]) == {
            "advise": {"think": "9"},
            "deck": {"new": {"game": "grid"}, "rate": {}},
        }


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ({}, {}, {}),
        ({"pager": "off"}, {}, {"PAGER": "cat"}),
        ({"pager": "most -s"}, {}, {"PAGER": "most -s"}),
        ({"pager": "most"}, {"PAGER": "less"}, {"PAGER": "less"}),
        ({"pager": "most"}, {"PAGER": ""}, {"PAGER": ""}),
        ({"colour": "always"}, {}, {"FORCE_COLOR": "1"}),
        ({"colour": "never"}, {}, {"NO_COLOR": "1"}),
        ({"colour": "auto"}, {}, {}),
        ({"colour": "always"}, {"NO_COLOR": "1"}, {"NO_COLOR": "1"}),
        ({"colour": "never"}, {"FORCE_COLOR": "1"}, {"FORCE_COLOR": "1"}),
        ({"colour": "never"}, {"FORCE_COLOR": ""}, {"FORCE_COLOR": "", "NO_COLOR": "1"}),
    ],
)
def test_file_sets_colour_and_pager_without_environment(
    file: dict[str, str], before: dict[str, str], after: dict[str, str]
) -> None:
    with mock.patch.dict(os.environ, before, clear=True):
        set_environment(file)
        assert dict(os.environ) == after


def test_settings_file_has_at_most_64_kibibytes(shell: Shell) -> None:
    file = config_path()
    most = 'players = "Ann"\n'.ljust(1 << 16, "#")
    file.write_text(most, encoding="utf-8")
    assert read_config() == {"players": "Ann"}
    file.write_text(most + "#", encoding="utf-8")
    with pytest.raises(CatalogError, match=f"^{file}: the file "):
        read_config()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("colour", "red", snapshot("colour is one of auto, always, never, not 'red'.")),
        ("think", "1.2.3", snapshot("think is a number of seconds, not '1.2.3'.")),
        (
            *("size", "3"),
            snapshot("There is no setting 'size'. There are: game, players, database, language, colour, pager, think."),
        ),
    ],
)
def test_unknown_setting_and_value_are_named(name: str, value: str, message: str) -> None:
    with pytest.raises(NoSuchNameError) as caught:
        check_setting(name, value)
    assert str(caught.value) == message
    for valid in (("think", "1.5"), ("think", "2"), ("colour", "never"), ("players", "Ann,fair")):
        assert check_setting(*valid).name == valid[0]


def test_each_setting_is_shown_with_its_value_and_source(shell: Shell) -> None:
    environment = {"CCGRID_CONFIG": str(config_path()), "FORCE_COLOR": "1", "CCGRID_GAME": "", "PAGER": "less"}
    with mock.patch.dict(os.environ, environment, clear=True):
        shown = list_settings({"game": "grid", "colour": "never"})
    assert (shown.path, shown.exists) == (environment["CCGRID_CONFIG"], False)
    assert [(setting.name, setting.variable, setting.value, setting.source) for setting in shown.settings] == [
        ("game", "CCGRID_GAME", "grid", "file"),
        ("players", "CCGRID_PLAYERS", None, "default"),
        ("database", "CCGRID_DB", None, "default"),
        ("language", "CCGRID_LANGUAGE", None, "default"),
        ("colour", "NO_COLOR, FORCE_COLOR", "1", "$FORCE_COLOR"),
        ("pager", "PAGER", "less", "$PAGER"),
        ("think", "CCGRID_THINK", None, "default"),
    ]
    assert [setting.about for setting in shown.settings] == [setting.about for setting in SETTINGS]
