"""The JSON keys of answers."""

from typing import Any

import msgspec


def answer_keys(shape: Any) -> dict[str, bool]:
    """Return the JSON keys of an answer's type, each with whether its schema says that every answer has it."""
    if issubclass(shape, msgspec.Struct):
        return {field.encode_name: field.required for field in msgspec.structs.fields(shape)}
    return {key: key in shape.__required_keys__ for key in shape.__annotations__}
