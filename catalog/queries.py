"""The query language for cards and owned copies, in Scryfall's spelling; pure.

Bare words belong to the name, `field:value` and `field>=number` are conditions, `-` negates a part, `or` and brackets
combine parts. `catalog.store.queries` translates queries to SQL.
"""

import re
from collections.abc import Callable, Collection, Sequence
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from ccgrid.catalog.card import LONGEST_NAME
from ccgrid.catalog.colour_queries import parse_colours
from ccgrid.catalog.copy_marks import MARKS
from ccgrid.catalog.description import COLOURS
from ccgrid.catalog.errors import UsageError
from ccgrid.catalog.lazy_patterns import lazy_pattern
from ccgrid.catalog.zones import ONE_WORD_SPELLINGS, PLACE_NAMES, ZONE_LETTERS, ZONES

if TYPE_CHECKING:
    from lark import Lark, Token

LONGEST_QUERY: Final = 2000
"""The most characters of a query."""
_SHOWN: Final = 40  # characters of a query that is too long
_DEEPEST: Final = 50
"""The most nested brackets; SQLite's own limit on the depth of expressions is higher."""

Kind = Literal[
    "text",
    "exact",
    "number",
    "zone",
    "face",
    "date",
    "flag",
    "id",
    "rarity",
    "colours",
    "cost",
    "keyword",
    "words",
    "own",
]


class Field(NamedTuple):
    """A field of a query: its name, how it is compared, other spellings, a sentence, and an example."""

    name: str
    kind: Kind
    aliases: tuple[str, ...]
    about: str
    example: str


FIELDS: Final = (
    Field("name", "text", ("n",), "The name: words in it, or with = the whole of it.", 'name:"lightning bolt"'),
    Field("game", "exact", ("g",), "The card game.", "game:wyvern"),
    Field("set", "text", ("s", "e", "edition"), "The set: its code, or words of its name.", "set:m10"),
    Field("number", "exact", ("cn",), "The collector number.", "number:146"),
    Field("id", "id", (), "The id in the catalogue. Without a colon, the colour identity.", "id:mtg:m10/146"),
    Field("lang", "exact", ("language",), "The language, as a code.", "lang:de"),
    Field("year", "number", (), "The year in which the printing was released.", "year<1998"),
    Field("date", "date", ("released",), "The day of release, as year-month-day.", "date>=1998-06-15"),
    *[
        Field(
            zone,
            "zone",
            (ZONE_LETTERS[zone],),
            f"The number at the {PLACE_NAMES[zone]}.",
            f"{ZONE_LETTERS[zone] if '-' in zone else zone}>=7",
        )
        for zone in ZONES
    ],
    Field("face", "face", (), "Any number printed elsewhere on the face.", "face:3"),
    Field("score", "number", (), "The sum of all numbers.", "score>20"),
    Field("attack", "number", ("atk",), "Its attack, if its game has one.", "attack>=5"),
    Field("defense", "number", ("def",), "Its defense, if its game has one.", "defense>attack"),
    Field("type", "text", ("t",), "The type line: words in it.", "type:elf"),
    Field("rarity", "rarity", ("r",), "The rarity.", "r:rare"),
    Field("color", "colours", ("c", "colors", "colour", "colours"), "The colours, by letters or names.", "c:rg"),
    Field("identity", "colours", ("ci", "coloridentity"), "The colour identity.", "id<=wu"),
    Field("mv", "number", ("manavalue", "cmc"), "The cost as a number.", "mv<=3"),
    Field("cost", "cost", ("m", "mana"), "The cost, as it is printed.", "m:{2}{G}"),
    Field("artist", "text", ("a",), "The artist.", "a:guay"),
    Field("keyword", "keyword", ("kw", "keywords"), "A keyword or trait.", "kw:flying"),
    Field("text", "words", ("o", "oracle"), "The rules text: words side by side.", 'o:"draw a card"'),
    Field("reason", "text", (), "Why a card is not legal.", "reason:oversized"),
    Field("is", "flag", (), "A property: legal, barred, promo, foil, owned, custom, signed …", "is:promo"),
    Field("own", "number", ("copies",), "How many copies you own of the printing.", "own:>=2"),
    Field("box", "text", (), "The box, binder or folder it is in.", "box:attic"),
    Field("row", "exact", (), "The row in the box, or the page.", "row:3"),
    Field("slot", "exact", (), "The place in the row.", "slot:12"),
    Field("note", "text", (), "Your note on the copies.", "note:signed"),
    Field("tag", "exact", ("tags",), "A tag of the copies.", "tag:cube"),
    Field("grade", "text", ("graded",), "Who graded a copy, and the grade.", 'grade:"psa 9"'),
    Field("price", "number", ("paid",), "What one copy cost you, in whole units.", "price>=10"),
    Field("acquired", "date", ("bought",), "When you got the copies, as year-month-day.", "acquired>=2024"),
    Field("added", "date", (), "When the copies were added to the collection.", "added>=2026-05"),
    Field("column", "text", (), "A column of your own, or its text.", "column:shelf"),
    Field("cond", "exact", ("condition",), "The condition of a copy.", "cond:near-mint"),
    Field("finish", "exact", (), "The finish of a copy: normal, foil or etched.", "finish:foil"),
)
"""All fields. Zones, numbers and text fields also compare with `none`, `any` and another field."""

