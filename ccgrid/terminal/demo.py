"""The demo at a terminal: a card, a deck, a game move by move, and its score, each with a sentence."""

from pathlib import Path

from ccgrid.engine.records.files import read_games
from ccgrid.services.session import DEMO_DECK, DEMO_GAME, DEMO_RECORD, demonstration, next_steps, plies_in
from ccgrid.view.card import show_card
from ccgrid.view.decks import show_cards
from ccgrid.view.games import describe_move, draw_state, standing
from ccgrid.view.output import show
from ccgrid.view.reports import show_score
from ccgrid.view.streams import can_ask, input_line


def _turn_page() -> None:
    """Waits at a terminal until somebody has seen it: a screen at a time."""
    if can_ask():
        input_line("Press Enter to continue> ")


def show_demo(seed: int, folder: Path, *, kept: bool) -> None:
    """Shows everything once; the deck and the game are written into the folder, and `kept` there or thrown away."""
    demo = demonstration(seed)
    stats, table = demo.stats, demo.session
    show(
        f"1. {stats['cards']:,} cards come with ccgrid, {stats['legal']:,} of them legal. This is one of them:",
        "",
    )
    show_card(demo.sample, demo.numbers)
    _turn_page()
    show("", f"2. Twenty legal cards, drawn at random (seed {seed}), are a deck:", "")
    show_cards(DEMO_GAME, demo.cards)
    demo.write_deck(folder / DEMO_DECK, seed)

    _turn_page()
    show("", "3. Nine are turned up. Two computer players, Ann and Bob, take turns:", "")
    show(draw_state(DEMO_GAME, table.state))
    while not table.is_over:
        for ply in plies_in(table.advance()):
            show(
                "",
                f"{len(table.moves)}. {ply.player} plays {ply.move}: {describe_move(DEMO_GAME, ply.state, ply.move)}",
            )
            show(draw_state(DEMO_GAME, table.state, ply.move), standing(table.state))
            _turn_page()

    record = folder / DEMO_RECORD
    table.save(record)
    written = f"is written to {record}" if kept else "can be written to a file"
    show("", f"4. Nobody can move now. The game {written}, checked and scored:", "")
    for reading in read_games(record):
        show_score({**reading.to_dict(), "file": str(record) if kept else DEMO_RECORD})
    steps = next_steps(folder if kept else None)
    width = max(len(step.command) for step in steps)
    show("", "Now you:", *(f"  {step.command:{width}}  {step.about}" for step in steps))
