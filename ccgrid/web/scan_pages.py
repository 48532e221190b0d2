"""The pages of photographs: upload, reading, and the review of each card."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ccgrid.browsing.threads import run_in_thread
from ccgrid.catalog.card import LONGEST_NAME, Card
from ccgrid.catalog.collection.edit import copy_key
from ccgrid.catalog.copy_terms import FINISHES
from ccgrid.catalog.errors import CatalogError, MissingCatalogueError
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.holding import Place
from ccgrid.catalog.scan.result import Scan
from ccgrid.catalog.scan.values import MIN_CERTAIN_CONFIDENCE, area_of
from ccgrid.catalog.sources import find_card_game
from ccgrid.catalog.store.holdings import CopyKey
from ccgrid.catalog.typed_numbers import assumptions
from ccgrid.catalog.words import CONDITIONS
from ccgrid.catalog.zones import PLACE_NAMES, PLACES, ROWS
from ccgrid.services import card_pictures, catalogue, collection, scanning
from ccgrid.services.scan_queue import LARGEST, entry_of
from ccgrid.web.app_state import AppState, parse_number, without_commands
from ccgrid.web.deck_shelf import DeckShelf

_MOST_KEPT: Final = 60
"""Maximum number of cards of a deck of scanned cards; the last ones count."""
_MOST_FOUND: Final = 20
"""Maximum number of cards offered for a typed name."""
GRID: Final = tuple(place for row in ROWS for place in row)
"""The places of a card, row by row."""
_JPEG: Final = "image/jpeg"
_YEAR: Final = 365 * 24 * 3600


class Area(NamedTuple):
    """A touchable place on a picture: its rectangle in pixels and the zone that it stands for."""

    place: str
    x: float
    y: float
    width: float
    height: float


class NumeralMark(NamedTuple):
    """A numeral found on a picture, in pixels, or a `?` for one that may have been missed."""

    x: float
    y: float
    text: str
    is_sure: bool


class ScanPages:
    """The pages of photographs."""

    def __init__(self, app: AppState) -> None:
        self._app = app
        self._settling = asyncio.Lock()
        self._shelf = DeckShelf(app.decks, app.database)
        # The ids of the cards that each guest kept, for a deck of them.
        self._kept: dict[str, list[str]] = {}

    def routes(self) -> list[Route]:
        """Return the routes of these pages."""
        return [
            Route("/scan", self._queue),
            Route("/scan/events", self._events),
            Route("/scan/pictures", self._add, methods=["POST"]),
            self._app.form_route("/scan/certain", self._keep_certain, lambda *_: "/scan"),
            Route("/scan/{number:int}/drop", self._drop, methods=["POST"]),
            Route("/scan/{number:int}/{place:int}", self._card),
            Route("/scan/{number:int}/{place:int}/picture", self._picture),
            self._app.form_route("/scan/{number:int}/{place:int}/{act}", self._settle, _page_of),
            self._app.form_route("/scan/deck", self._make_deck, lambda *_: "/scan"),
            Route("/pictures/{name}", self._card_picture),
        ]

    # --- the queue ---------------------------------------------------------------------------------------------

    async def _queue(self, request: Request) -> Response:
        scans = self._app.scans
        try:
            scanning.check_scanning()
            missing = ""
        except CatalogError as error:
            missing = without_commands(request, str(error))
        query = request.query_params
        return self._app.render(
            request,
            "photographs.html" if query.get("part") else "scan.html",
            photographs=list(scans),
            next_card=scans.next_card,
            certain=len(scans.certain_cards),
            queue_version=scans.version,
            missing=missing,
            largest=LARGEST,
            game=query.get("game", "")[:40],
            games=scanning.card_games(self._app.database),
            kept=len(await run_in_thread(self._kept_by, request.scope["guest"])),
            like=_same_details(query),
        )

    async def _events(self, request: Request) -> Response:
        return self._app.events(request, self._app.news(self._app.scans))

    async def _add(self, request: Request) -> Response:
        # The body is the picture, so the form token is in a header. Check it before reading the body.
        self._app.check_form_token(request, request.headers.get("x-form", ""))
        scanning.check_scanning()
        most = f"This picture is too large: a picture has at most {LARGEST >> 20} megabytes."
        content = await self._app.read_body(request, LARGEST, most)
        game = find_card_game(request.query_params.get("game", ""))
        name = request.query_params.get("name", "")
        async with self._settling:
            added = await run_in_thread(self._app.scans.add, content, name, game[:40])
        self._app.read_scans()
        return JSONResponse({"number": added.number})

    async def _drop(self, request: Request) -> Response:
        await self._app.read_fields(request)
        async with self._settling:
            self._app.scans.drop(request.path_params["number"])
        return self._app.redirect(request, "/scan")

    async def _keep_certain(self, request: Request, fields: dict[str, str]) -> Response:
        async with self._settling:
            kept = await run_in_thread(self._app.scans.keep_certain, _kind_of(fields))
        self._note_kept(request.scope["guest"], kept)
        return self._app.redirect_back(request, "/scan", _same_details(fields), f"Kept {counted(len(kept), 'card')}.")

    def _kept_by(self, guest: str) -> Sequence[str]:
        """Return the ids of the cards that a guest kept and has not undone."""
        kept = self._kept.get(guest)
        return collection.still_owned(self._app.database, kept) if kept else ()

    def _note_kept(self, guest: str, cards: Sequence[str]) -> None:
        self._kept[guest] = [*self._kept.get(guest, ()), *cards][-_MOST_KEPT:]

    # --- one card ----------------------------------------------------------------------------------------------

    async def _card(self, request: Request) -> Response:
        values = await run_in_thread(self._values, request, request.query_params)
        return self._app.render(request, "scanned.html", **values)

    def _values(self, request: Request, given: Mapping[str, str]) -> dict[str, object]:
        number, place = request.path_params["number"], request.path_params["place"]
        scan, printings = self._app.scans.card(number, place)
        photograph = self._app.scans.find(number)
        found = photograph.cards[place]
        taken_for = found.card_id if printings else ""
        # The user's corrections in a submitted form take precedence over the reading.
        entry = entry_of(given) if "name" in given else scan.entry()
        game = entry.game or photograph.game or given.get("game", "")[:40]
        entry = replace(entry, game=game)
        is_guess = bool(taken_for) and scan.card is None
        looked_for = given.get("look", "").strip()[:LONGEST_NAME]
        offered = list(printings)
        if looked_for:
            offered += [one for one in self._cards_named(looked_for) if one not in offered]
        # A guess in another game than the chosen one is only offered.
        chosen = given.get("card", "" if is_guess and game not in ("", printings[0].game) else taken_for)
        return {
            "scan": scan,
            "here": f"{request.scope['root']}/scan/{number}/{place}",
            "photograph": photograph,
            "games": scanning.card_games(self._app.database),
            "lacks_game": bool(given.get("name")) and not entry.game and given.get("card", "") in ("", taken_for),
            "place": place,
            "width": found.width,
            "height": found.height,
            "areas": [_area(one, found.width, found.height) for one in GRID],
            "numerals": _numerals(scan, found.width, found.height),
            "doubtful": scan.doubtful,
            "entry": entry,
            "zones": GRID,
            "offered": [(one, _printing_words(one)) for one in offered],
            "chosen": chosen,
            "is_guess": is_guess,
            "name": printings[0].name if taken_for and chosen == taken_for else entry.name,
            "look": looked_for,
            "boxes": self._boxes(),
            "like": _same_details(given),
            "copies": given.get("copies", "1")[:6],
            "conditions": CONDITIONS,
            "finishes": FINISHES,
            "left": sum(len(one.open_places) for one in self._app.scans),
        }

    def _cards_named(self, text: str) -> Sequence[Card]:
        try:
            return catalogue.find_cards(self._app.database, text, _MOST_FOUND).cards
        except CatalogError:  # no card of this name, or no catalogue
            return ()

    def _boxes(self) -> list[str]:
        try:
            return [box.name for box in collection.boxes(self._app.database) if box.name]
        except MissingCatalogueError:
            return []

    async def _settle(self, request: Request, fields: dict[str, str]) -> Response:
        number, place, act = (request.path_params[name] for name in ("number", "place", "act"))
        scans, said = self._app.scans, ""
        if act == "look":
            return self._app.redirect_back(request, _page_of(request, fields), fields, "")
        async with self._settling:
            if act == "keep":
                said = await run_in_thread(self._keep, request.scope["guest"], number, place, fields)
            elif act == "skip":
                scan, _ = await run_in_thread(scans.card, number, place)
                await run_in_thread(scans.leave_out, number, place)
                said = f"Left out {scan.name or 'the card'}: it is not in your collection."
        query, path = _same_details(fields), "/scan"
        if (following := scans.next_card) is not None:
            # Suggest the same game for the next card: `mtg` from the id `mtg:m10/146`.
            query["game"] = fields.get("game", "") or fields.get("card", "").partition(":")[0]
            path = f"/scan/{following[0]}/{following[1]}"
        return self._app.redirect_back(request, path, query, said)

    async def _make_deck(self, request: Request, fields: dict[str, str]) -> Response:
        cards = await run_in_thread(self._kept_by, request.scope["guest"])
        number, said = await run_in_thread(self._shelf.keep, cards, self._app.seed())
        self._kept.pop(request.scope["guest"], None)
        page = f"/play/grid?deck={number}" if "play" in fields else f"/deck/{number}"
        return self._app.redirect_back(request, page, {}, said)

    def _keep(self, guest: str, number: int, place: int, fields: Mapping[str, str]) -> str:
        copies = parse_number(fields.get("copies", ""))
        if copies < 1:
            raise CatalogError("Enter the number of copies: 1 or more.")
        kind = _kind_of(fields)
        box = kind.place.box
        entry = entry_of(fields)
        saved = self._app.scans.keep(number, place, entry, fields.get("card", ""), copies, kind)
        self._note_kept(guest, [saved.card_id] * copies)
        return " ".join([f"{copies} {saved.name}{f' in {box}' if box else ''}.", *assumptions(entry.printed)])

    async def _picture(self, request: Request) -> Response:
        number, place = request.path_params["number"], request.path_params["place"]
        self._app.scans.card(number, place)
        return Response(self._app.scans.find(number).cards[place].picture, media_type=_JPEG)

    async def _card_picture(self, request: Request) -> Response:
        name = request.path_params["name"]
        found = await run_in_thread(card_pictures.read_picture, self._app.database, name)
        if found is None:
            return self._app.render_message(request, HTTPStatus.NOT_FOUND, "There is no such picture.")
        # Cacheable, because a different picture has a different name.
        return Response(found, media_type=_JPEG, headers={"cache-control": f"private, max-age={_YEAR}"})


def _page_of(request: Request, _: Mapping[str, str]) -> str:
    """Return the address of the page of the card that a request names."""
    return f"/scan/{request.path_params['number']}/{request.path_params['place']}"


def _kind_of(fields: Mapping[str, str]) -> CopyKey:
    """Return the kind of copy in the fields of a form: its finish, condition and box.

    Raises:
        CatalogError: If one is not valid.
    """
    box = fields.get("box", "").strip()
    if len(box) > LONGEST_NAME:
        raise CatalogError(f"The name of a box has at most {LONGEST_NAME} characters.")
    return copy_key(fields.get("finish", ""), fields.get("condition", ""), place=Place(box))


def _same_details(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the details that the next card inherits from this one: box, condition and finish."""
    return {name: fields.get(name, "")[:LONGEST_NAME] for name in ("box", "condition", "finish")}


def _area(place: str, width: float, height: float) -> Area:
    """Return the rectangle of a zone on a picture of this size."""
    left, top, wide, high = area_of(place)
    return Area(place, left * width / 100, top * height / 100, wide * width / 100, high * height / 100)


def _numerals(scan: Scan, width: float, height: float) -> list[NumeralMark]:
    seen = [
        NumeralMark(one.x * width / 100, one.y * height / 100, str(one.value), one.confidence >= MIN_CERTAIN_CONFIDENCE)
        # Only numerals from 0 to 10 in a zone or on the face; others, such as years, are not numbers of the card.
        for one in scan.read.numbers
        if one.counts and one.zone in PLACES
    ]
    return seen + [NumeralMark(one.x * width / 100, one.y * height / 100, "?", False) for one in scan.read.doubts]


def _printing_words(card: Card) -> str:
    """Return a short description of a printing: its set and its numbers."""
    numbers = ", ".join(f"{PLACE_NAMES[zone]} {value}" for zone, value in card.zones.items())
    where = f"{card.set_name or card.set_code} {card.collector_number}".strip()
    return ", ".join(part for part in (card.name, where or card.game, numbers) if part)
