"""Input files with their expected results, `tests/inputs/*.toml`, and the catalogue for reading them.

A file of inputs is of one kind, and has a table for each input:

    kind = "truth values in other languages"
    pending = true                   # the program cannot read this kind yet: its tests may fail

    [[input]]
    name = "moxfield-fr.csv"         # the name of the file
    origin = "Moxfield's headings, saved again by a French LibreOffice"
    text = '''Count,Name…'''         # the file; `lines` instead of `text` is joined with line ends
    encoding = "utf-8"               # `hex` instead of `text` gives the bytes themselves
    games = ["mtg"]                  # the games in the catalogue; default: all except `lorcana.json`
    options = ["--game", "mtg"]      # added to `collection import FILE`
    command = "deck check"           # instead of `collection import`
    before = ["collection add '2 Negate'"]          # commands to run first
    then = ["show Negate"]           # commands to run afterwards; their output is checked as well
    files = { "old.csv" = "…" }      # further files; `{old.csv}` in a command is replaced by its path
    right = ["4 mtg:m10/146 foil", "1 mtg:isd/51 etched ja signed"]     # the whole collection afterwards
    doubts = ["Slaking"]             # each is a part of one row reported as fuzzy or missed; no other row is
    skipped = ["[Maybeboard"]        # each is a part of one skipped row; if omitted, rows may be skipped
    status = 1                       # the exit status; default: 1 if there are doubts, else 0
    says = ["regular expression"]    # each matches the output
    custom = ["Price"]               # headings stored as custom columns; default: none
    pending = true                   # this input alone cannot be read yet
    [[input.or]]                     # another correct answer, with the six keys from `right` on
    right = []

`shared` instead of `text` names a file in the folder `files` of the shared data; `name` is then optional. Such
inputs are read with the catalogue that its README describes, or with the `games`, and their custom columns are checked
only if `custom` is given.


A copy is written as number, id, and the differences from a normal English copy: the finish, `~` and the condition, the
language, `signed`, `altered`, `proxy`, `@` and the box. `4 mtg:"Negate" foil` means any printing of a name; `*` and
`?` match any characters. If the program must reject the input, `right`
is empty, `status` is 3 and `says` matches the message.
"""

import re
import shlex
import shutil
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

INPUTS: Final = Path(__file__).resolve().parents[1] / "inputs"
CARDS: Final = INPUTS / "cards"
SOURCES: Final = {
    "mtg": ("mtg", "mtg.json"),
    "pokemon": ("pokemon", "pokemon"),
    "netrunner": ("netrunner", "netrunner"),
    "swccg": ("swccg", "swccg"),
    "fab": ("fab", "fab"),
    "onepiece": ("onepiece", "onepiece.json"),
    "lorcana": ("lackey", "LorcanaTCG"),
    "digimon": ("lackey", "Digimon-Card-Game"),
    "vtes": ("vekn", "vtes"),
    "hearthstone": ("hearthstone", "hearthstone.xml"),
    "yugioh": ("yugioh", "yugioh.json"),
    "lorcana.json": ("lorcana", "lorcana.json"),
}
"""The source and the file of each game's cards; `lorcana.json` has the ids that apps use."""
ALL_GAMES: Final = tuple(name for name in SOURCES if name != "lorcana.json")


SHARED: Final = Path(__file__).resolve().parents[3] / "shared" / "data"
SHARED_CATALOGUE: Final = (
    ("mtg", "--file", "scryfall/scryfall-2018-2019-slice.json.gz"),
    ("mtg", "--add", "files/more-mtg-cards.json"),
    ("mtg", "--add", "files/27-flavour-name-card.json"),
    ("pokemon", "json-games/pokemon-tcg-data"),
    ("netrunner", "json-games/netrunner-cards-json"),
    ("swccg", "json-games/swccg-card-json"),
    ("fab", "json-games/flesh-and-blood-cards"),
    ("onepiece", "one-piece/en-cards.json"),
    ("lackey", "lackey/LorcanaTCG"),
    ("lackey", "lackey/Digimon-Card-Game"),
    ("vekn", "more/GiottoVerducci+vtescsv"),
    ("hearthstone", "hearthstone/CardDefs-collectible-every40th.xml"),
    ("yugioh", "yugioh/python-ygoprodeck-api-scripts/cardinfo.php.json"),
)
"""The imports for the shared inputs: the source, an option for some, and the file."""
LORCANA_CATALOGUE: Final = (("lorcana", "files/lorcana-cards.json"),)


