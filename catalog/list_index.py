"""Numbers of list items as users type them."""


def parse_list_index(text: str, count: int) -> int | None:
    """The place, from 0, in a list of so many that a number from 1 names; None where it names none.

    >>> parse_list_index("2", 2), parse_list_index("3", 2), parse_list_index("00002", 2)
    (1, None, None)
    """
    # No longer than the longest number: `int` refuses thousands of digits, and 00002 is rather the number of a card.
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(count))
    return int(text) - 1 if is_number and 1 <= int(text) <= count else None
