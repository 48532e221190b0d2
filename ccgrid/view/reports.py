"""Summaries on a terminal: imports, checks, scores, ratings and simulations."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

from ccgrid.catalog.card import Card, short_reason
from ccgrid.catalog.formatting import amount, counted
from ccgrid.catalog.zones import PLACE_NAMES, ZONE_LETTERS, ZONES
from ccgrid.view.output import Drawing, OutputColumn, console, is_on_terminal, printable, remark, show, show_table
from ccgrid.view.text import share, third_person

if TYPE_CHECKING:
    from ccgrid.catalog.card_answers import DeckCheck
    from ccgrid.catalog.store.imports import ImportSummary
    from ccgrid.catalog.store.statistics import CatalogueStats
    from ccgrid.engine.game import Outcome
    from ccgrid.engine.insight.glicko import Rating
    from ccgrid.engine.many.tally import SimulatedMatches, SimulationResult
    from ccgrid.engine.records.match import Standing
    from ccgrid.engine.records.record import CheckedRecord
    from ccgrid.services.doctor import CatalogueHealth, Examination, FileLocation
    from ccgrid.services.progress import ProgressReport

_GOOD: Final = "bold green"
_BAD: Final = "bold red"


def verdict_line(word: str, rest: str, *, good: bool) -> Drawing:
    """Return a line that begins with a coloured word; the rest may be untrusted text."""
    return Drawing((((word, _GOOD if good else _BAD), (printable(rest), "")),))


_WIDE_ENOUGH: Final = 76
"""On a narrower terminal the columns of zones have abbreviated headings, such as `tl`."""

_IMPORT_AMOUNTS: Final = ("read", "added", "changed", "unchanged", "removed", "skipped", "legal")


def show_import(summary: "ImportSummary", *, dry_run: bool = False) -> None:
    """Print how many cards an import read, changed and skipped, and how many are legal."""
    version = f" ({summary.version})" if summary.version else ""
    what = f"{summary.source}{version}"
    if dry_run:
        show(f"Nothing changed. An import of {what} would do this:", "")
    else:
        show(f"Imported {what} in {summary.seconds:.1f} s.", "")
    barred = summary.barred
    amounts = [(key, getattr(summary, key)) for key in _IMPORT_AMOUNTS]
    show_table([OutputColumn(""), OutputColumn("cards", "right")], [*amounts, ("not legal", sum(barred.values()))])
    _show_barred(barred)


def show_import_remarks(summary: "ImportSummary") -> None:
    """Print to standard error the guesses, the reasons for skipped rows, and how to add missing numbers."""
    for sentence in (*summary.remarks, *skipped_in_words(summary.reasons)):
        remark(sentence)
    if 2 * (lacking := summary.barred.get("no-number", 0)) > summary.read - summary.skipped > 0:
        remark(
            f"The data have no number for {counted(lacking, 'card')}. To add numbers: ccgrid scan, or ccgrid card edit"
        )


def skipped_in_words(reasons: Mapping[str, tuple[str, int]]) -> Iterator[str]:
    """Yield a line for each reason for skipped rows, the most frequent first."""
    for why, (where, count) in sorted(reasons.items(), key=lambda reason: -reason[1][1]):
        rows = where if count == 1 else f"{count:,} rows, the first {where}"
        yield f"Skipped {rows}: {why}"


def show_catalogue_stats(stats: "CatalogueStats") -> None:
    """Print the numbers of cards and of legal cards, by game, reason and zone."""
    show(f"{counted(stats.cards, 'card')}, {stats.legal:,} of them legal.")
    games = stats.games
    if not games:
        return
    show("")
    show_table(
        [
            OutputColumn("game"),
            OutputColumn("cards", "right"),
            OutputColumn("legal", "right"),
            OutputColumn("not legal", "right"),
        ],
        [(game.game, game.cards, game.legal, sum(game.barred.values())) for game in games],
    )
    show("", "Legal cards with a number in each zone:", "")
    narrow = is_on_terminal() and console().width < _WIDE_ENOUGH
    headings = ZONE_LETTERS.values() if narrow else (PLACE_NAMES[zone] for zone in ZONES)
    show_table(
        [OutputColumn("game"), *(OutputColumn(heading, "right", wrap=True) for heading in headings)],
        [(game.game, *(cast("int", game.zones.get(zone, 0)) for zone in ZONES)) for game in games],
    )
    for game in games:
        _show_barred(game.barred, game.game)


def _show_barred(barred: Mapping[str, int], game: str | None = None) -> None:
    """Show the reasons why cards are not legal, the most frequent first."""
    if not barred:
        return
    show("", "Not legal:" if game is None else f"Not legal, {game}:", "")
    frequent = sorted(barred.items(), key=lambda item: (-item[1], item[0]))
    show_table(
        [OutputColumn("cards", "right"), OutputColumn("why", wrap=True)],
        [(number, short_reason(why)) for why, number in frequent],
    )


def show_deck_check(result: "DeckCheck") -> None:
    """Show whether a deck is legal, and otherwise all its problems."""
    cards, problems = counted(result.cards, "card"), result.problems
    if result.ok:
        show(verdict_line("Legal", f": a deck of {cards}.", good=True))
        return
    problem_count = counted(len(problems), "problem")
    show(verdict_line("Not legal", f": a deck of {cards} with {problem_count}.", good=False), "")
    show_table(
        [OutputColumn("card", wrap=True), OutputColumn("problem", wrap=True)],
        [(problem.card, short_reason(problem.reason)) for problem in problems],
    )


def show_validity(result: "CheckedRecord", standing: "Standing | None" = None) -> None:
    """Show whether a record is valid (`validate --json`), and otherwise its error."""
    error = result.error
    if error is None:
        is_over = result.outcome is not None
        ended = "over" if is_over else f"{result.resigned} resigned" if result.resigned else "not over yet"
        place = f", game {_number_in_match(standing)} of a match" if standing else ""
        extent = f"{counted(result.moves, 'move')}, {ended}" if result.moves or not is_over else "final result only"
        show(verdict_line("Valid", f": {result.file}: {result.game}{place}, {extent}.", good=True))
        return
    show(verdict_line("Not valid", f": {result.file}", good=False))
    where = f"{error.where}: " if error.where else ""
    show(f"  {where}{error.message}")


def show_score(result: "CheckedRecord", standing: "Standing | None" = None) -> None:
    """Show the scores of a game (`score --json`), the best first, and the winner."""
    show_validity(result, standing)
    if result.error is not None:
        return
    show("")
    if result.piles:
        _show_piles(result.piles)
    show_points(result.scores, result.winner)
    if result.winner is None and result.outcome is not None:
        show("", "A draw.")
    if standing:
        _show_standing(standing)


def _show_piles(piles: Mapping[str, Sequence[Card]]) -> None:
    """Show each player's cards, with the ids of cards that were looked up."""
    rows = [(player, card.name, card.score, card.id or None) for player, pile in piles.items() for card in pile]
    if rows:
        show_table(
            [
                OutputColumn("player", wrap=True),
                OutputColumn("card", wrap=True),
                OutputColumn("score", "right"),
                OutputColumn("id", whole=True),
            ],
            rows,
        )
        show("")


