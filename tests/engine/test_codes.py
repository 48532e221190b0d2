"""Tests of share codes: games and decks as one line of text, omitted details, and detection of damage."""

import json
import random
import re
import zlib
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from helpers import hypothesis_examples as examples
from helpers.made_up import deck_for
from helpers.random_records import random_record
from hypothesis import given, settings
from hypothesis import strategies as st

from ccgrid.catalog.card import Card
from ccgrid.catalog.card_lines import from_lines, shorten, to_lines
from ccgrid.catalog.codes import Code, CodeError, is_code, read_code, with_checksum
from ccgrid.catalog.collection.deck_files import read_deck
from ccgrid.catalog.letters import (
    LONGEST_TEXT,
    NumberReader,
    NumberWriter,
    compress,
    decompress,
    from_letters,
    to_letters,
)
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import RecordError
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.records import codes
from ccgrid.engine.records.codes import (
    LONGEST_LINE,
    code_document,
    deck_code,
    in_code_order,
    record_code,
)
from ccgrid.engine.records.files import read_game, read_games, write_game
from ccgrid.engine.records.record import Record, read_document
from ccgrid.engine.schema import to_json_line

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)
seeds = st.integers(0, 2**32)


def read_line(line):
    return read_document(code_document(line)).require()


@given(data=st.binary(max_size=60))
def test_bytes_round_trip_as_capitals_and_digits(data):
    letters = to_letters(data)
    assert re.fullmatch("[A-Z2-7]*", letters)
    assert from_letters(letters) == data


@given(parts=st.lists(st.one_of(st.integers(0, 2**63), texts)))
def test_sequences_of_numbers_and_texts_round_trip(parts):
    writer = NumberWriter()
    for part in parts:
        (writer.put_text if isinstance(part, str) else writer.put)(part)
    reader = NumberReader(bytes(writer.data))
    assert [reader.take_text() if isinstance(part, str) else reader.take() for part in parts] == parts
    assert reader.is_at_end
    with pytest.raises(ValueError, match="end too early"):
        reader.take()


def test_truncated_text_is_rejected_but_lone_surrogate_is_kept():
    writer = NumberWriter()
    writer.put_text("torn \ud800")
    assert NumberReader(bytes(writer.data)).take_text() == "torn \ud800"
    with pytest.raises(ValueError, match=r"^the text ends too early$"):
        NumberReader(bytes(writer.data[:-1])).take_text()


@given(text=st.text(max_size=300))
def test_any_text_round_trips_through_compression(text):
    assert decompress(compress(text)) == text


def test_repetition_is_compressed_and_overlong_text_is_rejected():
    text = "\n".join(f"c{number % 10} Amber Drake|mtg:m15/{number}" for number in range(20))
    assert len(compress(text)) < len(text) / 3
    assert decompress(compress("x" * LONGEST_TEXT)) == "x" * LONGEST_TEXT
    with pytest.raises(ValueError, match="too long"):
        compress("x" * (LONGEST_TEXT + 1))


@pytest.mark.parametrize("size", [LONGEST_TEXT + 1, 10_000_000])
def test_decompression_is_limited(size):
    packed = zlib.compress(b"x" * size, 9, -15)
    with pytest.raises(ValueError, match="not one text"):
        decompress(packed)
    for broken in (b"", compress("Amber Drake")[:-2], compress("Amber Drake") + b"x", b"\xff"):
        with pytest.raises(ValueError, match=r".+"):
            decompress(broken)


@given(
    name=texts,
    card_id=texts,
    texts_next_to_name=st.tuples(texts, texts),
    zones=st.dictionaries(st.sampled_from(ZONES), st.integers(0, 10)),
    fight=st.one_of(st.just((None, None)), st.tuples(st.integers(0, 10), st.integers(0, 10))),
)
def test_any_card_round_trips_as_line(name, card_id, texts_next_to_name, zones, fight):
    in_order = {zone: zones[zone] for zone in ZONES if zone in zones}
    game = card_id.partition(":")[0] if ":" in card_id else ""
    texts_beside = ["" if text == "." else text for text in texts_next_to_name]  # a dot is stored as an empty text
    set_code, number = texts_beside
    score, (attack, defense) = sum(zones.values()) + 3, fight
    card = Card(card_id, game, name, in_order, score, set_code, "", number, attack=attack, defense=defense)
    assert from_lines(to_lines([card])) == (card,)


