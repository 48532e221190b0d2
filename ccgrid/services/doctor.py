"""How this installation is: where everything is, which versions there are, what is odd and how to mend it."""

import locale
import os
import platform
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Final, Literal, NotRequired, TypedDict, cast

import platformdirs

from ccgrid.catalog.collection.formats.apps import broken_files, own_folder_list
from ccgrid.catalog.download.cache import cache_folder
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.evidence import EvidenceReader
from ccgrid.catalog.files import LOGS
from ccgrid.catalog.formatting import amount, counted, shell_word
from ccgrid.catalog.imports.run import reading_of
from ccgrid.catalog.layouts.layout_file import all_layouts, find_layout, user_folders
from ccgrid.catalog.sources import all_sources, own_source_folders, own_sources
from ccgrid.catalog.sources.source import LAYOUT_FROM_DATA, Source
from ccgrid.catalog.store.file import usual_path
from ccgrid.catalog.store.health import SQLITE_VERSION, Health, check_health, mend
from ccgrid.engine.many.kernels import can_compile
from ccgrid.services.catalogue import catalogue_path
from ccgrid.services.config import read_file
from ccgrid.services.saved_games import games_folder, left_games, records_of


def mend_catalogue(database: Path | None) -> str | None:
    """Saves what can be read of a damaged catalogue, and says what; nothing where the catalogue is whole, or none.

    Raises:
        CatalogError: nothing of it can be read, or there is no room; all is as it was.
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
"""So many folders inside one are looked at: it may be one that holds everything."""
_COMPILED: Final = "compiled"


PlaceWord = Literal[
    "program", "command", "catalogue", "downloads", "games", "layouts", "sources", "formats", "compiled"
]


class FileLocationJson(TypedDict):
    """A file or a folder of the program's, and who named it; null for the usual place.

    `bytes` is the size of all that is in it, null of the program itself; `free` are those free on its disk.
    """

    what: PlaceWord
    path: str
    said_by: str | None
    exists: bool
    bytes: int | None
    free: int | None


@dataclass(frozen=True, slots=True)
class FileLocation:
    """A file or a folder of the program's.

    Attributes:
        what: `program`, `command`, `catalogue`, `downloads`, `games`, `layouts`, `formats` or `compiled`.
        path: where it is.
        said_by: an environment variable or `--db`; empty for the usual place.
        is_there: whether it exists.
        size: of all that is in it, in bytes; None of the program itself.
        free: bytes that are free on its disk; None where that is not known.
    """

    what: PlaceWord
    path: Path
    said_by: str = ""
    is_there: bool = False
    size: int | None = None
    free: int | None = None

    def to_dict(self) -> FileLocationJson:
        """A place in the documented shape of `doctor --json`."""
        return {
            "what": self.what,
            "path": str(self.path),
            "said_by": self.said_by or None,
            "exists": self.is_there,
            "bytes": self.size,
            "free": self.free,
        }


def file_locations(database: Path | None, *, said_by: str = "") -> list[FileLocation]:
    """All of them; `said_by` is who named the database."""
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
    """What the shell starts when somebody types `ccgrid`; None where it finds no such command."""
    found = shutil.which("ccgrid")
    return Path(found) if found else None


def own_command() -> Path:
    """Where this installation's command is, if it has one."""
    return Path(sys.executable).parent / ("ccgrid.exe" if sys.platform == "win32" else "ccgrid")


def _if_set(variable: str) -> str:
    return f"${variable}" if os.environ.get(variable) else ""


def _place(what: PlaceWord, path: Path, said_by: str, *, sized: bool = True) -> FileLocation:
    return FileLocation(what, path, said_by, _is_there(path), _size(path) if sized else None, _free(path))


def _is_there(path: Path) -> bool:
    return os.path.exists(path)  # noqa: PTH110  says no where it may not look


def _size(path: Path) -> int:
    """The bytes of a file with what SQLite keeps beside it, or of all files in a folder."""
    return sum(_bytes(file) for file in _files(path))


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        for folder, below, names in islice(os.walk(path), _MOST_FOLDERS):
            if _COMPILED in below:  # stands in the list itself
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
    """What is free on the disk on which a path is, or would be."""
    for folder in (path, *path.absolute().parents):
        with suppress(OSError):
            return shutil.disk_usage(folder).free
    return None


LITTLE: Final = 500_000_000
"""Fewer bytes than this that are free are told: the cards of Magic take 150 MB, and their download as many."""

_SCANNING: Final = ("cv2", "onnxruntime", "rapidocr")


class FindingJson(TypedDict):
    """Something that is odd: a word for it, what it is, what to do, and whether something does not work for it."""

    code: str
    message: str
    mend: str
    serious: bool


