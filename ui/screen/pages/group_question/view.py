"""A question that several seats answer together: everybody's page, each seat's own page over it, and the presses that
lead from one to the next. Pure, like ``ui.screen.core.page_stack``."""

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
    """The answers that a camera has seen so far, by seat, and notes to the seats without one."""

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
        """Return the question to ``seat``."""
        return Question(self.players, self.prompt, seat, self.seconds_left, self.has_shared_page, self.hint)


SeatState = Literal["asked", "entering", "in"]


@dataclass(frozen=True)
class OpenSeatPage:
    """Press: open one seat's own page, or go back to everybody's (``None``)."""

    seat: Seat | None


@dataclass(frozen=True)
class GroupQuestionPage:
    """A group question being answered. ``drafts`` are what each seat has entered so far; for private answers only with
    its buttons, since what is entered on the seat's ``own_page`` is forgotten when people leave it. ``answers`` are
    locked in, ``notes`` what the camera lacks for the others. The screen shows ``own_page`` while there is one."""

    view: GroupQuestion
    drafts: Mapping[Seat, Draft]
    answers: Mapping[Seat, Value]
    own_page: HandOverPage | Draft | None = None
    notes: Mapping[Seat, str] = field(default_factory=dict)

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that have yet to answer, in order."""
        return tuple(seat for seat in sorted(self.view.prompt.seats) if seat not in self.answers)

    @property
    def page_key(self) -> object:
        """Identifies the page to people: right after it changes, a touch may be meant for the page before."""
        return None if self.own_page is None else (type(self.own_page), self.own_page.view.seat)

    def seat_state(self, seat: Seat) -> SeatState:
        """Return a seat's state; for a private answer only whether it is in."""
        if seat in self.answers:
            return "in"
        begun = not self.view.is_private and self.drafts[seat] != new_draft(self.drafts[seat].view)
        return "entering" if begun else "asked"

    def with_own_page(self, own: HandOverPage | Draft | None) -> "GroupQuestionPage":
        """Return the page with a seat's own page; where answers are open, that is its draft as well."""
        if own is None or isinstance(own, HandOverPage) or self.view.is_private:
            return replace(self, own_page=own)
        return replace(self, own_page=own).with_draft(own)

    def with_draft(self, draft: Draft) -> "GroupQuestionPage":
        """Return the page with a seat's draft; where answers are open, its own page shows it."""
        seat = draft.view.seat
        shows = not self.view.is_private and self.own_page is not None and self.own_page.view.seat == seat
        drafts = MappingProxyType({**self.drafts, seat: draft})
        return replace(self, drafts=drafts, own_page=draft if shows else self.own_page)

    def with_answer(self, seat: Seat, value: Value) -> "GroupQuestionPage | Reply":
        """Return the page with a seat's answer, which is final, or the reply if it was the last one."""
        after = replace(self, answers=MappingProxyType({**self.answers, seat: value}))
        if not after.waiting:
            return after.timeout_reply()
        return replace(after, own_page=None) if self.own_page is not None and self.own_page.view.seat == seat else after

    def with_camera_answers(self, camera: CameraAnswers) -> "GroupQuestionPage | Reply":
        """Return the page with the camera's answers, or the reply if they complete it."""
        page = replace(self, notes=camera.notes)
        for seat, value in camera.answers.items():
            if seat in page.waiting:
                after = page.with_answer(seat, value)
                if isinstance(after, Reply):
                    return after
                page = after
        return page

    def timeout_reply(self) -> Reply:
        """Return the reply for when time is up: ``None`` for seats that have not answered."""
        return Reply({seat: self.answers.get(seat) for seat in self.view.prompt.seats})

    def with_seconds_left(self, seconds: float) -> "GroupQuestionPage":
        """Return the page with ``seconds`` left."""
        own = self.own_page and replace(self.own_page, view=replace(self.own_page.view, seconds_left=seconds))
        return replace(self, view=replace(self.view, seconds_left=seconds), own_page=own)


def open_group_question(view: GroupQuestion) -> GroupQuestionPage:
    """Return the page a GroupQuestion opens with: everybody's, unless one seat alone is asked on a page of its own."""
    page = GroupQuestionPage(
        view, MappingProxyType({seat: new_draft(view.question_for(seat)) for seat in view.prompt.seats}), {}
    )
    return page if view.has_shared_page else open_seat_page(page, next(iter(view.prompt.seats)))


def open_seat_page(page: GroupQuestionPage, seat: Seat) -> GroupQuestionPage:
    """Return the page of a seat that has yet to answer; a private one is handed over first."""
    own = HandOverPage(page.view.question_for(seat)) if page.view.is_private else page.drafts[seat]
    return replace(page, own_page=own)


def next_group_page(page: GroupQuestionPage, press: object) -> GroupQuestionPage | Reply:
    """Return the page ``press`` leads to, or the reply that it is. A press without a meaning on ``page`` changes
    nothing."""
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
    """Return the value of one seat's reply."""
    return reply.value if isinstance(reply.value, str | int) else None
