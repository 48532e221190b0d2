"""Entry of cards at a terminal: sessions line by line, forms, audits of boxes, and reviews of scanned cards."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from ccgrid.catalog.card import Card
from ccgrid.catalog.collection.audit import HELP as AUDIT_HELP
from ccgrid.catalog.collection.audit import Audit
from ccgrid.catalog.collection.entry_session import EntrySession, UnsureError
from ccgrid.catalog.collection.formats.table_columns import NO_COLUMN, UnclearCopiesError
from ccgrid.catalog.collection.newer import RepeatedError, ReplacesAllError
from ccgrid.catalog.collection.typed_cards import find_card
from ccgrid.catalog.correction import correction_between
from ccgrid.catalog.custom_card import CustomCard, read_stat
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.holding import Holding
from ccgrid.catalog.imports.layout_draft import Draft, DraftField
from ccgrid.catalog.layouts.layout_file import layout_files
from ccgrid.catalog.list_index import parse_list_index
from ccgrid.catalog.matching.candidates import Candidate
from ccgrid.catalog.matching.names import nearest_names
from ccgrid.catalog.scan.result import Scan
from ccgrid.catalog.sources import find_card_game
from ccgrid.catalog.store.history import Change
from ccgrid.catalog.store.holdings import CollectionStore, CopyKey
from ccgrid.catalog.store.transactions import transaction
from ccgrid.catalog.zones import PLACE_NAMES, ROWS, parse_place, parse_printed
from ccgrid.terminal.choosing import interactive_chooser
from ccgrid.terminal.clarifying import clarify
from ccgrid.terminal.confirming import agrees, ask_line
from ccgrid.terminal.prompts import DELETE, ENTER, REDRAW, line_completion, matching_completions
from ccgrid.view.collection import kind_in_words, show_session
from ccgrid.view.collection_imports import show_difference
from ccgrid.view.output import remark, show, show_json
from ccgrid.view.reasons import reason_text
from ccgrid.view.streams import can_ask, input_line


def run_session(
    collection: CollectionStore, games: Sequence[str], set_code: str, kind: CopyKey, *, as_json: bool
) -> int:
    """Add the cards of each line from a terminal or a pipe, print a summary, and return the number of failed lines.

    At a terminal each line is stored at once, and none counts as failed, because the user has seen its error. Lines
    from a pipe are stored together after the last one, or not at all.
    """
    is_interactive = sys.stdin.isatty()
    ask = (lambda prompt: input_line(f"{prompt}> ")) if can_ask() else None
    session = EntrySession(
        collection,
        games,
        set_code,
        kind,
        interactive_chooser(as_json=as_json),
        lambda printed: clarify(printed, ask, remark),
    )
    if not is_interactive:
        lines = list(sys.stdin)
        with transaction(collection.store.connection, "add cards from standard input", collection.waiting):
            _enter_all(session, lines, is_interactive=False)
    else:
        show("One card per line: a collector number or a name. Type ? for help; an empty line finishes.")
        line_completion(lambda line: matching_completions(line, session.complete(line)))
        try:
            _enter_all(session, _typed_lines(session), is_interactive=True)
        except KeyboardInterrupt:
            show_session(session)
            raise
    if as_json:
        show_json(session.report())
    else:
        show_session(session)
    return 0 if is_interactive else session.failed


def _enter_all(session: EntrySession, lines: Iterable[str], *, is_interactive: bool) -> None:
    for line in lines:
        try:
            said = session.enter(line)
        except UnsureError as error:
            _report_rejected_line(line, error, is_interactive)
            said = _add_chosen_card(session, error) if is_interactive else ""
        except CatalogError as error:
            _report_rejected_line(line, error, is_interactive)
            continue
        if said and is_interactive:
            show(said)
        if session.is_over:
            break


def _report_rejected_line(line: str, error: CatalogError, is_interactive: bool) -> None:
    """Report why nothing was added, in one line, with the input line itself unless the user has just typed it."""
    why = str(error).replace("\n", " ")
    remark(why if is_interactive else f"{line.strip()[:100]!r}: {why}")


def _typed_lines(session: EntrySession) -> Iterator[str]:
    while True:
        try:
            yield input_line(f"{session.prompt}> ") or ("" if session.asks else "end")
        except (EOFError, KeyboardInterrupt):
            return


def _add_chosen_card(session: EntrySession, unsure: UnsureError) -> str:
    """Ask which choice is meant, add it, and return what was added."""
    if len(unsure.choices) == 1:
        added = agrees("Add them? yes or no: ", "Type yes to add them, no to leave them out.")
        return session.take(unsure.choices[0]) if added else "Nothing added."
    for number, choice in enumerate(unsure.choices, 1):
        show(f"  {number}: {choice}")
    answer = ask_line(
        "Which? A number, or Enter for none: ", "Type a number to add that card; anything else adds nothing."
    )
    place = parse_list_index(answer or "", len(unsure.choices))
    return "Nothing added." if place is None else session.take(unsure.choices[place])


HELP: Final = """Type what is printed where, with the card upright: tl 4 br 7, or 4 top left, 7 bottom right.
  tl t tr l r bl b br   corners and sides, in words too; two numbers: br 2,3
  face                  numbers printed elsewhere: face 3,5
  attack, defense       for games that use it: attack 3
  name, set, number     the card's name, set and number
  at                    where its collector number is printed: at bl
  draw                  draws the card
