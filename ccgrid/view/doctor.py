"""Shows how the installation is (`doctor --json`): places, versions, the catalogue, what is odd and how to mend it."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from catalog.amounts import amount
from ccgrid.view.output import show
from ccgrid.view.verdicts import verdict
from ccgrid.view.words import counted

Document = Mapping[str, Any]

_PLACES: Final = {"games": "games left", "layouts": "own layouts", "compiled": "compiled play"}


def show_examination(found: Document) -> None:
    """Print what was found: the versions, where everything is, the catalogue, and each thing that is odd."""
    versions = found["versions"]
    extras = [f"{name} {'installed' if there else 'not installed'}" for name, there in found["extras"].items()]
    show(
        f"ccgrid {versions['ccgrid']}, Python {versions['python']}, SQLite {versions['sqlite']}, {versions['system']}",
        f"Extras: {', '.join(extras)}",
        "",
    )
    show(*(line for place in found["places"] for line in _place(place)))
    show("", _catalogue(found["catalogue"]), "")
    findings = found["findings"]
    serious = sum(finding["serious"] for finding in findings)
    if serious:
        show(verdict("Not well", f": {counted(serious, 'thing')} to mend.", good=False))
    else:
        remarks = f", with {counted(len(findings), 'remark')}" if findings else ""
        show(verdict("All is well", f"{remarks}.", good=True))
    for finding in findings:
        show("", f"{'! ' if finding['serious'] else '- '}{finding['message']}", f"  {finding['mend']}")


def _catalogue(found: Document | None) -> str:
    """How the catalogue is, in a line."""
    if found is None:
        return "Catalogue: none yet."
    state = "whole" if found["whole"] else "damaged" if "cards" in found else "cannot be read"
    held = (
        f"; {counted(found['cards'], 'card')} of {counted(found.get('games', 0), 'game')}" if "cards" in found else ""
    )
    owned = f", {counted(found['copies'], 'copy', 'copies')} of your own" if found.get("copies") else ""
    return f"Catalogue: {state}{held}{owned}."


def _place(place: Document) -> Iterator[str]:
    """A place in two lines: what it is, and where, alone in its line so that it can be copied."""
    told = [
        "" if place["exists"] else "not there yet",
        amount(place["bytes"]) if place["exists"] and place["bytes"] is not None else "",
        f"{amount(place['free'])} free" if place["bytes"] is not None and place["free"] is not None else "",
        f"named by {place['said_by']}" if place["said_by"] else "",
    ]
    beside = ", ".join(filter(None, told))
    yield f"{_PLACES.get(place['what'], place['what'])}{f' ({beside})' if beside else ''}"
    yield f"  {place['path']}"
