"""Tests of output on a terminal, in a pipe and as JSON."""

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from helpers.processes import ends_with_test
from helpers.view_examples import (
    CARD,
    HOSTILE,
    IMPORT,
    NO_MOVE,
    NUMBERS,
    SCORE,
    SIMULATION,
    STATS,
    assert_harmless,
    board,
    everything,
    named,
)
from rich.cells import cell_len

from ccgrid.catalog.card_answers import deck_check
from ccgrid.catalog.decks import Problem
from ccgrid.catalog.store.imports import ImportSummary
from ccgrid.catalog.store.statistics import CatalogueStats
from ccgrid.catalog.zones import ZONE_PHRASES, ZONES
from ccgrid.engine.errors import RecordError
from ccgrid.engine.game import Outcome
from ccgrid.view import reports
from ccgrid.view.card import show_card
from ccgrid.view.output import OutputColumn, note, progress, remark, show, show_json, show_json_lines, show_table
from ccgrid.view.pictures import draw
from ccgrid.view.reasons import reason_text
from ccgrid.view.streams import prepare, write

TerminalRunner = Callable[..., list[str]]

IMPORTS = "from helpers.view_examples import *\nfrom ccgrid.view.output import progress, show"

ANSI = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
COLOUR = re.compile(r"\x1b\[(?:[0-9]+;)*(?:3[0-8]|4[0-8]|9[0-7])(?:;[0-9]+)*m")


@pytest.fixture
def run_on_terminal(tmp_path: Path) -> TerminalRunner:
    """Return a function that runs statements on a terminal of 80 columns, and returns the lines printed."""
    pexpect = pytest.importorskip("pexpect")

    def run(body: str, **environment: str) -> list[str]:
        script = tmp_path / "script.py"
        script.write_text(f"{IMPORTS}\n{body}\n", encoding="utf-8")
        inherited = {
            name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}
        }
        path = [str(Path(__file__).parents[2]), *sys.path]
        child = ends_with_test(
            pexpect.spawn(
                sys.executable,
                [str(script)],
                env={**inherited, "TERM": "xterm-256color", "PYTHONPATH": os.pathsep.join(path), **environment},
                dimensions=(24, 80),
                encoding="utf-8",
                timeout=120,
            )
        )
        received: str = child.read()
        child.close()
        assert child.exitstatus == 0, received
        return received.replace("\r\n", "\n").split("\n")

    return run


def test_terminal_output_is_coloured_and_at_most_80_columns(run_on_terminal: TerminalRunner) -> None:
    lines = run_on_terminal("everything(CARD)\nshow_card(CARD, NUMBERS)")
    assert any(COLOUR.search(line) for line in lines)
    assert max(cell_len(ANSI.sub("", line)) for line in lines) <= 80
    assert any("────" in line for line in lines)


@pytest.mark.parametrize("function", ["show", "remark"])
def test_command_is_not_broken_across_lines(run_on_terminal: TerminalRunner, function: str) -> None:
    command = "ccgrid table --load 'a rather long name of a game.toml'"
    sentence = f"The game is not over, and saved. To continue: {command}, or look at it on a page of its own."
    lines = run_on_terminal(f"from ccgrid.view.output import remark\n{function}({sentence!r})")
    assert lines[:2] == ["The game is not over, and saved. To continue:", f"{command}, or look at it on a page"]
    long = f"ccgrid score {'word ' * 20}end.toml"
    assert "".join(run_on_terminal(f"from ccgrid.view.output import remark\n{function}('Check: {long}')")) == (
        f"Check:{long}"
    )


def test_no_color_is_honoured(run_on_terminal: TerminalRunner) -> None:
    lines = run_on_terminal("everything(CARD)", NO_COLOR="1")
    assert not any(COLOUR.search(line) for line in lines)
    assert any("Jace, Vryn's Prodigy" in line for line in lines)


