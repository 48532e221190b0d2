"""Numbers of list items as users type them."""


def parse_list_index(text: str, count: int) -> int | None:
    """Convert a 1-based number typed by the user to a list index, or None if it is out of range.

    >>> parse_list_index("2", 2), parse_list_index("3", 2), parse_list_index("00002", 2)
    (1, None, None)
    """
    # No longer than the longest number: `int` rejects thousands of digits, and 00002 is rather a collector number.
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(count))
    return int(text) - 1 if is_number and 1 <= int(text) <= count else None
