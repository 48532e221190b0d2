"""The user's default settings, for options that neither the command line nor the environment sets."""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from ccgrid.catalog.errors import CatalogError, NoSuchNameError
from ccgrid.catalog.user_folders import user_folder


class Setting(NamedTuple):
    """A setting: name, overriding environment variable, description, and allowed values (empty if any)."""

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
_LARGEST_FILE: Final = 1 << 16  # bytes
_DEFAULTS_BY_COMMAND: Final = {
    **dict.fromkeys(("simulate", "arena", "rules", "learn", "puzzle", "deck new"), ("game",)),
    "play": ("game", "players"),
    "collection add": ("language",),
    **dict.fromkeys(("advise", "analyze"), ("think",)),
}
"""The settings, besides the database, that are defaults of each command."""


def config_path() -> Path:
    """Return the file of settings: `$CCGRID_CONFIG`, or `config.toml` in the platform's folder for settings."""
    if given := os.environ.get("CCGRID_CONFIG"):
        return Path(given)
    return user_folder("config") / "config.toml"


class ConfigFile(NamedTuple):
    """The usable settings in the file, and the faults of the others."""

    settings: dict[str, str]
    faults: tuple[str, ...] = ()


def read_config() -> dict[str, str]:
    """Return the settings in the file, or none if there is no file.

    Raises:
        CatalogError: If the file cannot be read, or has a setting or value that does not exist.
    """
    found = read_file()
    if found.faults:
        raise CatalogError(found.faults[0])
    return found.settings


def read_file() -> ConfigFile:
    """Return the usable settings of the file, so that a damaged one can be examined and corrected."""
    path = config_path()
    if not os.path.lexists(path):
        return ConfigFile({})
    try:
        return parse_config(path, path.read_bytes())
    except OSError as error:
        return ConfigFile({}, (f"{path} cannot be read: {error.strerror or error}.",))


def parse_config(path: Path, data: bytes) -> ConfigFile:
    """Parse the content of the file of settings; unusable settings become faults."""
    from ccgrid.catalog.documents import DocumentError, Limits, load_toml, read_text

    limits = Limits(_LARGEST_FILE)
    try:
        text = read_text(data, limits)
        table = load_toml(text, limits)
    except DocumentError as error:
        return ConfigFile({}, (f"{path}: the file {error}.",))
    settings, faults = dict[str, str](), list[str]()
    for name, value in table.items():
        try:
            settings[name] = _checked(name, value)
        except NoSuchNameError as error:
            place = line_of(name).search(text)
            line = f", line {text.count(chr(10), 0, place.end()) + 1}" if place else ""
            faults.append(f"{path}{line}: {error}")
    return ConfigFile(settings, tuple(faults))


def _checked(name: str, value: object) -> str:
    """Return the value of a setting as text; raise NoSuchNameError if there is no such setting or value."""
    is_text = isinstance(value, str | int | float) and not isinstance(value, bool)
    check_setting(name, str(value) if is_text else None)
    if not is_text:
        raise NoSuchNameError(
            f"the value of {name} is not a text: write it in quotes.", kind=f"value of {name}", name=str(value)
        )
    return str(value)


def line_of(name: str) -> re.Pattern[str]:
    """Return a pattern of the beginning of the line that has a setting."""
    key = re.escape(name)
    return re.compile(rf"""^[ \t]*(?:(["']?){key}\1[ \t]*(?=[=.])|\[+[ \t]*(?={key}\b))""", re.M)


def check_setting(name: str, value: str | None = None) -> Setting:
    """Return the setting of this name.

    Raises:
        NoSuchNameError: If there is no such setting or value.
    """
    for setting in SETTINGS:
        if setting.name == name:
            if value is not None and setting.values and value not in setting.values:
                raise NoSuchNameError(
                    f"{name} is one of {', '.join(setting.values)}, not {value!r}.",
                    kind=f"value of {name}",
                    name=value,
                    known=setting.values,
                )
            if name == "think" and value is not None and not value.replace(".", "", 1).isdecimal():
                raise NoSuchNameError(
                    f"think is a number of seconds, not {value!r}.", kind="value of think", name=value
                )
            return setting
    known = [setting.name for setting in SETTINGS]
    raise NoSuchNameError(
        f"There is no setting {name!r}. There are: {', '.join(known)}.", kind="setting", name=name, known=known
    )


def defaults(settings: Mapping[str, str], commands: Iterable[str]) -> dict[str, Any]:
    """Return the defaults of each command, by its words, for Click.

    Click applies them after options and the environment.
    """
    given = {one.name: os.environ.get(one.variable) or settings.get(one.name) for one in SETTINGS}
    found: dict[str, Any] = {}
    for words in commands if any(given.values()) else ():
        names = ("database", *_DEFAULTS_BY_COMMAND.get(words, ()))
        inner = found
        for word in words.split():
            inner = inner.setdefault(word, {})
        inner.update({name: value for name in names if (value := given[name])})
    return found


def set_environment(settings: Mapping[str, str]) -> None:
    """Apply the settings for colour and pager, unless environment variables set them."""
    colour, pager = settings.get("colour"), settings.get("pager")
    if colour in ("always", "never") and not (os.environ.get("NO_COLOR") or os.environ.get("FORCE_COLOR")):
        os.environ["FORCE_COLOR" if colour == "always" else "NO_COLOR"] = "1"
    if pager and "PAGER" not in os.environ:
        os.environ["PAGER"] = "cat" if pager == "off" else pager
