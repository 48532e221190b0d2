"""Reviews, comparisons and advice on a terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ccgrid.catalog.formatting import counted
from ccgrid.engine.game import State
from ccgrid.engine.search.proving import UNBOUNDED
from ccgrid.view.games import describe_move, only_end_counts
from ccgrid.view.output import OutputColumn, can_draw, printable, show, show_table
from ccgrid.view.pictures import picture_cells, player_name, say
from ccgrid.view.text import third_person

if TYPE_CHECKING:
    from ccgrid.engine.insight.analysis import Analysis, MoveAnalysis, Reason, Review
    from ccgrid.engine.many.arena import ArenaResult
    from ccgrid.engine.many.comparison import ComparedPlayer, ComparisonResult, SprtState
    from ccgrid.engine.search import Estimate, Proof, Thought


_MOST_SURE: Final = 0.999
"""The highest likelihood that is printed; a higher one is printed as above it, because games never make it certain."""

_MEASURES: Final = {
    "first_share": ("first player's share", 100, " %"),
    "draws": ("draws", 100, " %"),
    "mean_moves": ("moves a game", 1, ""),
    "mean_choices": ("legal moves a turn", 1, ""),
}
"""The measures that are compared between house rules: words, factor and unit."""


def _show_games(result: "ArenaResult | ComparisonResult") -> None:
    show(f"{counted(result.games, 'game')} of {result.game}, seed {result.seed}.", "")


def show_arena(result: "ArenaResult") -> None:
    """Show the standings of contestants."""
    _show_games(result)
    show_table(
        [
            OutputColumn("player", wrap=True),
            OutputColumn("games", "right", spare=1),
            OutputColumn("wins", "right", spare=1),
            OutputColumn("draws", "right", spare=2),
            OutputColumn("share of points", "right", wrap=True),
            OutputColumn("Elo", "right"),
            OutputColumn("95 % interval", wrap=True),
        ],
        [
            (
                player.name,
                player.games,
                player.wins,
                player.draws,
                f"{100 * player.share:.1f} ± {100 * player.stderr:.1f} %",
                _elo(player.elo),
                f"{_elo(player.elo_low)} to {_elo(player.elo_high)}",
            )
            for player in result.players
        ],
    )
    if len(result.meetings) > 1:
        _show_meetings(result)
    if result.los is not None:
        _show_better(result.players, result.los)
    if result.sprt is not None:
        _show_test(result.sprt)


def _show_better(players: Sequence["ComparedPlayer"], likelihood: float) -> None:
    if likelihood == 0.5:
        show("", "Both took the same share of points: neither is better as far as these games show.")
        return
    better, likelihood = (players[0], likelihood) if likelihood > 0.5 else (players[1], 1 - likelihood)
    above = "> " if likelihood > _MOST_SURE else ""
    show("", f"{better.name} is better (likelihood {above}{100 * min(likelihood, _MOST_SURE):.1f} %).")


def _show_meetings(result: "ArenaResult") -> None:
    show("")
    show_table(
        [
            OutputColumn("meeting", wrap=True),
            OutputColumn("games", "right"),
            OutputColumn("first one's share", "right", wrap=True),
        ],
        [
            (
                " – ".join(meeting.players),
                meeting.games,
                f"{100 * meeting.share:.1f} ± {100 * meeting.stderr:.1f} %",
            )
            for meeting in result.meetings
        ],
    )


def _show_test(test: "SprtState") -> None:
    between = f"between {test.elo0:g} and {test.elo1:g} Elo"
    if test.decided is None:
        show(f"SPRT undecided {between} (LLR {test.llr:.2f} of ±{test.upper:.2f}): play more games.")
    else:
        verdict = f"at least {test.elo1:+g}" if test.decided == "elo1" else f"no more than {test.elo0:+g}"
        show(f"SPRT accepted: {verdict} Elo (LLR {test.llr:.2f}).")


def show_comparison(result: "ComparisonResult") -> None:
    """Show how two house rules, or two decks, differ."""
    _show_games(result)
    one, other = result.rules
    rows = []
    for measure, (words, factor, unit) in _MEASURES.items():
        difference = getattr(result.differences, measure)
        low, high = factor * difference.low, factor * difference.high
        rows.append(
            (
                words,
                f"{factor * getattr(one, measure):.2f}{unit}",
                f"{factor * getattr(other, measure):.2f}{unit}",
                f"{factor * difference.value:+.2f}{unit}",
                f"{low:+.2f} to {high:+.2f}",
            )
        )
    show_table(
        [
            OutputColumn(""),
            OutputColumn(one.rule, "right", wrap=True),
            OutputColumn(other.rule, "right", wrap=True),
            OutputColumn("difference", "right"),
            OutputColumn("95 % interval", wrap=True),
        ],
        rows,
    )


def _elo(value: float | None) -> str:
    return "-" if value is None else f"{value:+.0f}"


def show_proof(proof: "Proof") -> None:
    """Show the proof of a position (`solve --json`)."""
    player = player_name(proof.player)
    ends = "end" if player == "You" else "ends"
    if -proof.low >= UNBOUNDED and proof.high >= UNBOUNDED:
        show(f"Nothing is proved yet about {player}, who is to move.")
    elif proof.value is None:
        show(f"Not proved to the end: {player}, to move, {ends} {between(proof.low, proof.high)}.")
    else:
        show(f"Proved: {player}, to move, {ends} {lead(proof.value)} when both play best.")
        for number, move in enumerate(proof.line, 1):
            show(f"{number:>3}. {move}")
    show(f"{counted(proof.nodes, 'position')} searched in {proof.seconds:.2f} s.")


def between(low: int, high: int) -> str:
    """Return the proved bounds as text, such as "at least 2 points ahead"."""
    if low == high:
        return lead(low)
    if high >= UNBOUNDED:
        return f"at least {lead(low)}"
    if -low >= UNBOUNDED:
        return f"at most {lead(high)}"
    return f"between {lead(low)} and {lead(high)}"


def show_advice(thought: "Thought") -> None:
    """Show the value of every legal move (`advise --json`)."""
    player = player_name(thought.player)
    if thought.is_exact:
        average = "" if thought.has_integer_values else ", averaged over the cards that may come"
        show(f"{third_person(player, 'is')} to move. Proved: final lead in points with best play{average}.", "")
    else:
        show(f"{third_person(player, 'is')} to move. Estimated: final lead in points, and its standard error.", "")
    if not thought.is_known:
        show(f"{NOTHING_KNOWN} Increase --think.", "")
    columns = [OutputColumn("move"), OutputColumn("worth", "right")]
    if not thought.is_exact:
        columns.append(OutputColumn("error", "right"))
    show_table(columns, [_row(estimate) for estimate in thought.moves])


def _row(estimate: "Estimate") -> tuple[str, ...]:
    if estimate.stderr is None:
        return estimate.move, f"{estimate.value:+.0f}" if estimate.value % 1 == 0 else f"{estimate.value:+.2f}"
    return estimate.move, f"{estimate.value:+.1f}", f"{estimate.stderr:.1f}"


NOTHING_KNOWN: Final = "There was not enough time to tell the moves apart: the first is as good as any."


def hint_line(thought: "Thought", state: State) -> str:
    """Return the best move with its effect and value, the second best, and whether the values are proved.

    `state` is the position as the player to move sees it.
    """
    if not thought.is_known:
        return NOTHING_KNOWN
    best, others = thought.best.move, thought.moves[1:2]
    what = describe_move(state.game, state, best)
    line = f"Play {printable(best)}{f' ({what})' if what else ''}: {_worth(thought.best)} in the end."
    nexts = [f"Next best: {printable(other.move)}, {_worth(other)}." for other in others]
    if thought.is_exact:
        known = (
            "That is proved."
            if thought.has_integer_values
            else "That is proved, averaged over the cards that may come."
        )
    elif state.is_open(state.to_move):
        known = "Estimated by playing on from each move."
    else:
        known = "Estimated by playing on from each move, with unknown cards dealt at random."
    return " ".join([line, *nexts, known])


def _worth(estimate: "Estimate") -> str:
    return lead(estimate.value) if estimate.stderr is None else f"about {lead(round(estimate.value, 1))}"


def lead(value: float) -> str:
    """Return a lead in points as words.

    >>> lead(3), lead(-1), lead(0), lead(2.5)
    ('3 points ahead', '1 point behind', 'level', '2.5 points ahead')
    """
    if value == 0:
        return "level"
    points = f"{abs(value):.1f} points" if value % 1 else counted(abs(int(value)), "point")
    return f"{points} {'ahead' if value > 0 else 'behind'}"


_HALF: Final = 8
_NARROW_HALF: Final = 5
_WIDE_ENOUGH: Final = 72
"""Half the width of a chart in cells, the same on a narrow terminal, and the width below which a terminal is narrow."""


def show_analysis(analysis: "Analysis") -> None:
    """Show every move with the points that it lost, and a summary (`analyze --json`)."""
    first = player_name(analysis.players[0], 12)
    two = len(analysis.players) == 2
    columns = [
        OutputColumn("", "right"),
        OutputColumn("player"),
        OutputColumn("move"),
        OutputColumn(""),
        OutputColumn("lost", "right"),
        OutputColumn("best"),
        OutputColumn("hindsight", "right"),
    ]
    if two:
        columns += [OutputColumn("ahead", "right"), OutputColumn("")]
    leads = [_ahead(analysed) for analysed in analysis.moves]
    rows = []
    for number, analysed in enumerate(analysis.moves, 1):
        row = [
            str(number),
            player_name(analysis.players[analysed.seat], 12),
            analysed.move,
            analysed.mark,
            _points(analysed.lost, exact=analysed.error is None),
            analysed.knowable.best.move if analysed.lost else "",
            "" if analysed.hindsight is None else _points(analysed.hindsight.lost, exact=True),
        ]
        rows.append([*row, f"{_ahead(analysed):+.1f}", _bar(leads, number - 1)] if two else row)
    show_table(columns, rows)
    chart = f" ahead: the lead of {first} after the move." if two else ""
    legend = "lost: points lost given what the player could know. hindsight: with all cards known, if proved."
    if analysis.is_open:
        legend = "lost: points lost, estimated or proved. hindsight: proved with all cards known."
    show("", legend + chart, "")
    for seat, player in enumerate(analysis.players):
        show(_summary(analysis, seat, player_name(player)))
    if analysis.deal is not None and abs(analysis.luck[0]) > analysis.error():
        name = player_name(analysis.players[0])
        ahead = analysis.scores[0] - analysis.scores[1]
        show(f"The deal: {name} {lead(round(analysis.deal, 1))}. In the end: {name} {lead(ahead)}.")


def show_review(found: "Review") -> None:
    """Show the lesson of a game to its players: the marks of both, the decisive move, and the reason."""
    analysis = found.analysis
    marked = [
        f"{number}. {player_name(analysis.players[analysed.seat], 12)} {printable(analysed.move)} {analysed.mark}"
        for number, analysed in enumerate(analysis.moves, 1)
        if analysed.mark
    ]
    legend = "Marks (?! lost a little, ? more, ?? much)"
    show("", f"{legend}: {'; '.join(marked)}." if marked else "No move is known to have lost enough for a mark.")
    for seat, player in enumerate(analysis.players):
        show(_summary(analysis, seat, player_name(player)))
    show_turning_point(found)


def show_turning_point(found: "Review") -> None:
    """Show the move or turn that decided a game, and the reason, if there is one."""
    analysis = found.analysis
    if (turn := found.turn) is not None:
        show(f"Turning point: turn {turn.number}, moves {turn.first + 1} to {turn.last + 1}. {say(turn.words)}")
    elif found.turning_point is not None and found.reason is not None:
        analysed = analysis.moves[found.turning_point]
        name = player_name(analysis.players[analysed.seat])
        gave = f"it lost {_about(analysed)}; {printable(analysed.knowable.best.move)} was best"
        show(
            f"Turning point: move {found.turning_point + 1}, {name} {printable(analysed.move)}: {gave}.",
            _why(found.reason),
        )


def blunder_line(analysed: "MoveAnalysis", state: State) -> str:
    """Return the coach's comment on a move that lost points; `state` is the position before it."""
    best = analysed.knowable.best.move
    return (
        f"{analysed.mark} {printable(analysed.move)} loses {_about(analysed)}. "
        f"Best was {_with_effect(state.view(analysed.seat), best)}. To undo it, type undo."
    )


