"""The layers between and inside the packages, checked by reading imports with `ast`."""

import ast
import re
from fnmatch import fnmatch
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from helpers.imported_modules import MODULES, NAMES, PACKAGES, imported, modules_imported, name_of, starts, tree_of

# Restricted imports: the prefix of a module's name -> the prefixes of the files that may import it.
ONLY = {
    "ccgrid": ("ccgrid/",),
    "engine": ("ccgrid/", "engine/"),
    "catalog": ("ccgrid/", "catalog/", "engine/"),
    "typer": ("ccgrid/app.py", "ccgrid/commands/"),
    "rich": ("ccgrid/view/", "ccgrid/browsing/serve.py"),
    "sqlite3": ("catalog/store/",),
    "sqlite_utils": ("catalog/store/",),
    "requests": ("catalog/download/",),
    "urllib3": ("catalog/download/",),
    "datasette": ("ccgrid/browsing/",),
    "uvicorn": ("ccgrid/browsing/", "ccgrid/web/"),
    "starlette": ("ccgrid/web/",),
    "jinja2": ("ccgrid/web/",),
    "markupsafe": ("ccgrid/web/",),
    "segno": ("ccgrid/web/",),
    "socket": ("catalog/download/", "ccgrid/browsing/", "ccgrid/web/"),
    "http.client": ("catalog/download/",),
    "urllib.request": (),
    "cv2": ("catalog/scan/",),
    "onnxruntime": ("catalog/scan/",),
    "PIL": ("catalog/scan/",),
    "python_calamine": ("catalog/readers/worksheets.py",),
    "xlsxwriter": ("catalog/workbooks.py",),
    "duckdb": ("ccgrid/view/export.py",),
    "weasyprint": ("ccgrid/pages/sheet.py",),
    "resvg_py": ("ccgrid/view/lists.py",),
    "click": (),  # Typer contains its own copy.
    "dask": ("engine/many/cluster.py",),
    "distributed": ("engine/many/cluster.py",),
    "numba": ("engine/rows/compiling.py",),
    "llvmlite": ("engine/rows/compiling.py",),
    "numpy": ("engine/rows/compiling.py", "engine/many/arrays.py", "catalog/scan/"),
    "pickle": (),  # Unpickling can run code from files.
}

COMMON = (
    *("catalog.card", "catalog.card_pool", "catalog.zones", "catalog.card_lines", "catalog.letters", "catalog.codes"),
    *("catalog.errors", "catalog.documents", "catalog.files", "catalog.temporary"),
    *("catalog.formatting", "catalog.extras", "catalog.lazy_modules", "catalog.plugins"),
)
"""The modules of `catalog` that `engine` may use: cards, codes, documents, files, plug-ins and hints."""

# The floors inside the packages, the highest first. A module may import from its own room and lower floors, but not
# from other rooms on its floor. A room is a module or a package; if two match, the longer name counts.
# `engine.games.*` stands for the rules of each game, each a room; `engine.games.*:parts` for its other modules, which
# are loaded only through the game.
FLOORS = (
    ("ccgrid.__main__",),
    ("ccgrid.start",),
    ("ccgrid.app",),
    ("ccgrid.answers",),  # The types of commands' answers, for schemas, tests and API users.
    ("ccgrid.commands",),
    ("ccgrid.terminal",),
    ("ccgrid.web",),
    ("ccgrid.view", "ccgrid.pages", "ccgrid.browsing"),  # They use the return types of services.
    ("ccgrid.services",),
    ("engine", "catalog"),  # Their documented API is imported lazily.
    ("engine.games.*:parts",),
    ("engine.insight",),
    ("engine.many",),
    ("engine.records",),
    ("engine.players",),
    ("engine.notation",),
    ("engine.search",),
    ("engine.games.*",),
    ("engine.games.four_sides",),
    ("engine.worlds", "engine.real_cards"),
    ("engine.games",),
    ("engine.cards", "engine.rows"),
    ("engine.game",),
    (
        "engine.decks",
        "engine.game_view",
    ),
    ("engine.options",),
    ("engine.schema",),
    ("engine.dice", "engine.errors", "engine.picture", "engine.board"),
    ("catalog.imports", "catalog.collection", "catalog.scan"),
    ("catalog.holding_answers",),
    ("catalog.store", "catalog.sources"),
    ("catalog.deck_writing", "catalog.deck_changes"),
    ("catalog.card_answers",),
    ("catalog.correction",),
    ("catalog.custom_card", "catalog.layouts"),
    ("catalog.packed", "catalog.file_kinds"),
    ("catalog.deck_text", "catalog.download", "catalog.evidence", "catalog.matching", "catalog.readers"),
    ("catalog.list_text",),
    ("catalog.decks", "catalog.lines"),
    ("catalog.codes", "catalog.numbers", "catalog.queries"),
    (
        "catalog.card_lines",
        "catalog.card_pool",
        "catalog.letters",
        "catalog.holding",
        "catalog.files",
        "catalog.workbooks",
    ),
    ("catalog.copy_terms", "catalog.details", "catalog.temporary"),
    ("catalog.words",),
    ("catalog.checked_file",),
    ("catalog.card", "catalog.documents", "catalog.extras", "catalog.plugins", "catalog.read_limits"),
    ("catalog.card_ids", "catalog.clock", "catalog.csv_lines", "catalog.formatting", "catalog.garbage"),
    (
        "catalog.lazy_modules",
        "catalog.list_index",
        "catalog.outcome",
        "catalog.toml_values",
        "catalog.printing",
        "catalog.surrogates",
    ),
    ("catalog.zones", "catalog.answer_fields"),
    ("catalog.errors",),
    ("data",),
)

