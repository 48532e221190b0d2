"""The types of the answers of `--json`, and the JSON schemas made from them."""

import inspect
import json
import re
from typing import Any, Final, NamedTuple

import msgspec

from ccgrid.browsing.serve import ServedCatalogue
from ccgrid.catalog.card_answers import (
    CheckedDeck,
    DeckCheck,
    DescribedCard,
    EnteredCard,
    ExplainedCard,
    ExportedCard,
    GoneCard,
    ShownCard,
)
from ccgrid.catalog.collection.audit import AuditReport
from ccgrid.catalog.collection.boxes import Box
from ccgrid.catalog.collection.doubts import ImportAnswer, SettledRows, UncertainRow
from ccgrid.catalog.collection.entry_session import SessionReport
from ccgrid.catalog.collection.owned_copies import ListedCopies
from ccgrid.catalog.collection.pulls import CopiesInDeck, OwnedStats, PullList
from ccgrid.catalog.collection.upstream import SourceChange
from ccgrid.catalog.collection.wanted import TradeAnswer
from ccgrid.catalog.holding_answers import ShownHolding
from ccgrid.catalog.scan.answers import ShownScan
from ccgrid.catalog.store.history import Change, ImportChange
from ccgrid.catalog.store.imports import ImportSummary
from ccgrid.catalog.store.set_counts import SetCount
from ccgrid.catalog.store.statistics import CatalogueStats, FieldStats, PlottedStats
from ccgrid.engine.faction_answers import ShownFaction
from ccgrid.engine.insight.analysis import GameAnalysis
from ccgrid.engine.many.arena import ArenaResult
from ccgrid.engine.many.comparison import ComparisonResult
from ccgrid.engine.many.tally import SimulationResult
from ccgrid.engine.records.answers import RecordCheck, Replay
from ccgrid.engine.search.proving import ProofAnswer
from ccgrid.engine.search.thinking import Advice
from ccgrid.pages.page import WrittenPage
from ccgrid.pages.sheet import WrittenSheet
from ccgrid.services.backups import RestoredBackup, WrittenBackup
from ccgrid.services.codes import WrittenLine
from ccgrid.services.config_changes import Configuration
from ccgrid.services.deck_editing import EditedDeck
from ccgrid.services.deck_search import NewDeck, RatedDeck
from ccgrid.services.doctor import Examination
from ccgrid.services.faction_answers import FactionCheckResult, ListedFaction
from ccgrid.services.imports import ListedSource
from ccgrid.services.layouts import (
    CheckedLayout,
    DraftedLayout,
    WrongLayout,
)
from ccgrid.services.new_game import NewGame
from ccgrid.services.progress import ProgressReport
from ccgrid.services.simulations import StartedWorkers
from ccgrid.services.training import Lessons, PosedPuzzle
from ccgrid.view.games import Rules
from ccgrid.web.serve import ServedPages

VERSION: Final = 1
"""The version of the answers: keys may be added; removing one requires a new version."""


class AnswerShape(NamedTuple):
    """The types of a command's answers: one document, or with `lines` any number of them, one per line."""

    shapes: tuple[object, ...]
    lines: bool


def _one(*shapes: object) -> AnswerShape:
    return AnswerShape(shapes, lines=False)


def _lines(*shapes: object) -> AnswerShape:
    return AnswerShape(shapes, lines=True)


