"""Drafts of layouts from data and pictures, their files, and the answers of the commands on layouts."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Literal, cast

import msgspec

from ccgrid.catalog.card import Confidence
from ccgrid.catalog.checked_file import SUFFIX
from ccgrid.catalog.errors import CatalogError, NotFoundError
from ccgrid.catalog.files import write_atomically
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.imports.layout_draft import Draft, layout_text
from ccgrid.catalog.imports.layout_learning import LearningResult, UnplacedField
from ccgrid.catalog.imports.layout_places import Reading, UnexplainedZone
from ccgrid.catalog.imports.layout_trial import LayoutReport
from ccgrid.catalog.layouts.layout import Guess, Layout
from ccgrid.catalog.layouts.layout_file import find_layout, layout_files, parse_layout, user_folders
from ccgrid.catalog.scan.learning import AcceptedCard, frame_places
from ccgrid.catalog.store import history, recording, scans
from ccgrid.catalog.store.creation import work_on
from ccgrid.catalog.toml_values import toml_value
from ccgrid.catalog.zones import ZoneOrFace, parse_place
from ccgrid.services.catalogue import catalogue_path, open_catalogue

_HIGH: Final = 6
_MEDIUM: Final = 3
"""The least number of cards that show a number, for high and for medium confidence."""


def zone_and_reading(word: str) -> tuple[str, Reading] | None:
    """Parse a zone and a reading, such as `br`, `br:collector` or `br:last`; return None if the text is not one.

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
    """Return the path of a game's layout in the user's folder.

    Raises:
        CatalogError: If it exists already.
    """
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
    """Return the text of a layout.

    Args:
        draft: The fields of the data.
        game: The short name of the game.
        title: The name of the game.
        zones: The zone of each field by its path.
        reads: How to read fields.
        learned: The places that were learned from pictures.

    Raises:
        CatalogError: If the name of the game is not valid, or no field has a zone.
    """
    places = learned.places if learned else ()
    placed = {one.field: [place for place in places if place.field == one.field] for one in places}
    text = layout_text(draft, game, title, zones, reads, placed)
    parse_layout(text, f"{game}{SUFFIX}")
    return text


def write_layout(path: Path, text: str, database: Path | None, waiting: Callable[[], None]) -> None:
    """Write a layout atomically; in the user's folder of layouts as a change that can be undone."""
    if path.absolute().parent == user_folders()[0].absolute():
        own = path.absolute()
        with history.write_on_success(own, text):
            work_on(catalogue_path(database), lambda store: recording.note_layout(store, own, waiting))
    else:
        write_atomically(path, text)


class WrongLayout(msgspec.Struct, frozen=True, kw_only=True):
    """A layout that cannot be used, and why."""

    ok: Literal[False]
    error: str


class CheckedLayout(msgspec.Struct, frozen=True, kw_only=True):
    """A layout that can be used: the fields whose place it is not sure of, and what it reads from data."""

    ok: Literal[True]
    game: str
    guesses: list[Guess]
    trial: LayoutReport | None


class DraftedLayout(msgspec.Struct, frozen=True, kw_only=True):
    """A drafted layout: its text, the zone of each field, and the file that it was written to, or null."""

    game: str
    file: str | None
    zones: dict[str, str]
    layout: str


class PlacedField(msgspec.Struct, frozen=True, kw_only=True):
    """The zone of a field, seen on some of the cards that have it; `when` selects cards, and is null for all."""

    field: str
    zone: str
    seen: int
    cards: int
    confidence: Confidence
    when: dict[str, list[str]] | None


class LearnedLayout(msgspec.Struct, frozen=True, kw_only=True):
    """A layout learned from pictures of cards: its text, and the file that it was written to, or null.

    Attributes:
        cards: the number of pictures whose card is in the data.
        unexplained: zones with numbers that are in no field.
        few: the types of cards with fewer than two pictures, and the number of pictures of each.
    """

    game: str
    file: str | None
    cards: int
    places: list[PlacedField]
    unexplained: list[UnexplainedZone]
    unplaced: list[UnplacedField]
    few: dict[str, int]
    layout: str


