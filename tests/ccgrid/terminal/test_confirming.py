"""Tests of yes-or-no questions at a terminal."""

from collections.abc import Iterator

import pytest

from ccgrid.terminal import confirming


def answer_question(
    monkeypatch: pytest.MonkeyPatch, answers: list[str | type[BaseException]], *, usual: bool = False
) -> bool:
    """Ask a question with these answers, check that all are used, and return the decision."""
    typed: Iterator[str | type[BaseException]] = iter(answers)

    def line(_: str) -> str:
        answer = next(typed)
        if not isinstance(answer, str):
            raise answer
        return answer

    monkeypatch.setattr(confirming, "input_line", line)
    agreed = confirming.agrees("Do it? ", "yes does it.", usual=usual)
    assert next(typed, None) is None, "it was asked no more often than it had to be"
    return agreed


@pytest.mark.parametrize(
    ("answers", "agreed"),
    [(["y"], True), ([" YES "], True), (["no"], False), (["maybe"], False), ([EOFError], False)],
)
def test_only_yes_confirms(monkeypatch: pytest.MonkeyPatch, answers: list[str], agreed: bool) -> None:
    assert answer_question(monkeypatch, answers) is agreed
    assert answer_question(monkeypatch, answers, usual=True) is agreed


def test_empty_line_gives_the_usual_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not answer_question(monkeypatch, [""])
    assert answer_question(monkeypatch, [""], usual=True)


def test_question_mark_explains_and_asks_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answer_question(monkeypatch, ["?", "?", "yes"])
    assert capsys.readouterr().out == "yes does it.\nyes does it.\n"
    assert not answer_question(monkeypatch, ["?", KeyboardInterrupt])
