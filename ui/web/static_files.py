"""Static files: a fixed table, read once, so that no URL reaches any other file."""

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
STATIC_FILES = {name: (files("ui.web") / "static" / name).read_bytes() for name in STATIC_TYPES}


def static_file(request: Request) -> Response:
    """Serve a file of the table, or 404."""
    name = request.path_params["name"]
    if name not in STATIC_FILES:
        raise HTTPException(404)
    return Response(STATIC_FILES[name], media_type=STATIC_TYPES[name])
