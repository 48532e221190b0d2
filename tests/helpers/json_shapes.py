"""The documented keys of a JSON document, and their types."""

from typing import Any

Shape = dict[str, type | tuple[type, ...]]


def assert_shape(document: dict[str, Any], shape: Shape) -> None:
    """The documented keys are there, in their order and of their types; more may follow."""
    assert [key for key in document if key in shape] == list(shape)
    for key, kind in shape.items():
        assert isinstance(document[key], kind), (key, document[key])
        assert kind is not int or not isinstance(document[key], bool), key
