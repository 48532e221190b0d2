"""Servers on raw sockets with invalid answers: the download ends with a plain message and stores nothing wrong."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ccgrid.catalog.download import Client, connection
from ccgrid.catalog.errors import CatalogError

HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
Answer = Callable[[socket.socket], None]


def send(*parts: bytes) -> Answer:
    return lambda peer: [peer.sendall(part) for part in parts] and None


def send_endlessly(first: bytes, part: bytes, pause: float = 0.0) -> Answer:
    """Return an answer that sends `first`, and then repeats `part` until the client disconnects."""

    def answer(peer: socket.socket) -> None:
        peer.sendall(first)
        while True:
            peer.sendall(part)
            time.sleep(pause)

    return answer


ANSWERS: dict[str, Answer] = {
    "100 Continue without end": send_endlessly(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "100 Continue with endless headers": send_endlessly(b"", b"HTTP/1.1 100 Continue\r\nA: b\r\n\r\n"),
    "103 Early Hints without end": send_endlessly(b"", b"HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n"),
    "endless headers": send_endlessly(HEAD, b"A: b\r\n"),
    "one header without end": send_endlessly(HEAD + b"A: ", b"x" * 1000),
    "a status line without end": send_endlessly(b"HTTP/1.1 ", b"2" * 1000),
    "trailers without end": send_endlessly(CHUNKED + b"2\r\n{}\r\n0\r\n", b"A: b\r\n"),
    "a slow body": send_endlessly(HEAD + b"Content-Length: 100000\r\n\r\n", b"x", 0.05),
    "a slow header": send_endlessly(HEAD, b"A", 0.05),
    "slow chunks": send_endlessly(CHUNKED, b"1\r\nx\r\n", 0.05),
    "slow chunks with extensions": send_endlessly(CHUNKED, b"1;" + b"x" * 200 + b"\r\nx\r\n", 0.05),
    "slow extensions of a chunk": send_endlessly(CHUNKED + b"1;", b"x" * 2, 0.05),
    "chunks with large extensions without end": send_endlessly(CHUNKED, b"1;" + b"x" * 60_000 + b"\r\nx\r\n"),
    "a slow refusal": send_endlessly(b"HTTP/1.1 404 Not Found\r\nContent-Length: 100000\r\n\r\n", b"x", 0.05),
    "a negative chunk without end": send_endlessly(CHUNKED + b"-1\r\n", b"x" * 10_000),
    "a negative chunk": send(CHUNKED + b"-5\r\nabcde\r\n0\r\n\r\n"),
    "a huge chunk": send(CHUNKED + b"ffffffffffffffffffff\r\nabc"),
    "a chunk of words": send(CHUNKED + b"many\r\nabc"),
    "a chunk size without end": send_endlessly(CHUNKED, b"1" * 1000),
    "a negative length": send(HEAD + b"Content-Length: -1\r\n\r\n{"),
    "two lengths": send(HEAD + b"Content-Length: 2\r\nContent-Length: 5\r\n\r\n{}"),
    "a huge length": send(HEAD + b"Content-Length: 99999999999999999999\r\n\r\n{}"),
    "a length of words": send(HEAD + b"Content-Length: many\r\n\r\n{"),
    "no status": send(b"hello\r\n\r\n"),
    "an odd status": send(b"HTTP/1.1 99999 Odd\r\n\r\n{}"),
    "a status of words": send(b"HTTP/9.9 abc\r\n\r\n"),
    "nothing": send(b""),
    "zeros": send(bytes(5000)),
    "half a gzip": send(HEAD + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\x00"),
    "a packing nobody asked for": send(HEAD + b"Content-Encoding: br\r\nContent-Length: 2\r\n\r\nxx"),
    "a redirect to a file": send(b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n"),
    "a redirect to nowhere": send(b"HTTP/1.1 302 Found\r\nLocation: http://[::bad\r\nContent-Length: 0\r\n\r\n"),
    "a range that was not asked for": send(b"HTTP/1.1 206 Part\r\nContent-Range: bytes 5-9/10\r\n\r\nabcde"),
}


@pytest.fixture
def serve() -> Iterator[Callable[[Answer], str]]:
    """Return a function that starts a server with this answer for every client, and returns its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    closing = threading.Event()

    def run(answer: Answer) -> None:
        while True:
            peer, _ = listener.accept()
            peer.settimeout(60)
            with peer, suppress(OSError):
                if closing.is_set():
                    return
                peer.recv(65536)
                answer(peer)

    threads: list[threading.Thread] = []

    def start(answer: Answer) -> str:
        threads.append(threading.Thread(target=run, args=(answer,), daemon=True))
        threads[-1].start()
        return f"http://127.0.0.1:{listener.getsockname()[1]}/cards.json"

    yield start
    closing.set()
    socket.create_connection(listener.getsockname()).close()  # This wakes the server's `accept`.
    for thread in threads:
        thread.join(120)
    listener.close()


@pytest.mark.parametrize("answer", ANSWERS)
def test_download_ends_with_any_server_answer(
    answer: str, serve: Callable[[Answer], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "GRACE", 0.3)
    address, errors = serve(ANSWERS[answer]), []
    options: dict[str, Any] = {"cache": tmp_path, "timeouts": (2.0, 2.0), "attempts": 1}
    for work in (
        lambda client: client.get_json(address),
        lambda client: client.fetch(address, tmp_path / "cards.json", version="1", max_bytes=1 << 20),
    ):
        with Client("mtg", **options) as client:
            try:
                work(client)
            except CatalogError as error:
                errors.append(str(error))
    assert errors or (tmp_path / "cards.json").exists()
    assert all(
        len(words.splitlines()) <= 2 and words.isprintable() for text in errors for words in [text.replace("\n", " ")]
    )
    if "end" in answer or "refusal" in answer or "slow" in answer or "negative chunk" in answer:
        assert len(errors) == 2
    if "slow" in answer and "refusal" not in answer:
        assert all("did not answer in time" in words for words in errors), errors
        assert not (tmp_path / "cards.json").exists()


def test_no_answer_takes_longer_than_the_longest_time(
    serve: Callable[[Answer], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LONGEST_TIME", 0.5)
    steady = send_endlessly(HEAD + b'Content-Length: 1000000000\r\nETag: "1"\r\n\r\n', b"x" * 1000, 0.01)
    with (
        Client("mtg", cache=tmp_path, attempts=1) as client,
        pytest.raises(CatalogError, match=r"did not answer in time after \d+ of 1000000000 bytes"),
    ):
        client.fetch(serve(steady), tmp_path / "cards.json")
    assert (tmp_path / "cards.json.part").stat().st_size >= 1000  # The next run continues from there.
