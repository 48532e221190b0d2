"""Tests of the queue of photographs from phones: reading in a separate process, corrections, and saving."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from helpers.catalogues import make_catalogue, row, write_rows
from helpers.error_messages import error_of

from ccgrid.catalog.card import Card
from ccgrid.catalog.collection.edit import copy_key
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.errors import NotFoundError
from ccgrid.catalog.scan.identification import Recognition
from ccgrid.catalog.scan.result import Scan
from ccgrid.catalog.scan.values import ScannedCard, SeenNumber
from ccgrid.services import scan_queue, scanning
from ccgrid.services.card_pictures import picture_name, read_picture
from ccgrid.services.catalogue import open_catalogue
from ccgrid.services.scan_queue import Photograph, PictureReader, ReadCard, ReadPicture, ScanQueue, entry_of

SEEN = ScannedCard("Amber Drake", (SeenNumber("9", 9, "left", 8, 50, 1.0),), names=("Amber Drake",))


@pytest.fixture
def database(tmp_path: Path) -> Path:
    rows = [row(1, "Amber Drake"), row(2, "Amber Drake"), row(3, "Brass Heron")]
    return make_catalogue(tmp_path / "catalogue.db", write_rows(tmp_path / "cards.jsonl", rows))


@pytest.fixture
def queue(tmp_path: Path, database: Path) -> Callable[[str, bool], ScanQueue]:
    """A function that makes a queue with one photograph of a card, matched to the card with the given id."""

    def make_queue(card_id: str, is_sure: bool) -> ScanQueue:
        folder = tmp_path / "queue"
        folder.mkdir(exist_ok=True)
        card = ReadCard(SEEN, b"a picture", 100, 140, card_id, is_sure)
        photograph = Photograph(1, "a.jpg", "0" * 64, "mtg", is_read=True, cards=[card])
        (folder / "1.json").write_bytes(msgspec.json.encode(photograph))
        (folder / "1.picture").write_bytes(b"a photograph")
        return ScanQueue(folder, database, pytest.fail)

    return make_queue


def cards(database: Path) -> dict[str, Card]:
    with open_catalogue(database) as store:
        return {card.id: card for card in store.all_cards()}


def submit_form(queue: ScanQueue, card_id: str, change: Callable[[CustomCard], CustomCard]) -> str:
    """Submit the form of the card with a change, and return the result."""
    scan, _ = queue.card(1, 0)
    return queue.keep(1, 0, change(scan.entry()), card_id, 1, copy_key()).what


def with_left(text: str) -> Callable[[CustomCard], CustomCard]:
    return lambda entry: replace(entry, printed={**entry.printed, "left": text})


def test_changed_number_corrects_known_card(queue, database: Path) -> None:
    before = cards(database)
    submit_form(queue("mtg:dsk/1", True), "mtg:dsk/1", with_left("8"))
    after = cards(database)
    assert after.keys() == before.keys()
    assert after["mtg:dsk/1"].zones == {**before["mtg:dsk/1"].zones, "left": 8}
    assert after["mtg:dsk/2"] == before["mtg:dsk/2"]


def test_changed_name_of_a_known_card_creates_a_new_one(queue, database: Path) -> None:
    before = cards(database)
    submit_form(queue("mtg:dsk/1", True), "mtg:dsk/1", lambda entry: replace(entry, name="Amber Hound"))
    after = cards(database)
    assert after.keys() - before.keys() == {"mtg:hand/amber-hound"}
    assert all(after[card_id] == card for card_id, card in before.items())


def test_typed_name_of_a_card_in_the_catalogue_selects_that_card(queue, database: Path) -> None:
    before = cards(database)
    assert submit_form(queue("", False), "", lambda entry: replace(entry, name="brass heron")) == "owned"
    assert cards(database).keys() == before.keys()


def test_changed_number_corrects_the_chosen_printing(queue, database: Path) -> None:
    before = cards(database)
    submit_form(queue("mtg:dsk/1", True), "mtg:dsk/2", with_left("8"))
    after = cards(database)
    assert after["mtg:dsk/2"].zones == {**before["mtg:dsk/2"].zones, "left": 8}
    assert after["mtg:dsk/1"] == before["mtg:dsk/1"]


@pytest.mark.parametrize(("card_id", "is_sure"), [("mtg:dsk/1", True), ("mtg:dsk/1", False), ("", False)])
def test_chosen_card_without_changes_stays_unchanged(queue, database: Path, card_id: str, is_sure: bool) -> None:
    before = cards(database)
    assert submit_form(queue(card_id, is_sure), "mtg:dsk/3", lambda entry: entry) == "owned"
    assert cards(database) == before


# --- the queue in its folder ------------------------------------------------------------------------------------------


def empty_queue(tmp_path: Path, database: Path | None = None) -> ScanQueue:
    return ScanQueue(tmp_path / "queue", database or tmp_path / "none.db", pytest.fail)


def read_cards(*ids: str) -> list[ReadCard]:
    return [ReadCard(SEEN, b"picture %d" % number, 100, 140, card_id) for number, card_id in enumerate(ids)]


def test_photographs_are_restored_oldest_first_and_other_files_reported(tmp_path: Path) -> None:
    folder = tmp_path / "queue"
    folder.mkdir()
    for number in (10, 2, 1, 3, 4):
        photograph = Photograph(number, f"{number}.jpg", f"{number}" * 64, format=2 if number == 3 else 1)
        (folder / f"{number}.json").write_bytes(msgspec.json.encode(photograph))
        if number != 4:
            (folder / f"{number}.picture").write_bytes(b"a photograph")
    (folder / "5.json").write_bytes(b"{}")
    (folder / "6.json").mkdir()
    remarks: list[str] = []
    queue = ScanQueue(folder, None, remarks.append)
    assert [photograph.number for photograph in queue] == [1, 2, 10]
    assert [remark.partition(": ")[0] for remark in remarks] == [
        str(folder / f"{number}.json") for number in (3, 4, 5, 6)
    ]
    other = "it belongs to no photograph, or another version of ccgrid wrote it."
    assert [remark.endswith(other) for remark in remarks] == [True, True, False, False]


def test_next_card_is_the_first_unsettled_one(tmp_path: Path) -> None:
    queue = empty_queue(tmp_path)
    assert (queue.next_card, queue.is_waiting) == (None, False)
    first, second = queue.add(b"one", "1.jpg", "mtg"), queue.add(b"two", "2.jpg", "mtg")
    assert (queue.next_card, queue.is_waiting) == (None, True)
    first.cards, second.cards, first.is_read = read_cards("", "", ""), read_cards(""), True
    assert (queue.next_card, queue.is_waiting) == ((1, 0), True)
    queue.leave_out(1, 0)
    queue.leave_out(1, 2)
    assert (first.open_places, queue.next_card) == ([1], (1, 1))
    queue.leave_out(1, 1)
    assert queue.next_card == (2, 0)
    second.is_read = True
    assert queue.is_waiting is False


def test_photograph_has_at_most_32_megabytes_and_is_not_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert scan_queue.LARGEST == 33_554_432
    monkeypatch.setattr(scan_queue, "LARGEST", 2 << 20)
    queue = empty_queue(tmp_path)
    assert error_of(lambda: queue.add(b"", "a.jpg", "")) == "This picture is empty."
    large = b"x" * ((2 << 20) + 1)
    assert "; a picture has at most 2.1 MB." in error_of(lambda: queue.add(large, "a.jpg", ""))
    assert not (tmp_path / "queue").exists()
    assert queue.add(b"x" * (2 << 20), "a.jpg", "").number == 1
    assert queue.add(b"x", "a.jpg", "").number == 2


def test_no_more_than_100_photographs_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert scan_queue.MOST == 100
    monkeypatch.setattr(scan_queue, "MOST", 2)
    queue = empty_queue(tmp_path)
    for content in (b"one", b"two"):
        queue.add(content, "a.jpg", "")
    message = "At most 2 pictures can wait. Look at some of them first."
    assert error_of(lambda: queue.add(b"three", "a.jpg", "")) == message
    assert queue.add(b"two", "again.jpg", "").name == "a.jpg", "it is in the queue already"
    queue.drop(1)
    assert queue.add(b"three", "a.jpg", "").number == 3, "no number is used twice at once"


@pytest.mark.skipif(sys.platform == "win32", reason="modes are those of POSIX")
def test_photograph_and_its_state_are_private_files(tmp_path: Path) -> None:
    queue = empty_queue(tmp_path)
    changes: list[int] = []
    before = queue.version
    queue.on_change = lambda: changes.append(queue.version - before)
    added = queue.add(b"content", "x" * 99 + ".jpg", "mtg")
    assert (added.name, added.game) == ("x" * 96 + ".jpg", "mtg")
    folder = tmp_path / "queue"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "1.picture").read_bytes() == b"content"
    (again,) = empty_queue(tmp_path)
    assert again == added
    queue.drop(1)
    left = [(path.name, path.read_bytes()) for path in folder.iterdir()]
    assert (left, list(queue), changes) == ([("1.removed", b"")], [], [1, 2])
    for act in (
        queue.find,
        queue.drop,
        lambda number: queue.card(number, 0),
        lambda number: queue.leave_out(number, 0),
    ):
        assert error_of(lambda act=act: act(1), NotFoundError) == "This picture is not in the queue any more."


def test_photograph_with_all_cards_saved_is_rejected(tmp_path: Path, database: Path) -> None:
    queue = empty_queue(tmp_path, database)
    photograph = queue.add(b"content", "a.jpg", "mtg")
    photograph.cards, photograph.is_read = read_cards("", ""), True
    for place in (0, 1):
        scan, _ = queue.card(1, place)
        assert (
            queue.keep(1, place, replace(scan.entry(), name=f"Ant {place}"), "", 1, copy_key()).name == f"Ant {place}"
        )
        if place == 0:
            assert photograph.settled == {0: "Ant 0"}
            assert [restored.settled for restored in empty_queue(tmp_path, database)] == [{0: "Ant 0"}]
            message = error_of(lambda: queue.keep(1, 0, scan.entry(), "", 1, copy_key()))  # noqa: B023
            assert message == "This card is settled."
    assert [path.name for path in (tmp_path / "queue").iterdir()] == ["1.removed"]
    assert read_picture(database, picture_name(photograph.digest, 1)) == b"picture 1"
    assert error_of(lambda: queue.add(b"content", "b.jpg", "mtg")) == "All cards on this picture are already saved."


@pytest.mark.parametrize("place", [-1, 1])
def test_card_numbers_outside_picture_are_not_found(queue, place: int) -> None:
    scan_queue_of_one = queue("mtg:dsk/1", True)
    for act in (lambda: scan_queue_of_one.card(1, place), lambda: scan_queue_of_one.leave_out(1, place)):
        assert error_of(act, NotFoundError) == "There is no such card on this picture."


def test_certain_card_has_printings_and_contradictions(queue, database: Path) -> None:
    scan, printings = queue("mtg:dsk/2", True).card(1, 0)
    assert [card.id for card in printings] == ["mtg:dsk/2", "mtg:dsk/1"]
    assert (scan.card, scan.game, scan.file, scan.digest) == (printings[0], "mtg", "a.jpg", "0" * 64)
    assert "top-right: the catalogue has 2, the picture nothing" in scan.contradictions
    scan, printings = queue("mtg:dsk/2", False).card(1, 0)
    assert (scan.card, scan.contradictions, len(printings)) == (None, (), 2)
    for missing_id in ("mtg:dsk/9", ""):
        scan, printings = queue(missing_id, True).card(1, 0)
        assert (scan.card, printings) == (None, ())


@pytest.mark.parametrize(("game", "is_sure"), [("mtg", False), ("", True)])
def test_card_is_compared_with_those_of_its_game_on_other_photographs(
    tmp_path: Path, database: Path, game: str, is_sure: bool
) -> None:
    """A sure card is of the game of its id, and has the catalogue's numbers."""
    whole = replace(SEEN, numbers=(*SEEN.numbers, SeenNumber("2", 2, "top", 50, 8, 1.0)))
    photographs = [
        Photograph(1, "a.jpg", "1" * 64, "mtg", is_read=True, cards=[ReadCard(SEEN, b"", 100, 140)]),
        Photograph(
            2, "b.jpg", "2" * 64, game, is_read=True, cards=[ReadCard(whole, b"", 1, 1, "mtg:dsk/3", is_sure)] * 2
        ),
        Photograph(3, "c.jpg", "3" * 64, "pokemon", is_read=True, cards=[ReadCard(SEEN, b"", 100, 140)]),
    ]
    for one in photographs:
        (tmp_path / f"{one.number}.json").write_bytes(msgspec.json.encode(one))
        (tmp_path / f"{one.number}.picture").write_bytes(b"a photograph")
    queue = ScanQueue(tmp_path, database, pytest.fail)
    assert queue.card(1, 0)[0].doubtful == {"top"}
    assert queue.card(3, 0)[0].doubtful == frozenset(), "of another game"
    known = queue.card(2, 0)[0]
    assert (known.card is not None, known.read) == (is_sure, whole)


