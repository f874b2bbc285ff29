"""Painters of a class, to be read from the back of the room: the roll call, everybody's throw, and the result of a
round or a match, with a cell for each player in the order of their numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from pygame import Rect

from rules.battle.events import RoundPlayed
from rules.engine import Seat
from rules.throws import Outcome
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.forms import Column, Either, Flip, Grid, Row
from ui.screen.drawing.nodes import TOUCH, CardPanel, Drawing, Icon, Node, Text, pixels
from ui.screen.drawing.theme import ACCENT, FOUL, MUTED, TEXT
from ui.screen.drawing.widgets import (
    draw_match_title,
    draw_pause_button,
    hand_row,
    split_hand_side,
)
from ui.screen.pages import classroom as classroom_page
from ui.screen.pages import fact_words
from ui.screen.pages.classroom import (
    HOME_ANSWER,
    SHOUT_ANSWER,
    PlayerStanding,
    RollCall,
    ThrowCount,
    count_throws,
    player_standing,
)
from ui.screen.pages.classroom_grid import (
    CellSizes,
    ColouredIcon,
    GridCell,
    Symbol,
    draw_cell_list,
    draw_grid,
    draw_legend,
)
from ui.screen.pages.common import GO_ON_ANSWER, Player, players_by_place
from ui.screen.pages.dispute import DisputedRound
from ui.screen.pages.match_widgets import draw_proof_qr_code
from ui.screen.pages.message import GameMessage
from ui.screen.pages.podium import draw_podium
from ui.screen.pages.result import MatchResult
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.scoreboard import event_facts, merge_facts
from ui.screen.views import Reply
from ui.text import game_words, labels

OUTCOME_ICONS: Mapping[Outcome, ColouredIcon] = {
    outcome: (icon, ACCENT if outcome is Outcome.WON else MUTED) for outcome, icon in fact_words.OUTCOME_ICONS.items()
}
"""The icon of each outcome."""
DRAWN_ICON: ColouredIcon = ("dice", MUTED)
"""The icon of a throw that the box has drawn."""
MIN_SHOWN_STREAK = 3
"""The shortest streak, won or lost, that is shown next to the score: it earns a bonus."""
ROUND_CELLS: CellSizes = ((16, 12), (24, 17))
MATCH_CELLS: CellSizes = ((15, 10), (20, 14))
"""The smallest cells of the results of a round and of a match: more players than fit are on further pages."""


@paints(RollCall)
def draw_roll_call(canvas: Canvas, view: RollCall) -> None:
    """Draw everybody's number, ticked off once their card was seen, the number of cards seen, and the missing players'
    names."""
    theme, seen = canvas.theme, view.attendance.seen
    body, foot = layout.split_bottom(canvas.page, round(theme.touch_size * 1.4), theme.gap)
    count = classroom_page.seen_text(view)
    instruction, colour = (view.rethrow_reason, FOUL) if view.rethrow_reason else (classroom_page.HOLD_CARD_UP, MUTED)
    line, body = layout.split_top(body, pixels((15, TOUCH), theme), theme.gap)
    line = draw_pause_button(canvas, line)
    rest, rect = layout.split_right(line, canvas.text_width(count, theme.big, line.w, line.h), theme.gap)
    canvas.text(rect, count, theme.big, TEXT if view.missing else ACCENT, align="right", role="shared")
    if theme.portrait:
        rest, body = layout.split_top(body, canvas.text_height(instruction, body.w), theme.gap)
    canvas.text(rest, instruction, theme.body, colour, align="left", max_lines=3)
    notes = [text for text in (classroom_page.missing_text(view), classroom_page.problems_text(view)) if text]
    heights = [canvas.text_height(text, body.w, max_lines=3) for text in notes]
    body, below = layout.split_bottom(body, max(theme.units(11), sum(heights)), theme.gap)
    cells = [
        GridCell(seat, name, (("good", TEXT) if seat in seen else ("eye", MUTED),), missing=seat not in seen)
        for seat, name in enumerate(view.players, 1)
    ]
    draw_grid(canvas, body, cells)
    if problems := classroom_page.problems_text(view):
        below, rect = layout.split_bottom(below, heights[-1], 0)
        canvas.text(rect, problems, theme.small, FOUL, align="left", max_lines=3)
    colour = MUTED if view.missing else ACCENT
    canvas.text(below, classroom_page.missing_text(view), theme.title, colour, align="left", max_lines=3)
    leave, shout = hand_row(canvas, foot, [1, 2], theme.gap)
    canvas.button(leave, classroom_page.LEAVE, Reply(HOME_ANSWER), icon="back")
    canvas.button(shout, classroom_page.ALL_READY, Reply(SHOUT_ANSWER), main=True, size=theme.title, icon="burst")


def draw_reveal(canvas: Canvas, view: Reveal) -> None:
    """Draw everybody's throw, or a mark of doubt where there is none."""
    theme = canvas.theme
    bar, body = layout.split_top(canvas.page, pixels((16, TOUCH), theme), theme.gap)
    title = _draw_go_on_button(canvas, bar, view.seconds_left)
    if theme.portrait:
        title, body = layout.split_top(body, theme.units(26), theme.gap)
    canvas.text(title, classroom_page.thrown_text(view), theme.title, max_lines=5)
    canvas.ignore_fields("shown_s", "seconds_left")
    cells = [_throw_cell(seat.seat, seat.player.name, seat.last_throw, seat.outcome) for seat in view.seats]
    draw_grid(canvas, draw_legend(canvas, body, _outcome_legend(cells)), cells)