A zone without a number clears it. Enter saves the card, quit cancels."""

_QUIT: Final = ("quit", "q")
_FIRST_HELP: Final = "Type the game in short, then name, set and collector number; Enter for none, quit cancels."

_ADD_FIELDS: Final = (
    ("game", "Game, such as mtg"),
    ("name", "Name"),
    ("set_code", "Set"),
    ("collector_number", "Number"),
)
_WORDS: Final = {"name": "name", "set": "set_code", "number": "collector_number"}


@dataclass(frozen=True, slots=True)
class FormPrompter:
    """The functions with which a form asks for a line, draws the card, and prints a message."""

    ask: Callable[[str], str]
    draw: Callable[[CustomCard], None]
    say: Callable[[str], None]


def fill_in(card: CustomCard, voice: FormPrompter) -> CustomCard | None:
    """Ask until the card is valid; draw and return it, or return None if the user quits."""
    if not card.name:
        for key, prompt in _ADD_FIELDS:
            if not getattr(card, key):
                answered = _ask_field(card, key, prompt, voice)
                if answered is None:
                    return None
                card = answered
        if card.collector_number:
            card = _ask_number_place(card, voice)
    else:
        voice.draw(card)
    voice.say(HELP)
    return _ask_printed(card, voice)


def _ask_printed(card: CustomCard, voice: FormPrompter) -> CustomCard | None:
    """Ask for the printed numbers until Enter accepts the card; return it, or None if the user quits."""
    while (line := voice.ask("Printed").strip()) not in _QUIT:
        if not line:
            if not (problems := card.problems()):
                voice.draw(card)
                return card
            voice.say("\n".join(problems))
        elif line == "draw":
            voice.draw(card)
        else:
            try:
                card, said = _answer(card, line, voice)
                voice.say(f"{said} {legality(card)}")
            except CatalogError as error:
                voice.say(str(error))
    return None


def fill_next(card: CustomCard, voice: FormPrompter) -> CustomCard | None:
    """Ask for the next card of the same game and set; return None if there is none."""
    while (name := voice.ask("Next card, its name; Enter ends").strip()) not in ("", *_QUIT):
        named, problem = (card, _FIRST_HELP) if name == "?" else _check_answer(card, "name", name)
        if problem:
            voice.say(problem)
            continue
        numbered = _ask_field(named, "collector_number", "Number", voice)
        if numbered is None:
            return None
        named = numbered
        return _ask_printed(_ask_number_place(named, voice) if named.collector_number else named, voice)
    return None


def ask_owned(voice: FormPrompter) -> tuple[int, str]:
    """Ask for the number of owned copies and their box; return 0 and "" if there are none."""
    while not (text := voice.ask("Copies you own, Enter for none").strip() or "0").isdecimal() or len(text) > 6:
        voice.say("A whole number, such as 1.")
    copies = int(text)
    return copies, voice.ask("Box, Enter for none").strip() if copies else ""


def legality(card: CustomCard) -> str:
    """Return whether a card is legal in decks, and the reason if not.

    >>> legality(CustomCard("arcadia", "Griffin", printed={"top": "2,3"}))
    'Not legal: two numbers at the top (rule 9).'
    """
    reason = card.reading().reason
    return "Legal." if reason is None else f"Not legal: {reason_text(reason)}."


def _ask_number_place(card: CustomCard, voice: FormPrompter) -> CustomCard:
    """Ask for the zone of the collector number, in which it counts as a number."""
    while text := voice.ask("Zone of the collector number (tl … br, Enter for none)").strip():
        if (place := parse_place(text)) is not None:
            return replace(card, number_at=place)
        voice.say("tl t tr l r bl b br, or face.")
    return card


def _ask_field(card: CustomCard, key: str, prompt: str, voice: FormPrompter) -> CustomCard | None:
    """Ask for a field until its value is valid; return the card, or None if the user quits."""
    while (answer := voice.ask(prompt).strip()) not in _QUIT:
        if answer == "?":
            voice.say(_FIRST_HELP)
            continue
        answer_of = _check_answer(card, key, answer)
        if not answer_of[1]:
            return answer_of[0]
        voice.say(answer_of[1])
    return None


def _check_answer(card: CustomCard, key: str, text: str) -> tuple[CustomCard, str]:
    """Return the card with a field's value, and the problems of that value alone."""
    answered = _with_field(card, key, text)
    whole = _with_field(CustomCard(game="any", name="any"), key, text)
    return answered, " ".join(whole.problems())


