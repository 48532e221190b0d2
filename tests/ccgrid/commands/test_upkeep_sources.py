"""Tests of the command `sources`: known sources, and what is imported from each."""

from helpers.catalogues import Shell, rows
from helpers.json_shapes import Shape, assert_shape


def test_sources_json_has_one_line_per_source(shell: Shell) -> None:
    shell.import_rows(rows(32))
    lines = shell.good("sources", "--json").json_lines
    shape: Shape = {"source": str, "title": str, "keeper": str, "address": (str, type(None)), "note": (str, type(None))}
    shape |= {"cards": int, "version": (str, type(None)), "imported": (str, type(None))}
    for line in lines:
        assert_shape(line, shape)
    by_source = {line["source"]: line for line in lines}
    assert {"mtg", "starter"} <= by_source.keys()
    assert by_source["mtg"]["cards"] == 32
    assert by_source["mtg"]["imported"].endswith("+00:00")
    assert (by_source["starter"]["cards"], by_source["starter"]["imported"]) == (0, None)


def test_sources_needs_and_creates_no_catalogue(shell: Shell) -> None:
    assert all(line["cards"] == 0 for line in shell.good("sources", "--json").json_lines)
    assert "mtg" in shell.good("sources").out
    assert shell.catalogue() == {}


def test_sources_are_listed_and_one_is_shown_in_detail(shell: Shell) -> None:
    listed = shell.good("sources", "--json").json_lines
    lines = shell.good("sources").out.splitlines()
    assert len(lines) == len(listed) + 3  # and a heading, an empty line, and the imported sources
    (details,) = shell.good("sources", "wyvern", "--json").json_lines
    assert details["address"] in shell.good("sources", "wyvern").out
    shell("sources", "wyvrn").names_unknown("Did you mean wyvern")