def draw_past_throws(canvas: Canvas, box: Rect, view: DisputedRound) -> None:
    """Draw everybody's throw in a past round."""
    readings = [(seat.seat, view.name(seat), view.reading(seat)) for seat in view.seats]
    cells = [_throw_cell(seat, name, None if reading is None else str(reading)) for seat, name, reading in readings]
    draw_grid(canvas, draw_legend(canvas, box, _outcome_legend(cells)), cells)


def _throw_cell(seat: Seat, name: str, throw: str | None, outcome: Outcome | None = None) -> GridCell:
    icon = ("doubt", FOUL) if throw is None else (str(throw), TEXT)
    return GridCell(seat, name, (icon, *_outcome_icon(outcome)), missing=throw is None)


def draw_message(canvas: Canvas, view: GameMessage) -> None:
    """Draw an event's title and everybody's standing, the highest scores first; of a round also the counts of each
    throw."""
    theme = canvas.theme
    canvas.ignore_fields("shown_s", "seconds_left")
    new_facts = event_facts(view.event)
    players = players_by_place(view.players)
    standings = [player_standing(merge_facts(player.facts, new_facts.of_seat(player.seat))) for player in players]
    counts = count_throws(standings, merge_facts(view.facts, new_facts.table))
    bar, body = layout.split_top(canvas.page, theme.touch_size, theme.gap)
    if isinstance(view.event, RoundPlayed):
        title = classroom_page.round_title(view.event.round)
    else:
        title = game_words.event_heading(view.event)
    draw_match_title(canvas, _draw_go_on_button(canvas, bar, view.seconds_left), title)
    # The first of the sentences, unless it names half the class.
    sentence = next((line for line in view.sentences if len(line) <= 100), None)
    cells = [_standing_cell(*of) for of in zip(players, standings, strict=True)]
    legend = _outcome_legend(cells)
    if any(player.score is not None for player in view.players):
        legend.append((classroom_page.signed_score(3), classroom_page.POINTS))
    if any(cell.streak for cell in cells):
        legend.append((f"×{MIN_SHOWN_STREAK}", classroom_page.STREAK))
    if counts:
        legend.append((("beats", ACCENT), classroom_page.BEATS))
    body = draw_legend(canvas, body, legend)
    top: Node | None = None
    if counts:
        top = throw_counts(counts)
    elif sentence is not None:
        top = Text(sentence, "title", lines=2, length=12)
    cell_list = Drawing(lambda canvas, box: draw_cell_list(canvas, box, cells, view, ROUND_CELLS))
    (Flip if counts else Column)(top, cell_list).draw(canvas, body)


def _standing_cell(player: Player, standing: PlayerStanding) -> GridCell:
    thrown = ((standing.throw.value, TEXT),) if standing.throw else ()
    figure = "" if player.score is None else classroom_page.signed_score(player.score)
    streak = ""
    if abs(standing.streak) >= MIN_SHOWN_STREAK:
        streak = f"×{labels.plain_number(standing.streak)}"
    drawn = (DRAWN_ICON,) if standing.is_drawn else ()
    icons = (*thrown, *drawn, *_outcome_icon(standing.outcome))
    out = standing.health == 0
    return GridCell(player.seat, player.name, icons, figure, standing.outcome is Outcome.WON, out, streak=streak)


def _outcome_icon(outcome: Outcome | None) -> tuple[ColouredIcon, ...]:
    return () if outcome is None else (OUTCOME_ICONS[outcome],)


