"""The tables that collection apps export: their headings, what stands below them, and the words they use.

One entry reads and writes a format. A column is (heading, field): a field of `FIELDS`, "=text" for a fixed text when
writing, or "" for what a collection does not hold.
"""

from typing import Final

from catalog.collection.formats import dialects
from catalog.collection.formats.app import FIELDS, ID_FIELDS, SYNONYMS, App, heading_key
from catalog.collection.formats.app import columns_of_text as _columns
from catalog.collection.formats.dialects import CODES, Dialect
from catalog.collection.formats.read_apps import READ_ONLY
from catalog.words import REVERSE

__all__ = ["APPS", "FIELDS", "ID_FIELDS", "SYNONYMS", "App", "heading_key", "recognise"]

_FOIL: Final = {"normal": "", "foil": "foil", "etched": "etched"}
_NORMAL: Final = {"normal": "Normal", "foil": "Foil", "etched": "Etched"}
_MTGO: Final = {"normal": "No", "foil": "Yes"}
_CARDMARKET_LANGUAGES: Final = {
    **{"en": "1", "fr": "2", "de": "3", "es": "4", "it": "5", "zhs": "6", "ja": "7", "pt": "8", "ru": "9"},
    **{"ko": "10", "zht": "11"},
}
_DRAGONSHIELD_LANGUAGES: Final = {"zhs": "Chinese", "zht": "Traditional Chinese"}
_TCGPLAYER_LANGUAGES: Final = {"zhs": "Chinese (S)", "zht": "Chinese (T)"}

_MAGIC: Final = ("mtg",)

