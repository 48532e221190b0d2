"""A device of the test's own: a program with a mistake in it, and run by root, would replace the null device."""

import os
import threading
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest


class Device:
    """A terminal that nobody sits at, and what is written to it."""

    def __init__(self) -> None:
        self._shown, self._open = os.openpty()
        import_module("tty").setraw(self._open)  # nothing is changed on the way
        self.path = Path(os.ttyname(self._open))
        self._heard = bytearray()
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()

    def _listen(self) -> None:
        while True:
            try:
                self._heard += os.read(self._shown, 1 << 16)
            except OSError:  # nobody has it open any more
                return

    def written(self) -> bytes:
        """All that was written to it; nothing more can be."""
        if self._open >= 0:
            os.close(self._open)
            self._open = -1
            self._reader.join(120)
        return bytes(self._heard)

    def close(self) -> None:
        self.written()
        os.close(self._shown)


@pytest.fixture
def device() -> Iterator[Device]:
    if not hasattr(os, "openpty"):
        pytest.skip("no devices of one's own here")
    device = Device()
    yield device
    device.close()
