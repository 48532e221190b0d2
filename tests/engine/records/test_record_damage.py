"""Whatever is changed in a record, it is a record or an error."""

import json
import tomllib

from helpers.hypothesis_examples import EXAMPLES
from hypothesis import given, settings
from hypothesis import strategies as st
from played_records import document, played, read_bytes

from ccgrid.engine.records.record import read_document

# Anything at all
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@given(st.binary(max_size=200), st.sampled_from(["game.toml", "games.jsonl", "stdin"]))
def test_any_bytes_are_a_record_or_an_error(data, name):
    assert all(reading.error for reading in read_bytes(data, name))


@given(st.data())
@settings(max_examples=4 * EXAMPLES)
def test_a_record_changed_anywhere_is_a_record_or_an_error(data):
    changed = document(notes={"by": "Ann"}, event="Cup", date="2026-11-21")
    spot = changed
    while True:
        keys = list(spot) if isinstance(spot, dict) else list(range(len(spot)))
        key = data.draw(st.sampled_from(keys))
        if isinstance(spot[key], dict | list) and spot[key] and data.draw(st.booleans()):
            spot = spot[key]
            continue
        spot[key] = data.draw(values)
        break
    reading = read_document(changed)
    json.dumps(reading.to_dict())
    if reading.error is None:
        assert read_document(tomllib.loads(reading.require().to_toml())).error is None
        assert read_document(json.loads(reading.require().to_json_line())).error is None


@given(st.data())
def test_bytes_changed_in_a_record_are_a_record_or_an_error(data):
    text, name = data.draw(st.sampled_from([("to_toml", "game.toml"), ("to_json_line", "games.jsonl")]))
    raw = bytearray(getattr(played().with_result(), text)().encode())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    for reading in read_bytes(bytes(raw), name):
        json.dumps(reading.to_dict())
