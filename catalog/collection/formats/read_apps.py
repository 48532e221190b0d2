"""Tables of apps that are read and never written: what they lack would be lost, or nobody would read them again."""

from typing import Final

from catalog.collection.formats import dialects
from catalog.collection.formats.app import App
from catalog.collection.formats.app import columns_of_text as _columns
from catalog.collection.formats.dialects import CODES, Dialect

_FOIL: Final = {"normal": "", "foil": "foil", "etched": "etched"}
_NORMAL: Final = {"normal": "Normal", "foil": "Foil", "etched": "Etched"}
_MAGIC: Final = ("mtg",)

READ_ONLY: Final[tuple[App, ...]] = (
    App(
        "collectr",
        "Collectr",
        _columns(
            "Portfolio Name>box,Category,Set>set_name,Product Name>name,Card Number>number,Rarity>rarity,"
            "Variance>finish,Grade>grade,Card Condition>condition,Average Cost Paid,Quantity>copies,Price Override,"
            "Watchlist,Date Added,Notes"
        ),
        ("Product Name", "Variance"),
        Dialect(_NORMAL, dialects.TCGPLAYER_GRADES, free_finish=True),
        writes=False,
    ),
    App(
        "ygoprodeck",
        "YGOPRODeck",
        _columns(
            "cardname>name,cardq>copies,cardrarity>rarity,card_edition>finish,cardset>set_name,cardcode>number,"
            "cardid>konami,print_id"
        ),
        ("cardname", "cardq", "cardid"),
        Dialect(_NORMAL, dialects.TCGPLAYER_GRADES, free_finish=True),
        _columns("cardcondition>condition"),
        writes=False,
    ),
    App(
        "scryfall",
        "a deck of Scryfall",
        _columns(
            "section>part,count>copies,name>name,mana_cost,type,set>set_name,set_code>set_code,collector_number>number,"
            "lang>language,rarity>rarity,artist,finish>finish,usd_price,eur_price,tix_price,scryfall_uri,"
            "scryfall_id>scryfall"
        ),
        ("section", "count", "scryfall_id"),
        Dialect({"normal": "nonfoil", "foil": "foil", "etched": "etched"}, {}, CODES),
        _columns("foil>finish"),
        writes=False,
    ),
    App(
        "tappedout",
        "TappedOut",
        _columns(
            "Board>part,Qty>copies,Name>name,Printing>set,Foil>finish,Alter,Signed,Condition>condition,"
            "Languange>language,Commander"
        ),
        ("Board", "Qty", "Name", "Printing"),
        Dialect(_FOIL, {}, CODES),
        _columns("Language>language"),
        writes=False,
        games=_MAGIC,
    ),
    App(
        "mtgssm",
        "mtg-ssm",
        _columns("set>set_code,name>name,number>number,scryfall_id>scryfall,nonfoil>copies,foil>foil_copies"),
        ("set", "name", "nonfoil", "foil"),
        writes=False,
        games=_MAGIC,
    ),
    App(
        "dreamborn",
        "Dreamborn",
        _columns(
            "Normal>copies,Foil>foil_copies,Name>name,Set>set,Card Number>number,Color,Rarity>rarity,Price,Foil Price"
        ),
        ("Normal", "Foil", "Name", "Card Number"),
        writes=False,
    ),
    App(
        "riftbound",
        "a Riftbound collection",
        _columns("CardId>number,Normal>copies,Foil>foil_copies,Name>name,Set>set"),
        ("CardId", "Normal", "Foil", "Name"),
        writes=False,
    ),
)
"""In the order in which `APPS` has them."""
