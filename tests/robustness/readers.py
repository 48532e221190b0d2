"""Every reader of untrusted input: each reads a file and uses all of its content."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Final

from helpers.text_files import write_layout

from ccgrid.catalog.codes import is_code, with_checksum
from ccgrid.catalog.collection.deck_files import read_deck
from ccgrid.catalog.collection.doubts import DoubtFilter, confirm, entries_in_doubt
from ccgrid.catalog.collection.formats import all_formats, open_rows
from ccgrid.catalog.collection.upstream import read_migrations
from ccgrid.catalog.deck_text import read_deck_code
from ccgrid.catalog.decks import check_deck
from ccgrid.catalog.documents import Limits, load_json, load_toml, read_text
from ccgrid.catalog.download import cache
from ccgrid.catalog.download.errors import DownloadError
from ccgrid.catalog.download.transfer import decode
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.evidence import CardReader, EvidenceReader
from ccgrid.catalog.imports.layout_draft import examine, layout_text
from ccgrid.catalog.imports.layout_trial import try_layout
from ccgrid.catalog.imports.run import ImportRequest, import_source
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.layouts.layout_file import find_layout, load_layout, parse_layout
from ccgrid.catalog.letters import to_letters
from ccgrid.catalog.printing import SourceRow
from ccgrid.catalog.read_limits import RowWatch
from ccgrid.catalog.readers.archives import Tree, open_tree
from ccgrid.catalog.readers.streams import open_data
from ccgrid.catalog.sources import SOURCES, find_source
from ccgrid.catalog.sources.source import LAYOUT_FROM_DATA, FileModule, Source, TreeModule
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.catalog.store.imports import Provenance, import_rows
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games.tactics.factions import FACTIONS
from ccgrid.engine.many.tally import SavedCounts, saved_seed
from ccgrid.engine.records.codes import code_document
from ccgrid.engine.records.files import read_ending, read_game, read_games
from ccgrid.services import scanning
from ccgrid.services.saved_games import SavedGame, resume
from ccgrid.services.tables import reopen

Reader = Callable[[Path], object]
"""A function that reads the file at a path, and uses all of its content."""

MADE_UP: Final = parse_layout(
    'format = 1\ngame = "ants"\nname = "Ants"\n[[printed]]\nfield = "number"\nzone = "top"\n'
    'unless = { kind = "egg" }\n[[printed]]\nfield = "text"\nzone = "face"\n',
    "ants.toml",
)


def _ignore(sentence: str) -> None:
    """Ignore the message."""


def read_source(source: Source, path: Path) -> None:
    """Import the rows of a source's data into a catalogue in memory."""
    module = source.load()
    watch = RowWatch(path.name)
    with Store.in_memory() as store:
        if isinstance(module, TreeModule):
            with open_tree(path, watch.report) as tree:
                layout = _layout(source, tree)
                _bring(store, watch.rows(module.read_tree(tree, layout, _ignore)), layout.compiled())
            return
        assert isinstance(module, FileModule)
        chosen = EvidenceReader() if source.layout is None else find_layout(source.layout)
        reader = chosen.compiled() if isinstance(chosen, Layout) else chosen
        with open_data(path, watch.report) as stream:
            _bring(store, watch.rows(module.read(stream, path.name, chosen)), reader)


def _bring(store: Store, rows: Iterator[SourceRow], reader: CardReader) -> None:
    import_rows(store, rows, reader, Provenance("hostile", "hostile", ""), number_versions=True)


def _layout(source: Source, tree: Tree) -> Layout:
    if source.layout != LAYOUT_FROM_DATA:
        return find_layout(str(source.layout))
    with suppress(CatalogError):  # Data of unknown games are read with the made-up layout.
        return source.recognise(tree)
    return MADE_UP


def import_file(source: str, path: Path) -> None:
    """Import a file into a catalogue next to it, which is removed afterwards."""
    database = path.with_name(f"{path.name}.db")
    try:
        layout = path.with_name("ants.toml")
        if source == "file":
            missing = '[[barred]]\nreason = "data:missing"\nwhen = { number = { present = false } }\n'
            write_layout(layout, "number", more=missing)
        import_source(ImportRequest(find_source(source), path, layout=layout if source == "file" else None), database)
    finally:
        for suffix in ("", "-wal", "-shm"):
            Path(f"{database}{suffix}").unlink(missing_ok=True)


def read_collection(path: Path, wanted: str | None = None) -> int:
    """Read the rows of a collection file, in the format given or detected."""
    form = next((one for one in all_formats() if one.name == wanted), None)
    return sum(len(repr(row)) for row in open_rows(path, path.name, form, None, _ignore).rows)


def read_whole_deck(path: Path) -> None:
    """Read a deck and look it up in an empty catalogue."""
    with Store.in_memory() as store:
        check_deck(read_deck(path), lambda entry: entry.card or store.find(entry.text, entry.set_code))


def draft_layout(path: Path) -> None:
    """Draft a layout from a data file."""
    draft = examine(path)
    layout_text(draft, "ants", "Ants", {found.path: "top" for found in draft.fields[:3]})


def resume_plan(path: Path) -> None:
    """Resume a match from its plan, without a game played."""
    games = path.with_suffix(".jsonl")
    plan = games.with_suffix(".match.json")
    plan.write_bytes(path.read_bytes())
    games.write_text("", encoding="utf-8")
    resume(SavedGame(games, _fail), 1)


def _fail(sentence: str) -> None:
    raise CatalogError(sentence)


