"""A game on a terminal: its picture, its moves, its rules and its lessons."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, Final

import msgspec

from ccgrid.catalog.formatting import counted
from ccgrid.engine.cards import NamedCard
from ccgrid.engine.errors import harmless
from ccgrid.engine.game import AnyGame, State
from ccgrid.engine.game_view import GameView, MoveGroup
from ccgrid.engine.games import find_game
from ccgrid.engine.options import Option
from ccgrid.engine.picture import Words
from ccgrid.engine.records.record import Ply
from ccgrid.view.output import Drawing, console, is_on_terminal, printable, show, show_markdown
from ccgrid.view.pictures import cut, draw, picture_cells, player_name, say
from ccgrid.view.streams import send
from ccgrid.view.text import pad, shorten, third_person, width

if TYPE_CHECKING:
    from ccgrid.engine.insight.lessons import MeasuredLesson
    from ccgrid.services.referee import LineMeaning

_LOW: Final = 30
"""The number of lines below which a terminal shows low boards."""

_MORE: Final = 2
_LINES_FOR_MOVES: Final = 10
"""The number of additional lines of each card on a high terminal, and of lines that must remain for the moves."""

_BESIDE_THE_BOARD: Final = 3
_ABOVE_THE_BOARD: Final = 2
"""The numbers of lines besides board and list of moves (the played moves, an empty line, and the prompt), and of those
above the board."""

_NARROWEST: Final = 18
_GAP: Final = 2
"""The minimum width of a column of moves, and the gap between two columns, in cells."""

_LONGEST_HEADING: Final = 36
_LONGEST_CHOICE: Final = 40
_SHORTER: Final = (24, 18, 13)
"""Maximum cells of a name in a list that is longer than the screen with longer names, so that it has more columns."""


def draw_state(
    game: str, state: State, last: str | None = None, seat: int | None = None, *, whole: bool = False
) -> Drawing:
    """Return the picture of a position.

    Args:
        game: The name of the game.
        state: The position.
        last: The move that led to it, or empty.
        seat: The seat whose view it is; None for a view that belongs to no seat.
        whole: Whether to omit nothing, even on a terminal with few lines.
    """
    picture, cells = _view(game).picture(state, seat, last), picture_cells()
    if whole or not is_on_terminal() or console().height < _LOW:
        return draw(picture, cells, low=not whole and is_on_terminal())
    drawings = (draw(picture, cells, more=more) for more in range(_MORE, 0, -1))
    room = console().height - _BESIDE_THE_BOARD - _LINES_FOR_MOVES
    return next((drawing for drawing in drawings if len(drawing.lines) <= room), draw(picture, cells))


def _view(game: str) -> GameView[State]:
    return find_game(game).pictures


def only_end_counts(game: str) -> bool:
    """Return whether points may be lost again, so that only the last position determines the winner."""
    return _view(game).only_end_counts


def show_position(
    game: str, state: State, last: str | None = None, seat: int | None = None, *, whole: bool = False
) -> None:
    """Print a position, and the scores if its picture lacks them; with `whole` omit nothing."""
    show(draw_state(game, state, last, seat, whole=whole))
    if not _view(game).shows_scores:
        show(score_line(state))


def show_hidden(game: str, state: State) -> None:
    """Print the hidden cards of a full position, if there are any."""
    if (hidden := _view(game).hidden) is not None:
        show(draw(hidden(state), picture_cells()))


def describe_move(game: str, state: State, move: str) -> str:
    """Return the effect of a legal move in a few words."""
    return say(_view(game).describe(state, move))


def turn_lines(game: str, plies: Iterable[Ply]) -> list[str]:
    """Return what the other players may know about moves that were made, one text for each turn."""
    view, texts = _view(game), []
    for player, turn in groupby(plies, key=lambda ply: ply.player):
        name = player_name(player)
        if view.tell is None:
            texts += [
                f"{third_person(name, 'plays')} {printable(ply.move)}: {say(view.describe(ply.state, ply.move))}"
                for ply in turn
            ]
        else:
            texts.append(f"{name}: {'; '.join(say(view.tell(ply.state, ply.move)) for ply in turn)}")
    return texts


def score_line(state: State) -> str:
    """Return the current scores in one line."""
    scores = zip(state.players, state.scores(), strict=True)
    return ", ".join(f"{player_name(player)} {score}" for player, score in scores)


def show_moves(game: str, state: State, moves: Sequence[str], *, whole: bool = False) -> None:
    """Print the legal moves, numbered from 1, each with its effect.

    On a terminal the list leaves the board visible above it; if that is impossible, only their number is printed.
    With `whole` the list is always printed.
    """
    if not is_on_terminal():
        show(*_one_by_one(game, state, moves))
        return
    screen, view = console(), _view(game)
    board = draw_state(game, state, seat=state.to_move).plain.count("\n") + (1 if view.shows_scores else 2)
    room = screen.height - board - _BESIDE_THE_BOARD
    if view.groups is None:
        show(*in_columns(_one_by_one(game, state, moves), screen.width, room))
        return
    found = view.groups(state)
    numbers = {move: number for number, move in enumerate(moves, 1)}
    listed = _fitting_lines(
        lambda most: _in_groups(found, numbers, screen.width, most, effects=True),
        _LONGEST_CHOICE,
        screen.height if whole else sys.maxsize,
    )
    short = _in_groups(found, numbers, screen.width, _LONGEST_CHOICE, effects=False)
    if view.legend is not None:
        listed = [say(view.legend(state)), *listed]
    # Effects without their legend would be riddles: for both, the lines above the board may scroll away.
    if whole or len(listed) <= room + (_ABOVE_THE_BOARD if view.legend is not None else 0):
        show(*listed)
        return
    if len(short) <= room:
        show(*short)
        return
    headings = "; ".join(cut(say(group.heading), _LONGEST_HEADING) for group in found)
    number = f"{counted(len(moves), 'move')}; type moves to list them."
    what = f" Kinds of moves: {headings}"
    show(number + what if room > 0 or width(number + what) <= screen.width else number)


def _one_by_one(game: str, state: State, moves: Sequence[str]) -> list[str]:
    digits, longest = len(str(len(moves))), max(map(len, moves), default=0)
    return [
        printable(f"{number:>{digits}}  {move:<{longest}}  {describe_move(game, state, move)}".rstrip())
        for number, move in enumerate(moves, 1)
    ]


def _fitting_lines(lines_with: Callable[[int], list[str]], longest: int, room: int) -> list[str]:
    """Return the lines with the longest names, of at most `longest` cells, with which they are at most `room`."""
    lines = lines_with(longest)
    for most in _SHORTER:
        if len(lines) < room:
            break
        lines = lines_with(most)
    return lines


def _in_groups(
    groups: Sequence[MoveGroup], numbers: Mapping[str, int], cells: int, longest: int, *, effects: bool
) -> list[str]:
    """Return lines of at most `cells` cells: for each group its heading, then its moves in columns."""
    headings = [say(group.heading) for group in groups]
    margin = min(max(map(width, headings), default=0), _LONGEST_HEADING) + _GAP
    lines = []
    for heading, group in zip(headings, groups, strict=True):
        texts = []
        for choice in group.choices:
            number, effect = f"{numbers[choice.move]} ", f" {choice.effect}" if effects else ""
            room = cells - margin - width(number + effect) if len(group.choices) == 1 else longest
            texts.append(f"{number}{cut(say(choice.short), max(room, longest))}{effect}".rstrip())
        inner = max(map(width, texts))
        columns = max(1, (cells - margin + _GAP) // (inner + _GAP))
        first = pad(heading, margin - _GAP) + " " * _GAP
        for start in range(0, len(texts), columns):
            row = (" " * _GAP).join(pad(text, inner) for text in texts[start : start + columns])
            lines.append(f"{first if start == 0 else ' ' * margin}{row}".rstrip())
    return lines


def in_columns(texts: Sequence[str], cells: int, most: int) -> list[str]:
    """Return lines of at most `cells` cells with texts in columns, to be read downwards.

    The number of columns is the smallest that needs at most `most` lines, unless the columns would be too narrow.

    >>> in_columns(["1 a1xb1", "2 a1xb2", "3 b1xc1"], 40, 2)
    ['1 a1xb1              3 b1xc1', '2 a1xb2']
    """
    most_columns = max(1, (cells + _GAP) // (_NARROWEST + _GAP))
    columns = min(most_columns, -(-len(texts) // max(most, 1))) or 1
    height = -(-len(texts) // columns)
    inner = (cells + _GAP) // columns - _GAP
    rows = (texts[row::height] for row in range(height))
    return [(" " * _GAP).join(pad(text, inner) for text in row).rstrip() for row in rows]


_WIDEST_NAME = 34
_MOST_LINES = 7
_CARD_GAP = 2


def show_unseen_cards(
    deck: Sequence[NamedCard], unseen: Sequence[NamedCard], numbers: Callable[[NamedCard], str]
) -> None:
    """Print the cards that were never revealed, each with its number in the deck, one entry per name."""
    cells = console().width

    def lines_with(most: int) -> list[str]:
        lines = []
        for number, card in enumerate(deck, 1):
            if (count := unseen.count(card)) and card not in deck[: number - 1]:
                copies = f"  x{count}" if count > 1 else ""
                lines.append(f"{number:>2}  {cut(_name(card), most)}  {numbers(card)}".rstrip() + copies)
        columns = max(1, (cells + _CARD_GAP) // (max(map(width, lines), default=0) + _CARD_GAP))
        return in_columns(lines, cells, max(_MOST_LINES, -(-len(lines) // columns)))

    room = console().height if is_on_terminal() else sys.maxsize
    show(*(_fitting_lines(lines_with, _WIDEST_NAME, room) or ["No cards are left."]))


def meaning_lines(state: State, meaning: "LineMeaning") -> list[str]:
    """Return what a referee understood, and how many cards hands draw now."""
    cards = cards_in_words([meaning.place], meaning.cards) if meaning.cards else ""
    lines = [meaning.corrected, cards, meaning.why]
    if meaning.last:
        lines.append(f"{harmless(meaning.last)} is the last card of the pile.")
    lines += [*turn_lines(state.game, meaning.plies), meaning.instruction]
    for seat, count in meaning.draws:
        who = player_name(state.players[seat])
        lines.append(f"{third_person(who, 'draws')} {'a card' if count == 1 else f'{count} cards'}.")
    return [line for line in lines if line]


def show_forecast(lines: Sequence[Words]) -> None:
    """Print the result of an attack."""
    show(*map(say, lines))


def cards_in_words(places: Sequence[str], cards: Sequence[NamedCard]) -> str:
    """Return the understood cards and their places in a sentence."""
    named = zip([*places, *[""] * len(cards)], cards, strict=False)
    return ", ".join(f"{place} {_name(card)}".strip() for place, card in named) + "."


def _name(card: NamedCard) -> str:
    return shorten(printable(card.name), _WIDEST_NAME)


_OTHER_SCREEN: Final = "\x1b[?1049h"
_USUAL_SCREEN: Final = "\x1b[?1049l"
_CLEAR: Final = "\x1b[H\x1b[2J"
_CLEAR_HISTORY: Final = "\x1b[3J"
_ONE_SCREEN: Final = ("linux",)
"""The prefixes of `$TERM` of terminals without an alternate screen, whose history is cleared instead."""


class Window:
    """The size of the terminal when it was last checked."""

    def __init__(self) -> None:
        self.remember_size()

    def remember_size(self) -> None:
        """Remember the current size."""
        self._seen = console().size

    def is_resized(self) -> bool:
        """Return whether the size has changed."""
        return self._seen != console().size


@contextmanager
def alternate_screen(wanted: bool) -> Iterator[None]:
    """Show the terminal's alternate screen, which has no history, during the block."""
    if not wanted or not supports_escape_sequences() or _has_one_screen():
        yield
        return
    send(_OTHER_SCREEN)
    try:
        yield
    finally:
        send(_USUAL_SCREEN)


