"""Tables made ready: who plays, with which cards, at the screen or with real cards; new or resumed."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.catalog.codes import is_code
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.matching.asking import Choose
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.cards import UNKNOWN, no_lookup
from ccgrid.engine.decks import DeckSource, FixedDecks
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import ContradictionError, EngineError, quoted
from ccgrid.engine.game import Setup
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.options import Option
from ccgrid.engine.players import PLAYERS, PROGRAM, Player, find_player
from ccgrid.engine.real_cards import RealCards, find_real_cards
from ccgrid.engine.records.match import Match
from ccgrid.engine.records.record import Record
from ccgrid.engine.schema import LARGEST_WHOLE
from ccgrid.services.choices import Choices
from ccgrid.services.decks import (
    DEFAULT_GAME,
    bundled_factions,
    check_deck_file,
    random_decks,
    read_legal_deck,
    refuse_problems,
    take_numbers,
)
from ccgrid.services.files import is_file
from ccgrid.services.requests import GameRequest
from ccgrid.services.session import MatchSession, Session, resume_session


class DeckChoice(NamedTuple):
    """The source of decks, and the game's options."""

    source: DeckSource
    options: dict[str, Any]


def choose_decks(request: GameRequest, remark: Callable[[str], None], ask: Choose | None = None) -> DeckChoice:
    """Return the decks and options with which a requested game is dealt.

    Args:
        request: The game, its players and cards.
        remark: Called with a notice about an interpreted name, or about the use of the bundled cards.
        ask: Asks the user about an ambiguous card name; None to ask nothing.

    Raises:
        CatalogError: If options exclude each other, a deck is not legal, or there are too few cards or decks.
        EngineError: If there is no such game, option or faction.
    """
    is_drawn_from = bool(request.card_games or request.query)
    if (request.decks and (request.factions or is_drawn_from)) or (request.factions and is_drawn_from):
        raise CatalogError("Choose one of --deck, --faction and --game.")
    options = read_options(request.game, request.options)
    numbers = take_numbers(request.game, options, drawn=not request.decks)
    choices = Choices(ask)
    source = _deck_source(request, numbers, remark, choices)
    for line in choices.remarks():
        remark(line)
    return DeckChoice(source, options)


def _deck_source(
    request: GameRequest, numbers: Mapping[str, int], remark: Callable[[str], None], choices: Choices
) -> DeckSource:
    game, files = request.game, request.decks
    rules = find_game(game)
    needed = rules.decks_needed(len(request.players))
    if rules.decks is None:
        if files or request.factions or request.card_games or request.query:
            raise CatalogError(f"{game} has its own cards: leave --deck, --from, --faction and --game out.")
        return FixedDecks(())
    if request.factions and rules.factions is None:
        raise CatalogError(f"{game} has no factions: leave --faction out.")
    if not files:
        return random_decks(request, needed, numbers, remark)
    if len(files) not in (1, needed):
        wanted = "one deck" if needed == 1 else f"{needed} decks, one for each player, or one for all"
        raise CatalogError(f"{game} is played with {wanted}: --deck was given {counted(len(files), 'time')}.")
    decks = [read_legal_deck(file, game, request.database, choices) for file in files]
    return FixedDecks(tuple(decks * needed if len(decks) == 1 else decks))


def match_plan(request: GameRequest, players: Sequence[str]) -> Match | None:
    """Return the requested match between players of these names, or None for a single game.

    Raises:
        EngineError: If there can be no such match.
        ContradictionError: If two kinds of match are requested, or equal deals for a single game.
    """
    if request.same_deal and not request.is_match:
        raise ContradictionError("--same-deal is for matches: add --match or --best-of N.")
    if request.best_of is not None and request.whole_match:
        raise ContradictionError("Choose --match (points add up) or --best-of (games won).")
    if request.best_of is not None:
        return Match.best_of(request.game, players, request.best_of, same_deal=request.same_deal)
    return Match.by_points(request.game, players, same_deal=request.same_deal) if request.whole_match else None


