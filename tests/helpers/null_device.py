"""A terminal in place of the null device, which a defective program run by root would replace."""

import os
import threading
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest


class Device:
    """A pseudo-terminal without a user, which records its output."""

    def __init__(self) -> None:
        self._shown, self._open = os.openpty()
        import_module("tty").setraw(self._open)  # Raw mode leaves the bytes unchanged.
        self.path = Path(os.ttyname(self._open))
        self._heard = bytearray()
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()

    def _listen(self) -> None:
        while True:
            try:
                self._heard += os.read(self._shown, 1 << 16)
            except OSError:  # No process has the terminal open.
                return

    def written(self) -> bytes:
        """Close the device and return everything written to it."""
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
        pytest.skip("pseudo-terminals are not available here")
    device = Device()
    yield device
    device.close()
