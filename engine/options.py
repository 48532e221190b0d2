"""The options of a game, its variants, as somebody asks for them."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from engine.deal_checks import check_options
from engine.errors import EngineError
from engine.game import Schema
from engine.schema import RecordError

Options = TypeVar("Options")


def chosen_options(
    game: str, given: Mapping[str, object], types: Mapping[str, Schema], read: Callable[[Mapping[str, Any]], Options]
) -> Options:
    """What `read` makes of the values that somebody gave to the options of a game; `types` has every option's type.

    Raises:
        UnknownNameError: there is no such option.
        EngineError: a value is of the wrong type, or cannot be.
    """
    check_options(game, given, types)
    try:
        for name, value in given.items():
            try:
                types[name](value)
            except RecordError as error:
                raise error.under(name) from None
        return read(given)
    except RecordError as error:
        raise EngineError(f"the option {error.where} {error.message}") from None
