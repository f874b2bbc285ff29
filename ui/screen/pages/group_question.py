"""A question that several seats answer together: everybody's page, and each seat's own page over it. Pure: no surface,
no clock; how each seat's time runs is in ``answer_clocks``."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from typing_extensions import override

from messages import N
from rules.engine import Choices, Prompt, SealedPrompt, Seat, Value
from ui.i18n.language import ngettext, t
from ui.screen.pages import question as question_page
from ui.screen.pages.answer_clocks import AnswerClocks, TimeOuts, to_tenths
from ui.screen.pages.common import Player
from ui.screen.pages.question import (
    SEEN_REPLY,
    Draft,
    EntryPage,
    HandOverPage,
    Question,
    SeatPage,
    TimeUpPage,
    new_draft,
)
from ui.screen.pages.scoreboard import own_facts
from ui.screen.views import PAUSE, Answer, InteractiveView, NobodyAnswered, Page, Press, Reply, View
from ui.text import labels


@dataclass(frozen=True)
class LiveAnswers:
    """The answers that a camera has seen, or phones have sent, so far."""

    answers: Mapping[Seat, Value] = field(default_factory=dict)
    notes: Mapping[Seat, str] = field(default_factory=dict)
    """What the camera lacks for the seats without an answer."""
    phones: frozenset[Seat] | None = None
    """The seats that have a phone; None where a camera answers."""
    on_phone: frozenset[Seat] = frozenset()
    """Those of them whose phone shows the question."""


PollAnswers = Callable[["GroupQuestionPage"], LiveAnswers]
"""Returns the answers from a camera or from phones by now, given the page as it is."""


@dataclass(frozen=True)
class GroupQuestion(InteractiveView):
    """A question that several seats answer together, by touch on a page of their own and by their buttons. Answered
    with ``{seat: value}``; ``None`` for a seat whose time ran out."""

    players: tuple[Player, ...]
    """Everybody at the table."""
    prompt: Prompt
    seconds: float | None = None
    """The time each seat has; None for no limit."""
    hint: str | None = None
    """Explains a question that is asked for the first time."""
    poll_answers: PollAnswers | None = None
    """Returns the answers from a camera or from phones by now."""
    one_clock: bool = False
    """Whether the time runs for all seats at once from the start: each has an input of its own."""
    patience_s: float | None = None
    """Seconds without a touch after which the page is answered with NobodyAnswered; None: never."""
    locked: Mapping[Seat, Value] = field(default_factory=dict)
    """Answers that are already locked in."""

    @property
    def only_tells(self) -> bool:
        """Whether each seat is told what nobody else may know, and there is nothing to choose. Without phones the
        screen goes from each of them to the next by itself."""
        return all(options == Choices((SEEN_REPLY,)) for options in self.prompt.seats.values())

    @property
    def has_shared_page(self) -> bool:
        """Whether it has a page for everybody."""
        return self.opens_shared or self.poll_answers is not None

    @property
    def opens_shared(self) -> bool:
        """Whether everybody's page comes first: one seat's secret question is on a page of its own at once, and so is
        an open one without a time limit."""
        if self.only_tells:
            return False
        if len(self.prompt.seats) > 1 or isinstance(self.prompt, SealedPrompt):
            return True
        return self.seconds is not None and not self.prompt.is_secret

    def question_for(self, seat: Seat) -> Question:
        """Return the question to ``seat``, without anything that only other seats may see."""
        prompt = self.prompt.visible_to(seat)
        return Question(self.players, prompt, seat, can_go_back=self.has_shared_page, hint=self.hint)

    @override
    def first_page(self) -> "GroupQuestionPage":
        """Everybody's page, unless one seat alone is asked on a page of its own. A camera, or the seat's phone, answers
        on everybody's page."""
        drafts = MappingProxyType({seat: new_draft(self.question_for(seat)) for seat in self.prompt.seats})
        page = GroupQuestionPage(self, drafts, MappingProxyType(dict(self.locked)), AnswerClocks(self.seconds))
        if self.one_clock:
            for seat in self.prompt.seats:
                page = page.start_time(seat, by_button=True)
        live = LiveAnswers(phones=frozenset()) if self.poll_answers is None else self.poll_answers(page)
        if self.opens_shared or live.phones is None or live.phones & self.prompt.seats.keys():
            return replace(page, live=LiveAnswers(phones=live.phones))
        return page.hand_over(page.waiting[0])


MAX_ANSWERS_OF_ALL = 3
"""The most answers that have a button for everybody together."""
SeatState = Literal["asked", "on phone", "entering", "in", "out of time"]