def _show_standing(standing: "Standing") -> None:
    """Show the standing of a match after one of its games, or its result."""
    totals, winner = standing.totals, standing.winner
    if not totals:
        show("", "The standing of the match is unknown: its earlier games were not given.")
    elif standing.outcome is not None:
        show("", f"The match, in {standing.game.counts}:", "")
        show_points(totals, winner)
        if winner is None:
            show("", "A draw.")
    else:
        show_match([*totals], [*totals.values()], adds_points=standing.game.counts == "points")


def _number_in_match(standing: "Standing") -> str:
    game = standing.game
    return f"{game.number} of {game.of}" if game.of else f"{game.number}"


def show_points(scores: Mapping[str, int], winner: str | None) -> None:
    """Show each player's points, the best first, and the winner."""
    best_first = sorted(scores.items(), key=lambda item: -item[1])
    rows = [(player, score, "winner" if player == winner else None) for player, score in best_first]
    show_table([OutputColumn("player", wrap=True), OutputColumn("score", "right"), OutputColumn("")], rows)


def show_end(players: Sequence[str], outcome: "Outcome", what: str = "game") -> None:
    """Show the end of a game or match: the reason, each player's points, and the winner."""
    winner = None if outcome.winner is None else players[outcome.winner]
    show(f"The {what} is over: {outcome.reason}.", "")
    show_points(dict(zip(players, outcome.scores, strict=True)), winner)
    show("", "A draw." if winner is None else f"{third_person(winner, 'wins')}.")


def rating_line(player: str, game: str, old: "Rating", new: "Rating") -> str:
    """Return the change of a player's rating by a game."""
    from ccgrid.view.pictures import player_name

    change = round(new.rating) - round(old.rating)
    name = player_name(player)
    return f"Rating of {name} in {game}: {new.rating:.0f} ± {2 * new.deviation:.0f} ({change:+d}). See: ccgrid progress"


def show_progress(standings: "ProgressReport") -> None:
    """Show the ratings of players in every game, and the number of puzzles that return (`progress --json`)."""
    from ccgrid.view.pictures import player_name

    rows = [
        (
            game,
            player_name(one.name),
            f"{one.rating:.0f} ± {2 * one.deviation:.0f}",
            one.won,
            one.drawn,
            one.lost,
        )
        for game, players in standings.ratings.items()
        for one in players
    ]
    if rows:
        columns = [OutputColumn("game"), OutputColumn("player", wrap=True), OutputColumn("rating", "right")]
        show_table([*columns, *(OutputColumn(word, "right") for word in ("won", "drawn", "lost"))], rows)
        show("", "Ratings are Glicko-2 and start at 1500; ± is the 95 % interval.")
    else:
        show("No rated games yet. To play one: ccgrid play --players You,fair")
    if standings.puzzles:
        show(f"Puzzles of your games: {standings.puzzles} answered, {standings.due} of them due again.")


