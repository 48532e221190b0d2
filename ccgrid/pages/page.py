"""The pages of `ccgrid page`: a recorded game replayed, as the game shows it, and the table that a game brings."""

import html
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, Final, Literal

import msgspec

from ccgrid.catalog.card import Card
from ccgrid.catalog.codes import CodeError
from ccgrid.engine.errors import EngineError, quoted
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.insight.analysis import read_move_notes
from ccgrid.engine.options import unknown_options
from ccgrid.engine.picture import (
    Beside,
    Cell,
    Divider,
    GridRow,
    Line,
    Listing,
    Name,
    Picture,
    PictureTable,
    Spare,
    Stack,
    Standings,
    TextGrid,
    Tile,
    Tiles,
    Words,
)
from ccgrid.engine.real_cards import TablePage
from ccgrid.engine.records.files import record_code
from ccgrid.engine.records.record import Record

_ASSETS: Final = resources.files("ccgrid.pages") / "assets"
# `</script>` would end the element; the last two end a line in scripts, though not in JSON.
_HARMFUL: Final = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}


def asset(name: str) -> str:
    """A template, a style or a script that comes with the program."""
    return (_ASSETS / name).read_text(encoding="utf-8")


def fill_page(template: str, title: str, data: Mapping[str, Any], scripts: Sequence[str]) -> str:
    """The page of a template; scripts find the data in the element `data`."""
    text = template
    parts = {
        "title": html.escape(title),
        "style": asset("page.css"),
        "data": json_script(data),
        "script": "\n".join(scripts),
    }
    # Not `replace`: what is in a part, such as "<!--data-->" in a name, is not looked through again.
    for name, part in parts.items():
        before, _, after = text.partition(f"<!--{name}-->")
        text = before + part + after
    return text