def clear() -> None:
    """Clear the screen and the history of typed lines."""
    _clear_input_history()
    if supports_escape_sequences():
        send(_CLEAR + (_CLEAR_HISTORY if _has_one_screen() else ""))
    elif is_on_terminal():
        send("\n" * console().height)


def supports_escape_sequences() -> bool:
    """Return whether standard output is a terminal that supports escape sequences, to replace one page by another."""
    return is_on_terminal() and not console().is_dumb_terminal


def _has_one_screen() -> bool:
    return os.environ.get("TERM", "").startswith(_ONE_SCREEN)


def _clear_input_history() -> None:
    """Clear the history of readline: the arrow keys would show the previous player's input to the next."""
    readline = sys.modules.get("readline")
    if readline is not None:
        readline.clear_history()


def show_lessons(title: str, lessons: "Sequence[MeasuredLesson]", *, here: bool) -> None:
    """Print the lessons of a game; `here` if the figures were measured now, with the user's cards."""
    ending = "Measured now." if here else "Measured on the bundled cards; --measure uses yours."
    show_markdown(f"{lessons_page(title, lessons)}\n{ending}\n")


def lessons_page(title: str, lessons: "Sequence[MeasuredLesson]") -> str:
    """Return the lessons as Markdown."""
    lines = [f"# What wins at {title}", ""]
    for number, one in enumerate(lessons, start=1):
        errors = [one.figures[name].stderr for name in one.lesson.shares()]
        how_sure = f"; shares ± {100 * max(errors):.1f} %" if errors else ""
        lines += [f"{number}. {one.text}", ""]
        lines += [f"   *{one.games:,} games {one.lesson.experiment.about}{how_sure}*"]
        lines += [f"   **Not confirmed by these games: {doubt}.**" for doubt in one.doubts]
        lines.append("")
    return "\n".join(lines)


