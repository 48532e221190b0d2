"""The ways in which a line of an entry session can be read: which card, how many copies, which finish; pure."""

import re
from typing import Final, NamedTuple

MOST_UNASKED: Final = 20
"""More copies than this in one line are asked about before they are added."""

_FINISHES: Final = {"f": "foil", "e": "etched", "foil": "foil", "etched": "etched"}
_FINISH: Final = r"(?P<finish>[FfEe]|[Ff]oil|FOIL|[Ee]tched|ETCHED)"
_TIMES: Final = "[xX×]"
_MARK_BEHIND: Final = re.compile(rf"(?P<rest>\S.*) (?:\*{_FINISH}\*|\({_FINISH.replace('finish', 'other')}\))")
_WORD_BEHIND: Final = re.compile(rf"(?P<rest>\S.*) {_FINISH}")
_WORD_BEFORE: Final = re.compile(rf"{_FINISH} (?P<rest>\S.*)")
_LETTER_BEHIND: Final = re.compile(r"(?P<rest>\S*\d\S*?)(?P<finish>[FfEe])")
_COPIES_BEHIND: Final = (
    re.compile(rf"(?P<rest>\S*\d\S*?){_TIMES}(?P<copies>\d{{1,6}})"),
    re.compile(rf"(?P<rest>\S.*) {_TIMES} ?(?P<copies>\d{{1,6}})"),
    re.compile(rf"(?P<rest>\S.*) (?P<copies>\d{{1,6}}){_TIMES}"),
)
_COPIES_BEFORE: Final = (
    re.compile(rf"(?P<copies>\d{{1,6}})(?:{_TIMES} ?| {_TIMES} )(?P<rest>\S.*)"),
    re.compile(rf"{_TIMES}(?P<copies>\d{{1,6}}) (?P<rest>\S.*)"),
    re.compile(r"(?P<copies>\d{1,6}) (?P<rest>(?:\d+ )?[^\W\d].*)"),
)
_TWO_NUMBERS: Final = re.compile(r"(?P<one>\d+) (?P<other>\d+)")


class Reading(NamedTuple):
    """One way to read a line: a number or name, copies, and the finish, empty where the line does not say it."""

    text: str
    copies: int = 1
    finish: str = ""
    is_plain: bool = True
    """Whether people who write so mean it so; otherwise it is only asked about."""


def readings(line: str) -> list[Reading]:
    """Every way to read a line in which blanks are single, the line as it stands first.

    >>> Reading("146", 2, "foil") in readings("146x2f"), Reading("146", 2, "foil") in readings("2x146f")
    (True, True)
    """
    found: dict[Reading, None] = {}
    waiting = [(line, 0, "")]
    while waiting:
        text, copies, finish = waiting.pop(0)
        reading = Reading(text, copies or 1, finish)
        if reading in found:
            continue
        found[reading] = None
        if not finish:
            waiting += [(rest, copies, said) for rest, said in _finishes(text)]
        if not copies:
            waiting += [
                (match["rest"], int(match["copies"]), finish)
                for pattern in (*_COPIES_BEHIND, *_COPIES_BEFORE)
                if (match := pattern.fullmatch(text)) and int(match["copies"])
            ]
            if match := _TWO_NUMBERS.fullmatch(text):
                for number, count in ((match["one"], match["other"]), (match["other"], match["one"])):
                    if len(count) <= len("999999") and int(count):
                        found[Reading(number, int(count), finish, is_plain=False)] = None
    return list(found)


def _finishes(text: str) -> list[tuple[str, str]]:
    """What a text is without the mark of a finish, and that finish."""
    found = []
    if match := _MARK_BEHIND.fullmatch(text):
        found.append((match["rest"], _FINISHES[(match["finish"] or match["other"]).casefold()]))
    for pattern in (_WORD_BEHIND, _WORD_BEFORE, _LETTER_BEHIND):
        if match := pattern.fullmatch(text):
            found.append((match["rest"], _FINISHES[match["finish"].casefold()]))
    return found
