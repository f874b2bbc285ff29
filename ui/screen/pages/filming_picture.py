"""Painters of filming agreed throws: the steps, consent, the next throw, and how the box did."""

from pygame import Rect

from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, BACKGROUND, FOUL, LINE, MUTED, PANEL, RAISED, TEXT
from ui.screen.drawing.widgets import draw_card, draw_header, hand_row
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


@paints(FilmingMenu)
def draw_filming_menu(canvas: Canvas, page: FilmingMenu) -> None:
    """Draw the steps one below the other, the next one marked; below them where the clips are, and what else can be
    done."""
    theme = canvas.theme
    body = draw_header(canvas, canvas.page, filming_page.TITLE)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.2), theme.gap)
    if page.folder:
        delete, new, done = hand_row(canvas, foot, [3, 3, 2], theme.gap)
        canvas.button(delete, filming_page.DELETE, Reply(DELETE_ANSWER), icon="erase")
        canvas.button(new, filming_page.NEW, Reply(NEW_ANSWER), icon="plus")
    else:
        _, done = hand_row(canvas, foot, [2, 1], theme.gap)
    canvas.button(done, labels.DONE, Reply(BACK), leads_back=True, main=page.next_step is None)
    note = page.note or (filming_page.size_text(page) if page.folder else filming_page.INTRODUCTION)
    line, body = layout.split_top(body, canvas.text_height(note, body.w), theme.gap)
    canvas.text(line, note, theme.body, FOUL if page.note else MUTED, align="left", max_lines=6)
    height = min(theme.units(26), (body.h - 3 * theme.gap) // 4)
    for step in FilmingStep:
        row, body = layout.split_top(body, height, theme.gap)
        _draw_step(canvas, row, page, step)


def _draw_step(canvas: Canvas, row: Rect, page: FilmingMenu, step: FilmingStep) -> None:
    theme, is_next, is_open = canvas.theme, page.next_step is step, page.is_open(step)
    canvas.framed_panel(row, RAISED if is_open else BACKGROUND, marked=is_next)
    if is_open:
        canvas.add_target(row, Reply(step), filming_page.STEP_NAMES[step], main=is_next)
    inner = layout.inset(row, theme.units(2), theme.units(0.6))
    sign, inner = layout.split_left(inner, min(inner.h, theme.units(7)), theme.gap * 2)
    complete = page.progress[step].is_complete
    colour = ACCENT if is_open or complete else LINE
    canvas.icon(sign, "good" if complete else filming_page.STEP_ICONS[step], colour)
    label, value = layout.columns(inner, [2, 4], theme.gap)
    canvas.text(label, filming_page.STEP_NAMES[step], theme.title, TEXT if is_open or complete else MUTED, align="left")
    canvas.text(value, filming_page.step_state(page, step), theme.body, MUTED, align="right", max_lines=2)


@paints(ConsentPage)
def draw_consent(canvas: Canvas, page: ConsentPage) -> None:
    """Draw what is filmed, where it stays and how it is deleted, a line each."""
    theme = canvas.theme
    body = draw_header(canvas, canvas.page, filming_page.CONSENT_TITLE)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.2), theme.gap)
    back, on = hand_row(canvas, foot, [1, 2], theme.gap)
    canvas.button(back, filming_page.BACK_LABEL, Reply(BACK), icon="back")
    canvas.button(on, filming_page.GO_ON, LicencePage(page.view), main=True, size=theme.title)
    lines = filming_page.consent_lines(page.view.folder)
    width = body.w - theme.units(7) - theme.gap * 2
    heights = [canvas.text_height(text, width) for _, text in lines]
    free = max(0, body.h - sum(heights) - theme.gap * (len(lines) - 1)) // len(lines)
    for (icon, text), height in zip(lines, heights, strict=True):
        row, body = layout.split_top(body, height + min(free, theme.units(12)), theme.gap)
        sign, line = layout.split_left(row, theme.units(7), theme.gap * 2)
        canvas.icon(layout.centre(sign, sign.w, theme.units(7)), icon, ACCENT)
        canvas.text(line, text, theme.body, align="left", max_lines=6)