def read_options(game: str, texts: Sequence[str]) -> dict[str, Any]:
    """A game's options as people type them: `rotate=step`, `life=40`, `facedown` for `facedown=true`.

    What says of what size drawn decks are is a whole number.

    Raises:
        CatalogError: one is given twice, or has no name.
        EngineError: the game has no such option, or it cannot be so.
    """
    rules = find_game(game)
    decks = rules.decks
    named = decks.numbers if decks else ()
    known = {one.name: one for one in (*rules.options, *(Option(name, range(LARGEST_WHOLE), 0, "") for name in named))}
    options: dict[str, Any] = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        if not name:
            raise CatalogError(f"--option {text!r}: write it as NAME=VALUE.")
        if name in options:
            raise CatalogError(f"--option {name}: it is given twice.")
        options[name] = known[name].read(value) if name in known else value
    rules.option_values({name: value for name, value in options.items() if name not in named})
    return options


class SeatedTable(NamedTuple):
    """A table made ready: the game or the match, the factions' titles by the players who have one, and who deals."""

    play: Session | MatchSession
    factions: dict[str, str]
    dealer: "Dealer"


def open_table(
    request: GameRequest, seed: int, remark: Callable[[str], None], ask: Choose | None = None
) -> SeatedTable:
    """A table at which nobody has moved; the seed decides cards and dice.

    `ask` asks a person where the name of a card is ambiguous.

    Raises:
        CatalogError: what was said does not fit together, or a deck is not legal.
        EngineError: the game cannot be played so.
    """
    game, names = find_game(request.game), request.players
    source, options = choose_decks(request, remark, ask)
    labels = [f"{name}-{seat + 1}" if names.count(name) > 1 else name for seat, name in enumerate(names)]
    match = match_plan(request, labels)
    dice = Dice(seed)
    decks = source(dice)
    dealer = Dealer(game.name, labels, decks, options, computers(names), seed, dice)
    play = dealer.deal() if match is None else MatchSession.begin(match, dealer.deal)
    return SeatedTable(play, _titles(labels, decks), dealer)


def reopen(record: Record, seed: int) -> Session:
    """A session in which a recorded game goes on; seats named like a policy, or with its number, are the computer's.

    Cards that lie in a pile in no order are shuffled.

    Raises:
        CatalogError: some cards are known to nobody.
    """
    dice = Dice(seed)
    return resume_session(_with_whole_pile(record, dice), computer_seats(record.setup.players), dice)


def _with_whole_pile(record: Record, dice: Dice) -> Record:
    table, setup = record.setup.to_table(), record.setup
    pile = table.pop("pile", None)
    if isinstance(pile, dict):  # of each player's deck: the cards that are not known in it
        for player, left in pile.items():
            drawn = iter(dice.shuffled(left))
            table["decks"][player] = [next(drawn) if card == UNKNOWN else card for card in table["decks"][player]]
    elif pile is not None:
        table["cards"] += dice.shuffled(pile)
    piles = [*table.get("decks", {}).values(), *table.get("hands", {}).values()]
    if any(UNKNOWN in cards for cards in piles):
        raise CatalogError(
            f'Some cards of this game are unknown ("{UNKNOWN}"): '
            "it can be checked, scored and replayed, but not continued. Add the cards to the record."
        )
    if pile is None:
        return record
    return replace(record, setup=find_game(setup.game).read_setup(table, setup.players, setup.first, no_lookup))


def computer_seats(players: Sequence[str]) -> dict[int, Player]:
    """The computer players of a game that is taken up, by their seats."""
    found: dict[int, Player] = {}
    for seat, name in enumerate(map(_policy, players)):
        if _is_policy(name):
            with suppress(EngineError):  # a person who is called like a policy, with a colon and what means nothing
                found[seat] = find_player(name)
    return found


def computers(names: Sequence[str]) -> dict[int, Player]:
    """The seats that computers play, which are named after their policies, with a parameter where they take one.

    Raises:
        EngineError: a parameter means nothing.
    """
    return {seat: find_player(name) for seat, name in enumerate(names) if _is_policy(name) or _is_program(name)}


def is_computer(name: str) -> bool:
    """Whether a seat of this name is a computer player's."""
    return _is_policy(_policy(name)) or _is_program(name)


