"""Lazily imported commands: a name and a line of help until one is called."""

from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Any, Final, TypeVar

import typer

# Typer documents `cls=` for subclasses of these classes, and exports them only here. Their methods are those of Click.
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from ccgrid.commands import COMMANDS, EVERYDAY, PANELS, SYNONYMS, CommandEntry
from ccgrid.commands.help_pages import PlainCommand, paged_help
from ccgrid.commands.signatures import flatten
from ccgrid.exit_statuses import WRONG_COMMAND_LINE
from ccgrid.view.streams import can_ask, paged, write

_LIKENESS: Final = 0.65
"""Minimum similarity, 0 to 1, of a mistyped command and the suggested one."""

Function = TypeVar("Function", bound=Callable[..., object])


class CommandModule:
    """The commands of a module, by name; each is built when it is called, because inspecting its options takes time."""

    def __init__(self) -> None:
        self.functions: dict[str, Callable[..., object]] = {}

    def command(self, name: str = "") -> Callable[[Function], Function]:
        """Register a function as a command, under its own name unless another is given."""

        def register(function: Function) -> Function:
            self.functions[name or function.__name__] = function
            return function

        return register

    def build(self, name: str) -> TyperCommand:
        """Build the command of this name."""
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command(name, cls=PlainCommand)(flatten(self.functions[name]))
        command = get_command(app)
        assert isinstance(command, TyperCommand)  # noqa: S101  because of `cls`
        return command


class LazyCommand(TyperCommand):
    """An entry of a command that has not been imported, with its line of help."""

    def __init__(self, name: str, module: str, line: str) -> None:
        super().__init__(name, help=line, rich_markup_mode=None)
        self.module = module

    def loaded(self) -> TyperCommand:
        """Import and return the command."""
        return _build(import_module(f"ccgrid.commands.{self.module}").app, str(self.name))


@cache
def _build(module: CommandModule, name: str) -> TyperCommand:
    return module.build(name)


class LazyGroup(TyperGroup):
    """A group that lists its commands without importing them, and imports the one that is called."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the command line; without a command print the help page as an error, unless the group does something.

        Raises:
            Exit: If there is no command, with the status of a wrong command line.
        """
        if not args and not self.invoke_without_command and not ctx.resilient_parsing:
            with paged():
                write(ctx.get_help(), stderr=not can_ask())
            raise typer.Exit(WRONG_COMMAND_LINE)
        return super().parse_args(ctx, args)

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option `--help`."""
        return paged_help(super().get_help_option(ctx))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Import the command named by the first argument, and give it the catalogue that precedes all commands.

        Raises:
            UsageError: If there is no such command.
        """
        word = args[0]
        if not (word in self.commands or word.startswith("-") or ctx.resilient_parsing):
            meant = next(self._meant(word, ctx.command_path), "")
            ctx.fail(f"No such command {word!r}." + (f" Did you mean '{meant}'?" if meant else ""))
        name, command, rest = super().resolve_command(ctx, args)
        if not isinstance(command, LazyCommand):
            return name, command, rest
        loaded, database = command.loaded(), ctx.find_root().params.get("database")
        if database is not None and any("--db" in one.opts for one in loaded.params):
            rest = ["--db", database, *rest]
        return name, loaded, rest

    def _meant(self, word: str, path: str) -> Iterator[str]:
        """Yield the commands that another word may mean, with all their words, the likeliest first."""
        group = f"{path} ".partition(" ")[2]
        known = {entry.words for entry in COMMANDS}
        others = SYNONYMS.get(f"{group}{word}".casefold(), SYNONYMS.get(word.casefold(), (word,)))
        yield from (f"{path} {words}" for words in others if group + words in known)
        if group:
            yield from (f"ccgrid {words}" for words in others if words in known and " " not in words)
        else:
            yield from (f"ccgrid {words}" for words in known if word == words.split()[-1])
        yield from (f"{path} {name}" for name in get_close_matches(word, self.commands, cutoff=_LIKENESS))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options and commands, or on the short help page only the everyday commands."""
        if not _is_short(ctx):
            super().format_options(ctx, formatter)
            return
        with formatter.section("Everyday commands"):
            formatter.write_dl([(name, self.commands[name].help or "") for name in EVERYDAY if name in self.commands])

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the last line of the page."""
        if not _is_short(ctx):
            super().format_epilog(ctx, formatter)
        else:
            formatter.write_paragraph()
            formatter.write_text("'ccgrid help COMMAND' explains one; 'ccgrid help --all' lists everything.")

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands, under the headings of `PANELS` if the group has any."""
        widest = max(map(len, self.commands))
        for heading, names in PANELS.get(str(self.name), {"Commands": tuple(self.commands)}).items():
            with formatter.section(heading):
                listed = [self.commands[name] for name in names if name in self.commands]
                formatter.write_dl([(str(one.name).ljust(widest), one.help or "") for one in listed])


def _is_short(ctx: Any) -> bool:
    """Return whether a help page is that of the program, without `--all`."""
    return ctx.parent is None and not ctx.params.get("everything")


def build_root(app: typer.Typer, entries: Iterable[CommandEntry]) -> LazyGroup:
    """Build the root group of an app whose `cls` is `LazyGroup`, with the commands and groups of a table."""
    root = get_command(app)
    assert isinstance(root, LazyGroup)  # noqa: S101  because of `cls`
    groups = {"": root}
    for entry in entries:
        above, _, name = entry.words.rpartition(" ")
        if entry.module:
            groups[above].add_command(LazyCommand(name, entry.module, entry.line))
        else:
            groups[name] = LazyGroup(name=name, help=entry.line, rich_markup_mode=None)
            groups[above].add_command(groups[name])
    return root
