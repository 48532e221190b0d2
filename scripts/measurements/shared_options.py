"""The options that measurements share: a parser whose help is the script's own description, unchanged."""

from argparse import ArgumentParser, RawDescriptionHelpFormatter


def options(
    description: str | None, *, player: str | None = None, games: tuple[int | None, str] | None = None
) -> ArgumentParser:
    """Return a parser with `--seed`.

    Args:
        player: The default of `--player`; None if no player can be chosen.
        games: The default of `--games` and its help; None if no number of games can be chosen.
    """
    parser = ArgumentParser(description=description, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="decides everything random (default: %(default)s)")
    if player is not None:
        parser.add_argument("--player", default=player, help="who plays (default: %(default)s)")
    if games is not None:
        parser.add_argument("--games", dest="count", metavar="N", type=int, default=games[0], help=games[1])
    return parser
