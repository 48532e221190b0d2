"""Commands on cards by hand: enter one that no source has, correct one that a source has, take that back."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import typer

from catalog import store as stored
from catalog.card import Card, CatalogError
from catalog.custom_card import WHERE, CustomCard, between, read_stat
from catalog.evidence import FACE
from catalog.files import write_whole
from catalog.holding import Place
from ccgrid import services, terminal, view
from ccgrid.commands.completion import complete_card_games, complete_query, complete_sets
from ccgrid.commands.options import AnyCards, Box, Database, Force, Games, Json, waiting
from ccgrid.commands.paths import OUTPUT, tell_written
from ccgrid.services.choices import Choices
from ccgrid.services.outputs import CARDS, PICTURE, check_free
from ccgrid.terminal.choosing import asking
from ccgrid.view.output import note, remark, show, show_json, show_json_lines
from ccgrid.view.streams import input_line, paged

if TYPE_CHECKING:
    from catalog.store.catalogue import Store
    from ccgrid.terminal.entry import FormPrompter

app = typer.Typer()


def _text(*names: str, text: str, completed: Callable[..., list[Any]] | None = None) -> Any:
    return typer.Option(*names, help=text, metavar="TEXT", show_default=False, autocompletion=completed)


_NAMES: Final = {FACE: "other"}
"""What people call a place, where that is another word than the zone's."""


class CardFields(NamedTuple):
    """What is said of a card: its name, its set, and the texts printed on it; None where nothing is."""

    name: Annotated[str | None, _text("--name", text="What it is called.")] = None
    set_code: Annotated[str | None, _text("--set", text="The set that it is from.", completed=complete_sets)] = None
    number: Annotated[
        str | None, _text("--number", text="Its collector number; what is printed of it is in a zone.")
    ] = None
    top_left: Annotated[str | None, _text("--top-left", text="What is printed there, such as 4.")] = None
    top: Annotated[str | None, _text("--top", text="The same at the top.")] = None
    top_right: Annotated[str | None, _text("--top-right", text="The same in this corner.")] = None
    left: Annotated[str | None, _text("--left", text="The same on this side.")] = None
    right: Annotated[str | None, _text("--right", text="The same on this side.")] = None
    bottom_left: Annotated[str | None, _text("--bottom-left", text="The same in this corner.")] = None
    bottom: Annotated[str | None, _text("--bottom", text="The same at the bottom.")] = None
    bottom_right: Annotated[str | None, _text("--bottom-right", text="The same; several numbers: 2,3.")] = None
    other: Annotated[str | None, _text("--other", text="Whatever is printed elsewhere: 3,5.")] = None
    number_at: Annotated[str | None, _text("--number-at", text="Where its number is printed and counts: bl.")] = None
    attack: Annotated[str | None, _text("--attack", text="0 to 10, where a game plays by it.")] = None
    defense: Annotated[str | None, _text("--defense", text="0 to 10, where a game plays by it.")] = None

    def fields(self) -> dict[str, Any]:
        """The same as fields of a `CustomCard`; raises a usage error where a place or a value is none."""
        texts = {"name": self.name, "set_code": self.set_code, "collector_number": self.number}
        given: dict[str, Any] = {key: text.strip() for key, text in texts.items() if text is not None}
        printed = ((place, getattr(self, _NAMES.get(place, place.replace("-", "_")))) for place in WHERE)
        if places := {place: text for place, text in printed if text is not None}:
            given["printed"] = places
        if self.number_at is not None:
            place = terminal.entry.read_place(self.number_at) if self.number_at.strip() else ""
            if place is None:
                raise typer.BadParameter(f"{self.number_at!r} is not a place; there are {', '.join(WHERE)}")
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
    """Enter a card; without options, by answers, at a terminal.

    Numbers are read by the house rules. No import changes the card.

    Example: ccgrid card add --game arcadia --name Griffin --top-left 4 --bottom-right 7 --other 3,5
    """
    fields = about.fields()
    if game is not None:
        fields["game"] = game.strip().lower()
    given, asks = _given(CustomCard(), fields, as_json, "--game and --name say which card it is"), not fields
    while True:
        copies, where = terminal.entry.ask_owned(_voice()) if asks and own is None else (own or 0, box)
        place = Place(where, "", "")
        card, namesakes = services.collection.enter_card(given, database, waiting, copies=copies, place=place)
        more = " more" if card in namesakes else ""
        owned = f" You own {copies}{more} of it{f', in {where}' if where else ''}." if copies else ""
        said = f"{_entered(card, namesakes)}{owned}"
        if not asks:
            _show(card, given, as_json, said)
            return
        show(said, "")
        following = terminal.entry.fill_next(CustomCard(game=given.game, set_code=given.set_code), _voice())
        if following is None:
            return
        given = following


