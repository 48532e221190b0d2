"""A relay between a browser and a server that falls silent, as a network does that is cut without notice."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

_AT_ONCE: Final = 1 << 16


class Relay:
    """Forwards connections to a server on this machine; after `cut` no byte passes until `restore`."""

    def __init__(self, port: int) -> None:
        self._port, self._passes = port, threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: list[socket.socket] = [self._listener]
        self._passes.set()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self._passes.clear()

    def restore(self) -> None:
        self._passes.set()

    def close(self) -> None:
        self._passes.set()
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near = self._listener.accept()[0]
                try:
                    far = socket.create_connection(("127.0.0.1", self._port))
                except ConnectionRefusedError:  # the server is being started again
                    near.close()
                    continue
                self._open += [near, far]
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self._forward, args=(source, target), daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(_AT_ONCE):
                self._passes.wait()
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)


@contextmanager
def relay(address: str) -> Iterator[Relay]:
    """Run a relay to the server at this address."""
    running = Relay(int(address.rpartition(":")[2]))
    try:
        yield running
    finally:
        running.close()
