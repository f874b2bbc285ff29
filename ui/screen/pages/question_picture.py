"""Painters of one seat's question: the hand-over, a number, a list."""

import math
from collections.abc import Mapping
from dataclasses import replace

import pygame
from pygame import Rect

from messages import N, ngettext_lazy
from rules.engine import CardChoices, Choices, IntRange, Json
from rules.text import as_int, as_mapping, points_text
from rules.throws import Throw
from ui.i18n.language import t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, LINE, MUTED, PANEL, TEXT
from ui.screen.drawing.widgets import draw_card, draw_hint, draw_list_page, draw_pause_button, hand_row
from ui.screen.pages import group_question as group_question_page
from ui.screen.pages import question as question_page
from ui.screen.pages.common import Player, player_title
from ui.screen.pages.fact_chips import draw_facts, facts_fit, readable_facts
from ui.screen.pages.match_widgets import draw_clock, draw_player_badge, draw_player_strip, player_strip_height
from ui.screen.pages.question import (
    EntryPage,
    HandOverPage,
    Question,
    TimeUpPage,
    count_values,
    is_same_value,
    new_draft,
    preset_values,
    shift_value,
    wide_step,
)
from ui.screen.pages.scoreboard import Facts, prompt_facts
from ui.screen.views import Reply
from ui.text import game_words

PRESET_WORDS = {"least": N("least"), "half": N("half"), "most": N("all")}


