"""The commands: modules that translate arguments, make one call of a service, and hand the result to a view.

Each module holds `app`, a `typer.Typer` with commands. They are listed here, so that the program can name them all
without importing them; a module is imported when one of its commands is called.
"""

from typing import Final, NamedTuple


class CommandEntry(NamedTuple):
    """A command as the table lists it.

    Attributes:
        words: what people type: `search`, `deck new`; or of a group of commands its name.
        module: the module of this package that holds it; empty for a group.
        line: what it does, as lists of commands say it: the first sentence of its help.
    """

    words: str
    module: str
    line: str


COMMANDS: Final[tuple[CommandEntry, ...]] = (
    CommandEntry("import", "imports", "Bring the cards of a public source, or of a file, in."),
    CommandEntry("sources", "upkeep", "List every source: what it is, cards held, date of its data."),
    CommandEntry("search", "cards", "Find cards by name, tolerant of misspelling, or by a query."),
    CommandEntry("show", "cards", "Draw one card, and explain each of its numbers."),
    CommandEntry("stats", "cards", "Count the cards held, legal and barred by reason, by game."),
    CommandEntry("export", "cards", "Print the cards as JSON Lines or CSV."),
    CommandEntry("card", "", "Enter a card that no source has, by its numbers."),
    CommandEntry("card add", "cards", "Enter a card; without options, by answers, at a terminal."),
    CommandEntry("card edit", "cards", "Change what is given of a card, keep the rest."),
    CommandEntry("card list", "cards", "List the cards that were entered or corrected by hand."),
    CommandEntry("card remove", "cards", "Take a card out that was entered by hand, or back what was corrected."),
    CommandEntry("scan", "scan", "Read the numbers, zones and names of cards on pictures."),
    CommandEntry("history", "upkeep", "List what was done: imports, and changes to cards, layouts and the collection."),
    CommandEntry("undo", "upkeep", "Take back what you did last, whatever it was, after a question."),
    CommandEntry("redo", "upkeep", "Do again what was taken back last, but for an import."),
    CommandEntry("layout", "", "Say where a game prints its numbers."),
    CommandEntry("layout check", "imports", "Say whether a layout is right, and what it reads from data."),
    CommandEntry("layout new", "imports", "Begin a layout from a data file's fields."),
    CommandEntry("collection", "", "Know which cards you own, and in which box they are."),
    CommandEntry("collection import", "collection", "Bring in the cards of a file that another app exported."),
    CommandEntry("collection add", "collection", "Add a card, or many in a session or from a pipe."),
    CommandEntry("collection remove", "collection", "Take copies of a card out of the collection."),
    CommandEntry("collection list", "collection", "List the cards you own."),
    CommandEntry("collection edit", "collection", "Change finish, condition, language, note or place of what you own."),
    CommandEntry("collection export", "collection", "Write the collection as other apps read it; say what is lost."),
    CommandEntry("collection doubts", "collection", "List the rows of files that were not matched for certain."),
    CommandEntry("collection undo", "collection", "Take the last change to the collection back."),
    CommandEntry("collection redo", "collection", "Do again what was taken back last."),
    CommandEntry("collection history", "collection", "List what was done to the collection, the last thing last."),
    CommandEntry("collection boxes", "boxes", "List your boxes and count what is in them."),
    CommandEntry("collection rename-box", "boxes", "Give a box another name."),
    CommandEntry("collection empty-box", "boxes", "Take all cards out of a box; you still own them."),
    CommandEntry("collection remove-box", "boxes", "Take a box out of the collection, with all cards in it."),
    CommandEntry("collection audit", "boxes", "Walk through a box, pocket by pocket: is everything there?"),
    CommandEntry("collection where", "boxes", "Say in which boxes a card is, whatever the printing."),
    CommandEntry("collection move", "boxes", "Note that cards are in another box now, or elsewhere in theirs."),
    CommandEntry("collection pull", "boxes", "List where the cards of a deck are, box by box."),
    CommandEntry("collection put-back", "boxes", "List where the cards of a deck that is out belong."),
    CommandEntry("collection out", "boxes", "List the decks that are out, card by card."),
    CommandEntry("collection sets", "wanted", "Say how much of each set you own, and what is missing."),
    CommandEntry("collection wants", "wanted", "List what decks, want lists and sets ask for and you do not own."),
    CommandEntry("collection spares", "wanted", "List the copies that you have beyond those you keep."),
    CommandEntry(
        "collection trade",
        "wanted",
        "Compare your spares with somebody's file: what could you give, and what could they?",
    ),
    CommandEntry("collection stats", "boxes", "Count what you own, by game and zone, and the decks it makes."),
    CommandEntry("collection verify", "boxes", "Ask which of your cards changed in their sources, or are gone."),
    CommandEntry("deck", "", "Draw, check and look at decks."),
    CommandEntry("deck new", "decks", "Draw a random legal deck, or search for one that plays well."),
    CommandEntry("deck check", "decks", "Say whether a deck is legal, or everything wrong with it."),
    CommandEntry("deck show", "decks", "Draw a deck, card by card."),
    CommandEntry("deck edit", "decks", "Change a deck: swap, add or take out cards; and is it still legal?"),
    CommandEntry("deck rate", "decks", "Tell how a deck plays: do its numbers meet, and are there choices."),
    CommandEntry("faction", "", "The ready-made decks of games that have some."),
    CommandEntry("faction list", "factions", "List the factions that come with the program."),
    CommandEntry("faction show", "factions", "Draw a faction's cards."),
    CommandEntry("faction check", "factions", "Say everything that is wrong with a faction file."),
    CommandEntry("play", "play", "Play at this keyboard, against other people or the computer."),
    CommandEntry("progress", "play", "Show the ratings of who played here, and of the levels."),
    CommandEntry("table", "table", "Referee a game that is played with real cards."),
    CommandEntry("simulate", "simulate", "Let computer players play many games, and count."),
    CommandEntry("arena", "simulate", "Tell which player, deck, faction or house rule is better."),
    CommandEntry("workers", "simulate", "Play for a Dask cluster with the cores of this machine, until Ctrl-C."),
    CommandEntry("rules", "play", "Print the rules of a game as this program plays it."),
    CommandEntry("learn", "play", "Tell what wins at a game, and the experiments that show it."),
    CommandEntry("validate", "records", "Check whether games were played by the rules."),
    CommandEntry("score", "records", "Check games and count their scores."),
    CommandEntry("replay", "records", "Step through a game, the board drawn after every move."),
    CommandEntry("doctor", "upkeep", "Say where everything is, whether it is sound, and what to do."),
    CommandEntry("browse", "browse", "Show the catalogue and the collection in a browser, read-only, until Ctrl-C."),
    CommandEntry("sheet", "pages", "Make what one takes to the table, to be printed."),
    CommandEntry("page", "pages", "Make a page for a phone or a browser: the table for a deck, the replay of a game."),
    CommandEntry("code", "codes", "Print a game or a deck as one line, to be sent in a message."),
    CommandEntry("solve", "solving", "Prove what a position is worth with everything known."),
    CommandEntry("advise", "solving", "Say what every legal move is worth, the best first."),
    CommandEntry("analyze", "solving", "Look at a game move by move: what was best, what mistakes cost."),
    CommandEntry("engine", "protocol", "Answer another program's questions for moves, in lines."),
    CommandEntry("puzzle", "table", "Find the one best move of a position, proved, and be told why."),
    CommandEntry("demo", "upkeep", "Show everything once, offline: card, deck, game and score."),
)
"""Every command in the order in which help lists them; a group stands before its commands."""

PANELS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "ccgrid": {
        "Cards": ("import", "sources", "search", "show", "scan", "card", "stats", "export", "layout"),
        "Collection": ("collection",),
        "Decks": ("deck", "faction"),
        "Play": ("play", "table", "rules", "learn", "progress", "demo"),
        "Insight": ("puzzle", "advise", "solve", "analyze", "simulate", "arena", "engine", "workers"),
        "Share": ("score", "validate", "replay", "sheet", "page", "code", "browse"),
        "Upkeep": ("undo", "redo", "history", "doctor"),
    },
    "collection": {
        "Copies": ("add", "list", "where", "edit", "move", "remove", "stats"),
        "Files": ("import", "doubts", "export", "verify"),
        "Trade": ("sets", "wants", "spares", "trade"),
        "Boxes": ("boxes", "audit", "rename-box", "empty-box", "remove-box"),
        "Decks": ("pull", "put-back", "out"),
        "Changes": ("undo", "redo", "history"),
    },
}
"""Under which headings help lists the commands of a large group, those used most first."""