def _with_field(card: CustomCard, key: str, text: str) -> CustomCard:
    return replace(card, **{key: find_card_game(text) if key == "game" else text})  # type: ignore[arg-type]


def _answer(card: CustomCard, line: str, voice: FormPrompter) -> tuple[CustomCard, str]:
    """Return the card changed by one line, and a description of the change; raise CatalogError for an invalid line."""
    word, _, text = line.partition(" ")
    word, text = word.casefold(), text.strip()
    if word in _WORDS:
        changed, said = _with_field(card, _WORDS[word], text), f"{word} {text or 'cleared'}"
    elif word in ("attack", "defense"):
        stat = read_stat(text)
        changed = replace(card, attack=stat) if word == "attack" else replace(card, defense=stat)
        said = f"{word} {'cleared' if stat is None else stat}"
    elif word == "at":
        place = parse_place(text)
        if place is None or not card.collector_number:
            raise CatalogError("Type where the collector number is printed after the number: number 146, then at bl.")
        changed, said = replace(card, number_at=place), f"number {card.collector_number} {place or 'nowhere'}"
    elif places := clarify(parse_printed(line), voice.ask, voice.say):
        changed = replace(card, printed={**card.printed, **places})
        said = ", ".join(f"{PLACE_NAMES[place]} {text or 'cleared'}" for place, text in places.items())
    else:
        raise CatalogError(HELP)
    changed.check()
    return changed, f"{said}."


_ZONES = "tl t tr l r bl b br, face, or Enter"


def ask_zones(draft: Draft, ask: Callable[[DraftField], str], say: Callable[[str], None]) -> Iterator[tuple[str, str]]:
    """Yield the path of each field that may contain numbers, and the zone that the user names, or "" for none."""
    say(f"Where is it printed, with the card upright? {_ZONES} for none.")
    for field in draft.fields:
        if field.kind not in ("numbers", "collector"):
            continue
        while (zone := parse_place(ask(field))) is None:
            say(f"That is not a zone: {_ZONES}.")
        yield field.path, zone


_ANSWERS: dict[str, Literal["replace", "again"]] = {
    "r": "replace",
    "replace": "replace",
    "a": "again",
    "again": "again",
}


