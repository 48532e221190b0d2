"""Cards on pictures that the user accepts: their storage, and what was stored."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.catalog.correction import correction_between
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.scan.result import Scan
from ccgrid.catalog.store import scans
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.corrections import correct
from ccgrid.catalog.store.creation import work_on
from ccgrid.catalog.store.custom_cards import add_card, change_card, entered_card, is_entered
from ccgrid.catalog.store.holdings import CopyKey
from ccgrid.catalog.store.recording import change
from ccgrid.services.catalogue import catalogue_path, open_existing
from ccgrid.services.collection import own_card

ENTERED: Final = "entered"
OWNED: Final = "owned"
KNOWN: Final = "known"
CORRECTED: Final = "corrected"


class AcceptedCards:
    """The cards on pictures that were accepted, so that a folder can be continued later.

    A picture is identified by its content, so that it may be renamed.
    """

    def __init__(self, database: Path | None) -> None:
        """Read the accepted cards of a catalogue.

        Raises:
            CatalogError: If the catalogue cannot be read.
        """
        with open_existing(database) as store:
            self._accepted = scans.accepted_keys(store) if store else set[tuple[str, int]]()

    def has(self, digest: str, place: int) -> bool:
        """Return whether the card at this index on a picture is settled."""
        return scans.scan_key(digest, place) in self._accepted

    def add(self, digest: str, place: int) -> None:
        """Note a card that `keep` saved."""
        self._accepted.add(scans.scan_key(digest, place))

    def is_whole(self, digest: str) -> bool:
        """Return whether every card on a picture is settled, so that it need not be read again."""
        return self.has(digest, scans.WHOLE)


@dataclass(frozen=True, slots=True)
class SavedScan:
    """The outcome of a card: `entered`, `owned`, `corrected` or `known` (the catalogue has it; nothing to do).

    `reason` says why it is not legal, or None if it is.
    """

    what: str
    card_id: str
    name: str
    reason: str | None = None


def keep(
    scan: Scan,
    position: int,
    cards: int,
    entry: CustomCard,
    database: Path | None,
    waiting: Callable[[], None],
    *,
    copies: int,
    kind: CopyKey,
) -> SavedScan:
    """Save an accepted card in one undoable change: enter it if it is new, and add copies to the collection.

    A card of the catalogue is not entered again, unless the user changed its name; changed numbers become corrections.
    The card is settled at its position on the picture.

    Raises:
        CatalogError: If it cannot be saved.
    """

    def accept(store: Store) -> SavedScan:
        with change(store, f"accept {entry.name} on {scan.file}", waiting):
            known = scan.catalogued()
            if scan.card is not None and known is not None and entry == known:
                card_id, name, what = scan.card.id, scan.card.name, KNOWN
            elif scan.card is not None and known is not None and (entry.game, entry.name) == (known.game, known.name):
                card_id, name, what = _correct(store, scan.card, known, entry), scan.card.name, CORRECTED
            else:
                new = add_card(store, entry)
                card_id, name, what = new.id, new.name, ENTERED
            if copies:
                own_card(store, card_id, copies, kind)
                what = OWNED
            scans.accept(store, scan.digest, position, cards, card_id)
            (card,) = store.cards([card_id])
        return SavedScan(what, card_id, name, card.reason)

    return work_on(catalogue_path(database), accept)


def _correct(store: Store, card: Card, before: CustomCard, entry: CustomCard) -> str:
    """Save the user's changes of a catalogue card, and return its id."""
    if is_entered(store, card.id):
        own = entered_card(store, card.id)
        change_card(store, own, card.id, replace(own, printed=entry.printed, collector_number=entry.collector_number))
    else:
        correct(store, card.id, correction_between(before, entry))
    return card.id