@pytest.mark.parametrize("numbers", ["a4e", "z4", "ax", "a4+1000000", "a4=3/11", "a4=3/", "a4=/3", "a4=3"])
def test_line_with_invalid_numbers_is_rejected(numbers):
    with pytest.raises(ValueError, match=r"^'.*' is not a (number|list)"):
        from_lines(f"{numbers} Amber Drake")


@pytest.mark.parametrize("text", ["two\nlines", "a|bar", "back\\slash", "\\n", "\\i", "|\\|\n"])
def test_separators_may_occur_in_names_ids_and_sets(text):
    card = Card(text, "", text, {}, 0, text, "", "7")
    assert from_lines(to_lines([card, card])) == (card, card)


def test_set_and_number_are_not_invented_from_id():
    card = Card("mtg:m15/235", "mtg", "Amber Drake", {}, 0)
    assert from_lines(to_lines([card])) == (card,)


@pytest.mark.parametrize(("attack", "defense"), [(3, None), (None, 3)])
def test_card_without_both_attack_and_defense_loses_them(attack, defense):
    card = Card("", "", "Amber Drake", {"top": 4}, 4)
    assert from_lines(to_lines([replace(card, attack=attack, defense=defense)])) == (card,)


def test_card_without_id_has_no_set_and_number():
    card = Card("mtg:m15/235", "mtg", "Amber Drake", {}, 0, "m15", "Magic 2015", "235")
    short = shorten(card, 7, with_id=False)
    assert (short.name, short.id, short.set_code, short.collector_number) == ("Amber D", "", "", "")
    assert shorten(card, 6, with_id=True) == replace(card, name="Amber")


def test_metadata_of_any_characters_round_trips():
    assert read_code(str(Code("", None, "torn \ud800"))).more == "torn \ud800"
    with pytest.raises(CodeError, match=r"^a code has at most 65,536 characters, and this has 65,537$"):
        read_code("c" * 65_537)
    with pytest.raises(CodeError, match="damaged"):
        read_code("c" * 65_536)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@given(seed=seeds)
def test_games_round_trip_as_lines(game, seed):
    record = random_record(game, seed)
    written = record_code(record)
    back = read_line(written.line)
    assert back.moves == record.moves
    assert back.result == record.result
    assert back.final().scores() == record.final().scores()
    if not written.left_out:
        assert back == record
    assert written.left_out == () or game.name == "grid"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_notes_are_included_in_code(game):
    noted = {"date": date(2026, 11, 21), "event": "The attic", "seed": 7, "notes": {"table": [1, "two"]}}
    record = replace(random_record(game, 1, share=4), **noted)
    if game.name == "grid":  # whose test cards have long names and ids, which leave no room
        cards = tuple(replace(card, id="", name=card.name[:5]) for card in record.setup.cards)
        record = replace(record, setup=replace(record.setup, cards=cards, deck=(), moving=(), facing=()))
        record = read_document(record.to_document()).require()
    assert read_line(record_code(record).line) == record


@given(
    seed=seeds,
    players=st.lists(st.text(max_size=200).filter(str.strip), min_size=2, max_size=4, unique=True),
    name=st.text(min_size=1, max_size=300),
)
def test_grid_game_with_deck_fits_into_900_characters(seed, players, name):
    record = random_record(find_game("grid"), seed, count=len(players))
    cards = tuple(replace(card, name=f"{name} {number}") for number, card in enumerate(record.setup.cards))
    setup = replace(record.setup, players=tuple(players), cards=cards, deck=(), moving=(), facing=())
    written = record_code(replace(record, setup=setup))
    assert len(written.line) <= LONGEST_LINE
    back = read_line(written.line)
    assert back.moves == record.moves
    assert back.final().scores() == record.final().scores()
    assert len(set(back.setup.players)) == len(players)


