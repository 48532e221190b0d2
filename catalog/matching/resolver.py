"""Which card of the catalogue a row of a file means: by id, set and number, name in its set, name; never silently.

A match is exact where everything that the row says agrees with the card. Where something does not, or the name is only
nearly the same, it is fuzzy and carries the reason; where no card is likely enough, or several are, it is missed.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache, partial
from typing import Final

from catalog.card import Card, CatalogError
from catalog.lines import is_bare, is_mark, meant
from catalog.matching.asking import (
    AmbiguousCardError,
    Asked,
    Choose,
    NoChoiceError,
    OtherPrintingError,
    Resolved,
    UnknownCardError,
    fitting,
    is_of,
    is_of_game,
    numbered,
)
from catalog.matching.choice import (
    best,
    best_of_each_game,
    candidate_ids,
    finish_said,
    likeliest,
    order,
    says_rarity,
    with_candidates,
)
from catalog.matching.row import Lookup, MatchResult, Row, with_cell, with_reading
from catalog.matching.search import fold
from catalog.matching.sets import MeantSets, SetNames
from catalog.matching.similar_names import NearNames
from catalog.matching.spellings import (
    Candidate,
    agrees,
    base_number,
    forms,
    is_rebalanced,
    is_token,
    number_forms,
    same_number,
    set_words,
    similarity,
)

ANY_ID: Final = "id"
"""The kind of an id of which nobody says whose it is: Arena's, or Scryfall's where it looks so, if the name agrees."""

SEVERAL: Final = "cards of several games are called so"
"""How the reason begins for which a row is missed that may mean cards of several games."""

_LISTED: Final = 8
_HELPED: Final = 5
"""For so many unknown names of a list others are suggested: every name of the catalogue is compared each time."""
_NO_IDS: Final = frozenset(("", "0", "-1"))
_ALIKE: Final = 75.0
"""From this similarity of 100 on, a name under the right set and number is a misspelt one."""


class Resolver:
    """Matches rows, one after the other; what was looked up once is kept.

    A row may name a game where others name a set: `Griffin (wyvern)`. Where several games have a name, however it is
    spelt, what one owns is taken, and told; else nobody knows which card is meant, and the row is missed.
    """

    def __init__(
        self,
        lookup: Lookup,
        *,
        games: Sequence[str] = (),
        app: Sequence[str] = (),
        any_printing: bool = False,
        choose: Choose | None = None,
        playable: Callable[[Card], bool] | None = None,
        as_owned: bool = True,
    ) -> None:
        """`games` are those that a person asks for, `app` those of the app that wrote the file; none for all.

        `choose` asks a person where a name is ambiguous; without it that is an error. `playable` tells which cards may
        be in the deck that is meant: they come first among cards nobody owns. With `as_owned` a name means the printing
        that its owner has; copies that are new are of none of these.
        """
        self._lookup, self._any_printing, self.games = lookup, any_printing, tuple(games)
        self._choose, self._playable, self._as_owned = choose, playable, as_owned
        self._unknown = 0
        self._answers: dict[Asked, Resolved | CatalogError] = {}
        wanted = frozenset(games or app)
        self._games = wanted if wanted and not wanted.issuperset(lookup.games()) else frozenset()
        self._near = NearNames(lookup, self._is_wanted if self._games else None)
        self._best_named = lru_cache(1 << 16)(self._best_of)
        self._of = lru_cache(None)(self._resolver_of)
        self._said = lru_cache(1 << 10)(self._game_said)
        self.knows = lru_cache(1 << 17)(self._knows)
        self.is_name = lru_cache(1 << 17)(self._is_name)
        self.is_place = lru_cache(1 << 14)(self._is_place)
        self._meant = lru_cache(1 << 14)(partial(meant, is_name=self.is_name, is_place=self.is_place))

    @cached_property
    def _sets(self) -> SetNames:
        return SetNames(self._lookup.sets())

    def read(self, row: Row) -> Row:
        """A row as it is to be read by the names there are: `catalog.lines` says in which order that is tried."""
        if not row.written and (is_bare(row.name) or self.is_name(row.name)):
            return row
        read = self._meant(row.written or row.name)
        if read is None:
            return row
        return with_reading(row, read) if row.written else with_cell(row, read, self.is_place)

    def match(self, row: Row) -> MatchResult:
        """What a row means."""
        found = self._match_game(row)
        if (card := found.card) is None:
            return found
        unlike = [word for word in row.more if not (is_of(card, word) or same_number(card.number, word))]
        if other := next(filter(self.is_place, unlike), ""):
            return MatchResult(None, "missed", f"it is not in {other!r}", with_candidates(found))
        if found.how != "name":  # its id or number tells the card, whatever a site adds to its name
            unlike = list(filter(is_mark, unlike))
        elif not (self.is_name(row.name) or is_token(row.name)):
            unlike.append(row.name)
        if unlike and found.how != "fuzzy":
            reason = f"{unlike[0]!r} is not understood"
            return found._replace(how="fuzzy", reason=reason, candidates=with_candidates(found))
        return found

    def _is_place(self, word: str) -> bool:
        """Whether a word is a set or a game."""
        return bool(self.find_set(word) or self._said(word))

    def _match_game(self, row: Row) -> MatchResult:
        found = self._match(row)
        if found.how == "missed" and (said := row.set_code or row.set_name) and (game := self._said(said)):
            return self._of(game).match(row._replace(set_code="", set_name="", written=""))
        return found

    def _resolver_of(self, game: str) -> "Resolver":
        return Resolver(self._lookup, games=(game,), any_printing=self._any_printing)

    def _game_said(self, text: str) -> str:
        """The game that a text names which is no set; '' where it is none."""
        if self.find_set(text) is not None:
            return ""
        known = (game for game in self._lookup.games() if not self.games or game in self.games)
        return next((game for game in known if is_of_game(game, text)), "")

    def _match(self, row: Row) -> MatchResult:
        doubted: MatchResult | None = None
        for kind, value in row.ids:
            found = self._by_id(row, kind, value)
            if found is not None and found.card is not None:
                return found
            doubted = doubted or found
        sets = self._sets.meant(row)
        found = self._in_sets(row, sets) if sets.codes else None
        if doubted is not None:
            return self._despite_id(row, doubted, found, sets)
        if (found is None or found.card is None) and (only := self._in_set_called(row)):
            return only
        if found is not None and (found.card is not None or not self._any_printing):
            return found
        return self._anywhere(row, sets, found)

    def _despite_id(self, row: Row, doubted: MatchResult, found: MatchResult | None, sets: MeantSets) -> MatchResult:
        """What a row means whose id is nobody's or another card's: the name alone never settles that for certain."""
        if found is not None and found.how == "number":
            return found
        if found is None or found.card is None:
            if doubted.candidates:
                return doubted
            found = self._anywhere(row, sets, found)
            if not self._any_printing:
                return doubted._replace(candidates=with_candidates(found))
        if found.card is None or (found.how == "fuzzy" and self._any_printing):
            return found
        if found.how == "fuzzy":  # two things are off: it may be a printing that the catalogue has not
            return doubted._replace(candidates=with_candidates(found))
        return found._replace(how="fuzzy", reason=doubted.reason, candidates=with_candidates(found), others=0)

    def find_set(self, text: str) -> str | None:
        """The code of the set that a text names by its code, an older one, or its name; None where there is none."""
        found = self._sets.meant(Row(0, "", (), "", text, text))
        return found.codes[0] if found.codes else None

    # --- by id ----------------------------------------------------------------------------------------------------

    def _by_id(self, row: Row, kind: str, value: str) -> MatchResult | None:
        """The card with an id; None where nobody has that id, and a miss where its name is another."""
        if kind == "card":  # an id of the catalogue was chosen by somebody
            card = self._lookup.card(value)
            return None if card is None else MatchResult(card, "id")
        is_guess = kind == ANY_ID
        own = ("scryfall" if "-" in value else "arena") if is_guess else kind
        cards = self._wanted(self._lookup.by_source_id(own, value))
        if not cards:
            reason = f"the catalogue has no card with the {kind} id {value}"
            return None if is_guess or value in _NO_IDS else MatchResult(None, "missed", reason)
        agreeing = [card for card in cards if not row.name or agrees(row.name, card)]
        if agreeing:
            return self._shared(row, kind, value, agreeing)
        if is_guess:
            return None
        likely = likeliest(row, cards)
        known = self.knows(row.name) or is_rebalanced(row.name, likely)
        if similarity(row.name, likely) >= _ALIKE and not known:
            reason = f"the {kind} id is that of {likely.name!r}, not quite {row.name!r}"
            return MatchResult(likely, "fuzzy", reason, (likely.id,), finish=finish_said(likely, kind, value))
        if row.language not in ("", "en") and not known:
            return MatchResult(likely, "id", finish=finish_said(likely, kind, value))
        return MatchResult(
            None, "missed", f"the {kind} id is that of {likely.name!r}, not of {row.name!r}", (likely.id,)
        )

    def _shared(self, row: Row, kind: str, value: str, cards: Sequence[Candidate]) -> MatchResult:
        """The card with an id; where several printings share it, the row's set and number tell which."""
        alike = [card for card in cards if card.lang == best(row, cards).lang]
        if len(alike) > 1:
            sets = self._sets.meant(row)
            in_set = [card for card in alike if card.set_code in sets.codes] or alike
            exact = [card for card in in_set if row.number and same_number(card.number, row.number)]
            found = self._in_sets(row, sets) if sets.codes and not exact else None
            if found is not None and found.how == "number":
                return found
            alike = exact or in_set
        taken = best(row, alike)
        return _beside(taken, alike, MatchResult(taken, "id", finish=finish_said(taken, kind, value)))

    # --- by set, number and name ------------------------------------------------------------------------------------

    def _in_sets(self, row: Row, sets: MeantSets) -> MatchResult | None:
        """The card that a row means in the sets that it may mean."""
        miss: MatchResult | None = None
        codes = sets.codes
        if "token" in row.name.casefold():
            codes = tuple(searched for code in codes for searched in (code, self._sets.code(f"t{code}")))
        for code in codes:
            found = self._in_set(row, code)
            if found.card is not None:
                return found
            miss = miss or found
        return miss

    def _in_set(self, row: Row, code: str) -> MatchResult:
        numbered = self._wanted(self._lookup.numbered(code, number_forms(row.number, code))) if row.number else ()
        if not row.name:
            if numbered:
                return self._numbered(row, numbered)
            return MatchResult(None, "missed", f"{code} has no number {row.number}")
        agreeing = [card for card in numbered if agrees(row.name, card)]
        if agreeing:
            return self._numbered(row, agreeing)
        known = self.knows(row.name)
        if known and (named := self._named_in(row.name, code)):
            return self._by_name_in_set(row, code, named)
        if numbered and not known and row.language not in ("", "en"):  # its language is not held: the number tells
            return MatchResult(best(row, numbered), "number")
        if numbered and not known:
            likely = likeliest(row, numbered)
            if is_rebalanced(row.name, likely):
                reason = f"{row.name!r} is Arena's own version of {likely.name!r}"
                return MatchResult(None, "missed", reason, (likely.id,))
            if similarity(row.name, likely) >= _ALIKE:
                reason = f"number {row.number} of {code} is {likely.name!r}, not quite {row.name!r}"
                return MatchResult(likely, "fuzzy", reason, (likely.id,))
        near = [] if known else self._near_in_set(row, code)
        if numbered:
            reason = f"number {row.number} of {code} is {numbered[0].name!r}, not {row.name!r}"
            return MatchResult(None, "missed", reason, candidate_ids(near) or self._elsewhere(row))
        if known:
            return MatchResult(None, "missed", f"{code} has no card of that name", self._elsewhere(row))
        return self._misspelt(row, code, near)

    def _numbered(self, row: Row, cards: Sequence[Candidate]) -> MatchResult:
        """The best of the cards with the number of a row; there are several where a number has several rarities."""
        taken = best(row, cards)
        if len(cards) == 1:
            return MatchResult(taken, "number")
        found = MatchResult(taken, "number")
        return found if says_rarity(row, taken) else _beside(taken, cards, found)

    def _spelled(self, name: str, code: str | None = None) -> Sequence[Candidate]:
        """The cards of a set or of all with the first of the forms of a name that any has."""
        for form in forms(name):
            found = (card for spelled in self._lookup.spelled(form) for card in self._lookup.named(spelled, code))
            if wanted := self._wanted(list(found)):
                return wanted
        return ()

    def _named_in(self, name: str, code: str) -> Sequence[Candidate]:
        """The cards of a set with a name: as it is written, then folded, then without what sites add to it."""
        return self._wanted(self._lookup.named(name, code)) or self._spelled(name, code)

    def _by_name_in_set(self, row: Row, code: str, named: Sequence[Candidate]) -> MatchResult:
        """The card with a name in a set; where that has it once, a number that is off is told, and no more."""
        taken = best(row, named)
        alike = {card.number for card in named if card.lang == taken.lang}
        if not row.number or not any(alike):
            return _beside(taken, named, MatchResult(taken, "name"))._replace(others=len(alike) - 1)
        base = [card for card in named if base_number(card.number) == base_number(row.number)]
        reason = f"{code} has {taken.name!r} as number {taken.number}, not as {row.number}"
        if base or len(alike) == 1 or self._any_printing:
            taken = best(row, base or named)
            reason = f"{code} has {taken.name!r} as number {taken.number}, not as {row.number}"
            return MatchResult(taken, "fuzzy", reason, candidate_ids([taken, *named]))
        return MatchResult(None, "missed", reason, candidate_ids([taken, *named]))  # another printing is another card

    def _misspelt(self, row: Row, code: str, near: Sequence[Candidate]) -> MatchResult:
        """A row whose name a set lacks, in which `near` are the cards with the nearest names."""
        where = f"{code} has no card of that name"
        if (sure := self._near.sure(row.name, code)) and near:
            chosen = near[0]
            if row.number and chosen.number and base_number(chosen.number) != base_number(row.number):
                return MatchResult(None, "missed", f"{where}, nor number {row.number}", candidate_ids(near))
            return MatchResult(chosen, "fuzzy", f"{sure!r} is nearly {row.name!r}", candidate_ids(near))
        return MatchResult(None, "missed", where, candidate_ids(near) or self._elsewhere(row))

    def _near_in_set(self, row: Row, code: str) -> list[Candidate]:
        found = (self._wanted(self._lookup.named(name, code)) for name in self._near.nearest(row.name, code))
        return [best(row, printings) for printings in found if printings]

    # --- by name alone ----------------------------------------------------------------------------------------------

    def _anywhere(self, row: Row, sets: MeantSets, in_set: MatchResult | None) -> MatchResult:
        """A row that names no set that the catalogue has."""
        if in_set is not None:
            why = in_set.reason
        elif sets.said:
            why = f"the catalogue has no set {sets.said!r}"
        else:
            why = ""
        if not row.name:
            return in_set or MatchResult(None, "missed", why or "nothing tells which card it is")
        found = self._by_name(row)
        if found is not None:
            if not why or (self._any_printing and found.card is None):
                return found
            if self._any_printing and found.card is not None:
                reason = f"{why}; this is the one from {found.card.set_name or found.card.set_code}"
                return MatchResult(found.card, "fuzzy", reason, (found.card.id,))
            return MatchResult(None, "missed", f"{why}; other sets have it", self._elsewhere(row))
        near = self._nearest(row)
        if why:  # a set was named: another printing may be taken, and never a card of another name
            return MatchResult(None, "missed", why, candidate_ids(near))
        if sure := self._near.sure(row.name):
            taken = self._settled(row, self._wanted(self._lookup.named(sure)))
            if taken.card is None:
                return taken._replace(reason=f"{taken.reason} ({sure!r} is nearly {row.name!r})")
            why = f"; {taken.reason}" if taken.reason else ""
            return MatchResult(taken.card, "fuzzy", f"{sure!r} is nearly {row.name!r}{why}", candidate_ids(near))
        if both := self._near.tied(row.name):
            return MatchResult(None, "missed", f"it could be {' or '.join(map(repr, both))}", candidate_ids(near))
        return MatchResult(None, "missed", "no card has a name like that", candidate_ids(near))

    def _by_name(self, row: Row) -> MatchResult | None:
        """The printing to take, in all sets, of the name that a row gives, or that has one of its folded forms."""
        found = self._called(row.name) or self._spelled(row.name)
        if not found:
            return None
        if row.number and not row.set_code:
            found = [card for card in found if same_number(card.number, row.number)] or found
        return self._settled(row, found)

    def _called(self, name: str, games: Sequence[str] = ()) -> Sequence[Candidate]:
        """The cards that a name means; in each game only those to which it is nearest.

        A half of a name means the whole, `Ice` as well as `Fire` of `Fire // Ice`, where no card of the games is called
        so.
        """
        folded = fold(name)
        spelled = self._lookup.spelled(folded) if folded else ()
        names = dict.fromkeys((name, *spelled) if spelled or not folded else ())
        found = self._of_games([card for one in names for card in self._lookup.named(one)], games)
        if not found:
            found = self._of_games(
                [card for one in self._lookup.halved(folded) for card in self._lookup.named(one)], games
            )
        if len(names) < 2:
            return found
        distances: dict[str, int] = {}
        for card in found:
            distances[card.game] = min(distances.get(card.game, 9), _distance(name, folded, card))
        return [card for card in found if _distance(name, folded, card) == distances[card.game]]

    def _of_games(self, cards: Sequence[Candidate], games: Sequence[str]) -> Sequence[Candidate]:
        return self._wanted([card for card in cards if card.game in games] if games else cards)

    def _settled(self, row: Row, cards: Sequence[Candidate]) -> MatchResult:
        """The printing to take of those of a name, where one game has it, or one owns that of one game alone."""
        first, owned = self._first(row, cards)
        if len(first) > 1:
            listed = ", ".join(card.game for card in first)
            return MatchResult(None, "missed", f"{SEVERAL}: {listed}", candidate_ids(first))
        (taken,) = first
        if owned:
            reason = f"{SEVERAL}; this is the one of {taken.game}, which you own"
            return MatchResult(taken, "fuzzy", reason, (taken.id,))
        return _beside(taken, cards, MatchResult(taken, "name"))

    def _first(self, row: Row, cards: Sequence[Candidate], *, as_owned: bool = False) -> tuple[list[Candidate], bool]:
        """The printing to take in each game that may be meant, and whether that was told by what one owns.

        Of several games those count of which one owns a card, else for a deck the only one with a card that may be in
        it. With `as_owned` the printing that one owns is taken before any other.
        """
        games, told = {card.game for card in cards}, False
        if as_owned or len(games) > 1:
            owned = self._lookup.owned_among([card.id for card in cards])
            if own := [card for card in cards if card.id in owned]:
                games, told = {card.game for card in own}, True
                cards = own if as_owned else [card for card in cards if card.game in games]
        playable = self._playable_among(cards) if self._playable else None
        if playable and not told and len(usable := {card.game for card in cards if card.id in playable}) == 1:
            cards = [card for card in cards if card.game in usable]
        return best_of_each_game(row, cards, playable), told

    def _playable_among(self, cards: Sequence[Candidate]) -> frozenset[str]:
        assert self._playable is not None  # noqa: S101  the caller has looked
        held = self._lookup.cards([card.id for card in cards])
        return frozenset(card.id for card in held if self._playable(card))

    def _in_set_called(self, row: Row) -> MatchResult | None:
        """The only printing of a name with a row's number, in a set whose name has the words that the row calls it.

        Apps have names of their own for sets: Deckbox's Commander is Commander 2011.
        """
        if not (row.name and row.number and row.set_name and (words := set_words(row.set_name))):
            return None
        named = (
            card for form in forms(row.name) for name in self._lookup.spelled(form) for card in self._lookup.named(name)
        )
        found = {
            card.id: card
            for card in self._wanted(list(named))
            if same_number(card.number, row.number) and words <= set_words(card.set_name)
        }
        taken = best(row, list(found.values())) if found else None
        if taken is None or sum(card.lang == taken.lang for card in found.values()) > 1:
            return None
        return MatchResult(taken, "number")

    def _nearest(self, row: Row) -> list[Candidate]:
        return [
            card for name in self._near.nearest(row.name) for card in self._best_named(name, row.language, row.rarity)
        ]

    def likely(self, row: Row) -> Candidate | None:
        """The card whose name is nearest to a row's, if only a few letters away: perhaps misread by a machine.

        None where several games have that name, and the row's number does not tell which.
        """
        near = self._best_named(self._near.likely(row.name)[0], row.language, row.rarity)
        found = near if len(near) == 1 else [card for card in near if same_number(card.number, row.number)]
        return found[0] if len(found) == 1 else None

    def _best_of(self, name: str, language: str, rarity: str) -> Sequence[Candidate]:
        """The best printing of a name, which may have hundreds, in each game, for rows that say no more than this."""
        row = Row(0, name, (), name, language=language, rarity=rarity)
        return best_of_each_game(row, self._wanted(self._lookup.named(name)))

    def _elsewhere(self, row: Row) -> tuple[str, ...]:
        """The printings of a name in other sets than the row's, one of each game before others."""
        cards = self._spelled(row.name)
        return candidate_ids((*best_of_each_game(row, cards), *sorted(cards, key=lambda card: order(row, card))))

    # --- as a person asks ---------------------------------------------------------------------------------------------

    def resolve(self, asked: Asked) -> Resolved:
        """The card that is meant, by an id or a name; never one that is only nearly called so.

        Raises:
            UnknownCardError: there is none; it names those that may be meant.
            AmbiguousCardError: several games have it, and nobody can be asked.
            NoChoiceError: nobody chose one when asked.
        """
        if asked not in self._answers:
            try:
                self._answers[asked] = self._resolved(asked)
            except CatalogError as error:
                self._answers[asked] = error
        answer = self._answers[asked]
        if isinstance(answer, CatalogError):
            raise answer
        return answer

    def forget(self) -> None:
        """Forgets what was answered, as what somebody owns is otherwise now."""
        self._answers.clear()

    def printings(self, card: Card) -> tuple[Card, ...]:
        """All printings of a card in its game, the earliest first."""
        same = [one for one in self._called(card.name, (card.game,)) if fold(one.name) == fold(card.name)]
        return tuple(self._lookup.cards([one.id for one in sorted(same, key=_age)])) or (card,)

    def _resolved(self, asked: Asked) -> Resolved:
        for text in (asked.text, asked.text.lower()):
            if ":" in text and (card := self._lookup.card(text)) is not None:
                return Resolved(self._lookup.cards([card.id])[0], (card,))
        refusal: UnknownCardError | None = None
        for reading in asked.readings(self.is_place):
            if not (cards := self._called(reading.text, reading.games) or self._called(reading.text)):
                continue
            try:
                return self._taken(reading, _fitting(reading, sorted(cards, key=_age)))
            except UnknownCardError as error:
                refusal = refusal or error
        if refusal is not None:
            raise refusal
        name = asked.readings()[-1].text
        self._unknown += 1
        near: list[str] = []
        if self._unknown <= _HELPED:
            near = list(dict.fromkeys((*self._near.nearest(name), *(hit.name for hit in self._lookup.near(name)))))[:3]
        hint = f" Did you mean: {', '.join(near)}?" if near else ""
        raise UnknownCardError(f"No card is called {name!r}.{hint}")

    def _taken(self, asked: Asked, cards: Sequence[Candidate]) -> Resolved:
        """One of the cards that fit: whoever can be asked is asked which of several games is meant."""
        row = Row(0, asked.text, (), asked.text, language=asked.language)
        first, owned = self._first(row, cards, as_owned=self._as_owned)
        found = self._lookup.cards([card.id for card in first])
        card = found[0] if len(found) == 1 else self._chosen(asked.text, found)
        fitting = tuple(one for one in cards if one.game == card.game)
        return Resolved(card, fitting, owned and self._as_owned, self._playable is not None)

    def _chosen(self, text: str, candidates: Sequence[Card]) -> Card:
        if self._choose is None:
            raise AmbiguousCardError(text, candidates)
        chosen = self._choose(text, candidates)
        if chosen is None:
            raise NoChoiceError(f"No card was chosen for {text!r}.")
        return chosen

    # --- what all of them use -----------------------------------------------------------------------------------------

    def _wanted(self, cards: Sequence[Candidate]) -> Sequence[Candidate]:
        return [card for card in cards if card.game in self._games] if self._games else cards

    def _is_name(self, name: str) -> bool:
        """Whether a card is called so, but for accents, case, punctuation and halves."""
        return bool(self._lookup.spelled(fold(name)) or self._lookup.named(name))

    def _is_wanted(self, name: str) -> bool:
        return bool(self._wanted(self._lookup.named(name)))

    def _knows(self, name: str) -> bool:
        """Whether a card is called so, as far as accents, punctuation, halves and what sites add go."""
        return any(self._lookup.spelled(form) for form in forms(name))