COPY_FLAGS: Final = (*MARKS, "trade", "graded")
"""Properties of copies; `trade` marks copies for trade."""
DESCRIBED_FLAGS: Final = (
    *("permanent", "spell", "historic", "vanilla", "hybrid", "phyrexian", "multicolor", "colorless", "token"),
)
"""Properties that follow from what a card says."""
FLAGS: Final = (
    "legal",
    "barred",
    "digital",
    "promo",
    "foil",
    "etched",
    "owned",
    "custom",
    *DESCRIBED_FLAGS,
    *COPY_FLAGS,
)
SORTS: Final = (
    *("name", "set", "number", "game", "year", "date", "score", "attack", "defense", "own", "copies", "place"),
    *("price", "acquired", "added", "mv", "rarity", "type", "artist"),
    *ZONES,
)
"""The orders of `sort:`; with a minus the largest comes first."""
BARE_FLAGS: Final = ("legal", "barred")
"""Flags that need no `is:`; in quotes they are words of a name."""
NONE, ANY = "none", "any"

_ALIASES: Final = {
    **ONE_WORD_SPELLINGS,
    **{
        alias: field.name
        for field in FIELDS
        for alias in (field.name, *field.aliases)
        if alias not in ONE_WORD_SPELLINGS
    },
}
_FIELDS: Final = {field.name: field for field in FIELDS}
_NUMERIC: Final = frozenset({"number", "zone", "own"})
_SHARED: Final = {"t": ("top", "type"), "r": ("right", "rarity")}
"""Letters of zones that also stand for a text, as with Scryfall. With a number they are the zone."""
_SHORT_NAMES: Final = {"pow": "power", "tou": "toughness", "loy": "loyalty"}
"""Scryfall's short names of fields of Magic."""
RARITIES: Final = ("common", "uncommon", "rare", "special", "mythic", "bonus")
"""Magic's rarities in Scryfall's order. Any other word has no place in it."""
_RANKED: Final = frozenset((*RARITIES, *(word[0] for word in RARITIES)))
_STATS: Final = frozenset(("mv", *_SHORT_NAMES.values()))
_RELATIONS: Final = ("<", "<=", ">", ">=")
NEAREST: Final = 3
"""The number of known fields that the message about an unknown one names."""
OwnFields = Callable[[], Collection[str]]
"""Returns the names of the games' own fields."""


class QueryError(UsageError):
    """Raised if a query cannot be read; the message quotes it with the position marked."""

    def __init__(self, message: str, query: str, start: int, end: int) -> None:
        super().__init__(f"{message}\nHere: {query[:start]}[{query[start:end]}]{query[end:]}")


class Word(NamedTuple):
    """A word or phrase of a name, or with `is_pattern` a regular expression for it."""

    text: str
    is_pattern: bool = False


class Comparison(NamedTuple):
    """A field compared with a value: a text, a whole number, another field, a pattern, `none` or `any`.

    `operator` is `=`, `!=`, `<`, `<=`, `>` or `>=`, or `:` for the field's default comparison.
    """

    field: Field
    operator: str
    value: str | int
    other: Field | None = None
    is_pattern: bool = False


class Not(NamedTuple):
    """The negation of a part."""

    part: "Part"


class All(NamedTuple):
    """A conjunction of parts; an empty one is true."""

    parts: tuple["Part", ...]


class Some(NamedTuple):
    """A disjunction of parts."""

    parts: tuple["Part", ...]


Part: TypeAlias = Word | Comparison | Not | All | Some


