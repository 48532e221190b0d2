"""Examples, limits and JavaScript checks for tests of the replay page."""

from pathlib import Path

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
