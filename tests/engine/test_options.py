"""Tests of the options that games declare: parsing, validation, records, documentation and commands."""

import re

import msgspec
import pytest
from helpers.catalogues import Shell
from helpers.made_up import CARDS, variants_of

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, UnknownNameError
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.options import YES_OR_NO, Option
from ccgrid.engine.records.record import Record, read_document
from ccgrid.view.games import OptionAnswer

OPTIONS = [(game, option) for game in GAMES.names for option in find_game(game).options]
every_option = pytest.mark.parametrize(("game", "option"), OPTIONS, ids=lambda one: getattr(one, "name", one))
every_variant = pytest.mark.parametrize(
    ("game", "options"), [(game, options) for game in GAMES.names for options in variants_of(game)], ids=str
)


def deal(game, options):
    rules = find_game(game)
    decks = rules.decks.random_decks(CARDS, rules.decks_needed(2), {})(Dice(1)) if rules.decks else []
    return rules.deal(("Ann", "Bob"), decks, Dice(1), options=options)


@every_option
def test_defaults_and_samples_are_allowed_and_documented(game, option):
    option.check(option.default)
    for number in range(20):
        option.check(option.sample(Dice(number)))
    assert re.search(rf"`{option.name}\b", find_game(game).pictures.rules_page())
    assert option.about


@every_option
def test_typed_values_are_parsed(game, option):
    for number in range(20):
        value = option.sample(Dice(number))
        assert option.read(str(value).lower() if isinstance(value, bool) else str(value)) == value


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (Option("dark", YES_OR_NO, False, ""), "", True),
        (Option("dark", YES_OR_NO, False, ""), "On", True),
        (Option("dark", YES_OR_NO, True, ""), "no", False),
        (Option("dark", YES_OR_NO, False, ""), "1", "1"),
        (Option("moons", range(5), 0, ""), "-3", -3),
        (Option("moons", range(5), 0, ""), "three", "three"),
        (Option("moons", range(5), 0, ""), "9" * 30, "9" * 30),
        (Option("phase", ("3", "4"), "3", ""), "4", "4"),
    ],
)
def test_text_is_parsed_by_type_of_option(option, text, value):
    assert option.read(text) == value


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"moons": 5}, "the option moons must be 0 to 4, not 5"),
        ({"moons": "5"}, 'the option moons must be a whole number, not the text "5"'),
        ({"phase": "5"}, 'the option phase must be "3" or "4", not "5"'),
        ({"dark": 1}, "the option dark must be true or false, not the number 1"),
    ],
)
def test_invalid_option_values_are_rejected(monkeypatch, value, message):
    declared = (
        Option("moons", range(5), 0, ""),
        Option("phase", ("3", "4"), "3", ""),
        Option("dark", YES_OR_NO, False, ""),
    )
    game = GAMES[0]
    monkeypatch.setattr(type(game), "options", declared)
    with pytest.raises(EngineError, match=f"^{re.escape(message)}$"):
        game.option_values(value)
    with pytest.raises(UnknownNameError, match='no option "stars": it has moons, phase, dark'):
        game.option_values({"stars": 1})


@every_variant
def test_records_and_positions_contain_non_default_options(game, options):
    rules, setup = find_game(game), deal(game, options)
    declared = {option.name for option in rules.options}
    assert {name: value for name, value in setup.to_table().items() if name in declared} == options
    assert setup.start().variant.items() <= options.items()
    again = read_document(Record(setup, ()).to_document()).require()
    assert again.setup == setup
    assert again.setup.to_table() == setup.to_table()


@every_option
def test_record_with_invalid_option_value_is_rejected(game, option):
    document = Record(deal(game, {}), ()).to_document()
    for value in (None, [], "no such value", -1, 10**30):
        if value in option.values:
            continue
        document["setup"][option.name] = value
        error = read_document(document).error
        assert error is not None
        assert error.where == f"setup.{option.name}"


