"""The page of a table for tests: written for a deck, and played by taps."""

from pathlib import Path

from ccgrid.catalog.card import Card
from ccgrid.engine.cards import label, zone_card
from ccgrid.engine.records.files import in_code_order
from ccgrid.pages.page import table_page

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
LARGEST = 300 * 1024
HOSTILE = ("</script><script>alert(1)</script>", '<img src=x onerror="alert(2)">', "𓆏 ガ <!--data--> \u2028'\"\\")
NAMELESS = """() => [...document.querySelectorAll("button, input, textarea, select")].filter((control) => {
  if (control.closest("dialog:not([open])")) return false;
  return !(control.ariaLabel || control.textContent.trim() || control.labels?.length);
}).map((control) => control.outerHTML)"""

BROKEN_WORDS = r"""() => [...document.querySelectorAll(".card .name")].flatMap((name) => {
  const text = name.firstChild;
  const range = document.createRange();
  return !text ? [] : [...text.data.matchAll(/[^\s\u00ad-]+/g)].map((word) => {
    range.setStart(text, word.index + 1);  // a hyphen before the first letter counts as part of it
    range.setEnd(text, word.index + word[0].length);
    return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1 && word[0];
  }).filter(Boolean);
})"""
"""JavaScript that returns the syllables of card names that are broken across lines."""


def page_of(folder: Path, deck: list[Card], name: str = "A deck", options: dict[str, object] | None = None) -> str:
    path = folder / ("varied.html" if options else "table.html")
    path.write_text(table_page("grid", name, deck, options or {}), encoding="utf-8")
    return path.as_uri()


def in_order(deck: list[Card]) -> list[Card]:
    """Return the cards in the order of the page's numbers."""
    return in_code_order(label([zone_card(card) for card in deck]))


AT_ONCE = """
([moves]) => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  ["Ann", "Bob"].forEach((name, seat) => {
    all("#names input")[seat].value = name;
    all("#names input")[seat].dispatchEvent(new Event("input"));
  });
  all("#starts input")[1].click();
  all("#lay")[0].click();
  for (let card = 0; card < 9; card++) all("#unseen button")[0].click();
  for (let move = 0; move < moves; move++) {
    all("#grid .can")[0].click();
    all("#grid .lit")[0].click();
    if (all("#chooser[open]").length) all("#unseen button").at(-1).click();
  }
}
"""


def a_game(page, moves: int = 3) -> None:
    """Start the same game as `a_game_by_taps`, but without taps."""
    page.evaluate(AT_ONCE, [moves])


def a_game_by_taps(page, moves: int = 3) -> None:
    """Start a game of two with real cards on a phone, only by taps."""
    page.locator("#player-0").fill("Ann")
    page.locator("#player-1").fill("Bob")
    page.locator("#starts label").nth(1).tap()
    page.locator("#lay").tap()
    for _ in range(9):
        page.locator("#unseen button").first.tap()
    for _ in range(moves):
        page.locator("#grid .can").first.tap()
        page.locator("#grid .lit").first.tap()
        if page.locator("#chooser[open]").count():
            page.locator("#unseen button").last.tap()