def test_printings_are_empty_without_catalogue(tmp_path: Path) -> None:
    assert empty_queue(tmp_path).printings("mtg:dsk/1") == ()


def test_form_fields_make_a_card() -> None:
    fields = {"game": " MTG ", "name": " Ant ", "set": " x ", "number": " 7 ", "zone-left": "4", "zone-top": ""}
    assert entry_of({**fields, "box": "Attic"}) == CustomCard("mtg", "Ant", "x", "7", {"left": "4"})
    assert entry_of({}) == CustomCard("", "", "", "", {})


# --- the reading process ----------------------------------------------------------------------------------------------


ANSWERS = """
import json, os, sys
game, database, *paths = sys.argv[1:]
for path in paths:
    word = open(path).read()
    if word == "breaks":
        os._exit(1)
    if word == "waits":
        import time
        time.sleep(600)
    cards = json.loads(word) if word.startswith("[") else []
    for card in cards:
        print(json.dumps([[card], "", len(cards)]), flush=True)
    reason = "" if cards else f"{word} {game} {database}"
    print("nonsense" if word == "nonsense" else json.dumps([cards, reason]), flush=True)
"""


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fake reading process that returns the content of a file, with the game and the database."""
    monkeypatch.setattr(scan_queue, "_PROGRAM", (sys.executable, "-c", ANSWERS))


BROKEN = "This picture cannot be read: it is damaged, or takes more than 3 minutes or 6 gigabytes of memory."


def write_pictures(tmp_path: Path, *words: str) -> list[Path]:
    paths = [tmp_path / f"{number}.picture" for number, _ in enumerate(words)]
    for path, word in zip(paths, words, strict=True):
        path.write_text(word)
    return paths


@pytest.mark.parametrize("content", ["breaks", "nonsense"])
def test_pictures_breaking_reader_do_not_stop_others(tmp_path: Path, answers: None, content: str) -> None:
    paths = write_pictures(tmp_path, "one", content, content, "two", content)
    read = PictureReader().read(paths, "mtg", tmp_path / "a.db")
    arguments = f"mtg {tmp_path / 'a.db'}"
    assert list(read) == [
        ReadPicture([], reason) for reason in (f"one {arguments}", BROKEN, BROKEN, f"two {arguments}", BROKEN)
    ]


def test_reader_gets_no_database_if_there_is_none(tmp_path: Path, answers: None) -> None:
    assert list(PictureReader().read(write_pictures(tmp_path, "one"), "", None)) == [ReadPicture([], "one  ")]


def test_slow_picture_is_abandoned(tmp_path: Path, answers: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert scan_queue.PICTURE_SECONDS == 180
    monkeypatch.setattr(scan_queue, "PICTURE_SECONDS", 0.1)
    assert list(PictureReader().read(write_pictures(tmp_path, "waits"), "", None)) == [ReadPicture([], BROKEN)]


def test_stopped_reader_reads_no_more(tmp_path: Path, answers: None) -> None:
    reader = PictureReader()
    reading = reader.read(write_pictures(tmp_path, "one", "waits", "two"), "", None)
    assert next(reading).reason == "one  "
    reader.stop()
    assert list(reading) == []
    stopped = PictureReader()
    stopped.stop()
    assert list(stopped.read(write_pictures(tmp_path, "one"), "", None)) == []


def test_waiting_photographs_of_one_game_are_read_together(tmp_path: Path, answers: None) -> None:
    queue = empty_queue(tmp_path)
    queue.read_waiting()
    for content, game in ((b"one", "mtg"), (b"two", "fab"), (b"three", "mtg"), (b"four", "mtg")):
        queue.add(content, "a.jpg", game)
    queue.find(4).is_read = True
    queue.read_waiting()
    database = tmp_path / "none.db"
    assert [(photograph.is_read, photograph.reason) for photograph in queue] == [
        (True, f"one mtg {database}"),
        (False, ""),
        (True, f"three mtg {database}"),
        (True, ""),
    ]
    assert [photograph.is_read for photograph in empty_queue(tmp_path)] == [True, False, True, False]
    queue.read_waiting()
    assert queue.find(2).reason == f"two fab {database}"


def two_cards(database: Path) -> bytes:
    """Return the answer of the reading process for a picture of two cards."""
    return msgspec.json.encode([ReadCard(SEEN, b"a picture", 100, 140, is_certain=True)] * 2)


def test_each_card_can_be_looked_at_while_others_are_read(tmp_path: Path, answers: None, database: Path) -> None:
    queue = empty_queue(tmp_path)
    queue.add(two_cards(database), "a.jpg", "mtg")
    queue.add(b"one", "b.jpg", "mtg")
    known = []
    queue.on_change = lambda: known.append(
        (
            queue.next_card,
            queue.certain_cards,
            [(len(photograph.cards), photograph.total, photograph.is_read) for photograph in queue],
        )
    )
    queue.read_waiting()
    first, second = (1, 0), (1, 1)
    assert known == [
        (first, [], [(1, 2, False), (0, 0, False)]),
        (first, [], [(2, 2, False), (0, 0, False)]),
        (first, [first, second], [(2, 2, True), (0, 0, False)]),
        (first, [first, second], [(2, 2, True), (0, 0, True)]),
    ]


def test_card_kept_while_others_are_read_stays_kept(tmp_path: Path, answers: None, database: Path) -> None:
    queue = empty_queue(tmp_path, database)
    content = two_cards(database)
    queue.add(content, "a.jpg", "mtg")

    def keep_first() -> None:
        queue.on_change = lambda: None
        queue.keep(1, 0, queue.card(1, 0)[0].entry(), "", 1, copy_key())
        queue.stop()

    queue.on_change = keep_first
    queue.read_waiting()
    again = empty_queue(tmp_path, database)  # after a restart the picture is read again
    again.read_waiting()
    assert [(photograph.open_places, photograph.is_read, photograph.total) for photograph in again] == [([1], True, 2)]
    again.leave_out(1, 1)
    assert list(again) == []
    assert again.add(content, "a.jpg", "mtg").number == 2  # accepted, because only one of two cards was saved


def test_picture_is_removed_if_all_its_cards_were_settled_during_reading(tmp_path: Path, answers: None, database: Path):
    queue = empty_queue(tmp_path)
    queue.add(two_cards(database), "a.jpg", "mtg")

    def settle_all() -> None:
        for _, place in filter(None, [queue.next_card]):
            queue.leave_out(1, place)

    queue.on_change = settle_all
    queue.read_waiting()
    assert list(queue) == []


def test_picture_dropped_during_reading_stays_dropped(tmp_path: Path, answers: None) -> None:
    queue = empty_queue(tmp_path)
    for content in (b"one", b"two"):
        queue.add(content, "a.jpg", "mtg")
    queue.on_change = lambda: queue.drop(2) if len(list(queue)) == 2 else None
    queue.read_waiting()
    assert [photograph.number for photograph in queue] == [1]
    assert sorted(path.name for path in (tmp_path / "queue").iterdir()) == ["1.json", "1.picture", "2.removed"]


def test_unread_photographs_wait_after_stop(tmp_path: Path, answers: None) -> None:
    queue = empty_queue(tmp_path)
    queue.add(b"one", "a.jpg", "mtg")
    queue.add(b"waits", "b.jpg", "mtg")
    queue.on_change = queue.stop
    queue.read_waiting()
    assert [photograph.is_read for photograph in queue] == [True, False]


def test_process_limits_itself_and_answers_one_line_per_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    pytest.importorskip("cv2")
    resource = pytest.importorskip("resource")
    calls: list[Any] = []
    monkeypatch.setattr(resource, "setrlimit", lambda *limit: calls.append(limit))
    monkeypatch.setattr(os, "nice", calls.append)

    def scan_pictures(paths: Sequence[Path], database: Path | None, *, game: str, on_card: Any) -> Any:
        calls.append((database, game))
        on_card(Scan("a.jpg", "0" * 64, SEEN), 2)
        return (scanning.Unscanned(str(path), f"{path.name} is none") for path in paths)

    monkeypatch.setattr(scanning, "scan_pictures", scan_pictures)
    monkeypatch.setattr("ccgrid.catalog.scan.scanner.open_picture", lambda path, name: name)
    monkeypatch.setattr("ccgrid.catalog.scan.scanner.card_jpeg", lambda picture, corners: (b"cut", 2, 3))
    os_write = os.write
    monkeypatch.setattr(os, "write", lambda to, data: os_write(to, data[:7]))
    scan_queue._main("mtg", "", "a.jpg", "b.jpg")
    scan_queue._main("", str(tmp_path / "a.db"))
    monkeypatch.undo()
    limits = [(resource.RLIMIT_AS, (6_442_450_944,) * 2), (resource.RLIMIT_CORE, (0, 0)), 10]
    assert calls == [*limits, (None, "mtg"), *limits, (tmp_path / "a.db", "")]
    answers = [msgspec.json.decode(line, type=ReadPicture) for line in capfdbinary.readouterr().out.splitlines()]
    # Each card is reported when it is read, before its picture.
    seen = ReadPicture([ReadCard(SEEN, b"cut", 2, 3, name=SEEN.name)], total=2)
    assert answers == [seen, ReadPicture([], "a.jpg is none"), ReadPicture([], "b.jpg is none"), seen]


def test_cards_are_cut_out_with_their_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes], database: Path
) -> None:
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("cv2")
    picture = tmp_path / "page.png"
    image.new("RGB", (400, 400), (10, 200, 10)).save(picture)
    corners = ((0.0, 0.0), (50.0, 0.0), (50.0, 75.0), (0.0, 75.0))
    read = replace(SEEN, name="BEAST", corners=corners)
    amber, heron = cards(database)["mtg:dsk/1"], cards(database)["mtg:dsk/3"]
    lacking = replace(amber, zones={}, legal=False, reason="data:numbers")
    scans = [
        Scan(str(picture), "0" * 64, read, known=Recognition(amber, sure=True, reason=""), card=amber),
        Scan(str(picture), "0" * 64, read, known=Recognition(amber, sure=True, reason=""), card=lacking),
        Scan(str(picture), "0" * 64, read, known=Recognition(amber, sure=False, reason="")),
        Scan(str(picture), "0" * 64, read, known=Recognition(heron, sure=False, reason="")),
        Scan(str(picture), "0" * 64, read),
    ]
    monkeypatch.setattr(scan_queue, "_limit_process", lambda: None)
    monkeypatch.setattr(scanning, "scan_pictures", lambda paths, database, *, game, on_card: [scans])
    scan_queue._main("mtg", "", str(picture))
    (answer,) = capfdbinary.readouterr().out.splitlines()
    result = msgspec.json.decode(answer, type=ReadPicture)
    assert result.reason == ""
    assert [(photograph.card_id, photograph.is_sure, photograph.is_certain) for photograph in result.cards] == [
        ("mtg:dsk/1", True, True),
        ("mtg:dsk/1", True, False),
        ("mtg:dsk/1", False, False),
        ("mtg:dsk/3", False, False),
        ("", False, False),
    ]
    assert [photograph.name for photograph in result.cards] == ["Amber Drake"] * 2 + ["BEAST"] * 3
    assert {
        (photograph.read, photograph.width, photograph.height, photograph.picture[:2]) for photograph in result.cards
    } == {(read, 200, 300, b"\xff\xd8")}


def test_left_out_card_keeps_no_id(tmp_path: Path) -> None:
    queue = empty_queue(tmp_path)
    queue.add(b"one", "1.jpg", "mtg").cards = read_cards("", "")
    queue.leave_out(1, 1)
    assert queue.find(1).settled == {1: ""}


def test_reader_process_ends_with_its_consumer(tmp_path: Path, answers: None) -> None:
    reading = PictureReader().read(write_pictures(tmp_path, "one", "waits"), "", None)
    assert next(reading).reason == "one  "
    reading.close()  # otherwise the process would run for ten minutes


def test_worker_is_this_program_and_reports_other_files(tmp_path: Path) -> None:
    pytest.importorskip("rapidocr")
    path = tmp_path / "1.picture"
    path.write_bytes(b"no picture")
    (read,) = PictureReader().read([path], "mtg", tmp_path / "none.db")
    assert read == ReadPicture(
        [], "this is not a picture that can be opened. JPEG, PNG, WebP, AVIF, TIFF, BMP and GIF can."
    )


def test_unknown_facts_of_card_and_photograph_are_empty() -> None:
    card, photograph = ReadCard(SEEN, b"", 1, 1), Photograph(1, "a.jpg", "0" * 64)
    assert (card.card_id, card.is_sure) == ("", False)
    assert (photograph.game, photograph.is_read, photograph.reason, photograph.cards) == ("", False, "", [])
    assert photograph.settled == {}


LONG = """
import sys
for path in sys.argv[3:]:
    length = int(open(path).read())
    print('[[],"' + "x" * (length - len('[[],""]') - 1) + '"]', flush=True)
"""


def test_answer_has_at_most_32_megabytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan_queue, "_PROGRAM", (sys.executable, "-c", LONG))
    most = 33_554_432 + 1  # including the line break
    paths = write_pictures(tmp_path, str(most), str(most + 2), "20")
    reasons = [read.reason for read in PictureReader().read(paths, "", None)]
    assert (len(reasons[0]), reasons[1] == BROKEN, reasons[2]) == (most - 8, True, "x" * 12)


@pytest.mark.skipif(sys.platform == "win32", reason="needs sessions of processes")
def test_interrupt_of_server_is_not_sent_to_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = "import os; print('[[],\"%s\"]' % (os.getsid(0) == os.getpid()))"
    monkeypatch.setattr(scan_queue, "_PROGRAM", (sys.executable, "-c", program))
    assert list(PictureReader().read(write_pictures(tmp_path, "one"), "", None)) == [ReadPicture([], "True")]
