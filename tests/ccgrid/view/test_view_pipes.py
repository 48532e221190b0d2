"""What goes into a pipe, into JSON, and to an ASCII locale."""

import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from shown_examples import HOSTILE, assert_harmless, board, everything, named

from ccgrid.view.output import Column, note, progress, remark, show, show_json, show_table
from ccgrid.view.pictures import draw
from ccgrid.view.streams import write


# Pipes, terminals, encodings
def test_a_pipe_gets_aligned_text_without_rules_and_without_cutting(capsys: pytest.CaptureFixture[str]) -> None:
    long = "Ring of Gix " * 20 + "end"
    show_table([Column("name"), Column("score", "right")], [("Myrmidons", 4), ("Jace", 10), (long, 5), (None, 7)])
    assert capsys.readouterr().out.splitlines() == [
        "name       score",
        "Myrmidons      4",
        "Jace          10",
        f"{long}      5",
        "               7",
    ]


def test_a_pipe_gets_long_sentences_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    show("word " * 100 + "end")
    assert len(capsys.readouterr().out.splitlines()) == 1


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_name_is_obeyed_in_a_pipe(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    everything(named(HOSTILE[kind]))
    assert_harmless(capsys.readouterr().out)


def test_markup_in_names_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    show("[/red]Ring[bold]:smile:")
    show_table([Column("name")], [("[/red]Ring[bold]:smile:",)])
    assert capsys.readouterr().out.splitlines() == ["[/red]Ring[bold]:smile:", "name", "[/red]Ring[bold]:smile:"]


@pytest.mark.parametrize("kind", HOSTILE)
def test_json_holds_every_name_exactly(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    show_json({"name": HOSTILE[kind]})
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert "\x1b" not in out
    assert json.loads(out) == {"name": HOSTILE[kind]}


def test_json_writes_letters_as_letters(capsys: pytest.CaptureFixture[str]) -> None:
    show_json(["Lûs", "宝"])
    assert capsys.readouterr().out == '["Lûs", "宝"]\n'


@contextmanager
def ascii_output() -> Iterator[io.BytesIO]:
    """Standard output of a process in the C locale, as the command sets it up."""
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="ascii", errors="backslashreplace", write_through=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        yield written
    stream.detach()  # which would close what was written


@pytest.mark.parametrize("kind", HOSTILE)
def test_an_ascii_locale_breaks_nothing(kind: str) -> None:
    with ascii_output() as written:
        everything(named(HOSTILE[kind]))
        show_json({"name": HOSTILE[kind]})
    out = written.getvalue().decode("ascii")
    assert_harmless(out)
    assert json.loads(out.splitlines()[-1]) == {"name": HOSTILE[kind]}


def test_pictures_in_an_ascii_locale_keep_their_frame() -> None:
    with ascii_output():
        lines = draw(board([named("宝石の指輪宝石の指輪")] * 9, marked=["a1"])).plain.splitlines()
    assert lines[0].startswith("+->a1<---")
    assert {len(line) for line in lines} == {79}
    assert "".join(lines).isascii()


def test_notes_and_progress_are_for_terminals_but_remarks_for_everybody(capsys: pytest.CaptureFixture[str]) -> None:
    note("Reading the catalogue")
    with progress("Downloading", unit="bytes") as report:
        report(1, 2)
    assert capsys.readouterr().err == ""
    remark("The bundled cards \x1b are used.")
    assert capsys.readouterr().err == "The bundled cards \\x1b are used.\n"


@pytest.mark.parametrize("stderr", [False, True])
def test_the_one_way_out_lets_nothing_act(stderr: bool, capsys: pytest.CaptureFixture[str]) -> None:
    write("Evil\x1b[2J\u202e\nName\r", stderr=stderr)
    assert capsys.readouterr()[stderr] == "Evil\\x1b[2J\\u202e\nName\\r\n"
