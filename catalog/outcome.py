"""Outcome of a command's writes to catalogues, for messages about a failure."""

from typing import Final


class CommitOutcome:
    """What was committed to catalogues since `begin`, and whether a unit of work was rolled back."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Forgets what earlier commands did."""
        self.committed = 0
        self.last = ""
        self.is_rolled_back = False

    def commit(self, what: str) -> None:
        """Notes a unit of work that is in the catalogue; `what` it did, such as `add 2 Griffin`."""
        self.committed += 1
        self.last = what

    def roll_back(self) -> None:
        """Notes a unit of work of which nothing is in the catalogue."""
        self.is_rolled_back = True

    def discard(self) -> None:
        """Notes that what was committed was in a file that is gone, as there was no catalogue before."""
        self.begin()
        self.roll_back()

    def __str__(self) -> str:
        """A part of a sentence on what the command changed; empty where it did not begin to write."""
        if self.committed > 1:
            return f"{self.committed:,} earlier changes were saved, the last: {self.last}"
        if self.committed:
            return f"this was done and saved before: {self.last}"
        return "nothing changed" if self.is_rolled_back else ""


OUTCOME: Final = CommitOutcome()
"""That of the command that this process carries out."""