def _about(analysed: "MoveAnalysis") -> str:
    """Return the points lost by a move as words."""
    if analysed.error is None and analysed.lost % 1 == 0:
        return counted(int(analysed.lost), "point")
    return f"about {lead(round(analysed.lost, 1)).removesuffix(' ahead')}"


_ALWAYS: Final = 0.995
"""The share above which an effect is described as occurring always."""


def _why(reason: "Reason") -> str:
    """Return a sentence about an effect of the played move that the best move does not have."""
    analysed = reason.analysed
    own, best = printable(analysed.move), printable(analysed.knowable.best.move)
    gains_last = not only_end_counts(reason.view.game)
    if gains_last and reason.is_answer and reason.answer is not None and reason.state is not None:
        state, often = reason.state, reason.played.answers[reason.answer]
        name, answer = player_name(state.players[state.to_move]), _with_effect(state, reason.answer)
        when = "" if reason.is_open or often > _ALWAYS else f" in {100 * often:.0f} % of all draws"
        if reason.otherwise >= often:
            takes = [f"{one.taken:.1f}".removesuffix(".0") for one in (reason.played, reason.best)]
            average = "" if reason.is_open else " on average"
            answers = f"The best answer takes {takes[0]} points{average}, after {best} {takes[1]}."
            return f"{own} let {name} answer {answer}{when}. {answers}"
        never = f"{best} would {'' if reason.is_open else 'almost always '}have prevented it"
        other = f"after {best} that is possible in {100 * reason.otherwise:.0f} %" if reason.otherwise else never
        return f"{own} let {name} answer {answer}{when}; {other}."
    best, own = (_with_effect(reason.view, move) for move in (analysed.knowable.best.move, analysed.move))
    if gains_last and reason.is_gain:
        gains = [f"{one.gained:+.1f}".removesuffix(".0") for one in (reason.best, reason.played)]
        return f"{best} changes the lead by {gains[0]} points at once, {own} by {gains[1]}."
    name, about = player_name(reason.view.players[analysed.seat]), "" if analysed.error is None else "about "
    ends = _worth(analysed.knowable.best), f"{about}{lead(round(analysed.value, 1))}"
    ending = f"{third_person(name, 'ends')} {ends[0]} after {best}, and {ends[1]} after {own}"
    return f"If the game is played to the end, {ending}."


