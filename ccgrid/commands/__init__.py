"""The commands: modules that translate options, call a service or the catalogue, and pass the result to a view.

Each module defines `app`, a `CommandModule`. The table below lists all commands, so that a module is imported only
when one of its commands is called.
"""

from typing import Final, NamedTuple


class CommandEntry(NamedTuple):
    """A command in the table.

    Attributes:
        words: the words that call it, such as `deck new`, or the name of a group.
        module: its module in this package; "" for a group.
        line: the first sentence of its help.
    """

    words: str
    module: str
    line: str


COMMANDS: Final[tuple[CommandEntry, ...]] = (
    CommandEntry("import", "imports", "Import the cards of a game, from a public source or a file."),
    CommandEntry("sources", "upkeep", "List the sources of cards, and what is imported from each."),
    CommandEntry("search", "cards", "Find cards by name, also misspelt, or by a query."),
    CommandEntry("show", "cards", "Draw one card and explain its numbers."),
    CommandEntry("stats", "cards", "Count the cards that are legal and not legal, or by a field."),
    CommandEntry("export", "cards", "Print the cards as JSON Lines or CSV, or write them as Parquet."),
    CommandEntry("card", "", "Enter or correct a card by hand."),
    CommandEntry("card add", "custom_cards", "Enter a card; at a terminal, without options, it asks."),
    CommandEntry("card edit", "custom_cards", "Change the given fields of a card; keep the rest."),
    CommandEntry("card list", "custom_cards", "List the cards entered or corrected by hand."),
    CommandEntry("card remove", "custom_cards", "Remove a card entered by hand, or revert a correction."),
    CommandEntry("scan", "scan", "Read the names and numbers of cards from photos."),
    CommandEntry("history", "upkeep", "List all changes: imports, and changes to cards, layouts and the collection."),
    CommandEntry("undo", "upkeep", "Undo the last change (asks first)."),
    CommandEntry("redo", "upkeep", "Redo the last undone change."),
    CommandEntry("layout", "", "Describe where a game prints its numbers."),
    CommandEntry("layout check", "imports", "Check a layout, and show what it reads from data."),
    CommandEntry("layout new", "imports", "Start a layout from the fields of a data file."),
    CommandEntry("collection", "", "Manage your collection: the cards you own, and their boxes."),
    CommandEntry("collection import", "collection", "Import a file that another app exported."),
    CommandEntry("collection add", "collection", "Add one card, or many in a session or from a pipe."),
    CommandEntry("collection remove", "collection", "Remove copies of a card."),
    CommandEntry("collection list", "collection", "List the cards you own."),
    CommandEntry("collection edit", "collection", "Change finish, place, note and other details of cards."),
    CommandEntry("collection export", "collection", "Export the collection for another app; report what is lost."),
    CommandEntry(
        "collection doubts",
        "collection",
        "List the imported rows without a certain match, for which nothing was added.",
    ),
    CommandEntry("collection boxes", "boxes", "List your boxes and count the cards in each."),
    CommandEntry("collection rename-box", "boxes", "Rename a box."),
    CommandEntry("collection empty-box", "boxes", "Take all cards out of a box; you still own them."),
    CommandEntry("collection remove-box", "boxes", "Remove a box and all cards in it."),
    CommandEntry("collection audit", "boxes", "Check a box pocket by pocket."),
    CommandEntry("collection where", "boxes", "Show which boxes hold a card, in any printing."),
    CommandEntry("collection move", "boxes", "Move cards to another box, row or slot."),
    CommandEntry("collection pull", "boxes", "List where to find the cards of a deck, box by box."),
    CommandEntry("collection put-back", "boxes", "List where the cards of a deck belong."),
    CommandEntry("collection out", "boxes", "List the decks that are out, card by card."),
    CommandEntry("collection sets", "wanted", "Show how much of each set you own, and what is missing."),
    CommandEntry("collection wants", "wanted", "List the cards you need for decks, want lists and sets."),
    CommandEntry("collection spares", "wanted", "List the copies you can spare."),
    CommandEntry(
        "collection trade",
        "wanted",
        "Compare your spares with someone's list: what could you trade?",
    ),
    CommandEntry(
        "collection stats", "boxes", "Count your cards by game and zone and the decks they make, or copies by a field."
    ),
    CommandEntry("collection verify", "boxes", "Check your cards against their sources."),
    CommandEntry("deck", "", "Create, check, edit and rate decks."),
    CommandEntry("deck new", "new_decks", "Draw a random legal deck, or search for one that plays well."),
    CommandEntry("deck check", "decks", "Check whether a deck is legal, and list everything wrong."),
    CommandEntry("deck show", "decks", "Show a deck, card by card."),
    CommandEntry("deck edit", "decks", "Swap, add or remove cards, and re-check the deck."),
    CommandEntry("deck rate", "decks", "Measure how a deck plays: do its numbers meet?"),
    CommandEntry("faction", "", "Look at the ready-made decks of a game."),
    CommandEntry("faction list", "factions", "List the bundled factions."),
    CommandEntry("faction show", "factions", "Show the cards of a faction."),
    CommandEntry("faction check", "factions", "Check a faction file, and list everything wrong."),
    CommandEntry("play", "play", "Play at the keyboard, against people or the computer."),
    CommandEntry("progress", "play", "Show the ratings of players and computer levels."),
    CommandEntry("serve", "serve", "Play on phones and in browsers, each player on their own device."),
    CommandEntry("table", "table", "Referee a game played with real cards."),
    CommandEntry("simulate", "simulate", "Play many games between computer players and count."),
    CommandEntry("arena", "simulate", "Find out which player, deck, faction or rule is better."),
    CommandEntry("workers", "simulate", "Lend this machine's cores to a Dask cluster, until Ctrl-C."),
    CommandEntry("rules", "play", "Print the rules of a game."),
    CommandEntry("learn", "play", "Show what wins at a game, and the experiments behind it."),
    CommandEntry("validate", "records", "Check whether games were played by the rules."),
    CommandEntry("score", "records", "Check games and count their scores."),
    CommandEntry("replay", "records", "Step through a game, move by move."),
    CommandEntry("doctor", "upkeep", "Show where everything is, and what needs fixing."),
    CommandEntry("backup", "upkeep", "Save the catalogue, decks, games and settings in one file."),
    CommandEntry("restore", "upkeep", "Restore everything from a backup."),
    CommandEntry("config", "upkeep", "Show and change your default settings."),
    CommandEntry("browse", "serve", "Show the catalogue and the collection in a browser, read-only, until Ctrl-C."),
    CommandEntry("sheet", "share", "Print a deck: list, cut-out cards, board, score sheet, rules."),
    CommandEntry("page", "share", "Make a web page that replays a game."),
    CommandEntry("code", "share", "Print a game or a deck as one line, to send in a message."),
    CommandEntry("solve", "records", "Prove what a position is worth when all cards are known."),
    CommandEntry("advise", "records", "Rank the legal moves by their value."),
    CommandEntry("analyze", "records", "Review a game: the best moves, and what mistakes cost."),
    CommandEntry("engine", "play", "Choose moves for another program, line by line."),
    CommandEntry("puzzle", "table", "Find the one best move of a position; it is proved and explained."),
    CommandEntry("new-game", "new_game", "Write a package with a new game, to be changed and installed."),
    CommandEntry("demo", "upkeep", "Show everything once, offline: card, deck, game and score."),
)
"""All commands in the order of the help page; a group precedes its commands."""