@paints(HandOverPage)
def draw_hand_over(canvas: Canvas, page: HandOverPage) -> None:
    """Draw the hand-over of the screen to one player, and nothing else."""
    theme = canvas.theme
    player = _find_player(page.view)
    body = draw_hint(canvas, _draw_header(canvas, page.view), None if page.view.can_go_back else page.view.hint)
    body, button = layout.split_bottom(body, round(theme.touch_size * 2), theme.gap * 2)
    if page.time_s is not None:
        time_text = ngettext_lazy(
            "Your {count} second starts when you touch.",
            "Your {count} seconds start when you touch.",
            math.ceil(page.time_s),
        )
        body, time_line = layout.split_bottom(body, canvas.text_height(time_text, body.w), theme.gap)
        canvas.text(time_line, time_text, theme.body, max_lines=2)
    sentence = N("{name} only – everyone else look away", name=player.name)
    body, instruction = layout.split_bottom(body, canvas.text_height(sentence, body.w, "shared"), theme.gap)
    shape, name = layout.split_bottom(body, max(body.h * 2 // 5, line_height(theme.shared)), theme.gap)
    canvas.seat_mark(shape, player.seat)
    canvas.text(name, player_title(player), theme.units(13), role="shared")
    canvas.text(
        instruction,
        sentence,
        theme.title,
        MUTED,
        max_lines=4,
        vertical_align="top",
        role="shared",
    )
    label = N("I’m {name}: show me", name=player.name)
    canvas.button(button, label, new_draft(page.view), main=True, size=theme.title, icon="eye")


@paints(TimeUpPage)
def draw_time_up(canvas: Canvas, page: TimeUpPage) -> None:
    """Tell a player that their time is up and what that means, and let them pass or have the time once more."""
    theme = canvas.theme
    player = _find_player(page.view)
    body, foot = layout.split_bottom(canvas.page, round(theme.touch_size * 2), theme.gap * 2)
    shape, title, meaning = layout.rows(body, [4, 3, 3], theme.gap)
    canvas.seat_mark(shape, player.seat)
    title_text = N("{name}, your time is up.", name=player.name)
    canvas.text(title, title_text, theme.big, max_lines=2, role="shared")
    sentence = N("If you pass: {meaning}.") if page.can_extend else N("You pass: {meaning}.")
    text = question_page.time_out_text(page.view.prompt, sentence)
    canvas.text(meaning, text, theme.title, MUTED, max_lines=2, vertical_align="top")
    passing = Reply(None)
    if not page.can_extend:
        canvas.button(foot, game_words.code_word("go on"), passing, main=True, size=theme.title)
        return
    pass_cell, again_cell = hand_row(canvas, foot, [2, 3], theme.gap)
    canvas.button(pass_cell, N("Pass"), passing, size=theme.title)
    canvas.button(again_cell, N("Once more"), new_draft(page.view), main=True, size=theme.title, icon="again")


@paints(EntryPage)
def draw_entry(canvas: Canvas, page: EntryPage) -> None:
    """Draw a question and its answer: a stepper for a number, a button for each value of a list."""
    theme = canvas.theme
    player = _find_player(page.view)
    body = draw_hint(canvas, _draw_header(canvas, page.view), None if page.view.can_go_back else page.view.hint)
    throws = question_page.public_throws(page.view.prompt)
    if throws:
        everybody, body = layout.split_top(
            body, player_strip_height(canvas, page.view.players, names_all=False), theme.gap
        )
        draw_player_strip(canvas, everybody, page.view.players, throws, asked=player.seat)
    else:
        player_box, body = layout.split_top(body, theme.units(10), theme.gap)
        _draw_player(canvas, player_box, page.view, player)
    prompt, body = layout.split_top(body, theme.units(9 if not theme.portrait else 16), theme.gap)
    canvas.text(
        prompt, question_page.question_text(page.view.prompt), theme.units(8), max_lines=1 if not theme.portrait else 2
    )
    own = tuple(
        fact
        for fact in prompt_facts(page.view.prompt).of_seat(player.seat)
        if fact.name not in ("claims", "throws") and (fact.name, fact.value) != ("points", player.score)
    )
    options = page.view.prompt.seats[page.view.seat]
    hand = next((fact for fact in own if fact.name == "hand" and isinstance(fact.value, Mapping)), None)
    if hand is not None:
        others = tuple(fact for fact in own if fact is not hand)
        body = _draw_hand(canvas, body, as_mapping(hand.value), others)
    elif own:
        line, body = layout.split_top(body, theme.units(8 if not theme.portrait else 14), theme.gap)
        draw_facts(canvas, line, own, theme.title, align="centre")
    elif isinstance(options, CardChoices):
        line, body = layout.split_top(body, theme.units(7), theme.gap)
        held = sum(options.counts.values())
        canvas.text(line, ngettext_lazy("You hold {count} card.", "You hold {count} cards.", held), theme.title, MUTED)
    if isinstance(options, IntRange):
        _draw_stepper(canvas, body, page, options, page.value if isinstance(page.value, int) else options.start)
    else:
        _draw_list(canvas, body, options, page)


def _draw_player(canvas: Canvas, box: Rect, view: Question, player: Player) -> None:
    theme = canvas.theme
    canvas.panel(box, PANEL)
    inner = layout.inset(box, theme.units(2), theme.units(1))
    if player.score is not None:
        inner, points = layout.split_right(inner, round(inner.w * 0.35), theme.gap)
        score = points_text(player.score, view.prompt.text.score_unit)
        canvas.text(points, score, theme.body, align="right")
    draw_player_badge(canvas, inner, player, theme.body)


def _draw_hand(canvas: Canvas, body: Rect, cards: Mapping[str, Json], others: Facts) -> Rect:
    """Draw a player's cards, how many of each, and ``others`` of the player's facts below them. Return the rest of
    ``body``, for a single button."""
    theme = canvas.theme
    body, button = layout.split_bottom(body, round(theme.touch_size * 1.6), theme.gap)
    if others:
        body, line = layout.split_bottom(body, theme.units(8), theme.gap)
        draw_facts(canvas, line, others, theme.title, align="centre")
    rect = layout.centre(body, body.w, theme.units(60))
    for cell, (card, count) in zip(layout.columns(rect, [1] * len(cards), theme.gap), cards.items(), strict=True):
        _draw_held_card(canvas, cell, card, as_int(count))
    return button


def _draw_held_card(canvas: Canvas, cell: Rect, card: str, count: int) -> None:
    """Draw a kind of card and how many of it a hand holds; dim if it holds none."""
    theme, colour = canvas.theme, TEXT if count else LINE
    inner = draw_card(canvas, cell, 2, 2, edge=LINE)
    icon_box, line = layout.rows(inner, [3, 1], theme.gap)
    canvas.icon(icon_box, card, colour)
    canvas.text(line, question_page.card_label(card, count), theme.title, TEXT if count else MUTED)


def _draw_header(canvas: Canvas, view: Question) -> Rect:
    theme = canvas.theme
    timed = view.seconds_left is not None
    line, body = layout.split_top(canvas.page, theme.touch_size, theme.gap)
    line = draw_pause_button(canvas, line)
    if view.can_go_back:
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


def _draw_stepper(canvas: Canvas, body: Rect, page: EntryPage, span: IntRange, value: int) -> None:
    theme = canvas.theme
    body, confirm = layout.split_bottom(body, round(theme.touch_size * 1.5), theme.gap)
    body, row = layout.split_bottom(body, round(theme.touch_size * (1.25 if not theme.portrait else 1.5)), theme.gap)
    presets = preset_values(span)
    for cell, (name, number) in zip(layout.columns(row, [1] * len(presets), theme.gap), presets.items(), strict=True):
        canvas.button(cell, f"{t(PRESET_WORDS[name])}  {number}" if number else "0", replace(page, value=number))
    large_step = wide_step(span)
    moves = [-large_step, -1, 1, large_step] if large_step else [-1, 1]
    number_box, cells = _split_stepper(canvas, body, len(moves))
    canvas.text(number_box, str(value), theme.units(30 if not theme.portrait else 44))
    for cell, move in zip(cells, moves, strict=True):
        new_value = shift_value(span, value, move)
        label, after = f"{'+' if move > 0 else '−'}{abs(move) * span.step}", replace(page, value=new_value)
        canvas.button(cell, label, after, size=theme.title, enabled=new_value != value, repeats=True)
    canvas.button(confirm, N("Confirm {value}", value=value), Reply(value), main=True, size=theme.title)


def _split_stepper(canvas: Canvas, body: Rect, count: int) -> tuple[Rect, list[Rect]]:
    """Return the places of a number and of the ``count`` buttons that change it: at its sides, or in portrait below
    it."""
    theme = canvas.theme
    if theme.portrait:
        number_box, row = layout.split_bottom(body, min(body.h // 2, theme.touch_size * 2), theme.gap * 2)
        return number_box, layout.columns(row, [1] * count, theme.gap)
    cells = layout.columns(body, [2] * (count // 2) + [3] + [2] * (count // 2), theme.gap)
    number_box = cells.pop(count // 2)
    return number_box, [layout.centre(cell, cell.w, theme.touch_size * 2) for cell in cells]


def _draw_list(canvas: Canvas, body: Rect, options: Choices, page: EntryPage) -> None:
    theme = canvas.theme
    values = count_values(options)
    only_one = len(values) == 1
    if isinstance(options, CardChoices):
        values = list(options.counts.items())
    count = len(values)
    selected = next((index for index, (value, _) in enumerate(values) if is_same_value(value, page.value)), None)
    most_across = 2 if theme.portrait else 4
    across = min(count, 1 if theme.portrait and count <= 4 else most_across)
    if across == 4 and count % 4 and count % 3 == 0:
        across = 3
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
        canvas.answer_button(cell, label, Reply(value), icon=throw_icon, main=only_one)
        if count > 1 and is_same_value(value, page.value):
            pygame.draw.rect(canvas.surface, ACCENT, cell, theme.units(1), theme.radius)


def _find_player(view: Question) -> Player:
    return next((p for p in view.players if p.seat == view.seat), Player(view.seat, game_words.seat_label(view.seat)))
