"""Painters of a tournament: its rounds, a match of it, its standings and its players."""

from collections.abc import Sequence
from dataclasses import replace

from pygame import Rect

from messages import N, join
from rules.record.tournament import TournamentCorrected, TournamentResult
from rules.tournaments.fixture import BYE, Fixture, FixtureId, Format
from rules.tournaments.standings import StandingsRow
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, LINE, MUTED, PANEL, TEXT, TextRole
from ui.screen.drawing.widgets import draw_card, draw_choice, draw_list_page, draw_titled_bar, hand_row, split_hand_side
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
from ui.screen.views import Press, Reply
from ui.text import labels
from ui.text.tournaments import TIE_BREAK_HEADINGS, points_text

MAX_BRACKET_COLUMNS = 3
"""Rounds of a bracket next to each other, where there is room."""


@paints(TournamentRoundPage)
def draw_round_page(canvas: Canvas, page: TournamentRoundPage) -> None:
    """Draw a round's matches, or a part of the bracket, and the match that comes next or who has won."""
    theme, view = canvas.theme, page.view
    body = _draw_bars(canvas, page)
    height = theme.units(30 if theme.portrait else 19)
    body, foot = layout.split_bottom(body, height, theme.gap)
    if view.ready:
        _draw_next(canvas, foot, page)
    else:
        _draw_end(canvas, foot, view)
    columns = page.columns
    if not columns:
        canvas.text(body, tournament_page.NO_MATCHES, theme.body, MUTED, max_lines=3)
    elif columns[0][0].id.is_knockout:
        _draw_bracket(canvas, body, page, columns)
    else:
        _draw_matches(canvas, body, page, columns[0])


def _draw_bars(canvas: Canvas, page: TournamentRoundPage) -> Rect:
    """Draw the title and the buttons to other pages. Return the page below them."""
    theme, view = canvas.theme, page.view
    bar, body = layout.split_top(canvas.page, theme.touch_size, theme.gap)
    back, bar = layout.split_left(bar, theme.touch_size, theme.gap)
    canvas.button(back, labels.BACK, Reply("back"), icon="back", icon_only=True, leads_back=True)
    if theme.portrait:
        tools, body = layout.split_top(body, theme.touch_size, theme.gap)
    else:
        bar, tools = layout.split_right(bar, theme.units(96), theme.gap)
    canvas.text(bar, tournament_page.title(view.summary), theme.body, align="left", max_lines=2)
    before, after, standings, players = layout.columns(tools, [12, 12, 36, 30], theme.gap)
    for cell, by, label, icon in (
        (before, -1, tournament_page.PREVIOUS_ROUND, "back"),
        (after, 1, tournament_page.NEXT_ROUND, "forward"),
    ):
        enabled = 0 <= page.round + by < len(view.rounds)
        canvas.button(cell, label, page.turn(by), icon=icon, icon_only=True, enabled=enabled)
    canvas.button(standings, tournament_page.STANDINGS, StandingsPage(page), enabled=bool(view.summary.tables[0][1]))
    canvas.button(players, tournament_page.PLAYERS, PlayersPage(page))
    return body


def _draw_next(canvas: Canvas, box: Rect, page: TournamentRoundPage) -> None:
    """Draw who plays next, with the button that begins the match."""
    theme, view = canvas.theme, page.view
    fixture = view.ready[0]
    inner = draw_card(canvas, box, 2, 1, edge=ACCENT)
    heading, text = layout.split_top(inner, line_height(theme.small), 0)
    text, play = split_hand_side(canvas, text if theme.portrait else inner, theme.units(28), theme.gap * 2)
    if not theme.portrait:
        heading, text = layout.split_top(text, line_height(theme.small), 0)
    note = view.notes.get(fixture.id, "")
    canvas.text(heading, tournament_page.next_heading(view, fixture), theme.small, MUTED, align="left")
    if note:
        text, line = layout.split_bottom(text, canvas.text_height(note, text.w, max_lines=2), 0)
        canvas.text(line, note, theme.small, ACCENT, align="left", max_lines=2)
    _draw_large(canvas, text, view.summary.against(fixture))
    start = Reply(PlayFixture(fixture.id))
    canvas.button(play, tournament_page.play_label(note), start, main=True, size=theme.title)


