"""Answers that extend other answers by fields."""

from typing import Any, TypeVar

import msgspec

Answer = TypeVar("Answer", bound=msgspec.Struct)


def with_fields(answer: msgspec.Struct, kind: type[Answer], **fields: Any) -> Answer:
    """Return an answer of a subclass with further or other fields."""
    return kind(**{**msgspec.structs.asdict(answer), **fields})
