"""Counts over many games, kept in a file while they are played: whatever ends the program, they go on from there."""

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Final, Generic, Literal, TypeVar

import msgspec

from catalog.files import write_whole
from engine.errors import EngineError, harmless, quoted
from engine.many.tally import Count

Counts = TypeVar("Counts")

_FORMAT: Final[Literal[1]] = 1
_EVERY: Final = 2.0
"""Seconds between two times that the file is written."""
_LARGEST: Final = 256 << 20
"""In bytes: no more of a file is read."""


class _File(msgspec.Struct):
    """What stands in the file."""

    ccgrid: Literal[1]
    work: dict[str, Any]
    done: Count
    seconds: Annotated[float, msgspec.Meta(ge=0)]
    counts: msgspec.Raw

    def __post_init__(self) -> None:
        msgspec.convert(self.seed, Count | None)  # of what is in `work`, this alone is used and not only compared

    @property
    def seed(self) -> Any:
        return self.work.get("seed")


class KeptCounts(Generic[Counts]):
    """The file that holds what was counted over the first so many numbers of some work.

    `work` says in words and numbers what the work is; of what is long, such as decks, `digest` is enough. A file of
    other work is refused.
    """

    def __init__(self, path: Path | None, work: Mapping[str, Any], kind: type[Counts]) -> None:
        self.path = path
        self._work = msgspec.to_builtins(work)
        self._kind = kind
        self._written = time.monotonic()

    def load(self, empty: Counts, adds_up: Callable[[Counts, int], bool]) -> tuple[int, float, Counts] | None:
        """How many numbers are done, in how many seconds, and what was counted; nothing where there is no file yet.

        Args:
            empty: the counts of nothing; the file's have as many entries.
            adds_up: whether counts can be what so many numbers brought.

        Raises:
            EngineError: the file is of other work, or damaged, or its counts contradict each other, or it is no such
                file at all.
        """
        if self.path is None or not self.path.exists():
            return None
        file = _read(self.path)
        for key in [*self._work, *file.work]:
            if file.work.get(key) != self._work.get(key):
                raise EngineError(f"{self._name} is of other games: {self._difference(key, file.work)}")
        try:
            told = msgspec.json.decode(file.counts)
            if _alike(told, msgspec.json.decode(msgspec.json.encode(empty))):
                counts = msgspec.json.decode(file.counts, type=self._kind)
                if adds_up(counts, file.done):
                    return file.done, file.seconds, counts
        except (msgspec.DecodeError, ValueError):
            pass
        raise EngineError(f"{self._name} is damaged: its counts do not add up. Delete it to start again")

    def save(self, done: int, seconds: float, counts: Counts, *, now: bool = False) -> None:
        """Writes the file whole, if a while has passed since it was written, or `now`; raises OSError."""
        if self.path is None or not (now or time.monotonic() - self._written >= _EVERY):
            return
        file = _File(_FORMAT, self._work, done, seconds, msgspec.Raw(msgspec.json.encode(counts)))
        write_whole(self.path, msgspec.json.encode(file) + b"\n")
        self._written = time.monotonic()

    @property
    def _name(self) -> str:
        return harmless(self.path)

    def _difference(self, key: str, work: Mapping[str, Any]) -> str:
        there, here = work.get(key), self._work.get(key)
        if isinstance(there, str) and isinstance(here, str) and len(there) == len(here) == _DIGEST_LENGTH:
            return f"the {key} are not the same"
        if there is None or here is None:
            return f"{key} is said {'here' if there is None else 'there'} alone"
        return f"there {key} is {quoted(there)}, and here {quoted(here)}"


def _alike(told: Any, empty: Any) -> bool:
    """Whether counts may be some of those that begin with these: as many in every list, and what is not 0 the same."""
    if isinstance(empty, dict):
        return isinstance(told, dict) and all(key in told and _alike(told[key], one) for key, one in empty.items())
    if isinstance(empty, list):
        return isinstance(told, list) and len(told) == len(empty) and all(map(_alike, told, empty))
    return bool(told == empty or not empty)


def kept_seed(path: Path | None) -> int | None:
    """The seed of the work in a file, for whoever goes on with it and says none; nothing where there is no file yet.

    Raises:
        EngineError: it is no such file.
    """
    return _read(path).seed if path is not None and path.exists() else None


def _read(path: Path) -> _File:
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(_LARGEST), type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise EngineError(
            f"{harmless(path)} holds no games to go on with: name another file, or one that is not there yet"
        ) from None


def check_enough(path: Path | None, done: int, wanted: int, what: str) -> None:
    """Refuses to go on with work of which more is done than is wanted; raises EngineError."""
    if done > wanted:
        raise EngineError(f"{harmless(path)} holds {done:,} {what} already: ask for at least as many")


_DIGEST_LENGTH: Final = 32


def digest(value: object) -> str:
    """A short text that is the same for equal values: of texts, numbers, sequences, mappings and dataclasses of these.

    Raises:
        EngineError: there is something in it that has no such text.

    >>> digest([1, "a"]) == digest((1, "a")), digest([1, "a"]) == digest([1, "b"])
    (True, False)
    """
    seen = hashlib.sha256()
    for part in _parts(value):
        seen.update(part.encode("utf-8", "surrogatepass"))
        seen.update(b"\0")
    return seen.hexdigest()[:_DIGEST_LENGTH]


def _parts(value: object) -> Iterable[str]:
    if value is None or isinstance(value, str | int | float | bool):
        return (repr(value),)
    if is_dataclass(value) and not isinstance(value, type):
        inner = (_parts(getattr(value, one.name)) for one in fields(value) if one.compare)
        return chain((type(value).__name__, "("), chain.from_iterable(inner), (")",))
    if isinstance(value, Mapping):
        items = sorted(value.items())
        return chain(("{",), chain.from_iterable(_parts(one) for item in items for one in item), ("}",))
    if isinstance(value, Sequence):
        return chain(("[",), chain.from_iterable(map(_parts, value)), ("]",))
    raise EngineError(f"what is played with {type(value).__name__} cannot be continued later")
