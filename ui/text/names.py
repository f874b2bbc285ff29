"""What stands within sentences: who, which throws and cards, how many points, each as a Text or a name."""

from collections.abc import Iterable, Mapping, Sequence

from rules.engine import Json, Seat
from rules.throws import Throw
from ui.i18n.language import N, Nn, Text, row

Names = Mapping[Seat, str]
NO_THROW = N("no throw")
CARDS: Mapping[str, Text] = {Throw.ROCK: N("rock"), Throw.PAPER: N("paper"), Throw.SCISSORS: N("scissors")}
"""Each throw within a sentence."""


def each_has(counts: Iterable[tuple[str, object]]) -> Text:
    """Names with a number or a word each: "Ada 3, Ben 5"."""
    return row([row([name, count if isinstance(count, str) else str(count)]) for name, count in counts], ", ")


def shape(throw: Throw | None) -> Text:
    """A throw within a sentence, "no throw" for none."""
    return CARDS[throw] if throw else NO_THROW


def card_named(word: object) -> str:
    """A throw or a card by its word, "no throw" for none."""
    return CARDS.get(str(word), str(word)) if word else NO_THROW


def points_of(points: int, unit: str = "point") -> Text:
    """How many points, or chips where that is the ``unit``."""
    return chips_of(points) if unit == "chip" else Nn("{count} point", "{count} points", points)


def listed(seats: Sequence[Json], names: Names) -> str:
    """Who sits in ``seats``: "Ada, Ben and Cy"."""
    who = [name_of(seat, names) for seat in seats]
    return who[0] if len(who) == 1 else N("{some} and {last}", some=row(who[:-1], ", "), last=who[-1])


def name_of(seat: Json, names: Names) -> str:
    """Who sits in a seat."""
    number = int(seat) if isinstance(seat, int | str) else 0
    return names.get(number) or N("Seat {seat}", seat=number)


def thrown_by(facts: Mapping[str, Json], names: Names) -> str:
    """Who threw what, as ``facts`` have it: "Ada rock, Ben paper"."""
    throws = facts.get("throws")
    if not isinstance(throws, Mapping):
        return ""
    return row([row([name_of(seat, names), card_named(throw)]) for seat, throw in throws.items()], ", ")


def chips_of(fact: Json) -> Text:
    """How many chips."""
    return Nn("{count} chip", "{count} chips", whole(fact))


def whole(fact: Json) -> int:
    """A fact that is a number."""
    return fact if isinstance(fact, int) else 0


def cards_in(fact: Json) -> str:
    """How many of each card: "3 rock, 3 paper, 3 scissors"."""
    if not isinstance(fact, Mapping):
        return ""
    return row([row([str(count), card_named(card)]) for card, count in fact.items() if count], ", ")
