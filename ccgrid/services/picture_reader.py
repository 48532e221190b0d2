"""Reading pictures of strangers in a process of their own, with limits: what harms that process harms nothing else."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import Final, NamedTuple

import msgspec

from ccgrid.catalog.scan.result import Scan, bears_name
from ccgrid.catalog.scan.values import ScannedCard
from ccgrid.services import scanning

SECONDS: Final = 180.0
"""So long one picture may take."""
_MEMORY: Final = 6 << 30
"""So many bytes the process may map."""
_LONGEST_ANSWER: Final = 32 << 20
"""So many bytes it may say of one picture."""
_PROGRAM: Final = (sys.executable, "-P", "-m", "ccgrid.services.picture_reader")


class ReadCard(NamedTuple):
    """A card on a picture: what was read, what it looks like, and which card of the catalogue it is or may be.

    Attributes:
        read: what was read.
        picture: the card cut out, upright, as a JPEG.
        width: of that in pixels.
        height: of that in pixels.
        card_id: the card of the catalogue; empty where no line is nearly a name.
        is_sure: whether name, number or both leave no other.
        is_named: whether the name of that card was read on it.
    """

    read: ScannedCard
    picture: bytes
    width: int
    height: int
    card_id: str = ""
    is_sure: bool = False
    is_named: bool = False

    @property
    def taken_for(self) -> str:
        """The card of the catalogue that a person is asked to confirm; empty for none."""
        return self.card_id if self.is_sure or self.is_named else ""


class ReadPicture(NamedTuple):
    """The cards on a picture, or why it could not be read."""

    cards: list[ReadCard]
    reason: str = ""


_answer = msgspec.json.Decoder(ReadPicture)


class PictureReader:
    """Reads pictures, one set at a time, until it is stopped."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._is_stopped = False

    def read(self, paths: Sequence[Path], game: str, database: Path | None) -> Iterator[ReadPicture]:
        """What is on each picture, one after the other; of one that breaks the process, or takes too long, only that.

        The networks are loaded once. It ends early where it is stopped.
        """
        left = list(paths)
        while left and not self._is_stopped:
            with _started(left, game, database) as self._process:
                try:
                    for read in _answers(self._process, len(left)):
                        if self._is_stopped:
                            return
                        left.pop(0)
                        yield read
                        if read.reason == _BROKEN:
                            break
                finally:
                    self._process.kill()

    def stop(self) -> None:
        """Ends the reading, from another thread too."""
        self._is_stopped = True
        if self._process is not None:
            self._process.kill()


def _started(paths: Sequence[Path], game: str, database: Path | None) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603  this program itself, and no shell reads it
        [*_PROGRAM, game, str(database or ""), *map(str, paths)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C ends the server, which ends this
    )


_BROKEN: Final = "This picture cannot be read: it takes too much time or memory, or is damaged."


def _answers(process: "subprocess.Popen[bytes]", count: int) -> Iterator[ReadPicture]:
    assert process.stdout is not None  # noqa: S101  it was asked for
    for _ in range(count):
        clock = Timer(SECONDS, process.kill)
        clock.start()
        try:
            line = process.stdout.readline(_LONGEST_ANSWER + 1)
        finally:
            clock.cancel()
        try:
            yield _answer.decode(line)
        except msgspec.DecodeError:
            yield ReadPicture([], _BROKEN)


def _main(game: str, database: str, *paths: str) -> None:
    """Reads pictures and writes a line for each, in the process that has the limits."""
    _bound()
    pictures = [Path(path) for path in paths]
    for path, found in zip(pictures, scanning.scan_pictures(pictures, _named(database), game=game), strict=True):
        _write(msgspec.json.encode(_read(path, found)) + b"\n")


def _named(path: str) -> Path | None:
    return Path(path) if path else None


def _bound() -> None:
    """Takes memory from this process, and gives others the right of way, where the system knows that."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.nice(10)


def _read(path: Path, found: list[Scan] | scanning.Unscanned) -> ReadPicture:
    from ccgrid.catalog.scan.scanner import cut, open_picture

    if isinstance(found, scanning.Unscanned):
        return ReadPicture([], found.reason)
    picture = open_picture(path, path.name)
    return ReadPicture(
        [
            ReadCard(
                one.read,
                *cut(picture, one.read.corners),
                one.known.card.id if one.known is not None else "",
                is_sure=one.card is not None,
                is_named=one.known is not None and bears_name(one.read, one.known.card.name),
            )
            for one in found
        ]
    )


def _write(line: bytes) -> None:
    while line:
        line = line[os.write(1, line) :]


if __name__ == "__main__":
    _main(*sys.argv[1:])