# Exceptions to imports at the top of a module: the file or folder, the import inside functions, and the reason.
INSIDE_FUNCTIONS = {
    ("ccgrid/start.py", "ccgrid.app"): "an interrupt while it loads ends the program without a word",
    ("ccgrid/app.py", "importlib.metadata"): "only --version asks for it",
    ("ccgrid/app.py", "catalog.plugins"): "only an unexpected error may come from a plug-in",
    ("ccgrid/app.py", "catalog.store.health"): "only where something failed is the catalogue looked at",
    ("ccgrid/app.py", "traceback"): "only whoever looks into a defect needs it",
    ("ccgrid/services/config.py", "catalog.documents"): "most people have no file of settings",
    ("ccgrid/services/config.py", "platformdirs"): "only other systems than Linux need it, and it takes its time",
    ("ccgrid/services/state_folder.py", "platformdirs"): "only a user who names no folder needs it",
    ("ccgrid/services/files.py", "ccgrid.services.same_kind"): "only --force asks what a file is",
    ("ccgrid/services/same_kind.py", "catalog"): "each kind of file needs other readers",
    ("ccgrid/services/same_kind.py", "engine"): "each kind of file needs other readers",
    ("ccgrid/services/same_kind.py", "ccgrid.services"): "each kind of file needs other readers",
    ("ccgrid/services/same_kind.py", "csv"): "each kind of file needs other readers",
    ("ccgrid/services/same_kind.py", "tomllib"): "each kind of file needs other readers",
    ("catalog/collection/selection.py", "catalog.lines"): "only an unmatched name needs its patterns",
    ("catalog/store/lookup.py", "catalog.lines"): "only a code needs its patterns",
    ("catalog/store/catalogue.py", "importlib.resources"): "only an unknown game needs it, and it loads tempfile",
    ("catalog/store/schema.py", "importlib.resources"): "only a new catalogue needs it, and it loads tempfile",
    ("catalog/file_kinds.py", "csv"): "only a text that may be a table needs it",
    ("ccgrid/view/lists.py", "catalog.file_kinds"): "only a picture as PNG needs it",
    ("ccgrid/services/decks.py", "catalog.file_kinds"): "only a deck or a faction in a file needs it",
    ("ccgrid/commands/cards.py", "catalog.card_answers"): "only --json needs it, and it loads msgspec",
    ("ccgrid/commands/decks.py", "catalog.card_answers"): "only checks and --json need it, and it loads msgspec",
    ("ccgrid/commands/decks.py", "catalog.deck_writing"): "only a written deck needs it, and it loads msgspec",
    ("ccgrid/view/decks.py", "catalog.card_answers"): "only a checked deck needs it, and it loads msgspec",
    ("ccgrid/commands/game_options.py", "catalog.file_kinds"): "only a name that is a path needs it",
    ("engine/game_view.py", "importlib.resources"): "only the rules page needs it, and it loads tempfile",
    ("catalog/words.py", "importlib.resources"): "only files and typed words need it, and it loads tempfile",
    ("ccgrid/services/records.py", "ccgrid.services"): "most records name no deck",
    ("ccgrid/services/deck_files.py", "ccgrid.services"): "only sheets show pictures, and only pages show games",
    ("ccgrid/services/records.py", "hashlib"): "most records name no deck",
    ("ccgrid/services/records.py", "ccgrid.services.catalogue"): "most records name no card without its numbers",
    ("ccgrid/services/collection.py", "catalog.download"): "only whoever asks Scryfall needs the network",
    ("ccgrid/view/collection_imports.py", "catalog.sources"): "only rows of sets that are missing ask who has them",
    ("catalog/collection/imports.py", "catalog.sources"): "only a file without a card that is here asks who has them",
    ("catalog/collection/formats/xml_lists.py", "catalog.layouts"): "only decks of OCTGN ask for layouts",
    ("catalog/collection/formats/xml_lists.py", "catalog.readers"): "only lists in XML need a reader of it",
    ("catalog/collection/deck_files.py", "catalog.collection"): "a deck of our own needs no format of others",
    (
        "ccgrid/services/catalogue.py",
        "catalog.imports",
    ): "whoever has a catalogue does without the importer",
    ("ccgrid/services/catalogue.py", "catalog.sources"): "whoever has a catalogue does without the importer",
    ("catalog/file_kinds.py", "catalog.codes"): "most commands read no file of their own",
    ("catalog/file_kinds.py", "catalog.lines"): "only a plain text is compared with headings",
    ("catalog/file_kinds.py", "catalog.list_text"): "only a text with tags may be a list in HTML",
    ("catalog/store/file.py", "catalog.file_kinds"): "only a file that is no catalogue is looked at",
    ("catalog/extras.py", "importlib.metadata"): "only whoever lacks an extra asks where the program came from",
    ("catalog/extras.py", "urllib.parse"): "only whoever lacks an extra asks where the program came from",
    ("catalog/plugins.py", "importlib.metadata"): "only packages with plug-ins need it, and it takes its time",
    ("ccgrid/commands/options.py", "catalog.holding"): "only commands on the collection name a place",
    ("catalog/extras.py", "json"): "only whoever lacks an extra asks where the program came from",
    ("catalog/formatting.py", "shlex"): "only a printed command needs it",
    ("ccgrid/browsing/", "rich"): "only Datasette prints with its global console",
    ("ccgrid/browsing/", "datasette"): "what serves pages is an extra, which need not be there",
    ("ccgrid/browsing/", "uvicorn"): "what serves pages is an extra, which need not be there",
    ("ccgrid/web/serve.py", "uvicorn"): "what serves pages is an extra, which need not be there",
    ("ccgrid/web/serve.py", "segno"): "what serves pages is an extra, which need not be there",
    ("ccgrid/web/serve.py", "ccgrid.web"): "what serves pages is an extra, which need not be there",
    ("ccgrid/view/output.py", "msgspec"): "a command that prints no answer as JSON does not load it",
    ("ccgrid/web/serve.py", "filelock"): "only whoever serves needs it",
    ("ccgrid/pages/sheet.py", "weasyprint"): "what makes a PDF is an extra, which need not be there",
    ("ccgrid/view/lists.py", "html"): "only charts in files are written as SVG",
    ("ccgrid/view/lists.py", "resvg_py"): "what makes a PNG is an extra, which need not be there",
    ("catalog/layouts/described.py", "hjson"): "what reads HJSON is an extra, which need not be there",
    (
        "catalog/readers/worksheets.py",
        "python_calamine",
    ): "what reads spreadsheets is an extra, which need not be there",
    ("catalog/workbooks.py", "xlsxwriter"): "what writes spreadsheets is an extra, which need not be there",
    ("ccgrid/view/export.py", "duckdb"): "what writes Parquet is an extra, which need not be there",
    ("ccgrid/services/scanning.py", "catalog.scan"): "what reads pictures is an extra, which need not be there",
    ("ccgrid/services/scan_queue.py", "catalog.scan"): "only the process that reads pictures needs them",
    ("ccgrid/services/scan_queue.py", "resource"): "not every system has it",
    ("ccgrid/view/", "rich"): "scripts that take JSON do without it",
    ("catalog/download/", "catalog.download"): "an import of a file does without the network's library",
    ("catalog/download/", "importlib.metadata"): "only a request says who asks",
    ("catalog/download/", "msgspec"): "only notes beside downloads need it",
    ("catalog/download/", "platformdirs"): "only whoever names no folder needs it",
    ("catalog/download/", "email.utils"): "only a server that asks for patience needs it",
    ("catalog/checked_file.py", "platformdirs"): "only whoever names no folder needs it",
    ("catalog/files.py", "filelock"): "only a command that locks a file needs it",
    ("catalog/temporary.py", "filelock"): "only whoever makes a temporary folder needs it",
    ("catalog/temporary.py", "json"): "only whoever makes a temporary folder needs it",
    ("catalog/temporary.py", "tempfile"): "only whoever makes a temporary folder needs it",
    ("catalog/documents.py", "tomllib"): "help and most commands read no TOML",
    ("engine/schema.py", "tomli_w"): "only whoever writes a record needs it",
    ("catalog/store/", "platformdirs"): "only whoever names no catalogue needs it",
    ("catalog/store/", "sqlite_utils"): "only whoever wants a table needs it; most commands want cards",
    ("catalog/queries.py", "lark"): "a query of plain words needs no parser",
    ("ccgrid/view/streams.py", "pydoc"): "only who sees more than a page needs it",
    ("catalog/queries.py", "rapidfuzz"): "only a field that there is not has others suggested",
    ("catalog/copy_terms.py", "difflib"): "only a word that there is not has others suggested",
    ("catalog/matching/", "rapidfuzz"): "only what is misspelt needs it",
    ("catalog/readers/encodings.py", "charset_normalizer"): "only files that are not UTF-8 need it",
    ("catalog/toml_values.py", "tomli_w"): "only whoever writes a deck needs it",
    ("engine/players/player.py", "engine.search"): "who only names the players does without what one thinks with",
    ("ccgrid/services/session.py", "engine.search"): "a game in which nobody asks for a hint does without",
    ("ccgrid/services/decks.py", "catalog.collection.deck_files"): "who brings no deck needs no format of one",
    ("engine/games/__init__.py", "engine.game"): "only games of other packages are checked",
    ("engine/errors.py", "difflib"): "only what is misspelt needs it",
    ("engine/rows/saved_code.py", "importlib.metadata"): "only whoever compiles, or may, needs it",
    ("ccgrid/services/choices.py", "catalog"): "most records name no card without its numbers",
    ("ccgrid/commands/play.py", "engine.players.protocol"): "only another program is answered in lines",
    ("ccgrid/commands/play.py", "importlib.metadata"): "only another program is answered in lines",
    ("engine/rows/saved_code.py", "platformdirs"): "only whoever compiles, or may, needs it",
    ("engine/options.py", "engine.schema"): "who only names the options reads none",
    ("engine/players/__init__.py", "engine.players.program"): "only whoever plays another program starts one",
    ("catalog/store/catalogue.py", "catalog.store.statistics"): "only a command that counts cards needs it",
    ("catalog/store/catalogue.py", "catalog.card_answers"): "only an explained card needs its answer",
    ("catalog/store/catalogue.py", "catalog.evidence"): "only whoever looks at one card needs what is printed on it",
    ("catalog/store/queries.py", "catalog.lines"): "only words beside a name are read as marks",
    ("ccgrid/services/catalogue.py", "catalog.queries"): "only a query needs its language",
    ("ccgrid/commands/options.py", "catalog.card"): "only names that are given are measured",
}


