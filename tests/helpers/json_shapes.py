"""The documented keys of a JSON document, and their types."""

from typing import Any

Shape = dict[str, type | tuple[type, ...]]


def assert_shape(document: dict[str, Any], shape: Shape) -> None:
    """Assert that the documented keys exist, in order and with their types; other keys are allowed."""
    assert [key for key in document if key in shape] == list(shape)
    for key, kind in shape.items():
        assert isinstance(document[key], kind), (key, document[key])
        assert kind is not int or not isinstance(document[key], bool), key
