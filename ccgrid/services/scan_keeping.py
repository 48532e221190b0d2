"""What becomes of scanned cards: cards entered by hand, copies in the collection, and which pictures are settled."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from catalog.card import CatalogError
from catalog.collection import edit
from catalog.custom_card import CustomCard
from catalog.files import make_folder, write_whole
from catalog.holding import Place
from catalog.scan.result import Scan
from catalog.store.catalogue import Store
from catalog.store.custom_cards import add_card
from catalog.store.holdings import CollectionStore
from catalog.store.lookup import StoreLookup
from ccgrid.services.catalogue import catalogue_path

ENTERED: Final = "entered"
OWNED: Final = "owned"
KNOWN: Final = "known"
_WHOLE: Final = -1
_LARGEST: Final = 64 << 20  # bytes of what is kept of pictures, which is a million of them


@dataclass(slots=True)
class Settled:
    """Which cards on which pictures a person has accepted, so that a folder can be left and gone on with.

    Kept beside the catalogue, by what is in the pictures: a renamed one is the same.
    """

    path: Path
    done: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, database: Path | None) -> "Settled":
        """What was settled with a catalogue; CatalogError where that cannot be read."""
        catalogue = catalogue_path(database)
        path = catalogue.with_name(f"{catalogue.stem}.scans.json")
        if not path.exists():
            return cls(path)
        try:
            with path.open("rb") as file:
                return cls(path, msgspec.json.decode(file.read(_LARGEST), type=dict[str, str]))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise CatalogError(
                f"{path} is damaged: {error}. Move it away; pictures are then asked about anew."
            ) from error

    def has(self, digest: str, place: int) -> bool:
        """Whether the card at this place among those of a picture is settled."""
        return self._key(digest, place) in self.done

    def add(self, digest: str, place: int, what: str) -> None:
        """Notes it at once, whole."""
        self.done[self._key(digest, place)] = what
        make_folder(self.path.parent)
        write_whole(self.path, msgspec.json.format(msgspec.json.encode(self.done)).decode() + "\n")

    def add_whole(self, digest: str, cards: int) -> None:
        """Notes that nothing is left to ask about a picture, where all its cards are settled."""
        if cards and all(self.has(digest, place) for place in range(cards)) and not self.is_whole(digest):
            self.add(digest, _WHOLE, str(cards))

    def is_whole(self, digest: str) -> bool:
        """Whether every card on a picture is settled, so that it need not be read again."""
        return self.has(digest, _WHOLE)

    @staticmethod
    def _key(digest: str, place: int) -> str:
        return f"{digest[:32]}/{place}"


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of a card: `entered`, `owned` or `known` (the catalogue has it, and nothing was asked for)."""

    what: str
    card_id: str
    name: str


def keep(
    scan: Scan,
    entry: CustomCard,
    database: Path | None,
    waiting: Callable[[], None],
    *,
    own: bool,
    place: Place,
) -> Kept:
    """Keeps an accepted card: a new one as entered by hand; with `own`, a copy in the collection too.

    A card of the catalogue is not entered again, unless the person changed its numbers or its name. Raises
    CatalogError where it cannot be kept.
    """
    with Store(catalogue_path(database), create=True) as store:
        if scan.card is not None and entry == scan.entry():
            card_id, name, what = scan.card.id, scan.card.name, KNOWN
        else:
            card = add_card(store, entry)
            card_id, name, what = card.id, card.name, ENTERED
        if own:
            candidate = StoreLookup(store).card(card_id)
            assert candidate is not None  # noqa: S101  it is in the catalogue
            edit.add(CollectionStore(store, waiting), candidate, 1, edit.kind_of(place=place))
            what = OWNED
    return Kept(what, card_id, name)
