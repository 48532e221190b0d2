"""The terms of use of each source, as `sources` prints them."""

import re

from helpers.catalogues import Shell

from ccgrid.catalog.sources import SOURCES


def test_terms_have_an_address_and_are_shown_for_their_source(shell: Shell) -> None:
    stated = [source for source in SOURCES if source.terms and source.address]
    assert {"mtg", "mtgjson", "swccg"} <= {source.name for source in stated}
    for source in stated:
        assert re.search(r"\. https://[^ ]+$", source.terms), source.name
        shown = " ".join(shell.good("sources", source.name).out.split())
        assert source.terms in shown
        assert shell.good("sources", source.name, "--json").json_lines[0]["terms"] == source.terms
    assert "none are stated" in shell.good("sources", "keyforge").out
