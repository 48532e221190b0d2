"""Errors of cards, catalogues and collections, each with a message of one or two lines.

    CatalogError
    ├── NotFoundError            a card, a set, a box … that does not exist
    ├── UsageError               a request that is wrong whatever the data
    │   ├── NoSuchNameError      an unknown game, source, format, layout or setting
    │   └── NotConfirmedError    a change that needs the user's confirmation
    ├── ChangedMeanwhileError    another command has changed what this one was about to change
    ├── MissingExtraError        an optional library that is not installed
    ├── FileFormatError          a file that cannot be read, or has unexpected content
    │   └── WrongKindError       a file of another kind
    └── CatalogueFileError       a catalogue that cannot be used
        ├── MissingCatalogueError
        ├── EmptyCatalogueError
        ├── BusyCatalogueError
        ├── DamagedCatalogueError
        └── CatalogueVersionError

Errors of downloads are in `catalog/download/errors.py`, those of looking up cards in `catalog/matching/asking.py`.
"""

from collections.abc import Iterable
from pathlib import Path


class CatalogError(ValueError):
    """Base class of errors of cards. The message describes the error and a remedy in one or two lines."""

    @property
    def first_line(self) -> str:
        """The first line of the message. The second one, if there is any, describes the remedy."""
        return str(self).partition("\n")[0]

    def __reduce__(self) -> tuple[object, ...]:
        # Lets worker processes send errors whose fields are keyword arguments.
        return _restore, (type(self), self.args, self.__dict__)


def _restore(kind: type[CatalogError], args: tuple[object, ...], fields: dict[str, object]) -> CatalogError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error


class NotFoundError(CatalogError):
    """Raised if a thing of this `kind` does not exist or nothing matches a search.

    `name` is the name or the search as the user wrote it, `suggestions` are similar names.
    """

    def __init__(self, message: str, *, kind: str, name: str = "", suggestions: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.kind = kind
        self.name = name
        self.suggestions = tuple(suggestions)


class UsageError(CatalogError):
    """Raised for a request that contradicts itself or has an impossible value; the caller must change it."""


class NoSuchNameError(UsageError):
    """Raised for an unknown name of a `kind` of which the program knows all, such as a game, a format or a setting."""

    def __init__(self, message: str, *, kind: str, name: str, known: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.kind = kind
        self.name = name
        self.known = tuple(known)


class NotConfirmedError(UsageError):
    """Raised if a change needs the user's confirmation; the message names the option that gives it."""


class ChangedMeanwhileError(CatalogError):
    """Raised if another command has changed what this one was about to change. Nothing was changed."""


class MissingExtraError(CatalogError):
    """Raised if a feature needs an optional library that is not installed; `extra` is the extra that installs it."""

    def __init__(self, message: str, *, extra: str) -> None:
        super().__init__(message)
        self.extra = extra


class FileFormatError(CatalogError):
    """Raised if a file cannot be read, or does not have the expected content.

    The message is made of the fields: `file` as the user named it, `line` from 1 if it is known, and `reason`.
    """

    def __init__(self, reason: str, *, file: str | Path, line: int | None = None) -> None:
        super().__init__(f"{file}: {reason}" if line is None else f"{file}, line {line}: {reason}")
        self.reason = reason
        self.file = str(file)
        self.line = line


class WrongKindError(FileFormatError):
    """Raised if a file is of another kind than the command reads."""


class CatalogueFileError(CatalogError):
    """Raised if a catalogue cannot be used; `path` is its file, or None if an open catalogue fails."""

    def __init__(self, message: str, *, path: Path | None) -> None:
        super().__init__(message)
        self.path = path


class MissingCatalogueError(CatalogueFileError):
    """Raised if there is no catalogue at `path`."""


class EmptyCatalogueError(CatalogueFileError):
    """Raised if a catalogue contains no cards and the command needs some."""


class BusyCatalogueError(CatalogueFileError):
    """Raised if another command holds the catalogue for longer than this one waits."""


class DamagedCatalogueError(CatalogueFileError):
    """Raised if a catalogue is damaged; `ccgrid doctor --mend` saves all readable data."""

    def __init__(self, *, path: Path | None = None) -> None:
        what = "The catalogue is damaged. 'ccgrid doctor' says where; 'ccgrid doctor --mend' saves all readable data."
        super().__init__(what if path is None else f"{path}: {what}", path=path)


class CatalogueVersionError(CatalogueFileError):
    """Raised if a catalogue was made by an earlier or a newer version of the program. It is not changed."""