def ask_what_to_do(repeated: RepeatedError) -> Literal["replace", "again"] | None:
    """Show the differences and ask; return None without a terminal, or if the user cancels."""
    typed = _ask_choice(
        repeated,
        "[r]eplace the earlier file, [a]dd all cards again, [?] help, [Enter] cancel: ",
        "r: this file replaces the cards that it repeats. Choose it for a newer export.\na: these are more copies of "
        "the same cards. All are added.\n"
        "Enter: nothing changes. Is it someone else's collection? Compare it: ccgrid collection trade FILE",
    )
    return _ANSWERS.get(typed)


def ask_for_copies(unclear: UnclearCopiesError) -> str | None:
    """Ask at a terminal which column has the number of copies.

    Returns:
        Its heading, or `NO_COLUMN` if each row is one copy, or None without a terminal or if the user cancels.
    """
    if not unclear.headings or not can_ask():
        return None
    show(str(unclear).partition("\n")[0])
    for number, heading in enumerate(unclear.headings, 1):
        show(f"{number}: {heading}")
    question = "Number of its column, [n] each row is one copy, [?] help, [Enter] cancel: "
    explanation = "A column with the number of copies has 4 in a row for four copies. Enter: nothing changes."
    typed = ask_line(question, explanation) or ""
    if typed.casefold() == "n":
        return NO_COLUMN
    place = parse_list_index(typed, len(unclear.headings))
    return None if place is None else unclear.headings[place]


def ask_whether_all_rows_are_added(refused: ReplacesAllError) -> bool:
    """Show what would be removed, and ask whether a file is the whole collection; return False without a terminal."""
    question = "[y] this file is all that you own, [?] help, [Enter] cancel: "
    explanation = (
        "y: all cards that are not in this file are removed, also those entered by hand. To undo: ccgrid undo."
        "\nEnter: nothing changes. With --box only that box is replaced."
    )
    return _ask_choice(refused, question, explanation) == "y"


def _ask_choice(error: RepeatedError | ReplacesAllError, question: str, explanation: str) -> str:
    """Show the differences of a file and ask; return the first letter of the answer, or "" without a terminal.

    `explanation` is shown if the user types a question mark.
    """
    if not can_ask():
        return ""
    counts = ", ".join(f"{error.difference.copies(what):,} {what}" for what in ("added", "removed", "changed"))
    show(f"{error.situation}.", f"Copies: {counts}.", "")
    show_difference(error.difference, would=True)
    return (ask_line(question, explanation) or "").casefold()[:1]


def ask_to_undo(last: Change) -> bool:
    """Ask whether to undo the last change."""
    show(f"Last change: {last}.")
    explanation = (
        "Type yes to restore everything as it was before; anything else leaves it. ccgrid history lists your changes."
    )
    return agrees("Undo it? yes or no> ", explanation)


def audit_box(audit: Audit, keep: Callable[[Audit], None], *, as_json: bool) -> bool:
    """Ask about each pocket and store every answer; return whether the end of the box was reached."""
    is_interactive = sys.stdin.isatty() and not as_json

    def find(words: str) -> Candidate:
        return find_card(audit.collection, words, choose=interactive_chooser(as_json=as_json)).card

    if is_interactive:
        show(AUDIT_HELP)
        if audit.answers:
            show(f"{len(audit.answers)} of {len(audit.pockets)} pockets are done: continuing.")
    while (pocket := audit.pocket) is not None:
        try:
            line = input_line(f"{_pocket_line(audit, pocket)}> " if is_interactive else "")
        except EOFError:
            return False
        word = line.strip().casefold()
        if word in ("q", "quit"):
            return False
        try:
            if word == "b":
                audit.back()
            elif word in ("?", "help"):
                show(AUDIT_HELP)
            else:
                audit.answer(line, find)
            keep(audit)
        except CatalogError as error:
            remark(str(error))
    return True


def ask_to_end_audit(audit: Audit) -> bool:
    """Ask whether to apply the audit; return True if it changes nothing, or without a terminal."""
    report = audit.report()
    if not (report.missing or report.moved or report.found) or not sys.stdin.isatty():
        return True
    explanation = "Enter changes the collection to match the box. n leaves it, and the same command asks again."
    return agrees("Record this in the collection? [Enter] yes, [n] not yet: ", explanation, usual=True)


