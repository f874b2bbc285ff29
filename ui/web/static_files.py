"""Static files: a fixed table, read once, so that no URL reaches any other file."""

import re
from importlib.resources import files

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

STATIC_TYPES = {
    "style.css": "text/css; charset=utf-8",
    "charts.css": "text/css; charset=utf-8",
    "hall.css": "text/css; charset=utf-8",
    "live.js": "text/javascript; charset=utf-8",
    "pads.css": "text/css; charset=utf-8",
    "pads.js": "text/javascript; charset=utf-8",
    "tv.css": "text/css; charset=utf-8",
    "tv.js": "text/javascript; charset=utf-8",
    "review.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
"""All static files with their media types."""
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
NESTED_RULES = re.compile(r"@[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
FLEXIBLE_BOX = re.compile(r"([^{}]+)\{([^{}]*\bdisplay: (?:inline-)?flex[^{}]*)\}")
GAP = re.compile(r"(?<![\w-])gap: ((?:[^\s;(]|\((?:[^()]|\([^()]*\))*\))+)(?: ([^;]+))?;")


def with_spacing(style: str) -> str:
    """Return a style sheet with margins in place of the gaps in flexible boxes, for browsers that have no such gaps:
    those before Chromium 84, which have no ``inset`` either. Boxes in ``@media`` are left as they are."""
    margins = []
    for selectors, declarations in FLEXIBLE_BOX.findall(NESTED_RULES.sub("", COMMENT.sub("", style))):
        if gap := GAP.search(f"{declarations.strip()};"):
            inner = ", ".join(f"{selector.strip()} > * + *" for selector in selectors.split(","))
            side, size = ("top", gap[1]) if "flex-direction: column" in declarations else ("left", gap[2] or gap[1])
            margins.append(f"{inner} {{ margin-{side}: {size}; }}")
    return style + ("\n@supports not (inset: 0) {\n" + "\n".join(margins) + "\n}\n" if margins else "")


def _read(name: str) -> bytes:
    data = (files("ui.web") / "static" / name).read_bytes()
    return with_spacing(data.decode()).encode() if name.endswith(".css") else data


STATIC_FILES = {name: _read(name) for name in STATIC_TYPES}


def static_file(request: Request) -> Response:
    """Serve a file of the table, or 404."""
    name = request.path_params["name"]
    if name not in STATIC_FILES:
        raise HTTPException(404)
    return Response(STATIC_FILES[name], media_type=STATIC_TYPES[name])