def checked_layout(layout: Layout, trial: LayoutReport | None) -> CheckedLayout:
    """Return the answer of `layout check` for a valid layout."""
    guesses = [Guess(field=one.field, zone=one.zone, confidence=one.confidence) for one in layout.guesses()]
    return CheckedLayout(ok=True, game=layout.game, guesses=guesses, trial=trial)


def learned_layout(game: str, file: Path | None, learned: LearningResult, text: str) -> LearnedLayout:
    """Return the answer of `layout new --scans`."""
    return LearnedLayout(
        game=game,
        file=None if file is None else str(file),
        cards=learned.cards,
        places=[
            PlacedField(
                field=place.field,
                zone=place.zone,
                seen=place.seen,
                cards=place.cards,
                confidence=cast("Confidence", place.confidence),
                when={place.column: list(place.among)} if place.column else None,
            )
            for place in learned.places
        ],
        unexplained=list(learned.unexplained),
        unplaced=list(learned.unplaced),
        few=dict(learned.few),
        layout=text,
    )


class SeenPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A place of a number on cards with one kind of frame.

    Attributes:
        frame: the kind of frame, from 1.
        x: the distance from the left edge, in per cent of the width.
        y: the distance from the top edge, in per cent of the height.
        form: how the number is printed, each digit as `#`, letters as `A`.
        collector: whether it is the collector number.
        seen: the number of cards that show it.
        cards: the number of cards with this kind of frame.
    """

    frame: int
    zone: ZoneOrFace
    x: float
    y: float
    form: str
    collector: bool
    seen: int
    cards: int


class SeenPlaces(msgspec.Struct, frozen=True, kw_only=True):
    """The places of numbers on the accepted cards of a game."""

    game: str
    cards: int
    places: list[SeenPlace]

    def to_toml(self) -> str:
        """Return a layout for tables with a column for each zone, as `ccgrid export` writes them."""
        title = find_layout(self.game).name if self.game in layout_files() else self.game.title()
        lines = [
            f"# Where numbers are on {counted(self.cards, 'card')} of {self.game} "
            "that somebody accepted from pictures.",
            *("format = 1", f"game = {toml_value(self.game)}", f"name = {toml_value(title)}"),
        ]
        seen: dict[tuple[str, bool], list[SeenPlace]] = {}
        for one in self.places:
            seen.setdefault((one.zone, one.collector), []).append(one)
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
                first = any(mark in one.form for one in found for mark in ("/", " of "))
                lines += ['read = "collector"', f'part = "{"first" if first else "last"}"']
            lines += [f'confidence = "{sure}"', f'note = "seen there on {times} of {self.cards} cards"']
        return "\n".join(lines) + "\n"


def seen_places(game: str, database: Path | None) -> SeenPlaces:
    """Return the places of numbers on the cards of a game that were accepted from pictures.

    Raises:
        NoSuchNameError: If the catalogue does not have the game.
        NotFoundError: If no card of it was accepted.
    """
    with open_catalogue(database) as store:
        store.check_game(game)
        accepted = [AcceptedCard.of(one.card_id, one.seen) for one in scans.accepted_scans(store, game)]
    cards = [one for one in accepted if one.places]
    if not cards:
        raise NotFoundError(
            f"No scanned card of {game} was accepted yet. Try: ccgrid scan FOLDER --game {game}",
            kind="scanned card",
            name=game,
        )
    places = [
        SeenPlace(
            frame=one.frame,
            zone=cast("ZoneOrFace", one.place.zone),
            x=one.place.x,
            y=one.place.y,
            form=one.place.form,
            collector=one.place.is_collector,
            seen=one.seen,
            cards=one.cards,
        )
        for one in frame_places(cards)
    ]
    return SeenPlaces(game=game, cards=len(cards), places=places)
