"""Answers that extend other answers by fields."""

from typing import TypeVar

import msgspec

Answer = TypeVar("Answer", bound=msgspec.Struct)


def with_fields(answer: msgspec.Struct, kind: type[Answer], **fields: object) -> Answer:
    """Return an answer of a subclass with further or other fields."""
    return kind(**{**msgspec.structs.asdict(answer), **fields})
