"""The tables that collection apps export: their headings, what is below them, and the words they use.

One entry reads and writes a format. A column is (heading, field): a field of `FIELDS`, "=text" for a fixed text when
writing, "@app" for what the app itself calls the printing, or "" for what a collection does not hold, such as what a
card costs today.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from ccgrid.catalog.holding import (
    CONDITIONS,
    LANGUAGES,
    NORMAL,
    REVERSE,
    condition_word,
    finish_word,
    language_code,
    language_name,
)

__all__ = [
    "APPS",
    "FIELDS",
    "ID_FIELDS",
    "SYNONYMS",
    "App",
    "app_of",
    "heading_key",
]

_REMEMBERED: Final = 1000
"""How many different words of an app are remembered."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one app writes the house words; what `conditions` lacks is written as the nearest grade that it has."""

    finishes: Mapping[str, str] = field(default_factory=lambda: {NORMAL: "", "foil": "foil", "etched": "etched"})
    conditions: Mapping[str, str] = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)
    yes: str = "yes"
    """What is under a heading such as Signed where it is so; nothing for the word of the field itself."""
    no: str = ""
    free_finish: bool = False
    """Whether a finish that the app has no word for may be written as it is."""
    capitals: bool = False
    """Whether the app writes the codes of Magic's sets in capitals."""
    _read: dict[tuple[str, str], str] = field(default_factory=dict, repr=False, compare=False)
    """What was read before: a table has a few words, and each of them in every row."""

    def has_condition(self, condition: str) -> bool:
        """Whether the app can tell a condition from others; what is not a grade is written as it is."""
        return not self.conditions or condition in self.conditions or condition not in CONDITIONS

    def finish(self, finish: str) -> str:
        """The app's word for a finish."""
        # A finish that the app does not know is foil for it.
        return self.finishes.get(finish, finish if self.free_finish else self.finishes.get("foil", ""))

    def condition(self, condition: str) -> str:
        """The app's word for a condition: the same grade, else the next worse one that it has, else the worst."""
        if self.has_condition(condition):
            return self.conditions.get(condition, condition)
        place = CONDITIONS.index(condition)
        known = [grade for grade in CONDITIONS if grade in self.conditions]
        # Rather worse than better: nobody shall be promised too much.
        worse = [grade for grade in known if CONDITIONS.index(grade) > place]
        return self.conditions[worse[0] if worse else known[-1]]

    def language(self, code: str) -> str:
        """The app's word for a language."""
        return self.languages.get(code) or language_name(code)

    def condition_read(self, text: str) -> str:
        """The house word for what the app wrote."""
        return self._cached("condition", text) or self._house_word("condition", text, self.conditions, condition_word)

    def finish_read(self, text: str) -> str:
        """The house word for what the app wrote."""
        return self._cached("finish", text) or self._house_word("finish", text, self.finishes, finish_word)

    def language_read(self, text: str) -> str:
        """The code for what the app wrote."""
        return self._cached("language", text) or self._house_word("language", text, self.languages, language_code)

    def _cached(self, kind: str, text: str) -> str:
        return self._read.get((kind, text), "")

    def _house_word(self, kind: str, text: str, words: Mapping[str, str], otherwise: Callable[[str], str]) -> str:
        folded = text.casefold()
        # What the app means by a word comes before what the word usually means.
        found = next((ours for ours, theirs in words.items() if theirs.casefold() == folded and theirs), "")
        found = found or otherwise(text)
        if len(self._read) < _REMEMBERED:
            self._read[kind, text] = found
        return found


PLAIN: Final = Dialect()
"""The words of tables that have none of their own."""


EUROPEAN: Final = ("mint", "near-mint", "excellent", "good", "lightly-played", "played", "poor")
AMERICAN: Final = ("near-mint", "lightly-played", "moderately-played", "heavily-played", "damaged")


