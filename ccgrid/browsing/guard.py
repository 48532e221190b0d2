"""Access control for servers on this machine: token, cookie and host checks, and the port."""

import asyncio
import hmac
import socket
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import closing, contextmanager
from http import HTTPStatus
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from ccgrid.catalog.errors import CatalogError

LOOPBACK: Final = "127.0.0.1"
LONGEST_ANSWER: Final = 20
"""Seconds after which an answer that has not started is given up."""
_TOKEN: Final = "token"  # noqa: S105  the name of the parameter in an address
_OWN_SITES: Final = ("same-origin", "none")
"""Values of Sec-Fetch-Site for requests from pages of this server, and for addresses that the user typed."""

_CODE: Final = "code"
_JOIN_PAGE: Final = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Join</title>
<style>{style} main {{ max-width: 24rem; margin: 10vh auto; }} .letters {{ margin-top: var(--space-2);
font-size: var(--text-hero); text-align: center; text-transform: uppercase; letter-spacing: .2em; }}</style></head>
<body><main><h1>Join</h1>
<p role="alert">{message}</p>
<form action="{root}/"><label>The four letters on the board <input class="letters" name="code" maxlength="8"
autocomplete="off" autocapitalize="characters" spellcheck="false" required autofocus></label>
<button class="main">Join</button></form>
<p>Or scan the QR code next to them, or the one on the computer that runs ccgrid.</p></main></body>
</html>"""
"""The page for browsers without the token."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]
"""An ASGI application: it takes the scope of a request, and the functions that receive its body and send the answer."""


