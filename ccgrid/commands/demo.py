"""The whole program once, offline, with the bundled cards."""

from pathlib import Path
from typing import Annotated

import typer

from ccgrid.commands.options import read_seed

app = typer.Typer()


@app.command()
def demo(
    seed: Annotated[
        int, typer.Option("--seed", parser=read_seed, metavar="NUMBER", help="Another seed shows another game.")
    ] = 7,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Keep the deck and the game in this folder.", show_default=False),
    ] = None,
) -> None:
    """Show everything once, offline: card, deck, game and score.

    Example: ccgrid demo
    """
    import tempfile

    if output is not None:
        output.mkdir(parents=True, exist_ok=True)
        _show(seed, output)
        return
    with tempfile.TemporaryDirectory() as folder:
        _show(seed, Path(folder))


def _show(seed: int, folder: Path) -> None:
    from datetime import date

    from catalog.decks.deck import GRID_DECK, Deck, deck_toml
    from catalog.files import write_whole
    from ccgrid.services.bundled import open_bundled
    from ccgrid.services.session import Session
    from ccgrid.view.card import show_card
    from ccgrid.view.decks import show_cards
    from ccgrid.view.games import describe_move, draw_state, standing
    from ccgrid.view.output import show
    from ccgrid.view.scores import show_score
    from engine.dice import Dice
    from engine.games import find_game
    from engine.players import find_player
    from engine.record import Record
    from engine.record_files import read_games

    dice = Dice(seed)
    with open_bundled() as store:
        total = store.stats()
        cards = tuple(store.draw(GRID_DECK, dice))
        sample = max(cards, key=lambda card: (len(card.zones), len(card.face), card.id))
        numbers = store.explain(sample.id)
    show(
        f"1. {total['cards']:,} cards come with ccgrid, {total['legal']:,} of them legal. This is one, and where it",
        "   carries its numbers:",
        "",
    )
    show_card(sample, numbers)
    show("", f"2. Twenty legal cards, drawn at random (seed {seed}), are a deck:", "")
    show_cards("grid", cards)
    deck = folder / "deck.toml"
    write_whole(deck, deck_toml(Deck("Demo", cards, seed)))

    greedy = find_player("greedy")
    setup = find_game("grid").deal(["Ann", "Bob"], [cards], dice)
    table = Session(Record(setup, date=date.today(), seed=seed), {0: greedy, 1: greedy}, dice)
    show("", "3. Nine are turned up. Ann and Bob, two computer players, take turns taking cards:", "")
    show(draw_state("grid", table.state))
    while table.state.outcome() is None:
        before, player = table.state, table.player
        move = table.computer_move()
        show("", f"{len(table.moves)}. {player} plays {move}: {describe_move('grid', before, move)}")
        show(draw_state("grid", table.state, move), standing(table.state))

    record = folder / "game.toml"
    table.save(record)
    show("", f"4. Nobody can move any more. The game is written to {record.name}, checked and scored:", "")
    for reading in read_games(record):
        show_score({**reading.to_dict(), "file": record.name})
    show(
        "",
        "Now you:",
        "  ccgrid play                       play against the computer with these cards",
        "  ccgrid import mtg                 fetch all of Magic: The Gathering",
        "  ccgrid search lightening bolt     find a card",
        "  ccgrid deck new -o deck.toml      a deck of your own",
        "  ccgrid score game.toml            check and score a game you played on the table",
    )
