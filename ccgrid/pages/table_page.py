"""The page for a real table, on which a game is played with one deck."""

from collections.abc import Mapping, Sequence

from catalog.card import Card
from ccgrid.pages.assemble import asset, page
from engine.errors import EngineError, quoted
from engine.games import find_game
from engine.options import not_known
from engine.real_cards import TablePage


def table_page(game: str, name: str, deck: Sequence[Card], options: Mapping[str, object]) -> str:
    """The page on which this game is played with this deck of legal cards.

    Raises:
        EngineError: an option cannot be, or the page does not know it.
    """
    rules = find_game(game)
    made: TablePage = rules.part("page")
    if unknown := not_known(rules.varied(options), made.options):
        raise EngineError(f"The page does not know the option {quoted(unknown[0])}: play with it by 'ccgrid table'.")
    scripts = asset("codes.js"), asset("cards.js"), made.text("table.js")
    return page(made.text("table.html"), f"{name} - {rules.title}", made.data(name, deck, options), scripts)
