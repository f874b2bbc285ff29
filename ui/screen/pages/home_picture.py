"""Painters of the choice of a game and of its set-up."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from pygame import Rect

from messages import N, capitalise, join
from rules.engine import Option, Rules
from ui.i18n.language import current_language
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.forms import (
    Centred,
    Column,
    Either,
    Form,
    Grid,
    HandFlip,
    HandRow,
    Heading,
    ItemList,
    Row,
    lays_out,
)
from ui.screen.drawing.nodes import (
    GAP,
    SMALL_LINE,
    TOUCH,
    Button,
    CardPanel,
    Drawing,
    Icon,
    SeatMark,
    Space,
    Text,
    note,
)
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, FOUL, MUTED, PANEL, RAISED, SEAT_MARKS, TEXT
from ui.screen.drawing.widgets import draw_list_page_buttons
from ui.screen.pages import home as home_page
from ui.screen.pages.hall import ChosenPairing
from ui.screen.pages.home import RESUME_ANSWER, ChosenGame, GameMenu, GamesPage, SetUpPage, max_seats, set_up_page
from ui.screen.pages.how_to_play import HOW_TO_PLAY
from ui.screen.pages.question import step_value
from ui.screen.views import Reply
from ui.text import game_words, labels

CHOOSE_GAME = N("Choose a game")
LANGUAGE_TOOL = "language"
"""The tool with a place of its own on the home page."""

TOOL_ICONS = MappingProxyType(
    {
        "practise": "aim",
        "class": "cards",
        "calculator": "sums",
        "zones": "frame",
        "tournament": "crown",
        "past matches": "clock",
        "awards": "star",
        "who is here": "cat",
        "phones and review": "phone",
        "phones and review are on": "phone",
        "hall": "waves",
        "hall is on": "waves",
        "settings": "gear",
    }
)
"""The icon of each tool."""

FEWER_PLAYERS, MORE_PLAYERS = N("Fewer players"), N("More players")


@lays_out(GamesPage)
def lay_out_games(page: GamesPage) -> Form:
    """Return a card for each game: its title, its number of players, a line about it; and the box's tools."""
    view, banners = page.view, _banners(page.view)
    tools = [name for name in view.tools if name != LANGUAGE_TOOL]
    parts = Drawing(partial(_draw_games, page=page)), _tools(tools, dense=len(banners) > 1) if tools else None
    if view.can_go_back:
        return Form(CHOOSE_GAME, *parts, back=Reply("back"))
    if LANGUAGE_TOOL not in view.tools and not banners:
        return Form(CHOOSE_GAME, *parts)
    return Form("", _bar(view, banners), *parts)


