"""Examination of the installation: locations, versions, and problems with advice."""

import locale
import os
import platform
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires, version
from itertools import islice
from pathlib import Path
from typing import Final, Literal, NamedTuple, Self

import msgspec
import platformdirs

from ccgrid.catalog.collection.formats.apps import broken_files, own_folder_list
from ccgrid.catalog.download.cache import cache_folder
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.evidence import EvidenceReader
from ccgrid.catalog.extras import EXTRAS, is_installed
from ccgrid.catalog.files import LOGS
from ccgrid.catalog.formatting import amount, counted, shell_word
from ccgrid.catalog.imports.run import reading_of
from ccgrid.catalog.layouts.layout_file import all_layouts, find_layout, user_folders
from ccgrid.catalog.sources import all_sources, own_source_folders, own_sources
from ccgrid.catalog.sources.source import LAYOUT_FROM_DATA, Source
from ccgrid.catalog.store.file import usual_path
from ccgrid.catalog.store.health import SQLITE_VERSION, Health, check_health
from ccgrid.catalog.store.mending import mend
from ccgrid.engine.rows.saved_code import can_compile
from ccgrid.services.catalogue import catalogue_path
from ccgrid.services.config import read_file
from ccgrid.services.saved_games import games_folder, left_games, records_of


def mend_catalogue(database: Path | None) -> str | None:
    """Rescue the readable part of a damaged catalogue and describe it; return None if it is undamaged or missing.

    Raises:
        CatalogError: If nothing can be read, or there is no room. The file is unchanged then.
    """
    path = catalogue_path(database)
    if not path.is_file():
        return None
    health = check_health(path)
    saved = mend(path, is_damaged=bool(health.damage or health.fault))
    if saved is None:
        return None
    whole = f"not all of: {', '.join(saved.lost)}" if saved.lost else "nothing is lost"
    return (
        f"Saved {counted(saved.rows['cards'], 'card')} and {counted(saved.rows['holdings'], 'entry', 'entries')} "
        f"of your collection; {whole}."
        f" The damaged file is now {saved.damaged}."
    )


_MOST_FOLDERS: Final = 10_000
"""The most subfolders that are examined, since a folder may contain everything."""
_COMPILED: Final = "compiled"


PlaceWord = Literal[
    "program", "command", "catalogue", "downloads", "games", "layouts", "sources", "formats", "compiled"
]


class FileLocation(msgspec.Struct, frozen=True):
    """A file or folder that the program uses.

    Attributes:
        said_by: The environment variable or option that names it. Null for the default location.
        bytes: The size of all its content. Null for the program itself.
        free: Free bytes on its disk. Null if unknown.
    """

    what: PlaceWord
    path: str
    said_by: str | None = None
    exists: bool = False
    bytes: int | None = None
    free: int | None = None


def file_locations(database: Path | None, *, said_by: str = "") -> list[FileLocation]:
    """Return all locations; `said_by` is the option that named the database."""
    command = command_on_path()
    return [
        _place("program", Path(__file__).parents[2], "", sized=False),
        *([_place("command", command, "", sized=False)] if command else []),
        _place("catalogue", catalogue_path(database), said_by or _if_set("CCGRID_DB")),
        _place("downloads", cache_folder(), _if_set("CCGRID_CACHE")),
        _place("games", games_folder(), _if_set("CCGRID_STATE")),
        *(_place("layouts", folder, _if_set("CCGRID_LAYOUTS")) for folder in user_folders()),
        *(_place("sources", folder, _if_set("CCGRID_SOURCES")) for folder in own_source_folders()),
        *(_place("formats", folder, _if_set("CCGRID_FORMATS")) for folder in own_folder_list()),
        _place(_COMPILED, platformdirs.user_cache_path("ccgrid") / _COMPILED, ""),
    ]


def command_on_path() -> Path | None:
    """Return the command that the shell runs for `ccgrid`, or None if it finds none."""
    found = shutil.which("ccgrid")
    return Path(found) if found else None


def own_command() -> Path:
    """Return the path of this installation's command, if it has one."""
    return Path(sys.executable).parent / ("ccgrid.exe" if sys.platform == "win32" else "ccgrid")


def _if_set(variable: str) -> str:
    return f"${variable}" if os.environ.get(variable) else ""