def _grades(grades: tuple[str, ...], words: str) -> dict[str, str]:
    return dict(zip(grades, words.split(","), strict=True))


MOXFIELD_GRADES: Final = {
    "mint": "Mint",
    **_grades(AMERICAN, "Near Mint,Lightly Played,Moderately Played,Heavily Played,Damaged"),
}
TCGPLAYER_GRADES: Final = _grades(AMERICAN, "Near Mint,Lightly Played,Moderately Played,Heavily Played,Damaged")
ARCHIDEKT_GRADES: Final = _grades(AMERICAN, "NM,LP,MP,HP,D")
CARDTRADER_GRADES: Final = {
    **{"mint": "Mint", "near-mint": "Near Mint", "lightly-played": "Slightly Played", "played": "Played"},
    **{"moderately-played": "Moderately Played", "heavily-played": "Heavily Played", "poor": "Poor"},
}
MANABOX_GRADES: Final = _grades(EUROPEAN, "mint,near_mint,excellent,good,light_played,played,poor")
DRAGONSHIELD_GRADES: Final = _grades(EUROPEAN, "Mint,NearMint,Excellent,Good,LightPlayed,Played,Poor")
CARDMARKET_GRADES: Final = _grades(EUROPEAN, "MT,NM,EX,GD,LP,PL,PO")
DECKBOX_GRADES: Final = {
    **{"mint": "Mint", "near-mint": "Near Mint", "good": "Good (Lightly Played)", "played": "Played"},
    **{"heavily-played": "Heavily Played", "poor": "Poor"},
}
CODES: Final = {code: code for code in LANGUAGES}


FIELDS: Final = (
    *("copies", "foil_copies", "name", "simple_name", "set", "set_code", "set_name", "number"),
    *("all_copies", "finish", "reverse", "condition", "grade", "language", "rarity", "part", "categories", "note"),
    *("acquired", "price", "currency", "tags", "signed", "altered", "proxy", "trade", "flag", "own"),
    *("box", "row", "slot", "card", "doubt"),
    *("scryfall", "mtgo", "tcgplayer", "cardmarket", "multiverse", "arena", "konami", "id"),
)
"""What a column may hold; `set` is a code or a name, `card` an id of the catalogue, `doubt` a row that is settled.

`price` is what one copy cost, `trade` how many copies may be traded; `own` is kept under its heading, and so is a
`flag`, where it says yes. `all_copies` are those of all finishes together, `id` is somebody's id of which the heading
does not say whose, `part` is that of a deck, such as a sideboard, `categories` are those of a deck's owner, `reverse`
says that it is a reverse holo.
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
    free_columns: bool = False
    """Whether columns that are the owner's own may be behind the others."""
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
    # "Type" alone has no field: it is passed over.
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
            "note": "note notes comment comments remark remarks notiz notizen bemerkung",
            "tags": "tags tag",
            "acquired": "acquired acquireddate dateacquired purchasedate purchased datebought dateadded added",
            "price": "purchaseprice pricebought boughtfor acquiredprice pricepaid paid myprice averagecostpaid",
            "currency": "purchasepricecurrency currency",
            "signed": "signed issigned signing",
            "altered": "altered isaltered alter alteredart alteration",
            "proxy": "proxy isproxy playtestcard",
            "trade": "tradelistcount tradequantity fortrade",
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
            "part": "section sideboarded board",
            "categories": "categories kategorien catégories categorías categorie",
        }.items()
        for key in keys.split()
    }
)
"""Usual headings, as `heading_key` writes them, for tables of no app that is known; those of five more languages."""

COUNTED: Final = frozenset(("nonfoil", "numberofnonfoil"))
"""Headings of copies beside which `foil` counts copies, too."""

WEAKER: Final[Mapping[str, str]] = MappingProxyType({"setid": "setcode", "nombre": "nom"})
"""Headings that hold a field only where a plainer one, which is given for each, is not beside them."""


