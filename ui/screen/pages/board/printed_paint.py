"""Painter of the page on which a camera watches the printed board: the position as the box knows it, what it sees
otherwise, each marked by a sign of its own, and what to do."""

from pygame import Rect

from ui.i18n.language import t
from ui.screen.drawing import layout
from ui.screen.drawing.board_geometry import Ground, Setting, setting
from ui.screen.drawing.board_pieces import token
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, FOUL, MUTED, PANEL, TEXT
from ui.screen.pages.ask.view import Reply
from ui.screen.pages.board.paint import PIECE, notice, parts, ringed, sides, spaces, warning
from ui.screen.pages.board.printed_view import CHOOSE, ENTER, Sighting
from ui.screen.pages.views import Watching


def watching(canvas: Canvas, page: Watching) -> None:
    """The board as the box knows it and what it sees of it, in words and by signs."""
    theme = canvas.theme
    on = setting(page.ask.about)
    place, rows, panel = parts(canvas)
    if on is None:
        return
    sides(canvas, rows, on, page.players)
    ground = Ground(on.board, place)
    spaces(canvas, ground, on, None)
    _pieces(canvas, ground, on, page.now)
    _marks(canvas, ground, page.now)
    panel = notice(canvas, panel)
    panel, foot = layout.bottom(panel, theme.touch, theme.gap)
    buttons = layout.columns(foot, [1, 1] if page.now.several else [1], theme.gap)
    canvas.button(buttons[-1], t("Enter it here"), Reply(ENTER), size=theme.body)
    if page.now.several:
        canvas.button(buttons[0], t("Choose"), Reply(CHOOSE), size=theme.body, main=True)
    signs = _signs(page.now)
    panel, legend = layout.bottom(panel, len(signs) * theme.units(6), theme.gap if signs else 0)
    _legend(canvas, legend, signs)
    spot, panel = layout.top(panel, theme.units(8), theme.units(1))
    spot, heading = layout.left(spot, spot.h, theme.gap)
    canvas.icon(spot, "eye" if page.now.is_well else "doubt", ACCENT if page.now.is_well else FOUL)
    title = t("The box watches") if page.now.is_well else t("The box sees")
    canvas.text(heading, title, theme.body, MUTED, side="left")
    canvas.text(panel, page.now.told, theme.title, TEXT, side="left", lines=9, at="left")


def _pieces(canvas: Canvas, ground: Ground, on: Setting, now: Sighting) -> None:
    """Every piece as the position has it; where something else is seen, that."""
    seen = dict(now.tops)
    for space, piece in {**on.pieces, **seen}.items():
        if space not in now.gone:
            token(canvas, ground.rect(space, PIECE), seen.get(space, piece))


def _marks(canvas: Canvas, ground: Ground, now: Sighting) -> None:
    """A triangle at what should not be there, a ring where a piece is missing, an eye struck out where nothing can be
    read."""
    for space in now.gone:
        ringed(canvas, ground.rect(space, 0.8), FOUL)
    for space, _ in now.tops:
        ringed(canvas, ground.rect(space, 1.0), FOUL)
        place = ground.rect(space, 0.44)
        warning(canvas, place.move(place.w * 2 // 3, -place.h * 2 // 3))
    for space in now.unread:
        _unread(canvas, ground.rect(space, 0.5))


def _unread(canvas: Canvas, box: Rect) -> None:
    rim = max(1, box.w // 10)
    canvas.icon(box.inflate(2 * rim, 2 * rim), "square", PANEL)
    canvas.icon(box, "nothing", ACCENT)


def _signs(now: Sighting) -> list[str]:
    """Which signs are on the board."""
    return [name for name, there in (("there", now.tops), ("missing", now.gone), ("unread", now.unread)) if there]


def _legend(canvas: Canvas, box: Rect, signs: list[str]) -> None:
    """What the signs mean that are on the board."""
    theme = canvas.theme
    meanings = {"there": t("should not be there"), "missing": t("is missing"), "unread": t("can't be read")}
    for name, line in zip(signs, layout.rows(box, [1] * len(signs), theme.units(0.6)), strict=True):
        spot, told = layout.left(line, line.h, theme.gap)
        if name == "there":
            warning(canvas, layout.inside(spot, spot.w // 8))
        elif name == "missing":
            ringed(canvas, layout.inside(spot, spot.w // 8), FOUL)
        else:
            _unread(canvas, layout.inside(spot, spot.w // 6))
        canvas.text(told, meanings[name], theme.small, MUTED, side="left")
