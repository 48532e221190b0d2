"""A person's last word on a scanned card: one key accepts it, arrows and digits correct it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.evidence import FACE
from ccgrid.catalog.scan.result import Scan
from ccgrid.terminal.prompts import DELETE, ENTER

HELP: Final = """Enter accepts. Arrows choose a zone, digits set its number, Del clears it.
n name, g game, o collector number, space skips it for now, q quits."""

_ROWS: Final = (
    ("top-left", "top", "top-right"),
    ("left", FACE, "right"),
    ("bottom-left", "bottom", "bottom-right"),
)
_STEPS: Final = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
_TEXTS: Final = {"n": ("name", "Name"), "g": ("game", "Game"), "o": ("collector_number", "Number")}

ACCEPT: Final = "accept"
LATER: Final = "later"
QUIT: Final = "quit"


@dataclass(frozen=True, slots=True)
class ReviewPrompter:
    """How the review talks to a person: reads a key, asks for a line, draws the card so far, says something.

    `draw` is given the scan, the card as it stands and the place that is chosen.
    """

    key: Callable[[], str]
    ask: Callable[[str], str]
    draw: Callable[[Scan, CustomCard, str], None]
    say: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ReviewAnswer:
    """What a person wants with a card: `accept` it as it is here, leave it for `later`, or `quit`."""

    what: str
    entry: CustomCard


def review(scan: Scan, voice: ReviewPrompter, *, game: str = "") -> ReviewAnswer:
    """Shows a card until it is accepted or left; `game` is taken for one whose game nobody has told."""
    entry = scan.entry()
    if not entry.game and game:
        entry = replace(entry, game=game)
    row, column, fresh = *_first_doubt(scan), True
    voice.draw(scan, entry, _ROWS[row][column])
    while True:
        key = voice.key()
        place = _ROWS[row][column]
        if key in ("", "q", "Q"):
            return ReviewAnswer(QUIT, entry)
        if key == " ":
            return ReviewAnswer(LATER, entry)
        if key == ENTER:
            if not entry.game or not entry.name.strip():
                entry = _asked(entry, voice)
            if not (problems := entry.problems()):
                return ReviewAnswer(ACCEPT, entry)
            voice.say("\n".join(problems))
        elif key in _STEPS:
            down, across = _STEPS[key]
            row, column, fresh = (row + down) % 3, (column + across) % 3, True
        elif key.isdecimal() or key in (",", "+", "-"):
            before = "" if fresh else entry.printed.get(place, "")
            entry, fresh = _with(entry, place, before + key), False
        elif key == DELETE:
            entry, fresh = _with(entry, place, ""), True
        elif key in _TEXTS:
            entry = _told(entry, *_TEXTS[key], voice)
        else:
            voice.say(HELP)
            continue
        voice.draw(scan, entry, _ROWS[row][column])


def _first_doubt(scan: Scan) -> tuple[int, int]:
    """Where to begin: at the first place in doubt, else in the first corner."""
    found = ((r, c) for r, places in enumerate(_ROWS) for c, place in enumerate(places) if place in scan.doubtful)
    return next(found, (0, 0))


def _with(entry: CustomCard, place: str, text: str) -> CustomCard:
    printed = {name: number for name, number in entry.printed.items() if name != place}
    return replace(entry, printed={**printed, place: text} if text else printed)


def _asked(entry: CustomCard, voice: ReviewPrompter) -> CustomCard:
    """The card with the game and the name that it lacks, as far as they are told."""
    if not entry.name.strip():
        entry = _told(entry, "name", "Name", voice)
    return entry if entry.game else _told(entry, "game", "Game, such as rifts", voice)


def _told(entry: CustomCard, key: str, prompt: str, voice: ReviewPrompter) -> CustomCard:
    text = voice.ask(prompt).strip()
    return replace(entry, **{key: text.lower() if key == "game" else text}) if text else entry  # type: ignore[arg-type]
