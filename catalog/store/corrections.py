"""Corrections in the catalogue: kept beside the cards of sources, and put onto them anew after every import."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from catalog.card import ZONES, Card, CatalogError
from catalog.correction import Correction, as_entered
from catalog.custom_card import CustomCard
from catalog.evidence import Evidence
from catalog.store.catalogue import Store
from catalog.store.cells import cell_list, cell_table
from catalog.store.journal import change, note_row, now
from catalog.store.names import forget_names, index_names, last_name, note_names
from catalog.store.whole_cards import ZONE_COLUMNS

_CHANGED: Final = (
    *("name", "set_code", "set_name", "collector_number"),
    *ZONE_COLUMNS,
    *("face", "score", "legal", "reason", "attack", "defense", "printed"),
)
_SET: Final = ", ".join(f'"{column}" = ?' for column in _CHANGED)
_UPDATE: Final = f"UPDATE cards SET {_SET} WHERE id = ?"  # noqa: S608  our own column names


def correct(store: Store, card_id: str, told: Correction) -> Card:
    """Corrects a card of a source, beside what was corrected on it before, and returns it as it is now.

    Raises:
        CatalogError: there is no such card, or it cannot be so.
    """
    with change(store, f"correct {card_id}"), uncorrected(store):
        card = _card(store, card_id)
        whole = corrections(store).get(card_id, Correction()).and_then(told)
        corrected, _ = whole.on(card, _evidence(store, card_id))
        texts = corrected.name, corrected.set_code, corrected.collector_number
        CustomCard(card.game, *texts, whole.printed, *(corrected.attack, corrected.defense)).check()
        values = (card_id, now(), json.dumps(whole.to_dict()))
        if whole.words():  # else it is told as it is
            note_row(store, "corrections", card_id)
            store.connection.execute("REPLACE INTO corrections (card_id, made, told) VALUES (?, ?, ?)", values)
    return _card(store, card_id)


def forget_correction(store: Store, card_id: str) -> Card:
    """Takes the correction of a card back, and returns the card as its source has it.

    Raises:
        CatalogError: nothing was corrected on the card, or there is no such card.
    """
    with change(store, f"take the correction of {card_id} back"):
        if card_id not in corrections(store):
            _card(store, card_id)
            raise CatalogError(
                f"{card_id} comes from a source, and nothing is corrected on it; cards of sources stay.\n"
                "Correct what is wrong on it with: ccgrid card edit"
            )
        note_row(store, "corrections", card_id)
        with uncorrected(store):
            store.connection.execute("DELETE FROM corrections WHERE card_id = ?", (card_id,))
    return _card(store, card_id)


def corrections(store: Store) -> dict[str, Correction]:
    """What is corrected, by the ids of the cards; also on cards that no source has just now."""
    rows = store.connection.execute("SELECT card_id, told FROM corrections ORDER BY card_id")
    return {card_id: Correction.of(cell_table(told)) for card_id, told in rows}


def before_correction(store: Store, card_id: str) -> CustomCard:
    """A card of a source with what is printed on it now, as a form asks for it; CatalogError where there is none."""
    return as_entered(_card(store, card_id), _evidence(store, card_id))


@contextmanager
def uncorrected(store: Store) -> Iterator[None]:
    """While the block runs all cards are as their sources have them; afterwards corrected again. In a transaction."""
    connection = store.connection
    names = [name for (name,) in connection.execute("SELECT name FROM uncorrected")]  # which may have been forgotten
    had_any = bool(names)
    if had_any:
        connection.execute("REPLACE INTO cards SELECT * FROM uncorrected")
        connection.execute("DELETE FROM uncorrected")
    yield
    before = last_name(connection)
    for card_id, correction in corrections(store).items():
        for card in store.cards([card_id]):
            connection.execute("INSERT INTO uncorrected SELECT * FROM cards WHERE id = ?", (card_id,))
            names.append(_write(store, card, correction))
    note_names(connection, names)
    index_names(connection, before)
    if had_any or names:
        forget_names(connection)


def _write(store: Store, card: Card, correction: Correction) -> str:
    """Writes a card as it is corrected; returns its name."""
    corrected, read = correction.on(card, _evidence(store, card.id))
    values = (
        *(corrected.name, corrected.set_code, corrected.set_name, corrected.collector_number),
        *(corrected.zones.get(zone) for zone in ZONES),
        *(json.dumps(corrected.face), corrected.score, corrected.legal, corrected.reason),
        *(corrected.attack, corrected.defense, json.dumps(read.evidence, ensure_ascii=False)),
    )
    store.connection.execute(_UPDATE, (*values, card.id))
    return corrected.name


def _card(store: Store, card_id: str) -> Card:
    for card in store.cards([card_id]):
        return card
    raise CatalogError(f"There is no card {card_id!r}. 'ccgrid search NAME --json' tells the ids.")


def _evidence(store: Store, card_id: str) -> list[Evidence]:
    query = "SELECT printed FROM cards WHERE id = ?"
    (printed,) = store.connection.execute(query, (card_id,)).fetchone()
    return [tuple(entry) for entry in cell_list(printed)]
