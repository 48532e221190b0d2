"""Help pages of commands."""

import re
import textwrap
from collections.abc import Iterator
from contextlib import nullcontext
from inspect import cleandoc
from typing import Any, Final

# Typer documents `cls=` for subclasses of these classes, and exports them only here. Their methods are those of Click.
from typer.core import TyperCommand

from ccgrid import services
from ccgrid.catalog.lazy_patterns import lazy_pattern
from ccgrid.commands import CONVERSATIONS
from ccgrid.view.streams import paged, write

EXAMPLE: Final = "Example: "
_WORD: Final = lazy_pattern(r"""(?:"[^"]*"|'[^']*'|[^\s"'])+""")
_CONTINUED: Final = " \\"


def set_page(text: str, width: int) -> Iterator[str]:
    r"""Yield the lines of a help text; empty lines separate paragraphs, and indented paragraphs keep their lines.

    A backslash ends each line of a command that is continued on the next, so that it can be copied.

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
    """Yield the lines of a command line, folded between its words."""
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


def paged_help(option: Any) -> Any:
    """Return the option `--help` of a command, whose page goes through the pager if it is longer than the terminal."""

    def print_page(ctx: Any, parameter: Any, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            if ctx.parent is None:  # the page of the program comes before its settings are applied
                services.config.set_environment(services.config.read_file().settings)
            with paged():
                write(ctx.get_help())
            ctx.exit()

    if option is not None:
        option.callback = print_page
    return option


class PlainCommand(TyperCommand):
    """A command with a help page in the layout of this program."""

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option `--help`."""
        return paged_help(super().get_help_option(ctx))

    def invoke(self, ctx: Any) -> Any:
        """Run the command; its output goes through the pager if it is longer than the terminal."""
        with nullcontext() if ctx.command_path.partition(" ")[2] in CONVERSATIONS else paged():
            return super().invoke(ctx)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line: the placeholders of optional arguments are in brackets."""
        return ["[OPTIONS]", *(_usage(one) for one in self.get_params(ctx) if one.param_type_name == "argument")]

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write the description of the command, and its example."""
        formatter.write_paragraph()
        with formatter.indentation():
            indent = " " * formatter.current_indent
            for line in set_page(cleandoc(self.help or ""), formatter.width - len(indent)):
                formatter.write(f"{indent}{line}".rstrip() + "\n")

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and the options, each with its help."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            if record := parameter.get_help_record(ctx):
                if parameter.param_type_name == "argument":
                    sections["Arguments"].append((str(parameter.metavar), record[1]))  # Typer 0.29 adds Python's type
                else:
                    sections["Options"].append(record)
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


def _usage(argument: Any) -> str:
    placeholder = str(argument.metavar)
    return placeholder if argument.required or placeholder.startswith("[") else f"[{placeholder}]"