def _draw_large(canvas: Canvas, box: Rect, text: str) -> None:
    """Draw a text that everybody reads if there is room for that, else for one person."""
    role: TextRole = "shared" if canvas.text_height(text, box.w, "shared") <= box.h else "personal"
    canvas.text(box, text, canvas.theme.big, align="left", max_lines=3, role=role)


def _draw_end(canvas: Canvas, box: Rect, view: TournamentView) -> None:
    theme = canvas.theme
    inner = draw_card(canvas, box, 2, 1, edge=ACCENT)
    if view.is_open or not view.summary.champions:
        sentence = tournament_page.NO_MATCHES if view.is_open else tournament_page.GIVEN_UP
        canvas.text(inner, sentence, theme.body, max_lines=3)
        return
    icon_box, inner = layout.split_left(inner, min(inner.h, theme.units(14)), theme.gap)
    canvas.icon(icon_box, "crown", ACCENT)
    prize = tournament_page.prize_text(view.summary)
    if theme.portrait:
        name, about = layout.split_bottom(inner, min(canvas.text_height(prize, inner.w), inner.h * 3 // 5), 0)
    else:
        name, about = layout.columns(inner, [1, 1], theme.gap)
    _draw_large(canvas, name, tournament_page.won_text(view.summary))
    canvas.text(about, prize, theme.small, MUTED, align="left", max_lines=4)


def _draw_bracket(canvas: Canvas, box: Rect, page: TournamentRoundPage, columns: Sequence[tuple[Fixture, ...]]) -> None:
    """Draw a part of a bracket: matches of a round, and right of them those to which they lead."""
    theme, summary = canvas.theme, page.view.summary
    places, titles, box = _split_titles(canvas, box, 2 if theme.portrait else MAX_BRACKET_COLUMNS)
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
    height = line_height(theme.small) if theme.portrait else theme.touch_size
    line, box = layout.split_top(box, height, theme.units(1))
    gap = theme.units(6 if across > 1 else 1)
    return layout.columns(box, [1] * across, gap), layout.columns(line, [1] * across, gap), box


def _draw_lines(canvas: Canvas, sources: Sequence[Rect], target: Rect) -> None:
    width = max(1, canvas.theme.units(0.3))
    for source in sources:
        turn = (source.right + target.x) // 2
        canvas.surface.fill(LINE, Rect(source.right, source.centery, turn - source.right + width, width))
        top, bottom = sorted((source.centery, target.centery))
        canvas.surface.fill(LINE, Rect(turn, top, width, bottom - top + width))
        canvas.surface.fill(LINE, Rect(turn, target.centery, target.x - turn, width))


def _draw_matches(canvas: Canvas, box: Rect, page: TournamentRoundPage, fixtures: Sequence[Fixture]) -> None:
    """Draw the matches of a round, two in a row."""
    theme = canvas.theme
    _, titles, box = _split_titles(canvas, box, 2)
    turn = None if theme.portrait else titles[1]
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
    won = outcome is not None and player in outcome.winners
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


@paints(FixturePage)
def draw_fixture(canvas: Canvas, page: FixturePage) -> None:
    """Draw a match with a button to play it, and one for everybody who may have won it elsewhere or did not come."""
    theme, fixture, view = canvas.theme, page.fixture, page.back.view
    has_result = fixture.outcome is not None
    body = draw_titled_bar(canvas, view.summary.round_title(fixture), page.back)
    can_play = view.is_open and fixture.is_ready
    height = round(theme.touch_size * 1.4)
    body, foot = layout.split_bottom(body, height, theme.gap)
    kind = TournamentCorrected if has_result else TournamentResult
    result = Reply(TournamentAction(kind(tournament=view.number, fixture=fixture.id, winners=page.winners)))
    buttons: list[tuple[str, Press, bool, bool]] = []
    if can_play:
        buttons.append((tournament_page.NOT_COME, page.note_absent(), len(page.chosen) == 1, False))
    if can_play or has_result:
        buttons.append((tournament_page.enter_label(page), result, page.is_result, has_result))
    if can_play:
        start = Reply(PlayFixture(fixture.id))
        buttons.append((tournament_page.play_label(view.notes.get(fixture.id, "")), start, True, True))
    cells = hand_row(canvas, foot, [1] * len(buttons), theme.gap)
    if theme.portrait and len(buttons) > 2:
        body, above = layout.split_bottom(body, height, theme.gap)
        cells = [*layout.columns(above, [1, 1], theme.gap), foot]
    for cell, (label, press, enabled, main) in zip(cells, buttons, strict=True):
        canvas.button(cell, label, press, main=main and enabled, enabled=enabled)
    note = view.notes.get(fixture.id, "") or view.summary.result(fixture)
    about = join([view.summary.against(fixture), *([note] if note else [])], " · ")
    line, body = layout.split_top(body, canvas.text_height(about, body.w, max_lines=3), theme.gap)
    canvas.text(line, about, theme.small, TEXT, align="left", max_lines=3)
    if can_play or has_result:
        help_text = tournament_page.CHOOSE_WINNER if can_play else tournament_page.CORRECT_WINNER
        line, body = layout.split_top(body, canvas.text_height(help_text, body.w, max_lines=2), theme.gap)
        canvas.text(line, help_text, theme.small, MUTED, align="left", max_lines=2)
        present = fixture.present
        across = 1 if theme.portrait else 2
        height = min(theme.units(18), (body.h + theme.gap) // -(-len(present) // across) - theme.gap)
        rect = layout.split_top(body, -(-len(present) // across) * (height + theme.gap) - theme.gap, 0)[0]
        for cell, player in zip(layout.grid(rect, len(present), across, theme.gap), present, strict=True):
            draw_choice(canvas, cell, view.summary.name(player), page.toggle(player), player in page.chosen)


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
            other = replace(page, table=page.table + by, list_page=0)
            label = tournament_page.NEXT_TABLE if by > 0 else tournament_page.PREVIOUS_TABLE
            canvas.button(cell, label, other, icon=icon, icon_only=True, enabled=enabled)
    headings, body = layout.split_top(body, line_height(theme.small), 0)
    breaks = list(rows[0].tie_breaks) if rows else []
    short = theme.portrait and bool(breaks)
    cells = [*tournament_page.COLUMN_HEADINGS[: 1 if short else None], *(TIE_BREAK_HEADINGS[one] for one in breaks)]
    _draw_row(canvas, headings, "", "", cells, muted=True)
    body, shown, _ = draw_list_page(canvas, body, page, rows, line_height(theme.body), turn_box=turn)
    for row in shown:
        line, body = layout.split_top(body, line_height(theme.body), theme.gap)
        name = summary.name(row.player)
        name = f"({name})" if row.withdrawn else name
        _draw_row(canvas, line, f"{row.place}.", name, _figures(row, short), muted=row.withdrawn)


def _figures(row: StandingsRow, short: bool) -> list[str]:
    """Return the figures of a row; ``short``: without matches won, drawn and lost."""
    matches = [] if short else [str(row.wins), str(row.draws), str(row.losses)]
    return [points_text(row.points), *matches, *map(points_text, row.tie_breaks.values())]


def _draw_row(canvas: Canvas, line: Rect, place: str, name: str, cells: Sequence[str], *, muted: bool) -> None:
    theme, colour = canvas.theme, MUTED if muted else TEXT
    number, line = layout.split_left(line, theme.units(7), theme.units(1))
    if place:
        canvas.text(number, place, theme.small, colour, align="right")
    width = theme.units(11 if theme.portrait else 12)
    label, figures = layout.split_right(line, width * len(cells), theme.units(1))
    if name:
        canvas.text(label, name, theme.small, colour, align="left")
    for cell, text in zip(layout.columns(figures, [1] * len(cells), 0), cells, strict=True):
        canvas.text(cell, text, theme.small, colour, align="right")


@paints(PointsPage)
def draw_points(canvas: Canvas, page: PointsPage) -> None:
    """Draw how points and tie-breaks count, a sentence below the other."""
    theme = canvas.theme
    body = draw_titled_bar(canvas, tournament_page.HOW_POINTS_COUNT, page.back)
    for sentence in tournament_page.points_lines(page.back.back.view.summary, page.back.table):
        line, body = layout.split_top(body, canvas.text_height(sentence, body.w), theme.gap)
        canvas.text(line, sentence, theme.small, align="left", max_lines=9)


@paints(PlayersPage)
def draw_players(canvas: Canvas, page: PlayersPage) -> None:
    """Draw everybody; a touch on a player takes them out. Further players enter, and the tournament is given up."""
    theme, view = canvas.theme, page.back.view
    summary = view.summary
    body = draw_titled_bar(canvas, tournament_page.PLAYERS, page.back)
    foot_height = theme.touch_size
    body, foot = layout.split_bottom(body, foot_height, theme.gap)
    enter, give_up = hand_row(canvas, foot, [1, 1], theme.gap)[::-1]
    canvas.button(enter, tournament_page.ADD_PLAYER, EntryKeyboardPage(page), icon="plus", enabled=view.can_enter)
    canvas.button(
        give_up, tournament_page.GIVE_UP, ConfirmPage(page, Reply(GIVE_UP_ANSWER)), icon="flag", enabled=view.is_open
    )
    if view.is_open:
        line, body = layout.split_top(body, canvas.text_height(tournament_page.WITHDRAW_HELP, body.w), theme.gap)
        canvas.text(line, tournament_page.WITHDRAW_HELP, theme.small, MUTED, align="left", max_lines=2)
    across = 2 if theme.portrait else 3
    numbers = range(1, len(summary.names) + 1)
    body, shown, per_page = draw_list_page(canvas, body, page, numbers, theme.touch_size, across=across)
    down = max(1, per_page // across)
    rect = layout.split_top(body, min(body.h, down * (theme.touch_size + theme.gap) - theme.gap), 0)[0]
    for cell, player in zip(layout.grid(rect, down * across, across, theme.gap), shown, strict=False):
        name = join([f"{player}. ", summary.name(player)], "")
        label = join([name, tournament_page.LEFT], " · ") if player in view.withdrawn else name
        canvas.button(cell, label, page.select(player), enabled=view.can_withdraw(player), size=theme.small)


@paints(ConfirmPage)
def draw_confirmation(canvas: Canvas, page: ConfirmPage) -> None:
    """Draw the question, what happens then, and the two answers."""
    theme = canvas.theme
    question, text, label = tournament_page.confirm_texts(page)
    body, foot = layout.split_bottom(canvas.page, round(theme.touch_size * 1.5), theme.gap)
    title, about = layout.rows(body, [3, 4], theme.gap)
    canvas.text(title, question, theme.big, max_lines=3)
    canvas.text(about, text, theme.units(5.4), MUTED, max_lines=5, vertical_align="top")
    back, confirm = hand_row(canvas, foot, [1, 1], theme.gap)
    canvas.button(back, labels.BACK, page.back, icon="back", leads_back=True)
    canvas.button(confirm, label, page.reply, main=True, size=theme.body)


@paints(EntryKeyboardPage)
def draw_entry_keyboard(canvas: Canvas, page: EntryKeyboardPage) -> None:
    """Draw the name of another player, as far as it is typed, and the keys."""
    draw_name_keys(canvas, canvas.page, page, page.back)
