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
    "pillow_heif": ("catalog/scan/",),
    "python_calamine": ("catalog/readers/worksheets.py",),
    "xlsxwriter": ("catalog/workbooks.py",),
    "duckdb": ("ccgrid/view/export.py",),
    "weasyprint": ("ccgrid/pages/sheet.py",),
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
    *("catalog.joiners", "catalog.lazy_patterns", "catalog.toml_values"),
)
"""The modules of `catalog` that `engine` may use: cards, codes, documents, files, TOML, plug-ins and hints."""

# The layers inside the packages, the highest first. A module may import from its own part and from lower layers, but
# not from other parts of its layer. A part is a module or a package; if two match, the longer name counts.
# `engine.games.*` stands for the rules of each game, each a part; `engine.games.*:parts` for its other modules, which
# are loaded only through the game.
LAYERS = (
    ("ccgrid.__main__",),
    ("ccgrid.start",),
    ("ccgrid.app",),
    ("ccgrid.answers",),  # The types of commands' answers, for schemas, tests and API users.
    ("ccgrid.commands",),
    ("ccgrid.terminal",),
    ("ccgrid.web",),
    ("ccgrid.browsing",),  # It has the design of `pages`.
    ("ccgrid.view", "ccgrid.pages"),  # They use the return types of services.
    ("ccgrid.services", "ccgrid.exit_statuses"),
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
    ("engine.deck_sources",),
    (
        "engine.decks",
        "engine.game_view",
    ),
    ("engine.faction_answers",),
    ("engine.options",),
    ("engine.schema",),
    ("engine.dice", "engine.errors", "engine.picture", "engine.board"),
    ("catalog.imports", "catalog.collection", "catalog.scan"),
    ("catalog.holding_answers",),
    ("catalog.store",),
    ("catalog.sources",),
    ("catalog.deck_writing", "catalog.deck_changes"),
    ("catalog.card_answers",),
    ("catalog.correction",),
    ("catalog.custom_card", "catalog.layouts"),
    ("catalog.packed", "catalog.file_kinds"),
    ("catalog.deck_text", "catalog.download", "catalog.evidence", "catalog.matching", "catalog.readers"),
    ("catalog.list_text",),
    ("catalog.decks", "catalog.lines"),
    ("catalog.codes", "catalog.numbers", "catalog.queries", "catalog.typed_numbers"),
    (
        "catalog.card_lines",
        "catalog.card_pool",
        "catalog.letters",
        "catalog.holding",
        "catalog.files",
        "catalog.workbooks",
    ),
    ("catalog.colour_queries", "catalog.copy_terms", "catalog.details", "catalog.temporary", "catalog.typed_details"),
    ("catalog.words",),
    ("catalog.checked_file",),
    ("catalog.card", "catalog.documents", "catalog.extras", "catalog.plugins", "catalog.read_limits"),
    ("catalog.card_ids", "catalog.clock", "catalog.csv_lines", "catalog.formatting", "catalog.json_lines"),
    (
        "catalog.joiners",
        "catalog.lazy_modules",
        "catalog.list_index",
        "catalog.natural_order",
        "catalog.outcome",
        "catalog.toml_values",
        "catalog.printing",
        "catalog.surrogates",
    ),
    (
        *("catalog.markup", "catalog.zones", "catalog.answer_fields", "catalog.copy_marks", "catalog.description"),
        "catalog.text_patterns",
    ),
    ("catalog.errors", "catalog.garbage", "catalog.lazy_patterns", "catalog.user_folders"),
    ("data",),
)