class CatalogueHealthJson(TypedDict):
    """How the catalogue's file is; a thing that cannot be counted is left out.

    Attributes:
        version: of its tables; 0 where there are none.
        damage: what is broken, in words.
        names_lost: names that no search finds.
        cards_gone: owned cards that no source has.
        out_of_nowhere: cards that are out in decks and are not owned.
    """

    whole: bool
    version: int
    damage: list[str]
    cards: NotRequired[int]
    games: NotRequired[int]
    copies: NotRequired[int]
    boxes: NotRequired[int]
    doubts: NotRequired[int]
    decks_out: NotRequired[int]
    names_lost: NotRequired[int]
    cards_gone: NotRequired[int]
    out_of_nowhere: NotRequired[int]


class ExaminationJson(TypedDict):
    """Where everything is and whether it is sound; `ok` where everything works.

    Attributes:
        versions: of ccgrid, Python, SQLite, the system, and of each library that is used.
        extras: which of the extras that can be installed are there.
        catalogue: null where there is none.
        findings: what is odd, the serious ones first.
    """

    ok: bool
    versions: dict[str, str]
    extras: dict[str, bool]
    places: list[FileLocationJson]
    catalogue: CatalogueHealthJson | None
    findings: list[FindingJson]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is odd.

    Attributes:
        code: a short word for it, for scripts.
        message: what it is, a sentence.
        mend: what to do about it: a command, or a sentence.
        serious: whether something does not work because of it.
    """

    code: str
    message: str
    mend: str
    serious: bool = False

    def to_dict(self) -> FindingJson:
        """A finding in the documented shape of `doctor --json`."""
        return {"code": self.code, "message": self.message, "mend": self.mend, "serious": self.serious}


@dataclass(frozen=True, slots=True)
class Examination:
    """What was found.

    Attributes:
        versions: of ccgrid, Python, SQLite, the system, and of each library that is used.
        extras: which of the extras that can be installed are there.
        places: where everything is.
        catalogue: how the catalogue's file is; None where there is none.
        findings: what is odd, the serious ones first.
    """

    database: Path
    places: list[FileLocation]
    catalogue: Health | None
    versions: dict[str, str] = field(default_factory=dict)
    extras: dict[str, bool] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether everything works."""
        return not any(finding.serious for finding in self.findings)

    def to_dict(self) -> ExaminationJson:
        """The documented shape of `doctor --json`."""
        return {
            "ok": self.ok,
            "versions": self.versions,
            "extras": self.extras,
            "places": [place.to_dict() for place in self.places],
            "catalogue": None if self.catalogue is None else _health_json(self.catalogue),
            "findings": [finding.to_dict() for finding in self.findings],
        }


def _health_json(health: Health) -> CatalogueHealthJson:
    shape = {
        "whole": not health.fault and not health.damage,
        "version": health.version,
        "damage": [*filter(None, [health.fault]), *health.damage],
        **health.counts,
    }
    return cast("CatalogueHealthJson", shape)


def run_checks(
    database: Path | None, *, said_by: str = "", tell: Callable[[int, int], None] = lambda done, total: None
) -> Examination:
    """Looks at everything and changes nothing; `said_by` is who named the database, `tell` is told how far that is."""
    tell(0, len(CHECKS) + 1)
    path = catalogue_path(database)
    health = check_health(path) if path.is_file() else None
    found = Examination(path, file_locations(database, said_by=said_by), health, _versions(), _extras())
    findings = list[Finding]()
    for done, check in enumerate(CHECKS, 1):
        tell(done, len(CHECKS) + 1)
        findings += check(found)
    found.findings.extend(sorted(findings, key=lambda finding: not finding.serious))
    return found


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
    return {
        "fast": can_compile(),
        "scan": all(find_spec(name) is not None for name in _SCANNING),
        "pdf": find_spec("weasyprint") is not None,
        "browse": find_spec("datasette") is not None,
        "spreadsheet": find_spec("python_calamine") is not None,
        "parquet": find_spec("duckdb") is not None,
        "png": find_spec("resvg_py") is not None,
        "web": all(map(find_spec, ("starlette", "uvicorn", "jinja2", "segno"))),
    }


# --- what may be odd ------------------------------------------------------------------------------------------------


def _the_file(found: Examination) -> Iterator[Finding]:
    """The catalogue's file: is it there, is it one, is it whole, may it be written."""
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
        yield Finding("damaged", what, "Save what can be read: ccgrid doctor --mend", serious=True)
    if not health.fault and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        what = f"{path}, or its folder, is not writable."
        yield Finding("read-only", what, "Change the permissions of the file and its folder.", serious=True)


def _what_is_in_it(found: Examination) -> Iterator[Finding]:
    """Cards that no search finds, cards that are gone, decks that are out of nowhere, rows that are waiting."""
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
        what = f"{counted(number, 'row')} of imported files {'is' if number == 1 else 'are'} in doubt."
        yield Finding("doubts", what, "ccgrid collection doubts")


def _outdated_readings(found: Examination) -> Iterator[Finding]:
    """Sources whose data were read in another way than they would be now."""
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
        return None  # somebody's own layout, which is told of beside


