"""The seating, entered by touch: a plan of the table, the names of those who have played here before, and a keyboard to
type a new one. Pure: no surface, no clock."""

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from rules.engine import Seat
from ui.screen.pages.answers import CompoundAnswer
from ui.screen.pages.views import SET_UP_PATIENCE_S, InteractiveView, ListPage, Page, TypingPage

MAX_NAME_LENGTH = 20
"""The longest name that can be typed, in letters."""


@dataclass(frozen=True)
class SeatingView(InteractiveView):
    """Ask who sits where. ``names`` are those so far in seat order ("": none), ``known_names`` those who have played
    here before, ``zone_centres`` the centre of each seat's zone in fractions of the image of the camera, if the match
    ``has_camera``. With ``fixed_names`` players can only swap seats. Answered with a SeatingAnswer, or with "back"."""

    title: str
    names: tuple[str, ...]
    known_names: tuple[str, ...] = ()
    zone_centres: tuple[tuple[float, float], ...] = ()
    has_camera: bool = True
    fixed_names: bool = False

    def first_page(self) -> "PlanPage":
        """See InteractiveView."""
        return PlanPage(self, self.names)


@dataclass(frozen=True)
class SeatingAnswer(CompoundAnswer):
    """The answer to SeatingView: everybody's name in seat order, "" for players without one."""

    names: tuple[str, ...]


class _SeatingPage(Page):
    """A page of the seating."""

    @property
    def patience_s(self) -> float | None:
        """See Page."""
        return SET_UP_PATIENCE_S


@dataclass(frozen=True)
class PlanPage(_SeatingPage):
    """The plan. ``moving_seat`` is a seat whose player is about to swap seats."""

    view: SeatingView
    names: tuple[str, ...]
    moving_seat: Seat | None = None

    def select(self, seat: Seat) -> Page:
        """Return the page after a touch on a seat: the choice of its player, or the plan once players have swapped."""
        if self.moving_seat is None:
            return replace(self, moving_seat=seat) if self.view.fixed_names else NamePage(self, seat)
        names = list(self.names)
        names[seat - 1], names[self.moving_seat - 1] = names[self.moving_seat - 1], names[seat - 1]
        return replace(self, names=tuple(names), moving_seat=None)

    def name_player(self, seat: Seat, name: str) -> Self:
        """Return the plan with ``name`` ("": none) in ``seat``. A player has only one seat: any other seat with that
        name loses it."""
        name = unicodedata.normalize("NFC", name).strip()
        names = ["" if name and other.casefold() == name.casefold() else other for other in self.names]
        names[seat - 1] = name
        return replace(self, names=tuple(names))


@dataclass(frozen=True)
class NamePage(ListPage, _SeatingPage):
    """The choice of one seat's player: a known name, a new one, or none."""

    plan: PlanPage
    seat: Seat


@dataclass(frozen=True)
class NameTypingPage(TypingPage):
    """A page on which a name is typed. ``capital`` is the next letter's case; every part of a name starts with a
    capital."""

    MAX_LENGTH: ClassVar[int] = MAX_NAME_LENGTH

    capital: bool = field(default=True, kw_only=True)
    accents: bool = field(default=False, kw_only=True)

    def can_type(self, letter: str) -> bool:
        """See TypingPage: whether a letter can come next in the name."""
        fits = len(unicodedata.normalize("NFC", self.text + letter)) <= self.MAX_LENGTH
        return fits and letter.isprintable() and bool(letter) and not (letter == " " and self.text[-1:] in ("", " "))

    def with_text(self, text: str) -> Self:
        """See TypingPage; the first letter of every part of a name is a capital."""
        return replace(self, text=text, capital=text[-1:] in ("", " ", "-"))


@dataclass(frozen=True)
class KeyboardPage(NameTypingPage, _SeatingPage):
    """The keyboard and the name typed so far."""

    plan: PlanPage
    seat: Seat

    def finish(self) -> PlanPage | None:
        """See TypingPage: the plan with the name."""
        return self.plan.name_player(self.seat, self.text) if self.text.strip() else None


def available_names(view: SeatingView, names: Sequence[str]) -> tuple[str, ...]:
    """Return the known names without a seat, in their order."""
    seated = {name.casefold() for name in names}
    return tuple(name for name in view.known_names if name.casefold() not in seated)


def place_cards(
    places: Sequence[tuple[float, float]], width: float, height: float, gap: float
) -> list[tuple[float, float]]:
    """Return the middles of cards of ``width`` by ``height``, each as near to its place as possible, without
    overlapping another or the edge; all in fractions. On a grid if that is impossible."""
    centres = [_clamp_centre(x, y, width, height) for x, y in places]
    for _ in range(200):
        moved = False
        for first in range(len(centres)):
            for second in range(first + 1, len(centres)):
                apart = _push_apart(centres[first], centres[second], width + gap, height + gap)
                if apart is not None:
                    moved = True
                    centres[first], centres[second] = (_clamp_centre(x, y, width, height) for x, y in apart)
        if not moved:
            return centres
    return _place_on_grid(places, max(1, min(int(1 / width), -(-len(places) // 2))))


def _place_on_grid(places: Sequence[tuple[float, float]], across: int) -> list[tuple[float, float]]:
    """Return a cell of a grid ``across`` cells wide for each place, the nearest pairs first."""
    down = -(-len(places) // across)
    cells = [((n % across + 0.5) / across, (n // across + 0.5) / down) for n in range(across * down)]
    found: dict[int, tuple[float, float]] = {}
    for _, number, cell in sorted(
        (math.dist(place, cell), n, cell) for n, place in enumerate(places) for cell in cells
    ):
        if number not in found and cell not in found.values():
            found[number] = cell
    return [found[number] for number in range(len(places))]


def _clamp_centre(x: float, y: float, width: float, height: float) -> tuple[float, float]:
    return max(width / 2, min(1 - width / 2, x)), max(height / 2, min(1 - height / 2, y))


def _push_apart(
    first: tuple[float, float], second: tuple[float, float], width: float, height: float
) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """Return two middles pushed apart in the shorter direction; None if the cards don't overlap."""
    dx, dy = second[0] - first[0], second[1] - first[1]
    over_x, over_y = width - abs(dx), height - abs(dy)
    if over_x <= 1e-9 or over_y <= 1e-9:
        return None
    if over_x / width <= over_y / height:
        half = over_x / 2 * (1 if dx >= 0 else -1)
        return (first[0] - half, first[1]), (second[0] + half, second[1])
    half = over_y / 2 * (1 if dy >= 0 else -1)
    return (first[0], first[1] - half), (second[0], second[1] + half)
