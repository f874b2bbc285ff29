"""Painters of filming agreed throws: the steps, consent, the next throw, and how the box did."""

from dataclasses import replace

from rules.engine import Seat
from ui.screen.drawing.forms import Column, Either, Flip, Form, Grid, HandRow, Row, hint, lays_out
from ui.screen.drawing.nodes import GAP, TOUCH, Button, CardPanel, Icon, Node, SeatMark, Space, Text, note
from ui.screen.drawing.theme import ACCENT, BACKGROUND, FOUL, LINE, MUTED, PANEL, RAISED, TEXT
from ui.screen.pages import filming as filming_page
from ui.screen.pages.filming import (
    AGAIN_ANSWER,
    BACK,
    DELETE_ANSWER,
    FILM_ANSWER,
    NEW_ANSWER,
    SKIP_ANSWER,
    STOP_ANSWER,
    AgreementPage,
    ConsentPage,
    FilmingMenu,
    FilmingReport,
    FilmingStep,
    LicencePage,
    SeatAgreementPage,
    TakePage,
    ThrowCall,
)
from ui.screen.views import Reply
from ui.text import labels
from ui.text.verdicts import default_name


@lays_out(FilmingMenu)
def lay_out_filming_menu(page: FilmingMenu) -> Form:
    """Return the steps one below the other, the next one marked; below them where the clips are, and what else can be
    done."""
    about = page.note or (filming_page.size_text(page) if page.folder else filming_page.INTRODUCTION)
    done = Button(labels.DONE, Reply(BACK), size="body", leads_back=True, main=page.next_step is None, share=2)
    tools: list[Node] = [Space(share=4)]
    if page.folder:
        tools = [
            Button(filming_page.DELETE, Reply(DELETE_ANSWER), "erase", size="body", share=3),
            Button(filming_page.NEW, Reply(NEW_ANSWER), "plus", size="body", share=3),
        ]
    return Form(
        filming_page.TITLE,
        Text(about, "body", FOUL if page.note else MUTED, lines=6, align="left", fits=True),
        Grid([_step_card(page, step) for step in FilmingStep], most=26),
        foot=(*tools, done),
        foot_length=1.2 * TOUCH,
    )


def _step_card(page: FilmingMenu, step: FilmingStep) -> CardPanel:
    is_open, is_complete, name = page.is_open(step), page.progress[step].is_complete, filming_page.STEP_NAMES[step]
    lit = is_open or is_complete
    icon = Icon("good" if is_complete else filming_page.STEP_ICONS[step], ACCENT if lit else LINE, length=7)
    label = Text(name, "title", TEXT if lit else MUTED, lines=1, align="left", share=2)
    state = Text(filming_page.step_state(page, step), "body", MUTED, lines=2, align="right", share=4)
    return CardPanel(
        Row(icon, Row(label, state), gap=2 * GAP),
        Reply(step) if is_open else None,
        name,
        fill=RAISED if is_open else BACKGROUND,
        edge=None if is_open else LINE,
        marked=page.next_step is step,
        main=page.next_step is step,
    )


@lays_out(ConsentPage)
def lay_out_consent(page: ConsentPage) -> Form:
    """Return what is filmed, where it stays and how it is deleted, a line each."""
    lines = [
        Row(Icon(icon, side=7, length=7), Text(text, lines=6, align="left", fits=True), gap=2 * GAP)
        for icon, text in filming_page.consent_lines(page.view.folder)
    ]
    return Form(
        filming_page.CONSENT_TITLE,
        Column(*lines, spread=12),
        foot=(
            Button(filming_page.BACK_LABEL, Reply(BACK), "back", size="body"),
            Button(filming_page.GO_ON, LicencePage(page.view), main=True, share=2),
        ),
        foot_length=1.2 * TOUCH,
    )


@lays_out(LicencePage)
def lay_out_licence(page: LicencePage) -> Form:
    """Return the two choices with what each means."""
    back = Button(filming_page.BACK_LABEL, ConsentPage(page.view), "back", size="body", leads_back=True)
    return Form(
        filming_page.LICENCE_TITLE,
        Flip(_licence_card(page, public=False), _licence_card(page, public=True)),
        foot=(back, Space(share=2)),
        foot_length=1.2 * TOUCH,
    )


def _licence_card(page: LicencePage, *, public: bool) -> CardPanel:
    label = filming_page.PUBLIC if public else filming_page.PROJECT
    words = Column(
        Icon("globe" if public else "shield", share=3),
        Text(label, "title", lines=2, share=2),
        Text(filming_page.licence_detail(public), "body", MUTED, lines=6, vertical_align="top", share=4),
    )
    return CardPanel(words, AgreementPage(page.view, public), label, across=3, down=3, fill=RAISED)