def _beside(taken: Candidate, cards: Iterable[Candidate], found: MatchResult) -> MatchResult:
    """A match with how many printings in the same language fit as well, and how many of them have other numbers."""
    alike = {card.id: card for card in cards if card.lang == taken.lang}
    differing = sum(card.numbers != taken.numbers for card in alike.values())
    return found._replace(others=len(alike) - 1, differing=differing)


def _fitting(asked: Asked, named: Sequence[Candidate]) -> list[Candidate]:
    """Those of the cards of a name that have all that was said beside it; UnknownCardError where none has."""
    found = [card for card in named if not asked.games or card.game in asked.games]
    if not found:
        others = ", ".join(dict.fromkeys(card.game for card in named))
        games = " or ".join(asked.games)
        raise UnknownCardError(f"No card of {games} is called {asked.text!r}; it is a card of: {others}.")
    for word in asked.beside:
        if not (matching := fitting(found, word)):
            raise OtherPrintingError(f"{asked.text!r} is not in the set {word!r}; it is in: {_sets(found)}.")
        found = matching
    if asked.number:
        if not (matching := numbered(found, asked.number)):
            numbers = ", ".join(card.number for card in found[:_LISTED])
            where = f" in the set {asked.beside[-1]!r}" if asked.beside else ""
            raise OtherPrintingError(f"{asked.text!r} has no number {asked.number}{where}; it has: {numbers}.")
        found = matching
    return [card for card in found if card.lang == asked.language] or found if asked.language else found


def _distance(name: str, folded: str, card: Candidate) -> int:
    """How far a card's name is from what was written: the same, the same in its language, but for accents and case."""
    if name in (card.name, card.printed_name):
        return 0 if name == card.name else 1
    return 2 if folded == fold(card.name) else 3


def _age(card: Candidate) -> tuple[str, str]:
    return card.released, card.id


def _sets(cards: Sequence[Candidate]) -> str:
    """The sets of cards, with their games where these are several."""
    several = len({card.game for card in cards}) > 1
    sets = dict.fromkeys(f"{card.game} {card.set_code}".strip() if several else card.set_code for card in cards)
    return ", ".join(list(sets)[:_LISTED])