RULES = ("game", "view", "decks", "factions")
"""Modules of a game's rules: these in its folder, and those of the folder that they import."""


@cache
def rules() -> frozenset[str]:
    """Return the modules that implement the rules of the games."""
    found = {name for name in NAMES if f"{name}.game" in NAMES}
    wanted = [f"{game}.{part}" for game in found for part in RULES if f"{game}.{part}" in NAMES]
    while wanted:
        module = wanted.pop()
        found.add(module)
        folder = ".".join(module.split(".")[:3])
        wanted += [name for name in modules_imported(NAMES[module]) if starts(name, folder) and name not in found]
    return frozenset(found)


def placed(module: str) -> str:
    """Return the path of a module in the table of layers, in which the parts of a game are next to its rules."""
    if ".".join(module.split(".")[:3]) not in rules() or module in rules():
        return module
    engine, games, game, *rest = module.split(".")
    return ".".join([engine, games, f"{game}:parts", *rest])


@cache
def room_of(module: str) -> tuple[int, str]:
    """Return the index of a module's floor, from the top, and the name of its room."""
    name = placed(module)
    rooms = [(number, room) for number, floor in enumerate(FLOORS) for room in rooms_on(floor) if starts(name, room)]
    return max(rooms, key=lambda found: len(found[1]), default=(-1, ""))