def read_answer(path: Path) -> None:
    """Read a server's answer, and a cached file's manifest."""
    data = path.read_bytes()
    cache.manifest_path(path).write_bytes(data)
    cache.read_manifest(path)
    check = cache.GzipCheck(1 << 30, len(data))
    try:
        check.feed(data)
        check.finish()
    except cache.DamagedError as error:
        str(error)
    decode(data, "example.org")


def read_codes(path: Path) -> None:
    """Read a typed code, and the same bytes as parts of codes with correct checksums."""
    data = path.read_bytes()[:20_000]
    text, part = data.decode("utf-8", "replace"), to_letters(data[:8000])
    whole = (
        (with_checksum(f"ccgrid2-{part}--"), (read_deck_code,)),
        (with_checksum(f"ccgrid2-AA-{part}-"), (code_document,)),
        (with_checksum(f"ccgrid2-{part}-AA-{part}"), (code_document,)),
    )
    for code, code_readers in ((text, (code_document, read_deck_code)), whole[len(data) % 3]):
        is_code(code)
        for read in code_readers:
            with suppress(CatalogError, EngineError):
                read(code)


def read_counts(path: Path) -> None:
    """Load the counts of many games to resume from; the games that they belong to are unknown."""
    saved_seed(path)
    SavedCounts(path, {}, list[list[int]]).load()


def read_doubts(path: Path) -> None:
    """Read uncertain rows whose content in the catalogue comes from a file."""
    text = path.read_bytes()[: 1 << 20].decode("utf-8", "replace")
    with Store.in_memory() as store:
        store.connection.execute("INSERT INTO changes (id, made, what, marks) VALUES (1, 'x', 'x', '{}')")
        store.connection.execute("INSERT INTO collection_files VALUES (1, 'a', 'csv', '', '', '{}')")
        row = "INSERT INTO doubts VALUES (?, 1, 1, 'fuzzy', 'x', 'x', ?, NULL, ?)"
        store.connection.executemany(row, [(1, text, "[]"), (2, "[]", text)])
        owned = CollectionStore(store)
        for look in (entries_in_doubt, confirm):
            with suppress(CatalogError):
                look(owned, DoubtFilter())


def read_picture(path: Path) -> None:
    """Open a picture as far as the scanner decodes it."""
    from ccgrid.catalog.scan.scanner import open_picture

    content = scanning._content(path)
    open_picture(BytesIO(content), path.name)


CAN_SCAN: Final = all(find_spec(name) is not None for name in ("PIL", "cv2", "onnxruntime"))
"""Whether the extra for pictures is installed."""


def read_document(load: Callable[[str, Limits], object], path: Path) -> None:
    """Read a document with the program's loader."""
    limits = Limits(4 << 20)
    try:
        load(read_text(path.read_bytes(), limits), limits)
    except ValueError as error:
        if type(error).__name__ != "DocumentError":
            raise
        raise DownloadError(str(error)) from None


READERS: Final[dict[str, Reader]] = {
    **{f"source {source.name}": partial(read_source, source) for source in SOURCES},
    "import mtg": partial(import_file, "mtg"),
    "import file": partial(import_file, "file"),
    "collection": read_collection,
    **{f"collection {one.name}": partial(read_collection, wanted=one.name) for one in all_formats()},
    "migrations": read_migrations,
    "deck": read_whole_deck,
    "record": lambda path: [repr(reading) for reading in read_games(path)],
    "ending": read_ending,
    "layout": load_layout,
    "layout check": partial(try_layout, MADE_UP),
    "layout new": draft_layout,
    "faction": lambda file: FACTIONS.find(str(file)),
    "match plan": resume_plan,
    "table": lambda path: reopen(read_game(path), 1),
    "code": read_codes,
    "counts": read_counts,
    "doubts": read_doubts,
    **({"picture": read_picture} if CAN_SCAN else {}),
    "answer": read_answer,
    "TOML": partial(read_document, load_toml),
    "JSON": partial(read_document, load_json),
}
"""The readers of untrusted bytes, by description."""

_BY_LAYOUT: Final = (
    "pokemonpocket",
    "onepiece",
    "transformers",
    "tripletriad-xiv",
    "keyforge",
    "conquest",
    "lorcana",
)
"""Sources that are read with only a layout, like `file` and `onr`."""
_APART: Final = (
    *("mtgjson-deck", "ydk", "jsonl", "csv", "moxfield", "arena", "text", "mtgo-dek", "lackey", "octgn"),
    *("ydke", "omega", "hearthstone", "pixelborn", "riftbound-codes", "runeterra", "piltover", "gemp", "json-deck"),
)
"""Formats of collections that differ from the apps' tables."""
ORDINARY: Final = tuple(
    name
    for name in READERS
    if name.removeprefix("source ") not in _BY_LAYOUT
    and (not name.startswith("collection ") or name.removeprefix("collection ") in _APART)
)
"""The readers without those that share their code with another."""
ARCHIVES: Final = (
    *("source file", "source mtg", "source mtgjson", "source lackey", "collection", "deck", "record", "layout new"),
    "answer",
)
"""One reader for each way of opening archives; all other readers share that code."""


def warm(folder: Path) -> None:
    """Let the readers load their modules, so that child processes need not."""
    path = folder / "harmless"
    for name in ORDINARY:
        path.write_text('{"data": []}', encoding="utf-8")
        with suppress(CatalogError, EngineError):
            READERS[name](path)
