"""What can go wrong with cards, each in a message of one or two lines."""


class CatalogError(ValueError):
    """Something that could not be done with cards: one or two lines that say what is wrong and what to do."""


class WrongKindError(CatalogError):
    """Raised if a file is of another kind than the command reads."""


class NoSuchNameError(CatalogError):
    """Somebody named a game, source, format, layout or setting that there is not; the message says which there are."""


class NothingFoundError(CatalogError):
    """Nothing answers what was asked; the message says what may be meant."""


class NotConfirmedError(CatalogError):
    """Something that is done only where a person confirms it; the message says with which option."""
