"""The form in which a person at a terminal enters a card: one answer a line, the card drawn after every one."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from catalog.card import CatalogError
from catalog.custom_card import WHERE, CustomCard, read_stat

HELP: Final = """Type a place and what is printed there, such as: tl 4. With the card upright:
  tl t tr l r bl b br   its corners and sides; of two numbers in one: br 2,3
  face                  whatever is printed elsewhere: face 3,5
  attack, defense       for the ninecard game: attack 3
  name, set, number     what it is called, and where it is from
A word alone takes back what was there. Enter keeps the card, quit leaves it."""

_FIRST: Final = (("game", "Game, such as mtg"), ("name", "Name"), ("set_code", "Set"), ("collector_number", "Number"))
_WORDS: Final = {"name": "name", "set": "set_code", "number": "collector_number"}
_ABBREVIATED: Final = {"".join(part[0] for part in zone.split("-")): zone for zone in WHERE[:-1]} | {
    zone: zone for zone in WHERE
}


@dataclass(frozen=True, slots=True)
class FormPrompter:
    """How the form talks to a person: asks for a line after a prompt, shows the card so far, says something."""

    ask: Callable[[str], str]
    draw: Callable[[CustomCard], None]
    say: Callable[[str], None]


def fill_in(card: CustomCard, voice: FormPrompter) -> CustomCard | None:
    """Asks until the card is one that can be kept, and returns it; None where the person leaves it."""
    if not card.name:
        for key, prompt in _FIRST:
            card = _first(card, key, prompt, voice)
    voice.say(HELP)
    voice.draw(card)
    while (line := voice.ask("Printed").strip()) not in ("quit", "q"):
        if not line:
            if not (problems := card.problems()):
                return card
            voice.say("\n".join(problems))
            continue
        try:
            card = _answer(card, line)
            voice.draw(card)
        except CatalogError as error:
            voice.say(str(error))
    return None


def _first(card: CustomCard, key: str, prompt: str, voice: FormPrompter) -> CustomCard:
    """The card with one of its first answers, which is asked for until it is one."""
    while True:
        told = _sound(card, key, voice.ask(prompt).strip())
        if not told[1]:
            voice.draw(told[0])
            return told[0]
        voice.say(told[1])


def _sound(card: CustomCard, key: str, text: str) -> tuple[CustomCard, str]:
    """The card with an answer, and what is wrong with that; what has not been asked yet does not matter."""
    answered = _with(card, key, text)
    whole = _with(CustomCard(game="any", name="any"), key, text)
    return answered, " ".join(whole.problems())


def _with(card: CustomCard, key: str, text: str) -> CustomCard:
    return replace(card, **{key: text.lower() if key == "game" else text})  # type: ignore[arg-type]


def _answer(card: CustomCard, line: str) -> CustomCard:
    """The card with what one line says of it; raises CatalogError where that is nothing that can be said."""
    word, _, text = line.partition(" ")
    word, text = word.casefold(), text.strip()
    if word in _ABBREVIATED:
        changed = replace(card, printed={**card.printed, _ABBREVIATED[word]: text})
    elif word in _WORDS:
        changed = _with(card, _WORDS[word], text)
    elif word == "attack":
        changed = replace(card, attack=read_stat(text))
    elif word == "defense":
        changed = replace(card, defense=read_stat(text))
    else:
        raise CatalogError(HELP)
    changed.check()
    return changed
