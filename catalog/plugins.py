"""Plug-ins: objects that packages installed next to ccgrid provide as entry points, loaded on first use."""

import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from io import FileIO
from pathlib import Path
from typing import Final, NamedTuple, TypeVar, cast

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.lazy_patterns import lazy_pattern

T = TypeVar("T")

_METADATA_SUFFIXES: Final = (".dist-info", ".egg-info")
_GROUPS: Final = ("ccgrid.games", "ccgrid.players", "ccgrid.sources", "ccgrid.layouts", "ccgrid.formats")
_OUR_GROUP: Final = b"[ccgrid."
"""The beginning of the line in `entry_points.txt` that names one of our groups."""

_NAME: Final = lazy_pattern(r"[a-z][a-z0-9_-]*")
"""The names that plug-ins may have, because the user types them."""


class PluginError(CatalogError):
    """Raised if a plug-in cannot be loaded; the message names it, its package, and the file and line of the error."""


class PluginWarning(UserWarning):
    """Issued if a plug-in cannot be loaded and is skipped."""


class Plugin(NamedTuple):
    """An entry point of one of our groups.

    Attributes:
        group: The group: `ccgrid.games`.
        name: The name within the group, as the user types it.
        target: The import path of the object: `package.module` or `package.module:attribute`.
        package: The name and version of the distribution that declares it.
    """

    group: str
    name: str
    target: str
    package: str

    @property
    def module(self) -> str:
        """The module that the target is, or that contains it."""
        return self.target.partition(":")[0].strip()

    def __str__(self) -> str:
        return f"plug-in '{self.name}' ({self.group}) of {self.package}"


@cache
def find_plugins(group: str, reserved: tuple[str, ...] = ()) -> Mapping[str, Plugin]:
    """Return the plug-ins of a group by name, in alphabetical order, without importing any of them.

    A plug-in with an invalid name, or with that of another one, is skipped with a warning.

    Args:
        group: The group: `ccgrid.formats`.
        reserved: Names that plug-ins may not have, such as those of built-in objects.
    """
    found: dict[str, Plugin] = {}
    for plugin in _declared(group):
        first = found.setdefault(plugin.name, plugin)
        if plugin.name in reserved or not _NAME.fullmatch(plugin.name):
            del found[plugin.name]
            skip_plugin(plugin, "ccgrid has the same name" if plugin.name in reserved else "its name is not valid")
        elif first != plugin:
            skip_plugin(plugin, f"{first.package} has the same name")
    return dict(sorted(found.items()))


def _declared(group: str) -> list[Plugin]:
    """Return the entry points of a group, in the order of the import path."""
    # Importing importlib.metadata takes nearly as long as importing Typer, and most users have no plug-ins.
    if not _has_plugins():
        return []
    from importlib.metadata import entry_points

    try:
        return [
            Plugin(
                group,
                entry.name,
                entry.value,
                f"{entry.dist.name} {entry.dist.version}" if entry.dist else "an unknown package",
            )
            for entry in entry_points(group=group)
        ]
    except Exception as error:  # any installed package may have damaged metadata
        _warn(f"The plug-ins of {group} are skipped: {describe_error(error)}.")
        return []


@cache
def _has_plugins() -> bool:
    """Return whether any installed package declares an entry point in one of our groups."""
    return any(_OUR_GROUP in text for folder in sys.path for text in _entry_point_files(folder or os.curdir))


def _entry_point_files(folder: str) -> Iterator[bytes]:
    """Yield the content of every readable `entry_points.txt` of the packages installed in a folder."""
    # `scandir` is faster than `Path.iterdir`, and most commands wait for it. A path for imports may be a zip file.
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(_METADATA_SUFFIXES):
                with suppress(OSError), FileIO(f"{entry.path}/entry_points.txt") as file:
                    yield file.readall()


_loaded: Final[dict[Plugin, object]] = {}
"""The objects of the loaded plug-ins, and the PluginError of each that could not be loaded."""


def load_plugin(plugin: Plugin, accept: Callable[[str, object], T]) -> T:
    """Return the object that a plug-in provides; load it on the first call.

    Args:
        plugin: The plug-in.
        accept: Called once with the name and the loaded object; returns the object to use, or raises an exception if
            it is not suitable.

    Raises:
        PluginError: If it cannot be loaded, or `accept` raises an exception.
    """
    if plugin not in _loaded:
        try:
            _loaded[plugin] = accept(plugin.name, _import_target(plugin.target))
        except (Exception, SystemExit) as error:
            message = f"The {plugin} cannot be loaded: {describe_error(error)}{_location(error, plugin)}."
            _loaded[plugin] = PluginError(message)
    loaded = _loaded[plugin]
    if isinstance(loaded, PluginError):
        raise loaded.with_traceback(None)
    return cast("T", loaded)


