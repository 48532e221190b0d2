"""Queries, edits and moves at the command line: results, errors, confirmations and the pager."""

import sys
from pathlib import Path

import pexpect
import pytest
from helpers import forked_program as forked
from helpers.catalogues import Shell, row, rows, with_prepared_files


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a folder for each kind of catalogue, which the first test that uses it fills."""
    return {name: tmp_path_factory.mktemp(name) for name in ("many", "kinds")}


@pytest.fixture
def many(shell: Shell, folders: dict[str, Path]) -> Shell:
    """Return a shell with a collection of thirty entries in two boxes."""
    return with_prepared_files(shell, folders["many"], add_many)


def add_many(shell: Shell) -> None:
    shell.import_rows([*rows(40), row(41, "Fact or Fiction")])
    file = shell.folder / "own.csv"
    lines = [f"{number},mtg:dsk/{number},{'Attic' if number % 2 else 'Cellar'}" for number in range(1, 31)]
    file.write_text("Copies,Card ID,Box\n" + "".join(f"{line}\n" for line in lines))
    shell.good("collection", "import", file, "--map", "copies=Copies,card=Card ID,box=Box")


def found(shell: Shell, *query: str) -> list[str]:
    return [one["id"] for one in shell.good("collection", "list", *query, "--json").json_lines]


def test_query_selects_same_cards_in_every_command(many: Shell) -> None:
    query = "(box:attic own>=25) or mtg:dsk/30"
    wanted = {"mtg:dsk/25", "mtg:dsk/27", "mtg:dsk/29", "mtg:dsk/30"}
    assert set(found(many, query)) == wanted
    exported = many.good("collection", "export", query, "--json").json_lines
    assert {one["id"] for one in exported} == wanted
    assert {one["id"] for one in many.good("collection", "where", query, "--json").json_lines} == wanted
    assert {one["id"] for one in many.good("search", query, "--all", "--json").json_lines} == wanted
    assert {one["id"] for one in many.good("export", query, "--json").json_lines} == wanted
    assert many.good("stats", query, "--json").json["cards"] == 4
    assert found(many, "sort:-copies")[0] == "mtg:dsk/30"


@pytest.mark.parametrize(
    "command",
    [
        *(("search",), ("stats",), ("export",), ("collection", "list"), ("collection", "where")),
        *(("collection", "export"), ("collection", "remove"), ("collection", "move", "--to-box", "B")),
        *(("collection", "edit", "--note", "x"), ("deck", "new", "--from"), ("deck", "rate", "--from")),
        ("puzzle", "--from"),
    ],
)
def test_invalid_query_is_rejected_with_its_position(many: Shell, command: tuple[str, ...]) -> None:
    output = many(*command, "tpo:3").names_unknown("There is no field 'tpo'; the nearest are top, ")
    assert output.err.splitlines()[1] == "Here: [tpo]:3"


@pytest.mark.parametrize("command", [("search",), ("collection", "list"), ("collection", "where"), ("stats",)])
def test_command_without_matches_ends_with_status_1(many: Shell, command: tuple[str, ...]) -> None:
    output = many(*command, "qqqq set:zzz")
    assert (output.status, output.out) == (1, "")
    assert "qqqq set:zzz" in output.err


def test_export_without_matches_writes_no_file(many: Shell) -> None:
    assert many("collection", "export", "box:loft", "-o", many.folder / "x.jsonl").status == 1
    assert not (many.folder / "x.jsonl").exists()


def test_whole_name_may_contain_query_words(many: Shell) -> None:
    many.good("collection", "add", "mtg:dsk/41")
    assert found(many, "fact", "or", "fiction") == ["mtg:dsk/41"]
    assert many.good("search", "Fact or Fiction", "--json").json_lines[0]["id"] == "mtg:dsk/41"


def test_deck_can_be_drawn_from_query_matches(many: Shell) -> None:
    drawn = many.good("deck", "new", "--from", "is:owned", "--seed", "4", "--json", "--game", "mtg")
    assert len(drawn.json["cards"]) == 20
    owned = set(found(many))
    assert {card["id"] for card in drawn.json["cards"]} <= owned
    many("deck", "new", "--from", "box:attic").fails("15 legal cards matching the query, and 20 are needed")
    rated = many.good("deck", "rate", "--from", "is:owned", "--games", "10", "--json")
    assert rated.json["games"] == 10
    assert many("deck", "rate").status == 2


@pytest.mark.parametrize(("query", "found"), [("game:mtg", 2), ("-game:mtg", 0), ("set:dsk", 2), ("shock set:dsk", 1)])
def test_query_fields_are_not_matched_as_name_words(shell: Shell, query: str, found: int) -> None:
    shell.import_rows([row(1, "Commence the Endgame", 2), row(2, "Shock", 3)])
    for name in ("Commence the Endgame", "Shock"):
        shell.good("collection", "add", name)
    listed = [
        shell("search", "--json", "--", query).json_lines,
        shell("collection", "list", "--json", "--", query).json_lines,
    ]
    assert [len(cards) for cards in listed] == [found, found]


def test_move_without_place_is_rejected(many: Shell) -> None:
    before = found(many, "box:any")
    for words in ((), ("mtg:dsk/3",), ("box:attic",)):
        output = many("collection", "move", *words)
        assert (output.status, output.out) == (2, "")
        assert "name a place" in output.err
    assert found(many, "box:any") == before


def test_moving_to_row_keeps_box(many: Shell) -> None:
    many.good("collection", "move", "mtg:dsk/3", "--to-row", "7")
    (there,) = many.good("collection", "where", "mtg:dsk/3", "--json").json_lines
    assert (there["box"], there["row"]) == ("Attic", "7")
    many.good("collection", "move", "mtg:dsk/3", "--to-box", "")
    assert found(many, "box:none") == ["mtg:dsk/3"]


@pytest.mark.parametrize(
    "change",
    [
        ("collection", "move", "--to-box", "Loft"),
        ("collection", "edit", "game:mtg", "--condition", "nm"),
        ("collection", "remove", "game:mtg", "--all"),
    ],
)
def test_script_needs_yes_option_to_change_many_entries(many: Shell, change: tuple[str, ...]) -> None:
    before = many.good("collection", "list", "--json").out
    many(*change).names_unknown("This changes 30 entries; nothing changed", "add --yes")
    many(*change, "--json").names_unknown("--yes")
    assert many.good("collection", "list", "--json").out == before
    many.good(*change, "--yes")
    assert many.good("collection", "list", "--json").out != before
    many.good("undo")
    assert many.good("collection", "list", "--json").out == before


@pytest.mark.parametrize("change", [("rename-box", "Attic", "Loft"), ("empty-box", "Attic"), ("remove-box", "Attic")])
def test_script_needs_yes_option_to_change_box_of_many_entries(many: Shell, change: tuple[str, ...]) -> None:
    many.good("collection", "move", "--to-box", "Attic", "--yes")
    before = many.good("collection", "list", "--json").out
    many("collection", *change).names_unknown("This changes 30 entries; nothing changed", "add --yes")
    assert many.good("collection", "list", "--json").out == before
    many.good("collection", *change, "--yes")
    assert not many("collection", "list", "box:attic").out
    many.good("undo")
    assert many.good("collection", "list", "--json").out == before


def test_dismissing_many_uncertain_rows_needs_yes_option(many: Shell) -> None:
    file = many.folder / "doubtful.csv"
    lines = [f"1,{card['name']},dsk,{card['collector_number']}\n" for card in rows(30)]
    lines += [f"1,{card['name'].replace('r', 'rr', 1)},dsk,\n" for card in rows(30)]
    file.write_text("Quantity,Name,Set code,Collector number\n" + "".join(lines))
    many.incomplete("collection", "import", file, "--again")
    doubtful = len(many.good("collection", "doubts", "--json").json_lines)
    assert doubtful > 20
    many("collection", "doubts", "--dismiss").names_unknown(f"This changes {doubtful} uncertain rows", "--yes")
    assert len(many.good("collection", "doubts", "--json").json_lines) == doubtful
    assert many.good("collection", "doubts", "--dismiss", "--yes", "--json").json["rows"] == doubtful


def test_confirm_takes_fuzzy_rows_and_reports_rest_by_cause(many: Shell) -> None:
    lines = [f"1 {card['name'].replace('r', 'rr', 1)}\n" for card in rows(5)] + [f"1 Nothing {n}\n" for n in range(40)]
    (many.folder / "doubtful.txt").write_text("".join(lines))
    many.incomplete("collection", "import", many.folder / "doubtful.txt", "--again", "--partial")
    doubts = many.good("collection", "doubts", "--json").json_lines
    fuzzy = sum(doubt["outcome"] == "fuzzy" for doubt in doubts)
    assert 0 < fuzzy <= 5
    assert len(doubts) > 40
    assert many.good("collection", "doubts", "--confirm").out.splitlines() == [
        f"{fuzzy} rows confirmed; {fuzzy} copies added.",
        f"{len(doubts) - fuzzy} rows left, missed: --outcome missed confirms those with a single candidate.",
    ]
    lines = many.good("collection", "doubts", "--outcome", "missed", "--confirm").out.splitlines()
    assert lines[0].startswith("0 rows confirmed")
    assert "40 rows left, with no candidate: collection doubts -o FILE writes a table to correct." in lines


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_terminal_asks_before_changing_many_entries(many: Shell) -> None:
    environment = {**many.environment(), "TERM": "xterm-256color", "NO_COLOR": "1"}
    for answer, left in (("", 0), ("\x03", 0), ("no", 0), ("yes", 30)):
        child = forked.at_terminal(("collection", "move", "--to-box", "Loft"), environment, lines=60)
        child.expect("This changes 30 entries.")
        child.expect("yes or no> ")
        child.send("?\r")
        child.expect("yes makes the change")
        child.expect("yes or no> ")
        child.send(f"{answer}\r")  # An interrupt before the prompt is handled with the next key.
        child.expect(pexpect.EOF)
        child.close()
        assert len(many("collection", "list", "box:loft", "--json").json_lines) == left


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_only_lists_longer_than_terminal_use_pager(many: Shell, tmp_path: Path) -> None:
    paged = tmp_path / "paged"
    environment = {**many.environment(), "TERM": "xterm-256color", "NO_COLOR": "1", "PAGER": f"cat > {paged}"}
    for lines, is_paged in ((60, False), (20, True)):
        child = forked.at_terminal(("collection", "list"), environment, lines=lines)
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 0
        assert paged.exists() == is_paged
    assert "465 copies in 30 entries." in paged.read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
@pytest.mark.parametrize(
    "words",
    [
        *("sources", "card list", "history", "collection boxes", "collection where game:mtg"),
        *("show mtg:dsk/4", "stats", "rules grid", "play --help", "help deck", "help --all", "doctor", "deck new"),
        *("learn grid", "faction show cinder", "simulate matrix --games 1", "search game:mtg", "export", "config"),
    ],
)
def test_long_output_uses_pager(many: Shell, tmp_path: Path, words: str) -> None:
    many.good("card", "edit", "mtg:dsk/4", "--top-left", "5")
    paged = tmp_path / "paged"
    environment = {**many.environment(), "TERM": "xterm-256color", "NO_COLOR": "1", "PAGER": f"cat > {paged}"}
    child = forked.at_terminal(words.split(), environment, lines=2)
    child.expect(pexpect.EOF)
    child.close()
    assert (child.exitstatus, paged.exists()) == (0, True)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_output_is_not_lost_if_the_pager_is_not_installed(many: Shell) -> None:
    environment = {**many.environment(), "TERM": "xterm-256color", "NO_COLOR": "1", "PAGER": "no-such-pager -R"}
    child = forked.at_terminal(("collection", "list"), {**environment, "PATH": "/nowhere"}, lines=20)
    child.expect("465 copies in 30 entries.")
    child.expect(pexpect.EOF)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_pager_shows_notices_around_output(shell: Shell, tmp_path: Path) -> None:
    paged = tmp_path / "paged"
    environment = {**shell.environment(), "TERM": "xterm-256color", "NO_COLOR": "1", "PAGER": f"cat > {paged}"}
    child = forked.at_terminal(("search", "dragon"), environment, lines=24)  # 23 lines, and the notice before them
    child.expect(r"bundled\s+cards")
    child.expect(pexpect.EOF)
    text = paged.read_text()
    assert text.startswith("There is no catalogue at")
    assert text.endswith("\n20 of 31 cards; --all shows all.\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_deck_to_edit_is_shown_in_pager(shell: Shell, tmp_path: Path) -> None:
    paged = tmp_path / "paged"
    deck = shell.folder / "deck.toml"
    shell.good("deck", "new", "--seed", "7", "-o", deck)
    environment = {**shell.environment(), "TERM": "xterm-256color", "PAGER": f"cat > {paged}"}
    child = forked.at_terminal(("deck", "edit", deck), environment, lines=24)
    child.expect("Deck> ")
    assert "Mars for" in paged.read_text()
    child.sendline("quit")
    child.expect(pexpect.EOF)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_group_without_command_lists_its_commands_in_pager(shell: Shell, tmp_path: Path) -> None:
    paged = tmp_path / "paged"
    environment = {**shell.environment(), "TERM": "xterm-256color", "PAGER": f"cat > {paged}"}
    child = forked.at_terminal(("collection",), environment, lines=24)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 2
    assert "rename-box" in paged.read_text()


def test_stats_count_query_matches(many: Shell) -> None:
    counted = many.good("collection", "stats", "box:attic", "own:>25", "--json").json
    assert (counted["copies"], counted["cards"], counted["games"][0]["copies"]) == (27 + 29, 2, 27 + 29)
    assert many.good("collection", "stats", "--json").json["copies"] == 465
    assert many("collection", "stats", "box:nowhere").status == 1


def test_notes_survive_export_and_import(many: Shell) -> None:
    many.good("collection", "edit", "mtg:dsk/4", "-n", "1", "--note", 'signed, "A"', "--finish", "foil")
    before = many.good("collection", "list", "number:4", "--json").json_lines
    assert [(one["copies"], one["note"]) for one in before] == [(3, None), (1, 'signed, "A"')]
    for form in ("jsonl", "csv"):
        file = many.folder / f"out.{form}"
        assert "note:" not in many.good("collection", "export", "--format", form, "-o", file).err
        many.good("collection", "remove", "", "--all", "--yes")
        many.good("collection", "import", file, "--again")
        assert many.good("collection", "list", "number:4", "--json").json_lines == before
    assert "note: 1 copy" in many.good("collection", "export", "--format", "moxfield").err


@pytest.fixture
def kinds(shell: Shell, folders: dict[str, Path]) -> Shell:
    """Return a shell with four entries of one card that differ in printing, finish, condition and language."""
    return with_prepared_files(shell, folders["kinds"], add_kinds)


def add_kinds(shell: Shell) -> None:
    shell.import_rows([row(1, "Moth"), row(2, "Moth", set="m10", set_name="Magic 2010")])
    for line in ("4 Moth (M10) *F*", "2 Moth (M10) NM", "3 Moth (DSK)", "1 Moth (DSK) - foil - German #home"):
        shell.good("collection", "add", line)


@pytest.mark.parametrize(
    ("line", "copies"),
    [
        ("4 Moth (M10) *F*", [4]),
        ("Moth - foil", [1, 4]),
        ("Moth NM", [2]),
        ("Moth, near mint", [2]),
        ("Moth (German)", [1]),
        ("Moth m10", [4, 2]),
        ("Magic 2010: Moth", [4, 2]),
        ("moth (m10) 2", [4, 2]),
        ("Moth #home", [1]),
        ("10 Moth", [3, 1, 4, 2]),
        ("Moth -is:foil", [3, 2]),
    ],
)
def test_where_selects_copies_described_by_line(kinds: Shell, line: str, copies: list[int]) -> None:
    output = kinds.good("collection", "where", line, "--json")
    assert sorted(one["copies"] for one in output.json_lines) == sorted(copies)
    assert output.err == ""


@pytest.mark.parametrize("line", ["Moth (M10) 77", "Moth (M10) LP", "Moth #away", "Moth zzz", "Moth !!", "Moth - zzz"])
def test_where_never_ignores_words_after_name(kinds: Shell, line: str) -> None:
    output = kinds("collection", "where", line)
    assert (output.status, output.out) == (1, "")
    assert line in output.err


def test_copies_in_line_set_amount_moved_removed_or_missing(kinds: Shell) -> None:
    assert kinds.good("collection", "where", "12 Moth").err == "2 of 12 copies are missing.\n"
    assert kinds.good("collection", "move", "3 Moth (M10) *F*", "--to-box", "A").out.startswith("Moved 3 copies")
    assert kinds.good("collection", "remove", "2 Moth (DSK) normal").out.startswith("Removed 2 copies")
    refused = kinds("collection", "move", "3 Moth *F*", "-n", "2", "--to-box", "A")
    assert (refused.status, refused.err) == (
        2,
        "Error: Conflicting numbers of copies: 3 in '3 Moth *F*', 2 in the option.\n",
    )
    left = kinds.good("collection", "list", "sort:copies", "--json").json_lines
    assert sorted((one["copies"], one["box"]) for one in left) == [(1, ""), (1, ""), (1, ""), (2, ""), (3, "A")]


@pytest.mark.parametrize("line", ["Moth m10", "M10: Moth", "Moth (Magic 2010) 2", "Moth, Magic 2010"])
def test_show_recognises_known_set_without_brackets(kinds: Shell, line: str) -> None:
    assert kinds.good("show", line, "--json").json["id"] == "mtg:m10/2"
