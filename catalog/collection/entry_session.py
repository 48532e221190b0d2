"""Sessions of entering cards, a line per card; each line is stored at once and undone by `undo`."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Final, NamedTuple, NoReturn

import msgspec

from ccgrid.catalog.card import LONGEST_NAME, PLAYSET, short_reason
from ccgrid.catalog.card_ids import CARD_ID
from ccgrid.catalog.collection.edit import MOST_UNASKED, add_copies, clean_text
from ccgrid.catalog.collection.typed_cards import typed_row
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.details import NO_DETAILS
from ccgrid.catalog.errors import CatalogError, NotFoundError, UsageError
from ccgrid.catalog.holding import MOST_COPIES, Place
from ccgrid.catalog.lines import WrittenCard, most_detailed_reading, readings
from ccgrid.catalog.list_index import parse_list_index
from ccgrid.catalog.matching.asking import AmbiguousCardError, Choose, MatchResult, NoChoiceError, choose_once
from ccgrid.catalog.matching.candidates import Candidate
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.matching.printings import printing_order
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.matching.sets import is_of_game
from ccgrid.catalog.sources import find_card_game
from ccgrid.catalog.store import history
from ccgrid.catalog.store.custom_cards import add_card, remove_card
from ccgrid.catalog.store.holdings import CollectionStore, CopyKey
from ccgrid.catalog.store.lookup import StoreLookup
from ccgrid.catalog.zones import ZONE_LETTERS, parse_printed

HELP: Final = """\
210            the card with that number in the set
210x3          three copies of it; also: 3x210, 3 Lightning Bolt
210f           a foil; 210e an etched one; also: 210x3f, Lightning Bolt *F*
Lightning Bolt a card by its name; Tab completes it, also after "li bo"
1, 2, 3        after suggestions: pick that one
tl 4 br 7      after an unknown name: its numbers; enters the card
               tl t tr l r bl b br face; game wyvern first names the game
printing       the printings of the last card; printing 2 takes the second
set m10        switch to another set ("set" alone: any set)
game mtg       switch to another game ("game" alone: any game)
box Attic 2    put the next cards there; also row 3, slot 4
foil, normal   finish of the next cards
yes            after a question about many copies: add them
undo           remove the last card
end            finish; an empty line does the same
/undo          force a command when a card has the same name"""

PLAIN: Final = ("undo", "help", "?", "end", "quit", "foil", "etched", "normal")
"""Commands of one word."""

WITH_VALUE: Final = ("set", "game", "box", "row", "slot", "printing")
"""Commands that say what the next cards are of, alone they take that back; and which printing the last card is."""

NUMBERS_HELP: Final = """\
Type what is printed where, each zone with its text: tl 4 br 7 face 3.
The zones are tl t tr l r bl b br; face is anywhere else.
You can name the game first: game wyvern tl 4.
1, 2 or 3 picks that one of the suggestions.
Any other line skips the card."""


def parse_unknown_card(text: str) -> tuple[str, dict[str, str]] | None:
    """Parse the printed texts of a card that no source has, perhaps with `game GAME` in front.

    Returns:
        The game, "" if the line names none, and the text of each zone. None if the line may be a card's name.

    >>> parse_unknown_card("game wyvern tl 4 br 3 of 25")
    ('wyvern', {'top-left': '4', 'bottom-right': '3 of 25'})
    >>> parse_unknown_card("Griffin tl"), parse_unknown_card("Top Dog")
    (None, None)
    """
    words, game = text.split(), ""
    # `game wyvern` and at least a zone with its number.
    if words[:1] == ["game"] and len(words) > 3:
        game, words = words[1], words[2:]
    printed = parse_printed(" ".join(words))
    has_number = any(letter.isdigit() for text in printed.values() for letter in text)
    is_abbreviated = words[:1] != [] and words[0].casefold() in ZONE_LETTERS.values()
    return (game, printed) if printed and all(printed.values()) and (has_number or is_abbreviated) else None


class AddedLine(NamedTuple):
    """One line that added cards."""

    change: int
    card: Candidate
    copies: int
    kind: CopyKey
    is_new: bool = False
    """Whether the card itself was entered with it."""


class CardChoice(NamedTuple):
    """A possible meaning of a line: a card, its copies and their kind; fields that the line omits are empty."""

    card: Candidate
    copies: int
    finish: str
    is_number: bool
    is_loose: bool = False
    """Whether it is written in a way that few people mean so."""
    condition: str = ""
    language: str = ""
    note: str = ""
    details: str = NO_DETAILS
    remark: str = ""
    """The report of the choice among printings, if there was one."""

    def __str__(self) -> str:
        finish = f"{self.finish} " if self.finish else ""
        printed = f"{self.card.game} {self.card.set_code} {self.card.number}".rstrip()
        return f"{self.copies:,} {finish}{self.card.name} ({printed})"


class UnsureError(CatalogError):
    """Raised if a line is ambiguous; `choices` holds the possible cards."""

    def __init__(self, message: str, choices: Sequence[CardChoice]) -> None:
        super().__init__(message)
        self.choices = tuple(choices)


# A word with a digit in it: `210`, `146a`, `GR7`.
_COLLECTOR_NUMBER: Final = re.compile(r"\S*\d\S*")
_COMPLETED: Final = 30  # names that Tab offers
# Copies before a name that Tab completes: `3 `, `3x `, `3X `, `3× `.
_COPIES_IN_FRONT: Final = re.compile(r"\d+[xX×]? +")
_SUGGESTED: Final = 5  # cards to pick by number


class EnteredCopies(msgspec.Struct, frozen=True, kw_only=True):
    """Copies that a line added."""

    id: str
    name: str
    copies: int
    finish: str


class SessionReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a session of entering cards did: lines and copies that were added, undone lines, and failed lines."""

    lines: int
    copies: int
    undone: int
    failed: int
    cards: list[EnteredCopies]


