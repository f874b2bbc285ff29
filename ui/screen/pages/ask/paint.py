"""Painters of what people answer: the choice of a game and its set-up, and any ask, sealed or not."""

from collections.abc import Sequence
from types import MappingProxyType

import pygame
from pygame import Rect

from rules.engine import Choices, Option, Say, Span, Value
from rules.throws import Throw
from ui.i18n.language import spoken
from ui.screen.core.page_stack import GamesPage, Pick, Set, SetUpPage, Sit, most_seats
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.countdown_ring import countdown
from ui.screen.drawing.theme import ACCENT, LINE, MARKS, MUTED, PANEL, RAISED
from ui.screen.drawing.widgets import badge, hand_side, head, hint_line, leaves, strip, strip_height, turner
from ui.screen.pages import strings
from ui.screen.pages.ask import group_strings
from ui.screen.pages.ask.group_view import Visit
from ui.screen.pages.ask.view import (
    EntryPage,
    HandOverPage,
    Open,
    Put,
    Reply,
    leap,
    listed,
    presets,
    same,
    shifted,
    step,
)
from ui.screen.pages.standing.facts import facts
from ui.screen.pages.standing.view import of_ask
from ui.screen.pages.views import Chosen, Player, Question

LANGUAGE = "language"
"""The tool that has a place of its own on the home page."""
TOOL_SIGNS = MappingProxyType(
    {
        "practise": "aim",
        "class": "cards",
        "calculator": "sums",
        "zones": "frame",
        "past matches": "clock",
        "review on the network": "waves",
        "review is on": "waves",
        "settings": "gear",
    }
)
"""The drawing of each tool."""


