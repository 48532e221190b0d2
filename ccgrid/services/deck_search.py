"""Search for decks that play well, and their rating."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, cast

import msgspec

from ccgrid.catalog.answer_fields import with_fields
from ccgrid.catalog.card import Card
from ccgrid.catalog.card_answers import ShownDeck, shown_deck
from ccgrid.catalog.collection.pulls import draw_copies, legal_copies
from ccgrid.catalog.decks import Deck
from ccgrid.catalog.errors import CatalogError, UsageError
from ccgrid.catalog.formatting import counted, percent, shell_word
from ccgrid.catalog.layouts.layout_file import game_title
from ccgrid.catalog.store.catalogue import sample_pool
from ccgrid.catalog.store.statistics import count_cards
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.board import OPPOSITE
from ccgrid.engine.decks import NumbersNeverMeetError, TooFewCardsError
from ccgrid.engine.dice import Dice
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.insight.deck_rating import (
    MAX_DECIDED_BY_ONE,
    MAX_UNEVENNESS,
    MIN_MET_SHARE,
    MIN_RELATIVE_CHOICES,
    DeckSearch,
    FoundDeck,
    RatingFigures,
    ThresholdDistances,
    default_games,
    find_rating,
    rate,
)
from ccgrid.engine.many.runner import Runner as Runner
from ccgrid.services.catalogue import cards_asked, has_cards, open_bundled, open_cards, open_catalogue, open_collection
from ccgrid.services.choices import Choices
from ccgrid.services.deck_requests import DeckRequest
from ccgrid.services.decks import read_legal_deck
from ccgrid.services.drawn_decks import draw_deck, find_decks
from ccgrid.services.running_total import running_total

_SURELY_EVEN: Final = 0.05
"""The maximum distance of the starting player's share from one half, within its error, of an even deck."""


def draw_owned(
    request: DeckRequest,
    dice: Dice,
    waiting: Callable[[], None],
    tell: Callable[[str], object] = lambda _: None,
) -> Sequence[Card]:
    """Draw the cards of a random legal deck from owned copies that are not checked out.

    If there are too few, and the request fills decks, take all of them and random bundled cards. `tell` is called with
    the names of these.

    Raises:
        CatalogError: If there are too few, or decks of the game are not drawn from any legal cards.
    """
    game = request.game
    decks = find_decks(game)
    if not decks.any_legal:
        names = " and ".join(name for name, decks in GAMES.parts("decks").items() if decks.any_legal)
        raise UsageError(f"Only the {names} game takes decks from a collection, not {game}.")
    size = decks.sizes[0]
    with open_collection(request.database, waiting) as collection:
        owned = legal_copies(collection, request.card_games)
        if len(owned) >= size or not request.fill:
            return draw_copies(collection, size, dice, request.card_games)
    return fill_deck(owned, size, dice, tell)


def fill_deck(cards: Sequence[Card], size: int, dice: Dice, tell: Callable[[str], object]) -> Sequence[Card]:
    """Complete the cards of a deck with random bundled cards. `tell` is called with the names of these."""
    with open_bundled() as store:
        added = store.draw(size - len(cards), dice)
    tell(f"{counted(len(added), 'bundled card')} completed the deck: {', '.join(card.name for card in added)}.")
    return [*cards, *added]


_MIXED_IN: Final = 3
"""The maximum number of card games that a verdict suggests to mix in."""


class RatedDeck(RatingFigures, frozen=True, kw_only=True):
    """The rating of a deck with this name, and its meaning and advice in sentences."""

    # msgspec lets a keyword field without a default replace one with a default.
    name: str  # pyright: ignore[reportGeneralTypeIssues]
    verdict: list[str]