def is_this_machine(host: str) -> bool:
    """Return whether a Host header (`name:port`) is a numeric address, `localhost` or the name of this machine.

    This prevents DNS rebinding: a site could let its name resolve to this machine, and read the answers in its scripts.
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
        if name not in ("localhost", own := socket.gethostname().lower(), f"{own}.local"):
            ip_address(name)
    except ValueError:
        return False
    return True


def guard_pages(
    pages: Application,
    token: str,
    command: str,
    *,
    can_change: bool = False,
    longest: float | None = LONGEST_ANSWER,
    lifetime: int | None = None,
    join: Callable[[str, str], str] | None = None,
    style: str = "",
) -> Application:
    """Return an application that serves pages only to browsers with the token.

    The token is in the address of the first request, and then in a cookie. Other requests get one line of text before
    any page is computed, so that the time of an answer reveals nothing.

    Args:
        pages: the application to guard.
        token: the secret.
        command: the command that prints the address, for messages.
        can_change: whether pages of this server may send data.
        longest: seconds after which an answer that has not started is given up; None for no limit.
        lifetime: lifetime of the cookie in seconds; None until the browser is closed.
        join: returns the path for a typed code of a browser at an address, or raises CatalogError; None without codes.
        style: the style of the page on which a code is typed.
    """
    max_age = "" if lifetime is None else f"; Max-Age={lifetime}"

    async def answer(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await pages(scope, receive, send)
            return
        headers: dict[bytes, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name, []).append(value.decode("latin-1"))
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        tokens = [value for name, value in query if name == _TOKEN]
        cookie = f"ccgrid-{scope['server'][1]}"  # browsers send cookies to every port of a host
        if refusal := _refusal(scope["method"], headers, can_change=can_change):
            await _say(send, *refusal)
        elif tokens and _is_same(tokens[-1], token):
            rest = urlencode([(name, value) for name, value in query if name != _TOKEN])
            path = "/" + scope["raw_path"].decode("latin-1").lstrip("/")  # `//` would start a host name
            await _let_in(scope, send, f"{path}{'?' * bool(rest)}{rest}")
        elif not tokens and _is_same(_cookie(headers.get(b"cookie", []), cookie), token):
            await _in_time(pages, scope, receive, send, longest)
        elif join is None or scope["method"] != "GET":
            await _say(
                send,
                HTTPStatus.FORBIDDEN,
                f"Open the complete address that '{command}' printed, including the part after '?'.",
            )
        else:
            old = "This address is no longer valid." if tokens else ""
            await _join(scope, send, [value for name, value in query if name == _CODE], old)

    async def _let_in(scope: Message, send: Send, path: str) -> None:
        cookie = f"ccgrid-{scope['server'][1]}={token}; Path={scope.get('root_path', '')}/"
        cookie += f"; HttpOnly; SameSite=Strict{max_age}"
        await _say(send, HTTPStatus.FOUND, "", (b"location", path.encode("latin-1")), (b"set-cookie", cookie.encode()))

    async def _join(scope: Message, send: Send, codes: list[str], message: str) -> None:
        assert join is not None  # noqa: S101  checked by the caller
        root, path = scope.get("root_path", ""), ""
        try:
            path = join(codes[-1], scope["client"][0]) if codes else ""
        except CatalogError as error:
            message = str(error)
        if path:
            await _let_in(scope, send, root + path)
            return
        page = _JOIN_PAGE.format(message=message, root=root, style=style)
        await _say(send, HTTPStatus.FORBIDDEN, page, (b"content-type", b"text/html; charset=utf-8"))

    return answer


def _refusal(method: str, headers: dict[bytes, list[str]], *, can_change: bool) -> tuple[HTTPStatus, str] | None:
    """Return why a request is refused regardless of its token, or None."""
    hosts = headers.get(b"host", [])
    if len(hosts) != 1 or not is_this_machine(hosts[0]):
        return HTTPStatus.MISDIRECTED_REQUEST, "Use the address of this machine."
    sites, origins = headers.get(b"sec-fetch-site", []), headers.get(b"origin", [])
    if any(site not in _OWN_SITES for site in sites) or any(origin != f"http://{hosts[0]}" for origin in origins):
        return HTTPStatus.FORBIDDEN, "Another page requested this. Type the address into the browser yourself."
    if method == "POST" and can_change:
        own = bool(origins)  # browsers send an Origin header with every POST
        return None if own else (HTTPStatus.FORBIDDEN, "Only pages of this server may send data.")
    if method not in ("GET", "HEAD"):
        return HTTPStatus.METHOD_NOT_ALLOWED, "This is read-only."
    return None


def _is_same(text: str, token: str) -> bool:
    return hmac.compare_digest(text.encode(), token.encode())  # in constant time


def _cookie(headers: list[str], name: str) -> str:
    """Return the value of a cookie, or "" if there is none; other cookies of this host may be malformed."""
    pairs = (pair.strip().partition("=") for header in headers for pair in header.split(";"))
    return next((value for key, _, value in pairs if key == name), "")


async def _in_time(pages: Application, scope: Message, receive: Receive, send: Send, longest: float | None) -> None:
    is_begun = False

    async def noting(message: Message) -> None:
        nonlocal is_begun
        is_begun = True
        await send(message)

    try:
        async with asyncio.timeout(longest):
            await pages(scope, receive, noting)
    except TimeoutError:
        if not is_begun:  # after the status line, the answer can only be aborted
            await _say(
                send,
                HTTPStatus.SERVICE_UNAVAILABLE,
                "This took too long and was stopped. Ask for fewer rows or a simpler query.",
            )


async def _say(send: Send, status: HTTPStatus, line: str, *headers: tuple[bytes, bytes]) -> None:
    plain = [(b"cache-control", b"no-store"), *headers]
    if b"content-type" not in dict(headers):
        plain.append((b"content-type", b"text/plain; charset=utf-8"))
    if status >= HTTPStatus.BAD_REQUEST:  # else clients without a token could keep connections open
        plain.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status.value, "headers": plain})
    await send({"type": "http.response.body", "body": f"{line}\n".encode() if line else b""})


@contextmanager
def port_taken(host: str, port: int, command: str) -> Iterator[socket.socket]:
    """Bind a port of this machine; 0 selects any free port.

    Raises:
        CatalogError: If the port cannot be bound; the message suggests what to do.
    """
    try:
        address = ip_address(host)
    except ValueError:
        raise CatalogError(f"{host!r} is not an address of this machine: use one such as {LOOPBACK}.") from None
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    with closing(socket.socket(family, socket.SOCK_STREAM)) as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else Nagle's algorithm delays answers by 40 ms
        try:
            taken.bind((host, port))
        except OSError as error:
            why = error.strerror or error
            raise CatalogError(f"Port {port} is not available: {why}.\nUse another: {command} --port 0") from None
        yield taken
