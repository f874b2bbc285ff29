"""The icons as SVG files, the same for the screen, the printed sheets and the review pages.

Each file is one path in a 100 × 100 square, filled with ``currentColor``; what is cut out of an icon is a hole. Its
size is a power of two, 128 pixels: SDL scales by a rounded factor, which would make 100 pixels 121 instead of 120."""

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent


@cache
def icon_svg(name: str, colour: str = "currentColor") -> str:
    """Return the SVG file of an icon, filled with a CSS ``colour``. Raises FileNotFoundError for an unknown name."""
    return (_FOLDER / f"{name}.svg").read_text(encoding="utf-8").replace("currentColor", colour)


def icon_path(name: str) -> str:
    """Return an icon's ``<path>`` element, for a place in another SVG."""
    return icon_svg(name).partition(">")[2].partition("</svg>")[0]