def _is_program(name: str) -> bool:
    """Whether it is another program's; what a record calls so is never started, and a person plays it."""
    return name.partition(":")[0] == PROGRAM


def _is_policy(name: str) -> bool:
    return name.partition(":")[0] in PLAYERS.names


@dataclass(frozen=True, slots=True)
class Dealer:
    """Deals game after game with the same decks, and seats the same players.

    `first` is the seat that starts the first of them; `None` where the dice decide, or the game's own rules.
    """

    game: str
    labels: Sequence[str]
    decks: Sequence[Sequence[Card]]
    options: dict[str, Any]
    computers: dict[int, Player]
    seed: int
    dice: Dice
    first: int | None = None

    def deal(self, match: Match | None = None) -> Session:
        """A game at which nobody has moved: alone, or the next one of a match, with dice of its own."""
        if match is None:
            setup = self._dealt(self.dice)
            return self._session(Record(setup, date=date.today(), seed=self.seed), self.dice)
        game = match.next_game
        dice = Dice(self.seed).fork(game.number)
        is_said = self.first is not None and not match.records
        setup = self._dealt(dice) if is_said else match.deal(self.decks, dice, options=self.options)
        return self._session(Record(setup, date=date.today(), seed=dice.seed, match=game), dice)

    def _dealt(self, dice: Dice) -> Setup:
        return find_game(self.game).deal(self.labels, self.decks, dice, first=self.first, options=self.options)

    def _session(self, record: Record, dice: Dice) -> Session:
        policies = {self.labels[seat]: player for seat, player in self.computers.items()}
        seats = {seat: policies[name] for seat, name in enumerate(record.setup.players) if name in policies}
        return Session(record, seats, dice)


def _titles(players: Sequence[str], decks: Sequence[Sequence[Card]]) -> dict[str, str]:
    titles = {faction.deck.cards: faction.deck.title for faction in bundled_factions()}
    dealt = ((player, titles.get(tuple(deck))) for player, deck in zip(players, decks, strict=False))
    return {player: title for player, title in dealt if title}


def _policy(name: str) -> str:
    """The policy that a seat's name stands for: `greedy-2` for greedy, any other for itself."""
    policy, _, number = name.rpartition("-")
    return policy if policy and number.isdecimal() else name


_DEALT: Final = ("cards", "pile", "decks", "board", "hands")
"""The keys of a setup that a deal makes; all others are options."""


class Rematch(NamedTuple):
    """What is played next, and who starts it; nobody where the rules decide."""

    play: Session | MatchSession
    starts: str | None
    dealer: Dealer


def rematch(last: Session | MatchSession, seed: int) -> Rematch | None:
    """The same game or match with the decks shuffled anew, in which the next seat starts.

    None where some cards are known to nobody, or the game cannot be dealt so.
    """
    session, games = (last, ()) if isinstance(last, Session) else (last.session, last.match.records)
    dealer = _dealer(games[0] if games else session.origin, session, seed)
    if dealer is None:
        return None
    try:
        again = dealer.deal() if isinstance(last, Session) else _match(last, dealer)
    except EngineError:
        return None
    return Rematch(again, None if dealer.first is None else dealer.labels[dealer.first], dealer)


def _match(last: MatchSession, dealer: Dealer) -> MatchSession:
    return MatchSession.begin(replace(last.match, records=(), outcomes=()), dealer.deal)


def _dealer(record: Record, session: Session, seed: int) -> Dealer | None:
    setup = record.setup
    table, players = setup.to_table(), setup.players
    decks = _decks(table, players, find_game(setup.game).decks_needed(len(players)))
    if decks is None:
        return None
    options = {key: value for key, value in table.items() if key not in _DEALT}
    first = None if setup.first is None else (setup.first + 1) % len(players)
    seats = dict(zip(session.setup.players, range(len(players)), strict=True))
    computers = {
        players.index(name): session.computers[seat] for name, seat in seats.items() if seat in session.computers
    }
    return Dealer(setup.game, players, decks, options, computers, seed, Dice(seed), first)


