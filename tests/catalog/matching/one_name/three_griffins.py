"""The cards of the tests on names in several games: three Griffins, and printings of Bolt."""

WYVERN, SPELLFIRE, ENTERED = "wyvern:hand/griffin", "spellfire:hand/griffin", "arcadia:hand/griffin"
GRIFFINS = {
    "wyvern": (WYVERN, "LIM", "12", 3),
    "spellfire": (SPELLFIRE, "3RD", "191", 7),
    "arcadia": (ENTERED, "", "", 4),
}
BOLTS = (("lea", "161", 1993, 1), ("m10", "146", 2009, 1), ("m11", "149", 2010, 1), ("prm", "7", 2012, 8))
