"""The cards bundled with ccgrid, facts only: names, sets, numerals and where they are printed."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

import msgspec

from catalog.sources import Edition
from catalog.sources.printing import Printing, Row, Unread
from catalog.sources.streams import json_rows

if TYPE_CHECKING:
    from catalog.download import Client

READER = 1


class StarterCard(msgspec.Struct, omit_defaults=True):
    """One bundled card; `printed` is its evidence with nothing but the numerals, `reason` what else bars it."""

    id: str
    name: str
    printed: list[tuple[str, str, str, tuple[str, ...]]]
    set_code: str = ""
    set_name: str = ""
    collector_number: str = ""
    released: str | None = None
    attack: int | None = None
    defense: int | None = None
    reason: str | None = None


_decode = msgspec.json.Decoder(StarterCard).decode


def read(stream: BinaryIO, name: str) -> Iterator[Row]:
    """The printings in a file made by `scripts/make_starter`, in file order."""
    for row in json_rows(stream, name):
        try:
            card = _decode(row.body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            yield Unread(row.where, str(error))
            continue
        fields = {"printed": card.printed, "attack": card.attack, "defense": card.defense, "reason": card.reason}
        yield Printing(card.id, card.name, fields, card.set_code, card.set_name, card.collector_number, card.released)


def latest(client: "Client", address: str, bulk: str | None) -> Edition:
    """Not asked: the bundled cards are a file."""
    raise NotImplementedError