def _place(what: PlaceWord, path: Path, said_by: str, *, sized: bool = True) -> FileLocation:
    size = _size(path) if sized else None
    is_there = os.path.exists(path)  # noqa: PTH110  False without permission
    return FileLocation(what, str(path), said_by or None, is_there, size, _free(path))


def _size(path: Path) -> int:
    """Return the size of a file with SQLite's files next to it, or of all files in a folder."""
    return sum(_bytes(file) for file in _files(path))


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        for folder, below, names in islice(os.walk(path), _MOST_FOLDERS):
            if _COMPILED in below:  # is a location of its own
                below.remove(_COMPILED)
            yield from (Path(folder, name) for name in names)
        return
    yield from (Path(f"{path}{log}") for log in ("", *LOGS))


def _bytes(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _free(path: Path) -> int | None:
    """Return the free bytes on the disk of a path, which need not exist."""
    for folder in (path, *path.absolute().parents):
        with suppress(OSError):
            return shutil.disk_usage(folder).free
    return None


LOW_DISK_SPACE_BYTES: Final = 500_000_000
"""Free bytes below which there is a finding: the cards of Magic take 150 MB, and their download as much again."""


class CatalogueHealth(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """State of the catalogue's file. Counts that could not be read are omitted.

    Attributes:
        whole: Whether the file is undamaged.
        version: Version of its tables; 0 if it has none.
        damage: Descriptions of the damage.
        names_lost: Names missing from the search index.
        cards_gone: Owned cards that are missing from all sources.
        out_of_nowhere: Cards checked out in decks that are not in the collection.
    """

    whole: bool
    version: int
    damage: list[str]
    cards: int | msgspec.UnsetType = msgspec.UNSET
    games: int | msgspec.UnsetType = msgspec.UNSET
    copies: int | msgspec.UnsetType = msgspec.UNSET
    boxes: int | msgspec.UnsetType = msgspec.UNSET
    doubts: int | msgspec.UnsetType = msgspec.UNSET
    decks_out: int | msgspec.UnsetType = msgspec.UNSET
    names_lost: int | msgspec.UnsetType = msgspec.UNSET
    cards_gone: int | msgspec.UnsetType = msgspec.UNSET
    out_of_nowhere: int | msgspec.UnsetType = msgspec.UNSET

    @classmethod
    def of(cls, health: Health) -> Self:
        """Summarise the health of a catalogue's file."""
        damage = [*filter(None, [health.fault]), *health.damage]
        return cls(whole=not damage, version=health.version, damage=damage, **health.counts)


class Finding(msgspec.Struct, frozen=True):
    """A problem or something unusual.

    Attributes:
        code: A short word for scripts.
        message: A sentence that describes it.
        mend: What to do about it: a command or a sentence.
        serious: Whether something does not work because of it.
    """

    code: str
    message: str
    mend: str
    serious: bool = False


class Examination(msgspec.Struct, frozen=True, kw_only=True):
    """Where everything is and whether it works.

    Attributes:
        ok: Whether there is no serious finding.
        versions: Versions of ccgrid, Python, SQLite, the system and each library in use.
        extras: Whether each optional extra is installed.
        catalogue: Null if there is no catalogue.
        findings: Problems and unusual things, serious ones first.
    """

    ok: bool
    versions: dict[str, str]
    extras: dict[str, bool]
    places: list[FileLocation]
    catalogue: CatalogueHealth | None
    findings: list[Finding]


class Installation(NamedTuple):
    """What the checks examine: the path and the health of the catalogue, and all locations."""

    database: Path
    catalogue: Health | None
    places: list[FileLocation]


def run_checks(
    database: Path | None, *, said_by: str = "", tell: Callable[[int, int], None] = lambda done, total: None
) -> Examination:
    """Examine the installation without changing anything.

    `said_by` is the option that named the database, if any. `tell` receives the finished steps and their total.
    """
    tell(0, len(CHECKS) + 1)
    path = catalogue_path(database)
    health = check_health(path) if path.is_file() else None
    installation = Installation(path, health, file_locations(database, said_by=said_by))
    findings = list[Finding]()
    for done, check in enumerate(CHECKS, 1):
        tell(done, len(CHECKS) + 1)
        findings += check(installation)
    findings.sort(key=lambda finding: not finding.serious)
    return Examination(
        ok=not any(finding.serious for finding in findings),
        versions=_versions(),
        extras=_extras(),
        places=installation.places,
        catalogue=None if health is None else CatalogueHealth.of(health),
        findings=findings,
    )


def _versions() -> dict[str, str]:
    named = (re.match(r"[\w.-]+", line) for line in requires("ccgrid") or () if "extra ==" not in line)
    system = f"{platform.system()} {platform.release()}".strip()
    program = {"ccgrid": version("ccgrid"), "python": platform.python_version(), "sqlite": SQLITE_VERSION}
    return {**program, "system": system, **{name[0]: _version(name[0]) for name in named if name}}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _extras() -> dict[str, bool]:
    return {"fast": can_compile(), **{name: is_installed(name) for name in EXTRAS}}


# --- checks ---------------------------------------------------------------------------------------------------------


def _check_file(found: Installation) -> Iterator[Finding]:
    """Check that the catalogue's file exists, is a catalogue, undamaged and writable."""
    path, health = found.database, found.catalogue
    if health is None:
        if path.exists():
            yield Finding("not-a-file", f"{path} is not a file.", "Name a file with --db or $CCGRID_DB.", serious=True)
        else:
            yield Finding(
                "no-catalogue",
                "There is no catalogue yet; play and simulate use the bundled cards.",
                "ccgrid import starter",
            )
        return
    if health.fault:
        advice = health.advice or "Name another with --db or $CCGRID_DB."
        yield Finding("unreadable", f"{path} {health.fault}.", advice, serious=True)
    elif health.damage:
        what = f"{path} is damaged: {health.damage[0]}."
        yield Finding("damaged", what, "To save all readable data: ccgrid doctor --mend", serious=True)
    if not health.fault and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        what = f"{path}, or its folder, is not writable."
        yield Finding("read-only", what, "Change the permissions of the file and its folder.", serious=True)


def _check_contents(found: Installation) -> Iterator[Finding]:
    """Check for unsearchable cards, missing cards, lost checked-out copies and pending rows."""
    counts = found.catalogue.counts if found.catalogue else {}
    if found.catalogue and not found.catalogue.fault and counts.get("cards") == 0:
        yield Finding("empty", "The catalogue is empty.", "ccgrid import starter")
    if number := counts.get("names_lost"):
        what = f"{counted(number, 'card name')} {'is' if number == 1 else 'are'} missing from the search index."
        yield Finding("names-lost", what, "Import their sources again (see ccgrid sources).", serious=True)
    if number := counts.get("cards_gone"):
        what = f"{counted(number, 'card')} that you own {'is' if number == 1 else 'are'} no longer in the catalogue."
        yield Finding("cards-gone", what, "ccgrid collection verify")
    if number := counts.get("out_of_nowhere"):
        what = (
            f"{counted(number, 'card')} of decks that are out {'is' if number == 1 else 'are'} "
            "no longer in your collection."
        )
        yield Finding("out-of-nowhere", what, "ccgrid collection out, then: ccgrid collection put-back DECK --done")
    if number := counts.get("doubts"):
        what = f"{counted(number, 'row')} of imported files {'has' if number == 1 else 'have'} no certain match."
        yield Finding("doubts", what, "ccgrid collection doubts")


def _check_readings(found: Installation) -> Iterator[Finding]:
    """Check for sources that were read differently than they would be now."""
    readings = found.catalogue.readings if found.catalogue else {}
    listed = {source.key(source.layout or ""): source for source in all_sources()} if readings else {}
    for key, (reading, address) in readings.items():
        source = listed.get(key)
        if source is not None and source.layout != LAYOUT_FROM_DATA and reading not in (_reading_now(source), None):
            what = f"The cards of {source.name} were read with another layout, or an earlier version of it."
            file = f" {shell_word(address)}" if Path(address).exists() else ""
            yield Finding("read-before", what, f"ccgrid import {source.name}{file}")


def _reading_now(source: Source) -> str | None:
    try:
        return reading_of(source, EvidenceReader() if source.layout is None else find_layout(source.layout))
    except CatalogError:
        return None  # a broken own layout, which another check reports


def _check_other_catalogue(found: Installation) -> Iterator[Finding]:
    """Check for a catalogue at the default location while another one is used."""
    usual = usual_path()
    if usual.is_file() and usual.absolute() != found.database.absolute():
        what = f"There is also a catalogue at {usual}, which is not used now."
        yield Finding("two-catalogues", what, "To use it, leave out --db and $CCGRID_DB.")


def _check_settings(_: Installation) -> Iterator[Finding]:
    """Check for unreadable settings."""
    for fault in read_file().faults:
        yield Finding("settings", fault, "Correct the file, or: ccgrid config unset NAME", serious=True)


def _check_own_files(_: Installation) -> Iterator[Finding]:
    """Check for unreadable layouts, sources, formats and words of the user."""
    unreadable = {"layout": all_layouts()[1], "source": own_sources()[1], "format": broken_files()}
    for code, errors in unreadable.items():
        for error in errors:
            yield Finding(code, error.first_line, "Correct the file, or remove it from the folder.", serious=True)


def _check_games(_: Installation) -> Iterator[Finding]:
    """Check for unfinished games, and for unreadable ones."""
    left, wrong = 0, list[str]()
    for saved in left_games():
        try:
            records_of(saved)
        except CatalogError as error:
            wrong.append(error.first_line)
        else:
            left += 1
    if wrong:
        number = "An unfinished game is" if len(wrong) == 1 else f"{len(wrong):,} unfinished games are"
        yield Finding("damaged-game", f"{number} damaged: {wrong[0]}", "Move the file away.")
    if left:
        what = "There is an unfinished game." if left == 1 else f"{left:,} unfinished games; the last one:"
        yield Finding("games-left", what, "ccgrid play --load last")


def _check_downloads(found: Installation) -> Iterator[Finding]:
    """Check for incomplete downloads."""
    for place in found.places:
        if place.what == "downloads" and place.exists:
            parts = [path for path in Path(place.path).rglob("*.part") if path.is_file()]
            if parts:
                size = sum(path.stat().st_size for path in parts)
                what = f"{counted(len(parts), 'download')} broke off, {amount(size)}: {parts[0].parent}"
                yield Finding("part", what, "Import again to continue, or delete the files.")


def _check_disk_space(found: Installation) -> Iterator[Finding]:
    """Check for nearly full disks, each once."""
    seen = set[int]()
    for place in found.places:
        if (
            place.what != "program"
            and place.free is not None
            and place.free < LOW_DISK_SPACE_BYTES
            and place.free not in seen
        ):
            seen.add(place.free)
            what = f"Only {amount(place.free)} of disk space is free for {place.path}."
            mend = "Free some space, or choose other locations: --db, $CCGRID_CACHE, $CCGRID_STATE."
            yield Finding("room", what, mend, serious=place.free < LOW_DISK_SPACE_BYTES // 50)


def _check_folders(found: Installation) -> Iterator[Finding]:
    """Check for missing folders that an environment variable names."""
    for place in found.places:
        if place.what == "layouts" and place.said_by and not place.exists:
            what = f"{place.said_by} names {place.path}, which does not exist."
            yield Finding("no-folder", what, f"Create the folder, or correct {place.said_by}.")


def _check_command(_: Installation) -> Iterator[Finding]:
    """Check whether the shell finds the command `ccgrid` of this installation."""
    called, own = command_on_path(), own_command()
    if called is None:
        where = f": {own}" if own.exists() else ""
        mend = "Activate the environment it is installed in, or install it with: pipx install ."
        yield Finding("no-command", f"The shell does not find the command ccgrid{where}.", mend)
    elif own.exists() and not called.samefile(own):
        what = f"The shell starts {called}, but you are running {own}."
        yield Finding("other-command", what, "Activate the environment that you mean, or uninstall the other one.")


def _check_encoding(_: Installation) -> Iterator[Finding]:
    """Check for an encoding without Unicode, in which boards are drawn with + and -."""
    encoding = locale.getpreferredencoding(do_setlocale=False)
    if encoding.lower().replace("-", "") != "utf8":
        what = f"The text encoding here is {encoding}, which cannot draw boards with lines."
        yield Finding("encoding", what, "Set PYTHONUTF8=1, or choose a UTF-8 locale such as C.UTF-8.")


CHECKS: Final[tuple[Callable[[Installation], Iterator[Finding]], ...]] = (
    _check_file,
    _check_contents,
    _check_readings,
    _check_other_catalogue,
    _check_settings,
    _check_own_files,
    _check_games,
    _check_downloads,
    _check_disk_space,
    _check_folders,
    _check_command,
    _check_encoding,
)
"""All checks, in order."""
