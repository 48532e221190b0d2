"""Layouts begun from a data file, or from what pictures show: where each field is printed, and the file they are in."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypedDict, cast

from ccgrid.catalog.checked_file import SUFFIX
from ccgrid.catalog.decks import toml_value
from ccgrid.catalog.errors import CatalogError, NotFoundError
from ccgrid.catalog.files import write_atomically
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.imports.layout_draft import Draft, LayoutReport, LayoutReportJson, Reading, layout_text
from ccgrid.catalog.imports.layout_learning import LearnedJson, LearningResult
from ccgrid.catalog.layouts.layout import GuessJson, Layout, guess_json
from ccgrid.catalog.layouts.layout_file import find_layout, layout_files, parse_layout, user_folders
from ccgrid.catalog.scan.learning import AcceptedCard, FramePlace, frame_places
from ccgrid.catalog.store import custom_cards, history
from ccgrid.catalog.store.catalogue import work_on
from ccgrid.catalog.zones import ZoneOrFace, parse_place
from ccgrid.services.catalogue import catalogue_path, open_catalogue

_HIGH: Final = 6
_MEDIUM: Final = 3
"""On so many cards a number was seen, for its place to be sure, or likely."""


def zone_and_reading(word: str) -> tuple[str, Reading] | None:
    """A zone and how a field is read there, as in `br`, `br:collector` or `br:last`; None where it is neither.

    >>> zone_and_reading("br"), zone_and_reading("bottom-right:collector:2")
    (('bottom-right', ('', '')), ('bottom-right', ('collector', '2')))
    >>> zone_and_reading("left:last"), zone_and_reading("left:middle")
    (('left', ('collector', 'last')), None)
    """
    zone_word, *rest = (part.strip().casefold() for part in word.split(":"))
    zone = parse_place(zone_word)
    if rest[:1] in (["collector"], ["numbers"]):
        read = rest.pop(0).replace("numbers", "")
    else:
        read = "collector" if rest else ""
    part = rest.pop() if rest else ""
    is_part = part in ("", "first", "last") or (part.isdecimal() and part.isascii() and 1 <= int(part[:3]) <= 99)
    if zone is None or rest or not is_part or (part and read != "collector"):
        return None
    return zone, (read, part)


def new_layout_file(game: str) -> Path:
    """The file of a game in the person's own folder of layouts; CatalogError where there is one already."""
    path = user_folders()[0] / f"{game}{SUFFIX}"
    if path.exists():
        raise CatalogError(f"You have a layout {game!r} already: {path}")
    return path


def draft_text(
    draft: Draft,
    game: str,
    title: str,
    zones: Mapping[str, str],
    reads: Mapping[str, Reading] | None = None,
    learned: LearningResult | None = None,
) -> str:
    """The text of the layout, with the zone of each field by its path, or as it was learned from pictures.

    Raises CatalogError where the game's name cannot be.
    """
    places = learned.places if learned else ()
    placed = {one.field: [place for place in places if place.field == one.field] for one in places}
    text = layout_text(draft, game, title, zones, reads, placed)
    parse_layout(text, f"{game}{SUFFIX}")
    return text


def write_layout(path: Path, text: str, database: Path | None, waiting: Callable[[], None]) -> None:
    """Writes a layout whole; in one's own folder of layouts as a change that can be taken back."""
    if path.absolute().parent == user_folders()[0].absolute():
        own = path.absolute()
        with history.write_on_success(own, text):
            work_on(catalogue_path(database), lambda store: history.note_layout(store, own, waiting))
    else:
        write_atomically(path, text)


class WrongLayoutJson(TypedDict):
    """What is wrong with a layout."""

    ok: Literal[False]
    error: str


class CheckedLayoutJson(TypedDict):
    """A layout that is right: of which fields it is not sure where they are printed, and what it made of data."""

    ok: Literal[True]
    game: str
    guesses: list[GuessJson]
    trial: LayoutReportJson | None


class DraftedLayoutJson(TypedDict):
    """A layout that was begun: its text, the zone of each field, and the file that it was written to, or null."""

    game: str
    file: str | None
    zones: dict[str, str]
    layout: str


class LearnedLayoutJson(LearnedJson):
    """A layout that pictures of cards show: its text, and the file that it was written to, or null."""

    game: str
    file: str | None
    layout: str