@dataclass(frozen=True)
class GroupQuestionPage(Page):
    """A group question being answered. The screen shows ``own_page`` while there is one."""

    view: GroupQuestion
    drafts: Mapping[Seat, Draft]
    """What each seat has entered so far; for private answers only with its buttons, since what is entered on the seat's
    ``own_page`` is forgotten when people leave it."""
    answers: Mapping[Seat, Value]
    """The answers that are locked in."""
    clocks: AnswerClocks
    own_page: SeatPage | None = None
    """The page of the seat that has the screen."""
    live: LiveAnswers = field(default_factory=LiveAnswers)
    """What a camera or phones said last."""
    time_outs: TimeOuts = field(default_factory=TimeOuts)
    clock_s: float | None = None
    """The least time left of the seats that answer off the screen, in tenths of a second."""

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that have yet to answer, in order."""
        return tuple(seat for seat in sorted(self.view.prompt.seats) if seat not in self.answers)

    @property
    def phones(self) -> frozenset[Seat]:
        """The seats that have a phone."""
        return self.live.phones or frozenset()

    @property
    def running(self) -> tuple[Seat, ...]:
        """The seats whose time is running, in order."""
        own = self.own_page.view.seat if isinstance(self.own_page, Draft) else None
        shown = self.clocks.off_screen | {own}
        return tuple(seat for seat in self.waiting if self.clocks.left_s.get(seat) and seat in shown)

    @property
    @override
    def time_runs(self) -> bool:
        return bool(self.running) or (self.time_outs.unsaid and not self.waiting)

    @property
    @override
    def key(self) -> object:
        return None if self.own_page is None else (type(self.own_page), self.own_page.view.seat)

    @property
    @override
    def page_to_draw(self) -> View:
        """A seat's own page, if one is open."""
        return self.own_page or self

    @override
    def press(self, target: Press) -> Press:
        """The targets of a seat's own page lead to pages of its own."""
        own = self.own_page
        if isinstance(target, GroupQuestionPage):  # drawn a moment ago: only which seat it opens counts
            return target if target.own_page is None else self.open_seat(target.own_page.view.seat)
        if own is None or target == PAUSE:
            together = target.value if own is None and isinstance(target, Reply) else None
            return self.with_answer_of_all(together) if together in self.answers_of_all else super().press(target)
        seat = own.view.seat
        if isinstance(own, TimeUpPage):
            return self.extend_time(seat) if isinstance(target, Draft) and own.can_extend else self.with_time_out(seat)
        if isinstance(target, SeatPage):
            return self.with_own_page(target)
        if isinstance(target, Reply) and target.value is not None:
            page = self.with_reply(seat, target)
            return page if isinstance(page, Reply) else page._pass_on(seat)
        return replace(self, own_page=None) if self.view.has_shared_page else self.hand_over(seat)

    @override
    def after_pause(self) -> "GroupQuestionPage":
        """A private page is handed over again, and a player's own cards are covered."""
        own = self.own_page
        if own is None or isinstance(own, TimeUpPage):
            return self
        return self.hand_over(own.view.seat)

    def open_seat(self, seat: Seat) -> "GroupQuestionPage":
        """Return the page of a seat that has yet to answer and has touched its field: whoever did holds the screen. It
        is handed over first where it shows at once what nobody else may see."""
        prompt = self.view.prompt
        if seat not in self.waiting or prompt.is_secret or own_facts(prompt, seat):
            return self.hand_over(seat)
        return self.with_own_page(new_draft(self.view.question_for(seat)) if prompt.is_private else self.drafts[seat])

    def hand_over(self, seat: Seat) -> "GroupQuestionPage":
        """Return the page of a seat that has yet to answer, though somebody else may hold the screen: a private one
        is handed over first."""
        if seat not in self.waiting:
            return self
        if not self.view.prompt.is_private:
            return self.with_own_page(self.drafts[seat])
        left = None if self.view.one_clock else self.clocks.left_s.get(seat, self.view.seconds)
        return replace(self, own_page=HandOverPage(self.view.question_for(seat), left))._update_clocks()

    def _pass_on(self, seat: Seat) -> "GroupQuestionPage":
        """Return the page of a sealed question, or of one that tells, handed over by ``seat`` to the next one that has
        yet to answer and has no phone. It saves each player a touch; nobody's time begins by it. For a secret one a
        seat's buttons ask for the screen."""
        others = [waiting for waiting in self.waiting if waiting not in self.phones]
        goes_round = self.view.only_tells or isinstance(self.view.prompt, SealedPrompt)
        if not goes_round or not others or self.view.one_clock:
            return self
        return self.hand_over(min(others, key=lambda waiting: (waiting < seat, waiting)))

    def seat_state(self, seat: Seat) -> SeatState:
        """Return a seat's state; for a private answer only whether it is in, until all are."""
        if seat in self.time_outs.seats and not (self.view.prompt.is_private and self.waiting):
            return "out of time"
        if seat in self.answers:
            return "in"
        if not self.view.prompt.is_private and self.drafts[seat] != new_draft(self.drafts[seat].view):
            return "entering"
        return "on phone" if seat in self.phones else "asked"

    def with_own_page(self, own: SeatPage) -> "GroupQuestionPage":
        """Return the page with a seat's own page, on which its time runs; where answers are open, that is its draft as
        well."""
        if not isinstance(own, Draft):
            return replace(self, own_page=own)._update_clocks()
        page = replace(self, own_page=own).start_time(own.view.seat)
        return page if page.view.prompt.is_private else page.with_draft(own)

    def with_draft(self, draft: Draft) -> "GroupQuestionPage":
        """Return the page with a seat's draft; where answers are open, its own page shows it."""
        seat = draft.view.seat
        shows = not self.view.prompt.is_private and self.own_page is not None and self.own_page.view.seat == seat
        covered = replace(draft, shows_own=False) if isinstance(draft, EntryPage) else draft
        drafts = MappingProxyType({**self.drafts, seat: covered})
        return replace(self, drafts=drafts, own_page=draft if shows else self.own_page)._update_clocks()

    @property
    def answers_of_all(self) -> tuple[Value, ...]:
        """The few answers that all who have yet to answer on the screen can give together, as a table says them."""
        prompt = self.view.prompt
        asked = [prompt.seats[seat] for seat in self.waiting if seat not in self.phones]
        by_camera = self.view.poll_answers is not None and self.live.phones is None
        if len(asked) < 2 or by_camera or prompt.is_private or prompt.is_optional:
            return ()
        first = asked[0]
        if not isinstance(first, Choices) or any(options != first for options in asked):
            return ()
        return first.values if len(first.values) <= MAX_ANSWERS_OF_ALL else ()

    def with_answer_of_all(self, value: Answer) -> "GroupQuestionPage | Reply":
        """Return the page with the answer of all who have yet to answer on the screen, or the reply if it is all."""
        page = self
        for seat in [seat for seat in self.waiting if seat not in self.phones]:
            after = page.with_reply(seat, Reply(value))
            if isinstance(after, Reply):
                return after
            page = after
        return page

    def with_reply(self, seat: Seat, reply: Reply) -> "GroupQuestionPage | Reply":
        """Return the page with the reply of a seat's own page, or the reply if it was the last one."""
        return self.with_answer(seat, reply.value if isinstance(reply.value, str | int) else None)

    def with_answer(self, seat: Seat, value: Value) -> "GroupQuestionPage | Reply":
        """Return the page with a seat's answer, which is final, or the reply if it was the last one."""
        own = None if self.own_page is not None and self.own_page.view.seat == seat else self.own_page
        after = replace(self, answers=MappingProxyType({**self.answers, seat: value}), own_page=own)._update_clocks()
        return after if after.waiting or after.time_outs.unsaid else after.timeout_reply()

    def start_time(self, seat: Seat, *, by_button: bool = False) -> "GroupQuestionPage":
        """Return the page with a seat's time running, if it is limited: while its own page is shown, or ``by_button``
        whatever is shown."""
        return replace(self, clocks=self.clocks.start(seat, by_button=by_button))._update_clocks()

    def extend_time(self, seat: Seat) -> "GroupQuestionPage":
        """Return the page with a seat's own page and the whole time once more."""
        page = replace(self, clocks=self.clocks.extend(seat))
        return page.with_own_page(
            new_draft(self.view.question_for(seat)) if self.view.prompt.is_private else self.drafts[seat]
        )

    def with_time_out(self, seat: Seat, *, said: bool = True) -> "GroupQuestionPage | Reply":
        """Return the page with no answer of a seat whose time ran out, or the reply if it was the last one and its
        own page has ``said`` so."""
        return replace(self, time_outs=self.time_outs.add(seat, said=said)).with_answer(seat, None)

    @override
    def pass_time(self, seconds: float, quiet_s: float) -> "GroupQuestionPage | Reply":
        if not self.waiting:
            left_s = self.time_outs.shown_s - seconds
            time_outs = replace(self.time_outs, shown_s=left_s)
            return replace(self, time_outs=time_outs) if left_s > 0 else self.timeout_reply()
        patience_s = self.view.patience_s
        if patience_s is not None and quiet_s >= patience_s:
            return Reply(NobodyAnswered(self))
        running = self.running
        if not running:
            return self
        page = replace(self, clocks=self.clocks.pass_time(running, seconds))._update_clocks()
        over = [seat for seat in running if not page.clocks.left_s[seat]]
        if not self.view.one_clock:
            for seat in over:
                page = page._end_time(seat)
        elif len(over) == len(running):
            nobody = patience_s is not None and quiet_s >= (self.view.seconds or 0.0)
            return Reply(NobodyAnswered(self)) if nobody else page.timeout_reply()
        return page

    def _end_time(self, seat: Seat) -> "GroupQuestionPage":
        """Tell a seat on its own page that its time is up; a seat with buttons passes, and everybody's page says so."""
        own = self.own_page
        if own is not None and own.view.seat == seat:
            return replace(self, own_page=TimeUpPage(own.view, seat not in self.clocks.extended))
        page = self.with_time_out(seat, said=False)
        assert isinstance(page, GroupQuestionPage)  # it is still to be said
        return page

    def _update_clocks(self) -> "GroupQuestionPage":
        """Return the page with the time left as it is drawn, in tenths of a second: on a seat's own page its own, on
        everybody's page the least of the seats whose time runs by button or on their phone."""
        if self.view.seconds is None:
            return self
        own, left_s = self.own_page, self.clocks.left_s
        off_screen = [left_s[seat] for seat in self.running if seat in self.clocks.off_screen]
        if isinstance(own, Draft) or (own is not None and self.view.one_clock):
            own = own.with_seconds_left(to_tenths(left_s[own.view.seat]))
        return replace(self, own_page=own, clock_s=to_tenths(min(off_screen)) if off_screen else None)

    @property
    @override
    def is_polled(self) -> bool:
        return self.view.poll_answers is not None

    @override
    def poll(self) -> "GroupQuestionPage | Reply":
        return self if self.view.poll_answers is None else self.with_live_answers(self.view.poll_answers(self))

    def with_live_answers(self, live: LiveAnswers) -> "GroupQuestionPage | Reply":
        """Return the page with the answers of a camera or of phones, or the reply if they complete it."""
        page = replace(self, live=live, clocks=self.clocks.show_on_phones(live.on_phone))._update_clocks()
        for seat, value in live.answers.items():
            if seat in page.waiting:
                after = page.with_answer(seat, value)
                if isinstance(after, Reply):
                    return after
                page = after
        return page

    @override
    def timeout_reply(self) -> Reply:
        """``None`` for seats that have not answered; an optional prompt leaves them out."""
        seats = self.answers if self.view.prompt.is_optional else self.view.prompt.seats
        return Reply({seat: self.answers.get(seat) for seat in seats})