def rate_deck(
    file: Path | None,
    *,
    game: str | None,
    source: str = "all",
    games: int | None,
    players: Sequence[str],
    seed: int,
    runner: Runner,
    database: Path | None,
    choices: Choices,
    waiting: Callable[[], None],
    progress: Callable[[int, int], object],
    resume: Path | None = None,
    tell: Callable[[str], object] = lambda _: None,
) -> RatedDeck:
    """Rate a deck in many games, and explain the figures in sentences.

    Args:
        file: The deck, or None to draw one.
        game: The game that the deck is for, if the file does not name one.
        source: The cards to draw from: `all`, `collection` or a query.
        games: The number of games; None for the default of the game and the players.
        players: One policy for both seats, or two.
        seed: The master seed.
        runner: The runner that plays the games.
        database: The catalogue that contains the cards.
        choices: Asks about ambiguous names, and collects notices about interpreted ones.
        waiting: Called if another command is writing to the catalogue.
        progress: Called from time to time with the number of finished games, and the total number.
        resume: A file that stores the counts; games that it already contains are not played again.
        tell: Called with a sentence before a slow step, or if the bundled cards are used.

    Raises:
        CatalogError: If the deck is not legal, or there are too few cards for one.
        EngineError: If a player or the number of games is invalid.
    """
    if file is None:
        request = DeckRequest(game=game or GAMES.default, source=source, database=database)
        dice = Dice(seed)
        cards = draw_owned(request, dice, waiting) if request.is_owned else draw_deck(request, dice, tell).cards
        deck = Deck(f"Random deck {seed}", tuple(cards), seed, request.game)
    else:
        deck = read_legal_deck(file, database, game, choices)
    game_name = game or deck.plays or GAMES.default
    policies = tuple(players) * 2 if len(players) == 1 else tuple(players)
    wanted = default_games(game_name, policies) if games is None else games
    if len(policies) != 2:
        raise UsageError("Two players rate a deck: name one policy for both, or two.")
    rating = rate(
        game_name,
        deck.cards,
        wanted,
        seed,
        policies=(policies[0], policies[1]),
        runner=runner,
        progress=running_total(progress, wanted),
        resume=resume,
        tell=tell,
    ).figures()
    verdict = explain_rating(game_name, deck.cards, rating, database)
    return with_fields(rating, RatedDeck, name=deck.name, verdict=verdict)


def explain_rating(game: str, cards: Sequence[Card], rating: RatingFigures, database: Path | None) -> list[str]:
    """Return the meaning of a rating and advice, in sentences, the most important first."""
    decks = find_game(game).decks
    if decks and (reason := decks.dead_deck_reason(cards)):
        return [f"A dead deck: {reason}. Put other cards in."]
    rated, card_games = find_rating(game), {card.game for card in cards}
    figures = msgspec.structs.asdict(rating)
    sentences = [*rated.verdict(cards, figures, lambda zone: _with_numbers_at(zone, card_games, database))]
    ahead, unsure = abs(rating.first_share - 0.5), 2 * rating.first_stderr
    if ahead > max(MAX_UNEVENNESS, unsure):
        takes = f"The first player gets {_starts(rating)}"
        if rated.evens and rating.komi:
            takes += f"; balance it with the variant {rated.evens}={rating.komi} (then {percent(rating.komi_share)})"
        elif rated.evens:
            takes += f": {rated.evens}, for the other player, does not balance that"
        sentences.append(f"{takes}.")
    elif ahead + unsure > _SURELY_EVEN:
        sentences.append(f"The first player gets {_starts(rating)}.")
        sentences.append(f"Too few games to say whether that is even: --games {_games_to_tell(rating)}.")
    else:
        sentences.append(f"Even: the first player gets {_starts(rating)}.")
    if rating.draws > 0.2:
        sentences.append(f"{percent(rating.draws)} of games are drawn.")
    return sentences