def _with_effect(state: State, move: str) -> str:
    """Return a move with its effect in brackets, in the words of its game."""
    what = describe_move(state.game, state, move)
    return f"{printable(move)} ({what})" if what else printable(move)


def _summary(analysis: "Analysis", seat: int, name: str) -> str:
    marks = [f"{count} {mark}" for mark, count in analysis.count(seat).items() if count]
    moves = counted(sum(analysed.seat == seat for analysed in analysis.moves), "move")
    lost, error = analysis.lost(seat), analysis.error(seat)
    about = (
        "about "
        if any(analysed.lost and analysed.error is not None for analysed in analysis.moves if analysed.seat == seat)
        else ""
    )
    parts = [f"{name}: {counted(analysis.scores[seat], 'point')} in {moves}"]
    if lost and (marks or lost >= error):
        parts.append(f"lost {about}{lost:.1f}".removesuffix(".0"))
    else:
        is_proved = all(analysed.error is None for analysed in analysis.moves if analysed.seat == seat)
        parts.append("nothing lost" if is_proved else "no loss is certain")
    parts.append(", ".join(marks) if marks else "no clear mistakes")
    if abs(analysis.luck.get(seat, 0.0)) > analysis.error():
        parts.append(f"the draw gave {analysis.luck[seat]:+.1f}")
    return "; ".join(parts) + "."