@lays_out(AgreementPage)
def lay_out_agreement(page: AgreementPage) -> Form:
    """Return a field for every seat, which its player touches, with the answer so far."""
    finish, seats = page.finish(), page.view.seats
    return Form(
        filming_page.AGREEMENT_TITLE,
        Text(filming_page.TOUCH_YOUR_FIELD, "body", MUTED, lines=1, align="left", length=6),
        Grid([_seat_card(page, seat) for seat in range(1, seats + 1)], (seats, min(seats, 2))),
        foot=(
            Button(filming_page.BACK_LABEL, LicencePage(page.view), "back", size="body", leads_back=True),
            Button(
                filming_page.GO_ON,
                finish or page,
                size="body",
                main=finish is not None,
                enabled=finish is not None,
                share=2,
            ),
        ),
        foot_length=1.2 * TOUCH,
    )


def _seat_card(page: AgreementPage, seat: Seat) -> CardPanel:
    agrees, name = page.answers.get(seat) is not None, default_name(seat)
    answer: Node = Space(share=3)
    if seat in page.answers:
        answer = Icon("good" if agrees else "nothing", ACCENT if agrees else MUTED, share=3)
    state = Text(filming_page.agreement_state(page.answers, seat), "body", MUTED, lines=2, share=3)
    words = Column(SeatMark(seat, share=4), Text(name, "title", lines=1, share=2), answer, state)
    return CardPanel(
        words, SeatAgreementPage(page, seat), name, down=2, fill=RAISED if agrees else PANEL, marked=agrees
    )


@lays_out(SeatAgreementPage)
def lay_out_seat_agreement(page: SeatAgreementPage) -> Form:
    """Return one player's three answers."""
    agreement, seat = page.agreement, page.seat
    return Form(
        filming_page.seat_question(default_name(seat)),
        Text(filming_page.licence_detail(agreement.public), "body", MUTED, lines=4, align="left", fits=True),
        SeatMark(seat, length=(14, 30)),
        Button(filming_page.AGREE, agreement.with_answer(seat, "player"), "good"),
        Button(filming_page.GUARDIAN_AGREES, agreement.with_answer(seat, "guardian"), "heart"),
        Button(filming_page.DISAGREE, agreement.with_answer(seat, None), "nothing"),
        foot=(Button(filming_page.BACK_LABEL, agreement, "back", size="body", leads_back=True), Space(share=2)),
        foot_length=TOUCH,
    )


@lays_out(TakePage)
def lay_out_take(page: TakePage) -> Form:
    """Return what everybody is to throw, as large as it fits, and the button that begins the count."""
    stop = Button(filming_page.STOP, Reply(STOP_ANSWER), size="body", leads_back=True, share=3)
    skip = Button(filming_page.SKIP, Reply(SKIP_ANSWER), size="body", share=4)
    film = Button(filming_page.FILM_IT, Reply(FILM_ANSWER), main=True, share=5)
    foot: Node = HandRow(stop, skip, film)
    height = 1.4 * TOUCH, 1.4 * TOUCH
    if page.can_repeat:
        again = Button(filming_page.FILM_AGAIN, Reply(AGAIN_ANSWER), size="body", share=4)
        foot = Either(HandRow(stop, skip, again, film), Column(replace(again, share=1), foot))
        height = height[0], 2 * height[1] + GAP
    message = None
    if page.message:
        message = hint(page.message, *(("foul", FOUL) if page.has_error else ("bubble", ACCENT)))
    count = len(page.calls)
    return Form(
        filming_page.take_title(page.number, page.total),
        message,
        Grid([_call_card(call) for call in page.calls], (count, min(count, 2))),
        foot=foot,
        foot_length=height,
    )


def _call_card(call: ThrowCall) -> CardPanel:
    """Return what one seat is to throw: the throw, mirrored hands being named, and in the colour of fouls when late."""
    head = Row(
        SeatMark(call.seat, length=6), Text(default_name(call.seat), "body", MUTED, lines=1, align="left"), length=6
    )
    words = Column(
        head,
        Icon(str(call.throw), TEXT),
        Text(labels.throw_text(call.throw), "title", lines=1, length=8),
        Text(filming_page.call_hand(call), "body", MUTED, lines=1, length=6),
        Text(filming_page.call_time(call), "body", FOUL if call.late else TEXT, lines=3, fits=True),
        gap=0.7,
    )
    return CardPanel(words, across=1.6, down=1.2, edge=FOUL if call.late else LINE, strong=call.late)


@lays_out(FilmingReport)
def lay_out_filming_report(page: FilmingReport) -> Form:
    """Return the report as a table in words."""
    return Form(
        filming_page.REPORT_TITLE,
        Grid([_report_row(*row) for row in page.rows], most=22),
        note(page.note, lines=5) if page.note else None,
        note(page.folder, lines=5) if page.folder else None,
        foot=(Space(share=2), Button(labels.DONE, Reply(BACK), main=True)),
        foot_length=1.2 * TOUCH,
    )


def _report_row(question: str, answer: str, good: bool | None) -> CardPanel:
    icon: Node = Space(length=6)
    if good is not None:
        icon = Icon("good" if good else "doubt", ACCENT if good else FOUL, length=6)
    label = Text(question, lines=2, align="left", share=3)
    return CardPanel(Row(icon, Row(label, Text(answer, "body", MUTED, lines=2, align="right", share=4))))
