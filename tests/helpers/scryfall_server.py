"""A local imitation of Scryfall's API with configurable faults. It never uses the network.

    with ScryfallServer([{"object": "card", "id": "…", "name": "Opt", …}]) as server:
        server.url                                     # the API's base address: "http://127.0.0.1:40123"
        server.fail("/bulk-data", unavailable(), unavailable())        # the next two answers
        server.fail(server.file_path(), cut(after=1000))
        …
        server.seen("/bulk-data")                      # the requests for that path, with their headers

It answers `GET /bulk-data` (the list), `GET /bulk-data/<type>` (one object; `default-cards` and `default_cards` are
the same), and the file each object names: gzip JSON Lines with ETag, Last-Modified, Range and If-Range. A file that
is `put` with Content-Encoding gzip is unpacked for a client that does not accept it, as large hosts do. The objects
have the keys that Scryfall has sent since July 2026; with `old_style=True` also the earlier keys, and the plain JSON
array that they point to. Like Scryfall, it rejects API requests with a library's default User-Agent or without Accept.
`publish` adds a new edition; `put` adds any other file. Tests of the whole command pass `server.url` to it if
the API's address can be set. It runs in its own threads; `requests` is complete once an answer has been read.
"""

import gzip
import json
import re
import ssl
import threading
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import format_datetime
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from uuid import NAMESPACE_URL, uuid5

from helpers.server_faults import Fault, refusal

KINDS = {
    "oracle_cards": "Oracle Cards",
    "unique_artwork": "Unique Artwork",
    "default_cards": "Default Cards",
    "all_cards": "All Cards",
    "rulings": "Rulings",
}
LIBRARIES = re.compile(
    r"(python-requests|python-urllib3?|python-httpx|aiohttp|curl|wget|go-http-client|java|axios|okhttp)\b"
)


@dataclass(frozen=True)
class Seen:
    """A received request."""

    path: str
    headers: dict[str, str]
    """Names in lower case."""


@dataclass(frozen=True)
class File:
    body: bytes
    headers: Mapping[str, str | None]


