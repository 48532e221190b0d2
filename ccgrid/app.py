"""The command `ccgrid`: runs a command line, and turns errors into two lines and an exit status."""

import errno
import gc
import os
import re
import signal
import sys
import warnings
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Annotated, Final, TextIO

import typer

from ccgrid import services
from ccgrid.catalog.errors import CatalogError, NoSuchNameError, NotFoundError, UsageError
from ccgrid.catalog.outcome import OUTCOME
from ccgrid.commands import COMMANDS, CommandEntry
from ccgrid.commands.lazy import LazyGroup, build_root
from ccgrid.exit_statuses import DONE, INTERRUPTED, NOT_DONE, NOT_VALID, READER_GONE, WRONG_COMMAND_LINE
from ccgrid.view.streams import be_quiet, flush, is_quiet, prepare, write
from ccgrid.view.text import visible

LONGEST_LINE: Final = 1000
"""Maximum length of a line of an error message, which may quote an untrusted file."""

_OS_MESSAGES: Final[dict[type[OSError], str]] = {
    FileNotFoundError: "No such file or directory.",
    FileExistsError: "it exists already",
    NotADirectoryError: "a part of this path is not a folder",
    IsADirectoryError: "this is a folder, not a file",
    PermissionError: "permission denied",
}

_DAMAGED: Final = "the catalogue is damaged; 'ccgrid doctor' says where, 'ccgrid doctor --mend' saves all readable data"
_DATABASE_MESSAGES: Final = {
    "locked": "another program is writing to the catalogue; try again when it has finished",
    "not a database": "this file is not a catalogue, or it is damaged; name another with --db",
    "malformed": _DAMAGED,
    "vtable constructor failed": _DAMAGED,  # the index of names
    "not decode": _DAMAGED,
    "no such column: old.": _DAMAGED,  # in a trigger: only damage can change it
    "no such column: new.": _DAMAGED,
    "full": "the disk is full",
    "readonly": "the catalogue cannot be written; check the permissions of the file and its folder",
    "unable to open": "the catalogue cannot be opened; check the path given with --db or $CCGRID_DB",
}


_PLAIN_USAGE: Final = (
    (r"is not a valid int\b(?: range)?", "is not a whole number"),
    (r"is not a valid float\b(?: range)?", "is not a number"),
    (r"is not in the range x>=([\d.]*\d)", r"is less than \1"),
    (r"is not in the range (\S+)<=x<=([\d.]*\d)", r"is not between \1 and \2"),
    (r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", r"Unexpected argument: \1"),
)
"""Phrases of Typer's messages as patterns, each with the words to print instead."""

_GENERAL_OPTIONS: Final = ("-q", "--quiet", "--no-color", "-V", "--version")
"""Options of `ccgrid` itself that users also type after a command."""

_RERAISE_SECONDS: Final = 0.01
"""Seconds after which an exception that could not be raised is raised again."""


def main() -> None:
    """Run the command line of this process, and exit with its status."""
    prepare()  # first, so that errors can be printed in any encoding
    try:
        _install_handlers()
        status = run(sys.argv[1:])
        if status == DONE:
            gc.freeze()  # skip the final collection: the process ends anyway
    except (KeyboardInterrupt, SystemExit) as error:  # before or after the command
        status = _report(error)
    # Nothing remains to be reported: from now on an interrupt only ends the process, unless interrupts are ignored.
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(status)


def _install_handlers() -> None:
    """Turn termination signals into exceptions, so that changes are rolled back and temporary files deleted."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _exit_on_signal)
    sys.excepthook = _ignore_interrupt
    warnings.showwarning = _print_warning
    if hasattr(signal, "setitimer"):
        sys.unraisablehook = _raise_later


def _ignore_interrupt(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print an uncaught exception, unless it is an interrupt during the report of an earlier one."""
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)


