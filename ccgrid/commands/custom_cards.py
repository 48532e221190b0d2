"""Commands that enter cards, correct cards of sources, and revert both."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import typer

from ccgrid import services, terminal, view
from ccgrid.catalog import store as stored
from ccgrid.catalog.card import Card
from ccgrid.catalog.card_answers import PrintedNumber, entered_cards, entered_numbers, shown_card
from ccgrid.catalog.custom_card import CustomCard, read_stat
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.formatting import shell_word
from ccgrid.catalog.holding import Place
from ccgrid.catalog.sources import find_card_game
from ccgrid.catalog.zones import FACE, PLACES, parse_place
from ccgrid.commands.copy_options import Box
from ccgrid.commands.lazy import CommandModule
from ccgrid.commands.options import Database, Json, complete_card_games, complete_sets, waiting
from ccgrid.view.output import remark, show, show_json, show_json_lines
from ccgrid.view.streams import can_ask, input_line

if TYPE_CHECKING:
    from ccgrid.catalog.store.catalogue import Store
    from ccgrid.terminal.entry import FormPrompter

app = CommandModule()


def _text(*names: str, text: str, completed: Callable[..., list[Any]] | None = None) -> Any:
    return typer.Option(*names, help=text, metavar="TEXT", show_default=False, autocompletion=completed)


_NAMES: Final = {FACE: "other"}
"""Option names of places that differ from the zone's name."""
_KEPT: Final = "Imports do not change it."


class CardFields(NamedTuple):
    """Options for a card: its name, its set, and its printed texts; None if not given."""

    name: Annotated[str | None, _text("--name", text="The card's name.")] = None
    set_code: Annotated[str | None, _text("--set", text="Its set.", completed=complete_sets)] = None
    number: Annotated[
        str | None, _text("--number", text="Its collector number; --number-at says where it is printed.")
    ] = None
    top_left: Annotated[str | None, _text("--top-left", text="What is printed at the top left, such as 4.")] = None
    top: Annotated[str | None, _text("--top", text="What is printed at the top.")] = None
    top_right: Annotated[str | None, _text("--top-right", text="What is printed at the top right.")] = None
    left: Annotated[str | None, _text("--left", text="What is printed at the left.")] = None
    right: Annotated[str | None, _text("--right", text="What is printed at the right.")] = None
    bottom_left: Annotated[str | None, _text("--bottom-left", text="What is printed at the bottom left.")] = None
    bottom: Annotated[str | None, _text("--bottom", text="What is printed at the bottom.")] = None
    bottom_right: Annotated[
        str | None, _text("--bottom-right", text="What is printed at the bottom right; several numbers: 2,3.")
    ] = None
    other: Annotated[str | None, _text("--other", text="Numbers printed elsewhere: 3,5.")] = None
    number_at: Annotated[str | None, _text("--number-at", text="Zone where the collector number is printed: bl.")] = (
        None
    )
    attack: Annotated[str | None, _text("--attack", text="0 to 10, for games that use it.")] = None
    defense: Annotated[str | None, _text("--defense", text="0 to 10, for games that use it.")] = None

    def fields(self) -> dict[str, object]:
        """Return the options as fields of a `CustomCard`; raise a usage error for an invalid place or value."""
        texts = {"name": self.name, "set_code": self.set_code, "collector_number": self.number}
        given: dict[str, object] = {key: text.strip() for key, text in texts.items() if text is not None}
        printed = ((place, getattr(self, _NAMES.get(place, place.replace("-", "_")))) for place in PLACES)
        if places := {place: text for place, text in printed if text is not None}:
            given["printed"] = places
        if self.number_at is not None:
            place = parse_place(self.number_at)
            if place is None:
                raise typer.BadParameter(f"{self.number_at!r} is not a place; use one of {', '.join(PLACES)}")
            given["number_at"] = place
        for key, text in (("attack", self.attack), ("defense", self.defense)):
            if text is not None:
                try:
                    given[key] = read_stat(text)
                except CatalogError as error:
                    raise typer.BadParameter(str(error), param_hint=f"--{key}") from None
        return given


CardWords = Annotated[
    list[str], typer.Argument(metavar="CARD", help="A card's id, such as mtg:hand/my-card, or its name.")
]