PANELS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "ccgrid": {
        "Cards": ("import", "sources", "search", "show", "scan", "card", "stats", "export", "layout"),
        "Collection": ("collection",),
        "Decks": ("deck", "faction"),
        "Play": ("play", "serve", "table", "rules", "learn", "progress", "demo"),
        "Insight": ("puzzle", "advise", "solve", "analyze", "simulate", "arena"),
        "Share": ("score", "validate", "replay", "sheet", "page", "code", "browse"),
        "Upkeep": ("undo", "redo", "history", "backup", "restore", "config", "doctor"),
        "For programmers": ("engine", "workers", "new-game"),
    },
    "collection": {
        "Copies": ("add", "list", "where", "edit", "move", "remove", "stats"),
        "Files": ("import", "doubts", "export", "verify"),
        "Trade": ("sets", "wants", "spares", "trade"),
        "Boxes": ("boxes", "audit", "rename-box", "empty-box", "remove-box"),
        "Decks": ("pull", "put-back", "out"),
    },
}
"""The headings of large groups in help pages, with their commands in order of use."""

EVERYDAY: Final = (
    *("demo", "import", "search", "show", "collection", "scan", "deck"),
    *("play", "serve", "table", "rules", "simulate", "undo", "doctor"),
)
"""The commands on the short help page, which fits on a screen."""