STATE_LABELS: dict[SeatState, str] = {
    "asked": N("Touch here"),
    "on phone": N("On their phone"),
    "entering": N("Entering"),
    "in": N("In"),
    "out of time": N("Time’s up"),
}
HAS_LOOKED = N("Has looked")
"""In place of "In", of a seat that was only told something."""
ANSWERS_ARE_FINAL = N("Once locked in, an answer can’t be changed.")
EVERYBODY = N("Everybody")
"""The label of the button back to everybody's page."""
COUNT_BLINKS = N("Your choice stays off the screen: count your light’s blinks.")


def state_label(page: GroupQuestionPage, seat: Seat) -> str:
    """Return what a seat does."""
    state = page.seat_state(seat)
    return HAS_LOOKED if page.view.only_tells and state == "in" else STATE_LABELS[state]


def waiting_text(page: GroupQuestionPage) -> str:
    """Return whom the box waits for. Once all are in, say that somebody's time ran out."""
    if not page.waiting:
        return question_page.time_out_text(page.view.prompt, N("Time’s up: {meaning}."))
    return labels.waiting_for(page.waiting, {player.seat: player.name for player in page.view.players})


def answer_rules(page: GroupQuestionPage, *, seat_lights: bool) -> str:
    """The rules for answers: to count the ``seat_lights``' blinks if the draft is hidden, and that answers are
    final; "" where there is nothing to choose."""
    if page.view.only_tells:
        return ""
    rule = t(ANSWERS_ARE_FINAL)
    counts = seat_lights and isinstance(page.view.prompt, SealedPrompt)
    return f"{t(COUNT_BLINKS)} {rule}" if counts else rule


def time_rule(page: GroupQuestionPage) -> str:
    """How long each player has, and from when on; "" without a limit, once all are in, or if the time runs for
    all at once."""
    seconds = page.view.seconds
    if seconds is None or page.view.one_clock or not page.waiting:
        return ""
    return ngettext(
        "{count} second each, starting when you touch.",
        "{count} seconds each, starting when you touch.",
        math.ceil(seconds),
    )