# Exceptions to imports at the top of a module: the file or folder, the import inside functions, and the reason.
INSIDE_FUNCTIONS = {
    ("catalog/scan/scanner.py", "pillow_heif"): "only pictures of phones need it, and not everybody has it",
    ("ccgrid/start.py", "ccgrid.app"): "an interrupt during loading must end the program silently",
    ("ccgrid/start.py", "signal"): "an interrupt while it loads other modules must be caught",
    ("ccgrid/start.py", "ccgrid.terminal.echo"): "only scan hides keys while it loads",
    ("ccgrid/app.py", "importlib.metadata"): "only --version needs it",
    ("ccgrid/app.py", "catalog.plugins"): "only an unexpected error may come from a plug-in",
    ("ccgrid/app.py", "catalog.store.health"): "only a failed command checks the catalogue",
    ("ccgrid/app.py", "traceback"): "only the report of a defect needs it",
    ("ccgrid/app.py", "catalog.file_kinds"): "only an unknown name may be that of a file",
    ("ccgrid/app.py", "engine.games"): "only an unknown card game may be a game to play",
    ("ccgrid/services/config.py", "catalog.documents"): "most users have no configuration file",
    ("ccgrid/services/files.py", "ccgrid.services.same_kind"): "only --force checks the kind of a file",
    ("ccgrid/services/same_kind.py", "catalog"): "each kind of file needs its own readers",
    ("ccgrid/services/same_kind.py", "engine"): "each kind of file needs its own readers",
    ("ccgrid/services/same_kind.py", "csv"): "each kind of file needs its own readers",
    ("ccgrid/services/same_kind.py", "tomllib"): "each kind of file needs its own readers",
    ("catalog/collection/selection.py", "catalog.lines"): "only an unmatched name needs its patterns",
    ("catalog/store/queries.py", "catalog.sources"): "only a query for a game needs it",
    ("catalog/store/queries.py", "catalog.copy_terms"): "only a query for a language or a finish needs it",
    ("catalog/store/lookup.py", "catalog.lines"): "only a code needs its patterns",
    ("catalog/store/catalogue.py", "importlib.resources"): "only an unknown game needs it, and it loads tempfile",
    ("catalog/store/schema.py", "importlib.resources"): "only a new catalogue needs it, and it loads tempfile",
    ("catalog/file_kinds.py", "csv"): "only a text that may be a table needs it",
    ("ccgrid/services/positions.py", "ccgrid.services"): "only a hand named by the user needs a referee",
    ("ccgrid/services/factions.py", "engine.faction_answers"): "only a checked faction needs it, and it loads msgspec",
    ("ccgrid/services/factions.py", "ccgrid.services.faction_answers"): "only --json needs it, and it loads msgspec",
    ("ccgrid/services/decks.py", "catalog.file_kinds"): "only a deck in a file needs it",
    ("ccgrid/services/factions.py", "catalog.file_kinds"): "only a faction in a file needs it",
    ("ccgrid/commands/imports.py", "catalog.download"): "only --url needs it",
    ("ccgrid/services/choices.py", "catalog.layouts"): "only a card matched by name needs the title of its game",
    ("ccgrid/commands/cards.py", "catalog.card_answers"): "only --json needs it, and it loads msgspec",
    ("ccgrid/commands/decks.py", "catalog.card_answers"): "only checks and --json need it, and it loads msgspec",
    ("ccgrid/commands/new_decks.py", "catalog.card_answers"): "only --json needs it, and it loads msgspec",
    ("ccgrid/commands/new_decks.py", "catalog.decks"): "only a written deck, a search and --json need it",
    ("ccgrid/services/drawn_decks.py", "ccgrid.services.choices"): "only decks with rules of their own need it",
    ("ccgrid/commands/new_decks.py", "catalog.deck_writing"): "only a written deck needs it, and it loads msgspec",
    ("ccgrid/view/decks.py", "catalog.card_answers"): "only a checked deck needs it, and it loads msgspec",
    ("ccgrid/view/decks.py", "ccgrid.view.reports"): "only a checked deck needs it",
    ("engine/schema.py", "json"): "only records written as JSON Lines need it",
    ("engine/records/", "msgspec"): "only --json needs it",
    ("engine/records/files.py", "engine.records.codes"): "most records are not codes",
    ("engine/games/grid/decks.py", "engine.deck_sources"): "a single deck is drawn without it",
    ("engine/records/", "engine.records.answers"): "only --json needs them, and they load msgspec",
    ("ccgrid/commands/game_options.py", "engine.players"): "only shell completion needs the names of players",
    ("ccgrid/commands/play_options.py", "catalog.file_kinds"): "only a name that is a path needs it",
    ("engine/game_view.py", "importlib.resources"): "only the rules page needs it, and it loads tempfile",
    ("catalog/words.py", "importlib.resources"): "only files and typed words need it, and it loads tempfile",
    ("ccgrid/services/records.py", "ccgrid.services"): "most records name no deck",
    ("ccgrid/services/codes.py", "ccgrid.services.decks"): "only the code of a deck needs it",
    ("ccgrid/services/deck_files.py", "ccgrid.services"): "only sheets show pictures, and only pages show games",
    ("ccgrid/services/records.py", "hashlib"): "most records name no deck",
    ("ccgrid/services/catalogue.py", "ccgrid.services.choices"): "only an explained card needs the games",
    ("ccgrid/services/choices.py", "engine.games"): "only an explained card needs the games",
    ("ccgrid/services/records.py", "ccgrid.services.catalogue"): "most records contain the numbers of their cards",
    ("ccgrid/services/collection.py", "catalog.download"): "only requests to Scryfall need the network",
    ("ccgrid/view/collection_imports.py", "catalog.sources"): "only rows of missing sets need their sources",
    ("catalog/collection/imports.py", "catalog.sources"): "only a file without any known card needs the sources",
    ("catalog/collection/formats/xml_lists.py", "catalog.layouts"): "only OCTGN decks need layouts",
    ("catalog/collection/formats/xml_lists.py", "catalog.readers"): "only XML lists need its reader",
    (
        "catalog/collection/deck_files.py",
        "catalog.collection",
    ): "a deck in the program's own format needs no other formats",
    (
        "ccgrid/services/catalogue.py",
        "catalog.imports",
    ): "an existing catalogue needs no importer",
    ("ccgrid/services/catalogue.py", "catalog.sources"): "an existing catalogue needs no importer",
    ("catalog/file_kinds.py", "json"): "only a JSON document needs it",
    ("catalog/file_kinds.py", "catalog.codes"): "most commands detect no kind of file",
    ("catalog/file_kinds.py", "catalog.lines"): "only plain text is compared with headings",
    ("catalog/file_kinds.py", "catalog.list_text"): "only a text with tags may be a list in HTML",
    ("catalog/store/file.py", "catalog.file_kinds"): "only a file that is not a catalogue is examined",
    ("catalog/extras.py", "importlib.metadata"): "only the message about a missing extra needs the program's origin",
    ("catalog/extras.py", "urllib.parse"): "only the message about a missing extra needs the program's origin",
    ("catalog/plugins.py", "importlib.metadata"): "only packages with plug-ins need it, and it is slow",
    ("catalog/extras.py", "json"): "only the message about a missing extra needs the program's origin",
    ("catalog/letters.py", "base64"): "most records are not codes",
    ("catalog/formatting.py", "shlex"): "only a printed command needs it",
    ("ccgrid/browsing/", "rich"): "only Datasette prints with its global console",
    ("ccgrid/browsing/", "datasette"): "the web server is an optional extra",
    ("ccgrid/browsing/", "uvicorn"): "the web server is an optional extra",
    ("ccgrid/web/serve.py", "uvicorn"): "the web server is an optional extra",
    ("ccgrid/web/serve.py", "segno"): "the web server is an optional extra",
    ("ccgrid/web/serve.py", "ccgrid.web"): "the web server is an optional extra",
    ("ccgrid/view/output.py", "json"): "only --json needs it",
    ("ccgrid/view/output.py", "msgspec"): "only answers as JSON need it",
    ("ccgrid/commands/cards.py", "msgspec"): "only answers as JSON need it",
    ("ccgrid/web/serve.py", "filelock"): "only the server needs it",
    ("ccgrid/pages/sheet.py", "weasyprint"): "PDF output is an optional extra",
    ("ccgrid/view/lists.py", "html"): "only charts in files are written as SVG",
    ("catalog/layouts/described.py", "hjson"): "reading HJSON is an optional extra",
    (
        "catalog/readers/worksheets.py",
        "python_calamine",
    ): "reading spreadsheets is an optional extra",
    ("catalog/workbooks.py", "xlsxwriter"): "writing spreadsheets is an optional extra",
    ("ccgrid/view/export.py", "duckdb"): "Parquet output is an optional extra",
    ("ccgrid/services/scanning.py", "catalog.scan"): "reading pictures is an optional extra",
    ("ccgrid/services/scan_queue.py", "catalog.scan"): "only the process that reads pictures needs them",
    ("ccgrid/services/scan_queue.py", "resource"): "not every system has it",
    ("ccgrid/view/reports.py", "ccgrid.view.pictures"): "only ratings name players, and it loads all pictures",
    ("ccgrid/view/", "rich"): "JSON output does not need it",
    ("catalog/download/", "catalog.download"): "an import from a file does not need the network",
    ("catalog/download/", "importlib.metadata"): "only requests need the program's version",
    ("catalog/download/", "msgspec"): "only the manifests of downloads need it",
    ("catalog/download/", "email.utils"): "only a Retry-After date needs it",
    ("catalog/user_folders.py", "platformdirs"): "only systems other than Linux need it, and it is slow",
    ("catalog/files.py", "filelock"): "only a command that locks a file needs it",
    ("catalog/temporary.py", "filelock"): "only creating a temporary folder needs it",
    ("catalog/temporary.py", "json"): "only creating a temporary folder needs it",
    ("catalog/temporary.py", "tempfile"): "only creating a temporary folder needs it",
    ("catalog/documents.py", "json"): "only documents in JSON need it",
    ("catalog/documents.py", "tomllib"): "help and most commands read no TOML",
    ("catalog/store/", "sqlite_utils"): "only tables need it; most commands use cards",
    ("catalog/queries.py", "lark"): "a query of plain words needs no parser",
    ("ccgrid/view/streams.py", "pydoc"): "only output of more than a page needs it",
    ("ccgrid/services/seats.py", "rapidfuzz"): "only games with people compare names",
    ("catalog/queries.py", "rapidfuzz"): "only an unknown field needs suggestions",
    ("catalog/copy_terms.py", "difflib"): "only an unknown word needs suggestions",
    ("catalog/matching/", "rapidfuzz"): "only a misspelled name needs it",
    ("catalog/readers/encodings.py", "charset_normalizer"): "only files that are not UTF-8 need it",
    ("catalog/toml_values.py", "tomli_w"): "only writing a deck or a record needs it",
    ("engine/players/player.py", "engine.search"): "a list of the players needs no search",
    ("ccgrid/services/session.py", "engine.search"): "a game without hints does not need it",
    ("ccgrid/services/decks.py", "catalog.collection.deck_files"): "only deck files need deck formats",
    ("engine/games/__init__.py", "engine.game"): "only games of other packages are checked",
    ("engine/errors.py", "difflib"): "only a misspelled name needs it",
    ("engine/rows/saved_code.py", "importlib.metadata"): "only compilation needs it",
    ("ccgrid/services/choices.py", "catalog"): "most records contain the numbers of their cards",
    ("ccgrid/commands/play.py", "engine.players.protocol"): "only another program uses the protocol",
    ("ccgrid/commands/play.py", "importlib.metadata"): "only another program uses the protocol",
    ("engine/rows/saved_code.py", "platformdirs"): "only compilation needs it",
    ("engine/options.py", "engine.schema"): "a list of the options reads no documents",
    ("engine/players/__init__.py", "engine.players.program"): "only a game against another program starts it",
    ("catalog/store/catalogue.py", "catalog.store.statistics"): "only a command that counts cards needs it",
    ("catalog/store/catalogue.py", "catalog.card_answers"): "only an explained card needs its answer",
    ("catalog/store/catalogue.py", "catalog.evidence"): "only the display of one card needs its printed texts",
    ("catalog/store/queries.py", "catalog.lines"): "only words next to a name are parsed as marks",
    ("catalog/store/queries.py", "catalog.store.lookup"): "only words next to a name are parsed as marks",
    ("catalog/store/catalogue.py", "catalog.store.lookup"): "only a card looked up by name needs it",
    ("catalog/store/cells.py", "json"): "cards need only lists of numbers",
    ("catalog/store/cards.py", "catalog.store.names"): "only a search for names needs the index",
    ("catalog/store/cards.py", "catalog.store.descriptions"): "only some commands need what cards say",
    ("catalog/store/cards.py", "catalog.description"): "only some commands need what cards say",
    ("ccgrid/services/catalogue.py", "catalog.queries"): "only a query needs its language",
    ("ccgrid/commands/options.py", "catalog.card"): "only given names have their length checked",
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


def path_in_layers(module: str) -> str:
    """Return the path of a module in the table of layers, in which the parts of a game are next to its rules."""
    if ".".join(module.split(".")[:3]) not in rules() or module in rules():
        return module
    engine, games, game, *rest = module.split(".")
    return ".".join([engine, games, f"{game}:parts", *rest])


@cache
def part_of_layer(module: str) -> tuple[int, str]:
    """Return the index of a module's layer, from the top, and the name of its part."""
    name = path_in_layers(module)
    parts = [(number, part) for number, layer in enumerate(LAYERS) for part in parts_of(layer) if starts(name, part)]
    return max(parts, key=lambda found: len(found[1]), default=(-1, ""))


@cache
def parts_of(layer: tuple[str, ...]) -> frozenset[str]:
    """Return the names of the parts of a layer."""
    parts: set[str] = set()
    for part in layer:
        if part.startswith("engine.games.*"):
            ending = part.removeprefix("engine.games.*")
            games = {name.removesuffix(".game") for name in NAMES if name.endswith(".game") and name in rules()}
            existing = {".".join(path_in_layers(name).split(".")[:3]) for name in NAMES}
            parts |= {f"{game}{ending}" for game in games} & existing
        else:
            parts.add(part)
    return frozenset(parts)


# Each test checks all modules: a separate test for each of hundreds would take longer than its check.


def test_restricted_modules_are_imported_only_where_allowed() -> None:
    wrong = []
    for path, name in ((module, name) for module in MODULES for name in imported(module)):
        for start, files in ONLY.items():
            if starts(name, start) and not any(fnmatch(path.as_posix(), f"{file}*") for file in files):
                wrong.append(f"{path} may not import {name}")
        of_catalogue = path.parts[0] == "engine" and name.startswith("catalog")
        if of_catalogue and not any(starts(name, common) for common in COMMON):
            wrong.append(f"{path} may not use of the catalogue {name}")
    assert not wrong


def test_modules_import_only_from_lower_layers() -> None:
    wrong = []
    for path in MODULES:
        layer, part = part_of_layer(name_of(path))
        for module in modules_imported(path):
            below, other = part_of_layer(module)
            if part != other and layer >= below:
                wrong.append(f"{path} in layer {layer} ({part}) may not import {module} in layer {below}")
    assert not wrong


def test_every_module_has_a_layer_and_every_layer_a_module() -> None:
    parts = {part_of_layer(name)[1] for name in NAMES if name != "ccgrid"}
    assert parts - {"data"} == {part for layer in LAYERS for part in parts_of(layer)} - {"data"}


def test_no_circular_imports() -> None:
    graph = {name: set(modules_imported(path)) for name, path in NAMES.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"an import cycle: {' <- '.join(error.args[1])}")


PORT = "ccgrid/view/streams.py"
OUTPUT_FUNCTIONS = {
    "print",
    "input",
    "sys.stdout",
    "sys.stderr",
    "typer.echo",
    "typer.secho",
    "typer.prompt",
    "typer.confirm",
}
"""Functions that print or prompt without escaping untrusted text."""


def test_only_one_module_prints_and_prompts() -> None:
    for path in MODULES:
        silent = path.parts[:2] not in (("ccgrid", "view"), ("ccgrid", "commands"), ("ccgrid", "terminal"))
        forbidden = OUTPUT_FUNCTIONS | {"sys.stdin"} if silent and len(path.parts) > 2 else OUTPUT_FUNCTIONS
        for node in ast.walk(tree_of(path)) if path.as_posix() != PORT else ():
            if isinstance(node, ast.Name | ast.Attribute):
                assert ast.unparse(node) not in forbidden, f"{path}:{node.lineno}: {PORT} prints and asks, nothing else"
            if isinstance(node, ast.ImportFrom) and node.module in ("sys", "typer"):
                named = {f"{node.module}.{one.name}" for one in node.names}
                assert not named & forbidden, f"{path}:{node.lineno}: {PORT} prints and asks, nothing else"


def test_imports_are_at_the_top_of_a_module_except_for_a_reason() -> None:
    used = set()
    for path in MODULES:
        for name in imported(path, inside_functions=True):
            reasons = [key for key in INSIDE_FUNCTIONS if path.as_posix().startswith(key[0]) and starts(name, key[1])]
            assert reasons, f"{path} imports {name} inside a function"
            used.update(reasons)
    assert used == set(INSIDE_FUNCTIONS), "an exception is unused"


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
    # With a wrong name the tests of the module would always be skipped.
    assert {name for name in named if name not in NAMES and name.removeprefix("ccgrid.") not in NAMES} == set()
