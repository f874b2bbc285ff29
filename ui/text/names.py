"""The parts of sentences: names, throws, cards, points and chips."""

from collections.abc import Iterable, Mapping, Sequence

from rules.engine import Json, Seat
from rules.throws import Throw
from ui.i18n.language import LazyText, N, join, ngettext_lazy

Names = Mapping[Seat, str]
NO_THROW = N("no throw")
THROW_WORDS: Mapping[str, LazyText] = {Throw.ROCK: N("rock"), Throw.PAPER: N("paper"), Throw.SCISSORS: N("scissors")}
"""The throws as words within a sentence."""


def join_counts(counts: Iterable[tuple[str, object]]) -> LazyText:
    """Return names with a number or a word each: "Ada 3, Ben 5"."""
    return join([join([name, count if isinstance(count, str) else str(count)]) for name, count in counts], ", ")


def throw_word(throw: Throw | None) -> LazyText:
    """Return a throw as a word within a sentence, "no throw" for none."""
    return THROW_WORDS[throw] if throw else NO_THROW


def card_word(word: object) -> str:
    """Return a throw or a card named as in the rules as a word of a sentence, "no throw" for none."""
    return THROW_WORDS.get(str(word), str(word)) if word else NO_THROW


def points_text(points: int, unit: str = "point") -> LazyText:
    """Return "3 points", or "3 chips" where the ``unit`` is "chip"."""
    return chips_text(points) if unit == "chip" else ngettext_lazy("{count} point", "{count} points", points)


def list_names(seats: Sequence[Json], names: Names) -> str:
    """Return the players of ``seats``: "Ada, Ben and Cy"."""
    players = [seat_name(seat, names) for seat in seats]
    if len(players) == 1:
        return players[0]
    return N("{some} and {last}", some=join(players[:-1], ", "), last=players[-1])


def seat_name(seat: Json, names: Names) -> str:
    """Return the player's name, "Seat 3" where it is unknown."""
    number = int(seat) if isinstance(seat, int | str) else 0
    return names.get(number) or N("Seat {seat}", seat=number)


def throws_text(facts: Mapping[str, Json], names: Names) -> str:
    """Return the "throws" of an event's facts: "Ada rock, Ben paper"."""
    throws = facts.get("throws")
    if not isinstance(throws, Mapping):
        return ""
    return join([join([seat_name(seat, names), card_word(throw)]) for seat, throw in throws.items()], ", ")


def chips_text(fact: Json) -> LazyText:
    """Return "3 chips"."""
    return ngettext_lazy("{count} chip", "{count} chips", as_int(fact))


def as_int(fact: Json) -> int:
    """Return a fact that is a whole number; 0 for any other."""
    return fact if isinstance(fact, int) else 0


def cards_text(fact: Json) -> str:
    """Return how many there are of each card: "3 rock, 3 paper, 3 scissors"."""
    if not isinstance(fact, Mapping):
        return ""
    return join([join([str(count), card_word(card)]) for card, count in fact.items() if count], ", ")
