"""What a game teaches, with the figures that come with the program or ones measured anew with somebody's own cards."""

from collections.abc import Callable
from pathlib import Path

from ccgrid.services.dealing import dealt_with
from engine.games import find_game
from engine.insight.learning import find_lessons, kept_figures, measure
from engine.insight.lesson import Figure, Told


def title(game: str) -> str:
    """What people read as the name of the game; raises UnknownNameError where there is none."""
    return find_game(game).title


def lessons_kept(game: str) -> list[Told]:
    """What a game teaches, with the figures that come with the program; raises EngineError where there are none."""
    lessons, kept = find_lessons(game), kept_figures(game)
    return [Told(lesson, kept[lesson.name], lesson.experiment.games) for lesson in lessons]


def games_to_play(game: str, games: int | None) -> int:
    """How many games all experiments of a game take together, with so many for each or as many as for the page."""
    return sum(games or lesson.experiment.games for lesson in find_lessons(game))


def lessons_measured(
    game: str,
    games: int | None,
    seed: int,
    *,
    card_games: tuple[str, ...],
    database: Path | None,
    progress: Callable[[int], object],
    remark: Callable[[str], None],
) -> list[Told]:
    """The same with figures of games that are played now.

    Args:
        game: the game that teaches.
        games: how many games for each lesson, at least two; as many as for the page when not given.
        seed: what all dice follow from.
        card_games: the card games that decks are drawn from; all when none is given.
        database: the catalogue; the usual one when not given.
        progress: is told after each game that one more is done.
        remark: is told once that bundled cards are taken.

    Raises:
        CatalogError: no deck can be drawn.
        EngineError: nothing was measured of the game.
    """
    found = []
    told: set[str] = set()

    def once(line: str) -> None:
        if line not in told:
            told.add(line)
            remark(line)

    for lesson in find_lessons(game):
        experiment = lesson.experiment
        source = dealt_with(game, len(experiment.players), card_games=card_games, database=database, remark=once).source
        figures = measure(game, experiment, source, seed, games, progress)
        missing = {
            word: Figure(0.0, 0.0) for word in lesson.figures_told() if word not in figures
        }  # of what never happened in few games
        figures |= missing
        doubts = [*(f"{word} was never seen" for word in missing), *lesson.doubts(figures)]
        found.append(Told(lesson, figures, games or experiment.games, tuple(doubts)))
    return found