class EntrySession:
    """A session in which the user enters cards line by line; `prompt` shows the current place."""

    def __init__(
        self,
        collection: CollectionStore,
        games: Sequence[str],
        set_code: str,
        kind: CopyKey,
        choose: Choose | None = None,
        clarify: Callable[[dict[str, str]], dict[str, str]] = dict,
    ) -> None:
        """Start a session.

        Args:
            collection: The collection.
            games: The games of the cards; empty means all.
            set_code: The set of the cards, or "".
            kind: The kind of the copies.
            choose: Asks which card is meant if cards of several games match; without it that is an error.
            clarify: Returns the texts of an unknown card without ambiguous pairs such as 3/6.
        """
        self._clarify = clarify
        self.collection, self.games, self.kind = collection, tuple(games), kind
        self.entered: list[AddedLine] = []
        self.undone = 0
        self.failed = 0
        self.is_over = False
        # What the next line may answer: a question for yes, suggestions by number, the numbers of an unknown card.
        self._asked: CardChoice | None = None
        self._suggested: tuple[Candidate, ...] = ()
        self._unknown: WrittenCard | None = None
        self._lookup = StoreLookup(collection.store)
        self._choose = choose and choose_once(choose)
        self._resolver = self._resolver_of_games()
        self.set_code = self._known_set(set_code) if set_code else ""

    @property
    def copies(self) -> int:
        """The number of copies added so far."""
        return sum(entered.copies for entered in self.entered)

    @property
    def prompt(self) -> str:
        """The set and the place that the next cards are of."""
        if self._unknown is not None:
            return f"Numbers of {self._unknown.name} (e.g. tl 4 br 7), or ? for help"
        of = [*self.games, self.set_code or "any set"] if len(self.games) == 1 else [self.set_code or "any set"]
        return " ".join(part for part in (*of, str(self.kind.place)) if part)

    @property
    def asks(self) -> bool:
        """Whether the next line may state the numbers of a card that no source has."""
        return self._unknown is not None

    def enter(self, line: str) -> str:
        """Carry out a line and return what it did.

        Raises:
            CatalogError: If it cannot be carried out; nothing has changed.
        """
        text = " ".join(clean_text(line).split())
        command = text.partition(" ")[0]
        # A question is answered by the next line or by none.
        asked, self._asked = self._asked, None
        suggested, self._suggested = self._suggested, ()
        unknown, self._unknown = self._unknown, None
        # In this order: answers to a question, comments, commands, cards.
        try:
            if unknown is not None and text == "?":
                self._unknown, self._suggested = unknown, suggested
                return NUMBERS_HELP
            if unknown is not None and (card := parse_unknown_card(text)) is not None:
                return self._enter_card(unknown, *card)
            if (place := parse_list_index(text, len(suggested))) is not None:
                return self._take_after_all(_choice(unknown or WrittenCard(""), suggested[place]))
            if asked is not None and text.casefold() == "yes":
                return self._take_after_all(asked)
            if text.startswith(("#", "//")) or not text:
                return ""
            if text.startswith("/"):
                return self._command(text[1:].strip())
            if command in WITH_VALUE or text in PLAIN:
                self._check_no_card(text)
                return self._command(text)
            return self._add(text)
        except CatalogError:
            self.failed += 1
            raise

    def _command(self, text: str) -> str:
        command, _, rest = text.partition(" ")
        if command in WITH_VALUE:
            return self._change(command, rest)
        if text in PLAIN:
            return self._obey(text)
        raise CatalogError(f"/{command} is not a command; type help for a list.")

    def _check_no_card(self, text: str) -> None:
        """Check that a command is not also the name of a card.

        Raises:
            CatalogError: If it is, to let the user choose.
        """
        folded = fold(text)  # a question mark leaves nothing, as does a name of dashes, and asks for help
        called = [card for name in self._lookup.spelled(folded) if folded for card in self._fitting(name)]
        if called:
            self._suggested = (called[0],)
            raise CatalogError(f"{text!r} is also a card: 1 adds {called[0].name}, /{text} is the command.")

    def _fitting(self, name: str) -> list[Candidate]:
        """Return the cards of this name in the current game and set."""
        found = self._lookup.by_name(name)
        return [
            card
            for card in found
            if self._is_of_game(card.game) and self.set_code.casefold() in ("", card.set_code.casefold())
        ]

    def _obey(self, command: str) -> str:
        if command == "undo":
            return self._undo()
        if command in ("help", "?"):
            return HELP
        if command in ("end", "quit"):
            self.is_over = True
            return ""
        self.kind = self.kind._replace(finish=command)
        return f"The next cards are {command}."

    def _change(self, what: str, value: str) -> str:
        if what == "set":
            self.set_code = self._known_set(value) if value else ""
            return f"The next cards are of {self.set_code or 'any set'}."
        if what == "printing":
            return self._change_printing(value)
        if what == "game":
            return self._change_game(find_card_game(value))
        if len(value) > LONGEST_NAME:
            raise CatalogError(f"The {what} has {len(value):,} characters; the maximum is {LONGEST_NAME}.")
        self.kind = self.kind._replace(place=self.kind.place._replace(**{what: value}))
        return f"The next cards go to {str(self.kind.place) or 'no place'}."

    def _change_game(self, game: str) -> str:
        """Continue with the cards of another game, of any set.

        Raises:
            CatalogError: If the catalogue has none.
        """
        if game:
            self.collection.store.check_game(game)
        self.games, self.set_code = (game,) if game else (), ""
        self._resolver = self._resolver_of_games()
        return f"The next cards are of {game or 'any game'}."

    def _change_printing(self, value: str) -> str:
        """List the printings of the last card, or replace it by another one.

        Raises:
            CatalogError: If there is no such printing.
        """
        if not self.entered:
            raise CatalogError("No card was entered yet.")
        last = self.entered[-1]
        own = (one for one in self._lookup.by_name(last.card.name) if one.game == last.card.game)
        # The oldest first: a number stays that of the same printing when newer ones come out.
        printings = sorted(own, key=lambda one: (one.released, one.id))
        if not value:
            listed = [
                f"{number} {card.set_code} {card.number}: {self._numbers(card)}"
                for number, card in enumerate(printings, 1)
            ]
            more = "printing 2 takes the second" if len(listed) > 1 else "It has no other printing"
            return f"{last.card.name} is {'; '.join(listed)}. {more}."
        wanted = value.casefold()
        found = [
            one for one in printings if wanted in (one.set_code.casefold(), f"{one.set_code} {one.number}".casefold())
        ]
        # A number is a position in the list, even if a set has this name.
        if (place := parse_list_index(value, len(printings))) is not None:
            found = [printings[place]]
        if len(found) != 1:
            raise CatalogError(f"{last.card.name} has no printing {value!r}; printing lists them.")
        # The copies are undone and added again to the same place as the other printing.
        self._undo()
        finish, condition, language, place_then, note, details = last.kind
        choice = CardChoice(found[0], last.copies, finish, False, False, condition, language, note, details)
        return self.take(choice, place_then)

    def _enter_card(self, unknown: WrittenCard, game: str, printed: dict[str, str]) -> str:
        """Enter a card that no source has, and its copies.

        Raises:
            CatalogError: If its game is unknown.
        """
        games = (*self._lookup.games(), game)
        # A word next to the name may be a game: `Griffin (wyvern)`.
        game_of_word = {word: one for word in unknown.beside for one in games if one and is_of_game(one, word)}
        game = game.casefold() or next(iter(game_of_word.values()), self.games[0] if len(self.games) == 1 else "")
        # The last word that is no game is the set; without one it is the set of the session.
        *_, set_code = self.set_code, *(word for word in unknown.beside if word not in game_of_word)
        if not game:
            self._unknown = unknown
            raise CatalogError(
                f"Which game is {unknown.name!r} from? Name it before the numbers: game wyvern tl 4 br 7."
            )
        given = CustomCard(game, unknown.name, set_code, unknown.number, self._clarify(printed))
        given.check()
        card = add_card(self.collection.store, given)
        # Both remember what they have looked up, and know nothing of the new card.
        self._lookup = StoreLookup(self.collection.store)
        self._resolver = self._resolver_of_games()
        known = self._lookup.card(card.id)
        assert known is not None  # noqa: S101  it was entered just now
        answer = self._take_after_all(_choice(unknown, known))
        self.entered[-1] = self.entered[-1]._replace(is_new=True)
        return answer

    def _numbers(self, candidate: Candidate) -> str:
        """Describe the numbers on a card, its score, and why it is not legal in a deck."""
        (card,) = self.collection.store.cards([candidate.id])
        printed = [f"{zone} {value}" for zone, value in card.zones.items()]
        printed += [f"face {', '.join(map(str, card.face))}"] if card.face else []
        legal = "legal" if card.legal else f"not legal ({short_reason(card.reason or 'barred')})"
        return ", ".join((*printed, f"score {card.score}", legal))

    def _known_set(self, text: str) -> str:
        """Return the code of a set, from its code or name.

        Raises:
            NotFoundError: If there is no such set.
        """
        known = sorted({code for code, _ in self._lookup.sets(self.games) if code})
        if (code := self._resolver.known.find_set(text)) is None or (self.games and code not in known):
            of = f" of {', '.join(self.games)}" if self.games else ""
            others = f"It has: {', '.join(known[:30])}." if known else "Its cards have no sets."
            raise NotFoundError(
                f"The catalogue has no set {text!r}{of}. {others}",
                kind="set",
                name=text,
                suggestions=known,
            )
        return code

    def _undo(self) -> str:
        if not self.entered:
            raise CatalogError("There is nothing to undo in this session.")
        last = self.entered[-1]
        history.undo(self.collection.store, last.change, self.collection.waiting)
        # The card is removed with its copies, because it was entered for them.
        if last.is_new:
            remove_card(self.collection.store, last.card.id)
        self.entered.pop()
        self.undone += 1
        return f"Undone: {last.copies} {last.card.name}. {self.copies} in all."

    def _add(self, text: str) -> str:
        choices = self._choices(text)
        if not choices:
            self._fail(text)
        # What makes choices different: card, copies and finish.
        if len({choice[:3] for choice in choices}) > 1:
            several = ", or ".join(str(choice) for choice in choices)
            raise UnsureError(
                f"{text!r} may be {several}. Use spaces: '12 x3' or '3x 12' is three of number 12.", choices
            )
        [choice] = choices
        if choice.copies > MOST_COPIES:
            raise UsageError(f"{choice.copies} copies: a number from 1 to {MOST_COPIES:,} is needed.")
        if choice.copies > MOST_UNASKED:
            self._asked = choice
            raise UnsureError(f"Is {text!r} {choice}? yes adds them; 210x3 is three copies of number 210.", choices)
        if choice.is_loose:
            raise UnsureError(f"Is {text!r} {choice}?", choices)
        return self.take(choice)

    def _take_after_all(self, choice: CardChoice) -> str:
        """Add the card of an earlier line that was counted as not understood."""
        self.failed -= 1
        return self.take(choice)

    def take(self, choice: CardChoice, place: Place | None = None) -> str:
        """Add the copies of a candidate, in `place` or the session's current place, and return a message."""
        kind = self.kind._replace(
            place=place or self.kind.place,
            finish=choice.finish or self.kind.finish,
            condition=choice.condition or self.kind.condition,
            language=choice.language or self.kind.language,
            note=choice.note or self.kind.note,
            details=choice.details if choice.details != NO_DETAILS else self.kind.details,
        )
        kind = add_copies(self.collection, choice.card, choice.copies, kind)
        # The number of the change: `_undo` undoes only this one, and fails if another command made a later one.
        last = history.last_change(self.collection.store)
        self.entered.append(AddedLine(last.id if last else 0, choice.card, choice.copies, kind))
        shown = choice._replace(finish="" if kind.finish == "normal" else kind.finish)
        remark = f" {choice.remark}" if choice.remark else ""
        return f"{shown}: {self._numbers(choice.card)}. {self.copies} in all.{remark}"

    def _choices(self, text: str) -> list[CardChoice]:
        """Return the possible meanings of a line; one if it is clear.

        Between two numbers at an x, one that is at most a playset is the number of copies if the other is larger.
        """
        found: dict[tuple[str, int, str], CardChoice] = {}
        # Two readings with equal card, copies and finish are one choice.
        for reading in readings(text, self._resolver.known.is_place, self._resolver.known.is_code):
            if (choice := self._choice(reading)) is not None:
                found.setdefault((choice.card.id, choice.copies, choice.finish), choice)
        # Sites add (foil) to names, too: if the same card fits with it and without, it is the finish.
        with_finish = {key[:2] for key in found if key[2]}
        choices = [choice for key, choice in found.items() if key[2] or key[:2] not in with_finish]
        if len(choices) > 1 and all(choice.is_number and not choice.is_loose for choice in choices):
            # People who enter cards seldom have more than a playset at once.
            few = [choice for choice in choices if choice.copies <= PLAYSET]
            choices = few if len(few) == 1 else choices
        return choices

    def _choice(self, reading: WrittenCard) -> CardChoice | None:
        """Return the certain match of one reading of a line, or None if there is none.

        Raises:
            CatalogError: If cards of several games match and the user cannot choose.
        """
        language, set_code = reading.language or self.kind.language, reading.set_hint or self.set_code
        # The session has a set: a line that is a number alone is read as a name, `210`, and means that number.
        number = reading.number if not reading.name else reading.name if self.set_code else ""
        if not reading.copies_meant:
            return None
        if not (reading.beside and reading.name) and _COLLECTOR_NUMBER.fullmatch(number):
            match = self._resolver.match(typed_row("", set_code, number, language))
            if match.card is not None and match.how == "number":
                return _choice(reading, match.card, is_number=True)
        if not reading.is_plain or not self._is_known(reading.name):
            return None
        try:
            row = typed_row(reading.name, set_code, reading.number, language)
            found = self._resolver.resolve(row._replace(more=reading.beside[:-1]))
        # A person has to hear that several games have it, or that they chose none; else this reading is simply no card.
        except (AmbiguousCardError, NoChoiceError):
            raise
        except CatalogError:
            return None
        others = len(found.fitting) - 1
        more = "1 more printing has" if others == 1 else f"{others} more printings have"
        remark = found.remark or (f"{more} the same numbers." if others else "")
        return _choice(reading, found.candidate, remark=remark)

    def _resolver_of_games(self) -> Resolver:
        return Resolver(self._lookup, games=self.games, choose=self._choose, prefer_owned=False)

    def _is_known(self, text: str) -> bool:
        """Return whether a text is an id or the name of a card."""
        return bool(CARD_ID.fullmatch(text)) or self._resolver.known.is_name(text)

    def _fail(self, text: str) -> NoReturn:
        """Raise the CatalogError for a name without a card."""
        read = most_detailed_reading(text, self._resolver.known.is_place, self._resolver.known.is_code)
        if not read.is_plain:
            raise CatalogError(f"{read.question}.")
        bare = read.name or text
        if self.set_code and _COLLECTOR_NUMBER.fullmatch(text):
            raise CatalogError(f"{self.set_code} has no number {text}.")
        # A name may be a card that no source has: the next line may say what is printed on it. A number is none.
        self._unknown = read if read.name and not _COLLECTOR_NUMBER.fullmatch(bare) else None
        row = typed_row(bare, read.set_hint or self.set_code, read.number if read.name else "", self.kind.language)
        row = row._replace(more=read.beside[:-1])
        match = self._resolver.match(row)
        if not match.is_certain:
            self._suggest(bare, match)
        # This raises an error if there is a reason.
        self._resolver.resolve(row)
        raise CatalogError(f"{text!r} is ambiguous: write 210x3f, or 3 Lightning Bolt *F*.")

    def _suggest(self, text: str, match: MatchResult) -> None:
        """Offer the possible cards under numbers; return if there are none.

        Raises:
            CatalogError: To show the cards.
        """
        near = [card for one in match.candidates if (card := self._lookup.card(one)) is not None]
        if not near:
            near = [card for hit in self.collection.store.near(text) for card in self._fitting(hit.name)[:1]]
        if near:
            self._suggested = self._of_each_game(near)[:_SUGGESTED]
            printed = (f"{one.game} {one.set_code} {one.number}".split() for one in self._suggested)
            several = ", ".join(
                f"{number} {card.name} ({' '.join(words)})"
                for number, (card, words) in enumerate(zip(self._suggested, printed, strict=True), 1)
            )
            raise CatalogError(f"{text!r} has no exact match: {match.reason}. Type a number to add: {several}.")

    def _of_each_game(self, cards: Sequence[Candidate]) -> tuple[Candidate, ...]:
        """Return each card, followed by one printing for each other game that has a card of its name."""
        found: dict[tuple[str, str], Candidate] = {}
        for card in cards:
            row = typed_row(card.name, self.set_code, "", self.kind.language)
            # The first of each name and game stays: the card itself, then the printing that comes first in order.
            for one in (card, *sorted(self._fitting(card.name), key=partial(printing_order, row))):
                found.setdefault((one.name, one.game), one)
        return tuple(found.values())

    def _is_of_game(self, game: str) -> bool:
        return not self.games or game in self.games

    def complete(self, text: str) -> list[str]:
        """Return the names that complete a line, of the current set, else of the last card's game if it has some.

        If no name starts with the line, return the only one whose words do, in order: `li bo`. A number of copies may
        precede the name.
        """
        start = fold(text)
        words = start.split()
        if not words:
            return []
        # In a set all its names are looked at; without one only those that the store finds by their beginning.
        own = self._lookup.names(self.set_code) if self.set_code else None
        found = self._fitting_names(self._lookup.names_from(start) if own is None else own, re.escape(start))
        if not found and (copies := _COPIES_IN_FRONT.match(text)):
            return [f"{copies[0]}{name}" for name in self.complete(text[copies.end() :])]
        if not found:
            # The words begin words of the name, in this order and with others between: `li bo` finds Lightning Bolt.
            in_order = rf"(.* )?{r'.* '.join(map(re.escape, words))}"
            found = self._fitting_names(self._lookup.names_having(words) if own is None else own, in_order)
            found = found if len(found) == 1 else []
        return found

    def _fitting_names(self, names: Iterable[tuple[str, str]], pattern: str) -> list[str]:
        """Return the names whose folded form matches a pattern, of the last card's game if it has some."""
        fits = re.compile(pattern).match
        fitting = [(name, cards) for name, folded in names if fits(folded) and (cards := self._fitting(name))]
        last = self.entered[-1].card.game if self.entered else ""
        of_last = (name for name, cards in fitting if any(card.game == last for card in cards))
        return list(islice(of_last, _COMPLETED)) or [name for name, _ in fitting][:_COMPLETED]

    def report(self) -> SessionReport:
        """Return what the session did."""
        return SessionReport(
            lines=len(self.entered),
            copies=self.copies,
            undone=self.undone,
            failed=self.failed,
            cards=[
                EnteredCopies(id=one.card.id, name=one.card.name, copies=one.copies, finish=one.kind.finish)
                for one in self.entered
            ],
        )


def _choice(reading: WrittenCard, card: Candidate, *, is_number: bool = False, remark: str = "") -> CardChoice:
    """Return a candidate of a line, with what the line says of its copies."""
    kind = reading.condition, reading.language, reading.note, reading.details
    return CardChoice(card, reading.copies_meant, reading.finish, is_number, not reading.is_plain, *kind, remark)
