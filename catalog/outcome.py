"""Outcome of a command's writes to catalogues, for messages about a failure."""

from typing import Final


class CommitOutcome:
    """The number of transactions committed to catalogues since `begin`, and whether one was rolled back."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Forget earlier commands."""
        self.committed = 0
        self.last = ""
        self.is_rolled_back = False

    def commit(self, what: str) -> None:
        """Note a committed transaction; `what` describes it, such as `add 2 Griffin`."""
        self.committed += 1
        self.last = what

    def roll_back(self) -> None:
        """Note a transaction that was rolled back."""
        self.is_rolled_back = True

    def discard(self) -> None:
        """Note that the committed file was deleted, because there was no catalogue before."""
        self.begin()
        self.roll_back()

    def __str__(self) -> str:
        """Describe what the command changed, as a part of a sentence; return "" if it did not begin to write."""
        if self.committed > 1:
            return f"{self.committed:,} earlier changes were saved, the last: {self.last}"
        if self.committed:
            return f"this was done and saved before: {self.last}"
        return "nothing changed" if self.is_rolled_back else ""


OUTCOME: Final = CommitOutcome()
"""The outcome of the command that this process runs."""
