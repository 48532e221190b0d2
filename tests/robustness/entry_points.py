"""Other entry points for untrusted input: terminals, the web server, the temporary folder, and resumed files.

Each takes a random number generator and an empty folder, tries one attack, and raises AssertionError if it does harm.
"""

import json
import os
import random
import re
import socket
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

import pexpect
from helpers.catalogues import row, write_rows
from helpers.forked_program import at_terminal
from helpers.processes import end_all, ends_with_test
from helpers.resume_files import RESUMED, numbers_in, resume, resume_file, with_number
from limits import DONE, REFUSED, limited

from ccgrid.catalog.collection.formats import all_formats

Attack = Callable[[random.Random, Path], None]

_ANSWER_SECONDS: Final = 120
"""Seconds for an answer; the machine may be busy."""
_PIECES: Final = (
    *("\x1b]0;owned\x07", "\x1b[2J", "\x9b31m", "\x1bP", "\x90q", "\u202e", "\u2066", "\u200b", "\u2028", "\x07"),
    *("\x08", "\x7f", "\r", "\n", "\t", "\0", "=1+4", " =1+4", "＝1", "+cmd|", "@SUM(A1)", '"', "'", ",", ";"),
    *("<script>", "../..", "/etc/passwd", "%00", "[bold]", "{x}", "é", "龍", "😀", "Drake", " ", "#", "//"),
)
_OWN_SEQUENCES: Final = re.compile(r"\x1b\[(?:[\d;]*m|\?(?:25|1049|2004)[hl]|\d*[AKC]|H\x1b\[2J)")
"""The program's own escape sequences: colours, progress bars, alternate screen, bracketed paste."""
_CONTROL_CATEGORIES: Final = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Unicode categories of characters that control a terminal or are invisible."""


def hostile_text(rng: random.Random) -> str:
    """Return a random sequence of malicious pieces of text."""
    return "".join(rng.choice(_PIECES) for _ in range(rng.randrange(1, 6)))


def _environment(folder: Path) -> dict[str, str]:
    variables = {name: value for name, value in os.environ.items() if not name.startswith("CCGRID_")}
    places = {"DB": "catalogue.db", "CACHE": "cache", "STATE": "state"}
    own = {f"CCGRID_{name}": str(folder / place) for name, place in places.items()}
    return {**variables, **own, "TERM": "xterm", "PAGER": "cat"}


def _at_terminal(words: list[str], environment: Mapping[str, str], folder: Path) -> str:
    """Run a command at a terminal and return its output; assert that it ends with one of the program's statuses."""
    child = at_terminal(words, environment, folder=folder)
    try:
        child.expect(pexpect.EOF, timeout=_ANSWER_SECONDS)
        child.close()
    finally:
        end_all()
    shown = str(child.before)
    assert child.exitstatus in (0, 1, 2, 3), (words, child.exitstatus, child.signalstatus, shown)
    assert "Traceback" not in shown, (words, shown)
    assert "a defect" not in shown, (words, shown)
    return shown


def terminal(rng: random.Random, folder: Path) -> None:
    """Export a collection of cards with malicious names at a terminal."""
    environment = _environment(folder)
    cards = [row(number, f"Evil {hostile_text(rng)}", rng.randrange(9)) for number in (1, 2)]
    write_rows(folder / "cards.jsonl", cards)
    for words in (["import", "mtg", "cards.jsonl"], ["collection", "add", "mtg:dsk/1", "--box", hostile_text(rng)]):
        _at_terminal(words, environment, folder)
    form = rng.choice([form.name for form in all_formats() if form.write is not None])
    shown = _OWN_SEQUENCES.sub("", _at_terminal(["collection", "export", "--format", form], environment, folder))
    acting = {
        one
        for one in shown.replace("\r\n", "\n")
        if one not in "\n\t" and unicodedata.category(one) in _CONTROL_CATEGORIES
    }
    assert not acting, (form, acting, shown)


