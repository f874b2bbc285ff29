"""Draw the wiring of the seats' buttons and lights as SVG: the whole GPIO header with what is on each pin, and one seat
in detail. Kinds of pins differ in shape and label; the background is white, for dark pages too."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

WIDTH_PX = 1120
"""The drawing's width."""
ROW_STEP_PX = 34
"""The distance between two rows of the header."""
TOP, LEFT = 96, 340
"""The y and x of the header's first pin."""
PAPER, INK, FAINT, BOARD, LIT = "#ffffff", "#181e26", "#5c6670", "#eef1f4", "#ffe08a"
PinKind = Literal["button", "light", "ground", "power", "free"]
TextAnchor = Literal["start", "middle", "end"]
LEGEND: tuple[tuple[PinKind, str], ...] = (
    ("button", "a button, the other leg to ground"),
    ("light", "a light, through its resistor to ground"),
    ("ground", "ground: any of these except the display's"),
    ("power", "3.3 V or 5 V: not for seats"),
    ("free", "not used"),
)


@dataclass(frozen=True)
class HeaderPin:
    """A pin of the header: its number on the board (1 to 40), its kind and its label."""

    number: int
    kind: PinKind
    label: str


@dataclass(frozen=True)
class SeatWiring:
    """The labels for one seat in detail: the pins of its buttons, of its light if any, and its ground; and the light's
    resistor."""

    title: str
    raises: str
    confirm: str
    light: str | None
    ground: str
    resistor: str


def draw_wiring(pins: Sequence[HeaderPin], seat: SeatWiring) -> str:
    """Return the drawing as SVG; ``pins`` are all pins of the header."""
    rows = -(-len(pins) // 2)
    high = TOP + rows * ROW_STEP_PX + 36
    shapes = [
        *_header(pins, rows),
        *_legend(700, TOP + 420),
        *_seat(seat, 680, 30),
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH_PX}" height="{high}" '
            f'viewBox="0 0 {WIDTH_PX} {high}" font-family="FreeSans, Helvetica, Arial, sans-serif">',
            f"<title>{escape(f'The header of a Raspberry Pi with every seat, and {seat.title} in detail')}</title>",
            f'<rect width="{WIDTH_PX}" height="{high}" fill="{PAPER}"/>',
            *shapes,
            "</svg>\n",
        ]
    )


def _header(pins: Sequence[HeaderPin], rows: int) -> Iterator[str]:
    yield _text("The header, seen from above", LEFT + ROW_STEP_PX / 2, 34, 22, "middle", bold=True)
    yield _text("top: the corner of the board; bottom: the USB ports", LEFT + ROW_STEP_PX / 2, 60, 14, "middle")
    top, down = TOP - ROW_STEP_PX / 2, rows * ROW_STEP_PX
    size = f'width="{ROW_STEP_PX + 34}" height="{down}"'
    yield f'<rect x="{LEFT - 17}" y="{top}" {size} rx="6" fill="{BOARD}" stroke="{INK}"/>'
    for pin in sorted(pins, key=lambda pin: pin.number):
        right = pin.number % 2 == 0
        x, y = LEFT + ROW_STEP_PX * right, TOP + (pin.number - 1) // 2 * ROW_STEP_PX
        yield from _pin(pin.kind, x, y, str(pin.number))
        colour = FAINT if pin.kind == "free" else INK
        bold = pin.kind in ("button", "light")
        if right:
            yield _text(pin.label, x + 28, y + 5, 15, "start", bold=bold, colour=colour)
        else:
            yield _text(pin.label, x - 28, y + 5, 15, "end", bold=bold, colour=colour)


def _pin(kind: PinKind, x: float, y: float, number: str) -> Iterator[str]:
    """Draw a pin's symbol with its number in it."""
    dark = kind == "ground"
    match kind:
        case "button":
            yield f'<circle cx="{x}" cy="{y}" r="13" fill="{PAPER}" stroke="{INK}" stroke-width="2.5"/>'
        case "light":
            points = f"{x},{y - 16} {x + 16},{y} {x},{y + 16} {x - 16},{y}"
            yield f'<polygon points="{points}" fill="{LIT}" stroke="{INK}" stroke-width="2"/>'
        case "ground":
            yield f'<rect x="{x - 12}" y="{y - 12}" width="24" height="24" fill="{INK}"/>'
        case "power":
            yield (
                f'<rect x="{x - 12}" y="{y - 12}" width="24" height="24" fill="{PAPER}" stroke="{INK}" '
                'stroke-width="2" stroke-dasharray="4 3"/>'
            )
        case "free":
            yield f'<circle cx="{x}" cy="{y}" r="12" fill="{PAPER}" stroke="{FAINT}"/>'
    yield _text(number, x, y + 5, 13, "middle", bold=True, colour=PAPER if dark else INK)


