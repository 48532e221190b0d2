"""Conditions of queries on what cards say, as SQL on the table `descriptions` and on the columns of a printing."""

import re
from collections.abc import Iterator
from typing import Final

from ccgrid.catalog.colour_queries import parse_colours
from ccgrid.catalog.lazy_patterns import lazy_pattern
from ccgrid.catalog.queries import ANY, DESCRIBED_FLAGS, NONE, RARITIES, All, Comparison, Field, Not, Part, Some, Word
from ccgrid.catalog.store.cells import SqlValue
from ccgrid.catalog.store.selection import Sql
from ccgrid.catalog.text_patterns import literal_texts, needed_texts

RARITY_RANK: Final = (
    "CASE {} COLLATE NOCASE "
    + " ".join(f"WHEN '{word}' THEN {place} WHEN '{word[0]}' THEN {place}" for place, word in enumerate(RARITIES[:3]))
    + " ".join(["", *(f"WHEN '{word}' THEN {place}" for place, word in enumerate(RARITIES) if place > 2), "END"])
)
_COLUMNS: Final = {
    "type": "type",
    "mv": "mana_value",
    "color": "colours",
    "identity": "identity",
    "cost": "cost",
    "keyword": "keywords",
    "text": "text",
}
"""The fields of queries that are columns of `descriptions`."""
_PERMANENTS: Final = ("artifact", "battle", "creature", "enchantment", "land", "planeswalker")
_FLAGS: Final = {
    "permanent": " OR ".join(f"type LIKE '%{kind}%'" for kind in _PERMANENTS),
    "spell": "type <> '' AND type NOT LIKE '%land%'",
    "historic": "type LIKE '%legendary%' OR type LIKE '%artifact%' OR type LIKE '%saga%'",
    "vanilla": "type LIKE '%creature%' AND text = ''",
    "hybrid": "replace(cost, '/P}', '') LIKE '%/%'",
    "phyrexian": "cost LIKE '%/P}%'",
    "multicolor": "instr(colours, ',')",
    "colorless": "colours = ''",
    "token": "type LIKE '%token%'",
}
_SYMBOL: Final = lazy_pattern(r"\{[^{}]+\}|\d+|[^\W\d_]")
_LONG_ENOUGH: Final = 2
"""The length of a text that too few cards have for Python to test all others, too."""
_WITHOUT_SPACES: Final = "⺀"
"""From this character on, scripts write no spaces between words, so that an index of words is of no use."""


def is_described(field: Field) -> bool:
    """Return whether a field of a query is in the table of descriptions."""
    return field.kind == "own" or field.name in _COLUMNS


def described_column(field: Field) -> str:
    """Return the expression of a field in the table of descriptions; numbers of own fields are numbers."""
    return _with_own(field.name, _own_number(field.name)) if field.kind == "own" else _COLUMNS[field.name]


def described_order(field: Field) -> str:
    """Return the expression by which cards are sorted: of an own field its number, else its text."""
    if field.kind != "own":
        return _COLUMNS[field.name]
    return _with_own(field.name, f"coalesce({_own_number(field.name)}, {_own(field.name)})")


def is_on_description(part: Part) -> bool:
    """Return whether only what a card says decides on a part of a query."""
    if isinstance(part, Not):
        return is_on_description(part.part)
    if isinstance(part, All | Some):
        return bool(part.parts) and all(map(is_on_description, part.parts))
    if isinstance(part, Word) or (part.other is not None and not is_described(part.other)):
        return False
    return part.value in DESCRIBED_FLAGS if part.field.name == "is" else is_described(part.field)


def holds_without(part: Part) -> bool:
    """Return whether a part on what cards say holds for a card that says nothing."""
    if isinstance(part, Not):
        return not holds_without(part.part)
    if isinstance(part, All):
        return all(map(holds_without, part.parts))
    if isinstance(part, Some):
        return any(map(holds_without, part.parts))
    assert isinstance(part, Comparison)  # noqa: S101  `is_on_description`
    return (part.operator == "!=") is not (part.value == NONE)


def colours_in(part: Part) -> Iterator[str]:
    """Yield the names of the colours that a part asks for."""
    if isinstance(part, Not):
        yield from colours_in(part.part)
    elif isinstance(part, All | Some):
        for one in part.parts:
            yield from colours_in(one)
    elif isinstance(part, Comparison) and part.field.kind == "colours" and part.value not in (NONE, ANY):
        wanted = parse_colours(str(part.value))
        yield from wanted.names if wanted else ()


