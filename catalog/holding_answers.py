"""Owned copies as commands print them with `--json`."""

import msgspec

from ccgrid.catalog.holding import Holding


class ShownHolding(msgspec.Struct, frozen=True, kw_only=True):
    """Copies of one card, of one kind and in one place. Unknown details are null, false or empty.

    Attributes:
        location: Box, row and slot as text.
        out: The number of copies that are checked out in decks.
        own: The user's own columns.
    """

    id: str
    name: str
    copies: int
    finish: str
    condition: str | None
    language: str
    location: str | None
    game: str
    set_code: str
    set_name: str
    collector_number: str
    rarity: str | None
    note: str | None
    box: str
    row: str
    slot: str
    out: int
    acquired: str | None
    price: str | None
    currency: str | None
    tags: list[str]
    signed: bool
    altered: bool
    proxy: bool
    for_trade: bool
    grader: str | None
    grade: str | None
    own: dict[str, str]


def shown_holding(holding: Holding, copies: int | None = None) -> ShownHolding:
    """Return the answer for a holding, or for some of its copies."""
    known = holding.known
    return ShownHolding(
        id=holding.card_id,
        name=holding.name,
        copies=holding.copies if copies is None else copies,
        finish=holding.finish,
        condition=holding.condition or None,
        language=holding.language,
        location=str(holding.place) or None,
        game=holding.game,
        set_code=holding.set_code,
        set_name=holding.set_name,
        collector_number=holding.number,
        rarity=holding.rarity or holding.card_rarity or None,
        note=holding.note or None,
        box=holding.place.box,
        row=holding.place.row,
        slot=holding.place.slot,
        out=holding.out,
        acquired=known.acquired or None,
        price=known.price or None,
        currency=known.currency or None,
        tags=list(known.tags),
        signed=bool(known.signed),
        altered=bool(known.altered),
        proxy=bool(known.proxy),
        for_trade=bool(known.for_trade),
        grader=known.grader or None,
        grade=known.grade or None,
        own=dict(known.own),
    )