def games(canvas: Canvas, page: GamesPage) -> None:
    """A card a game: its title, how many play, a line about it."""
    theme = canvas.theme
    body = _home_head(canvas, page)
    count = len(page.view.games)
    across, down = (1, 4 if count <= 4 else 6) if theme.portrait else (1, 3) if count <= 3 else (2, 3)
    room = across * down
    body = _tools(canvas, body, [name for name in page.view.tools if name != LANGUAGE])
    if count > room:
        body, turn = layout.bottom(body, theme.touch, theme.gap)
        room -= 0 if theme.portrait else across  # what they say must still be read
        turner(canvas, turn, page.leaf, leaves(count, room))
    shown = page.view.games[page.leaf * room : (page.leaf + 1) * room]
    cells = layout.grid(body, room, across, theme.gap)
    for cell, game in zip(cells, shown, strict=False):
        canvas.panel(cell, PANEL, edge=LINE, width=theme.units(0.3))
        canvas.target(cell, Pick(game.name), strings.title(game))
        inner = layout.inside(cell, theme.units(2), theme.units(0.8))
        inner, sign = layout.right(inner, theme.units(3.4), theme.gap)
        canvas.icon(sign, "forward", ACCENT)
        title, detail = layout.top(inner, theme.units(6.2), 0)
        many = strings.how_many(game.fewest, most_seats(game, page.view.room))
        title, seats = layout.right(title, canvas.width(many, theme.small, title.w // 2, title.h), theme.gap)
        canvas.text(title, strings.title(game), theme.title, side="left")
        canvas.text(seats, many, theme.small, MUTED, side="right")
        canvas.text(detail, strings.game_about(game), theme.units(4.2), MUTED, side="left", lines=3)


def _home_head(canvas: Canvas, page: GamesPage) -> Rect:
    """What to do here and, where languages can be chosen, the globe with the code of the present one: whoever can't
    read this page finds it by its drawing. Returns the page below."""
    theme = canvas.theme
    if LANGUAGE not in page.view.tools:
        return head(canvas, canvas.page, strings.CHOOSE_GAME)
    bar, body = layout.top(canvas.page, round(theme.touch * 1.1), theme.gap)
    bar, globe = hand_side(canvas, bar, theme.units(24), theme.gap)
    head(canvas, layout.middle(bar, bar.w, theme.units(7.5)), strings.CHOOSE_GAME)
    canvas.button(globe, spoken().upper(), Reply(LANGUAGE), drawing="globe")
    return body


def _tools(canvas: Canvas, body: Rect, tools: Sequence[str]) -> Rect:
    """What the box can do besides games: a drawing with a word each, all in reach. Returns what is above them."""
    theme = canvas.theme
    if not tools:
        return body
    across = max(2, -(-len(tools) // 2) if theme.portrait else len(tools))
    high, down = round(theme.touch * 1.4), -(-len(tools) // across)
    body, foot = layout.bottom(body, down * high + (down - 1) * theme.gap, theme.gap)
    for cell, name in zip(layout.grid(foot, across * down, across, theme.gap), tools, strict=False):
        canvas.panel(cell, RAISED, edge=LINE, width=theme.units(0.3))
        label = strings.value(name)
        canvas.target(cell, Reply(name), label)
        sign, line = layout.rows(layout.inside(cell, theme.units(1), theme.units(0.6)), [4, 7], theme.units(0.2))
        canvas.icon(sign, TOOL_SIGNS.get(name, "forward"), ACCENT)
        canvas.text(line, label, theme.small, lines=2, least=theme.units(2.4))
    return body


def set_up(canvas: Canvas, page: SetUpPage) -> None:
    """One game: how many play, its options, and the button that starts it."""
    theme = canvas.theme
    whole = canvas.page
    bar, body = layout.top(whole, round(theme.touch * 1.1), theme.gap)
    if len(page.view.games) > 1 or page.view.tools:
        back, bar = layout.left(bar, theme.units(30), theme.gap * 2)
        canvas.button(back, strings.BACK, Pick(None), drawing="back")
    canvas.text(bar, strings.title(page.game), theme.title, side="left")
    if theme.portrait:
        about, body = layout.top(body, theme.units(13), theme.gap)
        body, start = layout.bottom(body, round(theme.touch * 1.6), theme.gap)
        seats, options = layout.top(body, theme.units(36), theme.gap)
    else:
        options, aside = hand_side(canvas, body, round(body.w * 0.38), theme.gap * 2)
        about, aside = layout.top(aside, theme.units(17), theme.gap)
        seats, start = layout.bottom(aside, round(theme.touch * 1.5), theme.gap)
    canvas.text(about, strings.game_about(page.game), theme.small, MUTED, side="left", lines=4, at="left")
    _seats(canvas, seats, page)
    canvas.button(
        start, strings.START, Reply(Chosen(page.game.name, page.seats, dict(page.options))), main=True, size=theme.title
    )
    _options(canvas, options, page)


def _seats(canvas: Canvas, box: Rect, page: SetUpPage) -> None:
    theme = canvas.theme
    canvas.panel(box, PANEL)
    inner = layout.inside(box, theme.units(2), theme.units(1.6))
    label, inner = layout.top(inner, theme.units(5.5), theme.units(0.5))
    canvas.text(label, strings.PLAYERS, theme.body, MUTED)
    inner, marks = layout.bottom(inner, theme.units(6), theme.gap)
    fewer, count, more = layout.columns(inner, [4, 5, 4], theme.gap)
    least, most = page.game.fewest, most_seats(page.game, page.view.room)
    canvas.button(
        _high(canvas, fewer), strings.FEWER, Sit(page.seats - 1), drawing="minus", bare=True, able=page.seats > least
    )
    canvas.text(count, str(page.seats), theme.units(16))
    canvas.button(
        _high(canvas, more), strings.MORE, Sit(page.seats + 1), drawing="plus", bare=True, able=page.seats < most
    )
    if page.seats > len(MARKS):
        return
    side, gap = min(marks.h, marks.w // 9), theme.units(1)
    start = marks.centerx - (page.seats * (side + gap) - gap) // 2
    for seat in range(1, page.seats + 1):
        canvas.seat(Rect(start + (seat - 1) * (side + gap), marks.y, side, marks.h), seat)


def _high(canvas: Canvas, box: Rect) -> Rect:
    """``box`` no higher than a comfortable button."""
    return layout.middle(box, box.w, round(canvas.theme.touch * 1.5))


def _options(canvas: Canvas, box: Rect, page: SetUpPage) -> None:
    theme = canvas.theme
    high = theme.units(17)
    room = max(1, (box.h + theme.gap) // (high + theme.gap))
    count = len(page.game.options)
    if count > room:
        box, foot = layout.bottom(box, round(theme.touch * 1.1), theme.gap)
        room = max(1, (box.h + theme.gap) // (high + theme.gap))
        turner(canvas, foot, page.leaf, leaves(count, room))
    shown = min(count, room)
    high = min(theme.units(22), (box.h - (shown - 1) * theme.gap) // max(1, shown))
    for option in page.game.options[page.leaf * room : (page.leaf + 1) * room]:
        row, box = layout.top(box, high, theme.gap)
        _option(canvas, row, option, page.options[option.name])


def _option(canvas: Canvas, row: Rect, option: Option, value: Value) -> None:
    theme = canvas.theme
    canvas.panel(row, PANEL)
    inner = layout.inside(row, theme.units(2), theme.units(1.4))
    told, control = layout.right(inner, round(inner.w * 0.46), theme.gap)
    name, about = layout.top(told, theme.units(5.6), 0)
    canvas.text(name, strings.option_name(option), theme.body, side="left")
    canvas.text(about, strings.option_about(option), theme.small, MUTED, side="left", lines=3, at="left")
    if step(option.allowed, value, 1) == value == step(option.allowed, value, -1):  # there is nothing to choose
        canvas.text(control, strings.option_value(option, value), theme.body, lines=2)
        return
    before, here, after = layout.columns(control, [3, 4, 3], theme.units(1))
    canvas.text(here, strings.option_value(option, value), theme.body, lines=2, least=theme.units(2.2))
    for cell, by, drawing in ((before, -1, "back"), (after, 1, "forward")):
        other = step(option.allowed, value, by)
        label = strings.option_to(option, other)
        canvas.button(
            _high(canvas, cell), label, Set(option.name, other), drawing=drawing, bare=True, able=other != value
        )


def hand_over(canvas: Canvas, page: HandOverPage) -> None:
    """The screen goes to one player: whose it is now, and nothing else."""
    theme = canvas.theme
    player = _player(page.view)
    body = hint_line(canvas, _question_head(canvas, page.view), None if page.view.back else page.view.hint)
    body, button = layout.bottom(body, round(theme.touch * 2), theme.gap * 2)
    shape, name, told = layout.rows(body, [5, 3, 2], theme.gap)
    canvas.seat(shape, player.seat)
    canvas.text(name, player.name, theme.units(13))
    canvas.text(told, strings.only_you(player), theme.title, MUTED, lines=2, at="left")
    canvas.button(button, strings.SHOW, Open(), main=True, size=theme.title, drawing="eye")


def entry(canvas: Canvas, page: EntryPage) -> None:
    """A question and its answer: a stepper for numbers, a button each for what is listed."""
    theme = canvas.theme
    player = _player(page.view)
    body = hint_line(canvas, _question_head(canvas, page.view), None if page.view.back else page.view.hint)
    signs = strings.signs(page.view.ask)
    if signs:
        everybody, body = layout.top(body, strip_height(canvas, page.view.players), theme.gap)
        strip(canvas, everybody, page.view.players, signs, asked=player.seat)
    else:
        who, body = layout.top(body, theme.units(10), theme.gap)
        _who(canvas, who, player)
    prompt, body = layout.top(body, theme.units(9 if not theme.portrait else 16), theme.gap)
    canvas.text(prompt, strings.prompt(page.view.ask), theme.units(8), lines=1 if not theme.portrait else 2)
    own = tuple(fact for fact in of_ask(page.view.ask).of(player.seat) if fact.name not in ("claims", "throws"))
    if own:
        line, body = layout.top(body, theme.units(8 if not theme.portrait else 14), theme.gap)
        facts(canvas, line, own, theme.title, side="centre")
    options = page.view.ask.seats[page.view.seat]
    if isinstance(options, Span):
        _stepper(canvas, body, options, page.value if isinstance(page.value, int) else options.start)
    else:
        _listed(canvas, body, options, page)


def _who(canvas: Canvas, box: Rect, player: Player) -> None:
    theme = canvas.theme
    canvas.panel(box, PANEL)
    inner = layout.inside(box, theme.units(2), theme.units(1))
    if player.score is not None:
        inner, points = layout.right(inner, round(inner.w * 0.35), theme.gap)
        canvas.text(points, strings.points(player.score), theme.body, side="right")
    badge(canvas, inner, player, theme.body)


def _question_head(canvas: Canvas, view: Question) -> Rect:
    theme = canvas.theme
    timed = view.seconds_left is not None
    line, body = layout.top(canvas.page, theme.touch if view.back or timed else theme.units(7.5), theme.gap)
    if view.back:
        button, line = layout.left(line, round(theme.touch * 1.4), theme.gap * 2)
        canvas.button(button, group_strings.BACK, Visit(None), drawing="back", bare=True)
    if timed:
        line, clock = layout.right(line, line.h, theme.gap)
        whole = view.ask.seconds or view.seconds_left or 0.0

        def timer(canvas: Canvas, page: HandOverPage | EntryPage) -> None:
            countdown(canvas, clock, page.view.seconds_left or 0.0, whole)

        canvas.moving(clock, ("seconds_left",), timer)
    told = of_ask(view.ask)
    if "means" in view.ask.about:  # a sentence
        canvas.text(line, strings.about(view.ask.about, view.seat), theme.body, MUTED, side="left", lines=2)
    elif told.table:
        facts(canvas, line, told.table, theme.body)
    else:
        canvas.text(line, strings.heading(Say(view.ask.kind, {})), theme.body, MUTED, side="left")
    return body


def _stepper(canvas: Canvas, body: Rect, span: Span, value: int) -> None:
    theme = canvas.theme
    body, confirm = layout.bottom(body, round(theme.touch * 1.5), theme.gap)
    body, row = layout.bottom(body, round(theme.touch * (1.25 if not theme.portrait else 1.5)), theme.gap)
    named = presets(span)
    for cell, (name, number) in zip(layout.columns(row, [1] * len(named), theme.gap), named.items(), strict=True):
        canvas.button(cell, strings.preset(name, number), Put(number))
    wide = leap(span)
    moves = [-wide, -1, 1, wide] if wide else [-1, 1]
    shown, cells = _around(canvas, body, len(moves))
    canvas.text(shown, str(value), theme.units(30 if not theme.portrait else 44))
    for cell, move in zip(cells, moves, strict=True):
        after = shifted(span, value, move)
        canvas.button(cell, strings.by(move * span.step), Put(after), size=theme.title, able=after != value)
    canvas.button(confirm, strings.confirm(value), Reply(value), main=True, size=theme.title)


def _around(canvas: Canvas, body: Rect, count: int) -> tuple[Rect, list[Rect]]:
    """Where a number stands, and the ``count`` buttons that move it: at its sides, or in portrait below it."""
    theme = canvas.theme
    if theme.portrait:
        shown, row = layout.bottom(body, min(body.h // 2, theme.touch * 2), theme.gap * 2)
        return shown, layout.columns(row, [1] * count, theme.gap)
    cells = layout.columns(body, [2] * (count // 2) + [3] + [2] * (count // 2), theme.gap)
    shown = cells.pop(count // 2)
    return shown, [layout.middle(cell, cell.w, theme.touch * 2) for cell in cells]


def _listed(canvas: Canvas, body: Rect, options: Choices, page: EntryPage) -> None:
    theme = canvas.theme
    held = listed(options)
    values = [value for value, _ in held]
    count = len(values)
    marked = next((at for at, value in enumerate(values) if page.value is not None and same(value, page.value)), None)
    most_across = 2 if theme.portrait else 4
    across = min(count, 1 if theme.portrait and count <= 4 else most_across)
    if across == 4 and count % 4 and count % 3 == 0:
        across = 3
    fits_down = max(1, (body.h + theme.gap) // (round(theme.touch * 1.3) + theme.gap))
    if count > across * fits_down:
        body, foot = layout.bottom(body, round(theme.touch * 1.1), theme.gap)
        fits_down = max(1, (body.h + theme.gap) // (round(theme.touch * 1.3) + theme.gap))
        room = across * fits_down
        leaf = page.leaf if marked is None else marked // room
        turner(canvas, foot, leaf, leaves(count, room))
        held = held[leaf * room : (leaf + 1) * room]
    down = -(-len(held) // across)
    high = min(body.h, down * theme.units(36) + (down - 1) * theme.gap)
    place = layout.middle(body, body.w, high)
    for cell, (value, times) in zip(layout.grid(place, len(held), across, theme.gap), held, strict=True):
        drawing = str(value) if value in list(Throw) else None
        label = strings.times(strings.answer(page.view.ask, value), times)
        canvas.choice(cell, label, Reply(value), drawing=drawing, main=count == 1)
        if marked is not None and count > 1 and value is values[marked]:
            pygame.draw.rect(canvas.surface, ACCENT, cell, theme.units(1), theme.radius)


def _player(view: Question) -> Player:
    return next((p for p in view.players if p.seat == view.seat), Player(view.seat, strings.seat(view.seat)))