def packed_lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Return cards as a bulk file: gzipped, one JSON object per line. Equal rows give equal bytes."""
    lines = "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    return gzip.compress(lines.encode(), mtime=0)


class ScryfallServer:
    """The server of this module, a context manager; `url` is valid during the block."""

    def __init__(
        self,
        rows: Iterable[Mapping[str, Any]] = (),
        *,
        updated_at: str = "2026-11-20T21:05:08.123+00:00",
        old_style: bool = False,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.requests: list[Seen] = []
        self._old_style = old_style
        self._files: dict[str, File] = {}
        self._bulk: dict[str, dict[str, Any]] = {}
        self._faults: defaultdict[str, deque[Fault]] = defaultdict(deque)
        self._always: dict[str, Fault] = {}
        self._closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.fake = self
        scheme = "http"
        if tls:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
            scheme = "https"
        self.url = f"{scheme}://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.publish(rows, updated_at)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop the server: connections to `url` fail from now on."""
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def publish(self, rows: Iterable[Mapping[str, Any]], updated_at: str, kinds: Iterable[str] = KINDS) -> None:
        """Add an edition of these kinds of bulk file, all with the same rows, at separate addresses."""
        rows = list(rows)
        body = packed_lines(rows)
        stamp = re.sub(r"\D", "", updated_at)[:14]
        for kind in kinds:
            slug = kind.replace("_", "-")
            name = f"/file/{slug}/{slug}-{stamp}"
            entry: dict[str, Any] = {
                "object": "bulk_data",
                "id": str(uuid5(NAMESPACE_URL, kind)),
                "type": kind,
                "updated_at": updated_at,
                "uri": f"{self.url}/bulk-data/{uuid5(NAMESPACE_URL, kind)}",
                "name": KINDS.get(kind, kind),
                "description": "A file containing cards.",
                "jsonl_download_uri": f"{self.url}{name}.jsonl.gz",
                "compressed_size": len(body),
            }
            self.put(f"{name}.jsonl.gz", body, updated_at=updated_at)
            if self._old_style:
                array = b"[\n" + b",\n".join(json.dumps(row).encode() for row in rows) + b"\n]"
                entry |= {
                    "download_uri": f"{self.url}{name}.json",
                    "size": len(array),
                    "content_type": "application/json",
                    "content_encoding": "gzip",
                }
                self.put(f"{name}.json", array, updated_at=updated_at)
            self._bulk[kind] = entry

    def put(
        self, path: str, body: bytes, *, updated_at: str | None = None, headers: Mapping[str, str | None] | None = None
    ) -> str:
        """Add a file, and return its address. It has an ETag, and with `updated_at` a Last-Modified."""
        default: dict[str, str | None] = {
            "Content-Type": "application/octet-stream",
            "ETag": f'"{sha256(body).hexdigest()[:20]}"',
        }
        if updated_at:
            moment = datetime.fromisoformat(updated_at).astimezone(UTC).replace(microsecond=0)
            default["Last-Modified"] = format_datetime(moment, usegmt=True)
        self._files[path] = File(body, default | dict(headers or {}))
        return f"{self.url}{path}"

    def fail(self, path: str, *faults: Fault) -> None:
        """Answer the next requests for `path` with these faults, one each."""
        self._faults[path].extend(faults)

    def fail_always(self, path: str, fault: Fault) -> None:
        """Answer every request for `path` with this fault after the faults from `fail`."""
        self._always[path] = fault

    def heal(self) -> None:
        """Remove all faults."""
        self._faults.clear()
        self._always.clear()

    def bulk_object(self, kind: str = "default_cards") -> dict[str, Any]:
        """Return the API's object for a kind of bulk file; changes to it are visible to clients."""
        return self._bulk[kind]

    def file_path(self, kind: str = "default_cards") -> str:
        """Return the path of the current file of a kind."""
        return str(self._bulk[kind]["jsonl_download_uri"]).removeprefix(self.url)

    def file_body(self, kind: str = "default_cards") -> bytes:
        """Return the bytes of the current file of a kind."""
        return self._files[self.file_path(kind)].body

    def seen(self, path: str) -> list[Seen]:
        """Return the requests for `path`, in the order of their arrival."""
        return [request for request in self.requests if request.path == path]

    def _fault(self, path: str) -> Fault:
        waiting = self._faults[path]
        return waiting.popleft() if waiting else self._always.get(path, Fault())

    def _find(self, path: str) -> File | None:
        if path in self._files:
            return self._files[path]
        document: dict[str, Any] | None = None
        if path == "/bulk-data":
            document = {"object": "list", "data": list(self._bulk.values()), "has_more": False}
        elif path.startswith("/bulk-data/"):
            asked = path.removeprefix("/bulk-data/")
            found = (one for one in self._bulk.values() if asked.replace("-", "_") == one["type"] or asked == one["id"])
            document = next(found, None)
        if document is None:
            return None
        return File(json.dumps(document).encode(), {"Content-Type": "application/json; charset=utf-8"})


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    fake: ScryfallServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors: in many tests the client closes the connection."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # Otherwise each answer is delayed by 40 ms: its body is sent after its head.
    timeout = 120
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass

    def do_GET(self) -> None:
        fake = self.server.fake
        headers = {name.lower(): value for name, value in self.headers.items()}
        fake.requests.append(Seen(self.path, headers))
        fault = fake._fault(self.path)
        if fault.hang_up:
            self.close_connection = True
            return
        if not self.path.startswith("/file/") and (refused := self._impolite(headers)):
            self._send(refused.status or 400, dict(refused.headers), refused.body or b"", Fault())
            return
        file = fake._find(self.path)
        if file is None and fault.body is None:
            gone = refusal(404, "No file or object could be found here.")
            self._send(404, dict(gone.headers), gone.body or b"", Fault())
            return
        status, answer, body = self._good(file, headers, fault)
        if fault.body is not None:
            status, body = 200, fault.body
        self._send(fault.status or status, {**answer, **fault.headers}, body, fault)

    @staticmethod
    def _impolite(headers: Mapping[str, str]) -> Fault | None:
        agent = headers.get("user-agent", "")
        if not agent or "accept" not in headers:
            return refusal(400, "HTTP requests to api.scryfall.com must contain a User-Agent and Accept header.")
        if LIBRARIES.match(agent.lower()):
            answer = refusal(400, "Your User-Agent string is currently a default value supplied by your HTTP library.")
            document = json.loads(answer.body or b"") | {"subcode": "generic_user_agent"}
            return replace(answer, body=json.dumps(document).encode())
        return None

    @staticmethod
    def _good(file: File | None, asked: Mapping[str, str], fault: Fault) -> tuple[int, dict[str, str | None], bytes]:
        """Return the correct answer: the file, its missing part, or "not modified"."""
        if file is None:
            return 200, {}, b""
        headers, body = dict(file.headers), file.body
        if headers.get("Content-Encoding") == "gzip" and "gzip" not in asked.get("accept-encoding", ""):
            del headers["Content-Encoding"]
            body = gzip.decompress(body)
        etag, modified = headers.get("ETag"), headers.get("Last-Modified")
        if "if-none-match" in asked:
            if asked["if-none-match"] == etag:
                return 304, headers, b""
        elif modified and asked.get("if-modified-since") == modified:
            return 304, headers, b""
        wanted = re.fullmatch(r"bytes=(\d+)-", asked.get("range", ""))
        current = fault.ignore_if_range or asked.get("if-range") in (None, etag, modified)
        if not wanted or not current or fault.ignore_range:
            return 200, headers, body
        first = int(wanted[1])
        if first >= len(body):
            return 416, headers | {"Content-Range": f"bytes */{len(body)}"}, b""
        return 206, headers | {"Content-Range": f"bytes {first}-{len(body) - 1}/{len(body)}"}, body[first:]

    def _send(self, status: int, headers: dict[str, str | None], body: bytes, fault: Fault) -> None:
        self.send_response_only(status)
        headers = {"Date": self.date_time_string(), **headers}
        if status != 304:
            headers = {"Content-Length": str(len(body)), **headers}
        for name, value in headers.items():
            if value is not None:
                self.send_header(name, value)
        if headers.get("Content-Length") is None and status != 304:
            self.close_connection = True
            self.send_header("Connection", "close")
        self.end_headers()
        if fault.cut_after is not None:
            body = body[: fault.cut_after]
            self.close_connection = True
        elif fault.stall:
            self.server.fake._closing.wait(fault.stall)
        self.wfile.write(body)
        self.wfile.flush()
        if fault.cut_after is not None and fault.stall:
            self.server.fake._closing.wait(fault.stall)
