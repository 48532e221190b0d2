"""Records of games that may go on later, kept beside their file as long as games are missing."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO, Final

from catalog.files import check_target, copy_new, open_own, rename
from engine.errors import EngineError, harmless

_CHUNK: Final = 1 << 20


def refuse(path: Path) -> None:
    """The check of whoever writes over nothing; raises EngineError."""
    raise EngineError(f"{harmless(path)} exists already: name another file, or write over it with --force")


class KeptRecords:
    """The records of games whose counts are kept, too: `NAME.part` until all are played, and then the file itself.

    A file of either name that is there, and is not of the games that are counted, is given to `check`, which raises
    `CatalogError` or `EngineError` where it may not be written over.
    """

    def __init__(self, path: Path, check: Callable[[Path], object] = refuse) -> None:
        self.path = path
        self._part = path.with_name(f"{path.name}.part")
        self._check = check
        self._file: BinaryIO | None = None
        self._before: os.stat_result | None = None

    def begin(self, written: int | None, games: int = 0) -> None:
        """Opens the file, of which so many bytes are of games that are counted; what is behind them is left out.

        It holds so many records, `games`. Without counts `written` is None: no file is of these games then.

        Raises:
            EngineError: other bytes are there than so many records, or a file that was not begun by these games.
            OSError: it cannot be written.
        """
        check_target(self.path)
        self._before = self.path.stat() if self.path.exists() else None
        if written and not os.path.lexists(self._part) and _holds(self.path, written, games, whole=True):
            copy_new(self.path, self._part)  # more games than were asked for before
        is_there = os.path.lexists(self._part)
        if written is None and is_there:
            self._check(self._part)
        elif written is not None and (written or is_there) and not _holds(self._part, written, games):
            raise EngineError(
                f"{harmless(self._part)}, which holds the records of the games so far, is gone or damaged:"
                " begin anew with another file to resume from"
            )
        if self._before is not None and not (written and _begins(self.path, self._part)):
            self._check(self.path)
        self._file = open_own(self._part)
        self._file.truncate(written or 0)
        self._file.seek(written or 0)

    def write(self, lines: Iterable[str]) -> int:
        """Writes records down, each a line with its end; gives how many bytes they take."""
        text = "".join(lines).encode("utf-8", "surrogatepass")
        rest = memoryview(text)
        while rest and self._file is not None:
            rest = rest[self._file.write(rest) :]  # unbuffered: the counts are written after them
        return len(text)

    def finish(self) -> None:
        """All games are played: the file takes its name.

        Raises:
            EngineError: a file was put there meanwhile.
        """
        if self._file is not None:
            os.fsync(self._file.fileno())
            self.close()
            if self.path.exists() and (self._before is None or not os.path.samestat(self._before, self.path.stat())):
                raise EngineError(f"{harmless(self.path)} was made meanwhile; the records are in {self._part.name}")
            rename(self._part, self.path)

    def close(self) -> None:
        """Leaves the file where it is, for games that follow."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _holds(path: Path, written: int, games: int, *, whole: bool = False) -> bool:
    """Whether a file's first so many bytes are so many lines; with `whole`, there is nothing else."""
    if path.is_symlink() or not path.is_file():
        return False
    size = path.stat().st_size
    if size < written or (whole and size > written):
        return False
    lines, last = 0, b"\n"
    with path.open("rb") as file:
        if not written:
            return file.read(1) in (b"", b"{")
        while written and (piece := file.read(min(written, _CHUNK))):
            lines, last, written = lines + piece.count(b"\n"), piece[-1:], written - len(piece)
    return lines == games and last == b"\n"


def _begins(path: Path, longer: Path) -> bool:
    """Whether a file is the beginning of another."""
    with path.open("rb") as file, longer.open("rb") as other:
        while data := file.read(_CHUNK):
            if data != other.read(len(data)):
                return False
    return True