_FOIL: Final = {"normal": "", "foil": "foil", "etched": "etched"}
_NORMAL: Final = {"normal": "Normal", "foil": "Foil", "etched": "Etched"}
_MAGIC: Final = ("mtg",)

RARER_APPS: Final[tuple[App, ...]] = (
    App(
        "collectr",
        "Collectr",
        columns_of_text(
            "Portfolio Name>box,Category,Set>set_name,Product Name>name,Card Number>number,Rarity>rarity,"
            "Variance>finish,Grade>grade,Card Condition>condition,Average Cost Paid>price,Quantity>copies,"
            "Price Override>own,Watchlist>flag,Date Added>acquired,Notes>note"
        ),
        ("Product Name", "Variance"),
        Dialect(_NORMAL, TCGPLAYER_GRADES, yes="true", no="false", free_finish=True),
    ),
    App(
        "ygoprodeck",
        "YGOPRODeck",
        columns_of_text(
            "cardname>name,cardq>copies,cardrarity>rarity,card_edition>finish,cardset>set_name,cardcode>number,"
            "cardid>konami,print_id>@ygoprodeck"
        ),
        ("cardname", "cardq", "cardid"),
        Dialect({"normal": ""}, TCGPLAYER_GRADES, free_finish=True),
        columns_of_text("cardcondition>condition"),
    ),
    App(
        "scryfall",
        "a deck of Scryfall",
        columns_of_text(
            "section>part,count>copies,name>name,mana_cost,type,set>set_name,set_code>set_code,collector_number>number,"
            "lang>language,rarity>rarity,artist,finish>finish,usd_price,eur_price,tix_price,scryfall_uri,"
            "scryfall_id>scryfall"
        ),
        ("section", "count", "scryfall_id"),
        Dialect({"normal": "nonfoil", "foil": "foil", "etched": "etched"}, {}, CODES),
        columns_of_text("foil>finish"),
        writes=False,
    ),
    App(
        "tappedout",
        "TappedOut",
        columns_of_text(
            "Board>part,Qty>copies,Name>name,Printing>set,Foil>finish,Alter>altered,Signed>signed,Condition>condition,"
            "Languange>language,Commander"
        ),
        ("Board", "Qty", "Name", "Printing"),
        Dialect(_FOIL, {}, CODES),
        columns_of_text("Language>language"),
        games=_MAGIC,
    ),
    App(
        "mtgssm",
        "mtg-ssm",
        columns_of_text("set>set_code,name>name,number>number,scryfall_id>scryfall,nonfoil>copies,foil>foil_copies"),
        ("set", "name", "nonfoil", "foil"),
        games=_MAGIC,
    ),
    App(
        "dreamborn",
        "Dreamborn",
        columns_of_text(
            "Normal>copies,Foil>foil_copies,Name>name,Set>set,Card Number>number,Color,Rarity>rarity,Price,Foil Price"
        ),
        ("Normal", "Foil", "Name", "Card Number"),
    ),
    App(
        "riftbound",
        "a Riftbound collection",
        columns_of_text("CardId>number,Normal>copies,Foil>foil_copies,Name>name,Set>set"),
        ("CardId", "Normal", "Foil", "Name"),
    ),
)
"""In the order in which `APPS` has them."""


_MTGO: Final = {"normal": "No", "foil": "Yes"}
_CARDMARKET_LANGUAGES: Final = {
    **{"en": "1", "fr": "2", "de": "3", "es": "4", "it": "5", "zhs": "6", "ja": "7", "pt": "8", "ru": "9"},
    **{"ko": "10", "zht": "11"},
}
_DRAGONSHIELD_LANGUAGES: Final = {"zhs": "Chinese", "zht": "Traditional Chinese"}
_TCGPLAYER_LANGUAGES: Final = {"zhs": "Chinese (S)", "zht": "Chinese (T)"}


