"""Tests of rematches: the same decks, the next starting player, and a separate file."""

import random
import re
from collections import Counter

import pytest
from helpers.catalogues import Shell
from helpers.game_files import write_deck
from helpers.game_positions import NAMES, every_game
from helpers.made_up import deck_for, options_for

from ccgrid.engine.dice import Dice
from ccgrid.engine.games import find_game
from ccgrid.engine.records.files import read_game
from ccgrid.engine.records.match import Match
from ccgrid.engine.records.record import Record, read_document
from ccgrid.services.match_session import MatchSession
from ccgrid.services.rematch import rematch
from ccgrid.services.seats import computer_seats
from ccgrid.services.session import Session, resume_session
from ccgrid.services.tables import Dealer, reopen

pytest.importorskip("pexpect", reason="needs a pseudo-terminal")

from helpers.terminals import REMATCH_PROMPT, Terminal


def count_cards(table: dict[str, object]) -> list[object]:
    """Count the dealt cards: the shared cards first, and then the deck of each player."""
    texts = [str(card) for key in ("cards", "pile") for card in table.get(key, ())]
    decks = table.get("decks", {})
    return [Counter(texts), *(Counter(map(str, deck)) for deck in decks.values())]


@every_game
@pytest.mark.parametrize("seed", range(4))
def test_rematch_has_the_same_decks_and_options_and_the_next_player_starts(game: str, seed: int) -> None:
    rng, rules = random.Random(seed), find_game(game)
    count = rng.choice(rules.player_counts)
    players = [*NAMES[: count - 1], "greedy"]
    decks = [deck_for(game, rng) for _ in range(rules.decks_needed(count))]
    setup = rules.deal(players, decks, Dice(seed), options=options_for(game, rng))
    first_play = resume_session(Record(setup), computer_seats(players), Dice(0))
    again = rematch(first_play, 7)
    assert again is not None
    session = again.play
    assert isinstance(session, Session)
    before, after = setup.to_table(), session.setup.to_table()
    assert count_cards(after) == count_cards(before)
    assert after != before
    varied = {key: value for key, value in before.items() if key not in ("cards", "pile", "decks", "board", "hands")}
    assert {key: after[key] for key in varied} == varied
    assert session.setup.players == setup.players
    assert session.computers.keys() == {count - 1}
    if setup.first is not None:
        assert session.setup.first == (setup.first + 1) % count
        assert again.starts == players[session.setup.first]
    assert read_document(session.record().to_document()).error is None


def test_each_rematch_is_started_by_next_player() -> None:
    setup = find_game("grid").deal(NAMES[:3], [deck_for("grid", random.Random(1))], Dice(1), first=1)
    play, starts = Session(Record(setup), {}, Dice(1)), []
    for seed in range(3):
        again = rematch(play, seed)
        assert again is not None
        play = again.play
        starts.append(play.setup.first)
    assert starts == [2, 0, 1]


def test_match_rematch_starts_over_with_other_starter() -> None:
    decks = [deck_for("tactics", random.Random(seed)) for seed in (1, 2)]
    dealer = Dealer("tactics", NAMES[:2], decks, {}, computer_seats(("greedy", "Bob")), 5, Dice(5))
    first_play = MatchSession.begin(Match.best_of("tactics", NAMES[:2], 1), dealer.deal)
    while not first_play.session.is_over:
        first_play.session.play(first_play.session.state.legal_moves()[0])
    started = first_play.session.setup.first
    assert first_play.end_game() is not None
    again = rematch(first_play, 6)
    assert again is not None
    assert isinstance(again.play, MatchSession)
    assert again.play.match.records == ()
    assert again.play.session.setup.first == 1 - started
    assert again.play.session.record().match == first_play.match.records[0].match
    assert again.play.session.computers.keys() == {0}


def test_no_rematch_with_unknown_cards() -> None:
    setup = find_game("grid").deal(NAMES[:2], [deck_for("grid", random.Random(1))], Dice(1))
    cards = setup.to_table()["cards"]
    document = {"game": "grid", "players": NAMES[:2], "first": "Ann", "moves": []}
    few = read_document({**document, "players": list(NAMES[:2]), "setup": {"cards": cards[:12]}}).require()
    assert rematch(reopen(few, 1), 2) is None


@pytest.mark.slow
def test_rematch_is_offered_and_has_its_own_file(shell: Shell) -> None:
    deck = write_deck(shell.folder / "deck.toml", deck_for("grid", random.Random(3)), "grid")
    game = Terminal(shell, "--deck", deck, "--seed", "3", "--players", "Ann,Bob", "--record", "game.toml")
    starters = []
    for answer in ("y", "y", "no"):
        game.prompt()
        starters.append(game.child.match[1])
        game.answer("1")
        game.child.sendline("resign")
        game.child.expect(REMATCH_PROMPT)
        named = re.search(r"with the same decks\? (\w+) starts\.", game.child.after)
        assert named is not None
        assert named[1] != starters[-1]
        game.child.sendline(answer)
    game.rest()
    assert game.status == 0
    assert starters in (["Ann", "Bob", "Ann"], ["Bob", "Ann", "Bob"])
    records = [read_game(shell.folder / name) for name in ("game.toml", "game-2.toml", "game-3.toml")]
    assert [record.setup.players[record.setup.first] for record in records] == starters
    assert len({record.setup for record in records}) == 3
    assert len({tuple(sorted(card.name for card in record.setup.cards)) for record in records}) == 1
    assert not (shell.folder / "game-4.toml").exists()


def test_no_rematch_is_offered_in_a_pipe(shell: Shell) -> None:
    out = shell.good("play", "matrix", "--players", "Ann,Bob", "--seed", "1", typed="1\nresign\ny\n").out
    assert "resigns." in out
    assert "Another" not in out
