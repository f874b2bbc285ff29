"""Painters of a tournament: its rounds, a match of it, its standings and its players."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from pygame import Rect

from messages import N, join
from rules.record.tournament import TournamentCorrected, TournamentResult
from rules.tournaments.fixture import BYE, Fixture, FixtureId, Format
from rules.tournaments.standings import StandingsRow
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.forms import Column, Either, Flip, Form, Grid, HandRow, ItemList, Row, lays_out
from ui.screen.drawing.nodes import GAP, TOUCH, Button, CardPanel, Choice, Drawing, Icon, Node, Text, note
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, LINE, MUTED, PANEL, TEXT, TextRole
from ui.screen.drawing.widgets import draw_list_page, draw_titled_bar, split_hand_side
from ui.screen.pages import tournament as tournament_page
from ui.screen.pages.seating import draw_name_keys
from ui.screen.pages.tournament import (
    GIVE_UP_ANSWER,
    ConfirmPage,
    EntryKeyboardPage,
    FixturePage,
    PlayersPage,
    PlayFixture,
    PointsPage,
    StandingsPage,
    TournamentAction,
    TournamentRoundPage,
    TournamentView,
)
from ui.screen.views import Reply
from ui.text import labels
from ui.text.tournaments import TIE_BREAK_HEADINGS, points_text, tie_break_columns

MAX_BRACKET_COLUMNS = 3
"""Rounds of a bracket next to each other, where there is room."""


@lays_out(TournamentRoundPage)
def lay_out_round(page: TournamentRoundPage) -> Column:
    """Return a round's matches, or a part of the bracket, and the match that comes next or who has won."""
    view = page.view
    columns = page.columns
    matches: Node = Text(tournament_page.NO_MATCHES, "body", MUTED, lines=3)
    if columns and columns[0][0].id.is_knockout:
        matches = Drawing(partial(_draw_bracket, page=page, columns=columns))
    elif columns:
        matches = Drawing(partial(_draw_matches, page=page, fixtures=columns[0]))
    card = CardPanel(_next_match(view) if view.ready else _end(view), down=1, edge=ACCENT, length=(19, 30))
    return Column(_bars(page), matches, card)


def _bars(page: TournamentRoundPage) -> Either:
    """Return the title and the buttons to other pages."""
    view, last = page.view, len(page.view.rounds) - 1
    back = Button(labels.BACK, Reply("back"), "back", icon_only=True, leads_back=True, length=TOUCH)
    title = Text(tournament_page.title(view.summary), lines=2, align="left")
    before, after = (
        Button(label, page.turn(by), icon, icon_only=True, enabled=0 <= page.round + by <= last, share=12)
        for by, label, icon in (
            (-1, tournament_page.PREVIOUS_ROUND, "back"),
            (1, tournament_page.NEXT_ROUND, "forward"),
        )
    )
    has_table = bool(view.summary.tables[0][1])
    standings = Button(tournament_page.STANDINGS, StandingsPage(page), size="body", enabled=has_table, share=36)
    players = Button(tournament_page.PLAYERS, PlayersPage(page), size="body", share=30)
    tools = Row(before, after, standings, players, length=(96, TOUCH))
    return Either(Column(Row(back, title, tools, length=TOUCH)), Column(Row(back, title, length=TOUCH), tools))


def _next_match(view: TournamentView) -> HandRow:
    """Return who plays next, with the button that begins the match."""
    fixture = view.ready[0]
    match_note = view.notes.get(fixture.id, "")
    words = Column(
        note(tournament_page.next_heading(view, fixture), lines=2),
        Drawing(partial(_draw_large, text=view.summary.against(fixture))),
        note(match_note, ACCENT, lines=2) if match_note else None,
        gap=0,
    )
    start = Reply(PlayFixture(fixture.id))
    return HandRow(words, Button(tournament_page.play_label(match_note), start, main=True, length=28), gap=2 * GAP)


