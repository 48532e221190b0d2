"""What Datasette is told of the copy of a catalogue: titles, descriptions, facets, queries."""

from typing import Any, Final

from catalog.card import ZONES

DATABASE: Final = "catalogue"

_SHOWN: Final = "id, name, game, set_name, collector_number, zones, score, legal, boxes"


def described() -> dict[str, Any]:
    """The metadata of the pages."""
    return {
        "title": "ccgrid: the catalogue and the collection",
        "description": "Cards of games that nobody plays any more, with the numbers that are printed on them, and where"
        " your own lie. Read only: a copy made when 'ccgrid browse' was started.",
        "databases": {
            DATABASE: {
                "title": "Catalogue",
                "tables": {
                    "cards": {
                        "title": "Cards",
                        "description": "Every printing that the catalogue holds. A zone is empty where no number is"
                        " printed there, or more than one.",
                        "label_column": "name",
                        "sort": "name",
                        "size": 50,
                        "facets": ["game", "set_code", "legal", "reason", {"array": "zones"}],
                        "columns": {
                            "zones": "where a number is printed",
                            "score": "the sum of all numbers",
                            "reason": "why it may not",
                            "boxes": "the boxes in which they are",
                        },
                    },
                    "collection": {
                        "title": "Collection",
                        "description": "What you own, and in which box it is.",
                        "label_column": "name",
                        "sort": "name",
                        "facets": ["box", "game", "finish", "condition"],
                    },
                },
                "queries": _queries(),
            }
        },
    }


def _queries() -> dict[str, dict[str, Any]]:
    queries: dict[str, dict[str, Any]] = {
        f"ten_{zone.replace('-', '_')}": {
            "title": f"Cards with a 10 at the {zone.replace('-', ' ')}",
            "sql": f'SELECT {_SHOWN} FROM cards WHERE "{zone.replace("-", "_")}" = 10 ORDER BY name',  # noqa: S608  our own names
        }
        for zone in ZONES
    }
    queries["in_box"] = {
        "title": "What is in which box",
        "description": "Leave the box empty for all of them.",
        "sql": 'SELECT box, name, sum(copies) AS copies, finish, "row", slot FROM collection'
        ' WHERE :box = \'\' OR box = :box GROUP BY box, name, finish, "row", slot ORDER BY box, "row", slot, name',
        "params": ["box"],
    }
    queries["boxes"] = {
        "title": "Boxes, and how many cards are in each",
        "sql": "SELECT box, sum(copies) AS copies, count(DISTINCT card_id) AS cards FROM collection"
        " GROUP BY box ORDER BY box",
    }
    queries["most_zones"] = {
        "title": "Legal cards with the most numbers",
        "sql": f"SELECT {_SHOWN}, json_array_length(zones) AS numbers FROM cards WHERE legal = 'legal'"  # noqa: S608
        " ORDER BY numbers DESC, score DESC LIMIT 100",
    }
    queries["barred"] = {
        "title": "Why cards are barred, by game",
        "sql": "SELECT game, reason, count(*) AS cards FROM cards WHERE legal = 'barred'"
        " GROUP BY game, reason ORDER BY cards DESC",
    }
    return queries