def draw_result(canvas: Canvas, view: MatchResult, places: Mapping[Seat, int]) -> None:
    """Draw the winners, the podium or, on further pages, everybody in the order of their places, and the buttons."""
    theme = canvas.theme
    foot_height = round(theme.touch_size * 1.4) if canvas.interactive else 0
    body, foot = layout.split_bottom(canvas.page, foot_height, theme.gap)
    top, body = layout.split_top(body, pixels((15, 26), theme), theme.gap)
    icon_rect, text = layout.split_left(top, theme.units(13), theme.gap)
    canvas.ignore_fields("shown_s", "seconds_left")
    sentence, best = view.sentence, view.result.winners
    canvas.icon(icon_rect, "crown" if best else "nothing", ACCENT)
    if len(best) > 4:
        sentence = classroom_page.winners_text(len(best), view.result.scores[best[0]])
    text = draw_proof_qr_code(canvas, text, view)
    canvas.text(text, sentence, theme.title, max_lines=5)
    ranked = players_by_place(view.players, best)
    if theme.portrait:
        body, turn = layout.split_bottom(body, theme.touch_size, theme.gap)
        home, again = hand_row(canvas, foot, [1, 1], theme.gap)
    else:
        home, turn, again = hand_row(canvas, foot, [4, 5, 4], theme.gap)
    if view.list_page == 0:
        draw_podium(canvas, body, ranked, places, lambda player: classroom_page.podium_name(player.seat, player.name))
        canvas.button(turn, classroom_page.ALL_RESULTS, view.with_list_page(1), icon="forward")
    else:
        cells = []
        for player in ranked:
            icons = (("crown", ACCENT),) if player.seat in best else ()
            figure = "" if player.score is None else classroom_page.signed_score(player.score)
            cells.append(GridCell(player.seat, player.name, icons, figure, player.seat in best))
        legend: list[tuple[Symbol, str]] = [(classroom_page.signed_score(3), classroom_page.POINTS)]
        if best:
            legend.insert(0, (("crown", ACCENT), classroom_page.MATCH_WON))
        any_named = any(classroom_page.own_name(cell.seat, cell.name) for cell in cells)
        body = draw_legend(canvas, body, legend)
        draw_cell_list(canvas, body, cells, view, MATCH_CELLS, turn, 1.7 if any_named else 2.8)
    canvas.button(home, labels.OTHER_GAMES, Reply("home"), icon="back")
    canvas.button(again, labels.PLAY_AGAIN, Reply("again"), main=True, size=theme.title)


def _draw_go_on_button(canvas: Canvas, bar: Rect, seconds_left: float | None) -> Rect:
    """Draw the button that goes on, on the touching hand's side of ``bar``, and the pause button, if the page waits for
    people. Returns the rest of the bar."""
    if seconds_left is None:
        return bar
    theme = canvas.theme
    rest, rect = split_hand_side(canvas, draw_pause_button(canvas, bar), theme.units(30), theme.gap * 2)
    rect.height = theme.touch_size
    canvas.button(rect, labels.GO_ON, Reply(GO_ON_ANSWER), main=True, icon="forward")
    return rest


def throw_counts(counts: Sequence[ThrowCount]) -> Grid:
    """Return a card for each throw: how many threw it, what it beats, and how many of its players won, tied and
    lost."""
    return Grid([_throw_card(line) for line in counts], (1, len(counts)), length=(50, 36))


def _throw_card(line: ThrowCount) -> CardPanel:
    outcomes = [
        Row(
            Icon(*icon, side=4.4, share=2),
            Text(
                str(line.outcomes[outcome]), "title", ACCENT if outcome is Outcome.WON else TEXT, align="left", share=3
            ),
            gap=0.6,
        )
        for outcome, icon in OUTCOME_ICONS.items()
    ]
    throw, count = Icon(line.throw, TEXT, share=4), Text(str(line.count), 12, share=4)
    beats, below = Drawing(partial(_draw_beats, throws=line.beats), share=5), Row(*outcomes, gap=0.6, share=2)
    flat = Column(Row(throw, count, beats, gap=1, share=3), below, gap=0.6)
    high = Column(Row(throw, count, gap=1, share=3), replace(beats, share=1), Row(*outcomes, gap=0.6), gap=0.5)
    return CardPanel(Either(flat, high), across=1.4, down=1.2)


def _draw_beats(canvas: Canvas, box: Rect, throws: Sequence[str]) -> None:
    """Draw an arrow to the throws that a throw beats, or an icon for none."""
    icons = [("beats", ACCENT), *((throw, MUTED) for throw in throws)] if throws else [("nothing", MUTED)]
    height = min(box.h, canvas.theme.units(5.5))
    row = layout.centre(box, height * len(icons), height)
    for rect, icon in zip(layout.columns(row, [1] * len(icons), 2), icons, strict=True):
        canvas.icon(rect, *icon)


def _outcome_legend(cells: Sequence[GridCell]) -> list[tuple[Symbol, str]]:
    """Return the meaning of the icons that cells have."""
    used = {icon for cell in cells for icon in cell.icons}
    known: list[tuple[ColouredIcon, str]] = [
        (OUTCOME_ICONS[outcome], word) for outcome, word in classroom_page.OUTCOMES.items()
    ]
    known += [(("doubt", FOUL), classroom_page.NO_THROW), (DRAWN_ICON, classroom_page.DRAWN)]
    return [(icon, word) for icon, word in known if icon in used]