def json_script(data: Mapping[str, Any]) -> str:
    r"""Data as JSON that stands in a page: no text in it can end the element that holds it.

    >>> print(json_script({"name": "</script>"}))
    {"name":"\u003c/script\u003e"}
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    clean = text.encode("utf-8", "replace").decode("utf-8")  # half of a pair is in no encoding
    return clean.translate(_HARMFUL)


def table_page(game: str, name: str, deck: Sequence[Card], options: Mapping[str, object]) -> str:
    """The page on which this game is played with this deck of legal cards.

    Raises:
        EngineError: an option cannot be, or the page does not know it.
    """
    rules = find_game(game)
    made: TablePage = rules.part("page")
    if unknown := unknown_options(rules.variant(options), made.options):
        raise EngineError(f"The page does not know the option {quoted(unknown[0])}: use it with 'ccgrid table'.")
    scripts = asset("codes.js"), asset("cards.js"), made.text("table.js")
    return fill_page(made.text("table.html"), f"{name} - {rules.title}", made.data(name, deck, options), scripts)


def plain(words: Words) -> str:
    """A text with its names as they are: a page breaks lines by itself, and nothing in a text acts there.

    >>> plain(("takes ", Name("Gate Warden")))
    'takes Gate Warden'
    """
    if isinstance(words, str):
        return words
    return "".join(part.text if isinstance(part, Name) else part for part in words)


class Nodes:
    """The parts of pictures, each a list of its kind and what it holds; a part within another is its number."""

    def __init__(self) -> None:
        self.values: list[list[Any]] = []
        self._numbers: dict[str, int] = {}

    def add(self, picture: Picture) -> int:
        """The number of a picture."""
        match picture:
            case Spare():
                return self.add(picture.picture)
            case Line():
                return self._put("line", plain(picture.words), picture.value, picture.style)
            case Listing():
                return self._put("listing", plain(picture.heading), [plain(entry) for entry in picture.entries])
            case Standings():
                return self._put("standings", [plain(entry) for entry in picture.entries])
            case Tiles():
                return self._put("tiles", picture.columns, [self._tile(tile) for tile in picture.tiles])
            case TextGrid():
                return self._grid(picture)
            case PictureTable():
                headings = [column.heading for column in picture.columns]
                numbers = [column.is_number for column in picture.columns]
                return self._put("table", headings, numbers, [list(row) for row in picture.rows])
            case Stack():
                return self._put("stack", [self.add(part) for part in picture.parts])
            case Beside():
                return self._put("beside", self.add(picture.left), self.add(picture.right))

    def _tile(self, tile: Tile) -> int:
        return self._put("tile", tile.label, tile.owner, tile.name, dict(tile.zones), list(tile.captions), tile.marked)

    def _grid(self, grid: TextGrid) -> int:
        # As many as the widest row has: a divider goes across all of them.
        columns = max((len(line.cells) for line in grid.lines if isinstance(line, GridRow)), default=0)
        # Dividers without a label are lines that the page draws by itself.
        shown = [line for line in grid.lines if isinstance(line, GridRow) or line.labels]
        lines = [self._grid_line(line, columns) for line in shown]
        around: Mapping[str, str] = {side: plain(words) for side, words in grid.around.items()}
        return self._put("board", grid.holds_names, around, lines)

    def _grid_line(self, line: GridRow | Divider, columns: int) -> int:
        if isinstance(line, Divider):
            return self._put("divider", list(line.labels), line.faces, columns)
        return self._put("row", line.label, [self._cell(cell) for cell in line.cells])

    def _cell(self, cell: Cell) -> int:
        return self._put("cell", cell.value, cell.name, cell.marked)

    def _put(self, kind: str, *parts: str | int | bool | Sequence[Any] | Mapping[str, Any]) -> int:
        value = [kind, *parts]
        # Equal parts are one: most tiles of a position are those of the one before.
        key = json.dumps(value)
        number = self._numbers.setdefault(key, len(self.values))
        if number == len(self.values):
            self.values.append(value)
        return number


def replay_page(record: Record) -> str:
    """The page of a valid record; raises what replaying it raises."""
    data = replay_data(record)
    return fill_page(asset("replay.html"), data["title"], data, [asset("cards.js"), asset("replay.js")])


def replay_data(record: Record) -> dict[str, Any]:
    """All that the page shows: positions as numbers of pictures, moves with what they did, scores."""
    game = find_game(record.setup.game)
    view, nodes = game.pictures, Nodes()
    state = record.setup.start()
    positions = [nodes.add(view.picture(state, None, None))]
    scores = [state.scores()]
    moves = []
    for ply, note in zip(record, read_move_notes(record), strict=True):
        state = ply.state.play_unchecked(ply.move)
        positions.append(nodes.add(view.picture(state, None, ply.move)))
        scores.append(state.scores())
        effect = plain(view.describe(ply.state, ply.move))
        said: dict[str, Any] = {"player": ply.player, "move": ply.move, "effect": effect}
        said |= {"mark": note.mark} if note.mark else {}
        if note.best in ply.state.legal_moves():
            said["best"] = f"{note.best} ({plain(view.describe(ply.state, note.best))}): {note.lost:.1f} points better"
        # For the first player, whoever moved.
        if note.value is not None and len(state.players) == 2:
            said["lead"] = round(note.value if ply.state.to_move == 0 else -note.value, 1)
        moves.append(said)
    return {
        "title": f"{', '.join(record.setup.players)} - {game.title}",
        "about": _about(record),
        "players": list(record.setup.players),
        "nodes": nodes.values,
        "positions": positions,
        "scores": scores,
        "moves": moves,
        "ending": _ending(state),
        "code": _code(record),
    }


def _about(record: Record) -> str:
    about = (record.event, record.date.isoformat() if record.date else None)
    return ", ".join(text for text in about if text)


def _ending(state: State) -> str:
    """How the game ended, in a sentence; nothing where it is not over."""
    outcome = state.outcome()
    if outcome is None:
        return ""
    winner = "A draw" if outcome.winner is None else f"{state.players[outcome.winner]} wins"
    return f"{winner}: {outcome.reason}."


def _code(record: Record) -> str:
    try:
        return record_code(record).line
    except CodeError:  # too long for any line
        return ""


class WrittenPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page that was written, and its size in bytes."""

    file: str
    kind: Literal["table", "replay"]
    bytes: int