@cache
def rooms_on(floor: tuple[str, ...]) -> frozenset[str]:
    """Return the names of the rooms on a floor."""
    rooms: set[str] = set()
    for room in floor:
        if room.startswith("engine.games.*"):
            ending = room.removeprefix("engine.games.*")
            games = {name.removesuffix(".game") for name in NAMES if name.endswith(".game") and name in rules()}
            there = {".".join(placed(name).split(".")[:3]) for name in NAMES}
            rooms |= {f"{game}{ending}" for game in games} & there
        else:
            rooms.add(room)
    return frozenset(rooms)


# Each test checks all modules: a separate test for each of hundreds would take longer than its check.


def test_imports_go_down_only() -> None:
    wrong = []
    for path, name in ((module, name) for module in MODULES for name in imported(module)):
        for start, files in ONLY.items():
            if starts(name, start) and not any(fnmatch(path.as_posix(), f"{file}*") for file in files):
                wrong.append(f"{path} may not import {name}")
        of_catalogue = path.parts[0] == "engine" and name.startswith("catalog")
        if of_catalogue and not any(starts(name, common) for common in COMMON):
            wrong.append(f"{path} may not use of the catalogue {name}")
    assert not wrong


def test_inside_the_packages_imports_go_down_too() -> None:
    wrong = []
    for path in MODULES:
        floor, room = room_of(name_of(path))
        for module in modules_imported(path):
            below, other = room_of(module)
            if room != other and floor >= below:
                wrong.append(f"{path} on floor {floor} ({room}) may not import {module} on {below}")
    assert not wrong