def _print_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a plug-in's warning as one line for the user, and any other warning as Python does."""
    if not issubclass(category, _error_class("ccgrid.catalog.plugins", "PluginWarning")):
        write(warnings.formatwarning(message, category, filename, lineno, line).rstrip("\n"), stderr=True)
    elif not is_quiet():
        _print_error(f"Warning: {message}")


def _raise_later(lost: "sys.UnraisableHookArgs") -> None:
    """Raise an interrupt or exit again soon, if it occurred where exceptions cannot be raised.

    Python only prints exceptions from calls around a fork and from finalizers.
    """
    error = lost.exc_value
    if not isinstance(error, (KeyboardInterrupt, SystemExit)):
        sys.__unraisablehook__(lost)
        return

    def end(number: int, frame: object) -> None:
        raise error

    signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, _RERAISE_SECONDS)


def _exit_on_signal(number: int, frame: object) -> None:
    signal.signal(number, signal.SIG_IGN)  # ignore further signals while cleaning up
    raise SystemExit(128 + number)


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit status, one of `ccgrid.exit_statuses` or of a signal."""
    # The indexes of words that may name a command.
    indexes = [
        index
        for index, word in enumerate(arguments)
        if not word.startswith("-") and (not index or arguments[index - 1] != "--db")
    ]
    groups = {entry.words for entry in COMMANDS if not entry.module}
    for index in indexes[: 2 if indexes and arguments[indexes[0]] in groups else 1]:  # -q help deck, or deck help
        if arguments[index] == "help":
            arguments = [*arguments[:index], *arguments[index + 1 :], "--help"]
            break
    OUTCOME.begin()
    try:
        status = build().main(args=list(arguments), prog_name="ccgrid", standalone_mode=False)
        status = status if isinstance(status, int) else DONE
    except (Exception, KeyboardInterrupt, SystemExit) as error:
        status = _report(error, arguments)
    if status == INTERRUPTED:
        _print_error(_with_outcome("Interrupted."))
    return _flush(status)


def build() -> LazyGroup:
    """Return the root command, whose commands are imported when they are called."""
    return _root_command(COMMANDS)


@cache
def _root_command(entries: tuple[CommandEntry, ...]) -> LazyGroup:
    app = typer.Typer(
        name="ccgrid",
        cls=LazyGroup,
        help="A use for the cards of games that nobody plays any more: read where their numbers are printed,\n"
        "build decks of them, and play games on a 3x3 grid with them.",
        epilog="Use - as a file name for standard input, or after -o for standard output.",
        invoke_without_command=True,
        rich_markup_mode=None,  # plain help: faster, and brackets are not markup
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    return build_root(app, entries)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        write(f"ccgrid {version('ccgrid')}")
        raise typer.Exit


_INTRODUCTION: Final = """ccgrid finds a use for the cards of games that nobody plays any more.

  ccgrid demo                    show everything once, offline
  ccgrid import mtg              fetch the cards of a game (see ccgrid sources)
  ccgrid collection add          enter the cards you own
  ccgrid deck new -o deck.toml   draw twenty legal cards
  ccgrid play --deck deck.toml   play against the computer