def _ahead(analysed: "MoveAnalysis") -> float:
    """Return the first seat's expected final lead after a move, as its player could know it."""
    return analysed.value if analysed.seat == 0 else -analysed.value


def _points(value: float, *, exact: bool) -> str:
    if not value:
        return ""
    return f"{value:.0f}" if exact and value % 1 == 0 else f"{value:.1f}"


def best_line(state: State, best: str, lost: float) -> str:
    """Return the best move of a position, and its advantage."""
    return f"Best was {_with_effect(state, best)}: {lead(round(lost, 1)).removesuffix(' ahead')} better."


def lead_line(player: str, leads: Sequence[float], place: int) -> str:
    """Return a player's lead after the move at an index of a game, as words and as a bar."""
    return f"{player_name(player)} {_bar(leads, place)} {lead(round(leads[place], 1))}"


def _bar(leads: Sequence[float], place: int) -> str:
    """Return a lead as a bar: to the right of the centre if the first player is ahead, otherwise to the left."""
    half = _HALF if picture_cells() >= _WIDE_ENOUGH else _NARROW_HALF
    value, widest = leads[place], max(map(abs, leads))
    block, middle = ("█", "│") if can_draw() else ("#", "|")
    cells = round(half * abs(value) / widest) if widest else 0
    left, right = ("", block * cells) if value >= 0 else (block * cells, "")
    return f"{left:>{half}}{middle}{right}"