def test_every_module_has_a_layer_and_every_layer_a_module() -> None:
    rooms = {room_of(name)[1] for name in NAMES if name != "ccgrid"}
    assert rooms - {"data"} == {room for floor in FLOORS for room in rooms_on(floor)} - {"data"}


def test_no_circular_imports() -> None:
    graph = {name: set(modules_imported(path)) for name, path in NAMES.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a circle: {' <- '.join(error.args[1])}")


PORT = "ccgrid/view/streams.py"
SPOKEN = {"print", "input", "sys.stdout", "sys.stderr", "typer.echo", "typer.secho", "typer.prompt", "typer.confirm"}
"""Functions that print or prompt without escaping untrusted text."""


def test_only_one_module_prints_and_prompts() -> None:
    for path in MODULES:
        silent = path.parts[:2] not in (("ccgrid", "view"), ("ccgrid", "commands"), ("ccgrid", "terminal"))
        barred = SPOKEN | {"sys.stdin"} if silent and len(path.parts) > 2 else SPOKEN
        for node in ast.walk(tree_of(path)) if path.as_posix() != PORT else ():
            if isinstance(node, ast.Name | ast.Attribute):
                assert ast.unparse(node) not in barred, f"{path}:{node.lineno}: {PORT} prints and asks, nothing else"
            if isinstance(node, ast.ImportFrom) and node.module in ("sys", "typer"):
                named = {f"{node.module}.{one.name}" for one in node.names}
                assert not named & barred, f"{path}:{node.lineno}: {PORT} prints and asks, nothing else"


def test_imports_are_at_the_top_of_a_module_except_for_a_reason() -> None:
    used = set()
    for path in MODULES:
        for name in imported(path, inside_functions=True):
            reasons = [key for key in INSIDE_FUNCTIONS if path.as_posix().startswith(key[0]) and starts(name, key[1])]
            assert reasons, f"{path} imports {name} inside a function"
            used.update(reasons)
    assert used == set(INSIDE_FUNCTIONS), "a reason that nobody needs"


def test_every_package_is_checked() -> None:
    assert {path.parts[0] for path in MODULES} == set(PACKAGES)


def test_tests_skipped_for_a_missing_extra_name_existing_modules() -> None:
    tests = Path(__file__).parent
    named = {
        name
        for path in tests.rglob("*.py")
        for name in re.findall(r"importorskip\(\s*[\"'](ccgrid\.[\w.]+)", path.read_text(encoding="utf-8"))
    }
    assert named
    # With a wrong name the tests of the module would be skipped for ever.
    assert {name for name in named if name not in NAMES and name.removeprefix("ccgrid.") not in NAMES} == set()