def show_rules(game: str) -> None:
    """Print the rules of a game."""
    show_markdown(find_game(game).pictures.rules_page())


def show_rules_in_short(game: str) -> None:
    """Print the rules of a game in a few lines, without covering the board, and how to read all of them."""
    show_markdown(find_game(game).pictures.rules_in_short())
    show(f"All rules: ccgrid rules {game}")


class OptionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An option of a game: its allowed values as text, and its default."""

    name: str
    values: str
    default: bool | int | str
    about: str

    @classmethod
    def of(cls, option: Option) -> "OptionAnswer":
        """Return the option as `rules --json` prints it."""
        return cls(name=option.name, values=option.values_text, default=option.default, about=option.about)


class NamedRulesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Options that are recommended together: `--option rules=NAME` chooses their values."""

    name: str
    values: dict[str, bool | int | str]
    about: str


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of a game as a page in Markdown, its options, and the names for options that are chosen together."""

    game: str
    title: str
    markdown: str
    options: list[OptionAnswer]
    named: list[NamedRulesAnswer]


def rules_answer(game: AnyGame) -> Rules:
    """Return the rules of a game as `rules --json` prints them."""
    options = [OptionAnswer.of(option) for option in game.options]
    named = [NamedRulesAnswer(**one._asdict()) for one in game.named_rules]
    return Rules(game=game.name, title=game.title, markdown=game.pictures.rules_page(), options=options, named=named)
