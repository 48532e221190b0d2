"""Records of games that may go on later, kept beside their file as long as games are missing."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from engine.errors import EngineError, harmless


class KeptRecords:
    """The records of games whose counts are kept, too: `NAME.part` until all are played, and then the file itself."""

    def __init__(self, path: Path, *, force: bool = False) -> None:
        self.path = path
        self._part = path.with_name(f"{path.name}.part")
        self._force = force
        self._file: BinaryIO | None = None

    def begin(self, written: int, games: int) -> None:
        """Opens the file, of which so many bytes are of games that are counted; what is behind them is left out.

        Raises:
            EngineError: other bytes are there than so many records, or the file is there and was not begun by these
                games.
            OSError: it cannot be written.
        """
        whole = self.path.stat().st_size if self.path.exists() else None
        if not games and whole is not None and not self._force:
            raise EngineError(f"{harmless(self.path)} exists already: name another file, or write over it with --force")
        is_whole = not self._part.exists() and whole == written  # more games than were asked for before
        if games and not _are_records(self.path if is_whole else self._part, written, games):
            raise EngineError(
                f"{harmless(self._part)}, which holds the records of the games so far, is gone or damaged:"
                " begin anew with another file to resume from"
            )
        if games and is_whole:
            shutil.copyfile(self.path, self._part)
        self._file = self._part.open("r+b" if games else "wb")
        self._file.truncate(written)
        self._file.seek(written)

    def write(self, lines: Iterable[str]) -> int:
        """Writes records down, each a line with its end; gives how many bytes they take."""
        text = "".join(lines).encode("utf-8", "surrogatepass")
        if self._file is not None:
            self._file.write(text)
            self._file.flush()  # the counts are written after them
        return len(text)

    def finish(self) -> None:
        """All games are played: the file takes its name."""
        if self._file is not None:
            self._file.flush()
            os.fsync(self._file.fileno())
            self.close()
            self._part.replace(self.path)

    def close(self) -> None:
        """Leaves the file where it is, for games that follow."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _are_records(path: Path, written: int, games: int) -> bool:
    """Whether the file's first so many bytes are so many lines."""
    lines, last = 0, b""
    if not path.exists() or path.stat().st_size < written:
        return False
    with path.open("rb") as file:
        while written and (piece := file.read(min(written, 1 << 20))):
            lines, last, written = lines + piece.count(b"\n"), piece[-1:], written - len(piece)
    return lines == games and last == b"\n"
