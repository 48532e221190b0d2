"""The tables and decks for the core of the ninecard game."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from ccgrid.catalog.card import HIGHEST, Card
from ccgrid.engine.cards import sorted_by_name
from ccgrid.engine.decks import DeckSource
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games.ninecard.cards import (
    HAND_SIZE,
    LARGEST_DECK,
    LONGEST_NAME,
    MAX_RESHUFFLES,
    BattleCard,
    Creature,
    Energy,
    HiddenCard,
    is_creature,
)
from ccgrid.engine.games.ninecard.combat import BOARD, NEIGHBOURS
from ccgrid.engine.games.ninecard.combat import COLUMNS as COLUMN_NAMES
from ccgrid.engine.games.ninecard.decks import BattleDecks
from ccgrid.engine.games.ninecard.game import GAME, split_opening
from ccgrid.engine.games.ninecard.options import OPENINGS, Options
from ccgrid.engine.games.ninecard.row import (
    ASSAULT,
    ATTACK,
    CARD,
    CELL,
    COLUMNS,
    CREATURE,
    DECKS,
    DISCARDING,
    END,
    ENERGIES,
    ENERGY,
    ENERGY_USED,
    HAND,
    HAND_COUNT,
    HAS_PLAYED,
    HAS_SACRIFICED,
    KEY,
    LIFE,
    MAX_HELD,
    MOVED_CELLS,
    NEXT_COLUMN,
    NEXT_ROW,
    OUT,
    PLAY,
    PLAYERS,
    SEAT,
    SIDE,
    SIDES,
    SIZE,
    STEP,
    SWAP,
    TARGET,
    TURN,
    VERBS,
    Hidden,
    Table,
    pack,
)
from ccgrid.engine.games.ninecard.rules import NinecardState
from ccgrid.engine.rows.core import CoreGames, CoreWorld
from ccgrid.engine.rows.dealing import RANDOM_DECKS, STEPWISE_DECKS, Labels, make_pool, resolve_decks

SEATS: Final = (2, 3, 4)
_SIZES: Final = range(1, LARGEST_DECK + 1)
_MOVES_A_TURN: Final = 30
"""The maximum number of moves in a turn: six cards leave the hand, and nine creatures move and attack once each."""

TURNS: Final = 4
"""The number of turns after this one that a search plays before it evaluates the position."""
_DEPTH: Final = (TURNS // 2 + 1) * (HAND_SIZE + 1)
"""The maximum number of cards that a player draws in these turns."""
# Key 0 is energy; attack and defense, each 0 to 10, determine the other keys: `16 * attack + defense + 1` in four bits
# each, at most 171.
_KEYS: Final = 16 * HIGHEST + HIGHEST + 2
"""The upper bound (exclusive) of keys in a search."""

_SETS: Final = range(1 << len(BOARD.cells))


def _pairs(pairs: Iterable[tuple[str, str]]) -> list[tuple[int, int]]:
    return [(BOARD.cells.index(a), BOARD.cells.index(b)) for a, b in pairs]


_STEPS: Final = _pairs(sorted([*NEIGHBOURS, *((b, a) for a, b in NEIGHBOURS)]))
_SWAPS: Final = _pairs(NEIGHBOURS)
_WITHOUT_KEYS: Final = Table(
    seats=2,
    longest=0,
    life=0,
    limit=0,
    facedown=0,
    one_creature=0,
    again=0,
    horizon=0,
    watcher=0,
    faces=[],
    ranks=[],
    play_ranks=[],
    by_name=[],
    # For each of 512 sets of cells, a bit for every step whose first cell is in it.
    leaving=[sum(1 << bit for bit, (a, _) in enumerate(_STEPS) if cells >> a & 1) for cells in _SETS],
    entering=[sum(1 << bit for bit, (_, b) in enumerate(_STEPS) if cells >> b & 1) for cells in _SETS],
    within=[sum(1 << bit for bit, (a, b) in enumerate(_SWAPS) if cells >> a & cells >> b & 1) for cells in _SETS],
    steps=[a << 4 | b for a, b in _STEPS],
    swaps=[a << 4 | b for a, b in _SWAPS],
)


def table_of(seats: int, longest: int, options: Options) -> Table:
    """Return the table for a number of seats and decks of at most `longest` cards, without the cards of a pool."""
    return _WITHOUT_KEYS._replace(
        seats=seats,
        longest=longest,
        life=options.life,
        limit=options.limit,
        horizon=options.limit,
        facedown=int(options.facedown),
        one_creature=int(options.one_creature),
    )


def games(source: DeckSource, players: Sequence[str], options: Mapping[str, object]) -> CoreGames[Table] | None:
    """Prepare games with fixed, chosen or random decks, whose cards have names that moves can contain."""
    seats, steps = len(players), list[tuple[int, int, int, int, bool]]()
    kind, decks, longest = resolve_decks(source, seats, _SIZES)
    if isinstance(source, BattleDecks) and source.count == seats:
        kind, decks, longest = STEPWISE_DECKS, (source.creatures, source.energies), source.size
        steps += _steps(source)
    cards = [card for deck in decks for card in deck]
    labels = Labels(cards, _fight)
    try:
        chosen, opening = split_opening(GAME.option_values(options))
    except EngineError:
        return None
    if seats not in SEATS or not cards or not labels.are_plain:
        return None
    if not all(text.strip() and len(text) <= LONGEST_NAME for text in labels.texts):
        return None
    ranks = labels.ranks()
    texts = [text for _, text in sorted(zip(ranks, labels.texts, strict=True))]
    with_column = sorted(f"{text} {column}" for text in texts for column in COLUMN_NAMES)
    # "Ant #2 a" sorts before "Ant a": texts with their column are sorted as a whole.
    play_ranks = {text: rank for rank, text in enumerate(with_column)}
    table = table_of(seats, longest, chosen)._replace(
        again=MAX_RESHUFFLES if opening == OPENINGS[0] else 0,
        faces=[_creature(card) for card in cards],
        ranks=ranks,
        # Four entries for each key, the last one unused: `key << 2 | column` is their index without a multiplication.
        play_ranks=[play_ranks.get(f"{text} {column}", 0) for text in texts for column in (*COLUMN_NAMES, "")],
        by_name=sorted(range(seats), key=players.__getitem__),
    )
    sizes = [longest] * seats if kind in (RANDOM_DECKS, STEPWISE_DECKS) else list(map(len, decks))
    return CoreGames(
        table,
        make_pool(kind, seats, sizes, labels, steps),
        lambda move: _name(move, texts, players),
        _MOVES_A_TURN * chosen.limit,
    )


def world(view: NinecardState) -> CoreWorld[Table, Hidden] | None:
    """Prepare playouts from a seat's view, evaluated some turns later; cards with equal numbers are interchangeable.

    Return None if hands are larger than in games, or if some of the own cards are not known, which records allow.
    """
    seats, seat = len(view.sides), view.to_move
    has_unknown = any(isinstance(card, HiddenCard) for card in view.side.hand)
    if has_unknown or max(len(side.hand) for side in view.sides) > MAX_HELD - 2:
        return None
    table = table_of(seats, _DEPTH, view.options)._replace(
        horizon=min(view.options.limit, view.turn + TURNS),
        watcher=seat,
        play_ranks=list(range(_KEYS << 2)),
        by_name=list(range(seats)),
    )
    s = [0] * (DECKS + seats * _DEPTH)
    s[SEAT], s[TURN], s[PLAYERS] = seat, view.turn, seats - sum(side.is_out for side in view.sides)
    s[ENERGY_USED], s[MOVED_CELLS] = view.spent, sum(1 << cell for cell in view.moved)
    s[HAS_PLAYED], s[HAS_SACRIFICED], s[DISCARDING] = view.has_played, view.has_sacrificed, view.discarding
    s[TARGET] = 0 if view.target is None else view.target + 1
    s[NEXT_COLUMN], s[NEXT_ROW] = (0, 0) if view.last is None else (view.last % 3, view.last // 3 + 1)
    pools, parts = list[int](), list[int]()
    for owner, (side, pool) in enumerate(zip(view.sides, _pools(view), strict=True)):
        at = SIDES + SIDE * owner
        s[at + LIFE], s[at + OUT], s[at + ENERGIES] = side.life, side.is_out, side.all_energy
        s[at + SIZE] = min(len(side.deck), _DEPTH)
        for column in range(3):
            cells = [card_of(creature) & CARD for creature in side.grid[column::3]]
            # The own column may have gaps while its creatures move; the others have slid forward.
            there = sum(creature << CELL * row for row, creature in enumerate(cells))
            s[at + COLUMNS + column] = there if owner == seat else pack(there)
        if owner == seat:
            s[at + HAND_COUNT] = len(side.hand)
            s[at + HAND : at + HAND + len(side.hand)] = sorted(map(card_of, side.hand))
        # For each seat the beginning and number of its cards in `hidden.cards`, and the number of them in its hand.
        parts += [len(pools), len(pool), 0 if owner == seat else len(side.hand)]
        pools += map(card_of, pool)
    numbers = {move: number_of(view, move) for move in view.legal_moves()}
    # Energy is always laid first: no other move needs a search.
    only = next((move for move, number in numbers.items() if number == ENERGY), None)
    hidden = Hidden(pools, pools[:], parts)
    return CoreWorld(table, seats, s, hidden, numbers, _KEYS << 6, (TURNS + 1) * (MAX_HELD + 20), only)


def card_of(card: BattleCard | None) -> int:
    """Return a card in a search; 0 for energy and for no card."""
    if not isinstance(card, Creature):
        return 0
    fight = 16 * card.attack + card.defense
    # The key is 1 more than attack and defense: 0 is energy.
    return fight + 1 << KEY | CREATURE + fight


def _pools(view: NinecardState) -> Iterator[Sequence[BattleCard]]:
    """Yield for each seat the candidates for its hidden cards, at least one.

    For the own deck all remaining cards are known. Other players are assumed to have the cards seen of them, and those
    of the own deck.
    """
    seat = view.to_move
    groups = {int(group.places[0].split(":")[1]): group for group in view.unseen(seat)}
    left = groups[seat].cards if seat in groups else ()
    seen = view.side.visible(own=True)
    for owner in range(len(view.sides)):
        if owner not in groups:
            pool: Sequence[BattleCard] = ()
        elif owner == seat:
            pool = seen if left is None else left
        else:
            pool = (*sorted_by_name(groups[owner].seen), *sorted_by_name((*(left or ()), *seen)))
        yield pool or (Energy(""),)


def number_of(view: NinecardState, move: str) -> int:
    """Return the number of a legal move in a search."""
    text, _, rest = move.partition(" ")
    verb, cells = VERBS.index(text), BOARD.cells
    if verb == ASSAULT:
        about = view.names.index(rest)
    elif verb == ATTACK:
        about = cells.index(rest)
    elif verb in (STEP, SWAP):
        one, other = map(cells.index, rest.split(" "))
        about = one << 4 | other
    elif verb == END:
        about = 0
    else:
        name = rest[:-2] if verb == PLAY else rest
        # Copies have equal numbers, and therefore one key.
        about = next(card_of(card) >> KEY for card in view.side.hand if getattr(card, "name", None) == name)
        about = about << 2 | COLUMN_NAMES.index(rest[-1]) if verb == PLAY else about
    return about << 4 | verb


def _creature(card: Card) -> int:
    fight = _fight(card)
    return CREATURE + 16 * fight[0] + fight[1] if fight else 0


def _fight(card: Card) -> tuple[int, int] | None:
    if not is_creature(card) or card.attack is None or card.defense is None:
        return None
    return card.attack, card.defense


def _steps(source: BattleDecks) -> Iterator[tuple[int, int, int, int, bool]]:
    """Yield the steps of a `Pool` that draw a deck along the curve, and then its energy."""
    missing = source.size - source.energy
    while missing > 0:
        count = min(missing, len(source.creatures))
        there = 0
        # The curve has the number of creatures of each cost; `wanted` limits steps that draw too many.
        for number, (available, wanted) in enumerate(source.along_the_curve(count)):
            yield 0, available, min(available, wanted), wanted, number == 0
            there = min(available, wanted)
        missing -= there
    missing = source.energy
    while missing > 0:
        count = min(missing, len(source.energies))
        yield len(source.creatures), len(source.energies), count, count, True
        missing -= count


def _name(move: int, texts: Sequence[str], players: Sequence[str]) -> str:
    verb, about, cells = move & 15, move >> 4, BOARD.cells
    if verb == END:
        return "end"
    if verb == ASSAULT:
        return f"assault {players[about]}"
    if verb == ATTACK:
        return f"attack {cells[about]}"
    if verb in (STEP, SWAP):
        return f"{VERBS[verb]} {cells[about >> 4]} {cells[about & 15]}"
    if verb == PLAY:
        return f"play {texts[about >> 2]} {COLUMN_NAMES[about & 3]}"
    return f"{VERBS[verb]} {texts[about]}"