def load_plugins(group: str, accept: Callable[[str, object], T], reserved: Iterable[str] = ()) -> dict[str, T]:
    """Return the objects of all plug-ins of a group by name; skip each that cannot be loaded, with a warning.

    Args:
        group: The group: `ccgrid.formats`.
        accept: As in `load_plugin`.
        reserved: As in `find_plugins`.
    """
    objects: dict[str, T] = {}
    for plugin in find_plugins(group, tuple(reserved)).values():
        with skipped_if_broken(plugin):
            objects[plugin.name] = load_plugin(plugin, accept)
    return objects


def instance_of(kind: type[T], key: str = "name") -> Callable[[str, object], T]:
    """Return an `accept` for instances of a class whose attribute `key` is the name of the plug-in."""

    def accept(name: str, found: object) -> T:
        if not isinstance(found, kind):
            raise TypeError(f"it is not a {kind.__name__}, but of type {type(found).__name__}")
        if (own := getattr(found, key)) != name:
            raise ValueError(f"it is a {kind.__name__} with the {key} {own!r}")
        return found

    return accept


@contextmanager
def skipped_if_broken(plugin: Plugin) -> Iterator[None]:
    """Turn an exception that the code of a plug-in raises in the block into a warning that it is skipped."""
    try:
        yield
    except PluginError as error:
        _warn(f"{str(error).removesuffix('.')}; it is skipped.")
    except (Exception, SystemExit) as error:
        _warn(f"The {plugin} cannot be loaded: {describe_error(error)}{_location(error, plugin)}; it is skipped.")


def skip_plugin(plugin: Plugin, reason: str) -> None:
    """Warn that a plug-in is not used, once."""
    _warn(f"The {plugin} is skipped: {reason}.")


@cache
def _warn(message: str) -> None:
    """Issue a PluginWarning, once for each message."""
    warnings.warn(message, PluginWarning, stacklevel=3)


def _import_target(target: str) -> object:
    """Import the object with this import path, `package.module` or `package.module:attribute`."""
    module, _, attributes = target.partition(":")
    found: object = import_module(module.strip())
    for name in filter(None, attributes.strip().split(".")):
        found = getattr(found, name)
    return found


def describe_error(error: BaseException) -> str:
    """Return the type and the first line of an error."""
    # The text of a SyntaxError repeats the name of the file and the line.
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    first = text.partition("\n")[0].removesuffix(".")
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


def find_culprit(error: BaseException) -> str | None:
    """Return the plug-in in whose code an error occurred, with the file and line, or None.

    The traceback does not outlive a worker process; there `remember_culprit` has found it.
    """
    known: str | None = getattr(error, "culprit", None)
    return known or next(
        (f"the {plugin}{place}" for plugin in _all_plugins() if (place := _location(error, plugin))), None
    )


def remember_culprit(error: BaseException) -> None:
    """Store the result of `find_culprit` in an error that is sent to another process."""
    if culprit := find_culprit(error):
        error.culprit = culprit  # type: ignore[attr-defined]


def loaded_plugins() -> list[Plugin]:
    """Return the plug-ins that this process has loaded."""
    return [plugin for plugin, loaded in _loaded.items() if not isinstance(loaded, PluginError)]


def _all_plugins() -> list[Plugin]:
    return [plugin for group in _GROUPS for plugin in _declared(group)]


def _location(error: BaseException, plugin: Plugin) -> str:
    """Return the file and line of an error in the code of a plug-in, in brackets, or "" if it occurred elsewhere."""
    top = plugin.module.partition(".")[0]
    if isinstance(error, SyntaxError) and top in (
        part.removesuffix(".py") for part in Path(error.filename or "").parts
    ):
        return f" ({error.filename}, line {error.lineno})"
    places = [f" ({file}, line {line})" for name, file, line in _calls(error) if name.partition(".")[0] == top]
    return places[-1] if places else ""


def _calls(error: BaseException) -> Iterator[tuple[str, str, int]]:
    """Yield the module, file and line of each call in the traceback of an error, the innermost last."""
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame
        yield str(code.f_globals.get("__name__", "")), code.f_code.co_filename, step.tb_lineno
        step = step.tb_next
