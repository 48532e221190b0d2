"""Signatures of commands as Typer reads them: option groups flattened, placeholders and checks of texts added."""

import re
import sys
from collections.abc import Callable, Iterator
from copy import copy
from enum import Enum
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Final, NamedTuple, get_args, get_origin

import typer


class Fill(NamedTuple):
    """The options that fill a request, by field, in the order of the help page.

    An option is an annotation as a parameter has, or a pair of one with its default. Without a default of its own it
    has that of the field. A list of values becomes a tuple.
    """

    options: dict[str, Any]


_LAST: Final = ("database", "as_json")
"""The parameters that end every help page."""


def flatten(command: Callable[..., object]) -> Callable[..., object]:
    """Return a command as Typer takes it: each parameter that is a group of options is replaced by these.

    A group is a named tuple. A field is written like a parameter, `box: Annotated[str, typer.Option("--box")] = ""`,
    and may be a named tuple itself. `Annotated[Output, "Write the deck."]` replaces the help of the first field. A
    request that services take is a group, too: `Annotated[GameRequest, Fill({"game": GameName})]`. Options need
    different names.
    """
    parameters = signature(command).parameters.values()
    groups = {one.name: one.annotation for one in parameters if _option_group(one.annotation)}

    @wraps(command)
    def call(**given: object) -> Any:
        return command(**{name: _take_group(group, given) for name, group in groups.items()}, **given)

    flat = sorted((option for one in parameters for option in _options(one)), key=lambda option: option.name in _LAST)
    call.__signature__ = signature(command).replace(parameters=flat)  # type: ignore[attr-defined]
    # Typer reads names and defaults from the signature, and types from the annotations.
    call.__annotations__ = {one.name: one.annotation for one in flat}
    del call.__wrapped__  # Typer would inspect the wrapped function
    return call


def _option_group(annotation: object) -> Any:
    """Return the type of a group that a parameter is annotated with, or None if it is an option or an argument."""
    kind = getattr(annotation, "__origin__", annotation)
    return kind if _fill(annotation) or hasattr(kind, "_field_defaults") else None


def _fill(annotation: object) -> Fill | None:
    return next((one for one in getattr(annotation, "__metadata__", ()) if isinstance(one, Fill)), None)


def _options(parameter: Parameter) -> Iterator[Parameter]:
    """Yield a parameter, or the fields of its named tuple, as keyword-only parameters, so that any order is valid."""
    group = _option_group(parameter.annotation)
    if not group:
        annotation = _completed(parameter.name, parameter.annotation)
        yield parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=annotation)
        return
    if fill := _fill(parameter.annotation):
        # Typer has None for an option that is not given, also if it may be repeated.
        defaults = {field: None if default == () else default for field, default in group._field_defaults.items()}
        for name, option in fill.options.items():
            annotation, default = option if isinstance(option, tuple) else (option, defaults[name])
            yield from _options(Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation))
        return
    helps = list(getattr(parameter.annotation, "__metadata__", ()))
    for name, annotation in group.__annotations__.items():
        default = group._field_defaults.get(name, Parameter.empty)
        own = _with(annotation, help=helps.pop()) if helps else annotation
        yield from _options(Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=own))


def _with(annotation: Any, **settings: Any) -> Any:
    """Return the annotation of an option or argument with other settings."""
    option = copy(annotation.__metadata__[0])
    for name, value in settings.items():
        setattr(option, name, value)
    return Annotated[annotation.__origin__, option]


def _take_group(annotation: object, given: dict[str, Any]) -> Any:
    """Remove the options of a group from the given values, and return the group."""
    group = _option_group(annotation)
    if fill := _fill(annotation):
        values = {name: value for name in fill.options if (value := given.pop(name)) is not None}
        return group(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})
    return group(
        **{
            name: _take_group(inner, given) if _option_group(inner) else given.pop(name)
            for name, inner in group.__annotations__.items()
        }
    )


_PLACEHOLDERS: Final[dict[object, str]] = {str: "TEXT", Path: "PATH", int: "NUMBER", float: "NUMBER"}
"""The placeholder of an option's value, by its type."""

_ARGUMENT: Final = type(typer.Argument())

_MAY_NAME_FILES: Final = frozenset(("faction", "factions", "player", "players"))
"""Parameters whose texts may be names of files, which need not be valid text."""


def _completed(name: str, annotation: Any) -> Any:
    """Return the annotation of an option or argument with its placeholder, and with a check if it is a text."""
    if get_origin(annotation) is not Annotated:
        return annotation
    option = annotation.__metadata__[0]
    settings: dict[str, Any] = {}
    value, is_list = _value_type(annotation.__origin__)
    if option.metavar is None:
        settings["metavar"] = _placeholder(name, value, is_argument=isinstance(option, _ARGUMENT), is_list=is_list)
    if value is str and option.parser is None and name not in _MAY_NAME_FILES:
        settings["callback"] = _checked(option.callback)
    return _with(annotation, **settings)


def _value_type(annotation: object) -> tuple[Any, bool]:
    """Return the type of one value of a parameter, and whether it takes a list of them.

    >>> _value_type(list[int] | None)
    (<class 'int'>, True)
    """
    parts = [part for part in get_args(annotation) if part is not NoneType]
    if get_origin(annotation) is list:
        return parts[0], True
    return _value_type(parts[0]) if parts and NoneType in get_args(annotation) else (annotation, False)


def _placeholder(name: str, value: object, *, is_argument: bool, is_list: bool) -> str | None:
    """Return the placeholder of a parameter's value in help pages, or None if Typer lists the values or takes none."""
    choices = [str(one.value) for one in value] if isinstance(value, type) and issubclass(value, Enum) else []
    if is_argument:
        return ("|".join(choices) or name.upper()) + ("..." if is_list else "")
    return _PLACEHOLDERS.get(value)


def _checked(callback: Callable[[object], object] | None) -> Callable[..., object]:
    """Return a callback that rejects text that cannot be encoded, before another callback gets it."""

    def check(context: typer.Context, parameter: typer.CallbackParam, value: Any) -> Any:
        if not context.resilient_parsing:
            for text in (value,) if isinstance(value, str) else value or ():
                _check_text(text, context, parameter)
        return callback(value) if callback else value

    return check


def _check_text(text: str, context: typer.Context, parameter: typer.CallbackParam) -> None:
    """Raise BadParameter if a text has bytes that the system's encoding cannot decode; it is never stored."""
    if not text.isascii() and re.search("[\ud800-\udfff]", text):
        encoding = sys.getfilesystemencoding()
        advice = "" if encoding == "utf-8" else "; a UTF-8 locale such as LC_ALL=C.UTF-8 knows all characters"
        raise typer.BadParameter(
            f"{text!r} is not text in the encoding of this system, {encoding}{advice}", ctx=context, param=parameter
        )