def _pocket_line(audit: Audit, pocket: Holding) -> str:
    number = audit.pockets.index(pocket) + 1
    place = str(pocket.place._replace(box=""))
    kind = kind_in_words(pocket)
    of_set = f"{pocket.set_code} {pocket.number}".strip()
    words = " ".join(
        filter(None, (str(pocket.copies - pocket.out), pocket.name, f"({of_set})" if of_set else "", kind))
    )
    return f"{number}/{len(audit.pockets)} {f'{place}: ' if place else ''}{words}"


REVIEW_HELP: Final = """Enter accepts what is shown. Arrows choose a zone, digits set its number, Del clears it.
n name, g game, o collector number, p another printing, x it is not that card, space skips it for now, q quits."""

_STEPS: Final = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
_TEXTS: Final = {"g": ("game", "Game"), "o": ("collector_number", "Number")}

ACCEPT: Final = "accept"
LATER: Final = "later"
QUIT: Final = "quit"


@dataclass(frozen=True, slots=True)
class ReviewPrompter:
    """The functions with which a review reads a key, asks for a line, draws the card, and prints a message.

    `draw` gets the scan, the card as corrected, and the selected place. `find` returns the printings of the
    catalogue's card that a scan shows, the likeliest first: by a typed name, or by what was read if it is empty.
    `drop_keys` discards keys pressed before a card is first drawn, so that they do not accept it unseen.
    """

    key: Callable[[], str]
    ask: Callable[[str], str]
    draw: Callable[[Scan, CustomCard, str], None]
    say: Callable[[str], None]
    find: Callable[[Scan, str], Sequence[Card]]
    drop_keys: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class ReviewAnswer:
    """The result of a review: `accept` the card, leave it for `later`, or `quit`.

    `scan` has the catalogue's card that the user accepted.
    """

    what: str
    entry: CustomCard
    scan: Scan


def review(scan: Scan, voice: ReviewPrompter, *, game: str = "") -> ReviewAnswer:
    """Show a scanned card until it is accepted or skipped; `game` is the default game.

    If the catalogue has a card that it may be, that card is shown, with its numbers.
    """
    card = _ReviewedCard(scan, game, voice)
    row, column, fresh = *_first_doubt(card.scan), True
    voice.drop_keys()
    voice.draw(card.scan, card.entry, ROWS[row][column])
    while True:
        key, place = voice.key().lower(), ROWS[row][column]
        if key in ("", "q"):
            return ReviewAnswer(QUIT, card.entry, card.scan)
        if key == " ":
            return ReviewAnswer(LATER, card.entry, card.scan)
        if key == ENTER:
            if card.complete():
                if not (problems := card.entry.problems()):
                    return ReviewAnswer(ACCEPT, card.entry, card.scan)
                voice.say("\n".join(problems))
        elif key in _STEPS:
            down, across = _STEPS[key]
            row, column, fresh = (row + down) % 3, (column + across) % 3, True
        elif key.isdecimal() or key in (",", "+", "-"):
            before = "" if fresh else card.entry.printed.get(place, "")
            card.entry, fresh = _with_number(card.entry, place, before + key), False
        elif key == DELETE:
            card.entry, fresh = _with_number(card.entry, place, ""), True
        elif key in _TEXTS:
            card.entry = _with_answer(card.entry, *_TEXTS[key], voice)
        elif key == "n":
            card.ask_name()
        elif key == "p":
            if not card.take_next_printing():
                voice.say("There is no other printing.")
                continue
        elif key == "x":
            if not card.refuse():
                voice.say("No card of the catalogue is proposed; n looks up a name.")
                continue
        elif key != REDRAW:
            voice.say(REVIEW_HELP)
            continue
        voice.draw(card.scan, card.entry, ROWS[row][column])


