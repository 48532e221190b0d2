"""Made-up layouts for the tests of layouts."""

from hypothesis import strategies as st

from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.layouts.layout_file import parse_layout


def made_up(lines: str, top: str = "") -> Layout:
    """Return the layout of a made-up game with these lines."""
    return parse_layout(f'game = "made-up"\n{top}\n{lines}', "made-up.toml")


def one_line(extra: str, field: str = "might") -> Layout:
    """Return a layout with one line, for a field at the top, and more keys of that line."""
    return made_up(f'[[printed]]\nfield = "{field}"\nzone = "top"\n{extra}')


DRAGONS = """
[[printed]]
field = "level"
zone = "top-left"
when = { kind = ["Champion", "Hero"] }
ignore = [0]
note = "allies show a bonus here instead"

[[printed]]
field = "bonus"
zone = "top-left"
unless = { kind = ["Champion", "Hero"] }

[[printed]]
field = "code"
zone = "bottom"
read = "collector"
part = "last"
confidence = "low"

[[printed]]
field = "gold"
zone = "left"

[[printed]]
field = "gold"
zone = "right"

[[printed]]
field = "odds"
zone = "face"
slash = "fraction"

[[printed]]
field = "strength"
zone = "bottom-right"

[[printed]]
field = "story"
zone = "face"

[[barred]]
reason = "layout:{kind}"
when = { kind = { has = "Realm" } }

[[barred]]
reason = "oversized"
when = { width = { from = 100 } }

[stats]
attack = "strength"
defense = "level"
"""
LINE = '[[printed]]\nfield = "might"\nzone = "top"\n'
TOP = 'game = "made-up"\n'
words = st.sampled_from(["made-up", "top", "face", "stats", "collector", "last", "layout:{a}", "digital", "1998-06-15"])
