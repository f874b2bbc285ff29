"""Painters of one seat's question: the hand-over, a number, a list."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import pygame
from pygame import Rect

from messages import N, ngettext_lazy
from rules.engine import CardChoices, Choices, IntRange, Json
from rules.engine.scoreboard import FactForm
from rules.text import as_int, as_mapping, points_text
from rules.throws import Throw
from ui.i18n.language import t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.forms import Centred, Column, Either, Form, Row, hint, lays_out
from ui.screen.drawing.nodes import GAP, TOUCH, Button, CardPanel, Drawing, Length, Node, SeatMark, Text
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, LINE, MUTED, TEXT
from ui.screen.drawing.widgets import draw_card, draw_list_page, draw_pause_button
from ui.screen.pages import group_question as group_question_page
from ui.screen.pages import question as question_page
from ui.screen.pages.common import Player, player_title
from ui.screen.pages.fact_chips import draw_facts, facts_fit, readable_facts
from ui.screen.pages.match_widgets import claims_strip, draw_clock, draw_score, player_badge
from ui.screen.pages.question import (
    EntryPage,
    HandOverPage,
    Question,
    TimeUpPage,
    count_values,
    is_same_value,
    new_draft,
    number_presets,
    shift_value,
    wide_step,
)
from ui.screen.pages.scoreboard import Facts, is_score, prompt_facts
from ui.screen.views import Reply
from ui.text import game_words


@paints(HandOverPage)
def draw_hand_over(canvas: Canvas, page: HandOverPage) -> None:
    """Draw the hand-over of the screen to one player, and nothing else."""
    player, time_text = _find_player(page.view), None
    if page.time_s is not None:
        time_text = ngettext_lazy(
            "Your {count} second starts when you touch.",
            "Your {count} seconds start when you touch.",
            math.ceil(page.time_s),
        )
    sentence = N("{name} only – everyone else look away", name=player.name)
    label = N("I’m {name}: show me", name=player.name)
    Column(
        _hint(page.view),
        SeatMark(player.seat, share=3),
        Text(player_title(player), 13, role="shared", share=2, lines=1),
        Text(sentence, "title", MUTED, lines=4, vertical_align="top", role="shared", fits=True),
        Text(time_text, "body", lines=2, fits=True) if time_text else None,
        Button(label, page.player_page, "eye", main=True, length=2 * TOUCH),
    ).draw(canvas, _draw_header(canvas, page.view, leads_back=page.draft is not None))


@lays_out(TimeUpPage)
def lay_out_time_up(page: TimeUpPage) -> Form:
    """Return that a player's time is up and what that means, and let them pass or have the time once more."""
    player = _find_player(page.view)
    sentence = N("If you pass: {meaning}.") if page.can_extend else N("You pass: {meaning}.")
    meaning = question_page.time_out_text(page.view.prompt, sentence)
    pass_button = Button(game_words.code_word("go on"), Reply(None), main=True)
    if page.can_extend:
        pass_button = Button(N("Pass"), Reply(None), share=2)
    again = Button(N("Once more"), new_draft(page.view), "again", main=True, share=3) if page.can_extend else None
    return Form(
        "",
        SeatMark(player.seat, share=4),
        Text(N("{name}, your time is up.", name=player.name), "big", lines=2, role="shared", share=3),
        Text(meaning, "title", MUTED, lines=2, vertical_align="top", share=3),
        foot=(pass_button, again),
        foot_length=2 * TOUCH,
    )