def _draw_games(canvas: Canvas, body: Rect, page: GamesPage) -> None:
    theme, count = canvas.theme, len(page.view.games)
    across, down = theme.pick((1, 3) if count <= 3 else (2, 3), (1, 4 if count <= 4 else 6))
    per_page = across * down
    if count > per_page:
        body, turn = layout.split_bottom(body, theme.touch_size, theme.gap)
        per_page -= theme.pick(across, 0)  # their text must stay legible
        draw_list_page_buttons(canvas, turn, page, page.list_page, -(-count // per_page))
    games = page.view.games[page.list_page * per_page : (page.list_page + 1) * per_page]
    cells = layout.grid(body, per_page, across, theme.gap)
    described = all(_description_fits(canvas, cell, game) for cell, game in zip(cells, games, strict=False))
    for cell, game in zip(cells, games, strict=False):
        canvas.framed_panel(cell, PANEL)
        canvas.add_target(cell, set_up_page(page.view, game), game.title)
        inner, icon_box = layout.split_right(_card_inside(canvas, cell), theme.units(3.4), theme.gap)
        canvas.icon(icon_box, "forward", ACCENT)
        facts = home_page.short_facts(game, max_seats(game, page.view.seat_limit))
        if not described:
            inner = layout.centre(inner, inner.w, _title_height(canvas, inner) + line_height(theme.small))
        title, inner = layout.split_top(inner, _title_height(canvas, inner), 0)
        facts_box, detail = layout.split_top(inner, line_height(theme.small), 0)
        canvas.text(title, game.title, theme.title, align="left")
        canvas.text(facts_box, facts, theme.small, align="left")
        if described:
            canvas.text(detail, _description(game), theme.small, MUTED, align="left", max_lines=4)


def _card_inside(canvas: Canvas, cell: Rect) -> Rect:
    return layout.inset(cell, canvas.theme.units(2), canvas.theme.units(0.8))


def _description(game: Rules) -> str:
    return capitalise(N(game.description))


def _description_fits(canvas: Canvas, cell: Rect, game: Rules) -> bool:
    """Return whether a game's card has room for its description below title and facts."""
    theme, inner = canvas.theme, _card_inside(canvas, cell)
    width = inner.w - theme.units(3.4) - theme.gap
    text_height = line_height(theme.small) + canvas.text_height(_description(game), width)
    return _title_height(canvas, inner) + text_height <= inner.h


def _title_height(canvas: Canvas, inner: Rect) -> int:
    return min(canvas.theme.units(8), inner.h - line_height(canvas.theme.small))


def _bar(view: GameMenu, banners: Sequence[tuple[str, Reply]]) -> HandRow:
    """Return the instruction and, if languages can be chosen, the globe with the current one's code: whoever can't read
    this page finds it by its icon. A match of the hall, and an unfinished one, take the instruction's place."""
    buttons = [Button(label, reply, "forward", size="body", main=reply == banners[-1][1]) for label, reply in banners]
    high, stacked = 1.1 * TOUCH, len(banners) > 1
    globe = Button(
        current_language().upper(),
        Reply(LANGUAGE_TOOL),
        "globe",
        size="body",
        icon_only=bool(banners),
        length=(high, TOUCH if stacked else high) if banners else 24,
    )
    return HandRow(
        HandFlip(*buttons) if banners else Centred(Heading(CHOOSE_GAME), 7.5),
        globe if LANGUAGE_TOOL in view.tools else None,
        length=(high, 2.04 * TOUCH + GAP if stacked else high),  # two rows, not a pixel less than a finger needs
    )


def _banners(view: GameMenu) -> list[tuple[str, Reply]]:
    banners = [(view.unfinished, Reply(RESUME_ANSWER))] if view.unfinished else []
    if view.offer is not None:
        banners.append((view.offer.players, Reply(ChosenPairing(view.offer.id))))
    return banners


def _tools(tools: Sequence[str], *, dense: bool) -> Grid:
    """Return the tools that the box has besides games: an icon with a word each, ``dense`` below two banners."""
    high = (1.04 * TOUCH, (1.28 if dense else 1.4) * TOUCH)
    downs = [-(-len(tools) // most) for most in (4, 3)]  # their names need the width
    across = [max(2, -(-len(tools) // down)) for down in downs]
    count = across[0] * downs[0], across[1] * downs[1]
    return Grid([_tool_card(name) for name in tools], (across[0], across[1]), count=count, most=high, fits=True)


def _tool_card(name: str) -> CardPanel:
    label = game_words.value_text(name)
    icon, words = Icon(TOOL_ICONS.get(name, "forward")), Text(label, "small", lines=2, align="left")
    in_column = Column(icon, replace(words, align="centre", length=2 * SMALL_LINE), gap=0)
    return CardPanel(
        Either(Row(replace(icon, length=5), words), in_column), Reply(name), label, across=1.2, down=0.2, fill=RAISED
    )


@lays_out(SetUpPage)
def lay_out_set_up(page: SetUpPage) -> Column:
    """Return one game: the number of players, its options, and the button that starts it."""
    view, problem, explanation = page.view, page.problem, page.explanation
    leads_to_games = len(view.games) > 1 or bool(view.tools)
    back = Button(
        labels.GAMES,
        GamesPage(view) if leads_to_games else Reply("back"),
        "back",
        size="body",
        leads_back=True,
        length=30,
    )
    title = Text(page.game.title, "title", lines=1, align="left")
    bar = Row(back if leads_to_games or view.can_go_back else None, title, gap=2 * GAP, length=1.1 * TOUCH)
    text = capitalise(N(page.game.description)) if problem is None else capitalise(join([problem, "."], ""))
    facts = home_page.time_and_age(page.game) if problem is None else ""
    about = Column(
        Text(text, "small", MUTED if problem is None else FOUL, lines=6, align="left", vertical_align="top"),
        note(facts, TEXT, lines=1) if facts else None,
        length=(30, 25),
        gap=0,
    )
    chosen = Reply(ChosenGame(page.game.name, page.seats, dict(page.options)))
    start = Button(home_page.start_label(view), chosen, main=problem is None, enabled=problem is None, share=3)
    how_to = Button(HOW_TO_PLAY, explanation, size="body", share=2) if explanation is not None else None
    buttons = Row(how_to, start, length=(1.5 * TOUCH, 1.6 * TOUCH))
    options = ItemList(page, page.game.options, partial(_option_card, page), (20, 25), 30, share=(5, 1))
    count = _player_count(page)
    aside = Column(about, count, buttons, share=3)
    return Column(bar, Either(HandRow(options, aside, gap=2 * GAP), Column(about, count, options, buttons)))


def _player_count(page: SetUpPage) -> CardPanel:
    least, most = page.game.min_players, max_seats(page.game, page.view.seat_limit)

    def change(seats: int, icon: str, label: str) -> Button:
        enabled = least <= seats <= most
        return Button(label, replace(page, seats=seats), icon, icon_only=True, enabled=enabled, repeats=True, share=4)

    fewer, more = change(page.seats - 1, "minus", FEWER_PLAYERS), change(page.seats + 1, "plus", MORE_PLAYERS)
    marks = [SeatMark(seat, length=5) for seat in range(1, page.seats + 1)] if page.seats <= len(SEAT_MARKS) else []
    words = Column(
        note(home_page.players_label(page.view), lines=1, align="centre"),
        Row(fewer, Text(str(page.seats), 16, lines=1, share=5), more),
        Row(Space(), *marks, Space(), gap=1, length=6),
        gap=0.8,
    )
    return CardPanel(words, down=0.8, length=(30, 36))


def _option_card(page: SetUpPage, option: Option) -> CardPanel:
    value, text = page.options[option.name], page.game.text

    def step(by: int, icon: str) -> Button:
        after = step_value(option.allowed, value, by)
        label, changed = home_page.option_change(option, after, text), page.with_option(option.name, after)
        return Button(label, changed, icon, icon_only=True, enabled=after != value, repeats=True)

    shown = Text(home_page.option_value(option, value, text), lines=2)
    before, after = step(-1, "back"), step(1, "forward")
    has_choice = before.enabled or after.enabled
    words = Column(
        Text(home_page.option_name(option, text), lines=1, align="left", length=5.6),
        note(home_page.option_about(option), lines=5),
        gap=0,
    )
    control = Column(
        shown, Row(before, after, gap=1, length=TOUCH) if has_choice else None, gap=0, length=2 * TOUCH + 4
    )
    return CardPanel(Row(words, control))
