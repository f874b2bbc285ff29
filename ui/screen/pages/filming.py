"""Filming agreed throws, as plain data: the steps, the players' consent, what to throw next, and how the box did."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal, Self

from typing_extensions import override

from messages import N
from rules.engine import Seat
from rules.throws import Throw
from ui.i18n.language import ngettext, t
from ui.screen.views import CompoundAnswer, InteractiveView, Page, Reply
from ui.text.verdicts import COUNT_WORDS

BACK, STOP_ANSWER, FILM_ANSWER, SKIP_ANSWER, AGAIN_ANSWER = "back", "stop", "film", "skip", "again"
NEW_ANSWER, DELETE_ANSWER = "new filming", "delete everything"


class FilmingStep(StrEnum):
    """What is done one after the other. The values are the answers of FilmingMenu."""

    AGREE = "agree"
    FILM = "film throws"
    LABEL = "label"
    MEASURE = "measure"


@dataclass(frozen=True)
class Progress:
    """How much of a step is done."""

    done: int = 0
    total: int = 0
    """Of how many; 0: not yet known."""

    @property
    def is_complete(self) -> bool:
        """Whether nothing of it is left."""
        return 0 < self.total <= self.done


@dataclass(frozen=True)
class FilmingMenu(Page):
    """The steps of filming, and what can be deleted. Answered with a FilmingStep, NEW_ANSWER, DELETE_ANSWER, or
    BACK."""

    is_idle = True

    progress: Mapping[FilmingStep, Progress]
    folder: str = ""
    """Where the clips are; "": nothing is filmed yet."""
    size_mb: int = 0
    """The size of that folder."""
    note: str = ""
    """What went wrong."""

    @property
    def next_step(self) -> FilmingStep | None:
        """The first step that is not complete; None once all are."""
        return next((step for step in FilmingStep if not self.progress[step].is_complete), None)

    def is_open(self, step: FilmingStep) -> bool:
        """Return whether a step can be done now: agreeing once, the others as soon as there is something to do it
        with."""
        if step is FilmingStep.AGREE:
            return not self.folder
        before = list(FilmingStep)[list(FilmingStep).index(step) - 1]
        return self.progress[before].done > 0


Agreement = Literal["player", "guardian"]
"""Who agrees for a seat."""


@dataclass(frozen=True)
class ConsentView(InteractiveView):
    """Ask the players for their consent. Answered with a ConsentAnswer, or BACK."""

    seats: int
    """The number of seats."""
    folder: str
    """Where the clips are kept."""

    @override
    def first_page(self) -> "ConsentPage":
        return ConsentPage(self)


@dataclass(frozen=True)
class ConsentAnswer(CompoundAnswer):
    """The answer to a ConsentView."""

    public: bool
    """Whether the clips are public; else they are for this project only."""
    seats: Mapping[Seat, Agreement]
    """Who agreed for which seat; the others are not filmed."""


@dataclass(frozen=True)
class ConsentPage(Page):
    """What is filmed, where it stays, and how it is deleted."""

    view: ConsentView


@dataclass(frozen=True)
class LicencePage(Page):
    """The choice of who may use the clips."""

    view: ConsentView


@dataclass(frozen=True)
class AgreementPage(Page):
    """Everybody's answer so far: who agreed (None: that seat is not filmed) by seat."""

    view: ConsentView
    public: bool
    answers: Mapping[Seat, Agreement | None] = field(default_factory=dict)

    def with_answer(self, seat: Seat, answer: Agreement | None) -> Self:
        """Return the page with a seat's answer."""
        return replace(self, answers={**self.answers, seat: answer})

    def finish(self) -> Reply | None:
        """Return the reply; None until every seat has answered and somebody has agreed."""
        agreed = {seat: answer for seat, answer in sorted(self.answers.items()) if answer is not None}
        complete = len(self.answers) == self.view.seats and agreed
        return Reply(ConsentAnswer(self.public, agreed)) if complete else None


@dataclass(frozen=True)
class SeatAgreementPage(Page):
    """One seat's answer."""

    agreement: AgreementPage
    seat: Seat


@dataclass(frozen=True)
class ThrowCall:
    """What a seat is to throw."""

    seat: Seat
    throw: Throw
    left_hand: bool
    """Whether it throws with the left hand."""
    late: bool
    """Whether it throws one beat too late, on purpose."""


@dataclass(frozen=True)
class TakePage(Page):
    """What everybody is to throw next. Answered with FILM_ANSWER, SKIP_ANSWER, AGAIN_ANSWER or STOP_ANSWER."""

    number: int
    """Of the throw, from 1."""
    total: int
    """The number of all throws."""
    calls: tuple[ThrowCall, ...]
    message: str = ""
    """What has just happened."""
    has_error: bool = False
    """Whether that was a failure."""
    can_repeat: bool = False
    """Whether the throw before can be filmed again."""


@dataclass(frozen=True)
class FilmingReport(Page):
    """How the box did. Answered with BACK."""

    is_idle = True

    rows: tuple[tuple[str, str, bool | None], ...]
    """A question, its answer and whether that is as it should be (None: no verdict)."""
    note: str = ""
    """A text below the rows."""
    folder: str = ""


