"""Cards entered by hand or accepted from pictures: each is added, changed or removed in one transaction.

They belong to a source of their own, which no import writes or removes, and their ids to a set of their own.
"""

import json
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.catalog.card_ids import CUSTOM
from ccgrid.catalog.custom_card import ID_SET, CustomCard
from ccgrid.catalog.errors import CatalogError, ChangedMeanwhileError, NotFoundError
from ccgrid.catalog.formatting import shell_word
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.store.cards import ZONE_COLUMNS
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.cells import cell_list
from ccgrid.catalog.store.recording import change
from ccgrid.catalog.surrogates import replace_surrogates
from ccgrid.catalog.zones import ZONES

_NO_IMPORT: Final = 0
"""The value in place of the number of an import. Imports are numbered from 1."""

_COLUMNS: Final = (
    *("id", "source", "game", "name", "set_code", "set_name", "collector_number"),
    *ZONE_COLUMNS,
    *("face", "score", "legal", "reason", "attack", "defense", "lang", "printed", "import_id"),
)

_QUOTED: Final = ", ".join(f'"{column}"' for column in _COLUMNS)

_WRITE: Final = (
    f"INSERT INTO cards ({_QUOTED}) VALUES ({', '.join('?' * len(_COLUMNS))}) ON CONFLICT (id) DO UPDATE SET "  # noqa: S608
    + ", ".join(f'"{column}" = excluded."{column}"' for column in _COLUMNS)
)


def add_card(store: Store, given: CustomCard) -> Card:
    """Store a new card under a new id, `game:hand/name`, and return it; an equal card is not stored twice.

    Raises:
        CatalogError: If it is not valid.
    """
    given = _checked(given)
    with change(store, f"enter {given.name}"):
        for known in namesakes(store, given):
            if entered_card(store, known.id) == CustomCard.from_evidence(given.card(known.id), given.evidence()):
                return known
        first = card_id = f"{given.game}:{ID_SET}/{given.slug()}"
        times = 1
        while store.cards([card_id]):
            times += 1
            card_id = f"{first}-{times}"
        return _write(store, card_id, given)


def namesakes(store: Store, given: CustomCard) -> list[Card]:
    """Return the cards of the same game and name that were entered by hand, in the order of their ids."""
    query = "SELECT id FROM cards WHERE name = ? AND game = ? AND source = ? ORDER BY id"
    found = store.connection.execute(query, (replace_surrogates(given.name.strip()), given.game, CUSTOM)).fetchall()
    return store.cards([card_id for (card_id,) in found])


def change_card(store: Store, before: CustomCard, card_id: str, given: CustomCard) -> Card:
    """Replace the card that was entered under an id.

    Raises:
        ChangedMeanwhileError: If the card is no longer as it was `before`.
        CatalogError: If the new card is not valid.
    """
    given = _checked(given)
    with change(store, f"change {card_id}"):
        if entered_card(store, card_id) != before:
            raise ChangedMeanwhileError(f"{card_id} was changed by another command; check it and try again.")
        card = _write(store, card_id, given)
        _delete_unused_name(store, before.name)
    return card


def remove_card(store: Store, card_id: str) -> Card:
    """Remove a card that was entered by hand, and return it.

    Raises:
        NotFoundError: If there is none.
        CatalogError: If it is a card of a source.
    """
    with change(store, f"remove {card_id}"):
        card = entered_card(store, card_id).card(card_id)
        store.connection.execute("DELETE FROM cards WHERE id = ?", (card_id,))
        _delete_unused_name(store, card.name)
    return card


def is_entered(store: Store, card_id: str) -> bool:
    """Return whether a card was entered by hand; True for an unknown id, so that the caller reports it."""
    query = "SELECT source FROM cards WHERE id = ?"
    row = store.connection.execute(query, (replace_surrogates(card_id),)).fetchone()
    return row is None or row[0] == CUSTOM


def entered_card(store: Store, card_id: str) -> CustomCard:
    """Return a card as it was entered.

    Raises:
        NotFoundError: If there is none.
        CatalogError: If it is a card of a source.
    """
    found = store.cards([card_id])
    if not found:
        raise no_such_card(card_id)
    query = "SELECT source, printed FROM cards WHERE id = ?"
    source, printed = store.connection.execute(query, (found[0].id,)).fetchone()
    if source != CUSTOM:
        raise CatalogError(
            f"{card_id} comes from the source {source!r} and was not entered by hand.\n"
            f"To see its numbers: ccgrid show {shell_word(card_id)}"
        )
    card = found[0]
    return CustomCard.from_evidence(card, cell_list(printed))


def entered_cards(store: Store) -> list[Card]:
    """Return every card that was entered by hand, in the order of the ids."""
    found = store.connection.execute("SELECT id FROM cards WHERE source = ? ORDER BY id", (CUSTOM,)).fetchall()
    return store.cards([card_id for (card_id,) in found])


def _checked(given: CustomCard) -> CustomCard:
    """Check a card, and replace what SQLite cannot store: a command line may contain lone surrogates."""
    given.check()
    return CustomCard(
        given.game,
        replace_surrogates(given.name.strip()),
        replace_surrogates(given.set_code.strip()),
        replace_surrogates(given.collector_number.strip()),
        {zone: replace_surrogates(text.strip()) for zone, text in given.printed.items()},
        given.attack,
        given.defense,
        given.number_at,
    )


def _write(store: Store, card_id: str, given: CustomCard) -> Card:
    card = given.card(card_id)
    values = (
        *(card_id, CUSTOM, card.game, card.name, card.set_code, card.set_name, card.collector_number),
        *(card.zones.get(zone) for zone in ZONES),
        *(json.dumps(card.face), card.score, card.legal, card.reason, card.attack, card.defense, card.lang),
        json.dumps(given.evidence(), ensure_ascii=False),
        _NO_IMPORT,
    )
    store.connection.execute(_WRITE, values)
    folded = fold(card.name)
    query = "INSERT OR IGNORE INTO names (name, folded) VALUES (?, ?)"
    cursor = store.connection.execute(query, (card.name, folded))
    if cursor.rowcount:
        query = "INSERT INTO names_fts (rowid, folded) VALUES (?, ?)"
        store.connection.execute(query, (cursor.lastrowid, folded))
    return card


def _delete_unused_name(store: Store, name: str) -> None:
    """Delete a name that no card uses."""
    query = (
        "DELETE FROM names WHERE name = ?1 AND NOT EXISTS (SELECT 1 FROM cards WHERE name = ?1 OR printed_name = ?1)"
    )
    store.connection.execute(query, (name,))


def no_such_card(card_id: str) -> NotFoundError:
    """Return the error for an id that no card has."""
    message = f"There is no card {card_id!r}. 'ccgrid search NAME --json' shows ids."
    return NotFoundError(message, kind="card", name=card_id)
