"""A question that several seats answer together: everybody's page, and each seat's own page over it. Pure: no surface,
no clock."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from rules.engine import Prompt, Seat, Value
from ui.screen.pages.answers import Reply
from ui.screen.pages.common.view import Player
from ui.screen.pages.question.view import Draft, HandOverPage, Question, SeatPage, new_draft
from ui.screen.pages.views import InteractiveView, Page, Press, View


@dataclass(frozen=True)
class CameraAnswers:
    """The answers that a camera has seen so far, by seat, and notes to the seats without one."""

    answers: Mapping[Seat, Value] = field(default_factory=dict)
    notes: Mapping[Seat, str] = field(default_factory=dict)


@dataclass(frozen=True)
class GroupQuestion(InteractiveView):
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

    def first_page(self) -> "GroupQuestionPage":
        """See InteractiveView: everybody's page, unless one seat alone is asked on a page of its own."""
        drafts = MappingProxyType({seat: new_draft(self.question_for(seat)) for seat in self.prompt.seats})
        page = GroupQuestionPage(self, drafts, {})
        return page if self.has_shared_page else page.open_seat(next(iter(self.prompt.seats)))


SeatState = Literal["asked", "entering", "in"]


@dataclass(frozen=True)
class GroupQuestionPage(Page):
    """A group question being answered. ``drafts`` are what each seat has entered so far; for private answers only with
    its buttons, since what is entered on the seat's ``own_page`` is forgotten when people leave it. ``answers`` are
    locked in, ``notes`` what the camera lacks for the others. The screen shows ``own_page`` while there is one."""

    view: GroupQuestion
    drafts: Mapping[Seat, Draft]
    answers: Mapping[Seat, Value]
    own_page: SeatPage | None = None
    notes: Mapping[Seat, str] = field(default_factory=dict)

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that have yet to answer, in order."""
        return tuple(seat for seat in sorted(self.view.prompt.seats) if seat not in self.answers)

    @property
    def key(self) -> object:
        """See Page."""
        return None if self.own_page is None else (type(self.own_page), self.own_page.view.seat)

    @property
    def page_to_draw(self) -> View:
        """See View: a seat's own page, if one is open."""
        return self.own_page or self

    def press(self, target: Press) -> Press:
        """See Page. The targets of a seat's own page lead to pages of its own."""
        if self.own_page is None or isinstance(target, GroupQuestionPage):
            return target
        if isinstance(target, SeatPage):
            return self.with_own_page(target)
        if isinstance(target, Reply) and target.value is not None:
            return self.with_reply(self.own_page.view.seat, target)
        return replace(self, own_page=None) if self.view.has_shared_page else self

    def open_seat(self, seat: Seat) -> "GroupQuestionPage":
        """Return the page of a seat that has yet to answer; a private one is handed over first."""
        own = HandOverPage(self.view.question_for(seat)) if self.view.is_private else self.drafts[seat]
        return replace(self, own_page=own)

    def seat_state(self, seat: Seat) -> SeatState:
        """Return a seat's state; for a private answer only whether it is in."""
        if seat in self.answers:
            return "in"
        begun = not self.view.is_private and self.drafts[seat] != new_draft(self.drafts[seat].view)
        return "entering" if begun else "asked"

    def with_own_page(self, own: SeatPage) -> "GroupQuestionPage":
        """Return the page with a seat's own page; where answers are open, that is its draft as well."""
        page = replace(self, own_page=own)
        return page.with_draft(own) if isinstance(own, Draft) and not self.view.is_private else page

    def with_draft(self, draft: Draft) -> "GroupQuestionPage":
        """Return the page with a seat's draft; where answers are open, its own page shows it."""
        seat = draft.view.seat
        shows = not self.view.is_private and self.own_page is not None and self.own_page.view.seat == seat
        drafts = MappingProxyType({**self.drafts, seat: draft})
        return replace(self, drafts=drafts, own_page=draft if shows else self.own_page)

    def with_reply(self, seat: Seat, reply: Reply) -> "GroupQuestionPage | Reply":
        """Return the page with the reply of a seat's own page, or the reply if it was the last one."""
        return self.with_answer(seat, reply.value if isinstance(reply.value, str | int) else None)

    def with_answer(self, seat: Seat, value: Value) -> "GroupQuestionPage | Reply":
        """Return the page with a seat's answer, which is final, or the reply if it was the last one."""
        after = replace(self, answers=MappingProxyType({**self.answers, seat: value}))
        if not after.waiting:
            return after.timeout_reply()
        return replace(after, own_page=None) if self.own_page is not None and self.own_page.view.seat == seat else after

    @property
    def reads_camera(self) -> bool:
        """See Page."""
        return self.view.poll_camera is not None

    def read_camera(self) -> "GroupQuestionPage | Reply":
        """See Page."""
        return self if self.view.poll_camera is None else self.with_camera_answers(self.view.poll_camera())

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
        """See Page: ``None`` for seats that have not answered."""
        return Reply({seat: self.answers.get(seat) for seat in self.view.prompt.seats})

    def with_seconds_left(self, seconds: float) -> "GroupQuestionPage":
        """See Page."""
        own = self.own_page and self.own_page.with_seconds_left(seconds)
        return replace(self, view=replace(self.view, seconds_left=seconds), own_page=own)
