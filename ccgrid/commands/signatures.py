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
from typing import Annotated, Any, Final, get_args, get_origin

import typer


def flatten(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command as Typer takes it: each parameter that is a named tuple is replaced by its fields.

    A field is written like a parameter, `box: Annotated[str, typer.Option("--box")] = ""`, and may be a named tuple
    itself. `Annotated[Output, "Write the deck."]` replaces the help of the first field. Fields need different names.
    """
    parameters = signature(command).parameters.values()
    groups = {one.name: group for one in parameters if (group := _option_group(one.annotation))}

    @wraps(command)
    def call(**given: Any) -> Any:
        return command(**{name: _take_group(group, given) for name, group in groups.items()}, **given)

    flat = [option for one in parameters for option in _options(one)]
    call.__signature__ = signature(command).replace(parameters=flat)  # type: ignore[attr-defined]
    # Typer reads names and defaults from the signature, and types from the annotations.
    call.__annotations__ = {one.name: one.annotation for one in flat}
    del call.__wrapped__  # Typer would inspect the wrapped function
    return call


def _option_group(annotation: Any) -> Any:
    """Return the named tuple that a parameter is annotated with, or None if it is an option or an argument."""
    kind = getattr(annotation, "__origin__", annotation)
    return kind if hasattr(kind, "_field_defaults") else None


def _options(parameter: Parameter) -> Iterator[Parameter]:
    """Yield a parameter, or the fields of its named tuple, as keyword-only parameters, so that any order is valid."""
    group = _option_group(parameter.annotation)
    if not group:
        annotation = _completed(parameter.name, parameter.annotation)
        yield parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=annotation)
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


def _take_group(group: Any, given: dict[str, Any]) -> Any:
    """Remove the fields of a named tuple from the given values, and return the tuple."""
    return group(
        **{
            name: _take_group(inner, given) if (inner := _option_group(annotation)) else given.pop(name)
            for name, annotation in group.__annotations__.items()
        }
    )


_PLACEHOLDERS: Final[dict[Any, str]] = {str: "TEXT", Path: "PATH", int: "NUMBER", float: "NUMBER"}
"""The placeholder of an option's value, by its type."""

_ARGUMENT: Final = type(typer.Argument())

_MAY_NAME_FILES: Final = frozenset(("faction", "player", "players"))
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


def _value_type(annotation: Any) -> tuple[Any, bool]:
    """Return the type of one value of a parameter, and whether it takes a list of them.

    >>> _value_type(list[int] | None)
    (<class 'int'>, True)
    """
    parts = [part for part in get_args(annotation) if part is not NoneType]
    if get_origin(annotation) is list:
        return parts[0], True
    return _value_type(parts[0]) if parts and NoneType in get_args(annotation) else (annotation, False)


def _placeholder(name: str, value: Any, *, is_argument: bool, is_list: bool) -> str | None:
    """Return the placeholder of a parameter's value in help pages, or None if Typer lists the values or takes none."""
    choices = [str(one.value) for one in value] if isinstance(value, type) and issubclass(value, Enum) else []
    if is_argument:
        return ("|".join(choices) or name.upper()) + ("..." if is_list else "")
    return _PLACEHOLDERS.get(value)


def _checked(callback: Callable[[Any], Any] | None) -> Callable[..., Any]:
    """Return a callback that rejects text that cannot be encoded, before another callback gets it."""

    def check(context: typer.Context, parameter: typer.CallbackParam, value: Any) -> Any:
        if not context.resilient_parsing:
            for text in (value,) if isinstance(value, str) else value or ():
                _check_text(text, context, parameter)
        return callback(value) if callback else value

    return check


def _check_text(text: str, context: typer.Context, parameter: typer.CallbackParam) -> None:
    """Raise BadParameter if a text has bytes that the system's encoding cannot decode; it is never stored."""
    if re.search("[\ud800-\udfff]", text):
        encoding = sys.getfilesystemencoding()
        advice = "" if encoding == "utf-8" else "; a UTF-8 locale such as LC_ALL=C.UTF-8 knows all characters"
        message = f"{text!r} is not text in the encoding of this system, {encoding}{advice}"
        raise typer.BadParameter(message, ctx=context, param=parameter)
