"""The seating, entered by touch: a plan of the table, the names of those who have played here before, and a keyboard to
type a new one. Pure: no surface, no clock."""

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar, Self

from pygame import Rect
from typing_extensions import override

from messages import N, is_printable
from rules.engine import Seat
from ui.i18n.keyboards import ACCENT_ROWS, letter_rows
from ui.i18n.language import current_language
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.forms import Column, Form, HandFlip, ItemList, Row, lays_out
from ui.screen.drawing.keyboard import Key, draw_keyboard
from ui.screen.drawing.nodes import GAP, TOUCH, Button, CardPanel, Drawing, Node, SeatMark, Space, Text, note
from ui.screen.drawing.theme import ACCENT, MUTED, PANEL, RAISED, TEXT
from ui.screen.views import (
    CompoundAnswer,
    InteractiveView,
    ListPage,
    Page,
    PreMatchPage,
    Press,
    Reply,
    TypingPage,
)
from ui.text import labels
from ui.text.names import clean_name, normalise_name
from ui.text.verdicts import default_name

CAMERA_CAPTION, TABLE_CAPTION = N("The table, as the camera sees it"), N("The table from above")
EVERYBODY_HERE = N("Everybody here")
MAX_NAME_LENGTH = 20
"""The longest name that can be typed, in letters."""


@dataclass(frozen=True)
class SeatingView(InteractiveView):
    """Ask who sits where. Answered with a SeatingAnswer, or with "back"."""

    title: str
    names: tuple[str, ...]
    """Those so far, in seat order; "": none."""
    known_names: tuple[str, ...] = ()
    """Those who have played here before."""
    zone_centres: tuple[tuple[float, float], ...] = ()
    """The centre of each seat's zone, in fractions of the camera's image."""
    has_camera: bool = True
    """Whether the match has a camera."""
    fixed_names: bool = False
    """Whether players can only swap seats."""
    here: tuple[str, ...] = ()
    """Those who have said on their phones that they are here, in the order in which they came."""

    @override
    def first_page(self) -> "PlanPage":
        return PlanPage(self, self.names)


@dataclass(frozen=True)
class SeatingAnswer(CompoundAnswer):
    """The answer to SeatingView: everybody's name in seat order, "" for players without one."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class PlanPage(PreMatchPage):
    """The plan of the seats."""

    view: SeatingView
    names: tuple[str, ...]
    moving_seat: Seat | None = None
    """A seat whose player is about to swap seats; None: none is."""

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
        name = clean_name(name)
        names = ["" if name and normalise_name(seated) == normalise_name(name) else seated for seated in self.names]
        names[seat - 1] = name
        return replace(self, names=tuple(names))

    def seat_everybody(self) -> Self:
        """Return the plan with those who are here, as far as there are seats: whoever has one keeps it."""
        here = set(map(normalise_name, self.view.here))
        seated = set(map(normalise_name, self.names)) & here
        waiting = iter([name for name in self.view.here if normalise_name(name) not in seated])
        names = (name if normalise_name(name) in seated else next(waiting, "") for name in self.names)
        return replace(self, names=tuple(names))


@dataclass(frozen=True)
class NamePage(ListPage, PreMatchPage):
    """The choice of one seat's player: a known name, a new one, or none."""

    plan: PlanPage
    seat: Seat


@dataclass(frozen=True)
class NameTypingPage(TypingPage):
    """A page on which a name is typed."""

    MAX_LENGTH: ClassVar[int] = MAX_NAME_LENGTH

    capital: bool = field(default=True, kw_only=True)
    """Whether the next letter is a capital, as every part of a name starts with one."""
    accents: bool = field(default=False, kw_only=True)

    @override
    def can_type(self, letter: str) -> bool:
        """Whether a letter can come next in the name."""
        fits = len(unicodedata.normalize("NFC", self.text + letter)) <= self.MAX_LENGTH
        return fits and is_printable(letter) and bool(letter) and not (letter == " " and self.text[-1:] in ("", " "))

    @property
    def name(self) -> str:
        """The name typed so far, as it is kept."""
        return clean_name(self.text)

    @override
    def with_text(self, text: str) -> Self:
        """The first letter of every part of a name is a capital."""
        return replace(self, text=text, capital=text[-1:] in ("", " ", "-"))


@dataclass(frozen=True)
class KeyboardPage(NameTypingPage, PreMatchPage):
    """The keyboard and the name typed so far."""

    plan: PlanPage
    seat: Seat

    @override
    def finish(self) -> PlanPage | None:
        """The plan with the name."""
        return self.plan.name_player(self.seat, self.name) if self.name else None


