"""Defaults of a person, in a file: what commands take where neither an option nor the environment says it.

And the folder in which the program keeps what it notes down.
"""

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, TypedDict

from ccgrid.catalog.errors import CatalogError, NoSuchNameError


class Setting(NamedTuple):
    """A default: its name, the variable that comes before it, what it is, and all that it may be, if that is closed."""

    name: str
    variable: str
    about: str
    values: tuple[str, ...] = ()


SETTINGS: Final = (
    Setting("game", "CCGRID_GAME", "the game of play, simulate, arena, rules, learn, puzzle and deck new"),
    Setting("players", "CCGRID_PLAYERS", "the players of play, such as Ann,fair"),
    Setting("database", "CCGRID_DB", "the catalogue file"),
    Setting("language", "CCGRID_LANGUAGE", "the language of cards that you add"),
    Setting("colour", "NO_COLOR, FORCE_COLOR", "colour in what is printed", ("auto", "always", "never")),
    Setting("pager", "PAGER", "the program that shows long output; off for none"),
    Setting("think", "CCGRID_THINK", "seconds to think in advise and analyze"),
)
_OF_COMMANDS: Final = {
    **dict.fromkeys(("simulate", "arena", "rules", "learn", "puzzle", "deck new"), ("game",)),
    "play": ("game", "players"),
    "collection add": ("language",),
    **dict.fromkeys(("advise", "analyze"), ("think",)),
}
"""Beside the database, which settings are defaults of which commands."""


class SettingJson(TypedDict):
    """A setting: its value, null where it has none, and where that comes from."""

    name: str
    value: str | None
    source: str
    variable: str
    about: str


class ConfigJson(TypedDict):
    """The file of settings, and what each is now."""

    path: str
    exists: bool
    settings: list[SettingJson]


def config_path() -> Path:
    """The file of settings: `$CCGRID_CONFIG`, else `config.toml` in the platform's folder for settings."""
    if given := os.environ.get("CCGRID_CONFIG"):
        return Path(given)
    if sys.platform in ("win32", "darwin"):
        from platformdirs import user_config_path

        return user_config_path("ccgrid", appauthor=False) / "config.toml"
    # As platformdirs has it, which would take a tenth of the time of a short command to load.
    return Path(os.environ.get("XDG_CONFIG_HOME", "").strip() or Path.home() / ".config") / "ccgrid" / "config.toml"


def state_folder() -> Path:
    """Where what is noted down is kept: in `$CCGRID_STATE`, else in the platform's folder for that."""
    if state := os.environ.get("CCGRID_STATE"):
        return Path(state)
    from platformdirs import user_state_path

    return user_state_path("ccgrid", appauthor=False)


def read_config() -> dict[str, str]:
    """The settings in the file; none where there is no file.

    Raises:
        CatalogError: the file cannot be read, or says something that is no setting.
    """
    path = config_path()
    if not os.path.lexists(path):
        return {}
    from ccgrid.catalog.documents import DocumentError, Limits, load_toml, read_text

    try:
        limits = Limits(_LARGEST)
        table = load_toml(read_text(path.read_bytes(), limits), limits)
    except OSError as error:
        raise CatalogError(f"{path} cannot be read: {error.strerror or error}.") from None
    except DocumentError as error:
        raise CatalogError(f"{path}: the file {error}.") from None
    found = {str(key): str(value) for key, value in table.items()}
    for name, value in found.items():
        check_setting(name, value)
    return found


def check_setting(name: str, value: str | None = None) -> Setting:
    """The setting of this name; NoSuchNameError where there is none, or no such value of it."""
    for setting in SETTINGS:
        if setting.name == name:
            if value is not None and setting.values and value not in setting.values:
                raise NoSuchNameError(f"{name} is one of {', '.join(setting.values)}, not {value!r}.")
            if name == "think" and value is not None and not value.replace(".", "", 1).isdecimal():
                raise NoSuchNameError(f"think is a number of seconds, not {value!r}.")
            return setting
    raise NoSuchNameError(f"There is no setting {name!r}. There are: {', '.join(one.name for one in SETTINGS)}.")


def change(name: str, value: str | None) -> None:
    """Set a default, or with None take it out of the file.

    Raises:
        NoSuchNameError: there is no such setting, value, game or language.
    """
    from tomli_w import dumps

    from ccgrid.catalog.files import make_folder, write_whole

    check_setting(name, value)
    if name == "game" and value is not None:
        from ccgrid.engine.games import find_game

        find_game(value)
    if name == "language" and value is not None:
        from ccgrid.catalog.holding import known_language

        known_language(value)
    settings = {key: one for key, one in read_config().items() if key != name}
    if value is not None:
        settings[name] = value
    path = config_path()
    make_folder(path.parent)
    write_whole(path, dumps(dict(sorted(settings.items()))))


def settings_json(settings: Mapping[str, str]) -> ConfigJson:
    """What each setting is, and where that comes from, in the order in which they are asked."""
    path = config_path()
    found: list[SettingJson] = []
    for one in SETTINGS:
        variables = one.variable.split(", ")
        variable = next((name for name in variables if os.environ.get(name)), None)
        value = os.environ[variable] if variable else settings.get(one.name)
        source = f"${variable}" if variable else "file" if one.name in settings else "default"
        found.append({"name": one.name, "value": value, "source": source, "variable": one.variable, "about": one.about})
    return {"path": str(path), "exists": path.exists(), "settings": found}


def defaults(settings: Mapping[str, str], commands: Iterable[str]) -> dict[str, Any]:
    """The defaults of each command, by its words, as Click asks for them: after an option and the environment."""
    given = {one.name: os.environ.get(one.variable) or settings.get(one.name) for one in SETTINGS}
    found: dict[str, Any] = {}
    for words in commands if any(given.values()) else ():
        names = ("database", *_OF_COMMANDS.get(words, ()))
        inner = found
        for word in words.split():
            inner = inner.setdefault(word, {})
        inner.update({name: value for name in names if (value := given[name])})
    return found


_LARGEST: Final = 1 << 16


def set_environment(settings: Mapping[str, str]) -> None:
    """Let colour and pager be as the settings say, where the environment does not say it."""
    colour, pager = settings.get("colour"), settings.get("pager")
    if colour in ("always", "never") and not (os.environ.get("NO_COLOR") or os.environ.get("FORCE_COLOR")):
        os.environ["FORCE_COLOR" if colour == "always" else "NO_COLOR"] = "1"
    if pager and "PAGER" not in os.environ:
        os.environ["PAGER"] = "cat" if pager == "off" else pager
