"""What a table of an app is: its columns, the fields that they hold, and the headings that people use for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from catalog.collection.formats.dialects import PLAIN, Dialect

FIELDS: Final = (
    *("copies", "foil_copies", "name", "simple_name", "set", "set_code", "set_name", "number"),
    *("all_copies", "finish", "reverse", "condition", "grade", "language", "rarity", "part", "note"),
    *("box", "row", "slot", "card", "doubt"),
    *("scryfall", "mtgo", "tcgplayer", "cardmarket", "multiverse", "arena", "konami", "id"),
)
"""What a column may hold; `set` is a code or a name, `card` an id of the catalogue, `doubt` a row that is settled.

`all_copies` are those of all finishes together, `id` is somebody's id of which the heading does not say whose, `part`
is that of a deck, such as a sideboard, `reverse` says that it is a reverse holo.
"""
ID_FIELDS: Final = ("card", "scryfall", "mtgo", "tcgplayer", "cardmarket", "multiverse", "arena", "konami", "id")


@dataclass(frozen=True, slots=True)
class App:
    """A table that one app exports: `needs` are headings without which it is another's, `extra` ones it may have."""

    name: str
    title: str
    columns: tuple[tuple[str, str], ...]
    needs: tuple[str, ...]
    dialect: Dialect = PLAIN
    extra: tuple[tuple[str, str], ...] = ()
    delimiter: str = ","
    writes: bool = True
    games: tuple[str, ...] = ()
    """The games that the app knows, where it is not for any."""

    @property
    def fields(self) -> frozenset[str]:
        """The fields that the table has a column for."""
        return frozenset(field for _, field in self.columns if field)

    def field_of(self) -> dict[str, str]:
        """For each heading, as `heading_key` writes it, its field."""
        return {heading_key(heading): field for heading, field in (*self.columns, *self.extra)}


def heading_key(heading: str) -> str:
    """A heading in the form in which headings are compared.

    >>> heading_key("Folder Name"), heading_key("ID #"), heading_key("FolderName")
    ('foldername', 'id#', 'foldername')
    """
    return "".join(letter for letter in heading.casefold() if letter.isalnum() or letter == "#")


def columns_of_text(text: str) -> tuple[tuple[str, str], ...]:
    """Columns from `Heading>field` between commas; a heading alone is one that a collection does not hold."""
    pairs = (column.strip().partition(">") for column in text.split(","))
    return tuple((heading, field) for heading, _, field in pairs)


SYNONYMS: Final[Mapping[str, str]] = MappingProxyType(
    {
        key: field
        for field, keys in {
            "copies": "copies count quantity qty amount number#of cardq groupcount regqty quantityx totalquantity"
            " howmany numberofnonfoil nonfoil #owned anzahl menge stück quantité cantidad quantità quantidade qtd qté"
            " exemplaires",
            "all_copies": "totalqty",
            "foil_copies": "foilquantity foilqty foilcount numberoffoil",
            "name": "name card cardname title cardtitle englishname itemname productname"
            " kartenname karte nom nomdelacarte carte nombre nome nomedacarta carta",
            "set": "set edition expansion cardset setcodeorname ausgabe erweiterung extension édition edición edição"
            " espansione edizione",
            "set_code": "setcode editioncode expansioncode setid seriescode",
            "set_name": "setname editionname expansionname series expname",
            "number": "collectornumber collectorsnumber number cardnumber cardno cardcode collector# card# no nr cn"
            " cardid sammlernummer kartennummer nummer numéro número numero numérodecollection",
            "finish": "foil finish printing premium variant variance cardedition foilreverse f extras isfoil",
            "condition": "condition cardcondition cond zustand état condición estado condizione qualidade",
            "grade": "grade",
            "rarity": "rarity cardrarity seltenheit rareté rareza rarità raridade",
            "language": "language lang cardlanguage languange sprache langue idioma lingua",
            "box": "box folder foldername binder bindername location container ordner classeur",
            "row": "row page",
            "slot": "slot pocket position",
            "card": "ccgrid ccgridid",
            "scryfall": "scryfallid scryfall jsonid",
            "mtgo": "mtgoid catid",
            "tcgplayer": "tcgplayerid productid tcgplayerproductid",
            "cardmarket": "idproduct cardmarketid mkmid",
            "multiverse": "multiverseid",
            "arena": "arenaid mtgaid grpid",
            "konami": "passcode konamiid",
            "id": "id",
            "part": "section sideboarded",
        }.items()
        for key in keys.split()
    }
)
"""Usual headings, as `heading_key` writes them, for tables of no app that is known; those of five more languages."""

COUNTED: Final = frozenset(("nonfoil", "numberofnonfoil"))
"""Headings of copies beside which `foil` counts copies, too."""

WEAKER: Final[Mapping[str, str]] = MappingProxyType({"setid": "setcode", "nombre": "nom"})
"""Headings that hold a field only where a plainer one, which is given for each, does not stand beside them."""
