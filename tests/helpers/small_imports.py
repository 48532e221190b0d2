"""Small files and the results of importing them."""

import json
from pathlib import Path

from ccgrid.catalog.card import Card
from ccgrid.catalog.imports.run import ImportRequest, import_source
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.imports import ImportSummary


def file(folder: Path, name: str, content: object) -> Path:
    """Write a file with a text, or with a document as JSON."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def imported(source: str, path: Path, layout: Path | None = None) -> tuple[ImportSummary, dict[str, Card]]:
    """Import a file; return the summary and the imported cards by their ids."""
    database = path.parent / "catalogue.db"
    summary = import_source(ImportRequest(find_source(source), path, layout=layout), database)
    with Store(database) as store:
        return summary, {card.id: card for card in store.all_cards()}


def database(*cards: str, sets: str = "") -> str:
    return (
        f'<?xml version="1.0"?><cockatrice_carddatabase version="4"><sets>{sets}</sets><cards>'
        f"{''.join(cards)}</cards></cockatrice_carddatabase>"
    )
