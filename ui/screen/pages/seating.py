"""The seating, entered by touch: a plan of the table, the names of those who have played here before, and a keyboard to
type a new one. Pure: no surface, no clock."""

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from pygame import Rect
from typing_extensions import override

from messages import N
from rules.engine import Seat
from ui.i18n.keyboards import ACCENT_ROWS, letter_rows
from ui.i18n.language import current_language
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.keyboard import Key, draw_keyboard
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, LINE, MUTED, PANEL, RAISED, TEXT
from ui.screen.drawing.widgets import draw_header, draw_list_cells, split_hand_side
from ui.screen.views import SET_UP_PATIENCE_S, CompoundAnswer, InteractiveView, ListPage, Page, Press, Reply, TypingPage
from ui.text import labels
from ui.text.verdicts import default_name

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

    @override
    def first_page(self) -> "PlanPage":
        return PlanPage(self, self.names)


@dataclass(frozen=True)
class SeatingAnswer(CompoundAnswer):
    """The answer to SeatingView: everybody's name in seat order, "" for players without one."""

    names: tuple[str, ...]


class _SeatingPage(Page):
    @property
    @override
    def patience_s(self) -> float | None:
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

    @override
    def can_type(self, letter: str) -> bool:
        """Whether a letter can come next in the name."""
        fits = len(unicodedata.normalize("NFC", self.text + letter)) <= self.MAX_LENGTH
        return fits and letter.isprintable() and bool(letter) and not (letter == " " and self.text[-1:] in ("", " "))

    @override
    def with_text(self, text: str) -> Self:
        """The first letter of every part of a name is a capital."""
        return replace(self, text=text, capital=text[-1:] in ("", " ", "-"))


@dataclass(frozen=True)
class KeyboardPage(NameTypingPage, _SeatingPage):
    """The keyboard and the name typed so far."""

    plan: PlanPage
    seat: Seat

    @override
    def finish(self) -> PlanPage | None:
        """The plan with the name."""
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


@paints(PlanPage)
def draw_plan(canvas: Canvas, page: PlanPage) -> None:
    """Draw the table with a card at every seat's place, and the buttons."""
    theme, view = canvas.theme, page.view
    body = draw_header(canvas, canvas.page, N("Who sits where?"), note=view.title)
    if theme.portrait:
        body, side = layout.split_bottom(body, theme.units(46), theme.gap * 2)
    else:
        body, side = split_hand_side(canvas, body, theme.units(36), theme.gap)
    _draw_table(canvas, body, page)
    side, play = layout.split_bottom(side, round(theme.touch_size * 1.7), theme.gap)
    side, back = layout.split_bottom(side, round(theme.touch_size * 1.2), theme.gap)
    if page.moving_seat is None:
        canvas.text(
            side,
            N("Touch a player to swap seats, or just play.")
            if view.fixed_names
            else N("Touch a seat to say who sits there, or just play."),
            theme.body,
            MUTED,
            max_lines=6,
            align="left",
            vertical_align="top",
        )
        canvas.button(back, N("Back"), Reply("back"), icon="back")
        canvas.button(play, N("Play"), Reply(SeatingAnswer(page.names)), main=True, size=theme.title)
        return
    instruction = N("Touch {name}’s new seat.", name=_player_name(page, page.moving_seat))
    canvas.text(side, instruction, theme.title, max_lines=6, align="left", vertical_align="top")
    stays = replace(page, moving_seat=None)
    canvas.button(back, N("Stay here"), stays, icon="back", leads_back=True)


def _player_name(page: PlanPage, seat: Seat) -> str:
    return page.names[seat - 1] or default_name(seat)