def wrong_layout_json(error: CatalogError) -> WrongLayoutJson:
    """A layout that cannot be used in the documented shape of `layout check --json`."""
    return {"ok": False, "error": str(error)}


def layout_json(layout: Layout, trial: LayoutReport | None) -> CheckedLayoutJson:
    """A layout in the documented shape of `layout check --json`."""
    guesses = [guess_json(line) for line in layout.guesses()]
    return {"ok": True, "game": layout.game, "guesses": guesses, "trial": trial.to_dict() if trial else None}


def draft_json(game: str, file: Path | None, zones: dict[str, str], text: str) -> DraftedLayoutJson:
    """A layout that was begun in the documented shape of `layout new --json`."""
    return {"game": game, "file": None if file is None else str(file), "zones": zones, "layout": text}


def learned_json(game: str, file: Path | None, learned: LearningResult, text: str) -> LearnedLayoutJson:
    """A layout that was learned in the documented shape of `layout new --scans --json`."""
    return {"game": game, "file": None if file is None else str(file), **learned.to_dict(), "layout": text}


class SeenPlaceJson(TypedDict):
    """A place on cards of one kind of frame where a number is, in per cent of the card, and on how many of them.

    Attributes:
        frame: which kind of frame, from 1.
        form: how the number is printed, each digit as `#`, letters as `A`.
        collector: whether it is the card's number of its set.
    """

    frame: int
    zone: ZoneOrFace
    x: float
    y: float
    form: str
    collector: bool
    seen: int
    cards: int


class SeenPlacesJson(TypedDict):
    """Where the numbers of a game are on so many accepted cards."""

    game: str
    cards: int
    places: list[SeenPlaceJson]


class SeenPlaces(NamedTuple):
    """Where the numbers of a game are on so many accepted cards, frame by frame."""

    game: str
    cards: int
    places: tuple[FramePlace, ...]

    def to_dict(self) -> SeenPlacesJson:
        """The documented shape of `layout places --json`."""
        places: list[SeenPlaceJson] = [
            {
                "frame": one.frame,
                "zone": cast("ZoneOrFace", one.place.zone),
                "x": one.place.x,
                "y": one.place.y,
                "form": one.place.form,
                "collector": one.place.is_collector,
                "seen": one.seen,
                "cards": one.cards,
            }
            for one in self.places
        ]
        return {"game": self.game, "cards": self.cards, "places": places}

    def to_toml(self) -> str:
        """The layout of tables that have a column for each zone, as `ccgrid export` writes them."""
        title = find_layout(self.game).name if self.game in layout_files() else self.game.title()
        lines = [
            f"# Where numbers are on {counted(self.cards, 'card')} of {self.game} "
            "that somebody accepted from pictures.",
            *("format = 1", f"game = {toml_value(self.game)}", f"name = {toml_value(title)}"),
        ]
        seen: dict[tuple[str, bool], list[FramePlace]] = {}
        for one in self.places:
            seen.setdefault((one.place.zone, one.place.is_collector), []).append(one)
        for (zone, is_collector), found in seen.items():
            times = sum(one.seen for one in found)
            sure = "high" if times >= _HIGH else "medium" if times >= _MEDIUM else "low"
            lines += [
                "",
                "[[printed]]",
                f'field = "{"collector_number" if is_collector else zone}"',
                f'zone = "{zone}"',
            ]
            if is_collector:
                first = any(mark in one.place.form for one in found for mark in ("/", " of "))
                lines += ['read = "collector"', f'part = "{"first" if first else "last"}"']
            lines += [f'confidence = "{sure}"', f'note = "seen there on {times} of {self.cards} cards"']
        return "\n".join(lines) + "\n"


def seen_places(game: str, database: Path | None) -> SeenPlaces:
    """Where the numbers of a game are on the cards that were accepted from pictures.

    Raises NoSuchNameError where the catalogue has no such game, NotFoundError where no card of it was accepted.
    """
    with open_catalogue(database) as store:
        store.check_game(game)
        accepted = [AcceptedCard.of(one.card_id, one.seen) for one in custom_cards.accepted_scans(store, game)]
    cards = [one for one in accepted if one.places]
    if not cards:
        message = f"No scanned card of {game} was accepted yet. Try: ccgrid scan FOLDER --game {game}"
        raise NotFoundError(message, kind="scanned card", name=game)
    return SeenPlaces(game, len(cards), tuple(frame_places(cards)))