APPS: Final[tuple[App, ...]] = (
    App(
        "moxfield",
        "Moxfield",
        _columns(
            "Count>copies,Tradelist Count>=0,Name>name,Edition>set,Condition>condition,Language>language,Foil>finish,"
            "Tags,Last Modified,Collector Number>number,Alter>=False,Proxy>=False,Purchase Price"
        ),
        ("Count", "Tradelist Count", "Name", "Edition", "Collector Number"),
        Dialect(_FOIL, dialects.MOXFIELD_GRADES),
        _columns("Playtest Card"),
        games=_MAGIC,
    ),
    App(
        "manabox",
        "ManaBox",
        _columns(
            "Binder Name>box,Binder Type>=binder,Name>name,Set code>set_code,Set name>set_name,Collector number>number,"
            "Foil>finish,Rarity>rarity,Quantity>copies,ManaBox ID,Scryfall ID>scryfall,Purchase price,Misprint>=false,"
            "Altered>=false,Condition>condition,Language>language,Purchase price currency"
        ),
        ("Name", "Quantity", "ManaBox ID"),
        Dialect({"normal": "normal", "foil": "foil", "etched": "etched"}, dialects.MANABOX_GRADES, CODES),
        games=_MAGIC,
    ),
    App(
        "deckbox",
        "Deckbox",
        _columns(
            "Count>copies,Tradelist Count>=0,Name>name,Edition>set_name,Edition Code>set_code,Card Number>number,"
            "Condition>condition,Language>language,Foil>finish,Signed,Artist Proof,Altered Art,Misprint,Promo,Textless,"
            "Printing Id,Printing Note,Tags,My Price,Cost,Rarity>rarity,Price,TcgPlayer ID>tcgplayer,"
            "Scryfall ID>scryfall"
        ),
        ("Count", "Name", "Edition", "Card Number", "Signed"),
        Dialect(_FOIL, dialects.DECKBOX_GRADES),
        games=_MAGIC,
    ),
    App(
        "archidekt",
        "Archidekt",
        _columns(
            "Quantity>copies,Name>name,Finish>finish,Condition>condition,Date Added,Language>language,Purchase Price,"
            "Tags,Edition Name>set_name,Edition Code>set_code,Multiverse Id>multiverse,Scryfall ID>scryfall,"
            "Collector Number>number"
        ),
        ("Quantity", "Name", "Edition Code", "Finish"),
        Dialect(
            _NORMAL, dialects.ARCHIDEKT_GRADES, {**CODES, "ja": "JP", "zhs": "CS", "zht": "CT", "es": "SP", "ko": "KR"}
        ),
        _columns("MTGO ID>mtgo"),
        games=_MAGIC,
    ),
    App(
        "dragonshield",
        "Dragon Shield",
        _columns(
            "Folder Name>box,Quantity>copies,Trade Quantity>=0,Card Name>name,Set Code>set_code,Set Name>set_name,"
            "Card Number>number,Condition>condition,Printing>finish,Language>language,Price Bought,Date Bought"
        ),
        ("Folder Name", "Quantity", "Card Name"),
        Dialect(_NORMAL, dialects.DRAGONSHIELD_GRADES, _DRAGONSHIELD_LANGUAGES, free_finish=True),
        _columns("LOW,MID,MARKET,AVG,TREND,Rarity>rarity"),
    ),
    App(
        "dragonshield-app",
        "Dragon Shield (app)",
        _columns(
            "Quantity>copies,Name>name,CardNumber>number,Expansion Code>set_code,Expansion Name>set_name,PurchasePrice,"
            "Foil>finish,Condition>condition,Language>language,PurchaseDate,Single Current Price,Total Current Price"
        ),
        ("Quantity", "Name", "Expansion Code"),
        Dialect(
            {"normal": "false", "foil": "true"}, dialects.DRAGONSHIELD_GRADES, _DRAGONSHIELD_LANGUAGES, free_finish=True
        ),
    ),
    App(
        "mtggoldfish",
        "MTGGoldfish",
        _columns(
            "Card>name,Set ID>set_code,Set Name>set_name,Quantity>copies,Foil>finish,Variation,Collector Number>number,"
            "Scryfall ID>scryfall"
        ),
        ("Card", "Set ID", "Set Name", "Quantity"),
        Dialect({"normal": "regular", "foil": "foil", "etched": "foil_etched"}),
        games=_MAGIC,
    ),
    App(
        "mtgo",
        "Magic Online",
        _columns(
            "Card Name>name,Quantity>copies,ID #>mtgo,Rarity>rarity,Set>set_code,Collector #>number,Premium>finish,"
            "Sideboarded>part,Annotation>=0"
        ),
        ("Card Name", "Quantity", "ID #"),
        Dialect(_MTGO),
        games=_MAGIC,
    ),
    App(
        "tcgplayer",
        "TCGplayer",
        _columns(
            "Quantity>copies,Name>name,Simple Name>simple_name,Set>set_name,Card Number>number,Set Code>set_code,"
            "Printing>finish,Condition>condition,Language>language,Rarity>rarity,Product ID>tcgplayer,SKU"
        ),
        ("Quantity", "Name", "Product ID"),
        Dialect(_NORMAL, dialects.TCGPLAYER_GRADES, _TCGPLAYER_LANGUAGES, free_finish=True),
    ),
    App(
        "tcgplayer-seller",
        "TCGplayer (seller)",
        _columns(
            "TCGplayer Id>tcgplayer,Product Line,Set Name>set_name,Product Name>name,Title,Number>number,Rarity>rarity,"
            "Condition>condition,Total Quantity>copies,Add to Quantity"
        ),
        ("Product Line", "Set Name", "Product Name"),
        Dialect(_NORMAL, dialects.TCGPLAYER_GRADES, free_finish=True),
        _columns("Printing>finish,Language>language,Quantity>copies"),
        writes=False,
    ),
    App(
        "topdecked",
        "TopDecked",
        _columns(
            "QUANTITY>copies,NAME>name,SETCODE>set_code,SETNAME>set_name,COLLECTOR NUMBER>number,FINISH>finish,PRICE,"
            "RARITY>rarity,ID>scryfall,ACQUIRED DATE,ACQUIRED PRICE,LANG>language,PRICE SALE,SIGNING,ALTERATION,"
            "CONDITION>condition,NOTES,TAGS"
        ),
        ("QUANTITY", "NAME", "SETCODE", "FINISH"),
        Dialect({"normal": "normal", "foil": "foil", "etched": "etched"}, dialects.ARCHIDEKT_GRADES, CODES),
        games=_MAGIC,
    ),
    App(
        "cardkingdom",
        "Card Kingdom",
        _columns("title>name,edition>set_name,foil>finish,quantity>copies"),
        ("title", "edition", "quantity"),
        Dialect({"normal": "false", "foil": "true"}),
        games=_MAGIC,
    ),
    App(
        "delverlens",
        "Delver Lens",
        _columns(
            "Quantity>copies,Name>name,Set>set,Card Number>number,Condition>condition,Language>language,Finish>finish"
        ),
        ("Quantity", "Name", "Set", "Card Number", "Finish"),
        Dialect(_NORMAL, dialects.TCGPLAYER_GRADES, free_finish=True),
        _columns("Scryfall ID>scryfall,List name>box,Set code>set_code"),
        games=_MAGIC,
    ),
    App(
        "cardmarket",
        "Cardmarket",
        _columns(
            "idProduct>cardmarket,groupCount>copies,price,idLanguage>language,condition>condition,isFoil>finish,"
            "isSigned,isAltered,isPlayset,isReverseHolo>reverse,isFirstEd,isFullArt,isUberRare,isWithDie"
        ),
        ("idProduct", "groupCount"),
        Dialect({"normal": "", "foil": "1", REVERSE: ""}, dialects.CARDMARKET_GRADES, _CARDMARKET_LANGUAGES),
        delimiter=";",
    ),
    App(
        "cardtrader",
        "CardTrader",
        _columns(
            "Game,Set Released At,Set Name>set_name,Set Code>set_code,Item Name>name,Price in EUR Cents,"
            "Quantity>copies,Condition>condition,Language>language,Foil/Reverse>finish,Signed,Altered,First Edition,"
            "Playset,Collector Number>number"
        ),
        ("Item Name", "Foil/Reverse"),
        Dialect({"normal": "false", "foil": "true"}, dialects.CARDTRADER_GRADES, CODES, free_finish=True),
        _columns("Expansion>set_name,Expansion Code>set_code,Set>set_name,Number>number,Price,Rarity>rarity"),
        writes=False,
    ),
    App(
        "deckedbuilder",
        "Decked Builder",
        _columns(
            "Total Qty>all_copies,Reg Qty>copies,Foil Qty>foil_copies,Card>name,Set>set,Mana Cost,Card Type,Color,"
            "Rarity>rarity,Mvid>multiverse,Single Price,Single Foil Price,Total Price,Price Source,Notes"
        ),
        ("Total Qty", "Foil Qty", "Card"),
        writes=False,
    ),
    App(
        "helvault",
        "Helvault",
        _columns(
            "collector_number>number,estimated_price,extras>finish,language>language,name>name,oracle_id,quantity>copies,"
            "rarity>rarity,scryfall_id>scryfall,set_code>set_code,set_name>set_name"
        ),
        ("extras", "name", "quantity"),
        Dialect({"normal": "", "foil": "foil", "etched": "etchedFoil"}, {}, CODES),
        writes=False,
    ),
    *READ_ONLY,
    App(
        "csv",
        "a table of ccgrid",
        _columns(
            "Copies>copies,Name>name,Set code>set_code,Set name>set_name,Number>number,Finish>finish,"
            "Condition>condition,Language>language,Box>box,Row>row,Slot>slot,Card id>card,Settles>doubt,"
            "Rarity>rarity,Note>note"
        ),
        ("Copies", "Card id"),
        Dialect({"normal": "normal"}, {}, CODES, free_finish=True),
    ),
)


def recognise(header: list[str]) -> App | None:
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
        score = known - 0.3 * len(own - keys)
        if best is None or score > best[0]:
            best = score, app
    return best[1] if best else None