def _draw_table(canvas: Canvas, box: Rect, page: PlanPage) -> None:
    """Draw the table from above, not to scale, with everybody's card where their zone is."""
    theme, view = canvas.theme, page.view
    box, line = layout.split_bottom(box, line_height(theme.small), theme.units(0.6))
    caption = N("The table, as the camera sees it") if view.has_camera else N("The table from above")
    canvas.text(line, caption, theme.small, MUTED)
    canvas.framed_panel(box, PANEL)
    place = layout.inset(box, theme.units(1))
    across, down = _grid_size(len(page.names), theme.portrait)
    gap = theme.units(1)
    card = min(theme.units(46), place.w // across - gap), min(theme.units(26), place.h // down - gap)
    parts = card[0] / place.w, card[1] / place.h
    middles = place_cards(view.zone_centres, *parts, gap=theme.units(1) / place.w)
    for seat, (x, y) in enumerate(middles, 1):
        spot = Rect(0, 0, *card)
        spot.center = place.x + round(x * place.w), place.y + round(y * place.h)
        _draw_card(canvas, spot.clamp(place), page, seat)


def _grid_size(count: int, portrait: bool) -> tuple[int, int]:
    """Return how many cards must fit next to each other and one below the other."""
    if portrait and count > 4:
        return 2, 4
    return (2, 2) if count <= 4 else (3, 3) if count <= 6 else (4, 3)


def _draw_card(canvas: Canvas, box: Rect, page: PlanPage, seat: Seat) -> None:
    theme = canvas.theme
    moving = seat == page.moving_seat
    edge, width = (ACCENT, theme.units(0.8)) if moving else (LINE, theme.units(0.3))
    canvas.panel(box, RAISED, edge=edge, width=width)
    name = page.names[seat - 1]
    canvas.add_target(box, replace(page, moving_seat=None) if moving else page.select(seat), _player_name(page, seat))
    sign, line = layout.rows(layout.inset(box, theme.units(0.6)), [5, 4], theme.units(0.6))
    canvas.seat_mark(sign, seat)
    canvas.text(line, _player_name(page, seat), theme.title, TEXT if name else MUTED, max_lines=2)


@paints(NamePage)
def draw_names(canvas: Canvas, page: NamePage) -> None:
    """Draw the known names as buttons, and at the side those to type a name, to leave it out, and to swap seats."""
    theme = canvas.theme
    body = _draw_header(canvas, page.plan, page.seat)
    if theme.portrait:
        body, side = layout.split_bottom(body, 4 * round(theme.touch_size * 1.2) + 3 * theme.gap, theme.gap * 2)
    else:
        body, side = split_hand_side(canvas, body, theme.units(46), theme.gap * 2)
    known = available_names(page.plan.view, page.plan.names)
    buttons: tuple[tuple[str, Page, str], ...] = (
        (N("Back"), page.plan, "back"),
        (N("Swap seats"), replace(page.plan, moving_seat=page.seat), "swap"),
        (N("No name"), page.plan.name_player(page.seat, ""), "nothing"),
        (N("Write a name"), KeyboardPage(page.plan, page.seat), "pencil"),
    )
    for row, (label, after, icon) in zip(layout.rows(side, [1] * 4, theme.gap), buttons, strict=True):
        place = layout.centre(row, row.w, round(theme.touch_size * 1.4))
        canvas.button(place, label, after, icon=icon, main=icon == "pencil", leads_back=icon == "back")
    if not known:
        canvas.text(body, N("No names have been entered here yet."), theme.title, MUTED, max_lines=4)
        return
    for cell, name in draw_list_cells(canvas, body, page, known, round(theme.touch_size * 1.15)):
        canvas.button(cell, name, page.plan.name_player(page.seat, name))


def _draw_header(canvas: Canvas, page: PlanPage, seat: Seat) -> Rect:
    """Draw the seat's mark and the question. Returns the page below them."""
    theme = canvas.theme
    line, body = layout.split_top(canvas.page, theme.units(8.5), theme.gap)
    sign, line = layout.split_left(line, line.h, theme.gap)
    canvas.seat_mark(sign, seat)
    if page.names[seat - 1]:
        line, aside = layout.columns(line, [3, 2], theme.gap)
        canvas.text(aside, page.names[seat - 1], theme.body, align="right")
    canvas.text(line, N("Who sits in seat {seat}?", seat=seat), theme.body, MUTED, align="left")
    return body


@paints(KeyboardPage)
def draw_name_keyboard(canvas: Canvas, page: KeyboardPage) -> None:
    """Draw the name typed so far, large, and the keys."""
    draw_name_keys(canvas, _draw_header(canvas, page.plan, page.seat), page, NamePage(page.plan, page.seat))


def draw_name_keys(canvas: Canvas, body: Rect, page: NameTypingPage, back: Press, *others: Key) -> None:
    """Draw the name typed so far, large, and the keys: ``back``, ``others``, capitals, accents, letters."""
    letters = Key("abc" if page.accents else "ÀÉß", replace(page, accents=not page.accents))
    draw_keyboard(
        canvas,
        body,
        page,
        ACCENT_ROWS if page.accents else letter_rows(current_language()),
        text=page.text,
        capital=page.capital,
        back=back,
        others=(*others, Key(N("Capitals"), replace(page, capital=not page.capital), "raise"), letters),
        done=Key(labels.DONE, page.finish()),
    )
