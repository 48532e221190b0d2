"""Kinds of files that commands write."""

from enum import Enum


class OutputKind(Enum):
    """A kind of file that commands write: what it is called."""

    RECORD = "a record of games"
    DECK = "a deck"
    LAYOUT = "a layout"
    PAGE = "a page of ccgrid"
    PDF = "a PDF of ccgrid"
    CARDS = "a list of cards"
    PICTURE = "a picture of ccgrid"
    CORRECTIONS = "a table of corrections"
    LOSSES = "a table of what is lost"
    BACKUP = "a backup"


RECORD, DECK, LAYOUT, PAGE, PDF, CARDS, PICTURE, CORRECTIONS, LOSSES, BACKUP = OutputKind