def _decks(table: Mapping[str, Any], players: tuple[str, ...], needed: int) -> list[list[Card]] | None:
    """The decks that a setup was dealt from; None where some of their cards are not known."""
    if needed == 0:
        return []
    lists = [table["decks"][player] for player in players] if "decks" in table else [_shared(table)]
    if len(lists) != needed or any(UNKNOWN in cards for cards in lists):
        return None
    return [[_card(card) for card in cards] for cards in lists]


def _shared(table: Mapping[str, Any]) -> list[Any]:
    return [*table.get("cards", ()), *table.get("pile", ())]


def _card(table: Mapping[str, Any]) -> Card:
    """A card as a catalogue would hold it, of the numbers that a game needs of it."""
    zones = table.get("zones", {zone: table[zone] for zone in ZONES if zone in table})
    return Card(
        id=table.get("id", ""),
        game="",
        name=table.get("name", ""),
        zones=dict(zones),
        score=table.get("score", sum(zones.values())),
        set_code=table.get("set", ""),
        attack=table.get("attack"),
        defense=table.get("defense"),
    )


class RealDecks(NamedTuple):
    """A game, and the decks in seat order: one for all, one for each player, or none."""

    game: str
    decks: Sequence[Sequence[Card]]


def real_decks(words: Sequence[str | Path], players: int | None, database: Path | None, choices: Choices) -> RealDecks:
    """What somebody names: a game, or decks, or both. A file that is there comes before a faction or game of its name.

    Raises:
        CatalogError: there is nothing of this name, a deck is not legal, or decks are missing or too many.
        EngineError: the game has no referee.
    """
    game, names = None, list(words)
    if names and not is_file(Path(names[0])) and names[0] in GAMES.names:
        game = str(names.pop(0))
    factions = {one.deck.name: one.game for one in bundled_factions()}
    game = game or next((factions[str(name)] for name in names if name in factions and not is_file(Path(name))), None)
    decks: list[Sequence[Card]] = []
    for name in names:
        found = _deck(name, game, database, choices)
        if game not in (None, found.game):
            raise CatalogError(f"{name} is a deck for {found.game}, not for {game}.")
        game = found.game
        decks += found.decks
    game = game or DEFAULT_GAME
    find_real_cards(game)
    needed = find_game(game).decks_needed(players or max(2, len(decks)))
    if needed and not decks:
        wanted = "the deck on the table" if needed == 1 else "one deck for all, or one for each player"
        raise CatalogError(f"Name {wanted}: ccgrid table {_example(game, needed)}")
    if len(decks) not in {needed, min(needed, 1)}:
        wanted = f"{needed} decks, or one for all" if needed > 1 else "1 deck" if needed else "its own cards, no deck"
        raise CatalogError(f"{game} needs {wanted}, not {len(decks)}.")
    return RealDecks(game, decks)


def _example(game: str, needed: int) -> str:
    factions = [faction.deck.name for faction in bundled_factions() if faction.game == game]
    if len(factions) >= needed > 1:
        return " ".join(factions[:needed])
    return " ".join(["deck.toml"] if needed == 1 else [f"deck-{number}.toml" for number in range(1, needed + 1)])


def _deck(name: str | Path, game: str | None, database: Path | None, choices: Choices) -> RealDecks:
    path = name if isinstance(name, Path) else Path(name)
    if not is_file(path):
        for faction in bundled_factions():
            if faction.deck.name == name:
                return RealDecks(faction.game, [faction.deck.cards])
        if not path.suffix and not path.exists() and not is_code(str(name)):
            games = ", ".join(GAMES.names)
            named = ", ".join(faction.deck.name for faction in bundled_factions())
            raise CatalogError(f"{quoted(name)} is not a file, a game or a faction. Games: {games}. Factions: {named}.")
    deck, problems = check_deck_file(path, database, game, choices)
    refuse_problems(problems, name, game)
    return RealDecks(deck.plays or game or DEFAULT_GAME, [deck.cards])


_DECK: Final = "deck"
"""The key in a record's notes under which stand the names of the deck's cards in their order, or of each player's."""

