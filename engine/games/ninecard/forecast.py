"""What an assault of the ninecard game would come to: every attack in its order, as the rules resolve it."""

from collections.abc import Sequence

from engine.cards import called
from engine.errors import EngineError, UnknownCardError, quoted
from engine.games.ninecard.move_words import describe
from engine.games.ninecard.state import NinecardState
from engine.picture import Name, Words, together


def forecast(state: NinecardState, text: str = "") -> list[Words]:
    """What would come of it if everything attacked that can: a line for each player who may be assaulted, and attack.

    In an assault it is what is left of that one. `text` is the beginning of a player's name; nothing for all.

    Raises:
        EngineError: nobody of this name can be assaulted, or it is not the time.
    """
    if state.discarding:
        raise EngineError("The assaults of this turn are over.")
    seats = state.opponents() if state.target is None else [state.target]
    if not (names := called(text, [state.names[seat] for seat in seats])):
        raise EngineError(f"{quoted(text)} cannot be assaulted now.")
    return [line for name in names for line in _against(state, name)]


def _against(state: NinecardState, name: str) -> Sequence[Words]:
    seat, lines = state.names.index(name), list[Words]()
    before = state.sides[seat].life
    if state.target is None:
        state = state.play_unchecked(f"assault {name}")
    life = before
    while state.target == seat and (attack := state.legal_moves()[0]) != "end":
        lines.append(together("  ", attack.removeprefix("attack "), ": ", describe(state, attack)))
        try:
            state = state.play_unchecked(attack)
            life = max(state.sides[seat].life, 0)
        except UnknownCardError:  # it ends the turn, which goes on with cards that nobody has seen
            life = 0
            break
    changes = f"life {before} to {life}" if life != before else f"life stays {before}"
    return [(Name(name), f": {changes}" if lines else ": nothing can attack"), *lines]
