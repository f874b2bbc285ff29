"""Icons of the pages as SVG symbols, from the files that the touchscreen shows too. A page includes the symbol sheet
once and uses symbols by name."""

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from messages import N
from rules.board.board import DIRECTIONS
from rules.engine import Seat, Value
from ui.charts.proof_code import proof_text, qr_modules
from ui.i18n.language import t
from ui.icons import icon_path
from ui.screen.drawing import theme
from ui.screen.drawing.theme import SEAT_MARKS
from ui.screen.pages.board_position import PIECE_ICONS, BoardPosition, Token, owner_of

SYMBOL_NAMES = (
    *("rock", "paper", "scissors", "nothing", "good", "foul", "doubt"),
    *("crown", "flag", "eye", "back", "forward", "pencil", "level", "bubble"),
)
"""The icons that pages use, besides the seats' shapes."""
BOARD_SYMBOL_NAMES = (*PIECE_ICONS.values(), *(f"to-{direction}" for direction in DIRECTIONS))
"""The icons of the board, which only pads and televisions show."""
BOARD_LABEL = N("Board")
BOARD_MARGIN = 0.7
"""Around the centres of a board's spaces, in units of their width."""
NUMBER_OFFSETS = {"triangle": (0.0, 0.17), "star": (0.0, 0.04), "heart": (0.0, -0.04), "moon": (-0.13, 0.04)}
"""How far right and down the number of a seat is from the centre of its shape, as a fraction of its side."""


def symbol_sheet(*, board: bool = False, more: Sequence[str] = ()) -> Markup:
    """Return all symbols, those of the ``board`` too if it is shown, and ``more`` icons, hidden, to be included once
    before the first use. Shapes have space for an outline."""
    names = dict.fromkeys((*SYMBOL_NAMES, *(BOARD_SYMBOL_NAMES if board else ()), *more))
    signs = "".join(f'<symbol id="{name}" viewBox="0 0 100 100">{icon_path(name)}</symbol>' for name in names)
    shapes = "".join(
        f'<symbol id="shape-{mark.shape}" viewBox="-4 -4 108 108">{icon_path(mark.shape)}</symbol>'
        for mark in SEAT_MARKS
    )
    return Markup(f'<svg class="sheet" aria-hidden="true" focusable="false">{signs}{shapes}</svg>')


def icon(name: str) -> Markup:
    """Return an icon that accompanies a text with the same meaning."""
    return Markup(f'<svg class="sign" viewBox="0 0 100 100" aria-hidden="true"><use href="#{name}"/></svg>')


def stars(count: int, most: int) -> Markup:
    """Return a row of ``most`` stars, ``count`` of them filled."""
    label = t("{count} of {most} stars", count=count, most=most)
    drawn = "".join(
        f'<svg class="sign" viewBox="0 0 100 100">{icon_path("star" if number < count else "star-empty")}</svg>'
        for number in range(most)
    )
    return Markup(f'<span class="stars" role="img" aria-label="{label}">{drawn}</span>')


def throw_icon(reading: Value) -> Markup:
    """Return the icon of a throw, or the one for no throw."""
    return icon(str(reading) if reading in ("rock", "paper", "scissors") else "nothing")


def seat_class(seat: Seat) -> str:
    """Return the CSS class of a seat's colour; seat 9 has that of seat 1."""
    return f"seat-{(seat - 1) % len(SEAT_MARKS) + 1}"


def seat_mark_inner(seat: Seat, side: float) -> Markup:
    """Return a seat's shape with its number, ``side`` pixels wide and centred at the origin, for use within an SVG."""
    shape, half = theme.seat_mark(seat).shape, side / 2
    right, down = NUMBER_OFFSETS.get(shape, (0.0, 0.0))
    size = side * (0.44 if seat > 9 or shape == "triangle" else 0.56)
    position = f'x="{right * side:.1f}" y="{size * 0.36 + down * side:.1f}" font-size="{size:.1f}"'
    return Markup(
        f'<use class="shape" href="#shape-{shape}" x="{-half:g}" y="{-half:g}" width="{side:g}" height="{side:g}"/>'
        f'<text class="number" text-anchor="middle" {position}>{seat}</text>'
    )


def seat_mark(seat: Seat) -> Markup:
    """Return a seat's shape with its number, shown next to the player's name."""
    attributes = f'class="mark {seat_class(seat)}" viewBox="-12 -12 24 24"'
    return Markup(
        f'<svg {attributes} role="img" aria-label="{t("Seat {number}", number=seat)}">{seat_mark_inner(seat, 22)}</svg>'
    )


def draw_board(position: BoardPosition) -> Markup:
    """Draw the board with its pieces, and mark the spaces of the last move."""
    board, last = position.board, position.last
    moved = {last.origin, *last.landing_spaces} if last else set()
    centres = [board.centre(space) for space in range(len(board.coordinates))]
    left, top = (min(axis) - BOARD_MARGIN for axis in zip(*centres, strict=True))
    right, bottom = (max(axis) + BOARD_MARGIN for axis in zip(*centres, strict=True))
    drawn = "".join(
        f'<rect class="space{" last" * (space in moved)}" x="{x - 0.48:g}" y="{y - 0.45:g}" width="0.96" height="0.9" '
        f'rx="0.24"/>{_draw_piece(position.pieces[space], x, y) if space in position.pieces else ""}'
        for space, (x, y) in enumerate(centres)
    )
    box = f"{left:g} {top:g} {right - left:g} {bottom - top:g}"
    return Markup('<svg class="board-drawing" role="img" aria-label="{0}" viewBox="{1}">{2}</svg>').format(
        t(BOARD_LABEL), box, Markup(drawn)
    )


def _draw_piece(piece: Token, x: float, y: float) -> str:
    side, sheets = ("north", "south")[not owner_of(piece)], len(piece) - 1
    if sheets > 1:
        sign = f'<text x="{x:g}" y="{y + 0.14:g}">{sheets}</text>'
    else:
        sign = f'<use href="#{PIECE_ICONS[piece[0]]}" x="{x - 0.25:g}" y="{y - 0.25:g}" width="0.5" height="0.5"/>'
    corner = 0.36 if side == "south" else 0.1
    place = f'x="{x - 0.36:g}" y="{y - 0.36:g}" width="0.72" height="0.72" rx="{corner}"'
    return f'<g class="{side}"><rect {place}/>{sign}</g>'


def draw_proof_code(match: int, code: str) -> Markup:
    """Draw the QR code of a match's proof code: black on white, in light and dark mode."""
    return draw_qr_code(proof_text(match, code), t("The proof code as a QR code"))


def draw_qr_code(text: str, label: str) -> Markup:
    """Draw the QR code of a text, with what it is called for those who can't see it."""
    modules = qr_modules(text)
    path = "".join(f"M{x} {y}h1v1h-1z" for y, x in np.argwhere(modules))
    return Markup(
        '<svg class="qr" role="img" aria-label="{2}" viewBox="0 0 {0} {0}" '
        'shape-rendering="crispEdges"><rect width="{0}" height="{0}" fill="#fff"/><path d="{1}" fill="#000"/></svg>'
    ).format(len(modules), path, label)
