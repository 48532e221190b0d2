"""Small made-up data in the formats of public sources, and a server that imitates theirs."""

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

from helpers.scryfall_server import File, ScryfallServer

POKEMON_SETS: list[dict[str, Any]] = [
    {"id": "base1", "name": "Base", "releaseDate": "1999/01/09", "updatedAt": "2020/08/14 09:35:00", "total": 2},
    {"id": "sv1", "name": "Scarlet & Violet", "releaseDate": "2023/03/31", "updatedAt": "2023/03/31 10:00:00"},
]
POKEMON_CARDS: dict[str, list[dict[str, Any]]] = {
    "base1": [
        {
            "id": "base1-7",
            "name": "Emberling",
            "supertype": "Pokémon",
            "subtypes": ["Stage 1"],
            "level": "9",
            "hp": "50",
            "attacks": [{"name": "Spark", "cost": ["Fire"], "damage": "10+", "text": "Flip 2 coins."}],
            "weaknesses": [{"type": "Water", "value": "×2"}],
            "resistances": [{"type": "Fighting", "value": "-30"}],
            "convertedRetreatCost": 1,
            "number": "7",
            "nationalPokedexNumbers": [3],
        },
        {"id": "base1-8", "name": "Lost Bag", "supertype": "Trainer", "rules": ["Draw 2 cards."], "number": "8"},
    ],
    "sv1": [
        {
            "id": "sv1-9",
            "name": "Frostcub ex",
            "supertype": "Pokémon",
            "subtypes": ["Basic", "ex"],
            "hp": "200",
            "weaknesses": [{"type": "Metal", "value": "×2"}],
            "number": "9",
            "nationalPokedexNumbers": [4],
        }
    ],
}

YUGIOH: dict[str, list[dict[str, Any]]] = {
    "data": [
        {
            "id": 4280258,
            "name": "Clockwork Owl",
            "type": "Link Monster",
            "desc": "2 monsters.",
            "atk": 0,
            "def": None,
            "level": None,
            "linkval": 2,
            "card_sets": [
                {"set_name": "Gears", "set_code": "SR13-EN004", "set_rarity": "Common", "set_price": "0.10"},
                {"set_name": "Gears", "set_code": "SR13-EN004", "set_rarity": "Ultra Rare", "set_price": "2.10"},
            ],
        },
        {
            "id": 120,
            "name": "Sundial",
            "type": "Pendulum Effect Monster",
            "desc": "Ticks.",
            "atk": 1200,
            "def": 5,
            "level": 4,
            "scale": 3,
            "card_sets": [{"set_name": "Gears", "set_code": "GRS-EN007", "set_rarity": "Rare"}],
        },
        {"id": 130, "name": "Promise", "type": "Spell Card", "desc": "Draw 1 card.", "atk": 0, "def": 0},
    ]
}
YUGIOH_VERSION = [{"database_version": "94.81", "last_update": "2023-05-05 04:01:23"}]

SWCCG_SETS = [{"id": "1", "name": "Premiere", "date_release": "1995-12-01"}]


def swccg_card(number: int, title: str, kind: str = "Character", **front: str) -> dict[str, Any]:
    shown = {"title": title, "type": kind, "destiny": "0", **front}
    return {"id": number, "gempId": f"1_{number}", "side": "Dark", "set": "1", "rarity": "R", "front": shown}


SWCCG: dict[str, list[dict[str, Any]]] = {
    "cards": [
        swccg_card(5, "•Old Pilot", destiny="½", deploy="2", forfeit="0.5", power="3", gametext="Adds 2 to anything."),
        swccg_card(6, "<><>Mire", "Location", parsec="6", gametext="Light: Force drain +1 here."),
        swccg_card(8, "•Plan / Plot", "Objective", gametext="Deploy 1 site."),
    ]
}

ONR = {
    "cards": [
        {"title": '"Slab" Drive', "code": "slab_drive", "type_code": "program", "set": "Base", "cost": 3, "strength": 2}
        | {"memory_cost": 1, "text": "1[bit]: Break a wall."},
        {"title": "Big Wall", "code": "big_wall", "type_code": "ice", "set": "Base", "cost": 12, "strength": 7},
    ]
}

ONE_PIECE = [
    {"card_name": "Deckhand", "card_number": "OP01-006", "card_type": "CHARACTER", "cost": "2", "power": "3000"}
    | {"counter": "1000", "life": "-", "effects": "-", "types": ["Crew"], "card_sets": "-DAWN- [OP-01]"}
    | {"image_name": "OP01-006"},
    {"card_name": "Deckhand", "card_number": "OP01-006", "card_type": "CHARACTER", "cost": "2", "power": "3000"}
    | {"counter": "1000", "life": "-", "effects": "-", "types": ["Crew"], "card_sets": "-DAWN- [OP-01]"}
    | {"image_name": "OP01-006_p1"},
]