CONVERSATIONS: Final = frozenset(
    (
        *("card add", "collection add", "collection audit", "deck edit", "layout new", "scan"),
        *("play", "table", "puzzle", "replay", "demo", "serve", "browse", "engine", "workers"),
    )
)
"""The commands that print while the user reads or types; the output of all others goes through the pager."""

SYNONYMS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("create", "make", "build", "draw", "generate", "random", "new"), ("new", "add", "deck new")),
    **dict.fromkeys(("delete", "rm", "del", "remove"), ("remove", "collection remove", "edit")),
    **dict.fromkeys(("ls", "all", "list"), ("list", "collection list", "show")),
    **dict.fromkeys(("add", "enter"), ("add", "collection add", "edit")),
    **dict.fromkeys(("change", "modify", "swap", "rename"), ("edit", "collection edit")),
    **dict.fromkeys(("find", "lookup", "search"), ("search", "where")),
    **dict.fromkeys(("info", "view", "print", "display", "show", "open"), ("show", "list")),
    **dict.fromkeys(
        ("download", "fetch", "load", "update", "init", "install", "setup", "get"), ("import", "collection import")
    ),
    **dict.fromkeys(("start", "begin", "game", "games", "resume", "continue"), ("play",)),
    **dict.fromkeys(("phone", "phones", "web", "host", "lan", "online", "multiplayer"), ("serve",)),
    **dict.fromkeys(("settings", "set", "configure", "preferences", "options"), ("config",)),
    **dict.fromkeys(("verify", "test", "check", "validate"), ("check", "deck check", "validate")),
    **dict.fromkeys(("evaluate", "analyse", "analyze", "review"), ("rate", "analyze")),
    **dict.fromkeys(("count", "total"), ("stats",)),
    **dict.fromkeys(("photo", "camera", "picture", "ocr"), ("scan",)),
    **dict.fromkeys(("teach", "tutorial"), ("learn",)),
    **dict.fromkeys(("status", "about", "version"), ("doctor",)),
    **dict.fromkeys(("own", "owned", "inventory"), ("collection",)),
    **dict.fromkeys(("wishlist", "missing"), ("wants", "collection wants")),
    "duplicates": ("spares", "collection spares"),
    "hint": ("advise",),
    "instructions": ("rules",),
    "log": ("history",),
    "save": ("backup",),
    "watch": ("replay",),
    "cards": ("search",),
    "decks": ("deck",),
    "box": ("boxes", "collection boxes"),
    **dict.fromkeys(("card show", "card view", "card info"), ("show",)),
    **dict.fromkeys(("deck open", "deck load", "deck import"), ("show",)),
    **dict.fromkeys(("deck stats", "deck score", "deck simulate"), ("rate",)),
    **dict.fromkeys(("layout show", "layout view", "layout edit"), ("check",)),
    **dict.fromkeys(("deck save", "deck export", "faction add", "layout list", "layout remove"), ()),
}
"""Other words for commands, alone or after a group, with the commands that they may mean.

The first one in the group is suggested there, or else the first outside of groups.
"""