def _other_catalogue(found: Examination) -> Iterator[Finding]:
    """A catalogue in the usual place while another is used."""
    usual = usual_path()
    if usual.is_file() and usual.absolute() != found.database.absolute():
        what = f"There is also a catalogue at {usual}, which is not used now."
        yield Finding("two-catalogues", what, "To use it, leave out --db and $CCGRID_DB.")


def _settings(_: Examination) -> Iterator[Finding]:
    """Settings that cannot be read."""
    for fault in read_file().faults:
        yield Finding("settings", fault, "Correct the file, or: ccgrid config unset NAME", serious=True)


def _own_layouts(_: Examination) -> Iterator[Finding]:
    """Layouts of the person's own that cannot be read."""
    for error in all_layouts()[1]:
        what = str(error).partition("\n")[0]
        yield Finding("layout", what, "Correct the layout, or remove it from the folder.", serious=True)


def _own_sources(_: Examination) -> Iterator[Finding]:
    """Yield the user's own files of sources that cannot be read."""
    for error in own_sources()[1]:
        what = str(error).partition("\n")[0]
        yield Finding("source", what, "Correct the file, or remove it from the folder.", serious=True)


def _own_formats(_: Examination) -> Iterator[Finding]:
    """Yield the formats and words of the user's own that cannot be read."""
    for error in broken_files():
        what = str(error).partition("\n")[0]
        yield Finding("format", what, "Correct the file, or remove it from the folder.", serious=True)


def _games(_: Examination) -> Iterator[Finding]:
    """Games that were left, and files of such that cannot be read."""
    left, wrong = 0, list[str]()
    for saved in left_games():
        try:
            records_of(saved)
        except CatalogError as error:
            wrong.append(str(error).partition("\n")[0])
        else:
            left += 1
    if wrong:
        number = "An unfinished game is" if len(wrong) == 1 else f"{len(wrong):,} unfinished games are"
        yield Finding("damaged-game", f"{number} damaged: {wrong[0]}", "Move the file away.")
    if left:
        what = "There is an unfinished game." if left == 1 else f"{left:,} unfinished games; the last one:"
        yield Finding("games-left", what, "ccgrid play --load last")


def _downloads(found: Examination) -> Iterator[Finding]:
    """Downloads that broke off."""
    for place in found.places:
        if place.what == "downloads" and place.is_there:
            parts = [path for path in place.path.rglob("*.part") if path.is_file()]
            if parts:
                size = sum(path.stat().st_size for path in parts)
                what = f"{counted(len(parts), 'download')} broke off, {amount(size)}: {parts[0].parent}"
                yield Finding("part", what, "Import again to continue, or delete the files.")


def _room(found: Examination) -> Iterator[Finding]:
    """Disks that are nearly full, each told once."""
    seen = set[int]()
    for place in found.places:
        if place.what != "program" and place.free is not None and place.free < LITTLE and place.free not in seen:
            seen.add(place.free)
            what = f"Only {amount(place.free)} are free where {place.path} is."
            mend = "Make room, or choose other places: --db, $CCGRID_CACHE, $CCGRID_STATE."
            yield Finding("room", what, mend, serious=place.free < LITTLE // 50)


def _folders(found: Examination) -> Iterator[Finding]:
    """Folders that an environment variable names and that are not there."""
    for place in found.places:
        if place.what == "layouts" and place.said_by and not place.is_there:
            what = f"{place.said_by} names {place.path}, which is not there."
            yield Finding("no-folder", what, f"Make the folder, or correct {place.said_by}.")


def _command(_: Examination) -> Iterator[Finding]:
    """A command `ccgrid` that the shell does not find, or that is another installation's."""
    called, own = command_on_path(), own_command()
    if called is None:
        where = f": {own}" if own.exists() else ""
        mend = "Activate the environment it is installed in, or install it with: pipx install ."
        yield Finding("no-command", f"The shell does not find the command ccgrid{where}.", mend)
    elif own.exists() and not called.samefile(own):
        what = f"The shell starts {called}, and this is {own}."
        yield Finding("other-command", what, "Activate the environment that you mean, or uninstall the other one.")


def _characters(_: Examination) -> Iterator[Finding]:
    """Characters that are not Unicode: boards are drawn with + and - there."""
    encoding = locale.getpreferredencoding(do_setlocale=False)
    if encoding.lower().replace("-", "") != "utf8":
        what = f"The text encoding here is {encoding}, which cannot draw boards with lines."
        yield Finding("encoding", what, "Set PYTHONUTF8=1, or choose a UTF-8 locale such as C.UTF-8.")


CHECKS: Final[tuple[Callable[[Examination], Iterator[Finding]], ...]] = (
    _the_file,
    _what_is_in_it,
    _outdated_readings,
    _other_catalogue,
    _settings,
    _own_layouts,
    _own_sources,
    _own_formats,
    _games,
    _downloads,
    _room,
    _folders,
    _command,
    _characters,
)
"""What is looked at, one after the other."""