TRANSFORMERS: dict[str, Any] = {
    "bot-cards.json": {
        "records": [
            {
                "id": "rec1",
                "fields": {"Name": "Turnpike", "Subtitle": "Scout", "Set": "Wave 1", "Card #": "T26/T46", "⭐": 7}
                | {"🧡": 12, "Alt⚔️": 4, "Bot⚔️": 5, "Alt🛡️": 2, "Bot🛡️": 1, "Card Text": "Alt Mode:\nBold 1"},
                "createdTime": "2019-02-06T00:41:14.000Z",
            }
        ]
    },
    "battle-cards.json": {
        "records": [{"id": "rec2", "fields": {"Name": "Crowbar", "Set": "Wave 1", "Card #": "007/081", "⭐": 1}}]
    },
    "combiner-forms.json": {
        "records": [{"id": "rec3", "fields": {"Name": "Pileup", "⚔️": 6, "🧡": 33, "Component Bots": ["rec1"]}}]
    },
}

TRIAD_EIGHT = [
    {"id": 0, "group": 0, "name": "Mudling", "attributes": [1, 4, 10, 1], "element": "N/A"},
    {"id": 1, "group": 0, "name": "Kingfish", "attributes": [10, 10, 10, 7], "element": "Water"},
]
TRIAD_FOURTEEN = [{"id": 9, "name": "Dodo", "top": 4, "right": 2, "bottom": 3, "left": 10, "type": "none", "stars": 1}]

NETRUNNER_PACKS = [{"code": "dusk", "name": "Dusk", "date_release": "2014-05-05", "cycle_code": "dusk", "size": 4}]


def netrunner_card(code: str, title: str, kind: str, side: str = "corp", **more: Any) -> dict[str, Any]:
    """Return a card as described in a pack of the repository."""
    return {"code": code, "title": title, "type_code": kind, "side_code": side, "pack_code": "dusk"} | more


NETRUNNER = [
    netrunner_card("91001", "Tall Wall", "ice", cost=3, strength=5, position=1, text="[subroutine] End the run."),
    netrunner_card("91002", "Sly Fox", "identity", "runner", base_link=1, minimum_deck_size=45, influence_limit=15)
    | {"position": 2, "text": "You have 2 tags."},
    netrunner_card("91003", "Key", "program", "runner", cost=2, memory_cost=1, strength=None, position=3),
    netrunner_card("91004", "Grand Plan", "agenda", advancement_cost=4, agenda_points=2, position=40),
]


def printing(card: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a card of the repository to a printing of the API's version 3."""
    attributes = {
        **{"card_set_id": "dusk_set", "card_set_name": "Dusk", "date_release": "2014-05-05", "influence_cost": 1},
        "card_type_id": f"{card['side_code']}_identity" if card["type_code"] == "identity" else card["type_code"],
        "side_id": card["side_code"],
        "advancement_requirement": str(card["advancement_cost"]) if "advancement_cost" in card else None,
        "cost": str(card["cost"]) if "cost" in card else None,
    }
    same = ("title", "position", "text", "strength", "memory_cost", "base_link", "agenda_points", "minimum_deck_size")
    attributes |= {name: card.get(name) for name in (*same, "influence_limit", "trash_cost", "flavor")}
    return {"id": card["code"], "type": "printings", "attributes": attributes, "relationships": {}, "links": {}}


def body(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=2).encode()


class SourceServer(ScryfallServer):
    """A server of files at any path, which also pages printings like NetrunnerDB: unsorted pages overlap."""

    def __init__(self) -> None:
        super().__init__()
        self.printings: Sequence[Mapping[str, Any]] = [printing(card) for card in NETRUNNER]
        self.links, self.counts = True, True
        self.largest_page = 2
        self.announced = 0

    def put_files(self, folder: str, files: Mapping[str, object]) -> str:
        """Add JSON files below a folder, and return the folder's address."""
        for name, value in files.items():
            self.put(f"{folder}{name}", body(value))
        return f"{self.url}{folder}"

    def _find(self, path: str) -> File | None:
        parts = urlsplit(path)
        if parts.path != "/api/v3/public/printings":
            return super()._find(path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        found = list(self.printings)
        if asked.get("sort") == "id":
            found.sort(key=lambda one: str(one["id"]))
        else:
            random.shuffle(found)
        size = min(int(asked.get("page[size]", "1000")), self.largest_page)
        number, last = int(asked.get("page[number]", "1")), -(-len(found) // size)
        document: dict[str, Any] = {"data": found[(number - 1) * size : number * size]}
        if self.links:
            address = f"https://elsewhere.example/api/v3/public/printings?page[size]={size}&sort=id&page[number]="
            document["links"] = {"self": f"{address}{number}", "first": f"{address}1"}
            if self.counts:
                document["links"]["last"] = f"{address}{last}"
            if number < last:
                document["links"]["next"] = f"{address}{number + 1}"
        elif self.counts:
            document["meta"] = {"stats": {"total": {"count": self.announced or len(found)}}}
        return File(body(document), {"Content-Type": "application/vnd.api+json; charset=utf-8"})
