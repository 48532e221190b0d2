"""Puts a page together: one HTML file with its style, its scripts and its data in it, asking nobody for anything."""

import html
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, Final

_ASSETS: Final = resources.files(__package__) / "assets"
_HARMFUL: Final = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}


def asset(name: str) -> str:
    """A template, a style or a script that comes with the program."""
    return (_ASSETS / name).read_text(encoding="utf-8")


def page(template: str, title: str, data: Mapping[str, Any], scripts: Sequence[str]) -> str:
    """The page of a template; scripts find the data in the element `data`."""
    text = template
    parts = {
        "title": html.escape(title),
        "style": asset("page.css"),
        "data": embedded(data),
        "script": "\n".join(scripts),
    }
    for name, part in parts.items():
        before, _, after = text.partition(f"<!--{name}-->")
        text = before + part + after
    return text


def embedded(data: Mapping[str, Any]) -> str:
    r"""Data as JSON that stands in a page: no text in it can end the element that holds it.

    >>> print(embedded({"name": "</script>"}))
    {"name":"\u003c/script\u003e"}
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    clean = text.encode("utf-8", "replace").decode("utf-8")  # half of a pair is in no encoding
    return clean.translate(_HARMFUL)
