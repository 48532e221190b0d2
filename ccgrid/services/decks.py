"""Decks: ready-made, drawn from a catalogue, or read from files."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ccgrid.catalog import matching
from ccgrid.catalog.card import Card
from ccgrid.catalog.decks import Deck, DeckEntry, ListedDeck, Problem, check_deck, split_entries
from ccgrid.catalog.errors import CatalogError, FileFormatError, NoSuchNameError, UsageError
from ccgrid.catalog.formatting import counted, shell_word
from ccgrid.catalog.store.catalogue import Store
from ccgrid.engine import schema
from ccgrid.engine.decks import (
    DeckSource,
    DifferentDecks,
    FixedDecks,
    GameDecks,
    ReadyDeck,
    ReadyDecks,
    TooFewCardsError,
)
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import ContradictionError, EngineError, RecordError, check_name
from ccgrid.engine.games import GAMES, find_game, ready_decks
from ccgrid.engine.schema import describe_value
from ccgrid.services.catalogue import cards_asked, chosen_cards, has_cards, legal_cards, open_cards, open_catalogue
from ccgrid.services.choices import Choices, with_game_numbers
from ccgrid.services.deck_requests import CardSelection, DeckRequest

if TYPE_CHECKING:
    from ccgrid.catalog.matching.resolver import Resolver
    from ccgrid.catalog.matching.rows import Row
    from ccgrid.engine.faction_answers import FactionProblem
    from ccgrid.services.faction_answers import FactionCheckResult, ListedFaction


class DrawnDeck(NamedTuple):
    """The cards of a deck, and its title if it is ready-made."""

    title: str | None
    cards: Sequence[Card]


def find_decks(game: str) -> GameDecks:
    """Return the deck rules of a game; raise CatalogError if it has none, NoSuchNameError if it is not a game."""
    names = GAMES.having("decks")
    decks: GameDecks | None = GAMES.part(game, "decks") if game in names else None
    if decks is not None:
        return decks
    message = f"There are no decks for the game {game!r}. There are decks for: {', '.join(names)}."
    if game in GAMES.names:
        raise UsageError(message)
    if Path(game).suffix:
        message += f"\nTo write a deck to a file: ccgrid deck new -o {shell_word(game)}"
    raise NoSuchNameError(message, kind="game", name=game, known=names)


def check_request(request: DeckRequest) -> None:
    """Check that decks can be drawn or searched for as requested.

    Raises:
        CatalogError: If the game has no decks, or no decks of this kind, or options exclude each other.
        ContradictionError: If a player is named although no game is played.
    """
    game, decks = request.game, find_decks(request.game)
    for name in request.numbers:
        if name not in decks.numbers:
            raise UsageError(f"--{name} is not for decks of {game}: leave it out.")
    if request.factions and GAMES.part(game, "factions") is None:
        own = f"ccgrid deck new {GAMES.having('factions')[0]} --faction {shell_word(request.factions[0])}"
        raise UsageError(f"{game} has no factions. A deck of a game that has: {own}")
    if request.factions and (request.card_games or request.query):
        raise UsageError("--faction takes all its cards: leave --game and --from out.")
    if request.is_search and game not in GAMES.having("deck_search"):
        names = " or ".join(GAMES.having("deck_search"))
        options = "--lively, --balanced, --good, --explain, --players and --count"
        raise UsageError(f"{options} are for {names}, not for {game}.")
    if request.fill and (not request.is_owned or request.is_search):
        raise UsageError("--fill completes a random deck of your cards: give it with --from collection.")
    if request.player is not None and request.kind == "random" and not request.explain:
        raise ContradictionError("--players is for --lively, --balanced, --good and --explain: add one of them.")


def draw_deck(request: DeckRequest, dice: Dice, tell: Callable[[str], object] = lambda _: None) -> DrawnDeck:
    """Draw one deck from the requested cards, or choose a ready-made one if the game has these.

    Args:
        request: The game and the cards.
        dice: The random number generator.
        tell: Called with a sentence if the bundled cards are used because there is no catalogue.

    Raises:
        CatalogError: If the game has no decks, or there are too few cards.
        EngineError: If a ready-made deck is not found, or no deck has the requested numbers of cards.
    """
    decks = find_decks(request.game)
    factions: ReadyDecks | None = GAMES.part(request.game, "factions")
    if factions is not None and not request.card_games and not request.query:
        ready = factions.find(request.factions[0]) if request.factions else dice.choose(factions.bundled())
        return DrawnDeck(ready.title, ready.cards)
    if decks.any_legal:
        with open_cards(request.database, tell) as store:
            only = cards_asked(store, request.query)
            return DrawnDeck(None, store.draw(decks.sizes[0], dice, request.card_games, only))
    [cards] = _decks_of_cards(request, 1, request.numbers, tell)(dice)
    return DrawnDeck(None, cards)


def random_decks(
    request: CardSelection, count: int, numbers: Mapping[str, int], tell: Callable[[str], object]
) -> DeckSource:
    """Return a source of `count` decks for each of many games; ready-made decks of one game differ.

    Args:
        request: The game and the cards.
        count: The number of decks in a game.
        numbers: The numbers of cards that the game's decks leave open.
        tell: Called with a sentence if the bundled cards are used because there is no catalogue.

    Raises:
        CatalogError: If there are too few cards, or there is neither one faction for each player nor one for all.
        EngineError: If a ready-made deck is not found, or no deck has these numbers of cards.
    """
    factions = find_game(request.game).factions
    if factions is None or request.card_games or request.query:
        return _decks_of_cards(request, count, numbers, tell)
    if not request.factions:
        return DifferentDecks(tuple(ready.cards for ready in factions.bundled()), count)
    chosen = [factions.find(name).cards for name in request.factions]
    if len(chosen) not in (1, count):
        raise UsageError(
            f"There {'is' if count == 1 else 'are'} {counted(count, 'player')} and "
            f"{counted(len(chosen), 'faction')}: name one for each, or one for all."
        )
    return FixedDecks(tuple(chosen * count if len(chosen) == 1 else chosen))


def _decks_of_cards(
    request: CardSelection, count: int, numbers: Mapping[str, int], tell: Callable[[str], object]
) -> DeckSource:
    decks = find_decks(request.game)
    with open_cards(request.database, tell) as store:
        cards: Iterable[Card] = (
            legal_cards(store, request.card_games, request.query)
            if decks.any_legal
            else _usable_cards(store, request, decks)
        )
        try:
            return decks.random_decks(cards, count, numbers)
        except TooFewCardsError as error:
            if not request.card_games and not request.query:
                raise
            selection = ", ".join((*request.card_games, *filter(None, [request.query])))
            raise CatalogError(
                f"A deck takes {error.needed} {error.kind}, and of {selection} there are {error.available}."
            ) from None


def _usable_cards(store: Store, request: CardSelection, decks: GameDecks) -> Iterator[Card]:
    found = chosen_cards(store, request.card_games, request.query, legal=False)
    cards = (with_game_numbers(store, card, decks) for card in found)
    return (card for card in cards if decks.fault(card) is None)


def take_numbers(game: str, options: dict[str, object], *, drawn: bool) -> dict[str, int]:
    """Remove the numbers of cards in drawn decks from a game's options, and return them.

    Raises:
        CatalogError: If one is not an integer, or the decks are not drawn.
    """
    decks = find_game(game).decks
    numbers: dict[str, int] = {}
    for name in [name for name in (decks.numbers if decks else ()) if name in options]:
        value = options.pop(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise UsageError(f"the option {name} must be a whole number, not {value!r}.")
        if not drawn:
            raise UsageError(f"the option {name} is for random decks: leave out it or --deck.")
        numbers[name] = value
    return numbers


class FoundFaction(NamedTuple):
    """A ready-made deck, and its game."""

    game: str
    deck: ReadyDeck

    def answer(self) -> "ListedFaction":
        """Return a line of `faction list --json`."""
        from ccgrid.services.faction_answers import ListedFaction

        deck = self.deck
        return ListedFaction(game=self.game, name=deck.name, title=deck.title, about=deck.about, cards=len(deck.cards))


class FactionCheck(NamedTuple):
    """The problems of a faction file, or the faction if there are none."""

    problems: "Sequence[FactionProblem]"
    faction: FoundFaction | None

    def larger_rival(self) -> ReadyDeck | None:
        """Return the smallest bundled faction of the game, if it has more cards; else None."""
        if self.faction is None:
            return None
        bundled = ready_decks()[self.faction.game].bundled()
        rival = min(bundled, key=lambda deck: len(deck.cards), default=None)
        return rival if rival and len(rival.cards) > len(self.faction.deck.cards) else None

    def answer(self, file: Path) -> "FactionCheckResult":
        """Return what `faction check --json` prints."""
        from ccgrid.services.faction_answers import FactionCheckResult

        return FactionCheckResult(ok=self.faction is not None, file=str(file), problems=list(self.problems))


def read_listed_deck(file: Path) -> ListedDeck:
    """Read the deck in a file.

    Raises:
        CatalogError: If it contains no deck or does not exist; the message says so if a faction has this name.
    """
    from ccgrid.catalog.collection.deck_files import read_deck  # it loads every format of collections

    name = str(file)
    if (games := [one.game for one in bundled_factions() if one.deck.name == name]) and not file.exists():
        raise CatalogError(
            f"{name}: No such file or directory. It is a faction of {games[0]}; to see it: ccgrid faction show {name}\n"
            f"To play with it: ccgrid play {games[0]} --faction {name}"
        )
    from ccgrid.catalog.file_kinds import DECK_FILES, FileKind, check_kind

    check_kind(file, DECK_FILES | {FileKind.TOML}, FileKind.DECK.value)
    try:
        return read_deck(file)
    except FileFormatError as error:
        if file.suffix or not isinstance(error.__context__, FileNotFoundError):
            raise
        raise CatalogError(f"{error}\nA deck is a file. To show a card: ccgrid show {shell_word(name)}") from error


def bundled_factions() -> list[FoundFaction]:
    """Return the factions that come with the program, game by game."""
    return [FoundFaction(game, deck) for game, decks in ready_decks().items() for deck in decks.bundled()]


def find_faction(name: str) -> FoundFaction:
    """Read a faction from a file if the name ends in `.toml`, or else return the bundled faction of this name.

    Raises:
        EngineError: If there is none, or the file is invalid.
    """
    if name.endswith(".toml"):
        problems, faction = check_faction(Path(name))
        if faction is None:
            raise EngineError(f"{problems[0]}{f' (and {len(problems) - 1} more)' if problems[1:] else ''}")
        return faction
    bundled = {faction.deck.name: faction for faction in bundled_factions()}
    check_name("faction", name, list(bundled))
    return bundled[name]


def check_faction(file: Path) -> FactionCheck:
    """Check a faction file by the rules of the game that it names; a bundled faction's name is valid, too.

    A file that names no game is for the first game with factions.

    Raises:
        EngineError: If the file cannot be read.
    """
    if not file.exists():
        for faction in bundled_factions():
            if faction.deck.name == str(file):
                return FactionCheck([], faction)
    from ccgrid.catalog.file_kinds import DAMAGED, FileKind, check_kind
    from ccgrid.engine.faction_answers import FactionProblem

    check_kind(file, {FileKind.FACTION} | DAMAGED, FileKind.FACTION.value)
    try:
        with file.open("rb") as stream:
            data = stream.read(schema.LARGEST_DOCUMENT + 1)
    except OSError as error:
        raise EngineError(f"{file}: {error.strerror or error}.") from None
    ready = ready_decks()
    game: object = next(iter(ready))
    with suppress(RecordError):  # it is reported with all other problems
        game = schema.parse_toml(data).get("game", game)
    if not isinstance(game, str) or game not in ready:
        reason = f"must be a game that has factions, {' or '.join(ready)}, not {describe_value(game)}"
        return FactionCheck([FactionProblem(file=file.name, card=None, key="game", reason=reason)], None)
    problems = ready[game].problems(data, file.name)
    return FactionCheck(problems, None if problems else FoundFaction(game, ready[game].read(data, file.name)))


class EntryFinder:
    """Finds the cards of the lines of a deck, either for a game, whose rules exclude some cards, or for none.

    `games` restricts the card games; empty allows all.
    """

    def __init__(
        self, store: Store, choices: Choices, decks: GameDecks | None = None, games: Sequence[str] = ()
    ) -> None:
        self._store, self._choices, self._decks = store, choices, decks
        self._resolver = choices.resolver(store, self._may_be_in, games)

    def find(self, entry: DeckEntry) -> Card:
        """Return the card of a line, with the numbers that the game uses.

        Raises:
            CatalogError: If there is none, the line is ambiguous, or its numbers differ from the catalogue's.
        """
        card = self._entry(entry)
        return card if self._decks is None else with_game_numbers(self._store, card, self._decks)

    def printings(self, card: Card) -> tuple[Card, ...]:
        """Return all printings of a card in its game."""
        return self._resolver.printings(card)

    def _entry(self, entry: DeckEntry) -> Card:
        if entry.card is None:
            row = matching.rows.Row(
                name=entry.text, set_code=entry.set_code, number=entry.collector_number, written=entry.written
            )
            by_id = self._by_id(entry) if entry.ids else None
            return self._choices.take(*(by_id or (self._resolver, row))).card
        cards_there = self._store.cards([entry.card.id])
        if not cards_there:
            return entry.card
        if (dict(cards_there[0].zones), cards_there[0].score) != (dict(entry.card.zones), entry.card.score):
            raise CatalogError(f"The numbers of {entry.card.id} in the deck differ from the catalogue.")
        return cards_there[0]

    def _by_id(self, entry: DeckEntry) -> "tuple[Resolver, Row] | None":
        """Return the row and the resolver for the ids of a line, or None if no card has them and its name decides."""
        name = "" if entry.text == " ".join(entry.ids[0]) else entry.text
        row = matching.rows.Row(
            raw=entry.text,
            name=name,
            set_code=entry.set_code,
            set_name=entry.set_code,
            number=entry.collector_number,
            ids=entry.ids,
        )
        match = self._resolver.match(row)
        if match.how == "id" and match.card is not None:
            if not match.others:
                return self._resolver, matching.rows.Row(name=match.card.id)
            # Any printing is acceptable: choose as usual.
            return self._resolver.of_game(match.card.game), matching.rows.Row(name=match.card.name)
        if match.card is None and (not name or "id is that of" in match.reason):
            raise CatalogError(f"{match.reason[:1].upper()}{match.reason[1:]}.")
        return None

    def _may_be_in(self, card: Card) -> bool:
        if self._decks is None:
            return card.legal
        return self._decks.fault(with_game_numbers(self._store, card, self._decks)) is None


DEFAULT_GAME = GAMES.having("decks")[0]
"""The game of a deck that names none."""


def read_legal_deck(file: Path, game: str, database: Path | None, choices: Choices | None = None) -> tuple[Card, ...]:
    """Read the cards of a deck file; raise CatalogError with its first problem if it is not legal in this game."""
    deck, problems = check_deck_file(file, database, game, choices)
    refuse_problems(problems, file, game)
    return deck.cards


def refuse_problems(problems: Sequence[Problem], file: Path | str, game: str | None = None) -> None:
    """Raise CatalogError with the first of a deck's problems if it has any; `game` is the game of the check."""
    if problems:
        first = problems[0]
        what = f"{first.card}: {first.reason}" if first.card else first.reason
        option = "" if game in (None, DEFAULT_GAME) else f" --for {game}"
        raise CatalogError(
            f"{file} is not a legal deck: {what.rstrip('.')}.\nDetails: ccgrid deck check {shell_word(file)}{option}"
        )