@paints(LicencePage)
def draw_licence(canvas: Canvas, page: LicencePage) -> None:
    """Draw the two choices with what each means."""
    theme = canvas.theme
    body = draw_header(canvas, canvas.page, filming_page.LICENCE_TITLE)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.2), theme.gap)
    back, _ = hand_row(canvas, foot, [1, 2], theme.gap)
    canvas.button(back, filming_page.BACK_LABEL, ConsentPage(page.view), icon="back", leads_back=True)
    cut = layout.rows if theme.portrait else layout.columns
    for cell, public in zip(cut(body, [1, 1], theme.gap), (False, True), strict=True):
        label = filming_page.PUBLIC if public else filming_page.PROJECT
        canvas.framed_panel(cell, RAISED)
        canvas.add_target(cell, AgreementPage(page.view, public), label)
        sign, name, detail = layout.rows(layout.inset(cell, theme.units(3)), [3, 2, 4], theme.gap)
        canvas.icon(sign, "globe" if public else "shield", ACCENT)
        canvas.text(name, label, theme.title, max_lines=2)
        canvas.text(detail, filming_page.licence_detail(public), theme.body, MUTED, max_lines=6, vertical_align="left")


@paints(AgreementPage)
def draw_agreement(canvas: Canvas, page: AgreementPage) -> None:
    """Draw a field for every seat, which its player touches, with the answer so far."""
    theme = canvas.theme
    body = draw_header(canvas, canvas.page, filming_page.AGREEMENT_TITLE)
    line, body = layout.split_top(body, line_height(theme.body), theme.gap)
    canvas.text(line, filming_page.TOUCH_YOUR_FIELD, theme.body, MUTED, align="left")
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.2), theme.gap)
    back, on = hand_row(canvas, foot, [1, 2], theme.gap)
    canvas.button(back, filming_page.BACK_LABEL, LicencePage(page.view), icon="back", leads_back=True)
    finish = page.finish()
    canvas.button(on, filming_page.GO_ON, finish or page, main=finish is not None, enabled=finish is not None)
    seats = page.view.seats
    across = min(seats, 2) if theme.portrait else seats
    for seat, cell in enumerate(layout.grid(body, seats, across, theme.gap), 1):
        agrees = page.answers.get(seat) is not None
        canvas.panel(cell, RAISED if agrees else PANEL, edge=ACCENT if agrees else LINE, width=theme.units(0.6))
        canvas.add_target(cell, SeatAgreementPage(page, seat), default_name(seat))
        mark, name, sign, state = layout.rows(layout.inset(cell, theme.units(2)), [4, 2, 3, 3], theme.gap)
        canvas.seat_mark(mark, seat)
        canvas.text(name, default_name(seat), theme.title)
        if seat in page.answers:
            canvas.icon(sign, "good" if agrees else "nothing", ACCENT if agrees else MUTED)
        canvas.text(state, filming_page.agreement_state(page.answers, seat), theme.body, MUTED, max_lines=2)


@paints(SeatAgreementPage)
def draw_seat_agreement(canvas: Canvas, page: SeatAgreementPage) -> None:
    """Draw one player's three answers."""
    theme, agreement = canvas.theme, page.agreement
    body = draw_header(canvas, canvas.page, filming_page.seat_question(default_name(page.seat)))
    body, foot = layout.split_bottom(body, theme.touch_size, theme.gap)
    back, _ = hand_row(canvas, foot, [1, 2], theme.gap)
    canvas.button(back, filming_page.BACK_LABEL, agreement, icon="back", leads_back=True)
    text = filming_page.licence_detail(agreement.public)
    line, body = layout.split_top(body, canvas.text_height(text, body.w), theme.gap)
    canvas.text(line, text, theme.body, MUTED, align="left", max_lines=4)
    mark, body = layout.split_top(body, theme.units(30 if theme.portrait else 14), theme.gap)
    canvas.seat_mark(mark, page.seat)
    yes, guardian, no = layout.rows(body, [1, 1, 1], theme.gap)
    canvas.button(yes, filming_page.AGREE, agreement.with_answer(page.seat, "player"), icon="good", size=theme.title)
    answer = agreement.with_answer(page.seat, "guardian")
    canvas.button(guardian, filming_page.GUARDIAN_AGREES, answer, icon="heart", size=theme.title)
    canvas.button(no, filming_page.DISAGREE, agreement.with_answer(page.seat, None), icon="nothing", size=theme.title)