def test_force_color_colours_a_pipe(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    show_card(CARD, NUMBERS)
    assert COLOUR.search(capsys.readouterr().out)


@pytest.mark.slow
def test_names_cannot_control_terminal(run_on_terminal: TerminalRunner) -> None:
    lines = run_on_terminal("for name in HOSTILE.values(): everything(named(name))")
    for line in lines:
        assert_harmless(re.sub(r"\x1b\[[0-9;]*m", "", line))
        assert cell_len(ANSI.sub("", line)) <= 80
    assert len(lines) < 4000, "a long name is cut"


def test_progress_bar_is_animated_and_removed(run_on_terminal: TerminalRunner) -> None:
    lines = run_on_terminal("with progress('Reading [/red] cards') as report:\n    report(5, 10)\nshow('done')")
    assert "Reading [/red] cards" in "".join(ANSI.sub("", line) for line in lines)
    assert ANSI.sub("", "\n".join(lines)).rstrip().endswith("done")


# --- Pipes, JSON and ASCII locales --------------------------------------------------------------------------------
def test_pipe_gets_aligned_text_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    long = "Ring of Gix " * 20 + "end"
    show_table(
        [OutputColumn("name"), OutputColumn("score", "right")], [("Myrmidons", 4), ("Jace", 10), (long, 5), (None, 7)]
    )
    assert capsys.readouterr().out.splitlines() == [
        "name       score",
        "Myrmidons      4",
        "Jace          10",
        f"{long}      5",
        "               7",
    ]


def test_pipe_gets_long_sentences_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    show("word " * 100 + "end")
    assert len(capsys.readouterr().out.splitlines()) == 1


@pytest.mark.parametrize("kind", HOSTILE)
def test_control_characters_are_escaped_in_pipe(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    everything(named(HOSTILE[kind]))
    assert_harmless(capsys.readouterr().out)


def test_markup_in_names_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    show("[/red]Ring[bold]:smile:")
    show_table([OutputColumn("name")], [("[/red]Ring[bold]:smile:",)])
    assert capsys.readouterr().out.splitlines() == ["[/red]Ring[bold]:smile:", "name", "[/red]Ring[bold]:smile:"]


@pytest.mark.parametrize("kind", HOSTILE)
def test_json_contains_names_unchanged(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    show_json({"name": HOSTILE[kind]})
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert "\x1b" not in out
    assert json.loads(out) == {"name": HOSTILE[kind]}


def test_json_does_not_escape_letters(capsys: pytest.CaptureFixture[str]) -> None:
    show_json(["Lûs", "宝"])
    assert capsys.readouterr().out == '["Lûs", "宝"]\n'


@contextmanager
def ascii_output() -> Iterator[io.BytesIO]:
    """Replace standard output by that of a process in the C locale, and yield the written bytes."""
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="ascii", errors="backslashreplace", write_through=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        yield written
    stream.detach()  # otherwise the stream closes the written bytes


@pytest.mark.parametrize("kind", HOSTILE)
def test_output_works_in_ascii_locale(kind: str) -> None:
    with ascii_output() as written:
        everything(named(HOSTILE[kind]))
        show_json({"name": HOSTILE[kind]})
    out = written.getvalue().decode("ascii")
    assert_harmless(out)
    assert json.loads(out.splitlines()[-1]) == {"name": HOSTILE[kind]}


def test_intervals_are_spelled_in_ascii_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding="ascii", write_through=True))
    for name in ("stdin", "stderr"):
        monkeypatch.setattr(f"sys.{name}", io.StringIO())
    prepare()
    print("50.0 ± 1.5 %, and so on…, ±é\u3042")
    show_table([OutputColumn("share")], [("50.0 ± 1.5 %",)])
    assert written.getvalue().startswith(b"50.0 +- 1.5 %, and so on..., +-\\xe9\\u3042\n")
    assert b"\n50.0 +- 1.5 %" in written.getvalue()


def test_pictures_have_ascii_frames_in_ascii_locale() -> None:
    with ascii_output():
        lines = draw(board([named("宝石の指輪宝石の指輪")] * 9, marked=["a1"])).plain.splitlines()
    assert lines[0].startswith("+->a1<---")
    assert {len(line) for line in lines} == {79}
    assert "".join(lines).isascii()


def test_notes_and_progress_are_shown_only_on_terminals(capsys: pytest.CaptureFixture[str]) -> None:
    note("Reading the catalogue")
    with progress("Downloading", unit="bytes") as report:
        report(1, 2)
    assert capsys.readouterr().err == ""
    remark("The bundled cards \x1b are used.")
    assert capsys.readouterr().err == "The bundled cards \\x1b are used.\n"


@pytest.mark.parametrize("stderr", [False, True])
def test_write_escapes_control_characters(stderr: bool, capsys: pytest.CaptureFixture[str]) -> None:
    write("Evil\x1b[2J\u202e\nName\r", stderr=stderr)
    assert capsys.readouterr()[stderr] == "Evil\\x1b[2J\\u202e\nName\\r\n"


# --- Cards --------------------------------------------------------------------------------------------------------


def test_every_reason_names_its_rule() -> None:
    reasons = ["digital", "oversized", "no-number", "layout:split", *(f"multiple-numbers:{zone}" for zone in ZONES)]
    assert set(ZONE_PHRASES) == set(ZONES)
    for reason in reasons:
        assert re.search(r"\(rule (9|10|11)\)$", reason_text(reason))


def test_illegal_card_shows_reason(capsys: pytest.CaptureFixture[str]) -> None:
    show_card(CARD, NUMBERS)
    out = capsys.readouterr().out
    assert "Not legal in decks: two numbers in the bottom-right corner (rule 9)\n" in out
    assert re.search(r"^face +text +3000 +3000 +above 10 \(rule 6\)$", out, re.MULTILINE)


# --- Results ------------------------------------------------------------------------------------------------------
def test_import_summary_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    reports.show_import(ImportSummary(**IMPORT))
    out = capsys.readouterr().out
    assert "Imported mtg (2026-11-20)" in out
    assert re.search(r"^not legal +37$", out, re.MULTILINE)
    assert out.index("two numbers, bottom right") < out.index("no number"), "the most frequent reason comes first"


def test_stats_count_cards_and_zones_per_game(capsys: pytest.CaptureFixture[str]) -> None:
    reports.show_catalogue_stats(STATS)
    out = capsys.readouterr().out
    assert "1,200 cards, 60 of them legal." in out
    assert re.search(r"^mtg +1200 +60 +1140$", out, re.MULTILINE)
    assert re.search(r"^mtg +0 +0 +0 +0 +0 +0 +54 +0$", out, re.MULTILINE)


def test_empty_catalogue_has_stats(capsys: pytest.CaptureFixture[str]) -> None:
    reports.show_catalogue_stats(CatalogueStats(cards=0, legal=0, games=[]))
    assert capsys.readouterr().out == "0 cards, 0 of them legal.\n"


def test_deck_check_lists_every_problem(capsys: pytest.CaptureFixture[str]) -> None:
    reports.show_deck_check(deck_check([CARD] * 20, []))
    assert capsys.readouterr().out == "Legal: a deck of 20 cards.\n"
    problems = [Problem(None, "19 cards, not 20"), Problem("Jace", "no-number")]
    reports.show_deck_check(deck_check([CARD] * 19, problems))
    out = capsys.readouterr().out
    assert "Not legal: a deck of 19 cards with 2 problems." in out
    assert re.search(r"^Jace +no number$", out, re.MULTILINE)


def test_scores_are_listed_best_first_with_the_winner(capsys: pytest.CaptureFixture[str]) -> None:
    reports.show_score(SCORE)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines.index(["Bob", "61", "winner"]) < lines.index(["Ann", "57"])


def test_unfinished_game_has_no_winner(capsys: pytest.CaptureFixture[str]) -> None:
    reports.show_score(SCORE._replace(outcome=None))
    out = capsys.readouterr().out
    assert "not over yet" in out
    assert "winner" not in out
    assert "draw" not in out


def test_equal_scores_are_a_draw(capsys: pytest.CaptureFixture[str]) -> None:
    reports.show_score(SCORE._replace(points=(5, 5), outcome=Outcome.of((5, 5), NO_MOVE)))
    assert "A draw." in capsys.readouterr().out


def test_invalid_record_shows_error_without_scores(capsys: pytest.CaptureFixture[str]) -> None:
    error = RecordError('moves[6] "b2xc3"', "c3 has 5 facing b2's 4")
    reports.show_score(SCORE._replace(error=error))
    assert capsys.readouterr().out == 'Not valid: evening.toml\n  moves[6] "b2xc3": c3 has 5 facing b2\'s 4\n'


def test_simulation_shows_shares(capsys: pytest.CaptureFixture[str]) -> None:
    reports.show_simulation(SIMULATION)
    out = capsys.readouterr().out
    assert re.search(r"^south +random +500 +50\.0 % +10 +45\.68$", out, re.MULTILINE)
    assert "The first player won 51.0 %, 1.0 % were draws." in out


class _Answer(msgspec.Struct, frozen=True, kw_only=True, rename={"bottom_right": "bottom-right"}):
    name: str
    bottom_right: int
    note: str | msgspec.UnsetType = msgspec.UNSET


def test_struct_is_printed_as_json_in_the_order_of_its_fields(capfd: pytest.CaptureFixture[str]) -> None:
    show_json_lines([_Answer(name="Griffin", bottom_right=7), [_Answer(name="Wyrm", bottom_right=0, note="")]])
    assert capfd.readouterr().out.splitlines() == [
        '{"name": "Griffin", "bottom-right": 7}',
        '[{"name": "Wyrm", "bottom-right": 0, "note": ""}]',
    ]
