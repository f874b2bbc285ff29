"""The base classes of everything on the screen: what a display shows, what people answer, and the pages they touch.
Pure: no surface, no clock."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Generic, Self, TypeVar

import numpy as np
from typing_extensions import override

from rules.engine import Seat, Value


class CompoundAnswer:
    """Base of the answers that are more than a value, such as a game with its options."""


Answer = CompoundAnswer | Value | Mapping[Seat, Value]
"""What a view is answered with."""


def answers_by_seat(answer: Answer) -> Mapping[Seat, Value]:
    """Return the answers of a question to several seats; none where it was answered as a whole, or not at all."""
    return answer if isinstance(answer, Mapping) else {}


@dataclass(frozen=True)
class Reply:
    """Answers the view."""

    value: Answer


class View:
    """Something a display shows. A frozen dataclass: what changes is another view."""

    @property
    def is_idle(self) -> bool:
        """Whether nobody plays while it is shown, so that the screen may go dark after a while."""
        return False

    @property
    def animation_s(self) -> float:
        """Seconds after it was first shown in which it changes while nobody touches it (``math.inf``: for ever)."""
        return 0.0

    def at_time(self, seconds: float) -> Self:
        """Return the view as it is ``seconds`` after it was first shown, with live images up to date. Only a window
        calls this; every other display shows the beginning."""
        del seconds
        return self

    def still_s(self, elapsed_s: float) -> float:
        """Return for how many seconds it is sure not to change, ``elapsed_s`` after it was first shown, while it is
        animated."""
        del elapsed_s
        return 0.0

    @property
    def page_to_draw(self) -> "View":
        """What is drawn for it."""
        return self


@dataclass(frozen=True, eq=False)
class ImageView(View):
    """A view with images in its fields: a dataclass with ``eq=False``. Another is equal if every field is the same
    object, or equal and no image: an array's ``==`` has no truth value, and from Python 3.13 a dataclass compares
    fields without looking first whether they are the same object."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        pairs = ((getattr(self, compared.name), getattr(other, compared.name)) for compared in fields(self))
        return all(mine is its or (not isinstance(mine, np.ndarray) and mine == its) for mine, its in pairs)

    __hash__ = None  # type: ignore[assignment]


class LiveView(View):
    """A view that changes as long as it is shown."""

    @property
    @override
    def animation_s(self) -> float:
        return math.inf


UNTIMED_PATIENCE_S = 300.0
"""Seconds without a touch until the box asks whether anybody is there, where people may think without a time limit."""


SET_UP_PATIENCE_S = 600.0
"""Seconds without a touch until the box goes back to the home page from the pages before a match."""


class InteractiveView(View):
    """A view that people answer."""

    @property
    def seconds_left(self) -> float | None:
        """The seconds left to answer (``None``: no limit)."""
        return None

    def first_page(self) -> "Page":
        """Return the page it opens with."""
        raise NotImplementedError(type(self).__name__)

    @property
    @override
    def page_to_draw(self) -> View:
        """Its first page."""
        return self.first_page().page_to_draw


class Page(InteractiveView):
    """A page that people touch. Every target on it leads to another page, or is the reply."""

    @override
    def first_page(self) -> "Page":
        return self

    @property
    @override
    def page_to_draw(self) -> View:
        return self

    @property
    def key(self) -> object:
        """Identifies the page to people: right after it changes, a touch may be meant for the page before."""
        return type(self)

    def press(self, target: "Press") -> "Press":
        """Return the page that a target on this page leads to, or the reply that it is."""
        return Reply(PausedAt(self.after_pause())) if target == PAUSE else target

    def after_pause(self) -> "Page":
        """Return the page to go on with after a pause: this one, without anything secret."""
        return self

    def with_seconds_left(self, seconds: float) -> "Page":
        """Return the page with ``seconds`` left to answer."""
        del seconds
        return self

    def timeout_reply(self) -> Reply:
        """Return the reply for when time has run out."""
        return Reply(None)

    @property
    def time_runs(self) -> bool:
        """Whether the page counts somebody's time."""
        return False

    @property
    def patience_s(self) -> float | None:
        """Seconds without a touch after which the page is answered with NobodyAnswered; ``None``: never."""
        return None

    def pass_time(self, seconds: float, quiet_s: float) -> "Press":
        """Return the page ``seconds`` later, or the reply that this leads to. The last input, or change before the
        camera or on a phone, was ``quiet_s`` seconds ago."""
        del seconds
        return self if self.patience_s is None or quiet_s < self.patience_s else Reply(NobodyAnswered(self))

    @property
    def is_polled(self) -> bool:
        """Whether a camera, or a phone, answers as well."""
        return False

    def poll(self) -> "Press":
        """Return the page with what the camera has seen, or phones have answered, by now; or the reply once that
        completes it."""
        return self


