"""The page of `ccgrid page`: the replay of a recorded game."""

import html
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Final, Literal

import msgspec

from ccgrid.catalog.codes import CodeError
from ccgrid.catalog.surrogates import replace_surrogates
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.insight.analysis import read_move_notes
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
from ccgrid.engine.records.codes import record_code
from ccgrid.engine.records.record import Record
from ccgrid.pages.card_looks import family_hue

_ASSETS: Final = resources.files("ccgrid.pages") / "assets"
# `</script>` would end the element; the last two are line ends in scripts, but not in JSON.
_HARMFUL: Final = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}


def asset(name: str) -> str:
    """Return a bundled template, style or script."""
    return (_ASSETS / name).read_text(encoding="utf-8")


def page_style() -> str:
    """Return the style of pages on screens: the design and what is made of it."""
    return asset("design.css") + asset("page.css")


def fill_page(template: str, title: str, data: object, scripts: Sequence[str]) -> str:
    """Fill a template with its title, style, scripts, and the data that the scripts find in the element `data`."""
    text = template
    parts = {
        "title": html.escape(title),
        "style": page_style(),
        "data": json_script(data),
        "script": "\n".join(scripts),
    }
    # Not `replace`: parts that were already inserted, such as a name "<!--data-->", must not be searched.
    for name, part in parts.items():
        before, _, after = text.partition(f"<!--{name}-->")
        text = before + part + after
    return text


def json_script(data: object) -> str:
    r"""Return data as JSON for a script element; no text in it can end the element.

    >>> print(json_script({"name": "</script>"}))
    {"name":"\u003c/script\u003e"}
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=msgspec.to_builtins)
    return replace_surrogates(text).translate(_HARMFUL)


def plain(words: Words) -> str:
    """Return a text with its names unchanged; the page wraps lines and escapes markup.

    >>> plain(("takes ", Name("Gate Warden")))
    'takes Gate Warden'
    """
    if isinstance(words, str):
        return words
    return "".join(part.text if isinstance(part, Name) else part for part in words)


class Nodes:
    """The parts of pictures as lists of a kind and its values; inner parts are referred to by number."""

    def __init__(self) -> None:
        self.values: list[list[object]] = []
        self._numbers: dict[str, int] = {}

    def add(self, picture: Picture) -> int:
        """Add a picture unless an equal one exists, and return its number."""
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
        looks = family_hue(tile.family), tile.seat
        zones, captions = dict(tile.zones), [*tile.captions, *([tile.turned] if tile.turned else ())]
        return self._put("tile", tile.label, tile.owner, tile.name, zones, captions, tile.marked, *looks)

    def _grid(self, grid: TextGrid) -> int:
        # The number of cells in the widest row; a divider spans all of them.
        columns = max((len(line.cells) for line in grid.lines if isinstance(line, GridRow)), default=0)
        # The page itself draws dividers without a label.
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

    def _put(self, kind: str, *parts: object) -> int:
        value = [kind, *parts]
        # Share equal parts: most tiles of a position are equal to those of the position before.
        key = json.dumps(value)
        number = self._numbers.setdefault(key, len(self.values))
        if number == len(self.values):
            self.values.append(value)
        return number


class ReplayedMove(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A move on the page of a replay; fields without a value are absent.

    Attributes:
        best: the best move, if another one was better, and its effect.
        lead: the lead of the first player in points, if it is known.
    """

    player: str
    move: str
    effect: str
    mark: str = ""
    best: str = ""
    lead: float | None = None


class ReplayData(msgspec.Struct, frozen=True, kw_only=True):
    """The data of the page of a replay.

    Attributes:
        nodes: the parts of the pictures, see `Nodes`.
        positions: the number of each position's picture.
        scores: the points of all players at each position.
    """

    title: str
    about: str
    players: list[str]
    nodes: list[list[object]]
    positions: list[int]
    scores: Sequence[Sequence[int]]
    moves: list[ReplayedMove]
    ending: str
    code: str


def replay_page(record: Record) -> str:
    """Return the page that replays a valid record.

    Raises:
        EngineError: If the record cannot be replayed.
    """
    data = replay_data(record)
    return fill_page(asset("replay.html"), data.title, data, [asset("cards.js"), asset("replay.js")])


def replay_data(record: Record) -> ReplayData:
    """Return the data of the page that replays a record."""
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
        best, lead = "", None
        if note.best in ply.state.legal_moves():
            best = f"{note.best} ({plain(view.describe(ply.state, note.best))}): {note.lost:.1f} points better"
        # The note's value is for the player to move; the chart shows the first player's lead.
        if note.value is not None and len(state.players) == 2:
            lead = round(note.value if ply.state.to_move == 0 else -note.value, 1)
        moves.append(
            ReplayedMove(player=ply.player, move=ply.move, effect=effect, mark=note.mark or "", best=best, lead=lead)
        )
    return ReplayData(
        title=f"{', '.join(record.setup.players)} - {game.title}",
        about=_about(record),
        players=list(record.setup.players),
        nodes=nodes.values,
        positions=positions,
        scores=scores,
        moves=moves,
        ending=_ending(state),
        code=_code(record),
    )


def _about(record: Record) -> str:
    about = (record.event, record.date.isoformat() if record.date else None)
    return ", ".join(text for text in about if text)


def _ending(state: State) -> str:
    """Return how the game ended, or "" if it has not ended."""
    outcome = state.outcome()
    if outcome is None:
        return ""
    winner = "A draw" if outcome.winner is None else f"{state.players[outcome.winner]} wins"
    return f"{winner}: {outcome.reason}."


def _code(record: Record) -> str:
    try:
        return record_code(record).line
    except CodeError:  # the game is too long for a code
        return ""


class WrittenPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page that was written, and its size in bytes."""

    file: str
    kind: Literal["replay"]
    bytes: int