ccgrid help lists the commands; ccgrid help COMMAND explains one."""


def _options(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", "-V", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print results and errors only.")] = False,
    no_color: Annotated[bool, typer.Option("--no-color", help="Print without colour.")] = False,
    database: Annotated[
        str | None, typer.Option("--db", metavar="PATH", help="The catalogue file, also after the command.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", is_eager=True, help="With help: list all commands and options.")
    ] = False,
) -> None:
    """Apply the options of `ccgrid` itself; without a command print an introduction."""
    if context.invoked_subcommand is None:
        write(_INTRODUCTION)
        return
    # `config` reports the origin of each value, so it must not see values from the file as environment variables.
    # `doctor` reports errors in the file and uses the rest of it.
    settings = {}
    if context.invoked_subcommand == "doctor":
        settings = services.config.read_file().settings
    elif context.invoked_subcommand != "config":
        settings = services.config.read_config()
    if no_color:
        settings["colour"] = "never"
        os.environ.pop("FORCE_COLOR", None)  # it would override the option
    services.config.set_environment(settings)
    be_quiet(wanted=quiet)
    context.default_map = services.config.defaults(settings, (entry.words for entry in COMMANDS))


def _report(error: BaseException, arguments: Sequence[str] = ()) -> int:
    """Print an error of a command line on standard error, and return its exit status."""
    if os.environ.get("CCGRID_TRACEBACK"):
        import traceback

        write("".join(traceback.format_exception(error)), stderr=True)
    if isinstance(error, BrokenPipeError) or isinstance(error.__context__, BrokenPipeError):
        return READER_GONE  # Typer and Rich turn a broken pipe into `sys.exit(1)`, but 1 means "not valid" here
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else NOT_DONE
    # Python 3.11 wraps what is raised while a class is built in a RuntimeError.
    if isinstance(error, KeyboardInterrupt) or isinstance(error.__cause__, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(error, typer.Abort) and not isinstance(error.__cause__, EOFError):
        return INTERRUPTED
    if isinstance(error, typer.TyperException):
        return _report_usage(error, arguments)
    words = _user_message(error)
    # Do not import the modules of these errors: a module that is not loaded has raised none.
    others = [_error_class("ccgrid.engine.errors", name) for name in ("UnknownNameError", "ContradictionError")]
    is_misused = isinstance(error, (UsageError, *others))
    words = _defect(error) if words is None else f"Error: {words}"
    if isinstance(error, (NotFoundError, NoSuchNameError, others[0])):
        words = _with_named_file(words, arguments)
    if isinstance(error, NoSuchNameError) and error.kind == "game":
        from ccgrid.engine.games import GAMES

        if error.name in GAMES.names:
            words += f"\n'{error.name}' is a game to play: name it without --game."
    # The messages of these errors say themselves whether something was changed.
    if OUTCOME.committed or not isinstance(error, _user_facing_errors()):
        words = _with_outcome(words)
    _print_error(words)
    if isinstance(error, NotFoundError):
        return NOT_VALID
    return WRONG_COMMAND_LINE if is_misused else NOT_DONE


def _defect(error: BaseException) -> str:
    """Return the message for an unexpected error: whose code is wrong, and how to see the details."""
    from ccgrid.catalog.plugins import describe_error, find_culprit, loaded_plugins

    what = describe_error(error)
    how = "Set CCGRID_TRACEBACK=1 and repeat the command to see the details"
    if culprit := find_culprit(error):
        return f"Error in {culprit}: {what}\n{how}."
    if used := loaded_plugins():
        plugins = " or ".join(f"the {plugin}" for plugin in used)
        return f"This is a defect in ccgrid, or in {plugins}: {what}\n{how}."
    return f"This is a defect in ccgrid: {what}\n{how}; please report them."


def _with_outcome(words: str) -> str:
    """Add to the first line of a message what the command has changed in the catalogue, if anything."""
    first, line, rest = words.partition("\n")
    return f"{first.rstrip('.')}; {OUTCOME}.{line}{rest}" if str(OUTCOME) else words


def _with_named_file(words: str, arguments: Sequence[str]) -> str:
    """Return a message with a second line about the first file that it mentions, if the user typed its name."""
    from ccgrid.catalog.file_kinds import describe_file

    quoted = (Path(text) for text in arguments if f"{text!r}" in words or f"argument: {text}\n" in words)
    about = next(filter(None, map(describe_file, quoted)), "")
    return "\n".join((words.partition("\n")[0], about)) if about else words


def _report_usage(error: typer.TyperException, arguments: Sequence[str]) -> int:
    """Print an error in the command line as two lines."""
    command = _command_words(arguments)
    message = " ".join(error.format_message().split())
    for pattern, plain in _PLAIN_USAGE:
        message = re.sub(pattern, plain, message)
    unknown = message.partition(" (")[0].partition(". ")[0]
    option = unknown.rpartition(" ")[2]
    if known := getattr(error, "possibilities", None):  # of an unknown option
        near = get_close_matches(option, known, n=1, cutoff=0.75)
        message = f"{unknown}. Did you mean '{near[0]}'?" if near else unknown
        if command != "ccgrid" and option in arguments[: arguments.index(command.split()[1])]:
            message = f"{unknown}. Options of a command come after it: {command} {option} …"
    if unknown.startswith("No such option") and option in _GENERAL_OPTIONS:
        message = f"{unknown}. It comes before the command: ccgrid {option}{command.removeprefix('ccgrid')} …"
    _print_error(_with_named_file(f"Error: {message}\nTry '{command} --help'.", arguments))
    return WRONG_COMMAND_LINE


def _command_words(arguments: Sequence[str]) -> str:
    """Return the words of the command that a command line names, as far as there is one."""
    known, path = {f"ccgrid {entry.words}" for entry in COMMANDS}, "ccgrid"
    for word in arguments:
        if (longer := f"{path} {word}") in known:
            path = longer
    return path


def _user_message(error: BaseException) -> str | None:
    """Return the message for an expected error, or None if the error is a bug."""
    if isinstance(error, _user_facing_errors()):
        return str(error)
    if isinstance(error, OSError):
        return _os_message(error)
    if isinstance(error, _error_class("sqlite3", "Error")):
        text = str(error)
        return next((words for part, words in _DATABASE_MESSAGES.items() if part in text), f"the catalogue: {text}")
    if isinstance(error, typer.Abort):
        return "the input ended before the command had everything it needs"
    from ccgrid.catalog.plugins import find_culprit

    return f"{_DAMAGED}." if find_culprit(error) is None and _is_catalogue_damaged() else None


def _user_facing_errors() -> tuple[type[BaseException], ...]:
    """Return the exception types whose messages are shown unchanged."""
    return CatalogError, _error_class("ccgrid.engine.errors", "EngineError")


def _is_catalogue_damaged() -> bool:
    """Return whether the opened catalogue is damaged, which explains unexpected errors."""
    file = getattr(getattr(sys.modules.get("ccgrid.catalog.store.file"), "CatalogueFile", None), "last_path", None)
    if file is None or not file.exists():
        return False
    from ccgrid.catalog.store.health import check_health

    health = check_health(file)
    return bool(health.fault or health.damage)


def _error_class(module: str, name: str) -> type[BaseException]:
    """Return an exception class of a module if it is loaded, else a class that is never raised."""
    found: type[BaseException] = getattr(sys.modules.get(module), name, _NeverRaised)
    return found


class _NeverRaised(Exception):  # noqa: N818
    """A placeholder for exceptions of modules that are not loaded."""


def _os_message(error: OSError) -> str:
    """Return the message for an error of the operating system, with its file."""
    if error.errno == errno.ENOSPC:
        words = "the disk is full"
    else:
        words = _OS_MESSAGES.get(type(error)) or error.strerror or str(error) or type(error).__name__
    return f"{os.fsdecode(error.filename)}: {words}" if isinstance(error.filename, str | bytes) else words


def _print_error(message: str) -> None:
    """Print the first two lines of a message on standard error, with control characters escaped."""
    for line in message.split("\n", 2)[:2]:
        shown = visible(line)
        write(shown if len(shown) <= LONGEST_LINE else shown[:LONGEST_LINE] + " ...", stderr=True)


def _flush(status: int) -> int:
    """Flush the output, so that a full disk or a closed pipe is reported; return the exit status."""
    try:
        flush()
    except OSError as error:
        return status if status in (READER_GONE, NOT_DONE) else _report(error)  # reported already
    return status
