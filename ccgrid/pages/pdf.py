"""Pages as PDF, by WeasyPrint, which is an extra and need not be there."""

from importlib.util import find_spec
from typing import Final

from ccgrid.catalog.runtime import install_command

_MARK: Final = b"%ccgrid\n"
"""Says behind its end whose file it is: only such are written over."""
_LACKING: Final = "A PDF needs Pango, which is missing (Debian: apt-get install libpangoft2-1.0-0)"


class PdfError(ValueError):
    """What keeps a page from becoming a PDF, and what to do."""


def check_pdf() -> None:
    """Raises PdfError where no PDF can be made."""
    if find_spec("weasyprint") is None:
        raise PdfError(f"A PDF needs an extra. Install it: {install_command('pdf')}. Or print the HTML.")


def to_pdf(text: str) -> bytes:
    """The PDF of an HTML page that needs nothing else.

    Raises:
        PdfError: what makes it is not installed.
    """
    check_pdf()
    try:
        from weasyprint import HTML
        from weasyprint.urls import URLFetcher
    except OSError:
        raise PdfError(_LACKING) from None
    fetcher = URLFetcher(allowed_protocols=["data"])  # nothing is fetched: a page has all it needs in itself
    made: bytes = HTML(string=text, url_fetcher=fetcher).write_pdf()
    return made + _MARK
