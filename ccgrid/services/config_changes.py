"""Changes of the user's settings, and the list of all settings."""

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec
import tomlkit

from ccgrid.catalog.copy_terms import known_language
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.files import lock_beside, make_folder, write_atomically
from ccgrid.engine.games import find_game
from ccgrid.services.config import SETTINGS, check_setting, config_path, line_of, parse_config


class ShownSetting(msgspec.Struct, frozen=True):
    """A setting: its value, null if it has none, and its source."""

    name: str
    value: str | None
    source: str
    variable: str
    about: str


class Configuration(msgspec.Struct, frozen=True):
    """The file of settings, and the current value of each setting."""

    path: str
    exists: bool
    settings: list[ShownSetting]


def list_settings(settings: Mapping[str, str]) -> Configuration:
    """List all settings with their values and sources; `settings` are those in the file."""
    path = config_path()
    found: list[ShownSetting] = []
    for one in SETTINGS:
        variable = next((name for name in one.variable.split(", ") if os.environ.get(name)), None)
        value = os.environ[variable] if variable else settings.get(one.name)
        source = f"${variable}" if variable else "file" if one.name in settings else "default"
        found.append(ShownSetting(one.name, value, source, one.variable, one.about))
    return Configuration(str(path), path.exists(), found)


def change(name: str, value: str | None) -> None:
    """Set a default, or with None remove it from the file; the rest of the file stays, even if it is damaged.

    Raises:
        NoSuchNameError: If there is no such setting, value, game or language.
        CatalogError: If a value cannot be set because the file is damaged.
    """
    path = config_path()
    if value is not None:
        check_setting(name, value)
    if name == "game" and value is not None:
        find_game(value)
    if name == "language" and value is not None:
        known_language(value)
    make_folder(path.parent)
    with lock_beside(path):
        before = path.read_bytes() if os.path.lexists(path) else b""
        after = _without_setting(before, name) if value is None else _with_setting(path, before, name, value)
        if after != before:
            write_atomically(path, after)
        elif value is None:
            check_setting(name)


def _with_setting(path: Path, before: bytes, name: str, value: str) -> bytes:
    """Return the content of the file with a new value of a setting; raise CatalogError if it is or stays damaged."""
    try:
        document = tomlkit.parse(before.decode("utf-8-sig"))
    except ValueError as error:
        raise CatalogError(next(iter(parse_config(path, before).faults), f"{path}: {error}")) from None
    is_number = name == "think"
    document[name] = value if not is_number else int(value) if value.isdecimal() else float(value)
    after = tomlkit.dumps(document).encode()
    if faults := parse_config(path, after).faults:
        raise CatalogError(faults[0])
    return after


def _without_setting(before: bytes, name: str) -> bytes:
    """Return the content of the file without a setting; of a file that is not TOML, without the lines that set it."""
    try:
        document = tomlkit.parse(before.decode("utf-8-sig"))
    except ValueError:
        lines = before.decode("latin-1").splitlines(keepends=True)  # latin-1 maps every byte to a character and back
        return "".join(line for line in lines if not line_of(name).match(line)).encode("latin-1")
    if name in document:
        del document[name]
    return tomlkit.dumps(document).encode()