def test_largest_possible_deck_fits():
    rng = random.Random(1)
    deck = [
        Card(f"x:{n}", "x", "W" * 200 + str(n), {zone: rng.randint(0, 10) for zone in ZONES}, 9_999) for n in range(20)
    ]
    setup = find_game("grid").deal(["Ann" * 60, "Bob" * 60], [deck], Dice(1))
    written = record_code(Record(setup, seed=2**63 - 1, event="x" * 1000))
    assert len(written.line) <= LONGEST_LINE
    assert [card.zones for card in read_line(written.line).setup.cards] == [card.zones for card in setup.cards]
    assert written.left_out == ("the ids of the cards", "the date, the seed and the notes", "the ends of names")
    assert (read_line(written.line).seed, read_line(written.line).event) == (None, None)


def test_game_with_unrevealed_cards_round_trips():
    record = random_record(find_game("grid"), 3, share=2)
    known = replace(record, setup=record.setup.first_known(12))
    assert len(read_line(record_code(known).line).setup.cards) == 12


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_any_changed_character_is_detected(game):
    line = record_code(random_record(game, 5)).line
    rng = random.Random(5)
    for place in range(len("ccgrid"), len(line)):
        other = rng.choice([letter for letter in "0ABCDabcd234567-" if letter != line[place]])
        with pytest.raises(RecordError, match="damaged"):
            code_document(line[:place] + other + line[place + 1 :])
        with pytest.raises(RecordError, match="damaged"):
            code_document(line[:place] + line[place + 1 :])
    for place in range(len("ccgrid")):
        changed = f"{line[:place]}0{line[place + 1 :]}"
        assert is_code(changed)
        with pytest.raises(RecordError, match=r"^file: .*damaged"):
            code_document(changed)


def test_swapped_characters_and_changed_case_are_detected():
    line = record_code(random_record(find_game("grid"), 5)).line
    for place in range(len("ccgrid2"), len(line) - 1):
        exchanged = line[:place] + line[place + 1] + line[place] + line[place + 2 :]
        swapped = line[:place] + line[place].swapcase() + line[place + 1 :]
        for damaged in {exchanged, swapped} - {line}:
            with pytest.raises(CodeError, match="damaged"):
                read_code(damaged)


def test_changes_by_messengers_are_tolerated():
    line = record_code(random_record(find_game("grid"), 5)).line
    for changed in (f" {line}\n", line[:60] + "\r\n" + line[60:], f"file:///home/a/table.html#{line}", "C" + line[1:]):
        assert is_code(changed)
        assert code_document(changed) == code_document(line)


def test_other_code_versions_are_rejected():
    line = record_code(random_record(find_game("grid"), 5)).line
    later = with_checksum("ccgrid3" + line[len("ccgrid2") :].rpartition("-")[0])
    with pytest.raises(RecordError, match=r"version 3.*update"):
        code_document(later)
    earlier = "ccgrid1-2q0WDnh7Bc5Xh-1a9Kz--0Ab3xZ"
    assert is_code(earlier)
    with pytest.raises(RecordError, match=r"of version 1, which is no longer supported: ask for a new code"):
        code_document(earlier)


@settings(max_examples=3 * examples.EXAMPLES)
@given(
    deck=st.one_of(st.text(max_size=60), st.text(max_size=40).map("grid\n".__add__)),
    game_data=st.binary(max_size=25),
    more=st.text(max_size=40),
)
def test_intact_code_with_invalid_content_is_rejected_with_message(deck, game_data, more):
    line = str(Code(deck, game_data, more))
    with suppress(RecordError):
        assert read_document(code_document(line)).game == "grid"