TITLE = N("Film throws")
INTRODUCTION = N(
    "In ten minutes: throw on the count, mark in the images when each hand showed, and see how right the box is at "
    "your table."
)
STEP_NAMES = {
    FilmingStep.AGREE: N("Agree"),
    FilmingStep.FILM: N("Film"),
    FilmingStep.LABEL: N("Mark"),
    FilmingStep.MEASURE: N("Compare"),
}
STEP_DETAILS = {
    FilmingStep.AGREE: N("what is filmed, and what for"),
    FilmingStep.FILM: N("agreed throws on the count"),
    FilmingStep.LABEL: N("when each hand showed, frame by frame"),
    FilmingStep.MEASURE: N("what the box reads, with your marks"),
}
STEP_ICONS = {
    FilmingStep.AGREE: "shield",
    FilmingStep.FILM: "eye",
    FilmingStep.LABEL: "pencil",
    FilmingStep.MEASURE: "sums",
}
NEW = N("New filming")
DELETE = N("Delete everything")
BACK_LABEL, GO_ON, STOP, SKIP = N("Back"), N("Go on"), N("Stop for now"), N("Skip")
CONSENT_TITLE = N("Before you are filmed")
FILMED = N("Only your zones are filmed, while you throw: hands and arms, no sound. Keep faces out of them.")
KEPT = N("The clips stay on this box, in {folder}. Your names are not stored.")
NOTHING_SENT = N("Nothing is sent. Whoever owns the box can give the folder to the Throwlock project by hand.")
DELETED = N("“Delete everything” deletes the clips for good, at any time, except copies given away before.")
GUARDIANS = N("For a player under age, a parent or guardian agrees. Whoever doesn’t agree is not filmed.")
LICENCE_TITLE = N("Who may use the clips?")
PUBLIC = N("Everybody")
PUBLIC_DETAIL = N("Public domain (CC0): anybody may use, change and publish them. That can’t be taken back.")
PROJECT = N("Only Throwlock")
PROJECT_DETAIL = N("To test and improve this project, not to be published or passed on.")
AGREEMENT_TITLE = N("Does everybody agree?")
TOUCH_YOUR_FIELD = N("Touch your field.")
AGREE = N("I agree")
GUARDIAN_AGREES = N("I’m under age: my guardian agrees")
DISAGREE = N("No, don’t film me")
FILM_IT = N("Film it")
FILM_AGAIN = N("Film the last one again")
FIRST_TAKE = N("A fist on every word, your throw on {call} Then hold still for two seconds.", call=COUNT_WORDS[-1])
REPORT_TITLE = N("How right the box was")
NOTHING_MARKED = N("Nothing is marked that could be compared.")
READ_RIGHT, MISREAD = N("Read as you marked it"), N("Read as another throw")
HAND_TIME, DIFFERENCE = N("Time of a hand"), N("Time between two hands")
ACCUSED, CAUGHT = N("Honest, yet accused"), N("Late on your marks, and found")


def step_state(menu: FilmingMenu, step: FilmingStep) -> str:
    """How far a step is."""
    progress = menu.progress[step]
    if not progress.done:
        return t(STEP_DETAILS[step])
    match step:
        case FilmingStep.AGREE:
            return ngettext("{count} player has agreed", "{count} players have agreed", progress.done)
        case FilmingStep.FILM:
            return t("{done} of {total} filmed", done=progress.done, total=progress.total)
        case FilmingStep.LABEL:
            return t("{done} of {total} hands marked", done=progress.done, total=progress.total)
        case FilmingStep.MEASURE:
            return t("done")


def size_text(menu: FilmingMenu) -> str:
    """How much has been filmed, and where it is."""
    return t("{size} MB in {folder}", size=menu.size_mb, folder=menu.folder)


def consent_lines(folder: str) -> tuple[tuple[str, str], ...]:
    """What players agree to: an icon and a sentence each."""
    return (
        ("frame", FILMED),
        ("level", N(KEPT, folder=folder)),
        ("shield", NOTHING_SENT),
        ("erase", DELETED),
        ("heart", GUARDIANS),
    )


def consent_text(folder: str, public: bool) -> str:
    """Everything that players agree to as one text, in the language on the screen."""
    sentences = [t(sentence) for _, sentence in consent_lines(folder)]
    sentences.append(f"{t(LICENCE_TITLE)} {t(PUBLIC if public else PROJECT)}: {t(licence_detail(public))}")
    return " ".join(sentences)


def licence_detail(public: bool) -> str:
    """What the chosen licence means."""
    return PUBLIC_DETAIL if public else PROJECT_DETAIL


def agreement_state(answers: Mapping[Seat, Agreement | None], seat: Seat) -> str:
    """A seat's answer in a word or two."""
    if seat not in answers:
        return t("not yet")
    return {None: t("not filmed"), "player": t("agrees"), "guardian": t("guardian agrees")}[answers[seat]]


def seat_question(player: str) -> str:
    """The question to one player."""
    return t("{player}: do you agree?", player=player)


def take_title(number: int, total: int) -> str:
    """Which throw is next."""
    return t("Throw {number} of {total}", number=number, total=total)


def call_hand(call: ThrowCall) -> str:
    """Which hand throws."""
    return t("left hand") if call.left_hand else t("right hand")


def call_time(call: ThrowCall) -> str:
    """When a player throws."""
    return (
        t("LATE: one beat after {call}", call=t(COUNT_WORDS[-1]))
        if call.late
        else t("on {call}", call=t(COUNT_WORDS[-1]))
    )


def share_text(count: int, total: int) -> str:
    """How many of how many; a dash where there are none."""
    return N("{count} of {total}", count=count, total=total) if total else "–"


def errors_text(errors_ms: Sequence[float]) -> str:
    """The median and the worst of errors in ms; a dash where there are none."""
    if not errors_ms:
        return "–"
    return N(
        "half within {median} ms, all within {worst} ms",
        median=round(statistics.median(errors_ms)),
        worst=round(max(errors_ms)),
    )


def frame_note(frame_ms: float) -> str:
    """How fine marks are."""
    return N("Between two frames are {ms} ms: marks by eye are no finer than that.", ms=round(frame_ms))