def _draw_large(canvas: Canvas, box: Rect, text: str) -> None:
    """Draw a text that everybody reads if there is room for that, else for one person."""
    role: TextRole = "shared" if canvas.text_height(text, box.w, "shared") <= box.h else "personal"
    canvas.text(box, text, canvas.theme.big, align="left", max_lines=3, role=role)


def _end(view: TournamentView) -> Node:
    if view.is_open or not view.summary.champions:
        return Text(tournament_page.NO_MATCHES if view.is_open else tournament_page.GIVEN_UP, lines=3)
    winner = Drawing(partial(_draw_large, text=tournament_page.won_text(view.summary)))
    return Row(
        Icon("crown", length=14), Flip(winner, note(tournament_page.prize_text(view.summary), lines=4), gap=(GAP, 0))
    )


def _draw_bracket(canvas: Canvas, box: Rect, page: TournamentRoundPage, columns: Sequence[tuple[Fixture, ...]]) -> None:
    """Draw a part of a bracket: matches of a round, and right of them those to which they lead."""
    theme, summary = canvas.theme, page.view.summary
    places, titles, box = _split_titles(canvas, box, theme.pick(MAX_BRACKET_COLUMNS, 2))
    matches, least, gap = columns[0], _match_height(canvas, 2), theme.units(1)
    fitting = _power_of_two((box.h + gap) // (least + gap))
    turn = None
    if len(matches) > fitting:
        turn = None if theme.portrait else titles.pop()
        free = box.h if turn else box.h - theme.touch_size - theme.gap
        least = (free + theme.gap) // _power_of_two((free + gap) // (least + gap)) - theme.gap
    box, shown, _ = draw_list_page(canvas, box, page, matches, least, selected=page.selected, turn_box=turn)
    boxes: dict[FixtureId, Rect] = {}
    for fixture, cell in zip(shown, layout.rows(box, [1] * len(shown), gap), strict=True):
        height = min(cell.h, _match_height(canvas, 2) * 3 // 2)
        boxes[fixture.id] = layout.centre(Rect(places[0].x, cell.y, places[0].w, cell.h), places[0].w, height)
    before: tuple[Fixture, ...] = ()
    for fixtures, title in zip(columns, titles, strict=False):
        canvas.text(
            title, tournament_page.round_title(summary, fixtures), theme.small, MUTED, align="left", max_lines=2
        )
    for fixtures, rect in zip(columns, places, strict=False):
        for n, fixture in enumerate(fixtures if before else ()):
            sources = before[2 * n : 2 * n + 2] if len(before) == 2 * len(fixtures) else before[n : n + 1]
            if any(source.id not in boxes for source in sources):
                continue
            middle = sum(boxes[source.id].centery for source in sources) // len(sources)
            height = boxes[sources[0].id].h
            boxes[fixture.id] = Rect(rect.x, middle - height // 2, rect.w, height)
            _draw_lines(canvas, [boxes[source.id] for source in sources], boxes[fixture.id])
        for fixture in fixtures:
            if fixture.id in boxes:
                _draw_match(canvas, boxes[fixture.id], page, fixture)
        before = fixtures


def _split_titles(canvas: Canvas, box: Rect, across: int) -> tuple[list[Rect], list[Rect], Rect]:
    """Return the columns of ``box`` below its titles, the titles' places, and all below them. On a landscape screen
    the last title's place has room for the buttons that turn the page."""
    theme = canvas.theme
    height = theme.pick(theme.touch_size, line_height(theme.small))
    line, box = layout.split_top(box, height, theme.units(1))
    gap = theme.units(6 if across > 1 else 1)
    return layout.columns(box, [1] * across, gap), layout.columns(line, [1] * across, gap), box


def _draw_lines(canvas: Canvas, sources: Sequence[Rect], target: Rect) -> None:
    width = max(1, canvas.theme.units(0.3))
    for source in sources:
        turn = (source.right + target.x) // 2
        canvas.fill(LINE, Rect(source.right, source.centery, turn - source.right + width, width))
        top, bottom = sorted((source.centery, target.centery))
        canvas.fill(LINE, Rect(turn, top, width, bottom - top + width))
        canvas.fill(LINE, Rect(turn, target.centery, target.x - turn, width))


def _draw_matches(canvas: Canvas, box: Rect, page: TournamentRoundPage, fixtures: Sequence[Fixture]) -> None:
    """Draw the matches of a round, two in a row."""
    theme = canvas.theme
    _, titles, box = _split_titles(canvas, box, 2)
    turn = theme.pick(titles[1], None)
    title = tournament_page.round_title(page.view.summary, tuple(fixtures))
    canvas.text(titles[0], title, theme.small, MUTED, align="left", max_lines=2)
    players = max(len(fixture.players) for fixture in fixtures)
    height = _match_height(canvas, players, noted=any(fixture.group for fixture in fixtures))
    box, shown, per_page = draw_list_page(
        canvas, box, page, fixtures, height, across=2, selected=page.selected, turn_box=turn
    )
    down = max(1, per_page // 2)
    row = min((box.h - (down - 1) * theme.gap) // down, height * 3 // 2)
    rect = layout.split_top(box, down * (row + theme.gap) - theme.gap, 0)[0]
    for cell, fixture in zip(layout.grid(rect, down * 2, 2, theme.gap), shown, strict=False):
        _draw_match(canvas, cell, page, fixture)


def _match_height(canvas: Canvas, players: int, *, noted: bool = False) -> int:
    lines = players + (1 if noted else 0)
    return max(canvas.theme.touch_size, lines * line_height(canvas.theme.small) + canvas.theme.units(0.6))


def _power_of_two(count: int) -> int:
    """Return the largest power of two up to ``count``: what a part of a bracket has of a round."""
    return 1 << (max(1, count).bit_length() - 1)


def _draw_match(canvas: Canvas, box: Rect, page: TournamentRoundPage, fixture: Fixture) -> None:
    """Draw a match: a line for each player, with a tick for who has won and the score; it leads to its page."""
    theme, view = canvas.theme, page.view
    can_play = view.is_open and fixture.is_ready
    is_next = bool(view.ready) and fixture == view.ready[0]
    edge = ACCENT if is_next else TEXT if can_play else LINE
    canvas.panel(box, PANEL, edge=edge, width=theme.units(0.7 if is_next else 0.3))
    if all(fixture.players) and not fixture.is_bye:
        canvas.add_target(box, FixturePage(page, fixture), view.summary.against(fixture))
    inner = layout.inset(box, theme.units(1.4), theme.units(0.3))
    if fixture.group and view.summary.format is Format.GROUPS:
        line, inner = layout.split_top(inner, line_height(theme.small), 0)
        canvas.text(line, N("Group {group}", group=fixture.group), theme.small, MUTED, align="left")
    players = [player for player in fixture.players if player != BYE] or [BYE]
    for line, player in zip(layout.rows(inner, [1] * max(2, len(players)), 0), [*players, BYE], strict=False):
        _draw_player(canvas, line, view, fixture, player)


def _draw_player(canvas: Canvas, line: Rect, view: TournamentView, fixture: Fixture, player: int | None) -> None:
    theme, outcome = canvas.theme, fixture.outcome
    if player is None:
        canvas.text(line, tournament_page.OPEN_PLACE, theme.small, LINE, align="left")
        return
    present = outcome is not None and player != BYE and player not in outcome.absent
    won = outcome is not None and present and (player in outcome.winners or not outcome.winners)
    if outcome is not None and player in outcome.scores and len(outcome.scores) > 1 and player not in outcome.absent:
        number = str(outcome.scores[player])
        width = canvas.text_width(number, theme.small, line.w // 2, line.h)
        line, score = layout.split_right(line, width, theme.units(0.8))
        canvas.text(score, number, theme.small, TEXT if won else MUTED, align="right")
    if won:
        line, icon_box = layout.split_right(line, min(line.h, theme.units(4)), theme.units(0.8))
        canvas.icon(icon_box, "good" if outcome and len(outcome.winners) == 1 else "level", ACCENT)
    name = view.summary.name(player)
    if outcome is not None and player in outcome.absent:
        name = join([name, N("did not come")], " · ")
    lost = player == BYE or (outcome is not None and not won)
    canvas.text(line, name, theme.small, MUTED if lost else TEXT, align="left")


@lays_out(FixturePage)
def lay_out_fixture(page: FixturePage) -> Form:
    """Return a match with a button to play it, and one for everybody who may have won it elsewhere or did not come."""
    fixture, view = page.fixture, page.back.view
    has_result, can_play = fixture.outcome is not None, view.is_open and fixture.is_ready
    kind = TournamentCorrected if has_result else TournamentResult
    event = kind(tournament=view.number, fixture=fixture.id, winners=page.winners)
    result = Button(
        tournament_page.enter_label(page),
        Reply(TournamentAction(event)),
        size="body",
        main=has_result and page.is_result,
        enabled=page.is_result,
    )
    foot: Node | None = HandRow(result) if has_result else None
    height = 1.4 * TOUCH
    if can_play:
        one_chosen = len(page.chosen) == 1
        absent = Button(tournament_page.NOT_COME, page.note_absent(), size="body", enabled=one_chosen)
        label = tournament_page.play_label(view.notes.get(fixture.id, ""))
        start = Button(label, Reply(PlayFixture(fixture.id)), size="body", main=True)
        foot = Either(HandRow(absent, result, start), Column(Row(absent, result), start))
    result_note = view.notes.get(fixture.id, "") or view.summary.result(fixture)
    about = join([view.summary.against(fixture), *([result_note] if result_note else [])], " · ")
    names = {player: view.summary.name(player) for player in fixture.present}
    choices = [Choice(name, page.toggle(player), player in page.chosen) for player, name in names.items()]
    winners = tournament_page.CHOOSE_WINNER if can_play else tournament_page.CORRECT_WINNER
    return Form(
        view.summary.round_title(fixture),
        note(about, TEXT, lines=3),
        *((note(winners, lines=2), Grid(choices, (2, 1), most=18)) if foot is not None else ()),
        foot=foot or (),
        foot_length=(height, 2 * height + GAP) if can_play else height,
        back=page.back,
    )


@paints(StandingsPage)
def draw_standings(canvas: Canvas, page: StandingsPage) -> None:
    """Draw a table: places, names, points and what counts at equal points."""
    theme, summary = canvas.theme, page.back.view.summary
    heading, rows = summary.tables[page.table]
    body = draw_titled_bar(canvas, heading or tournament_page.STANDINGS, page.back)
    body, turn = layout.split_bottom(body, theme.touch_size, theme.gap)
    if theme.portrait:
        body, how = layout.split_bottom(body, theme.touch_size, theme.gap)
    else:
        turn, how = split_hand_side(canvas, turn, theme.units(44), theme.gap)
    canvas.button(how, tournament_page.HOW_POINTS_COUNT, PointsPage(page))
    if len(summary.tables) > 1:
        turn, tables = layout.columns(turn, [5, 3], theme.gap)
        for cell, by, icon in zip(layout.columns(tables, [1, 1], theme.gap), (-1, 1), ("back", "forward"), strict=True):
            enabled = 0 <= page.table + by < len(summary.tables)
            next_table = replace(page, table=page.table + by, list_page=0)
            label = tournament_page.NEXT_TABLE if by > 0 else tournament_page.PREVIOUS_TABLE
            canvas.button(cell, label, next_table, icon=icon, icon_only=True, enabled=enabled)
    headings, body = layout.split_top(body, line_height(theme.small), 0)
    short = theme.pick(False, bool(rows and rows[0].tie_breaks))
    breaks = tie_break_columns(rows, besides_won=not short)
    cells = [
        *tournament_page.COLUMN_HEADINGS[: 1 if short else None],
        *(TIE_BREAK_HEADINGS[tie_break] for tie_break in breaks),
    ]
    _draw_row(canvas, headings, "", "", cells, muted=True)
    body, shown, _ = draw_list_page(canvas, body, page, rows, line_height(theme.body), turn_box=turn)
    for row in shown:
        line, body = layout.split_top(body, line_height(theme.body), theme.gap)
        name = summary.name(row.player)
        name = f"({name})" if row.withdrawn else name
        _draw_row(canvas, line, f"{row.place}.", name, _figures(row, breaks, short), muted=row.withdrawn)


def _figures(row: StandingsRow, breaks: Sequence[str], short: bool) -> list[str]:
    """Return the figures of a row; ``short``: without matches won, drawn and lost."""
    matches = [] if short else [str(row.wins), str(row.draws), str(row.losses)]
    return [points_text(row.points), *matches, *(points_text(row.tie_breaks[tie_break]) for tie_break in breaks)]


def _draw_row(canvas: Canvas, line: Rect, place: str, name: str, cells: Sequence[str], *, muted: bool) -> None:
    theme, colour = canvas.theme, MUTED if muted else TEXT
    number, line = layout.split_left(line, theme.units(7), theme.units(1))
    if place:
        canvas.text(number, place, theme.small, colour, align="right")
    width = theme.units(theme.pick(12, 11))
    label, figures = layout.split_right(line, width * len(cells), theme.units(1))
    if name:
        canvas.text(label, name, theme.small, colour, align="left")
    for cell, text in zip(layout.columns(figures, [1] * len(cells), 0), cells, strict=True):
        canvas.text(cell, text, theme.small, colour, align="right")


@lays_out(PointsPage)
def lay_out_points(page: PointsPage) -> Form:
    """Return how points and tie-breaks count, a sentence below the other."""
    sentences = tournament_page.points_lines(page.back.back.view.summary, page.back.table)
    return Form(tournament_page.HOW_POINTS_COUNT, *(note(line, TEXT) for line in sentences), back=page.back)


@lays_out(PlayersPage)
def lay_out_players(page: PlayersPage) -> Form:
    """Return everybody; a touch on a player takes them out. Further players enter, and the tournament is given up."""
    view = page.back.view
    names = view.summary.names
    give_up = ConfirmPage(page, Reply(GIVE_UP_ANSWER))
    return Form(
        tournament_page.PLAYERS,
        note(tournament_page.WITHDRAW_HELP, lines=2) if view.is_open else None,
        ItemList(page, range(1, len(names) + 1), partial(_player_button, page), TOUCH, across=(3, 2)),
        foot=(
            Button(tournament_page.GIVE_UP, give_up, "flag", size="body", enabled=view.is_open),
            Button(tournament_page.ADD_PLAYER, EntryKeyboardPage(page), "plus", size="body", enabled=view.can_enter),
        ),
        foot_length=TOUCH,
        back=page.back,
    )


def _player_button(page: PlayersPage, player: int) -> Button:
    view = page.back.view
    name = join([f"{player}. ", view.summary.name(player)], "")
    label = join([name, tournament_page.LEFT], " · ") if player in view.withdrawn else name
    return Button(label, page.select(player), size="small", enabled=view.can_withdraw(player))


@lays_out(ConfirmPage)
def lay_out_confirmation(page: ConfirmPage) -> Form:
    """Return the question, what happens then, and the two answers."""
    question, text, label = tournament_page.confirm_texts(page)
    return Form(
        "",
        Text(question, "big", lines=3, share=3),
        Text(text, 5.4, MUTED, lines=5, vertical_align="top", share=4),
        foot=(
            Button(labels.BACK, page.back, "back", size="body", leads_back=True),
            Button(label, page.reply, size="body", main=True),
        ),
        foot_length=1.5 * TOUCH,
    )


@lays_out(EntryKeyboardPage)
def lay_out_entry_keyboard(page: EntryKeyboardPage) -> Drawing:
    """Return the name of another player, as far as it is typed, and the keys."""
    return Drawing(partial(draw_name_keys, page=page, back=page.back))