def description_condition(part: Part) -> Sql:
    """Return the condition on descriptions for a part on what cards say."""
    if isinstance(part, Not):
        return negate("!=", *description_condition(part.part))
    if isinstance(part, All | Some):
        found = [description_condition(one) for one in part.parts]
        between = " AND " if isinstance(part, All) else " OR "
        return between.join(f"({test})" for test, _ in found), [value for _, values in found for value in values]
    assert isinstance(part, Comparison)  # noqa: S101  `is_on_description`
    test, values = (_FLAGS[str(part.value)], []) if part.field.name == "is" else _comparison(part)
    return negate(part.operator, test, values)


def negate(operator: str, test: str, values: list[SqlValue]) -> Sql:
    """Return the condition, or its negation if the operator is `!=`."""
    return (f"({test}) IS NOT TRUE" if operator == "!=" else test), values


def _comparison(test: Comparison) -> Sql:
    """Return the condition on descriptions for a comparison of one of their fields; without a negation by `!=`."""
    name, value, column = test.field.name, test.value, _COLUMNS.get(test.field.name, "")
    if test.other is not None:
        sign = test.operator if test.operator in ("<", "<=", ">", ">=") else "="
        return f"{described_column(test.field)} {sign} {described_column(test.other)}", []
    if test.field.kind == "own":
        return _own_condition(test)
    if test.is_pattern:
        found = fits(column, str(value))
        return found if name == "text" else _in_different(column, *found)
    if value in (NONE, ANY):
        empty = f"{column} IS NULL" if name in ("mv", "color", "identity") else f"{column} = ''"
        return empty if value == NONE else f"NOT {empty}", []
    if test.field.kind == "colours":
        # The identity of a card fits into that of a deck, so that `:` means at most there.
        usual = "<=" if name == "identity" else ">="
        return _in_different(column, f"ccgrid_colours({column}, ?, ?, ?)", [test.operator, str(value), usual])
    if name == "mv" and value in ("even", "odd"):
        return f"mana_value % 2 = {int(value == 'odd')}", []
    if name == "mv" or isinstance(value, int):
        return f"mana_value {'=' if test.operator in (':', '!=') else test.operator} ?", [value]
    if name == "cost":
        return _cost(test.operator, str(value))
    if name == "keyword":
        # LIKE comes first: it is faster than the search for a whole keyword.
        is_keyword = "keywords LIKE ? ESCAPE '\\' AND instr(', ' || lower(keywords) || ',', ?)"
        return is_keyword, [containing(str(value)), f", {str(value).casefold()},"]
    if name == "text":
        return _words(str(value))
    exact = test.operator in ("=", "!=")
    return (
        (f"{column} = ? COLLATE NOCASE", [value])
        if exact
        else (f"{column} LIKE ? ESCAPE '\\'", [containing(str(value))])
    )


def _in_different(column: str, test: str, values: list[SqlValue]) -> Sql:
    """Return the condition that a column passes a test, which is made once for each of its different values."""
    # The limit, which is none, keeps SQLite from testing the column of each description.
    each = f"(SELECT DISTINCT {column} FROM descriptions LIMIT -1)"  # noqa: S608  our own names
    return f"{column} IN (SELECT {column} FROM {each} WHERE {test})", values  # noqa: S608  our own tests


def rarity_condition(test: Comparison) -> Sql:
    """Return the condition on the rarity of a printing; without a negation by `!=`."""
    word = str(test.value).casefold()
    if test.is_pattern:
        return fits("c.rarity", str(test.value))
    if word in (NONE, ANY):
        return f"c.rarity IS {'' if word == NONE else 'NOT '}NULL", []
    full = next((rarity for rarity in RARITIES if rarity == word or rarity[0] == word), word)
    if test.operator in ("<", "<=", ">", ">="):
        return f"{RARITY_RANK.format('c.rarity')} {test.operator} ?", [RARITIES.index(full)]
    found = "c.rarity COLLATE NOCASE IN (?, ?, ?)"
    if test.operator != ":":
        return found, [word, full, full]
    # LIKE comes first: it is faster than the search for a whole word.
    words = "' ' || replace(replace(lower(c.rarity), '-', ' '), '/', ' ') || ' '"
    is_word = f"c.rarity LIKE ? ESCAPE '\\' AND instr({words}, ?)"
    return f"{found} OR {is_word}", [word, full, full[:1], containing(full), f" {full} "]


