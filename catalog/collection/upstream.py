"""What became of owned cards in their sources: gone, renumbered, renamed, merged; reported, and noted if wanted."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import msgspec

from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.file_kinds import DAMAGED, check_kind
from ccgrid.catalog.holding import Holding
from ccgrid.catalog.matching.candidates import Candidate
from ccgrid.catalog.readers.json_rows import json_rows
from ccgrid.catalog.readers.streams import open_data
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.catalog.store.lookup import StoreLookup

if TYPE_CHECKING:
    from ccgrid.catalog.download import Client

MIGRATIONS: Final = "https://api.scryfall.com/migrations"
_MOST_PAGES: Final = 500  # of migrations
_REPORT_EVERY: Final = 100
"""How many holdings are looked at between two reports of progress."""

Migrations = Mapping[str, str | None]
"""Ids of Scryfall that were given up, and those that took their place; None where nothing did."""


SourceChangeKind = Literal["gone", "moved", "changed"]


class SourceChange(msgspec.Struct, frozen=True, kw_only=True):
    """A holding whose card is not what it was; `card` is its present card, or null if that is unknown."""

    id: str
    name: str
    copies: int
    kind: SourceChangeKind
    reason: str
    card: str | None


class _ChangedHolding(NamedTuple):
    """A holding whose card changed in its source, and the card that it is now, if that is known."""

    holding: Holding
    kind: SourceChangeKind
    reason: str
    card: Candidate | None = None

    def answer(self) -> SourceChange:
        return SourceChange(
            id=self.holding.card_id,
            name=self.holding.name,
            copies=self.holding.copies,
            kind=self.kind,
            reason=self.reason,
            card=None if self.card is None else self.card.id,
        )


def source_changes(
    collection: CollectionStore,
    migrations: Migrations | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[SourceChange]:
    """Return the holdings whose cards are gone from the catalogue or have another id, name, set or number there.

    Args:
        collection: The collection.
        migrations: Ids that Scryfall replaced or deleted.
        progress: Is called with the number of examined holdings and of all holdings.
    """
    return [one.answer() for one in _changed_holdings(collection, migrations, progress)]


def note_changes(
    collection: CollectionStore,
    migrations: Migrations | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[SourceChange]:
    """Move copies to the cards that theirs became and record new names and numbers, in one undoable change.

    Copies of cards that are gone stay unchanged.

    Returns:
        All changes that were found.
    """
    with collection.change("record changes in the sources"):
        found = list(_changed_holdings(collection, migrations, progress))
        for one in found:
            if one.card is not None:
                collection.refresh(one.holding, one.card)
    return [one.answer() for one in found]


def _changed_holdings(
    collection: CollectionStore, migrations: Migrations | None, progress: Callable[[int, int], None] | None
) -> Iterator[_ChangedHolding]:
    lookup = StoreLookup(collection.store)
    holdings = list(collection.holdings("ORDER BY name, card_id, id"))
    for done, holding in enumerate(holdings):
        if progress is not None and done % _REPORT_EVERY == 0:
            progress(done, len(holdings))
        card = lookup.card(holding.card_id)
        if card is None:
            yield _missing_card(holding, lookup, migrations or {})
        elif changes := _changes(holding, card):
            yield _ChangedHolding(holding, "changed", f"its source changed {' and '.join(changes)}", card)


def _missing_card(holding: Holding, lookup: StoreLookup, migrations: Migrations) -> _ChangedHolding:
    own = holding.source_id("scryfall")
    reason = "it is no longer in the catalogue"
    now: str | None = own
    # Should two ids name each other, it ends all the same.
    seen: set[str] = set()
    while now and now in migrations and now not in seen:  # what was merged may be merged again
        seen.add(now)
        now = migrations[now]
        reason = "Scryfall merged it into another" if now else "Scryfall deleted it; it is no longer in the catalogue"
    cards = lookup.by_source_id("scryfall", now) if now else []
    # If several cards have the id, the successor is unknown.
    if len(cards) == 1:
        card = cards[0]
        return _ChangedHolding(holding, "moved", f"{reason}; it is now {card.id}", card)
    return _ChangedHolding(holding, "gone", reason)


def _changes(holding: Holding, card: Candidate) -> list[str]:
    pairs = (
        ("its name", holding.name, card.name),
        ("its set", (holding.set_code, holding.set_name), (card.set_code, card.set_name)),
        ("its number", holding.number, card.number),
    )
    return [f"{what} from {_quoted(old)} to {_quoted(new)}" for what, old, new in pairs if old != new]


def _quoted(value: str | tuple[str, ...]) -> str:
    return repr(value) if isinstance(value, str) else repr(" ".join(value).strip())


# --- Scryfall's migrations ---------------------------------------------------------------------------------------


def read_migrations(path: Path) -> dict[str, str | None]:
    """Read the migrations from a file with an answer of Scryfall's API.

    Raises:
        CatalogError: If it contains none.
    """
    check_kind(path, DAMAGED, "Scryfall's list of migrations")
    with open_data(path) as stream:
        # A row that is no JSON becomes None, which `_entry` refuses with the name of the file.
        entries = [_entry(_load(bytes(row.body)), path.name) for row in json_rows(stream, path.name)]
    if not entries:
        raise FileFormatError("there are no migrations in it.", file=path.name)
    return dict(entries)


def fetch_migrations(client: "Client") -> dict[str, str | None]:
    """Download all migrations, page after page.

    Raises:
        CatalogError: If an answer is not as documented.
    """
    found: dict[str, str | None] = {}
    for page in range(1, _MOST_PAGES + 1):
        answer = client.get_json(f"{MIGRATIONS}?page={page}")
        if not isinstance(answer, dict) or not isinstance(answer.get("data"), list):
            raise CatalogError("Scryfall's list of migrations has no 'data'. Is ccgrid up to date?")
        found.update(_entry(value, "Scryfall's list of migrations") for value in answer["data"])
        if answer.get("has_more") is not True:
            return found
    raise CatalogError(f"Scryfall's list of migrations has over {_MOST_PAGES} pages. Is ccgrid up to date?")


def _load(body: bytes) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _entry(value: object, name: str) -> tuple[str, str | None]:
    if isinstance(value, dict):
        old, new = value.get("old_scryfall_id"), value.get("new_scryfall_id")
        if isinstance(old, str) and (new is None or isinstance(new, str)):
            return old, new
    raise FileFormatError("an entry has no old_scryfall_id and new_scryfall_id. Is it Scryfall's list?", file=name)