def show_match(players: Sequence[str], scores: Sequence[int], *, adds_points: bool) -> None:
    """Show the standing of a match between two of its games."""
    standing = ", ".join(f"{player} {score}" for player, score in zip(players, scores, strict=True))
    show("", f"The match so far, in {'points' if adds_points else 'games'}: {standing}.")


def show_simulation(result: "SimulationResult") -> None:
    """Show each player's wins and mean score, and figures of all games (`simulate --json`)."""
    games = result.games
    has_factions = any(player.faction for player in result.players)
    show(f"{counted(games, 'game')} of {result.game}, seed {result.seed}.", "")
    show_table(
        [
            OutputColumn("player", wrap=True),
            *([OutputColumn("faction", wrap=True)] if has_factions else []),
            OutputColumn("policy", spare=1),
            OutputColumn("wins", "right"),
            OutputColumn("share", "right"),
            OutputColumn("draws", "right", spare=2),
            OutputColumn("mean score", "right", wrap=True),
        ],
        [
            (
                player.name,
                *([str(player.faction)] if has_factions else []),
                player.policy,
                player.wins,
                share(player.wins, games),
                player.draws,
                f"{player.mean_score:.2f}",
            )
            for player in result.players
        ],
    )
    first, draws = share(result.first_player_wins, games), share(result.draws, games)
    show(
        "",
        f"The first player won {first}, {draws} were draws.",
        f"A game took {result.mean_moves:.1f} moves; {result.games_per_second:,.0f} games a second.",
    )
    if result.match:
        _show_matches(result.match)


def _show_matches(match: "SimulatedMatches") -> None:
    """Show each player's won matches and mean points or games."""
    by_points = match.counts == "points"
    kind = f"{match.length} games" if by_points else f"at most {counted(match.length or 0, 'game')}"
    show(
        "",
        f"{counted(match.matches, 'match', 'matches')} of {kind}, {share(match.draws, match.matches)} draws.",
        "",
    )
    show_table(
        [
            OutputColumn("player", wrap=True),
            OutputColumn("matches won", "right", wrap=True),
            OutputColumn("share", "right"),
            OutputColumn(f"mean {match.counts}", "right", wrap=True),
        ],
        [
            (player.name, player.wins, share(player.wins, match.matches), f"{player.mean_score:.2f}")
            for player in match.players
        ],
    )


_PLACES: Final = {
    "games": "games left",
    "layouts": "own layouts",
    "sources": "own sources",
    "compiled": "compiled play",
}


def show_examination(found: "Examination") -> None:
    """Print versions, the locations of files, the state of the catalogue, and each finding."""
    versions = found.versions
    extras = [f"{name} {'installed' if there else 'not installed'}" for name, there in found.extras.items()]
    show(
        f"ccgrid {versions['ccgrid']}, Python {versions['python']}, SQLite {versions['sqlite']}, {versions['system']}",
        f"Extras: {', '.join(extras)}",
        "",
    )
    show(*(line for place in found.places for line in _place_lines(place)))
    show("", _catalogue(found.catalogue), "")
    findings = found.findings
    serious = sum(finding.serious for finding in findings)
    if serious:
        show(verdict_line("Not OK", f": {counted(serious, 'problem')} to fix.", good=False))
    else:
        remarks = f", with {counted(len(findings), 'remark')}" if findings else ""
        show(verdict_line("All good", f"{remarks}.", good=True))
    for finding in findings:
        show("", f"{'! ' if finding.serious else '- '}{finding.message}", f"  {finding.mend}")


def _catalogue(found: "CatalogueHealth | None") -> str:
    """Return the state of the catalogue in a line."""
    if found is None:
        return "Catalogue: none yet."
    # Counts that could not be read are unset.
    cards, games, copies = (one if isinstance(one, int) else None for one in (found.cards, found.games, found.copies))
    state = "undamaged" if found.whole else "cannot be read" if cards is None else "damaged"
    contents = "" if cards is None else f"; {counted(cards, 'card')} of {counted(games or 0, 'game')}"
    owned = f", {counted(copies, 'copy', 'copies')} owned" if copies else ""
    return f"Catalogue: {state}{contents}{owned}."


def _place_lines(place: "FileLocation") -> Iterator[str]:
    """Yield a location in two lines: its purpose, and its path, alone in its line so that it can be copied."""
    lines = [
        "" if place.exists else "not there yet",
        amount(place.bytes) if place.exists and place.bytes is not None else "",
        f"{amount(place.free)} free" if place.bytes is not None and place.free is not None else "",
        f"named by {place.said_by}" if place.said_by else "",
    ]
    beside = ", ".join(filter(None, lines))
    yield f"{_PLACES.get(place.what, place.what)}{f' ({beside})' if beside else ''}"
    yield f"  {place.path}"
