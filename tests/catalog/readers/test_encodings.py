"""Which encoding a file is in that is not UTF-8: told by a detector, and for a few letters by their company."""

import io
from pathlib import Path

import pytest

from ccgrid.catalog.readers.streams import Survey, survey, tell_survey, text_lines

NAMES = (
    "Lim-Dûl’s Vault\nDéjà Vu\nJuzám Djinn\nSéance\nBösium Strip\nDandân\nGhazbán Ogre\nIfh-Bíff Efreet\nKhabál Ghoul\n"
)
FRENCH = "Éclair de feu\nForêt enchantée\nDragon à l’œuvre\nGarçon\nÎle\nNoël\n"
QUOTES = "It’s this dragon’s lair, and you can’t play “Fear” here.\nEach opponent’s turn…\n"


@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman"])
@pytest.mark.parametrize(
    "text", [NAMES, FRENCH, QUOTES, QUOTES * 40, "Séance\n", "Æther Vial\nJötun Grunt\n", "can’t\n"]
)
def test_western_text_is_windows_1252_or_mac_roman(text: str, encoding: str) -> None:
    assert decoded(text.encode(encoding)) == text


@pytest.mark.parametrize(
    "text", ["½ cost\n¼ of it\n", "½ cost\n" * 30, "• Flying • “Fear” — ½ … Élan’s\n", "character‘s\n"]
)
def test_fractions_and_marks_are_windows_1252(text: str) -> None:
    assert decoded(text.encode("cp1252")) == text


@pytest.mark.parametrize(
    ("text", "encoding", "told"),
    [
        ("Молния\nДракон огня\nЧёрный лотос\n", "cp1251", "Windows-1251"),
        ("Błyskawica\nŻółty smok\nCień jaźni\nŁódź\nŚwięty miecz\nGęś i wąż\nTrójgłowy\n", "cp1250", "Windows-1250"),
        ("稲妻\n黒き蓮\nドラゴンの火\n", "shift_jis", "Shift JIS"),
        ("闪电击\n黑色莲花\n巨龙\n", "gb18030", "GB 18030"),
        ("閃電擊\n黑色蓮花\n", "big5", "Big5"),
        ("번개\n검은 연꽃\n용\n", "euc_kr", "EUC-KR"),
    ],
)
def test_other_alphabets_are_told_apart(text: str, encoding: str, told: str) -> None:
    content = ("Name\tCost\n" + text).encode(encoding)
    assert decoded(content) == "Name\tCost\n" + text
    remarks: list[str] = []
    tell_survey(survey(io.BytesIO(content), "a.txt"), "a.txt", remarks.append)
    lines = text.count("\n")
    assert remarks == [f"a.txt: {lines} lines are not UTF-8; read as {told}."]


def test_bytes_that_mean_nothing_in_the_encoding_are_no_end_of_the_file() -> None:
    look = survey(io.BytesIO("Éclair\n".encode("cp1252")), "a.txt")
    lines = list(text_lines(io.BytesIO(b"\xc9clair\n\x81t\xe9\n"), look, "a.txt"))
    assert lines == ["Éclair", "\x81té"]
    assert list(text_lines(io.BytesIO(b"\x88\xee\xff\n"), Survey("shift_jis"), "a.txt")) == ["稲�"]


@pytest.mark.parametrize(
    ("plugin", "words"),
    [
        ("LorcanaTCG/sets/carddata.txt", "They can‘t quest"),
        ("MapleStory/sets/carddata.txt", "he or she can’t play"),
        ("Spellfire/sets/carddata.txt", "um campeão"),
        ("pottertradingcardgame/carddata.txt", "your opponent’s"),
    ],
)
def test_real_plugins_are_read_in_their_own_letters(shared_data: Path, plugin: str, words: str) -> None:
    content = (shared_data / "lackey" / plugin).read_bytes()
    assert any(words in line for line in decoded(content).split("\n"))


def decoded(content: bytes) -> str:
    """The lines of a file, as they are read, each with its end."""
    look = survey(io.BytesIO(content), "a.txt")
    return "".join(f"{line}\n" for line in text_lines(io.BytesIO(content), look, "a.txt"))
