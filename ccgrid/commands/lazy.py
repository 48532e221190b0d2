"""Commands that are no more than a name and a line of help until one is called; and options joined into one value."""

import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import cache, wraps
from importlib import import_module
from inspect import Parameter, cleandoc, signature
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command_name, get_group

from ccgrid.catalog.garbage import gc_disabled
from ccgrid.commands import PANELS, CommandEntry


def spread(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command as typer takes it: in the place of each parameter that is a named tuple, its fields.

    A field is written as a parameter is, `box: Annotated[str, typer.Option("--box")] = ""`, and may be such a value
    itself. `Annotated[Output, "Write the deck."]` is one whose first option has this help. Two values of one command
    share no name.
    """
    parameters = signature(command).parameters.values()
    values = {one.name: kind for one in parameters if (kind := _value(one.annotation))}
    if not values:
        return command

    @wraps(command)
    def call(**given: Any) -> Any:
        return command(**{name: _take_value(kind, given) for name, kind in values.items()}, **given)

    flat = [option for one in parameters for option in _options(one)]
    call.__signature__ = signature(command).replace(parameters=flat)  # type: ignore[attr-defined]
    # typer reads names and defaults off the signature, and types off the annotations.
    call.__annotations__ = {one.name: one.annotation for one in flat}
    del call.__wrapped__  # typer would look through it
    return call


def _value(annotation: Any) -> Any:
    """The named tuple that a parameter is; None where it is an option or an argument."""
    kind = getattr(annotation, "__origin__", annotation)
    return kind if hasattr(kind, "_field_defaults") else None


def _options(parameter: Parameter) -> Iterator[Parameter]:
    """A parameter, or what its fields are as parameters; none is told by its place, so that their order is free."""
    kind = _value(parameter.annotation)
    if not kind:
        yield parameter.replace(kind=Parameter.KEYWORD_ONLY)
        return
    helps = list(getattr(parameter.annotation, "__metadata__", ()))
    for name, annotation in kind.__annotations__.items():
        default = kind._field_defaults.get(name, Parameter.empty)
        own = _with_help(annotation, helps.pop()) if helps else annotation
        yield from _options(Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=own))


def _with_help(annotation: Any, text: str) -> Any:
    """The same option with another help."""
    option = copy(annotation.__metadata__[0])
    option.help = text
    return Annotated[annotation.__origin__, option]


def _take_value(kind: Any, given: dict[str, Any]) -> Any:
    """The value of these fields, which are taken out of what was given."""
    return kind(
        **{
            name: _take_value(inner, given) if (inner := _value(annotation)) else given.pop(name)
            for name, annotation in kind.__annotations__.items()
        }
    )


EXAMPLE: Final = "Example: "
_WORD: Final = re.compile(r"""(?:"[^"]*"|'[^']*'|[^\s"'])+""")
_CONTINUED: Final = " \\"


def set_page(text: str, width: int) -> Iterator[str]:
    r"""The lines of a help text; paragraphs are parted by empty lines, and one that is indented is not filled.

    A command that is too long for a line goes on after a backslash, so that it can be copied.

    >>> print("\n".join(set_page("Find it.\n\nExample: ccgrid search 'Ring of Gix' --legal", 34)))
    Find it.
    <BLANKLINE>
    Example: ccgrid search \
        'Ring of Gix' --legal
    """
    for number, paragraph in enumerate(re.split(r"\n{2,}", text.strip("\n"))):
        if number:
            yield ""
        if paragraph.startswith(" "):
            yield from paragraph.split("\n")
        elif paragraph.startswith(EXAMPLE):
            yield from _fold(paragraph, width)
        else:
            yield from textwrap.wrap(paragraph, width, break_on_hyphens=False, break_long_words=False)


def _fold(text: str, width: int) -> Iterator[str]:
    """A command line, folded between its words."""
    words = _WORD.findall(text)
    line = words[0]
    for place, word in enumerate(words[1:], 2):
        rest = len(_CONTINUED) if place < len(words) else 0
        if len(line) + 1 + len(word) + rest > width:
            yield line + _CONTINUED
            line = f"    {word}"
        else:
            line += f" {word}"
    yield line


class PlainCommand(TyperCommand):
    """A command whose help page is set as all others: what is to be filled in is in capitals."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        for one in self.params:
            if one.metavar is None:
                one.metavar = _placeholder(one)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the command line; raise a usage error for text that cannot be decoded, which is never stored."""
        rest = super().parse_args(ctx, args)
        for one in self.params:
            if one.type.name == "str" and one.name not in _MAY_NAME_FILES and not ctx.resilient_parsing:
                given = ctx.params.get(one.name)
                for text in (given,) if isinstance(given, str) else given or ():
                    _check_text(text, ctx, one)
        return rest

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """What stands in the line of usage; in brackets what may be left out, and the rest as it is."""
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Writes what the command does, and its example."""
        formatter.write_paragraph()
        with formatter.indentation():
            indent = " " * formatter.current_indent
            for line in set_page(cleandoc(self.help or ""), formatter.width - len(indent)):
                formatter.write(f"{indent}{line}".rstrip() + "\n")


_MAY_NAME_FILES: Final = frozenset(("faction", "player", "players"))
"""Parameters that are the name of a file or of something else; the names of files need not be text."""


def _check_text(text: str, ctx: Any, parameter: Any) -> None:
    """Raise a usage error if a text has bytes that the system's encoding does not know."""
    if re.search("[\ud800-\udfff]", text):
        encoding = sys.getfilesystemencoding()
        advice = "" if encoding == "utf-8" else "; a UTF-8 locale such as LC_ALL=C.UTF-8 knows all characters"
        message = f"{text!r} is not text in the encoding of this system, {encoding}{advice}"
        raise typer.BadParameter(message, ctx=ctx, param=parameter)


_PLACEHOLDERS: Final = {"str": "TEXT", "path": "PATH", "int": "NUMBER", "float": "NUMBER"}
"""What stands for values of a type."""


def _placeholder(parameter: Any) -> str | None:
    """What stands for the value of a parameter; None where the values themselves do."""
    kind: str = parameter.type.name
    if parameter.param_type_name == "argument":
        values: str = "|".join(parameter.type.choices) if kind == "choice" else parameter.name.upper()
        return values if parameter.nargs == 1 else f"{values}..."
    return _PLACEHOLDERS.get(kind.partition(" ")[0])


class LazyCommand(TyperCommand):
    """Stands in lists of commands for one in a module of `ccgrid.commands` that has not been imported."""

    def __init__(self, name: str, module: str, line: str) -> None:
        super().__init__(name, help=line, rich_markup_mode=None)
        self.module = module

    def loaded(self) -> TyperCommand:
        """The command itself."""
        with gc_disabled():
            command = _command(import_module(f"ccgrid.commands.{self.module}").app, str(self.name))
        assert isinstance(command, TyperCommand)  # noqa: S101  modules hold commands; groups stand in the table
        return command


@cache
def _command(module: typer.Typer, name: str) -> Any:
    """One command of a module; the others are not made, for to look at the parameters of a dozen takes its time."""
    outer = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
    for registered in module.registered_commands:
        if name in (registered.name, get_command_name(getattr(registered.callback, "__name__", ""))):
            registered.cls = PlainCommand
            registered.callback = registered.callback and spread(registered.callback)
            outer.registered_commands.append(registered)
    return get_group(outer).commands[name]


class LazyGroup(TyperGroup):
    """A group that lists its commands without importing them, and imports the one that is called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command that the first argument names, imported; raises a usage error where there is none."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.loaded() if isinstance(command, LazyCommand) else command, rest

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Writes the list of commands, under the headings of `PANELS` where there are some."""
        widest = max(map(len, self.commands))
        for heading, names in PANELS.get(str(self.name), {"Commands": tuple(self.commands)}).items():
            with formatter.section(heading):
                listed = [self.commands[name] for name in names if name in self.commands]
                formatter.write_dl([(str(one.name).ljust(widest), one.help or "") for one in listed])


def fill(root: LazyGroup, entries: Iterable[CommandEntry]) -> None:
    """Puts the commands and groups of a table into a group, and the commands of a group below it."""
    groups = {"": root}
    for entry in entries:
        above, _, name = entry.words.rpartition(" ")
        if entry.module:
            groups[above].add_command(LazyCommand(name, entry.module, entry.line))
        else:
            groups[name] = LazyGroup(name=name, help=entry.line, no_args_is_help=True, rich_markup_mode=None)
            groups[above].add_command(groups[name])
