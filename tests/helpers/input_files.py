"""Files that people bring, each with what is right: `tests/inputs/*.toml`, and the catalogue that they are read with.

A file of inputs is of one kind, and has a table for each input:

    kind = "truth values in other languages"
    pending = true                   # the program cannot read this kind yet: its tests may fail; left out later

    [[input]]
    name = "moxfield-fr.csv"         # what the file is called
    origin = "Moxfield's headings, saved again by a French LibreOffice"
    text = '''Count,Name…'''         # the file; `lines` instead of `text` is joined with line ends
    encoding = "utf-8"               # `hex` instead of `text` gives the bytes themselves
    games = ["mtg"]                  # the games in the catalogue; all but `lorcana.json` where it is left out
    options = ["--game", "mtg"]      # behind `collection import FILE`
    command = "deck check"           # another command than `collection import`
    before = ["collection add '2 Negate'"]          # commands that are run first
    files = { "old.csv" = "…" }      # further files; `{old.csv}` in a command is replaced by its path
    right = ["4 mtg:m10/146 foil", "1 mtg:isd/51 etched ja signed"]     # the whole collection afterwards
    doubts = ["Slaking"]             # each is a part of one row reported as fuzzy or missed, and there are no more
    skipped = ["[Maybeboard"]        # each is a part of one skipped row; where left out, rows may be skipped
    status = 1                       # the exit status; 1 if there are doubts, else 0, where it is left out
    says = ["regular expression"]    # each is found in what is printed
    custom = ["Price"]               # headings that are kept as custom columns; none where it is left out

A copy is written as: number, id, and what differs from a normal English copy: the finish, `~` and the condition, the
language, `signed`, `altered`, `proxy`, `@` and the box. Inputs that a person would not want read are refused: `right`
is empty, `status` is 3 and `says` what the message must name.
"""

import shlex
import tomllib
from dataclasses import dataclass, field
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
"""For each game the source that reads its cards, and their file; `lorcana.json` has the ids that apps use."""
ALL_GAMES: Final = tuple(name for name in SOURCES if name != "lorcana.json")


@dataclass(frozen=True)
class Input:
    """A file that is brought, and what is right."""

    kind: str
    name: str
    data: bytes
    right: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    skipped: tuple[str, ...] | None = None
    status: int = 0
    says: tuple[str, ...] = ()
    custom: tuple[str, ...] = ()
    games: tuple[str, ...] = ALL_GAMES
    command: str = "collection import"
    options: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    pending: bool = False

    def words(self, folder: Path, text: str) -> list[str]:
        """The words of a command line in which names of files in braces are paths in a folder."""
        for name in (self.name, *self.files):
            text = text.replace(f"{{{name}}}", shlex.quote(str(folder / name)))
        return shlex.split(text)

    def write(self, folder: Path) -> Path:
        """Write the files into a folder, and return the path of the one that is brought."""
        for name, text in self.files.items():
            (folder / name).write_text(text, encoding="utf-8", newline="")
        (folder / self.name).write_bytes(self.data)
        return folder / self.name


KEYS: Final = frozenset(
    {"name", "origin", "text", "lines", "hex", "encoding", "games", "options", "command", "before", "files", "right"}
    | {"doubts", "skipped", "status", "says", "custom"}
)


def read_inputs(path: Path) -> list[Input]:
    """Read the inputs of one file."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    return [_input(content, one) for one in content["input"]]


def _input(content: dict[str, Any], one: dict[str, Any]) -> Input:
    assert not set(one) - KEYS, set(one) - KEYS
    assert one["origin"], "an input says where it is from"
    if "hex" in one:
        data = bytes.fromhex(one["hex"])
    else:
        text = one["text"] if "text" in one else "".join(f"{line}\n" for line in one["lines"])
        data = text.encode(one.get("encoding", "utf-8"))
    doubts = tuple(one.get("doubts", ()))
    skipped = tuple(one["skipped"]) if "skipped" in one else None
    return Input(
        content["kind"],
        one["name"],
        data,
        tuple(one.get("right", ())),
        doubts,
        skipped,
        one.get("status", int(bool(doubts))),
        tuple(one.get("says", ())),
        tuple(one.get("custom", ())),
        tuple(one.get("games", ALL_GAMES)),
        one.get("command", "collection import"),
        tuple(one.get("options", ())),
        tuple(one.get("before", ())),
        dict(one.get("files", {})),
        content.get("pending", False),
    )


def copies(entry: dict[str, Any]) -> str:
    """Write an entry of the collection as inputs do."""
    words = [str(entry["copies"]), entry["id"]]
    words += [entry["finish"]] if entry["finish"] != "normal" else []
    words += [f"~{entry['condition']}"] if entry["condition"] else []
    words += [entry["language"]] if entry["language"] not in ("en", None, "") else []
    words += [mark for mark in ("signed", "altered", "proxy") if entry[mark]]
    words += [f"@{entry['box']}"] if entry["box"] else []
    return " ".join(words)
