"""Progress reports as running totals."""

from collections.abc import Callable


def running_total(report: Callable[[int, int], object], total: int) -> Callable[[int], None]:
    """Return a function that takes numbers of newly finished games and reports all finished games, at most `total`.

    >>> report = running_total(lambda done, total: print(f"{done} of {total}"), 5)
    >>> report(2)
    2 of 5
    >>> report(4)
    5 of 5
    """
    done = 0

    def add(count: int) -> None:
        nonlocal done
        done += count
        report(min(done, total), total)

    return add