@dataclass(frozen=True)
class Answer:
    """A correct result: the collection afterwards, and the command's report."""

    right: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    skipped: tuple[str, ...] | None = None
    status: int = 0
    says: tuple[str, ...] = ()
    custom: tuple[str, ...] | None = ()


@dataclass(frozen=True)
class Input:
    """An input file with its correct answers, usually one."""

    kind: str
    name: str
    data: bytes | None
    """The content of the file; None for a shared one."""
    file: str
    """The name of the file."""
    answers: tuple[Answer, ...]
    games: tuple[str, ...] = ALL_GAMES
    command: str = "collection import"
    options: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    pending: bool = False

    @property
    def imports(self) -> tuple[tuple[str, ...], ...]:
        """The words of each import that creates the catalogue; the last word is a path."""
        if self.data is not None:
            return tuple((SOURCES[game][0], str(CARDS / SOURCES[game][1])) for game in self.games)
        wanted = LORCANA_CATALOGUE if self.games == ("lorcana.json",) else SHARED_CATALOGUE
        return tuple((*words, str(SHARED / file)) for *words, file in wanted)

    def words(self, folder: Path, text: str) -> list[str]:
        """Split a command line into words; names of files in braces become paths in a folder."""
        return shlex.split(re.sub(r"\{(\S+)\}", lambda found: shlex.quote(str(folder / found[1])), text))

    def write(self, folder: Path) -> Path:
        """Write the files into a folder, and return the path of the input file."""
        if self.data is None:
            shutil.copytree(SHARED / "files", folder, dirs_exist_ok=True)
            return folder / self.file
        for name, text in self.files.items():
            (folder / name).write_text(text, encoding="utf-8", newline="")
        (folder / self.file).write_bytes(self.data)
        return folder / self.file


ANSWER_KEYS: Final = frozenset(one.name for one in fields(Answer))
KEYS: Final = frozenset(
    {"name", "origin", "text", "lines", "hex", "shared", "encoding", "games", "options", "command", "before", "files"}
    | {"then", "pending", "or"}
    | ANSWER_KEYS
)


def read_inputs(path: Path) -> list[Input]:
    """Read the inputs of one file."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    return [_input(content, one) for one in content["input"]]


def _input(content: dict[str, Any], one: dict[str, Any]) -> Input:
    assert not set(one) - KEYS, set(one) - KEYS
    assert one["origin"], "an input needs an origin"
    others = one.get("or", [])
    assert not (wrong := {key for other in others for key in other} - ANSWER_KEYS), wrong
    return Input(
        content["kind"],
        one.get("name") or one["shared"],
        _data(one),
        one.get("shared") or one["name"],
        tuple(_answer(each, everything="shared" not in one) for each in (one, *others)),
        tuple(one.get("games", ALL_GAMES)),
        one.get("command", "collection import"),
        tuple(one.get("options", ())),
        tuple(one.get("before", ())),
        tuple(one.get("then", ())),
        dict(one.get("files", {})),
        content.get("pending", False) or one.get("pending", False),
    )


def _data(one: dict[str, Any]) -> bytes | None:
    if "shared" in one:
        return None
    if "hex" in one:
        return bytes.fromhex(one["hex"])
    text = one["text"] if "text" in one else "".join(f"{line}\n" for line in one["lines"])
    return bytes(text.encode(one.get("encoding", "utf-8")))


def _answer(one: dict[str, Any], *, everything: bool) -> Answer:
    """Read an answer; if it need not list `everything`, absent custom columns are not checked."""
    doubts = tuple(one.get("doubts", ()))
    return Answer(
        tuple(one.get("right", ())),
        doubts,
        tuple(one["skipped"]) if "skipped" in one else None,
        one.get("status", int(bool(doubts))),
        tuple(one.get("says", ())),
        tuple(one.get("custom", ())) if everything or "custom" in one else None,
    )


def copies(entry: dict[str, Any], *, by_name: bool = False) -> str:
    """Write an entry of the collection as inputs do, with the card's id or with its game and name."""
    words = [str(entry["copies"]), f'{entry["game"]}:"{entry["name"]}"' if by_name else entry["id"]]
    words += [entry["finish"]] if entry["finish"] != "normal" else []
    words += [f"~{entry['condition']}"] if entry["condition"] else []
    words += [entry["language"]] if entry["language"] not in ("en", None, "") else []
    words += [mark for mark in ("signed", "altered", "proxy") if entry[mark]]
    words += [f"@{entry['box']}"] if entry["box"] else []
    return " ".join(words)