@app.command()
def add(
    game: Annotated[
        str | None, _text("--game", "-g", text="The card game, such as mtg.", completed=complete_card_games)
    ] = None,
    *,
    about: CardFields,
    own: Annotated[
        int | None, typer.Option("--own", min=0, help="Put this many copies into your collection.", show_default=False)
    ] = None,
    box: Box = "",
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Enter a card; at a terminal, without options, it asks.

    Numbers are read by the house rules. Imports do not change the card.

    Example: ccgrid card add --game arcadia --name Griffin --top-left 4 --bottom-right 7 --other 3,5
    """
    fields = about.fields()
    if game is not None:
        fields["game"] = find_card_game(game)
    asks = not fields
    given = _card_with(CustomCard(), fields, as_json, "name the game and the card with --game and --name")
    while True:
        copies, where = terminal.entry.ask_owned(_voice()) if asks and own is None else (own or 0, box)
        place = Place(where, "", "")
        card, namesakes = services.collection.enter_card(given, database, waiting, copies=copies, place=place)
        more = " more" if card in namesakes else ""
        owned = f" You own {copies}{more} of it{f', in {where}' if where else ''}." if copies else ""
        said = f"{_entry_outcome(card, namesakes)}{owned}"
        if not asks:
            _show(card, entered_numbers(given), as_json, f"{said} {_KEPT}")
            return
        show(said, "")
        following = terminal.entry.fill_next(CustomCard(game=given.game, set_code=given.set_code), _voice())
        if following is None:
            return
        given = following


def _entry_outcome(card: Card, namesakes: Sequence[Card]) -> str:
    """Describe the outcome of an entry, with entered cards of the same name."""
    if card in namesakes:
        return f"This card exists already: {card.id}."
    if not namesakes:
        return f"Entered as {card.id}."
    others = ", ".join(f"{one.id} ({one.set_code})" if one.set_code else one.id for one in namesakes[:3])
    return f"Entered as {card.id}. It has the same name as {others}, but other numbers or another set."


@app.command()
def edit(
    words: CardWords,
    *,
    about: CardFields,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Change the given fields of a card; keep the rest.

    '' clears a field. The card keeps its id, so decks and the collection keep it too. On a card of a source this is a
    correction, which imports keep until 'card remove' reverts it.

    Example: ccgrid card edit arcadia:hand/griffin --top-left 5 --other ''
    """
    fields: dict[str, Any] = about.fields()
    needed = "name a change, such as --top-left 5"
    with stored.catalogue.Store(services.catalogue.catalogue_path(database)) as store:
        card = _card_id(store, words, as_json)
        done = stored.card_edits.edit_card(
            store, card, lambda before: _card_with(before, fields, as_json, needed), named=fields.get("printed", {})
        )
        numbers = store.explain(card)
    said = f"{'Corrected' if done.is_corrected else 'Changed'} {card}. {_KEPT}"
    said = said if done.is_changed else f"{card} already has these values."
    _show(done.card, numbers, as_json, said)


@app.command("list")
def list_(database: Database = None, as_json: Json = False) -> None:
    """List the cards entered or corrected by hand.

    Example: ccgrid card list
    """
    with stored.catalogue.Store(services.catalogue.catalogue_path(database)) as store:
        found, corrected = stored.custom_cards.entered_cards(store), stored.corrections.corrections(store)
        cards_now = {card.id: card for card in store.cards(list(corrected))}
    if as_json:
        show_json_lines(entered_cards(found, cards_now, corrected))
        return
    if not found and not corrected:
        show("No card was entered by hand. To enter one: ccgrid card add")
    if found:
        view.lists.show_card_list(found)
    view.lists.show_corrected(cards_now, corrected)


@app.command()
def remove(words: CardWords, database: Database = None, as_json: Json = False) -> None:
    """Remove a card entered by hand, or revert a correction.

    Example: ccgrid card remove arcadia:hand/griffin
    """
    with stored.catalogue.Store(services.catalogue.catalogue_path(database)) as store:
        card = _card_id(store, words, as_json)
        is_own = stored.custom_cards.is_entered(store, card)
        removed = (stored.custom_cards.remove_card if is_own else stored.corrections.forget_correction)(store, card)
    if as_json:
        show_json(shown_card(removed))
        return
    if not is_own:
        show(f"{removed.name} ({removed.id}) has its source's values again.")
        return
    show(f"Removed {removed.name} ({removed.id}).")


def _card_id(store: "Store", words: list[str], as_json: bool) -> str:
    """Return the id of the named card; at a terminal, ask if several games have one."""
    choices = services.choices.Choices(terminal.choosing.interactive_chooser(as_json=as_json))
    card, said = services.catalogue.card_meant(store, " ".join(words), choices)
    if said:
        remark(said)
    return card


def _card_with(card: CustomCard, fields: dict[str, Any], as_json: bool, needed: str) -> CustomCard:
    """Return the card with these fields; without fields, ask at a terminal."""
    if fields:
        ask = None if as_json or not can_ask() else _voice().ask
        printed = terminal.clarifying.clarify(fields.get("printed", {}), ask, show if ask else remark)
        given = replace(card, **{**fields, "printed": {**card.printed, **printed}})
        if problems := given.problems():
            raise typer.BadParameter(" ".join(problems))
        return given
    if as_json or not sys.stdin.isatty():
        raise typer.BadParameter(needed)
    filled = terminal.entry.fill_in(card, _voice())
    if filled is None:
        remark("Cancelled; nothing changed.")
        raise typer.Exit
    return filled


def _voice() -> "FormPrompter":
    """Return a prompter for this terminal."""
    return terminal.entry.FormPrompter(
        ask=lambda prompt: input_line(f"{prompt}> "),
        draw=lambda card: show("", view.card.draw_card(card.card(), entered_numbers(card))),
        say=show,
    )


def _show(card: Card, numbers: Sequence[PrintedNumber], as_json: bool, said: str) -> None:
    """Print the card that is now in the catalogue, and where each of its numbers comes from."""
    if as_json:
        show_json(shown_card(card))
        return
    view.card.show_card(card, numbers)
    remark(f"{said} See: ccgrid show {shell_word(card.id)}")
