"""The form in which a person at a terminal says where a game prints its fields: one question a field."""

from collections.abc import Callable, Iterator

from catalog.imports.layout_draft import Draft, Field
from ccgrid.services.layouts import read_zone

_ZONES = "tl t tr l r bl b br, face, or Enter"


def ask_zones(draft: Draft, ask: Callable[[Field], str], say: Callable[[str], None]) -> Iterator[tuple[str, str]]:
    """The path of each field that may hold numbers, and the zone that the person answers, empty for nowhere."""
    say(f"Where is it printed, with the card upright? {_ZONES} for nowhere.")
    for field in draft.fields:
        if field.kind not in ("numbers", "collector"):
            continue
        while (zone := read_zone(ask(field))) is None:
            say(f"That is not a zone: {_ZONES}.")
        yield field.path, zone
