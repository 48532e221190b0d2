"""The form in which a person at a terminal enters cards: one answer a line, and said at once what it came to."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from catalog.card import CatalogError
from catalog.custom_card import CustomCard, read_stat
from ccgrid.terminal.card_lines import read_place, read_places
from ccgrid.view.words import reason_in_words

HELP: Final = """Type what is printed where, with the card upright: tl 4 br 7, or 4 top left, 7 bottom right.
  tl t tr l r bl b br   its corners and sides, also in words; of two numbers in one: br 2,3
  face                  whatever is printed elsewhere: face 3,5
  attack, defense       for games that play by it: attack 3
  name, set, number     what it is called, and where it is from
  at                    where its collector number is printed: at bl
  draw                  draws the card
A word alone takes back what was there. Enter keeps the card, quit leaves it."""

_FIRST: Final = (("game", "Game, such as mtg"), ("name", "Name"), ("set_code", "Set"), ("collector_number", "Number"))
_WORDS: Final = {"name": "name", "set": "set_code", "number": "collector_number"}


@dataclass(frozen=True, slots=True)
class FormPrompter:
    """How the form talks to a person: asks for a line after a prompt, shows the card so far, says something."""

    ask: Callable[[str], str]
    draw: Callable[[CustomCard], None]
    say: Callable[[str], None]


def fill_in(card: CustomCard, voice: FormPrompter) -> CustomCard | None:
    """Asks until the card is one that can be kept, draws and returns it; None where the person leaves it."""
    if not card.name:
        for key, prompt in _FIRST:
            if not getattr(card, key):
                card = _first(card, key, prompt, voice)
        if card.collector_number:
            card = _numbered(card, voice)
    else:
        voice.draw(card)
    voice.say(HELP)
    return _printed(card, voice)


def _printed(card: CustomCard, voice: FormPrompter) -> CustomCard | None:
    """The card with what is printed on it, which is asked for until Enter keeps it; None where it is left."""
    while (line := voice.ask("Printed").strip()) not in ("quit", "q"):
        if not line:
            if not (problems := card.problems()):
                voice.draw(card)
                return card
            voice.say("\n".join(problems))
        elif line == "draw":
            voice.draw(card)
        else:
            try:
                card, said = _answer(card, line)
                voice.say(f"{said} {standing(card)}")
            except CatalogError as error:
                voice.say(str(error))
    return None


def fill_next(card: CustomCard, voice: FormPrompter) -> CustomCard | None:
    """The card after the last one, of the same game and set; None where Enter says that there is none."""
    while name := voice.ask("Next card, its name; Enter ends").strip():
        named, problem = _sound(card, "name", name)
        if problem:
            voice.say(problem)
            continue
        named = _first(named, "collector_number", "Number", voice)
        return _printed(_numbered(named, voice) if named.collector_number else named, voice)
    return None


def ask_owned(voice: FormPrompter) -> tuple[int, str]:
    """How many copies the person owns, and in which box they are; none and nowhere where Enter answers."""
    while not (text := voice.ask("Copies that you own, Enter for none").strip() or "0").isdecimal() or len(text) > 6:
        voice.say("A whole number, such as 1.")
    copies = int(text)
    return copies, voice.ask("Box, Enter for none").strip() if copies else ""


def standing(card: CustomCard) -> str:
    """Whether the card may be in decks, and if not why.

    >>> standing(CustomCard("arcadia", "Griffin", printed={"top": "2,3"}))
    'Barred: more than one number at the top (rule 9).'
    """
    reason = card.reading().reason
    return "Legal." if reason is None else f"Barred: {reason_in_words(reason)}."


def _numbered(card: CustomCard, voice: FormPrompter) -> CustomCard:
    """The card with the place where its collector number is printed, in which it counts."""
    while text := voice.ask("The number is printed at (tl … br, Enter for nowhere)").strip():
        if (place := read_place(text)) is not None:
            return replace(card, number_at=place)
        voice.say("tl t tr l r bl b br, or face.")
    return card


def _first(card: CustomCard, key: str, prompt: str, voice: FormPrompter) -> CustomCard:
    """The card with one of its first answers, which is asked for until it is one."""
    while True:
        told = _sound(card, key, voice.ask(prompt).strip())
        if not told[1]:
            return told[0]
        voice.say(told[1])


def _sound(card: CustomCard, key: str, text: str) -> tuple[CustomCard, str]:
    """The card with an answer, and what is wrong with that; what has not been asked yet does not matter."""
    answered = _with(card, key, text)
    whole = _with(CustomCard(game="any", name="any"), key, text)
    return answered, " ".join(whole.problems())


def _with(card: CustomCard, key: str, text: str) -> CustomCard:
    return replace(card, **{key: text.lower() if key == "game" else text})  # type: ignore[arg-type]


def _answer(card: CustomCard, line: str) -> tuple[CustomCard, str]:
    """The card with what one line says of it, and what was understood; raises CatalogError where that is nothing."""
    word, _, text = line.partition(" ")
    word, text = word.casefold(), text.strip()
    if word in _WORDS:
        changed, said = _with(card, _WORDS[word], text), f"{word} {text or 'taken back'}"
    elif word in ("attack", "defense"):
        stat = read_stat(text)
        changed = replace(card, attack=stat) if word == "attack" else replace(card, defense=stat)
        said = f"{word} {'taken back' if stat is None else stat}"
    elif word == "at":
        place = read_place(text) if text else ""
        if place is None or not card.collector_number:
            raise CatalogError("Where its collector number is printed is said like: at bl, after number 146.")
        changed, said = replace(card, number_at=place), f"number {card.collector_number} {place or 'nowhere'}"
    elif places := read_places(line):
        changed = replace(card, printed={**card.printed, **places})
        said = ", ".join(f"{place.replace('-', ' ')} {text or 'taken back'}" for place, text in places.items())
    else:
        raise CatalogError(HELP)
    changed.check()
    return changed, f"{said}."
