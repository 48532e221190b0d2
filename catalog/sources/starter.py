"""The cards bundled with ccgrid: names, sets, numerals and their zones."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, BinaryIO, Literal

import msgspec
from msgspec import Meta

from ccgrid.catalog.card import HIGHEST, LOWEST
from ccgrid.catalog.errors import UsageError
from ccgrid.catalog.printing import Printing, SourceRow, UnreadRow
from ccgrid.catalog.readers.json_rows import json_rows
from ccgrid.catalog.sources.source import Edition

if TYPE_CHECKING:
    from ccgrid.catalog.download import Client

READER = 1

Place = Literal["top-left", "top", "top-right", "left", "right", "bottom-left", "bottom", "bottom-right", "face"]
# stats · fraction · collector:last -0 low: the format of `PrintedField.how`.
How = Annotated[str, Meta(pattern=r"^(stats|fraction|collector:(first|last|[1-9]\d?))( -\d{1,4})*( (medium|low))?$")]
Text = Annotated[str, Meta(max_length=1000)]
Stat = Annotated[int, Meta(ge=LOWEST, le=HIGHEST)]


class StarterCard(msgspec.Struct, omit_defaults=True):
    """One bundled card; `printed` is its evidence reduced to numerals, `reason` another reason why it is not legal."""

    id: Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,40}:.", max_length=1000)]
    name: Annotated[str, Meta(min_length=1, max_length=1000)]
    printed: list[tuple[Place, Text, How, tuple[Text, ...]]]
    set_code: Text = ""
    set_name: Text = ""
    collector_number: Text = ""
    released: Text | None = None
    attack: Stat | None = None
    defense: Stat | None = None
    reason: Text | None = None


_decode = msgspec.json.Decoder(StarterCard).decode


def read(stream: BinaryIO, name: str, layout: object) -> Iterator[SourceRow]:
    """Yield the printings in a file made by `scripts/make_starter`, in file order."""
    for row in json_rows(stream, name):
        try:
            card = _decode(row.body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            yield UnreadRow(row.where, str(error))
            continue
        fields = {"printed": card.printed, "attack": card.attack, "defense": card.defense, "reason": card.reason}
        yield Printing(card.id, card.name, fields, card.set_code, card.set_name, card.collector_number, card.released)


def latest(client: "Client", address: str, bulk: str | None) -> Edition:
    """Raise CatalogError: the bundled cards cannot be downloaded."""
    raise UsageError("The bundled cards need no address: leave --url out.")
