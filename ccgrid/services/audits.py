"""Audits of boxes, whose answers are saved until the audit ends."""

import json
import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from ccgrid.catalog.collection import audit
from ccgrid.catalog.files import make_folder, remove, write_atomically
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.services.catalogue import catalogue_path
from ccgrid.services.state_folder import state_folder


def begin_audit(collection: CollectionStore, box: str, database: Path | None, *, restart: bool) -> audit.Audit:
    """Start or resume an audit of a box; with `restart` start from the beginning.

    Raises:
        CatalogError: If there is no such box.
    """
    before: dict[str, Any] | None = None
    with suppress(OSError, ValueError):  # what cannot be read was never kept
        before = None if restart else json.loads(_audit_file(box, database).read_text(encoding="utf-8"))
    with suppress(TypeError, ValueError, AttributeError):
        return audit.begin(collection, box, before)
    return audit.begin(collection, box)


def save_audit(one: audit.Audit, database: Path | None) -> None:
    """Save the answers so far atomically."""
    file = _audit_file(one.box, database)
    make_folder(file.parent, private=True)
    write_atomically(file, json.dumps(one.to_dict()))


def end_audit(one: audit.Audit, database: Path | None) -> None:
    """Apply the audit's findings to the collection and delete the saved answers.

    Raises:
        CatalogError: If a copy is no longer available.
    """
    one.apply()
    remove(_audit_file(one.box, database))


def _audit_file(box: str, database: Path | None) -> Path:
    name = f"{os.path.realpath(catalogue_path(database))}\0{box.casefold()}"
    return state_folder() / "audits" / f"{sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()[:16]}.json"
