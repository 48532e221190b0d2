"""Small answers: read whole within bounds, unpacked where the server packed them, and decoded from JSON."""

import zlib
from typing import Any

from catalog.amounts import amount
from catalog.download.connection import Answer
from catalog.download.transfer import is_web_page
from catalog.download.trouble import DownloadError, NetworkError, TemporaryError, plain


def read_body(answer: Answer, limit: int) -> bytes:
    """The body of an answer, unpacked.

    Raises:
        DownloadError: it has more than `limit` bytes.
        TemporaryError: it broke off.
        NetworkError: it is packed in a way that was not asked for, or garbled.
    """
    content = bytearray()
    for chunk in answer.chunks():
        content += chunk
        if len(content) > limit:
            raise _too_long(answer, limit)
    if answer.length is not None and len(content) < answer.length:
        raise TemporaryError(f"the connection to {answer.host} broke off after {len(content)} of {answer.length} bytes")
    match answer.headers.get("Content-Encoding", "identity").strip().lower():
        case "identity" | "":
            return bytes(content)
        case "gzip" | "x-gzip":
            return _unpack(answer, content, limit)
        case other:
            raise NetworkError(f"{answer.host} packed its answer as {plain(other, 40)!r}, which was not asked for")


def _unpack(answer: Answer, content: bytearray, limit: int) -> bytes:
    unpacker = zlib.decompressobj(wbits=31)
    try:
        body = unpacker.decompress(content, limit + 1)
    except zlib.error as error:
        raise NetworkError(f"{answer.host} sent a garbled answer") from error
    if len(body) > limit:
        raise _too_long(answer, limit)
    if not unpacker.eof:
        raise TemporaryError(f"{answer.host} sent an answer that is cut short")
    return body


def _too_long(answer: Answer, limit: int) -> DownloadError:
    return DownloadError(f"{answer.host} sent an answer of more than {amount(limit)}, which is not read.")


def decode(body: bytes, host: str) -> Any:
    """A JSON document.

    Raises:
        NetworkError: it is none; the message says what it is instead.
    """
    import msgspec

    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        if is_web_page(body):
            raise NetworkError(f"{host} sent a web page, not data: does this network want a sign-in?") from error
        start = plain(body[:200].decode("utf-8", "replace"), 60)
        what = f"this instead of JSON: {start!r}" if body else "an empty answer instead of JSON"
        raise NetworkError(f"{host} sent {what}") from error
