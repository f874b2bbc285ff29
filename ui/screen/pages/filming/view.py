"""Filming agreed throws, as plain data: the steps, the players' consent, what to throw next, and how the box did."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal, Self

from rules.engine import Seat
from rules.throws import Throw
from ui.screen.pages.answers import CompoundAnswer, Reply
from ui.screen.pages.views import InteractiveView, Page

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
    """How much of a step is done: ``done`` of ``total`` (0: not yet known)."""

    done: int = 0
    total: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether nothing of it is left."""
        return 0 < self.total <= self.done


@dataclass(frozen=True)
class FilmingMenu(Page):
    """The steps of filming with their progress, and what can be deleted. ``folder`` is where the clips are ("": nothing
    is filmed yet), of ``size_mb`` megabytes; ``note`` is what went wrong. Answered with a FilmingStep, NEW_ANSWER,
    DELETE_ANSWER, or BACK."""

    is_idle = True

    progress: Mapping[FilmingStep, Progress]
    folder: str = ""
    size_mb: int = 0
    note: str = ""

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
    """Ask the players of ``seats`` seats for their consent; ``folder`` is where the clips are kept. Answered with a
    ConsentAnswer, or BACK."""

    seats: int
    folder: str

    def first_page(self) -> "ConsentPage":
        """See InteractiveView."""
        return ConsentPage(self)


@dataclass(frozen=True)
class ConsentAnswer(CompoundAnswer):
    """The answer to a ConsentView: whether the clips are ``public`` (else for this project only), and who agreed for
    which seat; the others are not filmed."""

    public: bool
    seats: Mapping[Seat, Agreement]


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
    """What a seat is to throw: with the left hand or the right one, and one beat too late on purpose or not."""

    seat: Seat
    throw: Throw
    left_hand: bool
    late: bool


@dataclass(frozen=True)
class TakePage(Page):
    """What everybody is to throw next: throw ``number`` of ``total``; ``message`` is what has just happened, which was
    a failure if it ``has_error``. ``can_repeat``: the throw before can be filmed again. Answered with FILM_ANSWER,
    SKIP_ANSWER, AGAIN_ANSWER or STOP_ANSWER."""

    number: int
    total: int
    calls: tuple[ThrowCall, ...]
    message: str = ""
    has_error: bool = False
    can_repeat: bool = False


@dataclass(frozen=True)
class FilmingReport(Page):
    """How the box did: ``rows`` of a question, its answer and whether that is as it should be (None: no verdict); a
    ``note`` below. Answered with BACK."""

    is_idle = True

    rows: tuple[tuple[str, str, bool | None], ...]
    note: str = ""
    folder: str = ""
