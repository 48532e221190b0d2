"""Which card of the catalogue a row of a file means: by id, set and number, name in its set, name; never silently.

A match is certain if everything that the row says agrees with the card, or if set and number, or an id, confirm a name
that is misspelt. If something disagrees, or only a similar name is known, it is fuzzy: the card is proposed, with the
reason. If no card is likely enough, or several are, it is missed. A certain match has a reason only if it is another
printing, which `any_printing` asks for.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.catalog.lines import COUNTS_CARDS, is_bare, is_mark, most_detailed_reading
from ccgrid.catalog.matching.asking import (
    AmbiguousCardError,
    Choose,
    How,
    Lookup,
    MatchResult,
    NoChoiceError,
    NoSuchCardError,
    OtherPrintingError,
    ResolvedCard,
    candidate_ids,
    describe_card,
    with_candidates,
)
from ccgrid.catalog.matching.candidates import (
    Candidate,
    added_words,
    agrees,
    base_number,
    forms,
    is_printed_as,
    is_rebalanced,
    is_spelled_alike,
    is_token,
    same_number,
    set_words,
    similarity,
    squeeze,
)
from ccgrid.catalog.matching.known_cards import KnownCards
from ccgrid.catalog.matching.names import NearNames, fold
from ccgrid.catalog.matching.printings import (
    COLOURS,
    best,
    best_of_each_game,
    finish_of_id,
    has_rarity_in_id,
    is_variant,
    likeliest,
    printing_order,
    says_rarity,
)
from ccgrid.catalog.matching.rows import Row, with_cell, with_reading
from ccgrid.catalog.matching.sets import RowSets, is_in_game_or_set, is_special_word

ANY_ID: Final = "id"
"""The kind of an id of unknown origin: Arena's, or Scryfall's if it has that form, if the name agrees."""

UNKNOWN: Final = "the catalogue has no "
"""How the reason of a row starts that names a set or an id that is not there; reports group by it."""
SEVERAL: Final = "cards of several games match"
"""How the reason begins for which a row is missed that may mean cards of several games."""
ELSEWHERE: Final = "other sets have it"
"""How the reason ends for which a row is missed whose name is in other sets than its own, which is unknown."""
NO_GAME: Final = "nothing says of which game it is"
"""How the reason ends for which a row is missed whose set is unknown, and which other games may have."""

_MOST_WORDS: Final = 10  # words of a line of which runs are looked up
_MOST_SUGGESTIONS: Final = 5
"""For how many unknown names of a list others are suggested: each costs a comparison with the whole catalogue."""
_PITCHES: Final = ("1", "2", "3")
_NO_IDS: Final = frozenset(("", "0", "-1"))
_LEAST_SIMILAR: Final = 75.0
"""From this similarity of 100 on, a name under the right set and number is a misspelt one."""


class Resolver:
    """Matches rows in sequence and caches look-ups.

    A row may name a game where others name a set: `Griffin (wyvern)`. Where several games have a name, however it is
    spelt, the owned printing is used and reported; otherwise the row is missed.
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
        prefer_owned: bool = True,
    ) -> None:
        """Create a resolver.

        Args:
            lookup: The catalogue.
            games: The games that the user names; none for all.
            app: The games of the app that wrote the file; none for all.
            any_printing: Whether another printing may replace a missing one.
            choose: Asks the user if a name is ambiguous; without it that is an error.
            playable: Tests which cards may be in the intended deck; they come first among cards that are not owned.
            prefer_owned: Whether a name means the owned printing; new copies are of none of these.
        """
        self._lookup, self._any_printing = lookup, any_printing
        self._ask, self._playable, self._prefer_owned = choose, playable, prefer_owned
        self._unknown = 0
        self.known = KnownCards(lookup, games or app)
        self._near = NearNames(lookup, self.known.games)
        # Caches of one resolver each: as decorators they would keep every resolver alive.
        self._unknown_name = lru_cache(1 << 10)(self._no_such_name)
        self._best_named = lru_cache(1 << 16)(self._best_of)
        # Rows that name a game in place of a set are matched by a resolver of that game alone.
        self.of_game = lru_cache(None)(
            lambda game: Resolver(
                lookup,
                games=(game,),
                any_printing=any_printing,
                choose=choose,
                playable=playable,
                prefer_owned=prefer_owned,
            )
        )

    def read(self, row: Row) -> Row:
        """Return a row with the reading of its line that matches the known names best."""
        if not row.written and (is_bare(row.name) or self.known.is_name(row.name)):
            return row
        read = self.known.reading(row.written or row.name)
        has_more = row.set_code or row.set_name or row.number or row.ids
        if read is None or (not read.name and has_more and not row.written):
            return row
        if row.written:
            return with_reading(row, read)
        # Next to a number of copies, one in brackets is that of the card: Swamp (241).
        if row.amounts and read.copies not in (None, row.copies):
            counted = self.known.reading(f"{row.copies} {row.name}")
            if counted is not None and counted.copies == row.copies and counted.number:
                read = counted
        return with_cell(row, read, self.known.is_place)

    def find(self, row: Row) -> tuple[Row, MatchResult]:
        """Return a row with its best reading and the finish that an id implies, and its match."""
        if row.game:
            if game := self.known.find_game(row.game):
                return self.of_game(game).find(row._replace(game=""))
            return row, MatchResult(None, "missed", f"{UNKNOWN}game {row.game!r}")
        if row.maybe_number:
            unnumbered = row._replace(maybe_number="")
            numbered = self.find(unnumbered._replace(number=row.maybe_number))
            # Only a card of this name in this set has the number; otherwise it is that of the row.
            return numbered if numbered[1].is_certain and numbered[1].how == "number" else self.find(unnumbered)
        # Nearly every row of a file is the name of a card with its set and number: there is nothing to read in it.
        if row.number and not (
            row.written or row.ids or row.more or self.known.game_named(row.set_code or row.set_name)
        ):
            codes = self.known.sets.sets_of(row).codes
            cards = self.known.cards_numbered(row.number, codes[0]) if len(codes) == 1 else ()
            if cards and all(card.name == row.name and card.game == cards[0].game for card in cards):
                return row, self._choose_printing(row, cards, "number")
        as_written, row = row, self.read(row)
        found = self.match(row)
        if found.is_certain and row is not as_written and (doubt := self._doubted_word(as_written, row, found)):
            found = found._replace(how="fuzzy", reason=doubt, candidates=with_candidates(found))
        if found.card is None and row.written and not self.known.is_name(row.name):
            row, found = self._misread(row, found)
        # `3 7` may be three copies of number 7 or seven of number 3: it is taken, and reported.
        if row.written and found.card and (read := self.known.reading(row.written)) and not read.is_plain:
            found = found._replace(how="fuzzy", reason=read.question, candidates=with_candidates(found))
        elif found.card is not None and found.differing and not found.card.number and not found.card.set_code:
            found = self._of_one_colour(found)
        if row.heading == COUNTS_CARDS and found.card is not None:
            found = found._replace(how="fuzzy", reason=row.heading, candidates=with_candidates(found))
        return found.with_finish(row), found

    def _doubted_word(self, as_written: Row, row: Row, found: MatchResult) -> str:
        """Return why a word next to the name may be a part of it: `Phyrexian Censor`; nothing if it is a mark.

        Set and number, an id, or another cell tell that a word is a mark; only another cell tells it of a letter.
        """
        read = self.known.reading(row.written or as_written.name)
        if read is None or not (read.letter or (read.front and found.how not in ("id", "number"))):
            return ""
        if any(kind == "card" for kind, _ in row.ids):  # the user chose an id of the catalogue
            return ""
        kind_words = (read.language, read.condition, read.finish)
        cells = (as_written.language, as_written.condition, *(finish for finish, _ in as_written.amounts))
        return "" if any(word and word in cells for word in kind_words) and not row.written else f"{read.question}"

    def _of_one_colour(self, found: MatchResult) -> MatchResult:
        """Return a miss if a card has neither set nor number, and others of its name and game have other numbers."""
        assert found.card is not None  # noqa: S101  it was found
        rivals = [card for card in found.fitting if card.game == found.card.game and not card.number]
        listed = ", ".join(sorted({card.id.rpartition("/")[2] for card in rivals}))
        return MatchResult(None, "missed", f"it does not say which card it is: {listed}", candidate_ids(rivals))

    def _with_variant(self, row: Row) -> Row:
        """Return a row with the word that distinguishes cards of one name as its rarity: `Sink Below (red)`."""
        if row.rarity or row.ids or not row.name:
            return row
        if self.known.is_name(row.name):
            places = (row.set_code, *row.more)
            words = [word for word in places if word and not self.known.is_place(word)]
            words += [row.number] if row.number in _PITCHES and not any(map(self.known.is_place, places)) else []
            cards = self.known.cards_named(row.name) if words else ()
            word = next((one for one in words if any(is_variant(card, one) for card in cards)), "")
            if not word:
                return row
            more = tuple(one for one in row.more if one != word)
            number, set_code = ("" if value == word else value for value in (row.number, row.set_code))
            return row._replace(rarity=word, more=more, number=number, set_code=set_code)
        name, _, word = fold(row.name).rpartition(" ")
        if self.known.is_name(name) and any(is_variant(card, word) for card in self.known.cards_named(name)):
            return row._replace(name=name, rarity=word)
        return row

    def _misread(self, row: Row, found: MatchResult) -> tuple[Row, MatchResult]:
        """Return a reading of a line without a known name: misspelt next to a set without a sign, or partly a name."""
        own = row.name.split()
        if any(map(self.known.is_place, (*own[:1], *own[-1:], " ".join(own[-2:])))):
            fuller = with_reading(row, most_detailed_reading(row.written, self.known.is_place, self.known.is_code))
            if (again := self.match(fuller)).card is not None:
                return fuller, again
        # The longest run of words that is a name is only offered, because the other words are unknown.
        words = fold(row.name).split()[:_MOST_WORDS]
        runs = (
            " ".join(words[start : start + length])
            for length in range(len(words) - 1, 1, -1)
            for start in range(len(words) - length + 1)
        )
        spelled = () if found.candidates else map(self._lookup.spelled, runs)
        known = self.known.cards_with_names(next(filter(None, spelled), ()))
        return row, found._replace(candidates=candidate_ids(best_of_each_game(row, known))) if known else found

    def match(self, row: Row) -> MatchResult:
        """Return the match of a row; it is fuzzy if only the owned cards decide on the game."""
        found = self._match_words(row)
        return found._replace(how="fuzzy") if found.owned and found.reason else found

    def _match_words(self, row: Row) -> MatchResult:
        """Return the card that has everything a row states; each word next to the name is a game, a set or a number."""
        if game := self.known.game_named(row.set_code or row.set_name):
            return self.of_game(game)._match_words(row._replace(set_code="", set_name=""))
        if row.more and (game := next(filter(None, map(self.known.game_named, row.more)), "")):
            return self.of_game(game)._match_words(
                row._replace(more=tuple(one for one in row.more if self.known.game_named(one) != game))
            )
        row = self._with_variant(row)
        found = self._match(row)
        if not row.more and (found.how != "name" or self.known.is_name(row.name) or is_token(row.name)):
            return found
        cards = found.fitting if found.card is None else (found.card,)
        unlike = [
            one
            for one in row.more
            if not any(is_in_game_or_set(card, one) or same_number(card.number, one) for card in cards)
        ]
        if found.is_certain and found.how != "name":
            unlike = [one for one in unlike if not self.known.is_place(one) or self._is_other_place(one, row.name)]
        if other := next(filter(self.known.is_place, unlike), ""):
            return MatchResult(None, "missed", f"it is not in {other!r}", with_candidates(found))
        if found.card is None:
            reason = f"{unlike[0]!r} is unknown" if cards and unlike else ""
            return MatchResult(None, "missed", reason, found.candidates) if reason else found
        if found.how != "name":  # its id or number tells the card, whatever a site adds to its name
            # A site may add the end of a code: Perona (036) for OP10-036.
            ends = {re.split(r"\D", card.number)[-1] for card in cards}
            unlike = [one for one in unlike if is_mark(one) or (one.isdecimal() and one not in ends)]
        elif not (self.known.is_name(row.name) or is_token(row.name) or is_spelled_alike(row.name, cards[0])):
            unlike.append(row.name)
        if unlike and found.how != "fuzzy":
            reason = f"{unlike[0]!r} is unknown"
            return found._replace(how="fuzzy", reason=reason, candidates=with_candidates(found))
        return found

    def _is_other_place(self, word: str, name: str) -> bool:
        """Return whether a word next to a name is a set with a card of that name; promo and the like do not count."""
        codes = () if is_special_word(word) else self.known.sets.sets_of(Row(set_code=word, set_name=word)).codes
        return any(self.known.cards_named(name, code) for code in codes)

    def _match(self, row: Row) -> MatchResult:
        # In the order of certainty: an id; a set with a number or a name; words of a set's name; the name alone.
        doubted: MatchResult | None = None
        for kind, value in row.ids:
            found = self._by_id(row, kind, value)
            if found is not None and found.card is not None:
                return self._contradicted(row, kind, found) or found
            # An id that is unknown, or another card's, decides nothing yet: the rest of the row may.
            doubted = doubted or found
        sets = self.known.sets.sets_of(row)
        found = self._by_code(row) or (self._in_sets(row, sets) if sets.codes else None)
        if doubted is not None:
            return self._without_id(row, doubted, found, sets)
        if (found is None or found.card is None) and (only := self._by_set_words(row)):
            return only
        if found is not None and (found.card is not None or not self._any_printing):
            return found
        return self._anywhere(row, sets, found)

    def _without_id(self, row: Row, doubted: MatchResult, found: MatchResult | None, sets: RowSets) -> MatchResult:
        """Return the match of a row with an unknown or contradictory id; the name alone is never certain then."""
        # Set, number and name agree: the id alone is off.
        if found is not None and found.card is not None and found.how == "number":
            # With a name that is not quite the same two things are off.
            if not row.name or agrees(row.name, found.card):
                return found
            return doubted._replace(candidates=with_candidates(found))
        if found is None or found.card is None:
            if doubted.candidates:
                return doubted
            found = self._anywhere(row, sets, found)
            if not self._any_printing:
                return doubted._replace(candidates=with_candidates(found))
        if found.card is None or (found.reason and self._any_printing):
            return found
        if found.how == "fuzzy":  # two things are off: it may be a printing that the catalogue has not
            return doubted._replace(candidates=with_candidates(found))
        how: How = "name" if self._any_printing and not doubted.candidates else "fuzzy"
        return found._replace(how=how, reason=doubted.reason, candidates=with_candidates(found), others=0)

    # --- by id ----------------------------------------------------------------------------------------------------

    def _by_id(self, row: Row, kind: str, value: str) -> MatchResult | None:
        """Return the card with an id, None if the id is unknown, or a miss if the card has another name."""
        if kind == "card":  # the user chose an id of the catalogue
            card = self._lookup.card(value)
            return None if card is None else MatchResult(card, "id", fitting=(card,))
        is_guess = kind == ANY_ID
        own = ("scryfall" if "-" in value else "arena") if is_guess else kind
        cards = self.known.keep_games(self._lookup.by_source_id(own, value))
        if not cards:
            reason = f"{UNKNOWN}card with the {kind} id {value}"
            return None if is_guess or value in _NO_IDS else MatchResult(None, "missed", reason)
        agreeing = [card for card in cards if not row.name or agrees(row.name, card)]
        if agreeing:
            return self._by_shared_id(row, kind, value, agreeing)
        if is_guess:
            return None
        likely = likeliest(row, cards)
        known = self.known.knows_name(row.name) or is_rebalanced(row.name, likely)
        # The id confirms a name that is misspelt, or in a language that the catalogue does not have.
        by_id = MatchResult(likely, "id", finish=finish_of_id(likely, kind, value))
        if not known and similarity(row.name, likely) >= _LEAST_SIMILAR:
            return _misspelt_result(row, by_id)
        if not known and row.language not in ("", "en"):
            return by_id
        return MatchResult(
            None, "missed", f"the {kind} id is that of {likely.name!r}, not of {row.name!r}", (likely.id,)
        )

    def _contradicted(self, row: Row, kind: str, found: MatchResult) -> MatchResult | None:
        """Return a miss if a row's set and number are another card than its id; the name may tell which is right."""
        card = found.card
        if card is None or kind == "card" or not (codes := self.known.sets.sets_of(row).codes):
            return None
        if card.set_code in codes and (not row.number or base_number(card.number) == base_number(row.number)):
            return None
        if row.number:
            others = [one for code in codes for one in self.known.cards_numbered(row.number, code)]
        else:
            others = [one for code in codes for one in self.known.cards_with_names((card.name,), code)]
        known = self.known.knows_name(row.name)
        others = [
            one
            for one in others
            if one.id != card.id
            and (not row.name or agrees(row.name, one) or (not known and similarity(row.name, one) >= _LEAST_SIMILAR))
        ]
        if not others or any(one.numbers == card.numbers and one.set_code == card.set_code for one in others):
            return None
        other = best(row, others)
        place, own = (f"{one.set_code} {one.number}".strip() for one in (other, card))
        reason = f"the {kind} id is that of {card.name!r} ({own}), but {place} is {other.name!r}"
        return MatchResult(None, "missed", reason, candidate_ids((card, other)))

    def _by_shared_id(self, row: Row, kind: str, value: str, cards: Sequence[Candidate]) -> MatchResult:
        """Return the card with an id; if several printings share it, the row's set and number decide."""
        fitting = [card for card in cards if card.lang == best(row, cards).lang]
        if len(fitting) > 1:
            sets = self.known.sets.sets_of(row)
            in_set = [card for card in fitting if card.set_code in sets.codes] or fitting
            exact = [card for card in in_set if row.number and same_number(card.number, row.number)]
            found = self._in_sets(row, sets) if sets.codes and not exact else None
            own = {card.id for card in cards}
            if found is not None and found.card and found.how == "number" and (row.name or found.card.id in own):
                return found
            fitting = exact or in_set
        taken = best(row, fitting)
        found = _match_result(taken, fitting, "id")._replace(finish=finish_of_id(taken, kind, value))
        return self._of_other_rarity(row, found) or found

    # --- by set, number and name ------------------------------------------------------------------------------------

    def _in_sets(self, row: Row, sets: RowSets) -> MatchResult | None:
        """Return the card that a row means in its possible sets, which may be of several games."""
        codes = sets.codes
        # Scryfall has the tokens of a set `dsk` in a set of their own, `tdsk`.
        if "token" in row.name.casefold():
            codes = tuple(searched for code in codes for searched in (code, self.known.sets.code(f"t{code}")))
        if len(codes) == 1:
            return self._in_set(row, codes[0])
        found = [self._in_set(row, code) for code in codes]
        exact = [one.card for one in found if one.card is not None and one.how != "fuzzy" and not one.reason]
        if len({card.game for card in exact}) > 1:
            return self._choose_printing(row, exact)
        # A match comes before a fuzzy one, that before a miss; of equals the first set counts.
        return min(found, key=lambda one: (one.card is None, one.how == "fuzzy", bool(one.reason)), default=None)

    def _by_code(self, row: Row) -> MatchResult | None:
        """Return the card whose code a row has as its number; None if the number is no code, or its set is known."""
        if not self.known.is_code(row.number) or self.known.sets.sets_of(row._replace(number="")).codes:
            return None
        cards = self.known.cards_coded(row.number)
        if agreeing := [card for card in cards if not row.name or is_printed_as(row.name, card)]:
            return self._choose_printing(row, agreeing, "number")
        likely = likeliest(row, cards)
        if similarity(row.name, likely) >= _LEAST_SIMILAR and not self.known.knows_name(row.name):
            alike = [card for card in cards if card.name == likely.name]
            return _misspelt_result(row, self._choose_printing(row, alike, "number"))
        reason = f"{row.number} is {likely.name!r}, not {row.name!r}"
        return MatchResult(None, "missed", reason, candidate_ids((likely, *self.known.cards_spelled(row.name))))

    def _in_set(self, row: Row, code: str) -> MatchResult:
        numbered = self.known.cards_numbered(row.number, code) if row.number else ()
        # The number decides where the name agrees with it; else the name is looked up by itself.
        if agreeing := [card for card in numbered if not row.name or agrees(row.name, card)]:
            return self._choose_printing(row, agreeing, "number")
        if not row.name:
            return MatchResult(None, "missed", f"{code} has no number {row.number}")
        reason = f"{code} has no card of that name"
        known = self.known.knows_name(row.name)
        if known and (named := self.known.cards_named(row.name, code)):
            return self._by_name(row, named, code)
        if not numbered:
            return MatchResult(None, "missed", reason, self._other_sets(row)) if known else self._misspelt(row, code)
        if not known:
            likely = likeliest(row, numbered)
            if row.language not in ("", "en"):  # its language is not held: the number tells
                return MatchResult(best(row, numbered), "number")
            if is_rebalanced(row.name, likely):
                reason = f"{row.name!r} is Arena's own version of {likely.name!r}"
                return MatchResult(None, "missed", reason, (likely.id,))
            if similarity(row.name, likely) >= _LEAST_SIMILAR:  # the number confirms a misspelt name
                alike = [card for card in numbered if card.name == likely.name]
                return _misspelt_result(row, self._choose_printing(row, alike, "number"))
        reason = f"number {row.number} of {code} is {numbered[0].name!r}, not {row.name!r}"
        near = () if known else candidate_ids(self._nearest(row, code))
        return MatchResult(None, "missed", reason, near or self._other_sets(row))

    # --- by name, in a set or in all: then its code is empty ----------------------------------------------------------

    def _by_name(self, row: Row, named: Sequence[Candidate], code: str = "") -> MatchResult:
        """Return the card with a name; a wrong number makes it fuzzy, or a miss if the set has the name twice.

        With `any_printing` the number may be wrong.
        """
        if row.number and (same := [card for card in named if same_number(card.number, row.number)]):
            return self._choose_printing(row, same)
        base = [card for card in named if row.number and base_number(card.number) == base_number(row.number)]
        if base and " // " in base[0].name and row.number[-1] in "ab":  # some lists number the halves of a card: 153a
            return self._choose_printing(row, base, "number")
        found = self._choose_printing(row, base or named)
        if (taken := found.card) is None:
            return found
        numbers_there = {card.number for card in named if card.lang == taken.lang}
        # Cards without a number have none that the row's could contradict.
        if not row.number or not any(numbers_there):
            return found._replace(others=len(numbers_there) - 1) if code else found
        reason = f"{code or 'the catalogue'} has {taken.name!r} as number {taken.number}, not as {row.number}"
        candidates = candidate_ids([taken, *named])
        if self._any_printing:
            return found._replace(reason=reason, candidates=candidates)
        if base or not code or len(numbers_there) == 1:
            return MatchResult(taken, "fuzzy", reason, candidates, fitting=found.fitting)
        return MatchResult(None, "missed", reason, candidates)  # another printing is another card

    def _misspelt(self, row: Row, code: str = "") -> MatchResult:
        """Return the match of a row whose name no card has, except perhaps with other spaces."""
        spelled = next((name for name in self._near.nearest(row.name, code) if squeeze(name) == squeeze(row.name)), "")
        if spelled:
            return self._by_name(row, self.known.cards_with_names((spelled,), code), code)
        near = candidate_ids(self._nearest(row, code))
        reason = f"{code} has no card of that name" if code else "no card has a similar name"
        if sure := self._near.sure(row.name, code):
            taken = self._choose_printing(row, self.known.cards_with_names((sure,), code))
            if taken.card is None:
                return taken._replace(reason=f"{taken.reason} ({sure!r} is nearly {row.name!r})")
            # A misspelt name under another number is two things wrong: more likely another card.
            numbers = {base_number(card.number) for card in (row, taken.card) if code and card.number}
            if len(numbers) > 1:
                return MatchResult(None, "missed", f"{reason}, nor number {row.number}", near)
            why = f"; {taken.reason}" if taken.reason else ""
            return MatchResult(taken.card, "fuzzy", f"{sure!r} is nearly {row.name!r}{why}", near)
        if not code and (both := self._near.tied(row.name)):
            reason = f"it could be {' or '.join(map(repr, both))}"
        return MatchResult(None, "missed", reason, near or self._other_sets(row))

    # --- by name alone ----------------------------------------------------------------------------------------------

    def _anywhere(self, row: Row, sets: RowSets, in_set: MatchResult | None) -> MatchResult:
        """Return the match of a row that names no known set."""
        unknown = f"{UNKNOWN}set {sets.written!r}" if sets.written else ""
        why = unknown if in_set is None else in_set.reason
        if not row.name:
            return in_set or MatchResult(None, "missed", why or "nothing identifies the card")
        named = self.known.cards_named(row.name)
        if not named and self.known.games and (others := self._lookup.by_name(row.name)):
            of, has = " or ".join(sorted(self.known.games)), ", ".join(sorted({card.game for card in others}))
            return MatchResult(None, "missed", f"not in {of}; found in: {has}", candidate_ids(others))
        if not named and not why:
            return self._misspelt(row)
        if not named:  # a set was named: another printing may be taken, and never a card of another name
            return MatchResult(None, "missed", why, candidate_ids(self._nearest(row)))
        if self._any_printing and why and not self.known.only_game:
            # A name says nothing of the game: that of a set that is known does.
            own = {card.game for code in sets.codes for card in self.known.cards_of_set(code)}
            of_game = [card for card in named if card.game in own]
            if not of_game:
                reason = why if own else f"{why}; {NO_GAME}"
                return MatchResult(None, "missed", reason, self._other_sets(row))
            named = of_game
        if sets.written.casefold() in COLOURS and not any(card.number for card in named):
            return MatchResult(None, "missed", f"no card of that name is {sets.written!r}", candidate_ids(named))
        found = self._by_name(row._replace(number="") if why else row, named)
        if not why or (self._any_printing and found.card is None):
            return found
        if self._any_printing and found.card is not None:
            card = found.card
            other = f"from {card.set_name or card.set_code}" if card.set_name or card.set_code else f"of {card.game}"
            return found._replace(reason=f"{why}; this is the one {other}", candidates=(card.id,))
        return MatchResult(None, "missed", f"{why}; {ELSEWHERE}", self._other_sets(row))

    def _choose_printing(self, row: Row, cards: Sequence[Candidate], how: How = "name") -> MatchResult:
        """Return the preferred printing if one game has it, or if it is owned in one game only."""
        if len(cards) == 1 and not self._prefer_owned:  # as of nearly every row of a file
            return MatchResult(cards[0], how, fitting=cards)
        first, owned = self._first(row, cards)
        if len(first) > 1:
            listed = ", ".join(card.game for card in first)
            return MatchResult(None, "missed", f"{SEVERAL}: {listed}", candidate_ids(first), fitting=first)
        # `first` has one card of each game, so that exactly one is left here.
        (taken,) = first
        found = _match_result(taken, cards, how)._replace(owned=owned)
        # The rarity has chosen among cards of one number: the others are out of the question.
        if (how == "number" or not taken.number) and says_rarity(row, taken):
            return found._replace(others=0, differing=0)
        if other := self._of_other_rarity(row, found):
            return other
        if owned and any(card.game != taken.game for card in cards):
            reason = f"{SEVERAL}; this is the one of {taken.game}, which you own"
            others = best_of_each_game(row, cards)
            return found._replace(reason=reason, candidates=candidate_ids((taken, *others)), others=0)
        return found

    def _of_other_rarity(self, row: Row, found: MatchResult) -> MatchResult | None:
        """Return a miss if several rarities of a row's number are known, but not its own; else None."""
        taken = found.card
        if taken is None or not (row.rarity and row.number and found.others and has_rarity_in_id(taken)):
            return None
        same = [card for card in found.fitting if (card.game, card.number) == (taken.game, taken.number)]
        if len(same) < 2 or any(says_rarity(row, card) for card in same):
            return None
        reason, candidates = f"{taken.number} is not known as {row.rarity!r}", candidate_ids(same)
        if self._any_printing:
            return found._replace(reason=reason, candidates=candidates)
        return MatchResult(None, "missed", reason, candidates)

    def _first(self, row: Row, cards: Sequence[Candidate]) -> tuple[list[Candidate], bool]:
        """Return the preferred printing in each possible game, and whether the owned cards decided it.

        If there are several games, those with an owned card count, or for a deck the only one with a legal card.
        If a name means an owned printing, that printing comes first.
        """
        games, is_decided = {card.game for card in cards}, False
        if self._prefer_owned or len(games) > 1:
            owned = self._lookup.owned_among([card.id for card in cards])
            if own := [card for card in cards if card.id in owned]:
                games, is_decided = {card.game for card in own}, True
                cards = own if self._prefer_owned else [card for card in cards if card.game in games]
        playable = None
        if self._playable:
            playable = frozenset(
                card.id for card in self._lookup.cards([one.id for one in cards]) if self._playable(card)
            )
        if playable and not is_decided and len(usable := {card.game for card in cards if card.id in playable}) == 1:
            cards = [card for card in cards if card.game in usable]
        return best_of_each_game(row, cards, playable), is_decided

    def _by_set_words(self, row: Row) -> MatchResult | None:
        """Return the only printing of a name with a row's number in a set whose name contains the row's words.

        Apps have their own names for sets: Deckbox's Commander is Commander 2011.
        """
        if not (row.number and row.set_name and self.known.knows_name(row.name) and (words := set_words(row.set_name))):
            return None
        found = {
            card.id: card
            for card in self.known.cards_with_names(
                (name for form in forms(row.name) for name in self._lookup.spelled(form)), ""
            )
            if same_number(card.number, row.number) and words <= set_words(card.set_name)
        }
        taken = best(row, list(found.values())) if found else None
        if taken is None or sum(card.lang == taken.lang for card in found.values()) > 1:
            return None
        return MatchResult(taken, "number")

    def _nearest(self, row: Row, code: str = "") -> list[Candidate]:
        names = self._near.nearest(row.name, code)
        return [card for name in names for card in self._best_named(name, code, row.language, row.rarity)]

    def likely(self, row: Row) -> Candidate | None:
        """Return the card whose name is nearest to a row's if it is a few letters away, such as a misread one.

        Return None if several games have that name and the row's number does not decide.
        """
        near = self._best_named(self._near.likely(row.name)[0], "", row.language, row.rarity)
        found = near if len(near) == 1 else [card for card in near if same_number(card.number, row.number)]
        return found[0] if len(found) == 1 else None

    def _best_of(self, name: str, code: str, language: str, rarity: str) -> Sequence[Candidate]:
        """Return the best printing of a name in each game; the printings may be hundreds."""
        cards = self.known.cards_with_names((name,), code)
        return cards if len(cards) < 2 else best_of_each_game(Row(language=language, rarity=rarity), cards)

    def _other_sets(self, row: Row) -> tuple[str, ...]:
        """Return the printings of a name in other sets than the row's, starting with one of each game."""
        cards = self.known.cards_spelled(row.name)
        return candidate_ids(
            (*best_of_each_game(row, cards), *sorted(cards, key=lambda card: printing_order(row, card)))
        )

    # --- as a person asks ---------------------------------------------------------------------------------------------

    def resolve(self, asked: Row) -> ResolvedCard:
        """Return the card that an id, a name, or a number of a set means; never one with a merely similar name.

        Raises:
            NoSuchCardError: If there is none. The message lists candidates.
            AmbiguousCardError: If several games have it and the user cannot be asked.
            NoChoiceError: If the user chose none.
        """
        # Ids are in lower case, and people type them in any.
        ids = [text for text in (asked.name, asked.name.lower()) if ":" in text and self._lookup.card(text)]
        row = Row(ids=(("card", ids[0]),)) if ids else self.read(asked)
        if not self.known.is_name(row.name) and (row.name or not row.number) and not row.ids:
            name = most_detailed_reading(row.written or row.name, self.known.is_place, self.known.is_code).name
            raise NoSuchCardError(self._unknown_name(name), name=name)
        found = self._match_words(row)
        card = found.card
        if card is None and found.fitting:
            card = self._ask_person(row.name or row.number, found.fitting)
        elif card is None or found.how == "fuzzy":
            near = [describe_card(one) for one in self._lookup.cards(found.candidates)]
            hint = f" Did you mean: {', '.join(near)}?" if found.candidates else ""
            name = repr(row.name) if row.name else f"Number {row.number}"
            raise OtherPrintingError(
                f"{name} not found: {found.reason}.{hint}", name=row.name or row.number, suggestions=near
            )
        fitting = tuple(sorted((one for one in found.fitting if one.game == card.game), key=_age))
        return ResolvedCard(self._lookup.cards([card.id])[0], fitting, found.owned, self._playable is not None)

    def printings(self, card: Card) -> tuple[Card, ...]:
        """Return all printings of a card in its game, earliest first."""
        same = [
            one for one in self.of_game(card.game).known.cards_called(card.name) if fold(one.name) == fold(card.name)
        ]
        return tuple(self._lookup.cards([one.id for one in sorted(same, key=_age)])) or (card,)

    def _no_such_name(self, name: str) -> str:
        self._unknown += 1
        near: list[str] = []
        if self._unknown <= _MOST_SUGGESTIONS:
            found = dict.fromkeys((*self._near.nearest(name), *(hit.name for hit in self._lookup.near(name))))
            near = [
                spelled for spelled in found if not self.known.games or self.known.cards_with_names((spelled,), "")
            ][:3]
        hint = f" Did you mean: {', '.join(near)}?" if near else ""
        return f"No card matches {name!r}.{hint}"

    def _ask_person(self, text: str, cards: Sequence[Candidate]) -> Candidate:
        candidates = self._lookup.cards([card.id for card in cards])
        if self._ask is None:
            raise AmbiguousCardError(text, candidates)
        chosen = self._ask(text, candidates)
        if chosen is None:
            raise NoChoiceError(f"No card was chosen for {text!r}.")
        return next(card for card in cards if card.id == chosen.id)


def _match_result(taken: Candidate, cards: Sequence[Candidate], how: How) -> MatchResult:
    """Return a match with the number of equally good printings and of those among them with other numbers."""
    rivals = {card.id: card for card in cards if (card.lang, card.game) == (taken.lang, taken.game)}
    differing = sum(card.numbers != taken.numbers for card in rivals.values())
    return MatchResult(taken, how, others=len(rivals) - 1, differing=differing, fitting=cards)


def _misspelt_result(row: Row, found: MatchResult) -> MatchResult:
    """Return a match that an id or a number confirms; it is fuzzy if the name has words that the card's name lacks."""
    if found.card is None or not (words := added_words(row.name, found.card)) or is_special_word(words):
        return found
    return found._replace(how="fuzzy", reason=f"{words!r} is unknown", candidates=with_candidates(found))


def _age(card: Candidate) -> tuple[str, str]:
    return card.released, card.id
