"""What a shell completes behind an option or in place of an argument; what it needs is imported when it is asked."""

import os
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import typer

from ccgrid.view.text import visible

Words = Iterable[str | tuple[str, str]]


def complete_card_games(ctx: typer.Context, incomplete: str) -> list[Any]:
    """The card games of which there are cards."""
    return _offered(_services().card_games(_database(ctx)), incomplete)


def complete_sets(ctx: typer.Context, incomplete: str) -> list[Any]:
    """The codes of sets, of the games that are named before."""
    games = ctx.params.get("games") or ctx.params.get("game") or ()
    games = [games] if isinstance(games, str) else games
    return _safe(_services().sets(_database(ctx), tuple(games), incomplete))


def complete_boxes(ctx: typer.Context, incomplete: str) -> list[Any]:
    """The boxes of the collection."""
    return _offered(_services().boxes(_database(ctx)), incomplete)


def complete_decks_out(ctx: typer.Context, incomplete: str) -> list[Any]:
    """The decks that are out of their boxes."""
    return _offered(_services().decks_out(_database(ctx)), incomplete)


def complete_sources(incomplete: str) -> list[Any]:
    """The sources of cards."""
    return _offered(_services().sources(), incomplete)


def complete_layouts(incomplete: str) -> list[Any]:
    """The layouts that have a name."""
    return _offered(_services().layouts(), incomplete)


def complete_formats(incomplete: str) -> list[Any]:
    """The formats of collections."""
    return _offered([(one.name, one.title) for one in _formats()], incomplete)


def complete_written_formats(incomplete: str) -> list[Any]:
    """The formats in which a collection can be written."""
    return _offered([(one.name, one.title) for one in _formats() if one.write is not None], incomplete)


def complete_query(ctx: typer.Context, incomplete: str) -> list[Any]:
    """What a query may ask about, and behind its colon the games, sets, boxes and flags that there are."""
    queries = import_module("ccgrid.catalog.queries")
    *before, word = incomplete.rsplit(" ", 1)
    asked, colon, begun = word.partition(":")
    start = "".join(f"{part} " for part in before) + asked + colon
    words: Words = [(f"{start.removesuffix(asked)}{field.name}:", field.about) for field in queries.FIELDS]
    if colon and asked in ("game", "box", "is", "sort"):
        offered = {"is": queries.FLAGS, "sort": queries.SORTS}.get(asked)
        known = _services().card_games if asked == "game" else _services().boxes
        found = known(_database(ctx)) if offered is None else offered
        words = [f'{start}"{one}"' if " " in one else f"{start}{one}" for one in found]
    elif colon and asked == "set":
        games = tuple(ctx.params.get("games") or ())
        words = [(f"{start}{code}", name) for code, name in _services().sets(_database(ctx), games, begun)]
    return _offered(words, incomplete)


def _services() -> Any:
    return import_module("ccgrid.services.completion")


def _formats() -> Any:
    return import_module("ccgrid.catalog.collection.formats").FORMATS


def _database(ctx: typer.Context) -> Path | None:
    """The catalogue that the line names, as far as it is typed."""
    named = ctx.params.get("database")
    return Path(named) if named else None


def _offered(words: Words, incomplete: str) -> list[Any]:
    """Those of the words that begin so; of a pair the second says what it is."""
    return _safe(one for one in words if (one if isinstance(one, str) else one[0]).startswith(incomplete))


def _safe(words: Words) -> list[Any]:
    """The words as the shell takes them: bash puts them into the line as they are, so that blanks need a backslash.

    A word that would act on the terminal is not offered: nobody could type it.
    """
    pairs = ((one, "") if isinstance(one, str) else one for one in words)
    words = [(word, visible(what)) if what else word for word, what in pairs if visible(word) == word]
    if not os.environ.get("_CCGRID_COMPLETE", "").endswith("bash"):
        return words
    plain = (one if isinstance(one, str) else one[0] for one in words)
    return ["".join(f"\\{c}" if c in " '\"\\$&();<>|*?#!`" else c for c in word) for word in plain]