@paints(TakePage)
def draw_take(canvas: Canvas, page: TakePage) -> None:
    """Draw what everybody is to throw, as large as it fits, and the button that begins the count."""
    theme = canvas.theme
    body = draw_header(canvas, canvas.page, filming_page.take_title(page.number, page.total))
    rows = 2 if theme.portrait and page.can_repeat else 1
    height = round(theme.touch_size * 1.4)
    body, foot = layout.split_bottom(body, rows * height + (rows - 1) * theme.gap, theme.gap)
    if page.can_repeat:
        if rows == 2:
            again, foot = layout.split_top(foot, height, theme.gap)
            stop, skip, film = hand_row(canvas, foot, [4, 6, 7], theme.gap)
        else:
            stop, skip, again, film = hand_row(canvas, foot, [3, 3, 4, 4], theme.gap)
        canvas.button(again, filming_page.FILM_AGAIN, Reply(AGAIN_ANSWER))
    else:
        stop, skip, film = hand_row(canvas, foot, [4, 6, 7], theme.gap)
    canvas.button(stop, filming_page.STOP, Reply(STOP_ANSWER), leads_back=True)
    canvas.button(skip, filming_page.SKIP, Reply(SKIP_ANSWER))
    canvas.button(film, filming_page.FILM_IT, Reply(FILM_ANSWER), main=True, size=theme.title)
    if page.message:
        width = body.w - theme.units(6) - theme.gap - theme.units(4)
        height = canvas.text_height(page.message, width) + 2 * theme.units(1)
        line, body = layout.split_top(body, max(theme.units(8), height), theme.gap)
        sign, text = layout.split_left(draw_card(canvas, line, 2, 0.8), theme.units(6), theme.gap)
        canvas.icon(sign, "foul" if page.has_error else "bubble", FOUL if page.has_error else ACCENT)
        canvas.text(text, page.message, theme.body, align="left", max_lines=5)
    across = min(len(page.calls), 2) if theme.portrait else len(page.calls)
    for call, cell in zip(page.calls, layout.grid(body, len(page.calls), across, theme.gap), strict=True):
        _draw_call(canvas, cell, call)


def _draw_call(canvas: Canvas, cell: Rect, call: ThrowCall) -> None:
    """Draw what one seat is to throw: the throw, mirrored hands being named, and in the colour of fouls when late."""
    theme = canvas.theme
    inner = draw_card(canvas, cell, 1.6, 1.2, edge=FOUL if call.late else LINE, strong=call.late)
    head, inner = layout.split_top(inner, theme.units(6), theme.units(1))
    mark, name = layout.split_left(head, head.h, theme.gap)
    canvas.seat_mark(mark, call.seat)
    canvas.text(name, default_name(call.seat), theme.body, MUTED, align="left")
    when = filming_page.call_time(call)
    inner, time = layout.split_bottom(inner, canvas.text_height(when, inner.w), theme.units(0.5))
    inner, hand = layout.split_bottom(inner, theme.units(6), theme.units(0.5))
    inner, word = layout.split_bottom(inner, theme.units(8), theme.units(0.5))
    canvas.icon(inner, str(call.throw))
    canvas.text(word, labels.throw_text(call.throw), theme.title)
    canvas.text(hand, filming_page.call_hand(call), theme.body, MUTED)
    canvas.text(time, when, theme.body, FOUL if call.late else TEXT, max_lines=3)


@paints(FilmingReport)
def draw_filming_report(canvas: Canvas, page: FilmingReport) -> None:
    """Draw the report as a table in words."""
    theme = canvas.theme
    body = draw_header(canvas, canvas.page, filming_page.REPORT_TITLE)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.2), theme.gap)
    _, done = hand_row(canvas, foot, [2, 1], theme.gap)
    canvas.button(done, labels.DONE, Reply(BACK), main=True, size=theme.title)
    for text in (page.folder, page.note):
        if text:
            body, line = layout.split_bottom(body, canvas.text_height(text, body.w), theme.gap)
            canvas.text(line, text, theme.small, MUTED, align="left", max_lines=5)
    height = min(theme.units(22), (body.h - (len(page.rows) - 1) * theme.gap) // max(1, len(page.rows)))
    for question, answer, good in page.rows:
        row, body = layout.split_top(body, height, theme.gap)
        canvas.panel(row, PANEL)
        inner = layout.inset(row, theme.units(2), theme.units(0.6))
        sign, inner = layout.split_left(inner, theme.units(6), theme.gap)
        if good is not None:
            canvas.icon(sign, "good" if good else "doubt", ACCENT if good else FOUL)
        label, value = layout.columns(inner, [3, 4], theme.gap)
        canvas.text(label, question, theme.body, align="left", max_lines=2)
        canvas.text(value, answer, theme.body, MUTED, align="right", max_lines=2)
