"""Options that belong together, as one value: a parameter of a command may be a named tuple of options."""

from collections.abc import Callable, Iterator
from functools import wraps
from inspect import Parameter, signature
from typing import Any


def spread(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command as typer takes it: in the place of each parameter that is a named tuple, its fields.

    A field is written as a parameter is, `box: Annotated[str, typer.Option("--box")] = ""`, and may be such a value
    itself. Two values of one command share no name.
    """
    parameters = signature(command).parameters.values()
    values = {one.name: one.annotation for one in parameters if _is_value(one.annotation)}
    if not values:
        return command

    @wraps(command)
    def called(**given: Any) -> Any:
        return command(**{name: _made(kind, given) for name, kind in values.items()}, **given)

    flat = [option for one in parameters for option in _options(one)]
    called.__signature__ = signature(command).replace(parameters=flat)  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in flat}
    del called.__wrapped__  # typer would look through it
    return called


def _is_value(kind: Any) -> bool:
    return hasattr(kind, "_field_defaults")


def _options(parameter: Parameter) -> Iterator[Parameter]:
    """A parameter, or what its fields are as parameters; none is told by its place, so that their order is free."""
    kind = parameter.annotation
    if not _is_value(kind):
        yield parameter.replace(kind=Parameter.KEYWORD_ONLY)
        return
    for name, annotation in kind.__annotations__.items():
        default = kind._field_defaults.get(name, Parameter.empty)
        yield from _options(Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation))


def _made(kind: Any, given: dict[str, Any]) -> Any:
    """The value of these fields, which are taken out of what was given."""
    return kind(
        **{
            name: _made(annotation, given) if _is_value(annotation) else given.pop(name)
            for name, annotation in kind.__annotations__.items()
        }
    )
