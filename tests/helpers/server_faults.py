"""Faults in the answers of a server."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Fault:
    """The differences of one answer from a correct one; None means no difference."""

    status: int | None = None
    headers: Mapping[str, str | None] = field(default_factory=dict)
    """Headers to set; None removes one."""
    body: bytes | None = None
    """The replacement of the content, with its own Content-Length unless `headers` sets one."""
    cut_after: int | None = None
    """Bytes of the body after which the connection is closed."""
    stall: float = 0.0
    """Seconds of silence before the body's first byte, or before the cut."""
    ignore_range: bool = False
    ignore_if_range: bool = False
    hang_up: bool = False
    """Whether to close the connection without an answer."""


def unavailable(status: int = 503, **headers: str) -> Fault:
    """Return an answer of a server that is temporarily unavailable."""
    return Fault(status, {name.replace("_", "-"): value for name, value in headers.items()}, b"try later")


def too_many(retry_after: str | None) -> Fault:
    """Return Scryfall's answer to too many requests: status 429."""
    details = "You are being rate limited. Please slow down."
    document = {"object": "error", "code": "rate_limited", "status": 429, "details": details}
    headers = {"Content-Type": "application/json", "Retry-After": retry_after}
    return Fault(429, headers, json.dumps(document).encode())


def refusal(status: int, details: str) -> Fault:
    """Return an error object in Scryfall's format."""
    document = {"object": "error", "code": "bad_request", "status": status, "details": details}
    return Fault(status, {"Content-Type": "application/json; charset=utf-8"}, json.dumps(document).encode())


def cut(after: int, *, stall: float = 0.0, ignore_range: bool = False) -> Fault:
    """Close the connection after this many bytes of the body."""
    return Fault(cut_after=after, stall=stall, ignore_range=ignore_range)


def redirect(target: str, status: int = 302) -> Fault:
    """Redirect the client."""
    return Fault(status, {"Location": target}, b"")


def web_page() -> Fault:
    """Return a login page with status 200, as a hotel's network answers every request."""
    page = b"<!DOCTYPE html>\n<html><body>Welcome! Please sign in.</body></html>"
    return Fault(200, {"Content-Type": "text/html", "ETag": None, "Last-Modified": None}, page)


def replaced(body: bytes, **headers: str | None) -> Fault:
    """Return correct headers with another body."""
    return Fault(body=body, headers={name.replace("_", "-"): value for name, value in headers.items()})