def _games_to_tell(rating: RatingFigures) -> int:
    """Return the rounded number of games after which the starting player's share is known to one percent."""
    games: int = math.ceil(rating.games * (rating.first_stderr / 0.01) ** 2)
    step: int = 10 ** max(len(str(games)) - 1, 2)
    return -(-games // step) * step


def _starts(rating: RatingFigures) -> str:
    """Return the starting player's share, and between which players; stronger or weaker players may differ."""
    one, other = rating.players
    who = f"two {one} players" if one == other else f"{one} and {other} players"
    return f"{percent(rating.first_share)} of the points between {who}"


def _with_numbers_at(zone: str, but: set[str], database: Path | None) -> str:
    """Return the card games of the catalogue whose legal cards mostly have a number in a zone, as a list in words."""
    if not has_cards(database):
        return ""
    with open_catalogue(database) as store:
        shares = store.shares_at(zone)
    fitting = [(share, game) for game, share in shares.items() if game not in but and share >= 1 / 2]
    names = [game_title(name) for _, name in sorted(fitting, reverse=True)[:_MIXED_IN]]
    return " or ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


_CHECK_PLAYER: Final = "strong:100"
_CHECK_GAMES: Final = 200
_CHECK_FORK: Final = -3
"""The players that check a good deck, the number of their games, and the fork of the seed that deals these."""

_MIN_LIVELY_SHARE: Final = 0.45
"""The share of captures in which numbers meet below which a proposed deck is not lively."""
_MOST_SEARCHED: Final = 30_000
"""The maximum number of printings in a search, each of which takes a kilobyte of memory."""
_POOL: Final = -2
"""The fork of the seed that samples the printings."""


class FoundRating(RatingFigures, frozen=True, kw_only=True):
    """The rating of a deck that was searched for, from fresh games, with the figures of random decks of its cards.

    Attributes:
        first_games: The number of games in which `first_share` was measured.
    """

    first_games: int
    usual_met: float
    usual_choices: float
    usual_first_share: float


class NewDeck(ShownDeck, frozen=True, kw_only=True):
    """A deck that was drawn or found by a search, with its rating if it was measured.

    Attributes:
        explanation: How it plays, in sentences, if it was measured.
        meets: For each card the number of other cards that its numbers can be compared with, if it was measured.
    """

    rating: FoundRating | msgspec.UnsetType = msgspec.UNSET
    explanation: list[str] | msgspec.UnsetType = msgspec.UNSET
    meets: list[int] | msgspec.UnsetType = msgspec.UNSET


@dataclass(frozen=True, slots=True)
class DeckProposal:
    """A found deck: its rating if it was measured, what it promises, and the reasons for its cards.

    `meets` is for each card the number of other cards that its numbers can be compared with.
    """

    cards: tuple[Card, ...]
    rating: FoundRating | None
    promise: tuple[str, ...]
    explanation: tuple[str, ...]
    meets: tuple[int, ...]

    def answer(self, deck: Deck, *, explained: bool) -> NewDeck:
        """Return the answer for the deck that was made of the proposal, with the reasons if they are asked for."""
        return with_fields(
            shown_deck(deck),
            NewDeck,
            rating=msgspec.UNSET if self.rating is None else self.rating,
            explanation=list(self.explanation) if explained else msgspec.UNSET,
            meets=list(self.meets) if explained else msgspec.UNSET,
        )


def search_decks(
    request: DeckRequest,
    seed: int,
    *,
    runner: Runner,
    waiting: Callable[[], None],
    progress: Callable[[int, int], object],
    tell: Callable[[str], object] = lambda _: None,
) -> Iterator[DeckProposal]:
    """Yield the requested decks; the seed determines them.

    Args:
        request: The decks.
        seed: The master seed.
        runner: The runner that plays games.
        waiting: Called if another command is writing to the catalogue.
        progress: Called from time to time with the number of finished games, and their maximum number.
        tell: Called with a sentence before a slow step, or if the bundled cards are used.

    Raises:
        CatalogError: If there are too few cards, or their numbers never meet.
        EngineError: If the player is invalid.
    """
    pool = _pool(request, seed, waiting, tell)
    searching: type[DeckSearch] = find_game(request.game).part("deck_search")
    player = request.player or "greedy"
    report = running_total(progress, request.decks * searching.most_games(request.kind, player))
    for number in range(request.decks):
        own = seed if number == 0 else Dice(seed).fork(number).seed
        search = searching(tuple(pool), own, runner, report, player, tell)
        try:
            found = _search(request, search, own, number, waiting, runner)
        except TooFewCardsError as error:
            raise CatalogError(_too_few(request, number, error.available)) from None
        except NumbersNeverMeetError as error:
            add = "Add cards of another game." if request.is_owned else f"Try: {lively_command(request)}"
            raise CatalogError(f"{str(error).capitalize()}.\n{add}") from None
        yield found
        used = {(card.game, card.name) for card in found.cards}
        pool = [card for card in pool if (card.game, card.name) not in used]


def _search(
    request: DeckRequest, search: DeckSearch, seed: int, number: int, waiting: Callable[[], None], runner: Runner
) -> DeckProposal:
    if request.kind == "lively":
        return _proposal(request, search.lively())
    if request.kind == "balanced":
        return _proposal(request, search.balanced())
    if request.kind == "good":
        found = search.good()
        both = (_CHECK_PLAYER, _CHECK_PLAYER)
        checked = rate(
            request.game, found.cards, _CHECK_GAMES, Dice(seed).fork(_CHECK_FORK).seed, policies=both, runner=runner
        )
        proposal = _proposal(request, found)
        return replace(proposal, promise=(*proposal.promise, *_check_lines(checked.figures())))
    cards = search.random()
    if number == 0:  # the same deck as without a search
        dice = Dice(seed)
        cards = tuple(draw_owned(request, dice, waiting) if request.is_owned else draw_deck(request, dice).cards)
    if request.explain:
        return _proposal(request, search.measure(cards))
    return DeckProposal(cards, None, (), (), ())


def _pool(request: DeckRequest, seed: int, waiting: Callable[[], None], tell: Callable[[str], object]) -> list[Card]:
    """Return the candidate cards: of the catalogue one printing of each card, of the collection every copy.

    A very large catalogue is sampled with the seed.
    """
    if request.is_owned:
        with open_collection(request.database, waiting) as collection:
            return legal_copies(collection, request.card_games)
    with open_cards(request.database, tell) as store:
        store.check_games(request.card_games)
        dice, only = Dice(seed).fork(_POOL), cards_asked(store, request.query)
        cards = sample_pool(store, _MOST_SEARCHED, dice, request.card_games, only)
        return list({(card.game, card.name, *sorted(card.zones.items()), card.score): card for card in cards}.values())


_FEW_MEET: Final = 0.02
"""Share of pairs of numbers in opposite zones up to which a search among these cards is pointless."""


def lively_command(request: DeckRequest) -> str:
    """Return a command for a deck of the requested cards whose numbers meet.

    If the numbers of the card games alone hardly ever meet, it adds the game with most numbers opposite to theirs, or
    else asks for any cards.
    """
    games, source = list(request.card_games), request.source
    if (games or request.query) and not request.is_owned:
        with open_cards(request.database, lambda _: None) as store:
            found = count_cards(store, cards_asked(store, request.query)).games
        zones = {one.game: cast("dict[str, int]", one.zones) for one in found if one.legal}
        chosen = [game for game in zones if game in (games or zones)]
        numbers = [(sum(zones[game][zone] for game in chosen), OPPOSITE[zone]) for zone in ZONES]
        meeting = {game: sum(zones[game][facing] * count for count, facing in numbers) for game in zones}
        if _FEW_MEET * sum(count for count, _ in numbers) ** 2 >= sum(meeting[game] for game in chosen):
            best = max(meeting, key=lambda game: meeting[game], default="")
            games, source = ([*games, best], source) if meeting.get(best) else ([], "all")
    words = ["--lively", *(word for game in games for word in ("--game", game))]
    words += [] if source == "all" else ["--from", source]
    words += ["-o", "lively.toml"] if request.database is None else ["--db", str(request.database), "-o", "lively.toml"]
    return " ".join(["ccgrid deck new", *map(shell_word, words)])


def _too_few(request: DeckRequest, found: int, there: int) -> str:
    whose = "your cards" if request.is_owned else "the cards of the catalogue"
    if request.query:
        whose += f" that match {request.query!r}"
    if request.card_games:
        whose += f" ({', '.join(request.card_games)})"
    if found:
        return (
            f"Found only {found} of {counted(request.decks, 'deck')}: a deck needs 20 cards, and "
            f"{there or 'none'} of {whose} {'is' if there == 1 else 'are'} left."
        )
    return f"A deck needs 20 legal cards, but {whose} include {f'only {there}' if there else 'none'}."


def _proposal(request: DeckRequest, found: FoundDeck) -> DeckProposal:
    # The sentences use the share that was measured in the most games.
    usual = found.usual
    figures = msgspec.structs.replace(found.rating.figures(), first_share=found.start_share)
    rating = with_fields(
        figures,
        FoundRating,
        first_games=found.start_games,
        usual_met=usual.met_share,
        usual_choices=usual.per_turn(usual.choices),
        usual_first_share=usual.first_share,
    )
    explanation = explain_rating(request.game, found.cards, figures, request.database)
    searching: type[DeckSearch] = find_game(request.game).part("deck_search")
    meets = tuple(searching.meets(found.cards))
    return DeckProposal(found.cards, rating, tuple(_promise(request.kind, rating)), tuple(explanation), meets)


def _promise(kind: str, rating: FoundRating) -> Iterator[str]:
    met, choices, first = rating.met or 0.0, rating.mean_choices, rating.first_share
    if kind == "lively":
        yield (
            f"Two numbers meet in {percent(met)} of captures (random decks: {percent(rating.usual_met)}), "
            f"and there are {choices:.1f} choices a turn ({rating.usual_choices:.1f})."
        )
        if met < _MIN_LIVELY_SHARE or choices < MIN_RELATIVE_CHOICES * rating.usual_choices:
            yield "No better deck was found. Add a card game with numbers in opposite corners."
    elif kind == "good":
        yield from _how_good(rating)
    elif kind == "balanced":
        yield (
            f"The first player gets {100 * first:.1f} % of the points between two {rating.players[0]} players, "
            f"in {rating.first_games:,} fresh games (random decks: {percent(rating.usual_first_share)})."
        )
        if abs(first - 0.5) > MAX_UNEVENNESS:
            yield "That is not even. Try another --seed, or more card games."


def _how_good(rating: FoundRating) -> Iterator[str]:
    """Yield the figures of a good deck with their thresholds, and those that were missed."""
    first, komi = rating.first_share, rating.komi
    met, by_one = rating.met or 0.0, rating.by_one or 0.0
    with_komi = rating.komi_share if komi else first
    choices, usual = rating.mean_choices, rating.usual_choices
    bars = ThresholdDistances.from_figures(met, first, with_komi, by_one, choices, usual)
    even = f"the first player gets {100 * first:.1f} % of the points"
    if abs(first - 0.5) > MAX_UNEVENNESS and komi:
        even += f", {100 * with_komi:.1f} % with --option komi={komi}"
    # In the order of the thresholds: the figure of the deck, and the threshold.
    figures = (
        (f"numbers meet in {percent(met)} of captures", f"{percent(MIN_MET_SHARE)} or more"),
        (even, f"{100 * (0.5 - MAX_UNEVENNESS):.0f} to {percent(0.5 + MAX_UNEVENNESS)}"),
        (f"one card decides {percent(by_one)} of games", f"{percent(MAX_DECIDED_BY_ONE)} or fewer"),
        (
            f"there are {choices / max(usual, 0.1):.2f} times the choices of random decks",
            f"{MIN_RELATIVE_CHOICES} or more",
        ),
    )
    yield f"Between two {rating.players[0]} players: {'; '.join(words for words, _ in figures)}."
    missing = [f"{words} ({wanted} wanted)" for (words, wanted), far in zip(figures, bars, strict=True) if far > 0]
    if missing:
        why = " Players take the high cards in turn, so scores end close." if by_one > MAX_DECIDED_BY_ONE else ""
        yield (
            f"No deck meets all conditions. Missing: {'; '.join(missing)}.{why} Try another --seed, or more card games."
        )


def _check_lines(rating: RatingFigures) -> Iterator[str]:
    """Yield the figures of a good deck between stronger players."""
    first, error = rating.first_share, rating.first_stderr
    yield (
        f"Checked between two {_CHECK_PLAYER} players in {rating.games} games: numbers meet in "
        f"{percent(rating.met or 0.0)}, the first player gets {100 * first:.0f} ± {percent(error)}, "
        f"one card decides {percent(rating.by_one or 0.0)}."
    )
    if abs(first - 0.5) > MAX_UNEVENNESS + 2 * error:
        komi = f" komi={rating.komi} would make it {percent(rating.komi_share)}." if rating.komi else ""
        yield f"So starting matters more between stronger players.{komi}"