ANSWERS: Final = {
    "import": _one(ImportSummary),
    "sources": _lines(ListedSource),
    "search": _lines(DescribedCard),
    "show": _one(ExplainedCard),
    "stats": _one(CatalogueStats, PlottedStats, FieldStats),
    "export": _lines(ExportedCard),
    "card add": _one(ShownCard),
    "card edit": _one(ShownCard),
    "card list": _lines(EnteredCard, GoneCard),
    "card remove": _one(ShownCard),
    "scan": _lines(ShownScan),
    "history": _lines(Change, ImportChange),
    "undo": _one(Change, ImportChange),
    "redo": _one(Change, ImportChange),
    "layout check": _one(CheckedLayout, WrongLayout),
    "layout new": _one(DraftedLayout),
    "collection import": _one(ImportAnswer),
    "collection add": _one(ShownHolding, SessionReport),
    "collection remove": _lines(ShownHolding),
    "collection list": _lines(ListedCopies),
    "collection edit": _lines(ShownHolding),
    "collection export": _lines(ShownHolding),
    "collection doubts": _lines(UncertainRow, SettledRows),
    "collection boxes": _lines(Box),
    "collection rename-box": _lines(ShownHolding),
    "collection empty-box": _lines(ShownHolding),
    "collection remove-box": _lines(ShownHolding),
    "collection where": _lines(ShownHolding),
    "collection move": _lines(ShownHolding),
    "collection pull": _one(PullList),
    "collection put-back": _lines(CopiesInDeck),
    "collection out": _lines(CopiesInDeck),
    "collection stats": _one(OwnedStats, FieldStats),
    "collection sets": _lines(SetCount, ShownHolding),
    "collection wants": _lines(ShownHolding),
    "collection spares": _lines(ShownHolding),
    "collection trade": _one(TradeAnswer),
    "collection audit": _one(AuditReport),
    "collection verify": _lines(SourceChange),
    "deck new": _lines(NewDeck),
    "deck check": _one(DeckCheck),
    "deck show": _one(CheckedDeck),
    "deck edit": _one(EditedDeck),
    "deck rate": _one(RatedDeck),
    "faction list": _lines(ListedFaction),
    "faction show": _one(ShownFaction),
    "faction check": _one(FactionCheckResult),
    "simulate": _one(SimulationResult),
    "arena": _one(ArenaResult, ComparisonResult),
    "workers": _one(StartedWorkers),
    "progress": _one(ProgressReport),
    "rules": _one(Rules),
    "learn": _one(Lessons),
    "validate": _lines(RecordCheck),
    "score": _lines(RecordCheck),
    "replay": _one(Replay),
    "backup": _one(WrittenBackup),
    "restore": _one(RestoredBackup),
    "config": _one(Configuration),
    "new-game": _one(NewGame),
    "doctor": _one(Examination),
    "browse": _one(ServedCatalogue),
    "serve": _one(ServedPages),
    "sheet": _one(WrittenSheet),
    "page": _one(WrittenPage),
    "code": _lines(WrittenLine),
    "solve": _one(ProofAnswer),
    "advise": _one(Advice),
    "analyze": _one(GameAnalysis),
    "puzzle": _lines(PosedPuzzle),
}
"""The answers of each command with `--json`, by the words that call it; a new command gets a line here."""


def schema(words: str) -> str:
    """Return the JSON schema of a command's answers, as the text of a file."""
    answer = ANSWERS[words]
    shapes, parts = msgspec.json.schema_components(answer.shapes, ref_template="#/$defs/{name}")
    how = "Each line" if answer.lines else "The document"
    found = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:ccgrid:v{VERSION}:{words.replace(' ', '-')}",
        "title": f"ccgrid {words} --json",
        "description": f"{how} that the command prints. More keys may be added.",
        **(shapes[0] if len(shapes) == 1 else {"anyOf": list(shapes)}),
        "$defs": {name: _with_descriptions(part) for name, part in sorted(parts.items())},
    }
    return json.dumps(_without_key_names(found), indent=2, ensure_ascii=False) + "\n"


def _without_key_names(part: Any) -> Any:
    """Return a part of a schema without the possible keys of objects, which msgspec lists from 0.23 on."""
    if isinstance(part, dict):
        return {key: _without_key_names(value) for key, value in part.items() if key != "propertyNames"}
    return [*map(_without_key_names, part)] if isinstance(part, list) else part


_KEY_DESCRIPTION: Final = re.compile(r"^    (\w+): (.+(?:\n {8,}.+)*)$", re.MULTILINE)


def _with_descriptions(part: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a type with the descriptions of its attributes."""
    text, _, of_keys = inspect.cleandoc(part.get("description", "")).partition("\n\nAttributes:\n")
    about = {name: " ".join(words.split()) for name, words in _KEY_DESCRIPTION.findall(of_keys)}
    keys = {
        name: {**of_key, **({"description": about[name]} if name in about else {})}
        for name, of_key in part.get("properties", {}).items()
    }
    described = {**part, **({"description": " ".join(text.split())} if text else {})}
    return {**described, "properties": keys} if keys else described