def test_rules_json_lists_options_and_wrong_one_is_usage_error(shell: Shell):
    for game in GAMES.names:
        options = shell.good("rules", game, "--json").json["options"]
        assert options == [msgspec.to_builtins(OptionAnswer.of(option)) for option in find_game(game).options]
        assert shell.good("rules", game, "--json").json["named"] == [
            {"name": named.name, "values": dict(named.values), "about": named.about}
            for named in find_game(game).named_rules
        ]
    wrong = shell("simulate", "grid", "-n", "1", "--option", "center=true")
    assert (wrong.status, wrong.out) == (2, "")
    assert 'grid has no option "center": it has komi, order, empty-pile, turn' in wrong.err
    shell("simulate", "grid", "-n", "1", "--option", "komi=many").misuses(
        'the option komi must be a whole number, not the text "many"'
    )


def test_evening_rules_are_played_and_recorded(shell: Shell):
    evening, deck, file = ("--option", "rules=evening"), shell.folder / "deck.toml", shell.folder / "game.toml"
    shell.good("deck", "new", "--seed", "3", "-o", deck)
    game = ("--deck", deck, "--players", "greedy,random", *evening)
    shell.good("play", "grid", *game, "--seed", "4", "-o", file)
    text = file.read_text("utf-8")
    assert 'order = "1-2-2"\n' in text
    assert 'turn = "clockwise"\n' in text
    assert "evening" not in text
    assert "Valid" in shell.good("validate", file).out
    code = shell.good("code", file).out.strip()
    assert len({str(shell.good("score", source, "--json").json["scores"]) for source in (code, file)}) == 1
    # The core supports the options, so that no notice about slower rules is printed.
    assert "slower" not in shell.good("simulate", "grid", "-n", "20", *game, "--seed", "1").err
    contradiction = shell("simulate", "grid", "-n", "1", *evening, "--option", "order=1-1-1")
    assert contradiction.status != 0
    assert "rules=evening means order=1-2-2, not order=1-1-1" in contradiction.err
    unknown = shell("simulate", "tactics", "-n", "1", *evening)
    assert 'no option "rules"' in unknown.err


@pytest.mark.parametrize(
    "words",
    [
        ("play", "grid", "--players", "greedy,random", "--seed", "1"),
        ("simulate", "grid", "-n", "2", "--seed", "1", "--json"),
        ("arena", "grid", "--players", "greedy,random", "-n", "2", "--seed", "1", "--json"),
        ("table", "deck.toml", "--players", "Ann,Bob"),
    ],
    ids=lambda words: words[0],
)
def test_every_command_with_options_takes_evening_rules(shell: Shell, words, monkeypatch):
    monkeypatch.chdir(shell.folder)
    shell.good("deck", "new", "--seed", "3", "-o", "deck.toml")
    named, listed = (
        shell(*words, *options, typed="quit\n")
        for options in (
            ("--option", "rules=evening"),
            ("--option", "turn=clockwise", "--option", "order=1-2-2"),
        )
    )
    speed = re.compile(r'"games_per_second": [^}]*')
    assert (named.status, speed.sub("", named.out)) == (listed.status, speed.sub("", listed.out))
    assert "Error" not in named.err


def test_house_rules_are_compared_with_evening_rules(shell: Shell):
    shown = [
        shell.good("arena", "grid", "--players", "greedy", "-n", "4", "--seed", "1", *options).out.split()
        for options in (
            ("--against-option", "rules=evening"),
            ("--against-option", "turn=clockwise", "--against-option", "order=1-2-2"),
        )
    ]
    named, listed = shown
    assert named[named.index("share") :] == listed[listed.index("share") :]


@pytest.mark.parametrize(
    "words",
    [
        ("validate",),
        ("score",),
        ("replay",),
        ("solve", "--after", "8"),
        ("advise", "--after", "8", "--think", "0.1"),
        ("analyze", "--think", "0.1"),
        ("code",),
    ],
    ids=lambda words: words[0],
)
def test_every_command_that_reads_games_reads_evening_rules(shell: Shell, words, monkeypatch):
    monkeypatch.chdir(shell.folder)
    evening = ("--option", "rules=evening", "--seed", "4")
    shell.good("play", "grid", "--players", "greedy,random", *evening, "-o", "game.toml")
    shell.good(words[0], "game.toml", *words[1:])
