"""What becomes of scanned cards: cards entered by hand, copies in the collection, and which pictures are settled."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from catalog.custom_card import CustomCard
from catalog.holding import Place
from catalog.scan.result import Scan
from catalog.store import scans
from catalog.store.catalogue import Store
from catalog.store.creating import work_on
from catalog.store.custom_cards import add_card
from catalog.store.transactions import transaction
from ccgrid.services.catalogue import catalogue_path
from ccgrid.services.collection import own_card

ENTERED: Final = "entered"
OWNED: Final = "owned"
KNOWN: Final = "known"


class Settled:
    """Which cards on which pictures a person has accepted, so that a folder can be left and gone on with.

    A picture is known by what is in it: a renamed one is the same.
    """

    def __init__(self, database: Path | None) -> None:
        """Reads what was settled with a catalogue; CatalogError where that cannot be read."""
        self._path = catalogue_path(database)
        self._accepted = set[tuple[str, int]]()
        if self._path.exists():
            with Store(self._path) as store:
                self._accepted = scans.accepted(store)

    def has(self, digest: str, place: int) -> bool:
        """Whether the card at this place among those of a picture is settled."""
        return scans.key(digest, place) in self._accepted

    def add(self, digest: str, place: int) -> None:
        """Notes a card that `keep` has kept."""
        self._accepted.add(scans.key(digest, place))

    def is_whole(self, digest: str) -> bool:
        """Whether every card on a picture is settled, so that it need not be read again."""
        return self.has(digest, scans.WHOLE)


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of a card: `entered`, `owned` or `known` (the catalogue has it, and nothing was asked for)."""

    what: str
    card_id: str
    name: str


def keep(
    scan: Scan,
    position: int,
    cards: int,
    entry: CustomCard,
    database: Path | None,
    waiting: Callable[[], None],
    *,
    own: bool,
    place: Place,
) -> Kept:
    """Keeps an accepted card, all or nothing: a new one as entered by hand; with `own`, a copy in the collection too.

    A card of the catalogue is not entered again, unless the person changed its numbers or its name. The card is settled
    at its position among so many on the picture. Raises CatalogError where it cannot be kept.
    """

    def accept(store: Store) -> Kept:
        with transaction(store.connection, f"accept {entry.name} on {scan.file}", waiting):
            if scan.card is not None and entry == scan.entry():
                card_id, name, what = scan.card.id, scan.card.name, KNOWN
            else:
                card = add_card(store, entry)
                card_id, name, what = card.id, card.name, ENTERED
            if own:
                own_card(store, card_id, 1, place)
                what = OWNED
            scans.accept(store, scan.digest, position, cards, card_id)
        return Kept(what, card_id, name)

    return work_on(catalogue_path(database), accept)