class _ReviewedCard:
    """A scan as the catalogue's card that it may be, and the entry with the user's corrections."""

    def __init__(self, read: Scan, game: str, voice: ReviewPrompter) -> None:
        self._read, self._game, self._voice = read, game, voice
        self._printings = list(voice.find(read, "")) if read.card is None else []
        self.scan = _as_card(read, self._printings)
        self.entry = self._with_game(self.scan.entry())

    def complete(self) -> bool:
        """Ask for the name and the game if they are missing; return whether the user knows the whole card."""
        if not self.entry.name.strip() and (self.ask_name() or not self.entry.name.strip()):
            return False  # the user has not seen that card yet
        if not self.entry.game:
            self.entry = _with_answer(self.entry, "game", "Game, such as rifts", self._voice)
        return bool(self.entry.game)

    def ask_name(self) -> bool:
        """Ask for the name, and return whether the catalogue has it; then the scan is taken for that card."""
        name = _ask_text("Name", self._voice)
        if not name:
            return False
        self._printings = list(self._voice.find(replace(self._read, game=self.entry.game), name))
        self._take()
        if self.scan.card is None:
            self.entry = replace(self.entry, name=name)
        return self.scan.card is not None

    def take_next_printing(self) -> bool:
        """Take the scan for the next printing of its card; return False if there is no other."""
        self._printings = self._printings or list(self._voice.find(self._read, ""))
        if len(self._printings) < 2:
            return False
        self._printings = self._printings[1:] + self._printings[:1]
        self._take()
        return True

    def refuse(self) -> bool:
        """Take the scan for a card of its own, as it was read; return False if it was taken for none."""
        if self.scan.card is None and self.scan.known is None:
            return False
        self._printings = []
        self._read = replace(self._read, known=None, card=None, contradictions=())
        self._take()
        return True

    def _take(self) -> None:
        """Take the scan for the first printing, and keep the game and the numbers that the user typed."""
        typed, game = correction_between(self.scan.entry(), self.entry).printed, self.entry.game
        self.scan = _as_card(self._read, self._printings)
        entry = self.scan.entry()
        printed = {**entry.printed, **typed}
        entry = replace(entry, printed={place: text for place, text in printed.items() if text})
        self.entry = self._with_game(entry if entry.game else replace(entry, game=game))

    def _with_game(self, entry: CustomCard) -> CustomCard:
        return entry if entry.game else replace(entry, game=self._game)


def _as_card(read: Scan, printings: Sequence[Card]) -> Scan:
    """Return a scan as the first of these printings, or as it was read if there is none."""
    return read.of_card(printings[0]) if printings else read


def _first_doubt(scan: Scan) -> tuple[int, int]:
    """Return the first doubtful place of a scan, or else the first corner."""
    found = ((r, c) for r, places in enumerate(ROWS) for c, place in enumerate(places) if place in scan.doubtful)
    return next(found, (0, 0))


def _with_number(entry: CustomCard, place: str, text: str) -> CustomCard:
    printed = {name: number for name, number in entry.printed.items() if name != place}
    return replace(entry, printed={**printed, place: text} if text else printed)


def _with_answer(entry: CustomCard, key: str, prompt: str, voice: ReviewPrompter) -> CustomCard:
    text = _ask_text(prompt, voice)
    if text and key == "game":
        text = _intended_game(find_card_game(text), voice)
    return replace(entry, **{key: text}) if text else entry  # type: ignore[arg-type]


def _intended_game(game: str, voice: ReviewPrompter) -> str:
    """Return a card game, or the known one that the user meant by it, or "" if the user cancels."""
    games = sorted(layout_files())
    near = nearest_names(game, games, 1)
    if game in games or not near or near[0].edits != 1:
        return game
    meant = games[near[0].position]
    answer = _ask_text(f"There are no data of {game!r}. Is {meant} meant? yes or no", voice).casefold()
    return meant if answer in ("y", "yes") else answer and game


def _ask_text(prompt: str, voice: ReviewPrompter) -> str:
    """Ask for a text; return "" if the user cancels."""
    text = voice.ask(prompt).strip()
    return "" if text in _QUIT else text
