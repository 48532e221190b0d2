"""The user's corrections of cards of sources, which last through imports."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.catalog.clock import now
from ccgrid.catalog.correction import Correction
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.evidence import Evidence
from ccgrid.catalog.formatting import shell_word
from ccgrid.catalog.store.cards import ZONE_COLUMNS
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.cells import cell_list, cell_table
from ccgrid.catalog.store.custom_cards import no_such_card
from ccgrid.catalog.store.names import add_names, delete_unused_names, index_names, last_name_id
from ccgrid.catalog.store.recording import change
from ccgrid.catalog.zones import ZONES

_CORRECTED_COLUMNS: Final = (
    *("name", "set_code", "set_name", "collector_number"),
    *ZONE_COLUMNS,
    *("face", "score", "legal", "reason", "attack", "defense", "printed"),
)

_CORRECT: Final = (
    "INSERT INTO corrections (card_id, made, told) VALUES (?, ?, ?)"
    " ON CONFLICT (card_id) DO UPDATE SET made = excluded.made, told = excluded.told"
)

_SET: Final = ", ".join(f'"{column}" = ?' for column in _CORRECTED_COLUMNS)

_UPDATE: Final = f"UPDATE cards SET {_SET} WHERE id = ?"  # noqa: S608  our own column names

_ORIGINALS: Final = ", ".join(f'"{column}" = own."{column}"' for column in _CORRECTED_COLUMNS)

_LIFT: Final = f"UPDATE cards SET {_ORIGINALS} FROM uncorrected AS own WHERE own.number = cards.number"  # noqa: S608


def correct(store: Store, card_id: str, correction: Correction) -> Card:
    """Correct a card of a source, in addition to earlier corrections, and return it as it is now.

    Raises:
        NotFoundError: If there is no such card.
        CatalogError: If the corrected card is not valid.
    """
    with change(store, f"correct {card_id}"), without_corrections(store):
        card = find_card(store, card_id)
        whole = corrections(store).get(card_id, Correction()).and_then(correction)
        corrected, _ = whole.on(card, evidence_of(store, card_id))
        texts = corrected.name, corrected.set_code, corrected.collector_number
        CustomCard(card.game, *texts, whole.printed, *(corrected.attack, corrected.defense)).check()
        if whole.words():  # if not, nothing is corrected
            store.connection.execute(_CORRECT, (card_id, now(), json.dumps(whole.given())))
    return find_card(store, card_id)


def forget_correction(store: Store, card_id: str) -> Card:
    """Revert the correction of a card, and return the card as its source has it.

    Raises:
        NotFoundError: If there is no such card.
        CatalogError: If it is not corrected.
    """
    with change(store, f"revert the correction of {card_id}"):
        if card_id not in corrections(store):
            find_card(store, card_id)
            raise CatalogError(
                f"{card_id} comes from a source and has no correction to revert. Cards of sources cannot be removed.\n"
                f"To see its numbers: ccgrid show {shell_word(card_id)}"
            )
        with without_corrections(store):
            store.connection.execute("DELETE FROM corrections WHERE card_id = ?", (card_id,))
    return find_card(store, card_id)


def corrections(store: Store) -> dict[str, Correction]:
    """Return the corrections by the ids of the cards, including cards that no source has at present."""
    rows = store.connection.execute("SELECT card_id, told FROM corrections ORDER BY card_id")
    return {card_id: Correction.of(cell_table(fields)) for card_id, fields in rows}


@contextmanager
def without_corrections(store: Store) -> Iterator[None]:
    """Give all cards the values of their sources during the block, inside a transaction; then correct them again."""
    connection = store.connection
    names = [name for (name,) in connection.execute("SELECT name FROM uncorrected")]  # they may be unused afterwards
    had_any = bool(names)
    if had_any:
        connection.execute(_LIFT)
        connection.execute("DELETE FROM uncorrected")
    yield
    # An import in the block compares and replaces the originals, so the corrections are applied again.
    before = last_name_id(connection)
    for card_id, correction in corrections(store).items():
        for card in store.cards([card_id]):
            connection.execute("INSERT INTO uncorrected SELECT * FROM cards WHERE id = ?", (card_id,))
            names.append(_write_correction(store, card, correction))
    add_names(connection, names)
    index_names(connection, before)
    if had_any or names:
        delete_unused_names(connection)


def _write_correction(store: Store, card: Card, correction: Correction) -> str:
    """Write the corrected values of a card; return its name."""
    corrected, read = correction.on(card, evidence_of(store, card.id))
    values = (
        *(corrected.name, corrected.set_code, corrected.set_name, corrected.collector_number),
        *(corrected.zones.get(zone) for zone in ZONES),
        *(json.dumps(corrected.face), corrected.score, corrected.legal, corrected.reason),
        *(corrected.attack, corrected.defense, json.dumps(read.evidence, ensure_ascii=False)),
    )
    store.connection.execute(_UPDATE, (*values, card.id))
    return corrected.name


def find_card(store: Store, card_id: str) -> Card:
    """Return the card with this id; raise NotFoundError if there is none."""
    for card in store.cards([card_id]):
        return card
    raise no_such_card(card_id)


def evidence_of(store: Store, card_id: str) -> list[Evidence]:
    """Return the texts on which the numbers of a card are based."""
    query = "SELECT printed FROM cards WHERE id = ?"
    (printed,) = store.connection.execute(query, (card_id,)).fetchone()
    return [tuple(entry) for entry in cell_list(printed)]