@settings(max_examples=max(4, examples.EXAMPLES // 10))
@given(parts=st.lists(st.binary(max_size=25).map(to_letters), min_size=3, max_size=3))
def test_intact_code_with_random_content_is_rejected_with_message(parts):
    with pytest.raises(RecordError):
        code_document(with_checksum("-".join(("ccgrid2", *parts))))


def test_text_without_code_prefix_is_a_file_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = "ccgrid2-the-game-of-a-rainy-evening"
    write_game(random_record(find_game("grid"), 5), tmp_path / name)
    assert not is_code(name)
    assert not is_code("game.toml")
    assert not is_code("a-b-c-d-e.jsonl")
    assert read_game(name).setup.game == "grid"


def test_file_of_codes_is_file_of_games(tmp_path):
    records = [random_record(game, 7) for game in GAMES if game.name != "grid"]
    path = tmp_path / "messages.txt"
    path.write_text("\n\n".join(record_code(record).line for record in records), encoding="utf-8")
    assert [reading.require() for reading in read_games(path)] == records


@pytest.mark.parametrize("game", ["grid", "ninecard", "tactics"])
def test_decks_round_trip_as_lines(game):
    rng = random.Random(9)
    cards = tuple(replace(card, id="") for card in deck_for(game, rng))
    written = deck_code(game, cards, "Rainy evenings", 12)
    back = read_deck(Path(written.line))
    assert written.left_out == ()
    assert (back.name, back.plays, back.seed) == ("Rainy evenings", game, 12)
    assert sorted(to_lines(entry.card for entry in back.entries).split("\n")) == sorted(to_lines(cards).split("\n"))


def test_deck_of_game_code_can_be_read_as_deck():
    record = random_record(find_game("grid"), 5)
    back = read_deck(Path(record_code(record).line))
    names = sorted(card.name for card in record.setup.cards)
    assert sorted(entry.card.name for entry in back.entries) == names


def test_codes_of_one_deck_have_same_card_order():
    deck = in_code_order(random_record(find_game("grid"), 5).setup.cards)
    details = dict.fromkeys((detail.letters, detail.ids) for detail in codes._DETAILS)
    versions = [from_lines(codes._deck_text("grid", deck, *detail).partition("\n")[2]) for detail in details]
    assert len(versions) > 3
    assert len({tuple(tuple(card.zones.items()) for card in version) for version in versions}) == 1


# --- other contents of a code


def replace_numbers(line, *, players=None, first=None, claims=None, varied=None, more=b""):
    """Return the code of a game with some numbers replaced and a new checksum."""
    code = read_code(line)
    reader, writer = NumberReader(code.game), NumberWriter()
    names = [reader.take_text() for _ in range(reader.take())]
    writer.put(len(names) if players is None else players)
    for name in names:
        writer.put_text(name)
    for altered in (first, claims, varied):
        own = reader.take()
        writer.put(own if altered is None else altered)
    while not reader.is_at_end:
        writer.put(reader.take())
    return str(Code(code.deck, bytes(writer.data) + more, code.more))


WHOLE = "the code is complete, but it holds no game that can be played: ask for another"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_code_with_trailing_data_or_invalid_player_is_rejected(game):
    record = random_record(game, 5, count=2)
    line = record_code(record).line
    assert replace_numbers(line) == line
    others = [{"more": b"\0"}, {"players": 1}, {"first": 3}, {"first": 9}, {"claims": 2}, {"varied": 2}]
    for altered in (replace_numbers(line, **other) for other in others):
        with pytest.raises(RecordError) as caught:
            code_document(altered)
        assert str(caught.value) == f"file: {WHOLE}"


def test_deck_code_is_rejected_as_game():
    line = deck_code("grid", deck_for("grid", random.Random(9))).line
    with pytest.raises(RecordError, match=r"^file: this is the code of a deck, not of a game: ccgrid deck show CODE$"):
        code_document(line)


def test_claimed_result_round_trips():
    record = next(
        filter(lambda candidate: candidate.result, (random_record(find_game("tactics"), seed) for seed in range(99)))
    )
    document = code_document(record_code(record).line)
    assert document["result"]["scores"] == dict(zip(record.setup.players, record.result, strict=True))
    assert "result" not in code_document(record_code(replace(record, result=None)).line)
    assert "result" not in code_document(record_code(replace(record, moves=record.moves[:-1])).line)


@pytest.mark.parametrize(
    ("letters", "more", "left_out"),
    [
        (3, {}, ()),
        (3, {"card_id": 45}, ("the ids of the cards",)),
        (3, {"card_id": 30, "name": "x" * 600}, ("the ids of the cards", "the name of the deck")),
        (60, {"card_id": 30, "name": "x" * 600}, ("the ids of the cards", "the name of the deck", "the ends of names")),
    ],
)
def test_deck_code_omits_ids_then_name_then_ends_of_names(letters, more, left_out):
    rng = random.Random(2)

    def random_letters(length):
        return "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=length))

    cards = [
        Card(
            f"x:{random_letters(more['card_id'])}" if "card_id" in more else "",
            "x",
            random_letters(letters),
            {"top": number % 10},
            number % 10,
        )
        for number in range(20)
    ]
    name = more.get("name", "")
    name = random_letters(len(name)) if name else ""
    written = deck_code("grid", cards, name)
    assert written.left_out == left_out
    assert len(written.line) <= LONGEST_LINE
    back = read_deck(Path(written.line))
    assert back.name == ("The deck of a code" if not name or "the name of the deck" in left_out else name)
    has_complete_names = {card.name for card in cards} == {entry.card.name for entry in back.entries}
    assert has_complete_names is ("the ends of names" not in left_out)
    assert any(entry.card.id for entry in back.entries) is (bool(more) and not left_out)


def test_shortened_player_names_stay_different():
    rng = random.Random(1)
    deck = [
        Card(f"x:{n}", "x", "W" * 200 + str(n), {zone: rng.randint(0, 10) for zone in ZONES}, 9_999) for n in range(20)
    ]

    def stored_names(*players):
        return read_line(record_code(Record(find_game("grid").deal(players, [deck], Dice(1)))).line).setup.players

    assert stored_names("Annabella " * 90, "Bob") == ("Annabell", "Bob")
    assert stored_names("Annabel Lee " * 90, "Bob") == ("Annabel", "Bob")
    assert stored_names("Annabella " * 90, "Annabella " * 90 + "2") == ("1", "2")


@pytest.mark.parametrize("options", [{}, {"komi": 3}])
def test_code_contains_variant_in_form_searched_by_pages(options):
    rng = random.Random(3)
    setup = find_game("grid").deal(("Ann", "Bob"), [deck_for("grid", rng)], Dice(3), options=options)
    line = record_code(Record(setup)).line
    *_, more, _ = line.split("-")
    assert from_letters(more).decode() == (to_json_line({"setup": options}) if options else "")
    assert replace_numbers(line, varied=int(bool(options))) == line


def test_deck_code_without_metadata_has_no_name_and_seed():
    assert read_code(deck_code("grid", deck_for("grid", random.Random(9))).line).more == ""


def test_cards_in_code_order_have_no_game_besides_id():
    cards = in_code_order(deck_for("grid", random.Random(9)))
    assert {card.game for card in cards} == {""}
    assert all(card.collector_number == card.id.partition("/")[2] for card in cards)


@pytest.mark.parametrize(
    ("changed", "left_out"),
    [
        ({}, ()),
        ({"id": "x:{}"}, ("the ids of the cards",)),
        ({"name": "{}"}, ("the ends of names",)),
    ],
)
def test_omitted_details_are_reported_if_any_card_had_them(changed, left_out):
    rng = random.Random(1)
    long = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=700))
    deck = [Card("", "", f"Card {number}", {"top": number % 10}, number % 10) for number in range(20)]
    deck[7] = replace(deck[7], **{key: text.format(long) for key, text in changed.items()})
    written = record_code(Record(find_game("grid").deal(("Ann", "Bob"), [deck], Dice(1))))
    assert written.left_out == left_out
    back = read_line(written.line).setup.cards
    assert any(card.id for card in back) is False
    assert sum(card.name in {one.name for one in deck} for card in back) == (19 if "name" in changed else 20)


