"""The fast entry of cards at a keyboard: reads lines, says what each did, completes names as one types."""

import sys
from collections.abc import Iterable, Iterator, Sequence

from catalog.card import CatalogError
from catalog.collection.session import EntrySession, UnsureError
from catalog.store.holdings import CollectionStore, CopyKey
from catalog.store.transactions import transaction
from ccgrid.terminal.choosing import asking
from ccgrid.terminal.completing import complete_lines, kept_beginnings
from ccgrid.view.collection import show_session
from ccgrid.view.output import remark, show, show_json
from ccgrid.view.streams import input_line


def run_session(
    collection: CollectionStore, games: Sequence[str], set_code: str, kind: CopyKey, *, as_json: bool
) -> int:
    """Reads lines from a terminal or a pipe until they end, prints one summary, and returns how many lines failed.

    At a terminal each line is kept at once, and none counts as failed: whoever sat there has seen it. What comes from a
    pipe is read to its end and then kept whole, or not at all.
    """
    session = EntrySession(collection, games, set_code, kind, asking(as_json=as_json))
    talks = sys.stdin.isatty()
    if not talks:
        lines = list(sys.stdin)
        with transaction(collection.store.connection, "add cards from standard input", collection.waiting):
            _enter_all(session, lines, talks=False)
    else:
        show("A card a line: a number of the set or a name. ? tells more, an empty line or end ends.")
        complete_lines(lambda line: kept_beginnings(line, session.complete(line)))
        try:
            _enter_all(session, _typed(session), talks=True)
        except KeyboardInterrupt:
            show_session(session)
            raise
    if as_json:
        show_json(session.to_dict())
    else:
        show_session(session)
    return 0 if talks else session.failed


def _enter_all(session: EntrySession, lines: Iterable[str], *, talks: bool) -> None:
    for line in lines:
        try:
            said = session.enter(line)
        except UnsureError as error:
            _complain(line, error, talks)
            said = _asked(session, error) if talks else ""
        except CatalogError as error:
            _complain(line, error, talks)
            continue
        if said and talks:
            show(said)
        if session.is_over:
            break


def _complain(line: str, error: CatalogError, talks: bool) -> None:
    """Says why nothing was added, in one line, with the line itself where nobody has just typed it."""
    why = str(error).replace("\n", " ")
    remark(why if talks else f"{line.strip()[:100]!r}: {why}")


def _typed(session: EntrySession) -> Iterator[str]:
    while True:
        try:
            yield input_line(f"{session.prompt}> ") or ("" if session.asks else "end")
        except (EOFError, KeyboardInterrupt):
            return


def _asked(session: EntrySession, unsure: UnsureError) -> str:
    """What was added after somebody has said what was meant, nothing where that is none of the choices."""
    several = len(unsure.choices) > 1
    if several:
        for number, choice in enumerate(unsure.choices, 1):
            show(f"  {number}: {choice}")
    answer, question = "?", "Which? A number, or nothing for none: " if several else "Add them? yes or no: "
    while answer == "?":
        try:
            answer = input_line(question).strip()
        except (EOFError, KeyboardInterrupt):
            answer = ""
        if answer == "?":
            show("The number adds that one; anything else adds nothing." if several else "yes adds them, no does not.")
    chosen = int(answer) if answer.isdecimal() and len(answer) < 3 else 0
    if several and 0 < chosen <= len(unsure.choices):
        return session.take(unsure.choices[chosen - 1])
    if not several and answer.casefold() in ("y", "yes"):
        return session.take(unsure.choices[0])
    return "Nothing is added."