@paints(EntryPage)
def draw_entry(canvas: Canvas, page: EntryPage) -> None:
    """Draw a question and its answer: a stepper for a number, a button for each value of a list."""
    body = _draw_header(canvas, page.view)
    view, player = page.view, _find_player(page.view)
    options = page.allowed
    public = prompt_facts(view.prompt).of_seat(player.seat)
    own = (*(fact for fact in public if fact.shown.form is not FactForm.THROW), *page.own_facts)
    own = tuple(fact for fact in own if not is_score(fact, player.score))
    hand = next((fact for fact in own if fact.shown.form is FactForm.HAND), None)
    others = tuple(fact for fact in own if fact is not hand)
    is_told = hand is not None and type(options) is Choices and len(options.values) == 1  # nothing to choose
    claims = claims_strip(canvas, view.players, question_page.public_throws(view.prompt), player.seat)
    answer: Node
    if isinstance(options, IntRange):
        answer = _stepper(page, options, page.value if isinstance(page.value, int) else options.start)
    else:
        answer = Drawing(partial(_draw_list, options=options, page=page), length=1.6 * TOUCH if is_told else None)
    cards: Node | None = None
    facts = _fact_line(others, length=(8, 14)) if others else None
    if page.cover is not None:
        cards = Button(N("Show my cards"), page.cover, "eye", share=4)
    elif hand is not None and is_told:
        facts = Column(Drawing(partial(_draw_hand, cards=as_mapping(hand.value))), facts)
    elif isinstance(options, CardChoices):  # the hand is what can be chosen
        held = sum(options.counts.values())
        count = ngettext_lazy("You hold {count} card.", "You hold {count} cards.", held)
        facts = facts or Text(count, "title", MUTED, length=7)
    elif hand is not None:
        beside = _fact_line(others) if others else None
        cards = Row(Drawing(partial(_draw_small_hand, cards=as_mapping(hand.value))), beside, share=9)
        facts = None
    question = Text(question_page.question_text(view.prompt), 8, lines=2, length=(None, 16), share=5)
    Column(
        None if claims and isinstance(options, IntRange) else _hint(view),  # no room, and the button says it
        claims or _player_card(view, player),
        Either(Row(question, cards), Column(question, cards), length=(12, 30) if cards else (9, 16)),
        facts,
        answer,
    ).draw(canvas, body)


def _hint(view: Question) -> Node | None:
    """Return the hint of a question that is asked for the first time, unless everybody's page has it."""
    return None if view.hint is None or view.can_go_back else hint(view.hint)


def _fact_line(facts: Facts, *, length: Length | None = None) -> Node:
    return Drawing(
        lambda canvas, box: draw_facts(canvas, box, facts, canvas.theme.title, align="centre"), length=length
    )


def _player_card(view: Question, player: Player) -> CardPanel:
    """Return who is asked, with their points."""
    badge = player_badge(player, share=65)
    points: Node | None = None
    if player.stars is not None:
        points = Drawing(
            lambda canvas, box: draw_score(canvas, box, player, canvas.theme.title, align="right"), share=35
        )
    elif player.score is not None:
        score = points_text(player.score, view.prompt.text.score_unit)
        points = Text(score, "body", lines=1, align="right", share=35)
    return CardPanel(Row(badge, points), down=1, length=10)


def _draw_hand(canvas: Canvas, box: Rect, cards: Mapping[str, Json]) -> None:
    """Draw a player's cards, how many of each."""
    rect = layout.centre(box, box.w, canvas.theme.units(60))
    for cell, (card, count) in zip(
        layout.columns(rect, [1] * len(cards), canvas.theme.gap), cards.items(), strict=True
    ):
        _draw_held_card(canvas, cell, card, as_int(count))


def _draw_small_hand(canvas: Canvas, box: Rect, cards: Mapping[str, Json]) -> None:
    """Draw a player's cards beside a question, how many of each."""
    for cell, (card, count) in zip(layout.columns(box, [1] * len(cards), canvas.theme.gap), cards.items(), strict=True):
        colour, inner = TEXT if count else LINE, draw_card(canvas, cell, 1, 1, edge=LINE)
        rect, label = layout.columns(inner, [1, 1], canvas.theme.units(1))
        canvas.icon(rect, card, colour)
        canvas.text(label, f"×{count}", canvas.theme.title, colour, align="left")


def _draw_held_card(canvas: Canvas, cell: Rect, card: str, count: int) -> None:
    """Draw a kind of card and how many of it a hand holds; dim if it holds none."""
    theme, colour = canvas.theme, TEXT if count else LINE
    inner = draw_card(canvas, cell, 2, 2, edge=LINE)
    icon_box, line = layout.rows(inner, [3, 1], theme.gap)
    canvas.icon(icon_box, card, colour)
    canvas.text(line, question_page.card_label(card, count), theme.title, TEXT if count else MUTED)