def _legend(x: float, y: float) -> Iterator[str]:
    for row, (kind, words) in enumerate(LEGEND):
        yield from _pin(kind, x, y + row * 40, "")
        yield _text(words, x + 28, y + row * 40 + 5, 15, "start")


# -------- one seat


def _seat(seat: SeatWiring, x: float, y: float) -> Iterator[str]:
    """Draw two buttons and a light between their pins and ground."""
    yield _text(f"{seat.title} in detail", x + 200, y + 4, 22, "middle", bold=True)
    rows = [("raise", seat.raises), ("confirm", seat.confirm)]
    far, first, step = x + 380, y + 90, 100
    last = first + step * (len(rows) - 1 if seat.light is None else len(rows))
    for row, (name, pin) in enumerate(rows):
        yield from _button(name, pin, x, far, first + row * step)
    if seat.light is not None:
        yield from _light(seat.light, seat.resistor, x, far, last)
    yield _line(far, first, far, last + 80)
    yield _dot(far, last)
    for bar, half in ((80, 18), (87, 12), (94, 6)):
        yield _line(far - half, last + bar, far + half, last + bar)
    yield _text(seat.ground, far - 28, last + 92, 15, "end", bold=True)


def _from_pin(pin: str, x: float, y: float, end: float) -> Iterator[str]:
    yield f'<circle cx="{x}" cy="{y}" r="6" fill="{PAPER}" stroke="{INK}" stroke-width="2.5"/>'
    yield _text(pin, x, y - 20, 15, "start", bold=True)
    yield _line(x + 6, y, end, y)


def _button(name: str, pin: str, x: float, far: float, y: float) -> Iterator[str]:
    """Draw a push button that closes while it is pressed."""
    left, right = x + 255, x + 315
    yield from _from_pin(pin, x, y, left)
    yield from (_dot(left, y), _dot(right, y))
    yield _line(left - 4, y - 14, right + 4, y - 14)
    yield _line((left + right) / 2, y - 14, (left + right) / 2, y - 26)
    yield _text(name, (left + right) / 2, y + 26, 16, "middle", bold=True)
    yield _line(right, y, far, y)
    yield _dot(far, y)


def _light(pin: str, resistor: str, x: float, far: float, y: float) -> Iterator[str]:
    """Draw a resistor, then an LED that points to ground."""
    box, led = x + 100, x + 285
    yield from _from_pin(pin, x, y, box)
    yield f'<rect x="{box}" y="{y - 11}" width="70" height="22" fill="{PAPER}" stroke="{INK}" stroke-width="2.5"/>'
    yield _text(resistor, box + 35, y + 30, 15, "middle")
    yield _line(box + 70, y, led - 16, y)
    points = f"{led - 16},{y - 16} {led - 16},{y + 16} {led + 14},{y}"
    yield f'<polygon points="{points}" fill="{LIT}" stroke="{INK}" stroke-width="2.5"/>'
    yield _line(led + 15, y - 16, led + 15, y + 16)
    for away in (0, 12):
        start = led + away - 2
        yield _line(start, y - 20, start + 10, y - 34)
        yield f'<polygon points="{start + 14},{y - 40} {start + 13},{y - 30} {start + 5},{y - 35}" fill="{INK}"/>'
    yield _text("light", led, y + 36, 16, "middle", bold=True)
    yield _text("flat side, short leg: to ground", far - 12, y + 56, 14, "end")
    yield _line(led + 15, y, far, y)


def _line(x: float, y: float, to_x: float, to_y: float) -> str:
    return f'<line x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}" stroke="{INK}" stroke-width="2.5"/>'


def _dot(x: float, y: float) -> str:
    return f'<circle cx="{x}" cy="{y}" r="5" fill="{INK}"/>'


def _text(text: str, x: float, y: float, size: int, anchor: TextAnchor, bold: bool = False, colour: str = INK) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"{weight}>{escape(text)}</text>'
    )