def temporary_folders(rng: random.Random, folder: Path) -> None:
    """Run a command next to other users' temporary folders that resemble the program's own."""
    environment = {**_environment(folder), "TMPDIR": str(folder / "temporary")}
    for number in range(3):
        foreign = folder / "temporary" / f"ccgrid-{rng.choice(('main', 'venv', '0.1.0', 'x8_2kd0a', 'decks'))}-{number}"
        for name in rng.sample(("in-use", "content/data", ".git/HEAD", "notes", "ccgrid-temporary-folder.json"), 3):
            path = foreign / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(rng.choice(("", "{}", "mine", '{"what": "temporary folder of ccgrid", "format": 1}')))
        for path in (*foreign.rglob("*"), foreign):
            os.utime(path, (1e9, 1e9))
    before = _everything(folder / "temporary")
    write_rows(folder / "cards.jsonl", [row(1, "Drake")])
    commands = (["--version"], ["import", "mtg", "cards.jsonl"], ["stats"], ["doctor"], ["simulate", "grid"])
    words = rng.choice(commands)
    _at_terminal(words, environment, folder)
    after = _everything(folder / "temporary")
    assert after == before, (words, set(before.items()) ^ set(after.items()))


def _everything(folder: Path) -> dict[str, bytes | None]:
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def resume_files(rng: random.Random, folder: Path) -> None:
    """Resume from a file of counts with one or two changed numbers."""
    kind = rng.choice(list(RESUMED))
    data = resume_file(kind)
    for _ in range(rng.choice((1, 1, 2))):
        way = rng.choice(list(numbers_in(json.loads(data))))
        number = rng.choice((-1, 0, 1, 2, 9_999, -(2**63), 2**63, 10**400, 1e300, 0.5, rng.randrange(-50, 50)))
        data = with_number(data, way, number)
    path = folder / "counts.json"
    path.write_bytes(data)
    outcome = limited(lambda: resume(kind, path))
    assert outcome.how in (DONE, REFUSED), (kind, data, outcome)
    assert outcome.how == DONE or path.read_bytes() == data, (kind, data)


SECRET: Final = "Amber Drake"


class _Browse:
    """A `browse` server for a catalogue with one card, which runs until the fuzzing ends."""

    def __init__(self, folder: Path) -> None:
        environment = _environment(folder)
        write_rows(folder / "cards.jsonl", [row(1, SECRET)])
        _at_terminal(["import", "mtg", "cards.jsonl"], environment, folder)
        command = [sys.executable, "-m", "ccgrid", "browse", "--port", "0", "--json"]
        self.errors = (folder / "errors").open("w+b")
        self.process = subprocess.Popen(command, env=environment, cwd=folder, stdout=-1, stderr=self.errors)
        assert self.process.stdout is not None
        self.address = urlsplit(json.loads(self.process.stdout.readline())["address"])
        self.token = self.address.query.removeprefix("token=")

    @property
    def port(self) -> int:
        return self.address.port or 80

    def ask(self, method: str, target: str, *headers: str) -> tuple[int, bytes]:
        """Send a request; return the status of the answer, or 0 if there is none, and all its bytes."""
        lines = (f"{method} {target} HTTP/1.1", *headers, "Connection: close", "", "")
        answer = b""
        with (
            socket.create_connection(("127.0.0.1", self.port), timeout=_ANSWER_SECONDS) as connection,
            suppress(ConnectionError),
        ):
            connection.sendall("\r\n".join(lines).encode("utf-8", "surrogatepass"))
            while piece := connection.recv(1 << 16):
                answer += piece
        words = answer.split(b" ", 2)
        return int(words[1]) if len(words) > 2 and words[1].isdigit() else 0, answer


