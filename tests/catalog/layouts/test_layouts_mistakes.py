"""Mistakes in a layout are reported with their line and key."""

import pytest
from inline_snapshot import snapshot
from made_up_layouts import LINE, TOP

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.layouts.layout_file import parse_layout

COLUMN = 'is a field such as "Number", a table such as { field = "Name", before = " (" }, or a list of them'
PLACES = "top-left, top, top-right, left, right, bottom-left, bottom, bottom-right and face"
PARTS = "barred, columns, format, game, lackey, name, octgn, playset, printed, slash and stats"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", None, snapshot("game is missing.")),
        (LINE, None, snapshot("game is missing.")),
        (TOP, None, snapshot("no [[printed]] table, so no card would have a number.")),
        ("game = 5\n" + LINE, 1, snapshot("game is a text in quotes.")),
        (
            'game = "Made Up"\n' + LINE,
            1,
            snapshot('game is a short name of lower-case letters, digits, - and _, such as "spellfire".'),
        ),
        (
            'game = "../x"\n' + LINE,
            1,
            snapshot('game is a short name of lower-case letters, digits, - and _, such as "spellfire".'),
        ),
        ("format = 2\n" + TOP + LINE, 1, snapshot("format is 2, but this ccgrid reads format 1.")),
        (TOP + 'slash = "half"\n' + LINE, 2, snapshot("slash is 'half'; it is one of fraction and stats.")),
        (TOP + "name = 1\n" + LINE, 2, snapshot("name is a text in quotes.")),
        (
            TOP + "sl4sh = 1\n" + LINE,
            2,
            snapshot(
                "sl4sh is not known; a layout may hold barred, columns, format, game, lackey, name, octgn, "
                "playset, printed, slash and stats."
            ),
        ),
        (
            TOP + LINE + "[other]\nx = 1\n",
            5,
            snapshot(
                "other is not known; a layout may hold barred, columns, format, game, lackey, name, octgn, "
                "playset, printed, slash and stats."
            ),
        ),
        (TOP + "[printed]\nfield = 'x'\n", 2, snapshot("printed is written as tables: [[printed]].")),
        (TOP + "printed = 3\n", 2, snapshot("printed is written as tables: [[printed]].")),
        (TOP + "[[printed]]\nzone = 'top'\n", 2, snapshot("printed[1].field is missing.")),
        (
            TOP + "[[printed]]\nfield = 'x'\n",
            2,
            snapshot(
                "printed[1].zone is missing; it is one of top-left, top, top-right, left, right, bottom-left, "
                "bottom, bottom-right and face."
            ),
        ),
        (
            TOP + LINE + "[[printed]]\nfield = 'x'\nzone = 'middle'\n",
            7,
            snapshot(
                "printed[2].zone is 'middle'; it is one of top-left, top, top-right, left, right, bottom-left, "
                "bottom, bottom-right and face."
            ),
        ),
        (
            TOP + LINE + "zon = 'top'\n",
            5,
            snapshot(
                "printed[1].zon is not known; printed[1] may hold confidence, digits, field, ignore, left_out, "
                "note, only, part, read, slash, text, unless, when and zone."
            ),
        ),
        (
            TOP + LINE + "read = 'upside-down'\n",
            5,
            snapshot("printed[1].read is 'upside-down'; it is one of numbers and collector."),
        ),
        (TOP + LINE + "slash = []\n", 5, snapshot("printed[1].slash is []; it is one of fraction and stats.")),
        (TOP + LINE + "part = 'last'\n", 5, snapshot('printed[1].part belongs to read = "collector".')),
        (
            TOP + LINE + "read = 'collector'\npart = 'middle'\n",
            6,
            snapshot('printed[1].part is \'middle\'; it is "first", "last" or which run of digits counts, from 1.'),
        ),
        (
            TOP + LINE + "read = 'collector'\npart = 0\n",
            6,
            snapshot('printed[1].part is 0; it is "first", "last" or which run of digits counts, from 1.'),
        ),
        (
            TOP + LINE + "read = 'collector'\npart = true\n",
            6,
            snapshot('printed[1].part is True; it is "first", "last" or which run of digits counts, from 1.'),
        ),
        (
            TOP + LINE + "ignore = 0\n",
            5,
            snapshot("printed[1].ignore must be a list of numbers meaning “not printed”, such as [0]."),
        ),
        (
            TOP + LINE + "ignore = ['0']\n",
            5,
            snapshot("printed[1].ignore must be a list of numbers meaning “not printed”, such as [0]."),
        ),
        (
            TOP + LINE + "confidence = 'sure'\n",
            5,
            snapshot("printed[1].confidence is 'sure'; it is one of high, medium and low."),
        ),
        (TOP + LINE + "note = 1\n", 5, snapshot("printed[1].note is a text in quotes.")),
        (
            TOP + LINE + "when = 'always'\n",
            5,
            snapshot('printed[1].when is a table such as { frame = "2015" }, or a list of such tables.'),
        ),
        (
            TOP + LINE + "when = [{}]\n",
            5,
            snapshot('printed[1].when is a table such as { frame = "2015" }, or a list of such tables.'),
        ),
        (
            TOP + LINE + "when = { a = [] }\n",
            5,
            snapshot("printed[1].when.a is a text, a number, true or false, a date, or a list of such values."),
        ),
        (
            TOP + LINE + "when = { a = {} }\n",
            5,
            snapshot("printed[1].when.a is empty; it may hold has, lacks, from, before and present."),
        ),
        (
            TOP + LINE + "when = { a = { is = 1 } }\n",
            5,
            snapshot("printed[1].when.a.is is not known; there are has, lacks, from, before and present."),
        ),
        (TOP + LINE + "when = { a = { from = [1, 2] } }\n", 5, snapshot("printed[1].when.a.from is one value.")),
        (
            TOP + LINE + "when = { a = { present = 'maybe' } }\n",
            5,
            snapshot("printed[1].when.a.present is true or false."),
        ),
        (
            TOP + LINE + "unless = { a = { has = [[1]] } }\n",
            5,
            snapshot("printed[1].unless.a.has is a text, a number, true or false, a date, or a list of such values."),
        ),
        (TOP + LINE + "[[barred]]\nwhen = { a = 1 }\n", 5, snapshot("barred[1].reason is missing.")),
        (
            TOP + LINE + "[[barred]]\nreason = 'ugly'\nwhen = { a = 1 }\n",
            6,
            snapshot('barred[1].reason is "digital", "oversized", "layout:NAME", "layout:{field}" or "data:NAME".'),
        ),
        (
            TOP + LINE + "[[barred]]\nreason = 'layout:{}'\nwhen = { a = 1 }\n",
            6,
            snapshot('barred[1].reason is "digital", "oversized", "layout:NAME", "layout:{field}" or "data:NAME".'),
        ),
        (
            TOP + LINE + "[[barred]]\nreason = 'digital'\n",
            5,
            snapshot("barred[1].when is missing: without it no card would be legal."),
        ),
        (
            TOP + LINE + "[[barred]]\nreason = 'digital'\nwhen = { a = 1 }\nwhy = 1\n",
            8,
            snapshot("barred[1].why is not known; barred[1] may hold reason, unless and when."),
        ),
        (TOP + LINE + "[stats]\nattack = 1\n", 6, snapshot("stats.attack is a text in quotes.")),
        (
            TOP + LINE + "[stats]\nluck = 'x'\n",
            6,
            snapshot("stats.luck is not known; stats may hold attack and defense."),
        ),
        (TOP + "stats = 1\n" + LINE, 2, snapshot("stats is a table: [stats].")),
        (TOP + LINE + "[stats]\ndefense = 1\n", 6, snapshot("stats.defense is a text in quotes.")),
        (TOP + LINE + "[[printed]]\nfield = 1\nzone = 'top'\n", 6, snapshot("printed[2].field is a text in quotes.")),
        (TOP + "barred = 1\n" + LINE, 2, snapshot("barred is written as tables: [[barred]].")),
        (TOP + "columns = 1\n" + LINE, 2, snapshot("columns is a table: [columns].")),
        (TOP + "lackey = 1\n" + LINE, 2, snapshot("lackey is a table: [lackey].")),
        (TOP + LINE + "[columns]\nrows = 1\n", 6, snapshot("columns.rows is a text in quotes.")),
        (TOP + LINE + "[columns]\neach = 1\n", 6, snapshot("columns.each is a text in quotes.")),
        (TOP + LINE + "[columns]\ntrim = 1\n", 6, snapshot("columns.trim is a text in quotes.")),
        (TOP + LINE + "[columns]\nfiles = 1\n", 6, snapshot("columns.files is a list of texts in quotes.")),
        (TOP + LINE + "[columns]\nfiles = ['a', '']\n", 6, snapshot("columns.files is a list of texts in quotes.")),
        (
            TOP + LINE + "[columns]\nname = 1\n",
            6,
            snapshot(
                'columns.name is a field such as "Number", a table such as { field = "Name", before = " (" }, or a '
                "list of them."
            ),
        ),
        (
            TOP + LINE + "[columns]\nname = ''\n",
            6,
            snapshot(
                'columns.name is a field such as "Number", a table such as { field = "Name", before = " (" }, or a '
                "list of them."
            ),
        ),
        (
            TOP + LINE + "[columns]\nid = { field = 1 }\n",
            6,
            snapshot(
                'columns.id is a field such as "Number", a table such as { field = "Name", before = " (" }, or a '
                "list of them."
            ),
        ),
        (TOP + LINE + "[columns]\nname = { before = 'x' }\n", 6, snapshot("columns.name.field is missing.")),
        (
            TOP + LINE + "[columns]\nname = { field = 'x', behind = 'y' }\n",
            6,
            snapshot("columns.name.behind is not known; columns.name may hold after, before, digits, field and part."),
        ),
        (
            TOP + LINE + "[columns]\nname = '{}'\n",
            6,
            snapshot("columns.name has a brace without a field's name in it."),
        ),
        (
            TOP + LINE + "[columns]\nnome = 'x'\n",
            6,
            snapshot(
                "columns.nome is not known; columns may hold artist, collector_number, colours, cost, each, "
                "fields, files, id, identity, ids, keywords, lang, mana_value, name, printed_name, rarity, released, "
                "rows, set_code, set_name, text, trim and type."
            ),
        ),
        (
            TOP + LINE + "[columns]\nids = { My-id = 'x' }\n",
            6,
            snapshot("columns.ids has 'My-id': a kind of id consists of small letters."),
        ),
        (
            TOP + LINE + "[lackey]\nkeeper = 'x'\n",
            5,
            snapshot("lackey needs names or columns to recognise a plugin."),
        ),
        (TOP + LINE + "[octgn]\ngames = []\n", 5, snapshot("octgn needs games, whose ids recognise sets.")),
        (
            TOP + LINE + "[octgn]\nsets = ['x']\n",
            6,
            snapshot("octgn.sets is not known; octgn may hold cases, games and properties."),
        ),
        (
            TOP + LINE + "[octgn]\ngames = 'x'\nproperties = { Attack = 5 }\n",
            7,
            snapshot('octgn.properties is a table of fields, such as { Attack = "atk" }.'),
        ),
        (
            TOP + LINE + "[octgn]\ngames = 'x'\n[[octgn.cases]]\nwhen = { Type = 'Plot' }\nnames = { A = 'b' }\n",
            5,
            snapshot("octgn.names is not known; octgn.cases may hold properties, unless and when."),
        ),
        (TOP + LINE + "[lackey]\nnames = 1\n", 6, snapshot("lackey.names is a list of texts in quotes.")),
        (TOP + LINE + "[lackey]\ncolumns = [1]\n", 6, snapshot("lackey.columns is a list of texts in quotes.")),
        (TOP + LINE + "[lackey]\nnames = 'x'\nkeeper = 1\n", 7, snapshot("lackey.keeper is a text in quotes.")),
        (TOP + LINE + "[lackey]\nnames = 'x'\nupdatelist = 1\n", 7, snapshot("lackey.updatelist is a text in quotes.")),
        (
            TOP + LINE + "[lackey]\nnames = 'x'\nname = 'y'\n",
            7,
            snapshot("lackey.name is not known; lackey may hold columns, keeper, names and updatelist."),
        ),
        (TOP + LINE + f"when = [{'{ a = 1 }, ' * 1001}]\n", 5, snapshot("printed[1].when has over 1000 tables.")),
        (TOP + LINE * 1001, 2, snapshot("printed has over 1000 tables.")),
    ],
)
def test_mistake_is_reported_with_line_and_key(text: str, line: int | None, words: str) -> None:
    with pytest.raises(CatalogError) as caught:
        parse_layout(text, "mine.toml")
    assert str(caught.value).removeprefix(f"mine.toml, line {line}: " if line else "mine.toml: ") == words