@pytest.mark.parametrize(("code", "named"), [("ccgrid2-0123456789ab", "{}"), ("ccgrid2-0123456789abc", "{:.20}…")])
def test_long_code_is_named_by_first_20_characters(code, named):
    (reading,) = read_games(code)
    assert (reading.file, "damaged" in str(reading.error)) == (named.format(code), True)


def test_code_with_lone_surrogate_is_damaged():
    (reading,) = read_games("ccgrid2-0123456789-\udcff")
    assert "damaged" in str(reading.error)


def game_of(names, **noted):
    """Return a game of grid without moves, with cards of these names."""
    deck = [Card("", "", name, {"top": number % 10}, number % 10) for number, name in enumerate(names)]
    return Record(find_game("grid").deal(("Annabella Longfellow", "Bob"), [deck], Dice(1)), **noted)


def random_text(rng, length):
    return "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=length))


@pytest.mark.parametrize(
    ("length", "left_out"),
    [
        (25, ("the date, the seed and the notes",)),
        (60, ("the date, the seed and the notes", "the ends of names")),
    ],
)
def test_game_code_omits_notes_before_names_and_players_last(length, left_out):
    rng = random.Random(4)
    noted = {"date": date(2026, 11, 21), "seed": 7, "event": random_text(rng, 700), "notes": {"table": 1}}
    record = game_of([random_text(rng, length) for _ in range(20)], **noted)
    written = record_code(record)
    back = read_line(written.line)
    assert written.left_out == left_out
    assert (back.date, back.seed, back.event, dict(back.notes)) == (None, None, None, {})
    assert back.setup.players == ("Annabella Longfellow", "Bob")


