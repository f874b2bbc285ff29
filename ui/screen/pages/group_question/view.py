"""A question that several seats answer together: everybody's page, each seat's own page over it, and what leads from
one to the next. Pure, as ``ui.screen.core.page_stack``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from rules.engine import Prompt, Seat, Value
from ui.screen.pages.answers import Reply
from ui.screen.pages.common.view import Player, Question
from ui.screen.pages.question.view import Draft, HandOverPage, new_draft, next_entry


@dataclass(frozen=True)
class CameraAnswers:
    """What a camera that answers as well has seen: the answers by seat, and notes to the seats without one."""

    answers: Mapping[Seat, Value] = field(default_factory=dict)
    notes: Mapping[Seat, str] = field(default_factory=dict)


@dataclass(frozen=True)
class GroupQuestion:
    """A question that several seats answer together, by touch on a page of their own and by their buttons. Answered
    with ``{seat: value}``; ``None`` for a seat without an answer when ``seconds_left`` ran out. ``hint`` explains a
    question that is asked for the first time. ``poll_camera`` returns the answers a camera has seen so far."""

    players: tuple[Player, ...]
    prompt: Prompt
    seconds_left: float | None = None
    hint: str | None = None
    poll_camera: Callable[[], CameraAnswers] | None = None

    @property
    def is_private(self) -> bool:
        """Whether nothing of an answer may be seen before all are in."""
        return self.prompt.sealed or self.prompt.secret

    @property
    def has_shared_page(self) -> bool:
        """Whether it has a page for everybody: one seat's open or secret question is on a page of its own at once."""
        alone = len(self.prompt.seats) == 1 and self.poll_camera is None
        return not alone or (self.prompt.sealed and not self.prompt.secret)

    def question_for(self, seat: Seat) -> Question:
        """The part of ``seat``."""
        return Question(self.players, self.prompt, seat, self.seconds_left, self.has_shared_page, self.hint)


SeatState = Literal["asked", "entering", "in"]


@dataclass(frozen=True)
class OpenSeatPage:
    """Press: open one seat's own page, or go back to everybody's (``None``)."""

    seat: Seat | None


@dataclass(frozen=True)
class GroupQuestionPage:
    """A group question being answered. ``drafts`` are what each seat has entered so far; of private answers only by its
    buttons, for what is entered on the seat's ``own_page`` is forgotten when that is left. ``answers`` are locked in,
    ``notes`` what the camera lacks for the others. The screen shows ``own_page`` while there is one."""

    view: GroupQuestion
    drafts: Mapping[Seat, Draft]
    answers: Mapping[Seat, Value]
    own_page: HandOverPage | Draft | None = None
    notes: Mapping[Seat, str] = field(default_factory=dict)

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """Who is not in yet, by seat."""
        return tuple(seat for seat in sorted(self.view.prompt.seats) if seat not in self.answers)

    @property
    def page_key(self) -> object:
        """What tells one page that people see from another: a touch on a new one may have been meant for the old."""
        return None if self.own_page is None else (type(self.own_page), self.own_page.view.seat)

    def seat_state(self, seat: Seat) -> SeatState:
        """How far a seat is; of a private answer only whether it is in."""
        if seat in self.answers:
            return "in"
        begun = not self.view.is_private and self.drafts[seat] != new_draft(self.drafts[seat].view)
        return "entering" if begun else "asked"

    def with_own_page(self, own: HandOverPage | Draft | None) -> "GroupQuestionPage":
        """With a seat's own page as it is now; where answers are open that is its draft as well."""
        if own is None or isinstance(own, HandOverPage) or self.view.is_private:
            return replace(self, own_page=own)
        return replace(self, own_page=own).with_draft(own)

    def with_draft(self, draft: Draft) -> "GroupQuestionPage":
        """With a seat's draft as it is now; where answers are open its own page shows it."""
        seat = draft.view.seat
        shows = not self.view.is_private and self.own_page is not None and self.own_page.view.seat == seat
        drafts = MappingProxyType({**self.drafts, seat: draft})
        return replace(self, drafts=drafts, own_page=draft if shows else self.own_page)

    def with_answer(self, seat: Seat, value: Value) -> "GroupQuestionPage | Reply":
        """With a seat's answer, which can't be changed any more; the reply, when it was the last."""
        after = replace(self, answers=MappingProxyType({**self.answers, seat: value}))
        if not after.waiting:
            return after.timeout_reply()
        return replace(after, own_page=None) if self.own_page is not None and self.own_page.view.seat == seat else after

    def with_camera_answers(self, camera: CameraAnswers) -> "GroupQuestionPage | Reply":
        """With what a camera sees now; the reply, when the last seat is in by it."""
        page = replace(self, notes=camera.notes)
        for seat, value in camera.answers.items():
            if seat in page.waiting:
                after = page.with_answer(seat, value)
                if isinstance(after, Reply):
                    return after
                page = after
        return page

    def timeout_reply(self) -> Reply:
        """The reply as things stand; ``None`` for who is not in."""
        return Reply({seat: self.answers.get(seat) for seat in self.view.prompt.seats})

    def with_seconds_left(self, seconds: float) -> "GroupQuestionPage":
        """With so many seconds left."""
        own = self.own_page and replace(self.own_page, view=replace(self.own_page.view, seconds_left=seconds))
        return replace(self, view=replace(self.view, seconds_left=seconds), own_page=own)


def open_group_question(view: GroupQuestion) -> GroupQuestionPage:
    """The page a GroupQuestion opens with: everybody's, unless one seat alone is asked on a page of its own."""
    page = GroupQuestionPage(
        view, MappingProxyType({seat: new_draft(view.question_for(seat)) for seat in view.prompt.seats}), {}
    )
    return page if view.has_shared_page else open_seat_page(page, next(iter(view.prompt.seats)))


def open_seat_page(page: GroupQuestionPage, seat: Seat) -> GroupQuestionPage:
    """The page of a seat that is not in yet; a private one is handed over first."""
    own = HandOverPage(page.view.question_for(seat)) if page.view.is_private else page.drafts[seat]
    return replace(page, own_page=own)


def next_group_page(page: GroupQuestionPage, press: object) -> GroupQuestionPage | Reply:
    """The page ``press`` leads to, or the reply it is. A press that means nothing on ``page`` leaves it as it is."""
    own = page.own_page
    if isinstance(press, OpenSeatPage):
        if press.seat is None:
            return replace(page, own_page=None) if page.view.has_shared_page else page
        return open_seat_page(page, press.seat) if own is None and press.seat in page.waiting else page
    if own is None:
        return page
    after = next_entry(own, press)
    return (
        page.with_answer(own.view.seat, _seat_value(after)) if isinstance(after, Reply) else page.with_own_page(after)
    )


def _seat_value(reply: Reply) -> Value:
    """What one seat's own page was answered with."""
    return reply.value if isinstance(reply.value, str | int) else None