_browses: dict[int, _Browse] = {}
_PATHS: Final = (
    *(
        "/",
        "/catalogue",
        "/catalogue/cards",
        "/catalogue/cards.json",
        "/catalogue/cards.csv",
        "/catalogue.db",
        "/-/sql",
    ),
    *(
        "/catalogue/in_box.json",
        "/-/databases.json",
        "/-/metadata",
        "/-/settings.json",
        "/catalogue/-/query",
        "//evil.org",
    ),
    *("/catalogue/cards/1", "/-/static/app.css", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/-/actor.json"),
)
_KEYS: Final = (
    *("sql", "_search", "_where", "_sort", "_facet", "_size", "_next", "_shape", "_col", "name", "name__glob"),
    *("zones__arraycontains", "_trace", "_labels", "_extra", "_facet_array", "_stream", "_ttl", "token", "_json"),
)
_VALUES: Final = (
    *(
        "select 1",
        "select zeroblob(2000000000)",
        "1=1 or (select load_extension('x'))",
        "max",
        "-1",
        "99999999999999999999",
    ),
    *("with recursive c(x) as (select 1 union all select x+1 from c) select count(*) from c", "objects", "on", "rowid"),
    *("*" * 3000, "name", '"; drop table cards; --', "NEAR(", '"', "a" * 60_000),
)


def browse(rng: random.Random, folder: Path) -> None:
    """Send a request to `browse`: without the token it reveals nothing, and with the token nothing breaks."""
    served = _served(os.getpid())
    assert served.token, f"the address has no token: {served.address.geturl()}"
    query = "&".join(
        f"{rng.choice(_KEYS)}={quote(rng.choice((*_VALUES, hostile_text(rng))))}" for _ in range(rng.randrange(4))
    )
    target = f"{rng.choice(_PATHS)}?{query}"
    own, port = f"Host: 127.0.0.1:{served.port}", served.port
    cookie = f"Cookie: ccgrid-{port}={served.token}"
    strange = rng.choice(
        (
            [own],
            [own, f"Cookie: ccgrid-{port}={served.token[:-1]}"],
            [own, f"Cookie: ccgrid-{port}={hostile_text(rng)}"],
            [f"Host: evil.org:{port}", cookie],
            [f"Host: 127.0.0.1.evil.org:{port}", cookie],
            [own, f"Host: evil.org:{port}", cookie],
            [own, cookie, "Origin: http://evil.org"],
            [own, cookie, "Sec-Fetch-Site: cross-site"],
            [own, cookie, f"Origin: {quote(hostile_text(rng))}"],
            [cookie],
        )
    )
    method = rng.choice(("GET", "GET", "HEAD", "POST", "OPTIONS", "PUT"))
    status, answer = served.ask(method, target, *strange)
    assert status == 0 or 400 <= status < 500, (method, target, strange, answer[:2000])
    assert SECRET.encode() not in answer, (method, target, strange, answer[:2000])
    target = re.sub("token=[^&]*", "x=1", target)
    status, answer = served.ask("GET", target, own, cookie)
    assert status >= 200, (target, answer)  # Datasette also reports unsortable columns with status 500.
    assert b"Traceback" not in answer, (target, answer)
    assert served.process.poll() is None, "browse has ended"
    served.errors.seek(0)
    errors = served.errors.read().decode("utf-8", "replace")
    assert "Traceback" not in errors, (target, errors[-3000:])


def _served(process: int) -> _Browse:
    """Return the server of this process; every forked process starts its own."""
    if process not in _browses:
        import tempfile

        _browses[process] = _Browse(Path(tempfile.mkdtemp()))
    return _browses[process]


def close() -> None:
    """End the processes started in this process."""
    if served := _browses.pop(os.getpid(), None):
        ends_with_test(served.process)
        end_all()
        served.errors.close()


ATTACKS: Final[dict[str, Attack]] = {
    "collection export at a terminal": terminal,
    "temporary folders": temporary_folders,
    "resume files": resume_files,
    **({"browse": browse} if find_spec("datasette") is not None else {}),
}
"""All entry points by description; `browse` only if its extra is installed."""