def test_game_code_omits_ids_before_notes():
    rng = random.Random(4)
    deck = [Card(f"x:{random_text(rng, 60)}", "x", f"Card {number}", {"top": 1}, 1) for number in range(20)]
    record = Record(find_game("grid").deal(("Ann", "Bob"), [deck], Dice(1)), seed=7, event="The attic")
    written = record_code(record)
    assert written.left_out == ("the ids of the cards",)
    assert (read_line(written.line).seed, read_line(written.line).event) == (7, "The attic")


def test_sets_of_cards_are_included_in_code():
    deck = [Card(f"x:{n}", "x", f"Card {n}", {"top": 1}, 1, "dsk" if n % 2 else "") for n in range(20)]
    record = Record(find_game("grid").deal(("Ann", "Bob"), [deck], Dice(1)))
    back = read_line(record_code(record).line).setup.cards
    assert [(card.id, card.set_code) for card in back] == [(card.id, card.set_code) for card in record.setup.cards]
    assert {card.set_code for card in back} == {"", "dsk"}


def test_impossible_setup_in_intact_code_is_rejected():
    code = read_code(record_code(random_record(find_game("grid"), 5, count=2)).line)
    for more in ({"setup": {"komi": 1.5}}, {"setup": {"wings": 3}}):
        with pytest.raises(RecordError) as caught:
            code_document(str(Code(code.deck, code.game, json.dumps(more))))
        assert str(caught.value) == f"file: {WHOLE}"


def test_code_may_have_maximum_length(monkeypatch):
    record = game_of([f"Card {number}" for number in range(20)], seed=7)
    complete = record_code(record)
    assert complete.left_out == ()
    for most, left_out in ((len(complete.line), ()), (len(complete.line) - 1, ("the date, the seed and the notes",))):
        monkeypatch.setattr(codes, "LONGEST_LINE", most)
        assert record_code(record).left_out == left_out
    monkeypatch.setattr(codes, "LONGEST_LINE", 1)
    shortest = record_code(record)
    assert shortest.left_out == ("the date, the seed and the notes", "the ends of names")
    assert read_line(shortest.line).setup.players == ("1", "2")


@pytest.mark.parametrize("game", [game for game in GAMES if game.name != "grid"], ids=lambda game: game.name)
def test_variant_flag_is_only_set_for_shared_decks(game):
    line = record_code(random_record(game, 5)).line
    assert replace_numbers(line, varied=0) == line


# --- shortening of codes


def every_code(record, monkeypatch):
    """Yield ever shorter codes of a record: each is the longest that is shorter than the preceding one."""
    most = 1 << 15
    while True:
        monkeypatch.setattr(codes, "LONGEST_LINE", most)
        written = record_code(record)
        if len(written.line) > most:
            return
        yield written
        most = len(written.line) - 1


def test_names_are_shortened_step_by_step(monkeypatch):
    rng = random.Random(4)
    long = random_text(rng, 300)
    deck = [Card("", "", random_text(rng, 30), {"top": number % 10}, number % 10) for number in range(20)]
    record = Record(find_game("grid").deal((long, "Bob"), [deck], Dice(1)))
    documents = [code_document(written.line) for written in every_code(record, monkeypatch)]
    letters = [
        ({len(card.get("name", "")) for card in document["setup"]["cards"]}, document["players"][0])
        for document in documents
    ]
    shorter = [{20}, {16}, {12}, {9}, {6}, {4}, {2}, {0}]
    complete, cut = ([(count, name) for count in shorter] for name in (long, long[:8]))
    assert letters == [({30}, long), *complete, *cut, ({0}, "1")]