def check_deck_file(
    file: Path, database: Path | None, game: str | None = None, choices: Choices | None = None
) -> tuple[Deck, list[Problem]]:
    """Read the deck in a file with its cards, and check it; cards that are written out need no catalogue.

    The game is `game`, or else the game that the file names, or else `DEFAULT_GAME`. `choices` collects notices about
    interpreted names.

    Raises:
        CatalogError: If the file contains no deck, or one for another game.
    """
    listed = read_listed_deck(file)
    choices = choices or Choices()
    choices.left_out |= listed.left_out
    decks = find_decks(_game(listed, file, game))
    sizes: int | range = decks.sizes if len(decks.sizes) > 1 else decks.sizes[0]
    if second := split_entries(listed, decks.sizes)[1]:
        choices.left_out["the block after the blank line"] = len(second)
    written_out = {entry: card for entry in listed.entries if (card := entry.card or entry.plain) is not None}
    if len(written_out) == len(set(listed.entries)) and not has_cards(database):
        return check_deck(listed, lambda entry: written_out[entry], sizes, decks.fault)
    with open_catalogue(database) as store:
        finder = EntryFinder(store, choices, decks)
        return check_deck(listed, finder.find, sizes, decks.fault)


def _game(listed: ListedDeck, file: Path, game: str | None) -> str:
    if game is not None:
        find_decks(game)
    if game is not None and listed.plays is not None and game != listed.plays:
        raise CatalogError(f"{file} is a deck for {listed.plays!r}, not for {game}.")
    if game is None and listed.plays is not None:
        try:
            find_decks(listed.plays)
        except CatalogError as error:  # the file names the game, not the command line
            raise CatalogError(f"{file}: {error}") from None
    return game or listed.plays or DEFAULT_GAME