def available_names(view: SeatingView, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of those without a seat: who is here, then the known ones, in their order."""
    unseated = {normalise_name(name): name for name in (*view.known_names, *view.here)}
    order = dict.fromkeys(map(normalise_name, (*view.here, *view.known_names)))
    seated = set(map(normalise_name, names))
    return tuple(unseated[name] for name in order if name not in seated)


def place_cards(
    targets: Sequence[tuple[float, float]], width: float, height: float, gap: float
) -> list[tuple[float, float]]:
    """Return the middles of cards of ``width`` by ``height``, each as near to its target as possible, without
    overlapping another or the edge; all in fractions. On a grid if that is impossible."""
    centres = [_clamp_centre(x, y, width, height) for x, y in targets]
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
    return _place_on_grid(targets, max(1, min(int(1 / width), -(-len(targets) // 2))))


def _place_on_grid(targets: Sequence[tuple[float, float]], across: int) -> list[tuple[float, float]]:
    """Return a cell of a grid ``across`` cells wide for each target, the nearest pairs first."""
    down = -(-len(targets) // across)
    cells = [((n % across + 0.5) / across, (n // across + 0.5) / down) for n in range(across * down)]
    assigned: dict[int, tuple[float, float]] = {}
    for _, number, cell in sorted(
        (math.dist(target, cell), n, cell) for n, target in enumerate(targets) for cell in cells
    ):
        if number not in assigned and cell not in assigned.values():
            assigned[number] = cell
    return [assigned[number] for number in range(len(targets))]


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


@lays_out(PlanPage)
def lay_out_plan(page: PlanPage) -> Form:
    """Return the table with a card at every seat's place, and the buttons."""
    view = page.view
    if page.moving_seat is None:
        text = N("Touch a seat to say who sits there, or just play.")
        words = N("Touch a player to swap seats, or just play.") if view.fixed_names else text
        instruction = Text(words, "body", MUTED, lines=6, align="left", vertical_align="top")
        back = Button(N("Back"), Reply("back"), "back", size="body", length=1.2 * TOUCH)
        play: Node = Button(N("Play"), Reply(SeatingAnswer(page.names)), main=True, length=1.7 * TOUCH)
    else:
        words = N("Touch {name}’s new seat.", name=_player_name(page, page.moving_seat))
        instruction = Text(words, "title", lines=6, align="left", vertical_align="top")
        stays = replace(page, moving_seat=None)
        back = Button(N("Stay here"), stays, "back", size="body", leads_back=True, length=1.2 * TOUCH)
        play = Space(length=1.7 * TOUCH)
    table = Column(
        Drawing(partial(_draw_table, page=page)),
        note(CAMERA_CAPTION if view.has_camera else TABLE_CAPTION, lines=1, align="centre"),
        gap=0.6,
    )
    everybody = None
    if view.here and not view.fixed_names and page.moving_seat is None:
        everybody = Button(EVERYBODY_HERE, page.seat_everybody(), "phone", size="body", length=1.2 * TOUCH)
    side = Column(instruction, everybody, back, play, length=(36, 46 if everybody is None else 46 + 1.2 * TOUCH + GAP))
    return Form(N("Who sits where?"), HandFlip(table, side, gap=(GAP, 2 * GAP)), note=view.title)


def _player_name(page: PlanPage, seat: Seat) -> str:
    return page.names[seat - 1] or default_name(seat)


def _draw_table(canvas: Canvas, box: Rect, page: PlanPage) -> None:
    """Draw the table from above, not to scale, with everybody's card where their zone is."""
    theme = canvas.theme
    canvas.framed_panel(box, PANEL)
    table = layout.inset(box, theme.units(1))
    count = len(page.names)
    # how many cards must fit next to each other and one below the other
    across, down = (2, 2) if count <= 4 else theme.pick((3, 3) if count <= 6 else (4, 3), (2, 4))
    gap = theme.units(1)
    card = min(theme.units(46), table.w // across - gap), min(theme.units(26), table.h // down - gap)
    middles = place_cards(page.view.zone_centres, card[0] / table.w, card[1] / table.h, gap=gap / table.w)
    for seat, (x, y) in enumerate(middles, 1):
        rect = Rect(0, 0, *card)
        rect.center = table.x + round(x * table.w), table.y + round(y * table.h)
        _seat_card(page, seat).draw(canvas, rect.clamp(table))


def _seat_card(page: PlanPage, seat: Seat) -> CardPanel:
    moving, name = seat == page.moving_seat, _player_name(page, seat)
    words = Text(name, "title", TEXT if page.names[seat - 1] else MUTED, lines=2, share=4)
    return CardPanel(
        Column(SeatMark(seat, share=5), words, gap=0.6),
        replace(page, moving_seat=None) if moving else page.select(seat),
        name,
        across=0.6,
        fill=RAISED,
        edge=ACCENT if moving else None,
        strong=moving,
    )


@lays_out(NamePage)
def lay_out_names(page: NamePage) -> Column:
    """Return the known names as buttons, and at the side those to type a name, to leave it out, and to swap seats."""
    plan, seat = page.plan, page.seat
    known = available_names(plan.view, plan.names)
    names: Node = Text(N("No names have been entered here yet."), "title", MUTED, lines=4)
    if known:
        names = ItemList(
            page,
            known,
            lambda name: Button(
                name, plan.name_player(seat, name), "phone" if name in plan.view.here else None, size="body"
            ),
            1.15 * TOUCH,
            across=2,
        )
    side = Column(
        Button(N("Back"), plan, "back", size="body", leads_back=True),
        Button(N("Swap seats"), replace(plan, moving_seat=seat), "swap", size="body"),
        Button(N("No name"), plan.name_player(seat, ""), "nothing", size="body"),
        Button(N("Write a name"), KeyboardPage(plan, seat), "pencil", size="body", main=True),
        length=(46, 4.8 * TOUCH + 3 * GAP),
    )
    return Column(_question(plan, seat), HandFlip(names, side, gap=2 * GAP))


def _question(plan: PlanPage, seat: Seat) -> Row:
    """Return the seat's mark, the question who sits there, and whoever does so far."""
    question = Text(N("Who sits in seat {seat}?", seat=seat), "body", MUTED, lines=1, align="left", share=3)
    name = plan.names[seat - 1]
    aside = Text(name, lines=1, align="right", share=2) if name else None
    return Row(SeatMark(seat, length=8.5), question, aside, length=8.5)


@lays_out(KeyboardPage)
def lay_out_name_keyboard(page: KeyboardPage) -> Column:
    """Return the name typed so far, large, and the keys."""
    keys = partial(draw_name_keys, page=page, back=NamePage(page.plan, page.seat))
    return Column(_question(page.plan, page.seat), Drawing(keys))


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
