"""Cards entered by hand, or accepted from pictures: each is added, changed or removed in one transaction.

They belong to a source of their own, which no import writes or removes, and their ids to a set of their own.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, TypedDict

from ccgrid.catalog.card import Card, CardJson, CorrectionJson
from ccgrid.catalog.card_ids import CUSTOM
from ccgrid.catalog.clock import now
from ccgrid.catalog.correction import Correction, correction_between, to_custom_card
from ccgrid.catalog.custom_card import ID_SET, CustomCard
from ccgrid.catalog.errors import CatalogError, ChangedMeanwhileError, NotFoundError
from ccgrid.catalog.evidence import Evidence
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.cells import cell_list, cell_table
from ccgrid.catalog.store.history import change
from ccgrid.catalog.store.lookup import ZONE_COLUMNS, forget_names, index_names, last_name, note_names
from ccgrid.catalog.surrogates import replace_surrogates
from ccgrid.catalog.zones import ZONES

_NO_IMPORT: Final = 0
"""In place of the number of an import, which are numbered from 1."""
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
    """Stores a new card under an id that no other has, `game:hand/name`; one that is there as it is stays the only one.

    Raises CatalogError where it is none.
    """
    given = _clean(given)
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
    """The cards of that game and name that were entered by hand, by their ids."""
    query = "SELECT id FROM cards WHERE name = ? AND game = ? AND source = ? ORDER BY id"
    found = store.connection.execute(query, (replace_surrogates(given.name.strip()), given.game, CUSTOM)).fetchall()
    return store.cards([card_id for (card_id,) in found])


def change_card(store: Store, before: CustomCard, card_id: str, given: CustomCard) -> Card:
    """Puts a card in place of the one that was entered under this id.

    Raises CatalogError where it is none, or where the card is no longer as it was `before`.
    """
    given = _clean(given)
    with change(store, f"change {card_id}"):
        if entered_card(store, card_id) != before:
            raise ChangedMeanwhileError(f"{card_id} was changed by another command; check it and try again.")
        card = _write(store, card_id, given)
        _forget_name(store, before.name)
    return card


def remove_card(store: Store, card_id: str) -> Card:
    """Takes a card that was entered by hand out, and returns it; raises CatalogError where it is not one."""
    with change(store, f"remove {card_id}"):
        card = entered_card(store, card_id).card(card_id)
        store.connection.execute("DELETE FROM cards WHERE id = ?", (card_id,))
        _forget_name(store, card.name)
    return card


def is_entered(store: Store, card_id: str) -> bool:
    """Whether a card with this id was entered by hand; also where there is none, so that the caller reports that."""
    query = "SELECT source FROM cards WHERE id = ?"
    row = store.connection.execute(query, (card_id.encode("utf-8", "replace").decode(),)).fetchone()
    return row is None or row[0] == CUSTOM


def entered_card(store: Store, card_id: str) -> CustomCard:
    """A card as it was entered; NotFoundError where there is none, CatalogError where it is of a source."""
    found = store.cards([card_id])
    if not found:
        raise _no_card(card_id)
    query = "SELECT source, printed FROM cards WHERE id = ?"
    source, printed = store.connection.execute(query, (found[0].id,)).fetchone()
    if source != CUSTOM:
        raise CatalogError(
            f"{card_id} comes from the source {source!r} and was not entered by hand.\n"
            "Correct what is wrong on it with: ccgrid card edit"
        )
    card = found[0]
    return CustomCard.from_evidence(card, cell_list(printed))


def entered_cards(store: Store) -> list[Card]:
    """Every card that was entered by hand, by its id."""
    found = store.connection.execute("SELECT id FROM cards WHERE source = ? ORDER BY id", (CUSTOM,)).fetchall()
    return store.cards([card_id for (card_id,) in found])


def _clean(given: CustomCard) -> CustomCard:
    """The card, checked, and as the catalogue can hold it: a command line may hold halves of surrogate pairs."""
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


def _forget_name(store: Store, name: str) -> None:
    """Drops a name that no card has any more."""
    query = (
        "DELETE FROM names WHERE name = ?1 AND NOT EXISTS (SELECT 1 FROM cards WHERE name = ?1 OR printed_name = ?1)"
    )
    store.connection.execute(query, (name,))


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
    """Corrects a card of a source, beside what was corrected on it before, and returns it as it is now.

    Raises:
        NotFoundError: there is no such card.
        CatalogError: it cannot be so.
    """
    correct_all(store, {card_id: correction}, f"correct {card_id}")
    return _card(store, card_id)


def correct_all(store: Store, given: Mapping[str, Correction], what: str = "correct cards") -> None:
    """Corrects cards of sources by their ids, as `correct` does one; raises the same."""
    with change(store, what), without_corrections(store):
        made, before = now(), corrections(store)
        for card_id, correction in given.items():
            card = _card(store, card_id)
            whole = before.get(card_id, Correction()).and_then(correction)
            corrected, _ = whole.on(card, _evidence(store, card_id))
            texts = corrected.name, corrected.set_code, corrected.collector_number
            CustomCard(card.game, *texts, whole.printed, *(corrected.attack, corrected.defense)).check()
            if whole.words():  # else nothing is corrected
                values = (card_id, made, json.dumps(whole.to_dict()))
                store.connection.execute(_CORRECT, values)


def forget_correction(store: Store, card_id: str) -> Card:
    """Takes the correction of a card back, and returns the card as its source has it.

    Raises:
        NotFoundError: there is no such card.
        CatalogError: nothing was corrected on it.
    """
    with change(store, f"revert the correction of {card_id}"):
        if card_id not in corrections(store):
            _card(store, card_id)
            raise CatalogError(
                f"{card_id} comes from a source, and nothing is corrected on it; cards of sources stay.\n"
                "Correct what is wrong on it with: ccgrid card edit"
            )
        with without_corrections(store):
            store.connection.execute("DELETE FROM corrections WHERE card_id = ?", (card_id,))
    return _card(store, card_id)


def corrections(store: Store) -> dict[str, Correction]:
    """What is corrected, by the ids of the cards; also on cards that no source has just now."""
    rows = store.connection.execute("SELECT card_id, told FROM corrections ORDER BY card_id")
    return {card_id: Correction.of(cell_table(fields)) for card_id, fields in rows}


def as_form(store: Store, card_id: str) -> CustomCard:
    """A card with what is printed on it now, as a form asks for it; CatalogError where there is none."""
    if is_entered(store, card_id):
        return entered_card(store, card_id)
    return to_custom_card(_card(store, card_id), _evidence(store, card_id))


class EditedCard(NamedTuple):
    """A card as it is now, and as it was given; `is_corrected` where a source has it."""

    card: Card
    given: CustomCard
    is_corrected: bool


def edit_card(store: Store, card_id: str, given: Callable[[CustomCard], CustomCard]) -> EditedCard:
    """Changes a card that was entered by hand, or corrects one of a source; `given` says what becomes of what it is.

    Raises CatalogError where there is none, or where it cannot be so.
    """
    before = as_form(store, card_id)
    after = given(before)
    if is_entered(store, card_id):
        return EditedCard(change_card(store, before, card_id, after), after, is_corrected=False)
    return EditedCard(correct(store, card_id, correction_between(before, after)), after, is_corrected=True)


@contextmanager
def without_corrections(store: Store) -> Iterator[None]:
    """While the block runs all cards are as their sources have them; afterwards corrected again. In a transaction."""
    connection = store.connection
    names = [name for (name,) in connection.execute("SELECT name FROM uncorrected")]  # which may have been forgotten
    had_any = bool(names)
    if had_any:
        connection.execute(_LIFT)
        connection.execute("DELETE FROM uncorrected")
    yield
    # Corrections are laid anew over whatever the block made of the originals, which an import compares and replaces.
    before = last_name(connection)
    for card_id, correction in corrections(store).items():
        for card in store.cards([card_id]):
            connection.execute("INSERT INTO uncorrected SELECT * FROM cards WHERE id = ?", (card_id,))
            names.append(_write_correction(store, card, correction))
    note_names(connection, names)
    index_names(connection, before)
    if had_any or names:
        forget_names(connection)


def _write_correction(store: Store, card: Card, correction: Correction) -> str:
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
    raise _no_card(card_id)


def _no_card(card_id: str) -> NotFoundError:
    message = f"There is no card {card_id!r}. 'ccgrid search NAME --json' shows ids."
    return NotFoundError(message, kind="card", name=card_id)


def _evidence(store: Store, card_id: str) -> list[Evidence]:
    query = "SELECT printed FROM cards WHERE id = ?"
    (printed,) = store.connection.execute(query, (card_id,)).fetchone()
    return [tuple(entry) for entry in cell_list(printed)]


class EnteredCardJson(CardJson):
    """A card that was entered by hand, or what was corrected by hand on one of a source."""

    corrected: CorrectionJson | None


class GoneCardJson(TypedDict):
    """The id of a card that no source has now, and what was corrected on it."""

    id: str
    corrected: CorrectionJson


def entered_json(
    entered: Iterable[Card], cards: Mapping[str, Card], corrections: Mapping[str, Correction]
) -> Iterator[EnteredCardJson | GoneCardJson]:
    """The documented lines of `card list --json`: the cards that were entered, then those that were corrected."""
    for card in entered:
        yield {**card.to_dict(), "corrected": None}
    for card_id, correction in corrections.items():
        if card_id in cards:
            yield {**cards[card_id].to_dict(), "corrected": correction.to_dict()}
        else:
            yield {"id": card_id, "corrected": correction.to_dict()}


WHOLE: Final = -1
"""In place of that of a card: all cards of the picture are accepted."""
_DIGITS: Final = 32  # of the 64 hexadecimal digits of a picture's SHA-256


def scan_key(digest: str, place: int) -> tuple[str, int]:
    """How the card at a place on a picture, whose SHA-256 it is, is kept."""
    return digest[:_DIGITS], place


def accepted_keys(store: Store) -> set[tuple[str, int]]:
    """The keys of all cards that were accepted."""
    return set(store.connection.execute("SELECT picture, place FROM scans").fetchall())


def accepted_names(store: Store, card_ids: Sequence[str] | None = None) -> list[tuple[str, str, int]]:
    """The name of a card and the key of its place on a picture, of these cards or of all; the last accepted first."""
    of_these = "" if card_ids is None else f" AND card_id IN ({', '.join('?' * len(card_ids))})"
    query = (
        "SELECT c.name, s.picture, s.place FROM scans AS s JOIN cards AS c ON c.id = s.card_id"  # noqa: S608  only marks
        f" WHERE s.place >= 0{of_these} ORDER BY s.id DESC"
    )
    return store.connection.execute(query, [*(card_ids or ())]).fetchall()


class AcceptedScan(NamedTuple):
    """A card that was accepted on a picture: the key of its place there, the card's id, and what was seen, as JSON."""

    picture: str
    place: int
    card_id: str
    seen: dict[str, Any]