class Sort(NamedTuple):
    """An order of results; with `falling` the largest comes first."""

    by: str
    falling: bool


class Query(NamedTuple):
    """A query: its parts, all of which must hold, the orders of the answer, and the number of copies."""

    parts: tuple[Part, ...] = ()
    sorts: tuple[Sort, ...] = ()
    copies: int | None = None

    @property
    def words(self) -> str:
        """The single words of a name, which may be misspelt; "" if there are none."""
        return " ".join(part.text for part in self.parts if isinstance(part, Word) and part not in self.conditions)

    @property
    def conditions(self) -> tuple[Part, ...]:
        """All other parts, such as words that stand side by side."""
        return tuple(part for part in self.parts if not isinstance(part, Word) or part.is_pattern or " " in part.text)


# The numbers are priorities of terminals: `or` counts before a word, an operator before a bare value. What begins like
# a regular expression and has no end is no word.
_GRAMMAR: Final = r"""
start: any_of?
any_of: all_of (OR all_of)*
all_of: (AND? part)+
part: MINUS part -> negated
    | "(" any_of ")" -> group
    | FIELD OPERATOR value -> test
    | EXACT -> exact
    | STRING -> phrase
    | PATTERN -> pattern
    | WORD -> word
value: STRING | QUOTED | PATTERN | BARE
OR.5: /or(?=[\s()]|$)/i
AND.5: /and(?=[\s()]|$)/i
MINUS.4: /-(?=-*[\w("\/!])/
FIELD.3: /[^\W\d_][\w-]*(?=:(?!\/\/)\S|[<>=]|!=)/i
OPERATOR.2: /:?(?:<=|>=|!=|<>|==?|<|>)|:/
EXACT.3: /!(?:"[^"]*"|[^\s()"!=]+)/
STRING.2: /"[^"]*"/
QUOTED.2: /'[^']*'(?=[\s)]|$)/
PATTERN.2: /\/(?:\\.|[^\/\\])+\/(?=[\s)]|$)/
BARE: /(?!\/[^\s\/])[^\s()"]+/
WORD: /(?!\/[^\s\/])[^\s()"]+/
%ignore /\s+/
"""


@cache
def _parser() -> "Lark":
    """Return the parser, built on first use because loading the library takes longer than most searches."""
    from lark import Lark

    return Lark(_GRAMMAR, parser="lalr", lexer="contextual", propagate_positions=True)


def is_plain(text: str) -> bool:
    """Return whether a text is only words of a name; most are, and need no parser."""
    words = text.casefold().split()
    return _SIGNS.isdisjoint(text) and {"or", "and", *BARE_FLAGS}.isdisjoint(words)


def names_a_field(text: str) -> bool:
    """Return whether a text uses a field, as in `game:wyvern`, so that it is not a name with marks."""
    return re.search(_FIELD, text, re.IGNORECASE) is not None


def name_query(text: str, *more: Part) -> Query:
    """Return the query for the words of a name, whatever characters they have, and for further parts."""
    return Query((*map(Word, text.split()), *more))


# Compiled on first use like the parser: most queries need neither.
_NO_BRACKETS: Final = lazy_pattern(r"(?:(?:^|(?<=[\s(:=-]))/(?:\\.|[^/\\])+/|(?<=[:=<>])'[^']*')(?=[\s)]|$)")
_FIELD: Final = rf"(?:^|(?<=[\s(-]))(?:(?:{'|'.join(_ALIASES)}|sort)[:=<>!]+|[a-z]+:)\S"
_SIGNS: Final = frozenset('"()/<>=:!-')


def field(name: str) -> Field:
    """Return the field with this name or alias."""
    return _FIELDS[_ALIASES[name]]


def field_name(typed: str) -> str:
    """Return the name of the field that a word means; an unknown word is returned normalised.

    >>> field_name("r"), field_name("cmc"), field_name("House")
    ('rarity', 'mv', 'house')
    """
    word = typed.strip().casefold()
    if word in _SHARED:
        return _SHARED[word][1]
    return _ALIASES.get(word) or "".join(filter(str.isalnum, _SHORT_NAMES.get(word, word)))


def nearest(name: str, names: Collection[str]) -> list[str]:
    """Return the nearest names, by their spelling or, for names of fields, by another spelling."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    spelled = [*names, *(one for field in FIELDS if field.name in names for one in field.aliases if len(one) > 2)]
    best = process.extract(name.casefold(), spelled, scorer=OSA.normalized_similarity, limit=len(spelled))
    return list(dict.fromkeys(found if found in names else _ALIASES[found] for found, *_ in best))[:NEAREST]


def own_field(name: str) -> Field:
    """Return a game's own field, such as `house`."""
    return Field(name, "own", (), "A field of the game.", f"{name}:…")


