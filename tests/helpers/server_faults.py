"""What goes wrong with an answer of a server: faults on order."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Fault:
    """How one answer differs from a good one; what is None is as it should be."""

    status: int | None = None
    headers: Mapping[str, str | None] = field(default_factory=dict)
    """Headers to set; None removes one."""
    body: bytes | None = None
    """What is sent in place of the content, with its own Content-Length unless `headers` says otherwise."""
    cut_after: int | None = None
    """Bytes of the body after which the connection is closed."""
    stall: float = 0.0
    """Seconds of silence before the body's first byte, or before the cut."""
    ignore_range: bool = False
    ignore_if_range: bool = False
    hang_up: bool = False
    """Close the connection without a word."""


def unavailable(status: int = 503, **headers: str) -> Fault:
    """The server is down for a moment."""
    return Fault(status, {name.replace("_", "-"): value for name, value in headers.items()}, b"try later")


def too_many(retry_after: str | None) -> Fault:
    """429, as Scryfall says it."""
    details = "You are being rate limited. Please slow down."
    document = {"object": "error", "code": "rate_limited", "status": 429, "details": details}
    headers = {"Content-Type": "application/json", "Retry-After": retry_after}
    return Fault(429, headers, json.dumps(document).encode())


def refusal(status: int, details: str) -> Fault:
    """An error object, as Scryfall sends it."""
    document = {"object": "error", "code": "bad_request", "status": status, "details": details}
    return Fault(status, {"Content-Type": "application/json; charset=utf-8"}, json.dumps(document).encode())


def cut(after: int, *, stall: float = 0.0, ignore_range: bool = False) -> Fault:
    """The connection breaks off after so many bytes of the body."""
    return Fault(cut_after=after, stall=stall, ignore_range=ignore_range)


def redirect(target: str, status: int = 302) -> Fault:
    """Sends the client elsewhere."""
    return Fault(status, {"Location": target}, b"")


def web_page() -> Fault:
    """What a hotel's network answers to everything: status 200 and a page to sign in."""
    page = b"<!DOCTYPE html>\n<html><body>Welcome! Please sign in.</body></html>"
    return Fault(200, {"Content-Type": "text/html", "ETag": None, "Last-Modified": None}, page)


def replaced(body: bytes, **headers: str | None) -> Fault:
    """The right headers, the wrong bytes."""
    return Fault(body=body, headers={name.replace("_", "-"): value for name, value in headers.items()})