def accepted_scans(store: Store, game: str = "", card_id: str = "") -> list[AcceptedScan]:
    """What was seen on accepted cards, of a game, of one card, or of all; the last accepted first."""
    query = (
        "SELECT s.picture, s.place, s.card_id, s.seen FROM scans AS s JOIN cards AS c ON c.id = s.card_id"
        " WHERE s.place >= 0 AND ?1 IN ('', c.game) AND ?2 IN ('', c.id) ORDER BY s.id DESC"
    )
    found = store.connection.execute(query, (game, card_id)).fetchall()
    return [AcceptedScan(picture, place, of, cell_table(seen)) for picture, place, of, seen in found]


def accept(store: Store, digest: str, place: int, cards: int, card_id: str, seen: Mapping[str, Any]) -> None:
    """Records that one of the `cards` on a picture was accepted, and the picture where all were. In a change.

    `seen` is what was seen on the card.
    """
    _write_accepted(store, *scan_key(digest, place), card_id, seen)
    count = "SELECT count(*) FROM scans WHERE picture = ? AND place BETWEEN 0 AND ? - 1"
    if store.connection.execute(count, scan_key(digest, cards)).fetchone() == (cards,):
        _write_accepted(store, *scan_key(digest, WHOLE), "", {})


def _write_accepted(store: Store, picture: str, place: int, card_id: str, seen: Mapping[str, Any]) -> None:
    """Write a row, newer than all others, in place of the one that was there before."""
    connection = store.connection
    connection.execute("DELETE FROM scans WHERE picture = ? AND place = ?", (picture, place))
    query = "INSERT INTO scans (picture, place, card_id, seen) VALUES (?, ?, ?, ?)"
    connection.execute(query, (picture, place, card_id, json.dumps(seen)))