def test_shortest_code_reports_all_omissions(monkeypatch):
    monkeypatch.setattr(codes, "LONGEST_LINE", 1)
    deck = [Card(f"x:{n}", "x", f"Card {n}", {"top": 1}, 1, "dsk") for n in range(20)]
    written = record_code(Record(find_game("grid").deal(("Ann", "Bob"), [deck], Dice(1)), seed=7))
    assert written.left_out == ("the ids of the cards", "the date, the seed and the notes", "the ends of names")
    document = code_document(written.line)
    assert document["players"] == ["1", "2"]
    assert {key for card in document["setup"]["cards"] for key in card} == {"zones", "score"}


def test_unnamed_cards_lose_no_ends_of_names(monkeypatch):
    monkeypatch.setattr(codes, "LONGEST_LINE", 1)
    for name, left_out in (("", ()), ("Al", ("the ends of names",))):
        cards = [Card("", "", name, {"top": number % 10}, number % 10) for number in range(20)]
        assert deck_code("grid", cards).left_out == ("the ids of the cards", *left_out)


def test_player_name_shortened_to_blanks_becomes_number(monkeypatch):
    deck = [Card("", "", "", {"top": number % 10}, number % 10) for number in range(20)]
    players = (" " * 8 + "Ann", "Bob")
    record = Record(find_game("grid").deal(players, [deck], Dice(1)))
    lines = [written.line for written in every_code(record, monkeypatch)]
    assert {read_line(line).setup.players for line in lines} == {players, ("1", "2")}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["game", "deck"])
def test_shared_deck_code_has_at_most_900_characters(kind, monkeypatch):
    def code_of(record):
        return record_code(record) if kind == "game" else deck_code("grid", record.setup.cards, record.event)

    rng, records_by_length = random.Random(8), {}
    monkeypatch.setattr(codes, "LONGEST_LINE", 1 << 15)
    for _ in range(2_000):
        names = [random_text(rng, rng.randint(1, 3)) for _ in range(20)]
        record = game_of(names, event=random_text(rng, rng.randint(350, 550)))
        records_by_length[len(code_of(record).line)] = record
        if records_by_length.keys() >= {900, 901}:
            break
    monkeypatch.undo()
    assert (len(code_of(records_by_length[900]).line), code_of(records_by_length[900]).left_out[1:]) == (900, ())
    shortened = code_of(records_by_length[901])
    assert len(shortened.line) < 900
    assert shortened.left_out


def test_unordered_pile_cards_are_included_in_code():
    deck = [Card(f"x:{n}", "x", f"Card {n}", {"top": n % 10}, n % 10, "dsk") for n in range(20)]
    setup = find_game("grid").deal(("Ann", "Bob"), [deck], Dice(1)).first_known(12)
    back = read_line(record_code(Record(setup)).line).setup
    assert len(back.to_table()["pile"]) == 8
    assert back.to_table() == setup.to_table()


def test_file_of_codes_may_begin_with_capital(tmp_path):
    records = [random_record(find_game("matrix"), seed) for seed in (1, 2)]
    path = tmp_path / "messages.txt"
    path.write_text("\n".join(record_code(record).line.capitalize() for record in records), encoding="utf-8")
    assert all("damaged" in str(reading.error) for reading in read_games(path))
    path.write_text("\n".join("C" + record_code(record).line[1:] for record in records), encoding="utf-8")
    assert [reading.require() for reading in read_games(path)] == records


def test_shortened_player_names_are_reported_without_card_names():
    rng = random.Random(2)
    deck = [Card("", "", "", {zone: rng.randint(0, 10) for zone in ZONES}, 9_999) for _ in range(20)]
    players = ["".join(chr(rng.randrange(0x20000, 0x2A000)) for _ in range(20)) for _ in range(4)]
    setup = find_game("grid").deal(players, [deck], Dice(1), options={"order": "1-2-2", "komi": 7})
    written = record_code(Record(setup))
    assert code_document(written.line)["players"] == [player[:8] for player in players]
    assert written.left_out == ("the ends of names",)