def _is_date(text: str) -> bool:
    """Return whether the text is a year, a month or a day of the calendar."""
    if not re.fullmatch(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?", text):
        return False
    try:
        date.fromisoformat(f"{text}-01-01"[: len("1998-06-15")])
    except ValueError:
        return False
    return True


def _any_meaning(found: Sequence[Comparison]) -> Part:
    """Return the condition for a field whose name some game's own field has, too. A card may have one of the two."""
    first, *others = found
    if first.value in (NONE, ANY) and (first.value == NONE) is (first.operator != "!="):
        return All(tuple(found))
    known = ((Comparison(one.field, ":", ANY), one) for one in others)
    return Some((first, *map(All, known)))


def _field(typed: str) -> Field | None:
    return _FIELDS.get(_ALIASES.get(typed.casefold(), ""))


def parse(text: str, own_fields: OwnFields = tuple) -> Query:
    """Parse a query; `own_fields` are known besides `FIELDS`.

    Raises:
        QueryError: If it cannot be read. The message says why and marks the position.

    >>> parse('dragon tl>=7 -is:promo').words
    'dragon'
    """
    if len(text) > LONGEST_QUERY:
        raise QueryError(
            f"A query has {len(text):,} characters; the maximum is {LONGEST_QUERY:,}.",
            f"{text[:_SHOWN]} …",
            _SHOWN + 1,
            _SHOWN + 2,
        )
    return name_query(text) if is_plain(text) else _QueryParser(text, own_fields).query()


class _QueryParser:
    """Parser of one query; errors name the position of the mistake."""

    def __init__(self, text: str, own_fields: OwnFields) -> None:
        self._text, self._own_fields = text, own_fields
        self._sorts: list[Sort] = []

    def query(self) -> Query:
        from lark import UnexpectedInput, UnexpectedToken

        self._check_brackets()
        try:
            tree = _parser().parse(self._text)
        except UnexpectedInput as error:
            is_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
            place = len(self._text) if is_end else int(getattr(error, "pos_in_stream", None) or 0)
            what = "Something is missing at the end" if is_end else f"{self._text[place]!r} cannot stand here"
            raise self._error(what, place, place + 1) from None
        part = self._any_of(tree.children[0], top=True) if tree.children else All(())
        parts = part.parts if isinstance(part, All) else (part,)
        return Query(parts, tuple(self._sorts))

    def _error(self, message: str, start: int, end: int) -> QueryError:
        return QueryError(f"{message}.", self._text, start, end)

    def _check_brackets(self) -> None:
        """Report unclosed quotes and brackets before parsing, because the parser would name the wrong position."""
        open_brackets: list[int] = []
        place = 0
        while place < len(self._text):
            letter = self._text[place]
            if skipped := _NO_BRACKETS.match(self._text, place):
                place = skipped.end() - 1
            elif letter == '"':
                end = self._text.find('"', place + 1)
                if end < 0:
                    raise self._error("These quotes have no end", place, len(self._text))
                place = end
            elif letter == "(":
                open_brackets.append(place)
                if len(open_brackets) > _DEEPEST:
                    raise self._error(f"More than {_DEEPEST} brackets are open", place, place + 1)
            elif letter == ")":
                if not open_brackets:
                    raise self._error("This bracket was never opened", place, place + 1)
                open_brackets.pop()
            place += 1
        if open_brackets:
            raise self._error("This bracket is never closed", open_brackets[-1], open_brackets[-1] + 1)

    def _any_of(self, tree: Any, *, top: bool = False) -> Part:
        every = [self._all_of(child, top=top) for child in tree.children if hasattr(child, "data")]
        found = [part for part in every if part != All(())] or every  # nothing but an order is no condition
        return found[0] if len(found) == 1 else Some(tuple(found))

    def _all_of(self, tree: Any, *, top: bool) -> Part:
        parts: list[Part] = []
        for child in tree.children:
            if hasattr(child, "data") and (part := self._part(child, top=top)) is not None:
                parts.append(part)
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def _part(self, tree: Any, *, top: bool) -> Part | None:
        rule, children = str(tree.data), tree.children
        if rule == "negated":
            part = self._part(children[1], top=False)
            return None if part is None else Not(part)
        if rule == "group":
            return self._any_of(children[0])
        if rule == "test":
            return self._test(children, top=top)
        token: Token = children[0]
        if rule == "pattern":
            return Word(self._pattern(token), is_pattern=True)
        if rule == "exact":
            return Comparison(_FIELDS["name"], "=", str(token)[1:].strip('"'))
        if rule == "phrase":
            return Word(str(token)[1:-1])
        return self._word(token)

    def _word(self, token: "Token") -> Part:
        word, start, end = str(token), token.start_pos or 0, token.end_pos or 0
        if word.casefold() in BARE_FLAGS:
            return Comparison(_FIELDS["is"], ":", word.casefold())
        if word.casefold() in ("or", "and"):
            raise self._error(f"{word!r} goes between two parts; as a name, put it in quotes", start, end)
        if re.match(r":?(?:[<>=]|!=)", word):
            raise self._error("Write a comparison without spaces, as in tl>=7", start, end)
        if word.casefold() in ("sort:", "order:"):
            raise self._error("sort needs a value: write sort:score", start, end)
        if word.endswith(":") and (field := self._field(word[:-1].casefold(), ":", "")):
            raise self._error(f"{field.name} needs a value: write {field.example}", start, end)
        return Word(word)

    def _pattern(self, token: "Token") -> str:
        pattern = str(token)[1:-1].replace(r"\/", "/")
        start = token.start_pos or 0
        if len(pattern) > LONGEST_NAME:
            raise self._error("This pattern is too long", start, start + len(token))
        try:
            re.compile(pattern, re.IGNORECASE)
        except (re.error, OverflowError, RecursionError) as error:
            raise self._error(f"This is not a regular expression ({error})", start, start + len(token)) from None
        return pattern

    def _test(self, children: list[Any], *, top: bool) -> Part | None:
        name, operator, value = children[0], str(children[1]), children[2].children[0]
        start, end = name.start_pos or 0, name.end_pos or 0
        # `:>=` and `>=`, `==` and `=`, `<>` and `!=` are the same.
        operator = {"==": "=", "<>": "!="}.get(operator.removeprefix(":"), operator.removeprefix(":")) or ":"
        if name.casefold() in ("sort", "order"):
            if not top:
                raise self._error("sort: belongs outside brackets", start, end)
            self._sorts.append(self._sort(value))
            return None
        field = self._field(str(name).casefold(), operator, str(value).strip("\"'"))
        if field is None and operator == ":" and "/" in value and "{" not in value:
            return Comparison(_FIELDS["id"], ":", f"{name}:{value}")  # mtg:m10/146
        if field is None:
            raise self._error(self._no_such_field(str(name)), start, end)
        fields = [field, *self._own_namesakes(field, name)]
        found = [self._comparison(one, operator, value) for one in fields]
        found += [
            one._replace(other=own) for one in found if one.other for own in self._own_namesakes(one.other, value)
        ]
        part = found[0] if len(found) == 1 else _any_meaning(found)
        return Not(part) if name.casefold() == "not" else part

    def _field(self, name: str, operator: str, value: str) -> Field | None:
        """Return the field that a name means in front of a value, or None for an unknown name."""
        if name in _SHARED:
            zone, other = _SHARED[name]
            # r>=r is a rarity: a zone is not compared with itself.
            compared = _ALIASES.get(value.casefold()) if operator in _RELATIONS else None
            is_zone = value.isdecimal() or (compared in ZONES and compared != zone)
            return _FIELDS[zone if is_zone else other]
        if name == "id" and not {":", "/"} & set(value):
            return _FIELDS["identity"]
        if name == "not":
            return _FIELDS["is"]
        return _field(name) or self._own_field(name)

    def _own_namesakes(self, field: Field, name: str) -> list[Field]:
        """Return the field of a game with the name of another one, if there is one."""
        own = None if field.kind in ("own", "flag") else self._own_field(name.casefold())
        return [own] if own else []

    def _own_field(self, name: str) -> Field | None:
        """Return the field of a game with this name, or None if no game has it."""
        folded = "".join(filter(str.isalnum, _SHORT_NAMES.get(name, name)))
        return own_field(folded) if folded in self._own_fields() else None

    def _sort(self, value: "Token") -> Sort:
        wanted = str(value).casefold()
        falling = wanted.startswith("-")
        by = _ALIASES.get(wanted.removeprefix("-"), wanted.removeprefix("-"))
        own = None if by in SORTS else self._own_field(by)
        if own is None and by not in SORTS:
            raise self._error(
                f"Cards cannot be sorted by {wanted.removeprefix('-')!r}; the nearest orders are "
                f"{', '.join(nearest(by, SORTS))}",
                value.start_pos or 0,
                value.end_pos or 0,
            )
        return Sort(own.name if own else by, falling)

    def _comparison(self, field: Field, operator: str, value: "Token") -> Comparison:
        start, end = value.start_pos or 0, value.end_pos or 0
        if value.type == "PATTERN":
            if field.kind not in ("text", "exact", "rarity", "cost", "words", "own"):
                raise self._error(f"{field.name} is not text, and a pattern needs text", start, end)
            return Comparison(field, operator, self._pattern(value), is_pattern=True)
        text = str(value) if value.type == "BARE" else str(value)[1:-1]
        if operator in _RELATIONS and field.kind in ("text", "exact", "flag", "id", "keyword", "words"):
            raise self._error(f"{field.name} cannot be compared with < or >: write {field.example}", start, end)
        if not text:
            raise self._error(f"{field.name} needs a value: write {field.example}", start, end)
        if field.kind == "rarity" and operator in _RELATIONS and text.casefold() not in _RANKED:
            raise self._error(f"Only these rarities have an order: {', '.join(RARITIES)}", start, end)
        if field.kind == "words" and "~" in text:
            raise self._error("~ does not stand for the card's name: write the other words", start, end)
        if field.kind == "flag" and text.casefold() not in FLAGS:
            raise self._error(f"There is no is:{text}; the nearest are {', '.join(nearest(text, FLAGS))}", start, end)
        if text.casefold() in (NONE, ANY) and field.kind not in ("flag", "id", "exact"):
            return Comparison(field, operator, text.casefold())
        if field.kind == "own":
            return self._own(field, operator, text, start, end)
        if field.kind == "colours":
            return self._colours(field, operator, text, start, end)
        if field.name == "mv" and text.casefold() in ("even", "odd"):
            return Comparison(field, operator, text.casefold())
        if field.kind in ("number", "zone", "face") or (field.kind == "cost" and operator in _RELATIONS):
            return self._number(field, operator, text, start, end)
        if field.kind == "date" and not _is_date(text):
            raise self._error("Write a date as year-month-day, such as 1998-06-15", start, end)
        return Comparison(field, operator, text.casefold() if field.kind == "flag" else text)

    def _own(self, field: Field, operator: str, text: str, start: int, end: int) -> Comparison:
        """Return a comparison of a game's own field, with a number, a text, or another field."""
        other = _field(text) or self._own_field(text.casefold())
        # Any other field may be a text, as in element=power.
        is_other = operator in _RELATIONS or (field.name in _STATS and other is not None and other.name in _STATS)
        if other is not None and other.kind in _NUMERIC and is_other:
            return Comparison(field, operator, other.name, other)
        if operator not in _RELATIONS:
            return Comparison(field, operator, text)
        if not re.fullmatch(r"[0-9]{1,9}", text):
            raise self._error(f"{field.name} needs a whole number or a field after {operator}", start, end)
        return Comparison(field, operator, int(text))

    def _colours(self, field: Field, operator: str, text: str, start: int, end: int) -> Comparison:
        wanted = parse_colours(text) if text.strip() else None
        # Only Magic has colour identities. With any other word, colourless cards would be found.
        if wanted is None or (field.name == "identity" and not set(wanted.names) <= {*COLOURS.values()}):
            raise self._error(f"These are not colours: write {field.example}", start, end)
        return Comparison(field, operator, text)

    def _number(self, field: Field, operator: str, text: str, start: int, end: int) -> Comparison:
        other = _field(text) or (self._own_field(text.casefold()) if not text.isdecimal() else None)
        if other is not None and field.kind in _NUMERIC and other.kind in _NUMERIC:
            return Comparison(field, operator, other.name, other)
        if not re.fullmatch("[0-9]{4}" if field.name == "year" else "[0-9]{1,9}", text):
            raise self._error(f"{field.name} needs a whole number: write {field.example}", start, end)
        return Comparison(field, operator, int(text))

    def _no_such_field(self, name: str) -> str:
        near = nearest(name, dict.fromkeys(("sort", *(field.name for field in FIELDS), *self._own_fields())))
        return f"There is no field {name!r}; the nearest are {', '.join(near)}. As a name, put it in quotes"