_PENDING: Final = "pending"
"""The key in a record's notes under which stand the moves that wait for a card."""


def begin(
    game: str, players: Sequence[str], first: str | None, options: dict[str, object], decks: Sequence[Sequence[Card]]
) -> Record:
    """A record of a game of which nothing but the decks is known: its cards are to come.

    `decks` are one for all, or one for each player; none in a game with its own cards.

    Raises:
        EngineError: so many cannot play, an option cannot be, or a deck has not the cards that it takes.
        CatalogError: who starts does not play, or a computer would, or nobody can be said to start.
    """
    names = tuple(players)
    cards = find_real_cards(game)
    if computers := computer_seats(names):
        raise CatalogError(f"{names[min(computers)]} is a computer player; real tables are for people.")
    if first is not None and not find_game(game).has_first:
        raise CatalogError(f"In {game} the scores decide who starts: leave --first out.")
    if first is not None and first not in names:
        raise CatalogError(f"{first} does not play; --first is one of: {', '.join(names)}.")
    starts = (names.index(first) if first else 0) if find_game(game).has_first else None
    setup = cards.without_cards(_dealt(game, names, starts, decks, options))
    return Record(setup, date=date.today(), notes=_deck_notes(cards, setup))


def is_refereed(record: Record) -> bool:
    """Whether a record is of people with real cards: it is known which are left, and not where they lie."""
    setup = record.setup
    is_known = setup.game in GAMES.having("referee")
    return is_known and find_real_cards(setup.game).is_open(setup) and not computer_seats(setup.players)


def with_decks(record: Record, decks: Sequence[Sequence[Card]]) -> Record:
    """The record with the cards of these decks in its piles, where it does not say which are left.

    Raises:
        EngineError: a card on the table is not in the deck, or there are not enough decks.
    """
    setup = record.setup
    cards = find_real_cards(setup.game)
    found = cards.with_decks(setup, _dealt(setup.game, setup.players, setup.first, decks, {}))
    return replace(record, setup=found, notes={**record.notes, **_deck_notes(cards, found)})


def in_noted_order(record: Record) -> Setup:
    """The setup of a record with its decks in the order that is noted, which setups do not hold."""
    setup = record.setup
    cards, noted = find_real_cards(setup.game), record.notes.get(_DECK)
    lists = [noted.get(player) for player in setup.players] if isinstance(noted, Mapping) else [noted]
    names = [[str(name) for name in one] if isinstance(one, list | tuple) else [] for one in lists]
    seats = range(len(lists))
    if any(Counter(names[seat]) != Counter(card.name for card in cards.deck(setup, seat)) for seat in seats):
        return setup
    ordered: Setup = cards.in_order(setup, names)
    return ordered


def pending_in(record: Record) -> tuple[str, ...]:
    """The moves of a record that waited for a card when it was written down."""
    noted = record.notes.get(_PENDING)
    return tuple(map(str, noted)) if isinstance(noted, list | tuple) else ()


def with_pending(record: Record, moves: Sequence[str]) -> Record:
    """The record that notes these moves, which wait for a card."""
    notes: dict[str, Any] = {key: value for key, value in record.notes.items() if key != _PENDING}
    return replace(record, notes={**notes, _PENDING: list(moves)} if moves else notes)


def _dealt(
    game: str, players: tuple[str, ...], first: int | None, decks: Sequence[Sequence[Card]], options: dict[str, object]
) -> Setup:
    """The game dealt with these decks, which checks all that can be wrong; its order is nobody's."""
    needed = find_game(game).decks_needed(len(players))
    every = [decks[0]] * needed if len(decks) == 1 else decks
    return find_game(game).deal(players, every, Dice(0), first=first, options=options)


def _deck_notes(cards: RealCards, setup: Setup) -> dict[str, Any]:
    """What notes say of decks: their cards' names in the order that numbers them."""
    needed = find_game(setup.game).decks_needed(len(setup.players))
    lists = [[card.name for card in cards.deck(setup, seat)] for seat in range(needed)]
    if needed == 1:
        return {_DECK: lists[0]}
    return {_DECK: dict(zip(setup.players, lists, strict=True))} if lists else {}