APPS: Final[tuple[App, ...]] = (
    App(
        "moxfield",
        "Moxfield",
        columns_of_text(
            "Count>copies,Tradelist Count>trade,Name>name,Edition>set,Condition>condition,Language>language,"
            "Foil>finish,Tags>tags,Last Modified,Collector Number>number,Alter>altered,Proxy>proxy,Purchase Price>price"
        ),
        ("Count", "Tradelist Count", "Name", "Edition", "Collector Number"),
        Dialect(_FOIL, MOXFIELD_GRADES, yes="True", no="False"),
        columns_of_text("Playtest Card>proxy"),
        games=_MAGIC,
    ),
    App(
        "manabox",
        "ManaBox",
        columns_of_text(
            "Binder Name>box,Binder Type>=binder,Name>name,Set code>set_code,Set name>set_name,Collector number>number,"
            "Foil>finish,Rarity>rarity,Quantity>copies,ManaBox ID>@manabox,Scryfall ID>scryfall,Purchase price>price,"
            "Misprint>flag,Altered>altered,Condition>condition,Language>language,Purchase price currency>currency"
        ),
        ("Name", "Quantity", "ManaBox ID"),
        Dialect(
            {"normal": "normal", "foil": "foil", "etched": "etched"},
            MANABOX_GRADES,
            CODES,
            "true",
            "false",
            capitals=True,
        ),
        games=_MAGIC,
    ),
    App(
        "deckbox",
        "Deckbox",
        columns_of_text(
            "Count>copies,Tradelist Count>trade,Name>name,Edition>set_name,Edition Code>set_code,Card Number>number,"
            "Condition>condition,Language>language,Foil>finish,Signed>signed,Artist Proof>flag,Altered Art>altered,"
            "Misprint>flag,Promo>flag,Textless>flag,Printing Id>@deckbox,Printing Note>own,Tags>tags,"
            "My Price>price,Cost,Rarity>rarity,Price,TcgPlayer ID>tcgplayer,Scryfall ID>scryfall"
        ),
        ("Count", "Name", "Edition", "Card Number", "Signed"),
        Dialect(_FOIL, DECKBOX_GRADES, yes=""),
        columns_of_text("Type,Image URL,Last Updated"),
        games=_MAGIC,
    ),
    App(
        "archidekt",
        "Archidekt",
        columns_of_text(
            "Quantity>copies,Name>name,Finish>finish,Condition>condition,Date Added>acquired,Language>language,"
            "Purchase Price>price,Tags>tags,Edition Name>set_name,Edition Code>set_code,Multiverse Id>multiverse,"
            "Scryfall ID>scryfall,Collector Number>number"
        ),
        ("Quantity", "Name", "Edition Code", "Finish"),
        Dialect(_NORMAL, ARCHIDEKT_GRADES, {**CODES, "ja": "JP", "zhs": "CS", "zht": "CT", "es": "SP", "ko": "KR"}),
        columns_of_text("MTGO ID>mtgo"),
        games=_MAGIC,
    ),
    App(
        "dragonshield",
        "Dragon Shield",
        columns_of_text(
            "Folder Name>box,Quantity>copies,Trade Quantity>trade,Card Name>name,Set Code>set_code,Set Name>set_name,"
            "Card Number>number,Condition>condition,Printing>finish,Language>language,Price Bought>price,"
            "Date Bought>acquired"
        ),
        ("Folder Name", "Quantity", "Card Name"),
        Dialect(_NORMAL, DRAGONSHIELD_GRADES, _DRAGONSHIELD_LANGUAGES, free_finish=True, capitals=True),
        columns_of_text("LOW,MID,MARKET,AVG,TREND,Rarity>rarity"),
    ),
    App(
        "dragonshield-app",
        "Dragon Shield (app)",
        columns_of_text(
            "Quantity>copies,Name>name,CardNumber>number,Expansion Code>set_code,Expansion Name>set_name,"
            "PurchasePrice>price,Foil>finish,Condition>condition,Language>language,PurchaseDate>acquired,"
            "Single Current Price,Total Current Price"
        ),
        ("Quantity", "Name", "Expansion Code"),
        Dialect({"normal": "false", "foil": "true"}, DRAGONSHIELD_GRADES, _DRAGONSHIELD_LANGUAGES, free_finish=True),
    ),
    App(
        "mtggoldfish",
        "MTGGoldfish",
        columns_of_text(
            "Card>name,Set ID>set_code,Set Name>set_name,Quantity>copies,Foil>finish,Variation>@mtggoldfish,"
            "Collector Number>number,Scryfall ID>scryfall"
        ),
        ("Card", "Set ID", "Set Name", "Quantity"),
        Dialect({"normal": "regular", "foil": "foil", "etched": "foil_etched"}, capitals=True),
        games=_MAGIC,
    ),
    App(
        "mtgo",
        "Magic Online",
        columns_of_text(
            "Card Name>name,Quantity>copies,ID #>mtgo,Rarity>rarity,Set>set_code,Collector #>number,Premium>finish,"
            "Sideboarded>part,Annotation>=0"
        ),
        ("Card Name", "Quantity", "ID #"),
        Dialect(_MTGO, capitals=True),
        games=_MAGIC,
    ),
    App(
        "tcgplayer",
        "TCGplayer",
        columns_of_text(
            "Quantity>copies,Name>name,Simple Name>simple_name,Set>set_name,Card Number>number,Set Code>set_code,"
            "Printing>finish,Condition>condition,Language>language,Rarity>rarity,Product ID>tcgplayer,SKU"
        ),
        ("Quantity", "Name", "Product ID"),
        Dialect(_NORMAL, TCGPLAYER_GRADES, _TCGPLAYER_LANGUAGES, free_finish=True, capitals=True),
    ),
    App(
        "tcgplayer-seller",
        "TCGplayer (seller)",
        columns_of_text(
            "TCGplayer Id>tcgplayer,Product Line,Set Name>set_name,Product Name>name,Title,Number>number,Rarity>rarity,"
            "Condition>condition,Total Quantity>copies,Add to Quantity"
        ),
        ("Product Line", "Set Name", "Product Name"),
        Dialect(_NORMAL, TCGPLAYER_GRADES, free_finish=True),
        columns_of_text("Printing>finish,Language>language,Quantity>copies"),
        writes=False,
    ),
    App(
        "topdecked",
        "TopDecked",
        columns_of_text(
            "QUANTITY>copies,NAME>name,SETCODE>set_code,SETNAME>set_name,COLLECTOR NUMBER>number,FINISH>finish,PRICE,"
            "RARITY>rarity,ID>scryfall,ACQUIRED DATE>acquired,ACQUIRED PRICE>price,LANG>language,PRICE SALE>own,"
            "SIGNING>signed,ALTERATION>altered,CONDITION>condition,NOTES>note,TAGS>tags"
        ),
        ("QUANTITY", "NAME", "SETCODE", "FINISH"),
        Dialect({"normal": "normal", "foil": "foil", "etched": "etched"}, ARCHIDEKT_GRADES, CODES),
        games=_MAGIC,
    ),
    App(
        "cardkingdom",
        "Card Kingdom",
        columns_of_text("title>name,edition>set_name,foil>finish,quantity>copies"),
        ("title", "edition", "quantity"),
        Dialect({"normal": "false", "foil": "true"}),
        games=_MAGIC,
    ),
    App(
        "delverlens",
        "Delver Lens",
        columns_of_text(
            "Quantity>copies,Name>name,Set>set,Card Number>number,Condition>condition,Language>language,Finish>finish"
        ),
        ("Quantity", "Name", "Set", "Card Number", "Finish"),
        Dialect(_NORMAL, TCGPLAYER_GRADES, free_finish=True),
        columns_of_text("Scryfall ID>scryfall,List name>box,Set code>set_code"),
        games=_MAGIC,
    ),
    App(
        "cardmarket",
        "Cardmarket",
        columns_of_text(
            "idProduct>cardmarket,groupCount>copies,price>own,idLanguage>language,condition>condition,isFoil>finish,"
            "isSigned>signed,isAltered>altered,isPlayset>flag,isReverseHolo>reverse,isFirstEd>flag,isFullArt>flag,"
            "isUberRare>flag,isWithDie>flag"
        ),
        ("idProduct", "groupCount"),
        Dialect({"normal": "", "foil": "1", REVERSE: ""}, CARDMARKET_GRADES, _CARDMARKET_LANGUAGES, "1"),
        delimiter=";",
    ),
    App(
        "cardtrader",
        "CardTrader",
        columns_of_text(
            "Game,Set Released At,Set Name>set_name,Set Code>set_code,Item Name>name,Price in EUR Cents>own,"
            "Quantity>copies,Condition>condition,Language>language,Foil/Reverse>finish,Signed>signed,Altered>altered,"
            "First Edition>flag,Playset>flag,Collector Number>number"
        ),
        ("Item Name", "Foil/Reverse"),
        Dialect({"normal": "false", "foil": "true"}, CARDTRADER_GRADES, CODES, "true", "false", True),
        columns_of_text(
            "Expansion>set_name,Expansion Code>set_code,Set>set_name,Number>number,Price>own,Rarity>rarity"
        ),
    ),
    App(
        "deckedbuilder",
        "Decked Builder",
        columns_of_text(
            "Total Qty>all_copies,Reg Qty>copies,Foil Qty>foil_copies,Card>name,Set>set,Mana Cost,Card Type,Color,"
            "Rarity>rarity,Mvid>multiverse,Single Price,Single Foil Price,Total Price,Price Source,Notes>note"
        ),
        ("Total Qty", "Foil Qty", "Card"),
    ),
    App(
        "helvault",
        "Helvault",
        columns_of_text(
            "collector_number>number,estimated_price,extras>finish,language>language,name>name,oracle_id>@helvault,quantity>copies,"
            "rarity>rarity,scryfall_id>scryfall,set_code>set_code,set_name>set_name"
        ),
        ("extras", "name", "quantity"),
        Dialect({"normal": "", "foil": "foil", "etched": "etchedFoil"}, {}, CODES),
    ),
    *RARER_APPS,
    App(
        "csv",
        "a table of ccgrid",
        columns_of_text(
            "Copies>copies,Name>name,Set code>set_code,Set name>set_name,Number>number,Finish>finish,"
            "Condition>condition,Language>language,Box>box,Row>row,Slot>slot,Card id>card,Settles>doubt,"
            "Rarity>rarity,Note>note,Acquired>acquired,Price>price,Currency>currency,Tags>tags,Signed>signed,"
            "Altered>altered,Proxy>proxy,For trade>trade,Grade>grade"
        ),
        ("Copies", "Card id"),
        Dialect({"normal": "normal"}, {}, CODES, free_finish=True),
        columns_of_text("Why,Candidates,Row in the file"),
        free_columns=True,
    ),
)


def app_of(header: list[str]) -> App | None:
    """The app whose table has this header, None where it is not an app's that is known.

    Of several that could be, the one that knows most of the headings, and lacks fewest of its own.
    """
    keys = {heading_key(heading) for heading in header if heading}
    best: tuple[float, App] | None = None
    for app in APPS:
        if not all(heading_key(heading) in keys for heading in app.needs):
            continue
        own = {heading_key(heading) for heading, _ in app.columns}
        known = len(keys & set(app.field_of()))
        # Each heading known counts one; each of its own that is missing takes a third.
        score = known - 0.3 * len(own - keys)
        if best is None or score > best[0]:
            best = score, app
    return best[1] if best else None