Press = Page | Reply
"""What a touch leads to."""


class PreMatchPage(Page):
    """A page before a match: when nobody has touched it for a while, the box goes back to the home page."""

    @property
    @override
    def patience_s(self) -> float | None:
        return SET_UP_PATIENCE_S


class UntimedPage(Page):
    """A page on which people may think without a time limit, while somebody is there."""

    @property
    @override
    def patience_s(self) -> float | None:
        return UNTIMED_PATIENCE_S


StatusT = TypeVar("StatusT")


@dataclass(frozen=True)
class StatusPage(Page, Generic[StatusT]):
    """A page that shows a status, which changes while it is open."""

    current: Callable[[], StatusT]
    """Returns the status now; the window polls it."""
    status: StatusT

    @override
    def at_time(self, seconds: float) -> Self:
        del seconds
        return replace(self, status=self.current())


Explain = Callable[[Press], Page | None]
"""Returns the page that explains what is played and leads to what it is given; None if there is none."""


def explain_nothing(then: Press) -> Page | None:
    """An Explain without a page."""
    del then
    return None


PAUSE = Reply("pause")
"""What the pause button leads to, on every page of a match."""


@dataclass(frozen=True)
class PausedAt(CompoundAnswer):
    """The answer of people who pause instead of answering; ``page`` is the one to go on with."""

    page: Page


@dataclass(frozen=True)
class NobodyAnswered(CompoundAnswer):
    """The answer of a page of a match when nobody has touched anything for a while; ``page`` is the one to go on
    with."""

    page: Page


@dataclass(frozen=True)
class ListPage(Page):
    """A page with a list that may be longer than the screen."""

    list_page: int = field(default=0, kw_only=True)
    """Which page of the list is shown, from 0."""

    def with_list_page(self, number: int) -> Self:
        """Return the page with another part of the list."""
        return replace(self, list_page=number)


@dataclass(frozen=True)
class TypingPage(Page):
    """A page with a text that is typed, on its own keys or on a keyboard."""

    text: str = field(default="", kw_only=True)

    def can_type(self, letter: str) -> bool:
        """Return whether a letter can come next."""
        raise NotImplementedError(type(self).__name__)

    def type_letter(self, letter: str) -> Self:
        """Return the page with one more letter, if it can come next."""
        return self.with_text(self.text + letter) if self.can_type(letter) else self

    def with_text(self, text: str) -> Self:
        """Return the page with ``text``."""
        return replace(self, text=text)

    def finish(self) -> Press | None:
        """Return what Done leads to; None while the text can't be used."""
        raise NotImplementedError(type(self).__name__)


@dataclass(frozen=True)
class TimedView(Page):
    """A view that is animated at first, and shown for a time or until people answer it."""

    seconds_left: float | None = field(default=None, kw_only=True)
    """How long it is still shown; None: no limit."""
    shown_s: float | None = field(default=None, kw_only=True)
    """How many seconds ago it was shown; None: the animation is over."""
    ends_match: bool = field(default=False, kw_only=True)
    """Whether no round follows in this match."""

    @override
    def at_time(self, seconds: float) -> Self:
        """In tenths of a second once the animation is over."""
        passed = seconds if seconds <= self.animation_s else math.ceil(seconds * 10) / 10
        left = None if self.seconds_left is None else max(0.0, self.seconds_left - passed)
        return replace(self, shown_s=passed, seconds_left=left)


@dataclass(frozen=True)
class ImageGrip:
    """Where the image is on the screen, with the zones and corners that fingers drag, all in pixels."""

    left: int
    top: int
    width: int
    height: int
    handle_side: int
    """The side of the square by which a corner is dragged."""


@dataclass
class Dialogue:
    """A view that waits for an answer, and its current page."""

    view: InteractiveView
    page: Page = field(init=False)

    def __post_init__(self) -> None:
        self.page = self.view.first_page()

    def press(self, target: Press) -> Reply | None:
        """Press a target of the page. Return the reply if it was one."""
        return self.go_to(self.page.press(target))

    def go_to(self, page: Press) -> Reply | None:
        """Go to a page, or return the reply if it is one."""
        if isinstance(page, Reply):
            return page
        self.page = page
        return None