def _own(name: str) -> str:
    return f"json_extract(fields, '$.{name}')"  # letters and digits alone


def _own_number(name: str) -> str:
    return f"CASE WHEN {_own(name)} GLOB '[0-9]*' THEN CAST({_own(name)} AS REAL) END"


def _with_own(name: str, value: str) -> str:
    """Return an expression of a game's own field. JSON is read only where the name is in it."""
    return f"CASE WHEN instr(fields, '\"{name}\"') THEN {value} END"


def _own_condition(test: Comparison) -> Sql:
    name, value, text = test.field.name, test.value, _own(test.field.name)
    if value in (NONE, ANY):
        return f"{_with_own(name, text)} IS {'' if value == NONE else 'NOT '}NULL", []
    if test.is_pattern:
        found, values = fits(text, str(value))
    elif test.operator in ("=", "!="):
        found, values = f"{text} = ? COLLATE NOCASE", [str(value)]
    elif test.operator != ":":
        found, values = f"CAST({text} AS REAL) {test.operator} ? AND {text} GLOB '[0-9]*'", [value]
    elif str(value).isdecimal():  # 1 is not a part of 10
        found, values = f"{text} = ?", [str(value)]
    else:
        found, values = f"{text} LIKE ? ESCAPE '\\'", [containing(str(value))]
    return _with_own(name, found), values


def _cost(operator: str, text: str) -> Sql:
    """Return the condition that a cost has all symbols of a text, or with `=` no others; other costs are compared."""
    symbols = [symbol if symbol.startswith("{") else f"{{{symbol}}}" for symbol in _SYMBOL.findall(text.upper())]
    plain = text.strip("{}")
    tests, values = ["instr(cost, '{')"], list[SqlValue]()
    for symbol in dict.fromkeys(symbols):
        tests.append(f"length(cost) - length(replace(upper(cost), ?, '')) >= {len(symbol) * symbols.count(symbol)}")
        values.append(symbol)
    if operator in ("=", "!="):
        tests.append(f"length(cost) = {sum(map(len, symbols))}")
    return f"({' AND '.join(tests)}) OR cost = ? COLLATE NOCASE", [*values, plain]


def _words(text: str) -> Sql:
    """Return the condition that a text has these words side by side; the last one may be the beginning of a word."""
    words = re.findall(r"[^\W_]+", text)
    if not words or any(letter >= _WITHOUT_SPACES for letter in text):
        return "text LIKE ? ESCAPE '\\'", [containing(text)]
    # A letter or digit at the end: o:draw finds draws.
    phrase = f'"{" ".join(words)}"' + ("*" if text[-1].isalnum() else "")
    found = "id IN (SELECT rowid FROM descriptions_fts WHERE descriptions_fts MATCH ?)"
    if all(letter.isalnum() or letter == " " for letter in text):
        return found, [phrase]
    return f"{found} AND text LIKE ? ESCAPE '\\'", [phrase, containing(text)]


def fits(column: str, pattern: str) -> Sql:
    """Return the condition that a regular expression occurs in a text, without regard to case.

    LIKE, which is faster, comes first, and is enough for plain ASCII texts. Some letters have other forms beyond ASCII.
    """
    fits_one, exact = f"ccgrid_fits(?, {column})", literal_texts(pattern)
    texts = exact or needed_texts(pattern)
    if not exact and min(map(len, texts), default=0) < _LONG_ENOUGH:
        return fits_one, [pattern]
    likes = [f"{'' if text.startswith('^') else '%'}{text.removeprefix('^')}%" for text in texts]
    is_like = " OR ".join([f"{column} LIKE ?"] * len(likes))
    is_ascii = f"length(CAST({column} AS BLOB)) = length({column})"
    found, values = ("1", [*likes, pattern]) if exact else (fits_one, [*likes, pattern, pattern])
    return f"CASE WHEN {is_like} THEN {found} WHEN NOT {is_ascii} THEN {fits_one} END", [*values]


def containing(text: str) -> str:
    """Return the LIKE pattern that finds a text anywhere."""
    for special in ("\\", "%", "_"):
        text = text.replace(special, f"\\{special}")
    return f"%{text}%"
