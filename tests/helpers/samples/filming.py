"""Samples of filming: the steps before, between and after, consent, throws on time and late, and the report."""

from dataclasses import replace

from messages import N
from rules.throws import Throw
from ui.screen.pages import filming as filming_page
from ui.screen.pages.filming import (
    AgreementPage,
    ConsentView,
    FilmingMenu,
    FilmingReport,
    FilmingStep,
    LicencePage,
    Progress,
    SeatAgreementPage,
    TakePage,
    ThrowCall,
)
from ui.screen.views import View

FOLDER = "/var/lib/throwlock/filmed-throws/2026-11-23"


def samples() -> dict[str, View]:
    """Return the samples by name."""
    nothing = FilmingMenu(dict.fromkeys(FilmingStep, Progress()))
    done = dict(zip(FilmingStep, (Progress(2, 2), Progress(8, 8), Progress(5, 16), Progress(0, 1)), strict=True))
    begun = FilmingMenu(done, FOLDER, 128)
    complete = {step: Progress(1, 1) for step in FilmingStep} | {
        FilmingStep.AGREE: Progress(2, 2),
        FilmingStep.FILM: Progress(8, 8),
        FilmingStep.LABEL: Progress(16, 16),
    }
    full = N("the disk of {path} is full: free some space, then go on", path=FOLDER)
    consent, four = ConsentView(2, FOLDER), ConsentView(4, FOLDER)
    agreed = AgreementPage(consent, False, {1: "player", 2: "guardian"})
    calls = (ThrowCall(1, Throw.ROCK, False, False), ThrowCall(2, Throw.PAPER, False, False))
    late = (ThrowCall(1, Throw.ROCK, False, False), ThrowCall(2, Throw.SCISSORS, False, True))
    many = tuple(ThrowCall(seat, tuple(Throw)[seat % 3], seat == 2, seat == 3) for seat in (1, 2, 3, 4))
    rows = (
        (filming_page.READ_RIGHT, filming_page.share_text(15, 16), False),
        (filming_page.MISREAD, filming_page.share_text(0, 16), True),
        (filming_page.HAND_TIME, filming_page.errors_text([9.0, 12.4, 41.0]), None),
        (filming_page.DIFFERENCE, filming_page.errors_text([3.0, 8.6, 22.0]), None),
        (filming_page.ACCUSED, filming_page.share_text(0, 12), True),
        (filming_page.CAUGHT, filming_page.share_text(2, 2), True),
    )
    return {
        "filming": nothing,
        "filming-begun": begun,
        "filming-done": replace(begun, progress=complete),
        "filming-full": replace(begun, note=full),
        "filming-consent": consent,
        "filming-licence": LicencePage(consent),
        "filming-agree": AgreementPage(consent, True, {1: "player"}),
        "filming-agree-4": AgreementPage(four, True, {1: "player", 2: "guardian", 3: None}),
        "filming-seat": SeatAgreementPage(agreed, 2),
        "filming-take": TakePage(1, 8, calls, filming_page.FIRST_TAKE),
        "filming-take-late": TakePage(8, 8, late, can_repeat=True, message=full, has_error=True),
        "filming-take-4": TakePage(3, 8, many, can_repeat=True),
        "filming-report": FilmingReport(rows, filming_page.frame_note(33.3), FOLDER),
    }