def _entered(card: Card, namesakes: Sequence[Card]) -> str:
    """What became of an entry, beside the cards of its name that were entered before it."""
    if card in namesakes:
        return f"It is entered already, as {card.id}."
    if not namesakes:
        return f"Entered as {card.id}."
    others = ", ".join(f"{one.id} ({one.set_code})" if one.set_code else one.id for one in namesakes[:3])
    return f"Entered as {card.id}, another card than {others}: they differ in numbers or set."


@app.command()
def edit(
    words: CardWords,
    *,
    about: CardFields,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Change what is given of a card, keep the rest.

    '' takes back what was there. The card keeps its id, and with it its place in decks and in the collection. On a
    source's card it is a correction, which holds through every import until 'card remove' takes it back.

    Example: ccgrid card edit arcadia:hand/griffin --top-left 5 --other ''
    """
    fields = about.fields()
    needed = "say what to change, such as --top-left 5"
    with stored.catalogue.Store(services.catalogue.catalogue_path(database)) as store:
        card = _meant(store, words, as_json)
        if stored.custom_cards.is_entered(store, card):
            before = stored.custom_cards.entered_card(store, card)
            given = _given(before, fields, as_json, needed)
            changed = stored.custom_cards.change_card(store, before, card, given)
            said = f"Changed {card}."
        else:
            before = stored.custom_cards.before_correction(store, card)
            given = _given(before, fields, as_json, needed)
            changed = stored.custom_cards.correct(store, card, between(before, given))
            said = f"Corrected {card}; ccgrid card remove {card} takes that back."
    _show(changed, given, as_json, said)


@app.command("list")
def list_(database: Database = None, as_json: Json = False) -> None:
    """List the cards that were entered or corrected by hand.

    Example: ccgrid card list
    """
    with stored.catalogue.Store(services.catalogue.catalogue_path(database)) as store:
        found, corrected = stored.custom_cards.entered_cards(store), stored.custom_cards.corrections(store)
        kept = {card.id: card for card in store.cards(list(corrected))}
    if as_json:
        show_json_lines(stored.custom_cards.entered_json(found, kept, corrected))
        return
    if not found and not corrected:
        show("No card was entered by hand. Enter one with: ccgrid card add")
    with paged():
        if found:
            view.lists.show_cards(found)
        view.lists.show_corrected(kept, corrected)


@app.command()
def remove(words: CardWords, database: Database = None, as_json: Json = False) -> None:
    """Take a card out that was entered by hand, or back what was corrected.

    Example: ccgrid card remove arcadia:hand/griffin
    """
    with stored.catalogue.Store(services.catalogue.catalogue_path(database)) as store:
        card = _meant(store, words, as_json)
        is_own = stored.custom_cards.is_entered(store, card)
        removed = (stored.custom_cards.remove_card if is_own else stored.custom_cards.forget_correction)(store, card)
    if as_json:
        show_json(removed.to_dict())
        return
    if not is_own:
        show(f"{removed.name} ({removed.id}) is again as its source has it.")
        return
    show(f"Removed {removed.name} ({removed.id}).")


def _meant(store: "Store", words: list[str], as_json: bool) -> str:
    """The id of the card that somebody named; at a terminal they are asked where cards of several games are."""
    card, said = services.finding.card_meant(store, " ".join(words), Choices(asking(as_json=as_json)))
    if said:
        remark(said)
    return card


def _given(card: CustomCard, fields: dict[str, Any], as_json: bool, needed: str) -> CustomCard:
    """The card with these fields; at a terminal, where there are none, with what a person answers."""
    if fields:
        given = replace(card, **{**fields, "printed": {**card.printed, **fields.get("printed", {})}})
        if problems := given.problems():
            raise typer.BadParameter(" ".join(problems))
        return given
    if as_json or sys.stdin is None or not sys.stdin.isatty():
        raise typer.BadParameter(f"nothing is said of the card: {needed}")
    filled = terminal.entry.fill_in(card, _voice())
    if filled is None:
        remark("Left; nothing is changed.")
        raise typer.Exit
    return filled


def _voice() -> "FormPrompter":
    """The form at a terminal."""
    return terminal.entry.FormPrompter(
        ask=lambda prompt: input_line(f"{prompt}> "),
        draw=lambda card: show("", view.card.draw_card(card.card(), card.numbers())),
        say=show,
    )


def _show(card: Card, given: CustomCard, as_json: bool, said: str) -> None:
    """Print the card that is now in the catalogue, and what each text on it came to."""
    for place, text in given.without_numeral():
        remark(f"No number in {text!r} ({place}).")
    if as_json:
        show_json(card.to_dict())
        return
    view.card.show_card(card, given.numbers())
    remark(f"{said} It is kept through every import: ccgrid show {card.id}")


@app.command()
def search(
    query: Annotated[
        list[str],
        typer.Argument(
            help="Words of a name, which may be misspelt, or a query: 'dragon tl>=7 -is:promo'.",
            autocompletion=complete_query,
        ),
    ],
    games: Games = None,
    legal: Annotated[bool, typer.Option("--legal", help="Only cards that may be in a deck.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many at most.")] = 20,
    everything: Annotated[bool, typer.Option("--all", help="All of them, however many.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Find cards by name, tolerant of misspelling, or by a query.

    Example: ccgrid search 'lightening bolt'
    """
    text = " ".join(query)
    found = services.finding.search(database, text, games or (), legal=legal, limit=None if everything else limit)
    if as_json:
        show_json_lines(card.to_dict() for card in found.cards)
    else:
        with paged():
            view.lists.show_cards(found.cards)
    if len(found.cards) < found.total:
        remark(f"{len(found.cards):,} of {found.total:,} cards; --all shows all, --limit as many as you say.")


@app.command("show")
def show_card(
    card: Annotated[list[str], typer.Argument(help="A card's id, such as mtg:m10/146, or its name.")],
    game: Games = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Draw one card, and explain each of its numbers.

    Of several cards with one name it is the one that you own, or of the game or set behind it: 'Griffin (wyvern)'.

    Example: ccgrid show Lightning Bolt --game mtg
    """
    found = services.finding.explained(database, " ".join(card), game or (), Choices(asking(as_json=as_json)))
    if as_json:
        show_json(found.to_dict())
        return
    view.card.show_card(found.card, found.numbers)
    if found.corrected:
        words = ", ".join(found.corrected.words())
        remark(f"Corrected by hand: {words}. ccgrid card remove {found.card.id} takes that back.")
    if found.remark:
        remark(found.remark)
    if found.others > 0:
        printings = "1 more printing" if found.others == 1 else f"{found.others} more printings"
        note(f"{printings}: ccgrid search {found.card.name!r} --game {found.card.game}")


@app.command()
def stats(
    query: AnyCards = None,
    plot: Annotated[
        bool, typer.Option("--plot", help="Draw bars by game, set and year, and a heat map of the zones.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", click_type=OUTPUT, help="Write the drawing here, as SVG.", show_default=False),
    ] = None,
    force: Force = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Count the cards held, legal and barred by reason, by game.

    Example: ccgrid stats 'year<1998'
    """
    if output is not None:
        check_free(output, PICTURE, force=force)
    plot = plot or output is not None
    counted = services.finding.stats(database, " ".join(query or ()), plots=plot)
    if output is not None:
        write_whole(output, view.plots.plots_svg(counted))
        tell_written(output)
    elif as_json:
        show_json(counted)
    elif plot and counted["cards"]:
        view.plots.show_plots(counted)
    else:
        view.reports.show_stats(counted)


@app.command()
def export(
    query: AnyCards = None,
    games: Games = None,
    legal: Annotated[bool, typer.Option("--legal", help="Only cards that may be in a deck.")] = False,
    form: Annotated[
        str, typer.Option("--format", help="jsonl or csv.", show_default="csv where -o names a .csv, else jsonl")
    ] = "",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", click_type=OUTPUT, help="A file, in place of standard output.", show_default=False
        ),
    ] = None,
    force: Force = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Print the cards as JSON Lines or CSV.

    Example: ccgrid export 'legal score>20' --format csv -o strong.csv
    """
    form = "jsonl" if as_json else form or view.export.format_of(output)
    if form not in view.export.WRITERS:
        raise typer.BadParameter(
            f"{form!r} is not a format; there are {', '.join(view.export.WRITERS)}", param_hint="--format"
        )
    if output is not None:
        check_free(output, CARDS, force=force)
    with services.catalogue.open_catalogue(database) as store:
        cards = services.catalogue.chosen_cards(store, games or (), " ".join(query or ()), legal=legal)
        view.export.write_cards(cards, form, output)