def _draw_header(canvas: Canvas, view: Question, *, leads_back: bool = False) -> Rect:
    theme = canvas.theme
    timed = view.seconds_left is not None
    line, body = layout.split_top(canvas.page, theme.touch_size, theme.gap)
    line = draw_pause_button(canvas, line)
    if view.can_go_back or leads_back:
        button, line = layout.split_left(line, round(theme.touch_size * 1.4), theme.gap * 2)
        everybody = group_question_page.EVERYBODY
        canvas.button(button, everybody, Reply(None), icon="back", icon_only=True, leads_back=True)
    if timed:
        line, clock = layout.split_right(line, line.h, theme.gap)
        draw_clock(canvas, clock, view.whole_s)
    facts = prompt_facts(view.prompt)
    if "means" in view.prompt.about or view.prompt.kind in view.prompt.text.headlines:  # a sentence
        text = question_page.about_text(view.prompt, view.seat)
        if canvas.text_height(text, line.w) > line.h:
            line, body = layout.split_top(body, canvas.text_height(text, body.w), theme.gap)
        canvas.text(line, text, theme.body, MUTED, align="left", max_lines=3)
    elif facts.table:
        if theme.portrait and not facts_fit(canvas, line.w, line.h, facts.table, "personal"):
            line, body = layout.split_top(body, 2 * line_height(theme.body), theme.gap)
        draw_facts(canvas, line, readable_facts(canvas, line.w, line.h, facts.table), theme.body)
    else:
        heading = game_words.kind_heading(view.prompt.kind, view.prompt.text)
        canvas.text(line, heading, theme.body, MUTED, align="left")
    return body


def _stepper(page: EntryPage, span: IntRange, value: int) -> Column:
    """Return a number, the buttons that change it at its sides, or in portrait below it, and those that set it."""
    presets = [
        Button(f"{t(label)}  {number}" if label else str(number), replace(page, value=number), size="body")
        for number, label in number_presets(span).items()
    ]
    large_step = wide_step(span)
    moves = [-large_step, -1, 1, large_step] if large_step else [-1, 1]
    buttons = []
    for move in moves:
        changed, sign = shift_value(span, value, move), "+" if move > 0 else "−"
        press, enabled = replace(page, value=changed), changed != value
        buttons.append(Button(f"{sign}{abs(move) * span.step}", press, enabled=enabled, repeats=True))
    sides = [Centred(button, 2 * TOUCH, share=2) for button in buttons]
    half = len(sides) // 2
    number = Text(str(value), 30, lines=1)
    note = question_page.consequence_text(page.view.prompt, page.view.seat, value)
    return Column(
        Either(
            Row(*sides[:half], replace(number, share=3), *sides[half:]),
            Column(replace(number, size=44), Row(*buttons, length=2 * TOUCH), gap=2 * GAP),
        ),
        Row(*presets, length=(TOUCH, 1.5 * TOUCH)),
        Button(N("Confirm {value}", value=value), Reply(value), main=True, note=note, length=1.5 * TOUCH),
    )


def _draw_list(canvas: Canvas, body: Rect, options: Choices, page: EntryPage) -> None:
    theme = canvas.theme
    values = count_values(options)
    only_one = len(values) == 1
    if isinstance(options, CardChoices):
        values = list(options.counts.items())
    count = len(values)
    selected = next((index for index, (value, _) in enumerate(values) if is_same_value(value, page.value)), None)
    in_landscape = 3 if count > 4 and count % 4 and count % 3 == 0 else min(count, 4)
    across = theme.pick(in_landscape, 1 if count <= 4 else 2)
    least, turn = round(theme.touch_size * 1.3), round(theme.touch_size * 1.1)
    body, entries, _ = draw_list_page(
        canvas, body, page, values, least, across=across, selected=selected, turn_height=turn
    )
    down = -(-len(entries) // across)
    height = min(body.h, down * theme.units(36) + (down - 1) * theme.gap)
    rect = layout.centre(body, body.w, height)
    for cell, (value, times) in zip(layout.grid(rect, len(entries), across, theme.gap), entries, strict=True):
        throw_icon = str(value) if value in list(Throw) else None
        if isinstance(options, CardChoices) and not times:
            _draw_held_card(canvas, cell, str(value), times)
            continue
        label = question_page.answer_text(page.view.prompt, value)
        if isinstance(options, CardChoices) or times > 1:
            label = question_page.card_label(str(value), times) if throw_icon else f"{label} ×{times}"
        note = question_page.consequence_text(page.view.prompt, page.view.seat, value)
        canvas.answer_button(cell, label, Reply(value), icon=throw_icon, main=only_one, note=note)
        if count > 1 and is_same_value(value, page.value):
            pygame.draw.rect(canvas.surface, ACCENT, cell, theme.units(1), theme.radius)


def _find_player(view: Question) -> Player:
    return next((p for p in view.players if p.seat == view.seat), Player(view.seat, game_words.seat_label(view.seat)))
