"""Default settings: an option comes before the environment, the environment before the file."""

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
    """The value of each setting, and where it comes from."""
    return {one.name: (one.value, one.source) for one in list_settings(read_config()).settings}


def test_the_file_is_where_the_platform_keeps_settings(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_an_option_comes_before_the_environment_and_that_before_the_file(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.good("config", "set", "game", "matrix")
    assert shell.good("rules", "--json").json["game"] == "matrix"
    monkeypatch.setenv("CCGRID_GAME", "tactics")
    assert shell.good("rules", "--json").json["game"] == "tactics"
    assert shell.good("rules", "grid", "--json").json["game"] == "grid"
    assert settings()["game"] == ("tactics", "$CCGRID_GAME")


def test_the_catalogue_of_the_file_is_used(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.import_rows(rows(3))
    monkeypatch.delenv("CCGRID_DB", raising=False)
    shell.good("config", "set", "database", str(shell.database))
    assert shell.good("stats", "--json").json["cards"] == 3


@pytest.mark.parametrize(
    ("words", "said"),
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
def test_invalid_setting_is_rejected(shell: Shell, words: tuple[str, ...], said: str) -> None:
    result = shell("config", *words)
    assert result.status == 2
    assert said in result.err
    assert not Path(shell.environment()["CCGRID_CONFIG"]).exists()


def test_a_damaged_file_is_reported_with_its_place(shell: Shell) -> None:
    file = Path(shell.environment()["CCGRID_CONFIG"])
    file.write_text("players = [", encoding="utf-8")
    shell("stats").fails(str(file), "is not TOML")


@pytest.mark.parametrize(
    ("text", "said"),
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
def test_a_damaged_file_stops_no_doctor_and_can_be_corrected(shell: Shell, text: str, said: str) -> None:
    file = config_path()
    file.write_bytes(text.encode(errors="surrogateescape"))
    shell("stats").fails(str(file), said)
    (finding,) = (one for one in shell("doctor", "--json").json["findings"] if one["code"] == "settings")
    assert said in finding["message"]
    assert said in shell("config").fails().err
    assert said in shell.good("config", "unset", "game").err
    assert file.read_bytes() == text.encode(errors="surrogateescape")
    for name in ("players", "size", "think of", "colour", "pager", "think"):
        shell("config", "unset", name)
    assert read_config() == {}


def test_a_folder_in_place_of_the_file_is_named(shell: Shell) -> None:
    config_path().mkdir()
    for words in (("stats",), ("config",), ("config", "set", "think", "5"), ("config", "unset", "think")):
        shell(*words).fails(str(config_path()))
    assert "settings" in {one["code"] for one in shell("doctor", "--json").json["findings"]}


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


def test_a_value_is_set_while_another_is_damaged_only_in_its_own_place(shell: Shell) -> None:
    file = config_path()
    file.write_text('colour = "red"\n', encoding="utf-8")
    shell("config", "set", "think", "5").fails("line 1: colour is one of")
    assert file.read_text(encoding="utf-8") == 'colour = "red"\n'
    shell.good("config", "set", "colour", "never")
    assert read_config() == {"colour": "never"}


@pytest.mark.slow
def test_settings_that_are_set_at_once_are_all_kept(shell: Shell) -> None:
    values = {"game": "grid", "players": "Ann,fair", "language": "de", "colour": "never", "pager": "off", "think": "5"}
    for _ in range(5):
        config_path().unlink(missing_ok=True)
        started = [shell.start("config", "set", name, value) for name, value in values.items()]
        assert [wait_for_result(process).status for process in started] == [0] * len(values)
        assert read_config() == values


def test_quiet_says_results_and_errors_alone(shell: Shell) -> None:
    file = shell.folder / "deck.toml"
    assert shell.good("--quiet", "deck", "new", "--seed", "1", "-o", file).err == ""
    assert shell.good("deck", "new", "--seed", "1", "-o", file, "--force").err != ""
    assert shell("--quiet", "show", "nobody").err.startswith("Error: ")


def test_setting_turns_colour_off(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.import_rows(rows(3))
    monkeypatch.setenv("NO_COLOR", "")  # what a command sets goes with the test
    with monkeypatch.context() as patch:
        patch.setenv("FORCE_COLOR", "1")
        assert "\x1b[" in shell.good("search", "legal").out
        assert "\x1b[" not in shell.good("--no-color", "search", "legal").out


def test_every_setting_is_described() -> None:
    assert all(one.about and one.variable for one in SETTINGS)


def test_the_state_folder_is_the_one_of_the_variable_else_the_one_of_the_platform(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CCGRID_STATE", "/tmp/state")
    assert state_folder() == Path("/tmp/state")
    monkeypatch.delenv("CCGRID_STATE")
    assert state_folder() == platformdirs.user_state_path("ccgrid", appauthor=False)


ALL = {one.name: f"my {one.name}" for one in SETTINGS}


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
def test_each_command_takes_its_own_settings_and_all_take_the_catalogue(command: str, names: set[str]) -> None:
    with mock.patch.dict(os.environ, clear=True):
        found = defaults(ALL, [command])
        assert defaults({}, [command]) == {}
    for word in command.split():
        found = found[word]
    assert found == {name: ALL[name] for name in {"database", *names}}


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


def test_a_file_of_settings_has_at_most_64_kibibytes(shell: Shell) -> None:
    file = config_path()
    most = 'players = "Ann"\n'.ljust(1 << 16, "#")
    file.write_text(most, encoding="utf-8")
    assert read_config() == {"players": "Ann"}
    file.write_text(most + "#", encoding="utf-8")
    with pytest.raises(CatalogError, match=f"^{file}: the file "):
        read_config()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("colour", "red", snapshot("colour is one of auto, always, never, not 'red'.")),
        ("think", "1.2.3", snapshot("think is a number of seconds, not '1.2.3'.")),
        (
            *("size", "3"),
            snapshot("There is no setting 'size'. There are: game, players, database, language, colour, pager, think."),
        ),
    ],
)
def test_unknown_setting_and_value_are_named(name: str, value: str, said: str) -> None:
    with pytest.raises(NoSuchNameError) as caught:
        check_setting(name, value)
    assert str(caught.value) == said
    for fine in (("think", "1.5"), ("think", "2"), ("colour", "never"), ("players", "Ann,fair")):
        assert check_setting(*fine).name == fine[0]


def test_each_setting_is_shown_with_its_value_and_where_that_comes_from(shell: Shell) -> None:
    environment = {"CCGRID_CONFIG": str(config_path()), "FORCE_COLOR": "1", "CCGRID_GAME": "", "PAGER": "less"}
    with mock.patch.dict(os.environ, environment, clear=True):
        shown = list_settings({"game": "grid", "colour": "never"})
    assert (shown.path, shown.exists) == (environment["CCGRID_CONFIG"], False)
    assert [(one.name, one.variable, one.value, one.source) for one in shown.settings] == [
        ("game", "CCGRID_GAME", "grid", "file"),
        ("players", "CCGRID_PLAYERS", None, "default"),
        ("database", "CCGRID_DB", None, "default"),
        ("language", "CCGRID_LANGUAGE", None, "default"),
        ("colour", "NO_COLOR, FORCE_COLOR", "1", "$FORCE_COLOR"),
        ("pager", "PAGER", "less", "$PAGER"),
        ("think", "CCGRID_THINK", None, "default"),
    ]
    assert [one.about for one in shown.settings] == [one.about for one in SETTINGS]
